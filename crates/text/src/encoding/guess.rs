//! Guesses the encoding of text from statistics, and decides by the letters of languages whether the guess is safe.

use std::collections::HashSet;

use chardetng::{EncodingDetector, Iso2022JpDetection, Utf8Detection};
use encoding_rs::{
    BIG5, EUC_JP, EUC_KR, Encoding as Whatwg, GBK, SHIFT_JIS, WINDOWS_874, WINDOWS_1251, WINDOWS_1252,
    X_MAC_CYRILLIC,
};

use crate::guess::{ASIAN_FREQUENT, ENCODING, Verdict};
use crate::sniff::beyond_ascii;

/// The most oddities per thousand characters beyond ASCII, for a single-byte encoding.
const MAX_ODDITIES: u64 = 60;

/// The encodings that chardetng knows of East Asia.
const ASIAN: [&Whatwg; 5] = [EUC_KR, GBK, EUC_JP, SHIFT_JIS, BIG5];

/// The encoding by the statistics of chardetng.
fn likeliest(bytes: &[u8]) -> &'static Whatwg {
    let mut detector = EncodingDetector::new(Iso2022JpDetection::Deny);
    detector.feed(bytes, false);
    let first = detector.guess(None, Utf8Detection::Deny);
    if first != WINDOWS_1251 && first != WINDOWS_1252 {
        return first;
    }
    // chardetng does not know x-mac-cyrillic; all but one of its lower-case letters are those of windows-1251.
    let mac = Oddities::count_in(X_MAC_CYRILLIC, bytes);
    let is_text = mac.chars >= 20 && mac.letters * 10 >= mac.chars * 9;
    let is_mac = is_text && Oddities::count_in(WINDOWS_1251, bytes).count >= 3 + 3 * mac.count;
    if is_mac { X_MAC_CYRILLIC } else { first }
}

/// The most oddities per thousand characters beyond ASCII of text whose encoding is evident.
const MAX_EVIDENT_ODDITIES: u64 = 10;

/// The least letters of a word that counts, and the least different letters beyond ASCII in such words.
const MIN_LETTERS: usize = 3;

/// The encoding that the letters of `bytes`, lines that are not UTF-8, show. The labels are those of the WHATWG standard, or of
/// iconv for an encoding without a decoder.
pub fn judge(bytes: &[u8]) -> Verdict<&'static str> {
    let whole = judge_all(bytes);
    let mut lines: Vec<&[u8]> = bytes.split_inclusive(|byte| *byte == b'\n').collect();
    let (all, strays) = (lines.len(), strays(&lines));
    let mut at = 0..all;
    lines.retain(|_| at.next().is_some_and(|at| !strays.contains(&at)));
    if lines.len() == all || lines.len() * 10 < all * 9 {
        return whole;
    }
    // chardetng drops an encoding for one byte that it lacks: what nearly all lines show is a candidate too.
    let (mut named, others) = (judge_all(&lines.concat()).candidates(), whole.clone().candidates());
    if named.is_empty() || named.first() == others.first() {
        return whole;
    }
    named.extend(others);
    Verdict::Doubtful(named)
}

/// The positions of the lines with a byte beyond ASCII that no other line has.
fn strays(lines: &[&[u8]]) -> HashSet<usize> {
    // For each byte: the line that has it, if it is the only one.
    let mut only: [Option<Option<usize>>; 256] = [None; 256];
    for (at, line) in lines.iter().enumerate() {
        for byte in line.iter().filter(|byte| !byte.is_ascii()) {
            let place = &mut only[usize::from(*byte)];
            *place = Some(place.unwrap_or(Some(at)).filter(|other| *other == at));
        }
    }
    only.into_iter().flatten().flatten().collect()
}

/// The encoding that the letters of all of `bytes` show.
fn judge_all(bytes: &[u8]) -> Verdict<&'static str> {
    if is_ebcdic(bytes) {
        return Verdict::Doubtful(vec!["ibm037"]);
    }
    let first = likeliest(bytes);
    let label = label_of(first);
    let odd = Oddities::count_in(first, bytes);
    if (ASIAN.contains(&first) || odd.count * 1000 > odd.chars * MAX_ODDITIES)
        && let Some(verdict) = judge_asian(first, bytes)
    {
        return verdict;
    }
    let is_listed = LANGUAGES.iter().any(|language| language.encodings.contains(&label));
    if !is_listed && first != WINDOWS_1252 {
        let is_evident = has_words(first, &decoded(label, bytes)) && is_like_text(first, bytes);
        return if is_evident { Verdict::Evident(label) } else { Verdict::Doubtful(vec![label]) };
    }
    let mut fitting = fitting(label, bytes);
    // In the Cyrillic of the Mac, the small ya is the byte of the capital one here, and no text is without small ones.
    fitting.retain(|(other, text)| *other != "windows-1251" || !text.contains('Я') || text.contains('я'));
    let Some((best, text)) = fitting.first() else { return Verdict::Doubtful(vec![label]) };
    let is_alone = *best == label || fitting.iter().all(|(_, other)| other == text);
    let whatwg = Whatwg::for_label(best.as_bytes()).filter(|whatwg| is_like_text(whatwg, bytes));
    if is_alone && whatwg.is_some_and(|whatwg| has_words(whatwg, text)) {
        return Verdict::Evident(best);
    }
    if *best == label {
        return Verdict::Doubtful(vec![label]);
    }
    let mut named: Vec<&'static str> = Vec::new();
    for (nth, (other, text)) in fitting.iter().enumerate() {
        if fitting[..nth].iter().all(|(_, before)| before != text) {
            named.push(other);
        }
    }
    Verdict::Doubtful(named)
}

/// The encodings in which the letters are those of one language, each with its text: `label` first, if it is one. Text of several
/// languages is one of Western Europe if it fits no other.
fn fitting(label: &'static str, bytes: &[u8]) -> Vec<(&'static str, String)> {
    let mut labels = vec![label];
    for other in LANGUAGES.iter().flat_map(|language| language.encodings) {
        if !labels.contains(other) {
            labels.push(other);
        }
    }
    let fits = |label: &str, text: &str| {
        let letters = Letters::of(text);
        let of_label = LANGUAGES.iter().filter(|language| language.encodings.contains(&label));
        of_label
            .map(|language| letters.evidence(language))
            .any(|found| found.share() >= ENCODING.share && found.explained > 0)
    };
    let texts = labels.into_iter().map(|label| (label, decoded(label, bytes)));
    let mut found: Vec<_> = texts.filter(|(label, text)| fits(label, text)).collect();
    if found.is_empty() && label == "windows-1252" {
        let text = decoded(label, bytes);
        if Letters::of(&text).evidence(&MIXED_WEST).share() >= ENCODING.share {
            found.push((label, text));
        }
    }
    found
}

/// Characters of one East Asian encoding are mostly valid in another one: those that are frequent in its language decide. `None` if
/// `first` is of another part of the world, and no other one is clear.
fn judge_asian(first: &'static Whatwg, bytes: &[u8]) -> Option<Verdict<&'static str>> {
    let text = |encoding: &'static Whatwg| {
        let (text, _) = encoding.decode_without_bom_handling(bytes);
        // The last character may be cut.
        text.trim_end_matches('\u{FFFD}').to_owned()
    };
    let mut shares = ASIAN.map(|encoding| {
        let text = text(encoding);
        let share = if text.contains('\u{FFFD}') { 0 } else { frequent_share(encoding, &text) };
        (share, encoding == first, encoding)
    });
    shares.sort_by_key(|(share, is_first, _)| std::cmp::Reverse((*share, *is_first)));
    let [(share, _, best), (rival, ..), ..] = shares;
    let is_clear = share >= ASIAN_FREQUENT.share && share >= rival.saturating_mul(ASIAN_FREQUENT.lead);
    if is_clear {
        let label = label_of(best);
        let is_evident = has_words(best, &text(best));
        return Some(if is_evident { Verdict::Evident(label) } else { Verdict::Doubtful(vec![label]) });
    }
    let mut named = vec![label_of(first)];
    if best != first && share > 0 {
        named.push(label_of(best));
    }
    ASIAN.contains(&first).then_some(Verdict::Doubtful(named))
}

/// The label in lower case, as in the table of languages.
fn label_of(encoding: &'static Whatwg) -> &'static str {
    let is_same = |label: &&str| label.eq_ignore_ascii_case(encoding.name());
    NAMES.split_whitespace().find(is_same).unwrap_or(encoding.name())
}

/// Whether hardly anything in text of single bytes is odd, and it is not UTF-8 with damage, which has valid characters.
fn is_like_text(encoding: &'static Whatwg, bytes: &[u8]) -> bool {
    let (valid, invalid) = beyond_ascii(bytes);
    let odd = Oddities::count_in(encoding, bytes);
    valid * 4 <= invalid && odd.count * 1000 <= odd.chars * MAX_EVIDENT_ODDITIES
}

/// Whether `text` has several different words with letters beyond ASCII, or signs of a script without blanks.
fn has_words(encoding: &'static Whatwg, text: &str) -> bool {
    let is_beyond = |c: char| !c.is_ascii();
    let signs: HashSet<char> = text.chars().filter(|c| is_beyond(*c) && c.is_alphabetic()).collect();
    if text.contains('\u{FFFD}') {
        return false;
    }
    // Words of these have no blanks between them.
    if ASIAN.contains(&encoding) || encoding == WINDOWS_874 {
        return signs.len() as u64 >= ASIAN_FREQUENT.least;
    }
    let words = text.split(|c: char| !c.is_alphabetic() && !JOINERS.contains(c));
    let words = words.filter(|word| word.contains(is_beyond) && word.chars().count() >= MIN_LETTERS);
    let words: HashSet<String> = words.map(str::to_lowercase).collect();
    // The letter of the byte FF is hardly ever one of a text.
    words.len() as u64 >= ENCODING.least && signs.len() >= MIN_LETTERS && !signs.contains(&'\u{FF}')
}

/// Counts of what text in its true encoding rarely has: capitals or signs inside words, more capitals than small
/// letters, words of two scripts, five accented letters in a row, control characters.
struct Oddities {
    count: u64,
    /// Characters beyond ASCII.
    chars: u64,
    letters: u64,
}

impl Oddities {
    fn count_in(encoding: &'static Whatwg, bytes: &[u8]) -> Self {
        let (text, _) = encoding.decode_without_bom_handling(bytes);
        let mut odd = Oddities { count: 0, chars: 0, letters: 0 };
        let (mut capitals, mut small) = (0u64, 0u64);
        // The previous character, and the length of the current row of accented letters.
        let (mut before, mut accented) = (' ', 0);
        let mut chars = text.chars().peekable();
        while let Some(c) = chars.next() {
            let after = chars.peek().copied().unwrap_or(' ');
            odd.chars += u64::from(!c.is_ascii());
            odd.letters += u64::from(!c.is_ascii() && c.is_alphabetic());
            accented = if !c.is_ascii() && script(c) == Script::Latin { accented + 1 } else { 0 };
            odd.count += u64::from(accented >= MIN_ODD_ROW || is_odd(before, c, after));
            capitals += u64::from(!c.is_ascii() && c.is_uppercase());
            small += u64::from(!c.is_ascii() && c.is_lowercase());
            before = c;
        }
        if capitals > small && capitals >= 5 {
            odd.count += capitals - small;
        }
        odd
    }
}

/// An odd row of accented letters; Polish "żółć" has four.
const MIN_ODD_ROW: u32 = 5;

/// Signs that are usual inside words: dashes, dots, apostrophes, accents.
const JOINERS: &str = "\u{A0}\u{AD}\u{B4}\u{B7}\u{60C}\u{2013}\u{2014}\u{2018}\u{2019}\u{2026}";

fn is_odd(before: char, c: char, after: char) -> bool {
    if !c.is_ascii() {
        if c < '\u{A0}' || c == '\u{FFFD}' || ('\u{E000}'..'\u{F900}').contains(&c) {
            return true;
        }
        let is_mark = ('\u{300}'..'\u{370}').contains(&c) || JOINERS.contains(c);
        let is_sign = script(c) == Script::Other && !c.is_alphabetic() && !is_mark;
        if is_sign && before.is_alphabetic() && after.is_alphabetic() {
            return true;
        }
    }
    let (here, there) = (script(c), script(before));
    let is_foreign = here != there && here != Script::Other && there != Script::Other;
    let is_capital_inside = before.is_lowercase() && c.is_uppercase();
    (!c.is_ascii() || !before.is_ascii()) && (is_foreign || is_capital_inside)
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Script {
    Latin,
    Greek,
    Cyrillic,
    Hebrew,
    Arabic,
    Thai,
    Other,
}

fn script(c: char) -> Script {
    match u32::from(c) {
        0x41..=0x5A | 0x61..=0x7A | 0xC0..=0x24F | 0x1E00..=0x1EFF => Script::Latin,
        0x370..=0x3FF => Script::Greek,
        0x400..=0x52F => Script::Cyrillic,
        0x590..=0x5FF => Script::Hebrew,
        0x600..=0x6FF => Script::Arabic,
        0xE00..=0xE7F => Script::Thai,
        _ => Script::Other,
    }
}

/// Labels to suggest after a wrong one: every encoding, and frequent aliases.
pub(super) const NAMES: &str = "auto utf-8 utf-16 utf-16le utf-16be utf-32 utf-32le utf-32be latin1 ascii sjis cp1252 \
    big5 euc-jp euc-kr gb18030 gb2312 gbk ibm866 iso-2022-jp iso-8859-1 iso-8859-2 iso-8859-3 iso-8859-4 iso-8859-5 \
    iso-8859-6 iso-8859-7 iso-8859-8 iso-8859-8-i iso-8859-10 iso-8859-13 iso-8859-14 iso-8859-15 iso-8859-16 koi8-r \
    koi8-u macintosh shift_jis windows-1250 windows-1251 windows-1252 windows-1253 windows-1254 windows-1255 \
    windows-1256 windows-1257 windows-1258 windows-874 x-mac-cyrillic x-user-defined";

/// A language: its encodings, and its small letters beyond ASCII. Letters of loanwords that its speakers write are among them.
pub(super) struct Language {
    pub(super) encodings: &'static [&'static str],
    pub(super) letters: &'static str,
}

const WEST: &[&str] = &["windows-1252", "iso-8859-15", "windows-1254", "macintosh", "cp850"];
const CENTER: &[&str] = &["windows-1250", "iso-8859-2", "cp852", "iso-8859-16"];
const NORTH: &[&str] = &["windows-1252", "iso-8859-15", "iso-8859-10", "iso-8859-4", "macintosh", "cp850"];
const BALTIC: &[&str] = &["windows-1257", "iso-8859-13", "iso-8859-4"];
const CYRILLIC: &[&str] = &["windows-1251", "koi8-u", "koi8-r", "iso-8859-5", "ibm866", "x-mac-cyrillic"];

/// The table of languages. Frequent ones come first, and of each the frequent encodings.
#[rustfmt::skip]
pub(super) const LANGUAGES: &[Language] = &[
    Language { encodings: WEST, letters: "äöüßéàè" },
    Language { encodings: WEST, letters: "àâæçèéêëîïñôœùûüÿ" },
    Language { encodings: WEST, letters: "áéíñóúüç" },
    Language { encodings: WEST, letters: "áâãàçéêíóôõúüñ" },
    Language { encodings: WEST, letters: "àèéìíîòóùú" },
    Language { encodings: WEST, letters: "àçèéíïòóúüñ" },
    Language { encodings: WEST, letters: "áéëïóöüèêĳ" },
    // Welsh and Irish without the letters that only ISO-8859-14 has.
    Language { encodings: WEST, letters: "áéíóúâêîôûëïöàè" },
    Language { encodings: NORTH, letters: "æøåéêóòôäöü" },
    Language { encodings: NORTH, letters: "åäöéüàšžæø" },
    Language { encodings: NORTH, letters: "áðéíóúýþæö" },
    Language { encodings: NORTH, letters: "áðíóúýæøéåö" },
    Language { encodings: &["windows-1257", "windows-1252", "iso-8859-13", "iso-8859-15", "iso-8859-4"], letters: "äöõüšžé" },
    Language { encodings: &["windows-1252", "windows-1250", "iso-8859-2"], letters: "çëäöü" },
    Language { encodings: &["windows-1250", "iso-8859-2", "cp852", "windows-1257", "iso-8859-13", "iso-8859-16"], letters: "ąćęłńóśźżéöü" },
    Language { encodings: CENTER, letters: "áčďéěíňóřšťúůýžöü" },
    Language { encodings: CENTER, letters: "áäčďéíĺľňóôŕšťúýžöü" },
    Language { encodings: CENTER, letters: "áéíóöőúüűä" },
    Language { encodings: CENTER, letters: "ăâîşţé" },
    Language { encodings: CENTER, letters: "čćđšžéöü" },
    Language { encodings: &["iso-8859-16"], letters: "ăâîșțé" },
    Language { encodings: &["windows-1254", "iso-8859-3"], letters: "çğıİöşüâîûé" },
    Language { encodings: &["iso-8859-3"], letters: "ċġħżàèìòùîé" },
    Language { encodings: &["iso-8859-3"], letters: "ĉĝĥĵŝŭé" },
    Language { encodings: &["iso-8859-14"], letters: "âêîôûŵŷáéëïöẁẃẅàè" },
    Language { encodings: &["iso-8859-14"], letters: "áéíóúḃċḋḟġṁṗṡṫ" },
    Language { encodings: &["iso-8859-10", "iso-8859-4"], letters: "áâčđŋšŧžåäöæø" },
    Language { encodings: BALTIC, letters: "ąčęėįšųūžé" },
    Language { encodings: BALTIC, letters: "āčēģīķļņōŗšūžé" },
    Language { encodings: CYRILLIC, letters: "абвгдежзийклмнопрстуфхцчшщъыьэюяё" },
    // Without the rare one that another letter is in x-mac-cyrillic.
    Language { encodings: CYRILLIC, letters: "абвгдежзийклмнопрстуфхцчшщьюяєії" },
    Language { encodings: CYRILLIC, letters: "абвгдежзійклмнопрстуфхцчшыьэюяёў" },
    Language { encodings: CYRILLIC, letters: "абвгдежзиклмнопрстуфхцчшђјљњћџѓѕќ" },
    Language { encodings: &["windows-1253", "iso-8859-7"], letters: "αβγδεζηθικλμνξοπρστυφχψωςάέήίόύώϊϋΐΰ" },
];

/// Names and words of Western Europe side by side.
pub(super) const MIXED_WEST: Language =
    Language { encodings: WEST, letters: "äöüßàáâãåæçèéêëìíîïñòóôõøùúûœ" };

/// The letters of code pages of DOS from the byte 80 on; a dot is a sign that text hardly has.
const DOS: [(&str, &str); 2] = [
    (
        "cp850",
        "ÇüéâäàåçêëèïîìÄÅÉæÆôöòûùÿÖÜø£Ø×ƒáíóúñÑªº¿®¬½¼¡«».....ÁÂÀ©....¢¥.......ãÃ.......¤ðÐÊËÈıÍÎÏ....¦Ì.ÓßÔÒõÕµþÞÚÛÙýÝ¯´\u{AD}±‗¾¶§÷¸°¨·¹³².\u{A0}",
    ),
    (
        "cp852",
        "ÇüéâäůćçłëŐőîŹÄĆÉĹĺôöĽľŚśÖÜŤťŁ×čáíóúĄąŽžĘę¬źČş«».....ÁÂĚŞ....Żż.......Ăă.......¤đĐĎËďŇÍÎě....ŢŮ.ÓßÔŃńňŠšŔÚŕŰýÝţ´\u{AD}˝˛ˇ˘§÷¸°¨˙űŘř.\u{A0}",
    ),
];

/// `bytes` in the encoding with this label of the table.
pub(super) fn decoded(label: &str, bytes: &[u8]) -> String {
    if let Some((_, high)) = DOS.iter().find(|(name, _)| *name == label) {
        let high: Vec<char> = high.chars().collect();
        let char_of = |byte: &u8| match byte.checked_sub(0x80) {
            // A box of a table is a sign of its own.
            Some(nth) => {
                high.get(usize::from(nth)).map_or('\u{FFFD}', |c| if *c == '.' { '\u{2500}' } else { *c })
            }
            None => char::from(*byte),
        };
        return bytes.iter().map(char_of).collect();
    }
    let whatwg = Whatwg::for_label(label.as_bytes()).unwrap_or(encoding_rs::UTF_8);
    whatwg.decode_without_bom_handling(bytes).0.into_owned()
}

/// Signs beyond ASCII that text of any language has beside its words.
const SIGNS: &str = "«»‹›“”„‘’‚–—…•·°©®™§€£¥№¿¡ªº²³¹±×÷µ¶‰´¼½¾\u{A0}\u{AD}";

/// Signs that also stand between the letters of a word.
const BETWEEN_LETTERS: &str = "’‘´·–—…\u{AD}\u{A0}®™°";

/// The letters beyond ASCII of a text, and the signs that no text has there.
#[derive(Default)]
pub(super) struct Letters {
    /// Small letters, and how often each occurs.
    counts: Vec<(char, u64)>,
    odd: u64,
}

impl Letters {
    pub(super) fn of(text: &str) -> Self {
        let mut all = Letters::default();
        let mut before = ' ';
        let mut chars = text.chars().peekable();
        while let Some(c) = chars.next() {
            let after = chars.peek().copied().unwrap_or(' ');
            if !c.is_ascii() {
                all.add(before, c, after);
            }
            before = c;
        }
        all
    }

    fn add(&mut self, before: char, c: char, after: char) {
        let is_box = ('\u{2500}'..'\u{25A0}').contains(&c);
        if SIGNS.contains(c) || is_box {
            let touches = if "¼½¾²³¹".contains(c) {
                after.is_alphabetic()
            } else {
                before.is_alphabetic() && after.is_alphabetic()
            };
            self.odd +=
                u64::from(touches && !BETWEEN_LETTERS.contains(c) || is_box && before.is_alphabetic());
        } else if !c.is_alphabetic()
            || c > '\u{24F}' && (before.is_ascii_alphabetic() || after.is_ascii_alphabetic())
            || before.is_lowercase() && c.is_uppercase() && after.is_lowercase()
        {
            self.odd += 1;
        } else {
            // The small letter of the Turkish capital is two characters.
            let small = if c == 'İ' { c } else { c.to_lowercase().next().unwrap_or(c) };
            match self.counts.iter_mut().find(|(letter, _)| *letter == small) {
                Some((_, count)) => *count += 1,
                None => self.counts.push((small, 1)),
            }
        }
    }

    /// How many of them are letters of the language.
    pub(super) fn evidence(&self, language: &Language) -> crate::guess::Evidence {
        let seen = self.counts.iter().map(|(_, count)| count).sum::<u64>() + self.odd;
        let fits = self.counts.iter().filter(|(letter, _)| language.letters.contains(*letter));
        crate::guess::Evidence { explained: fits.map(|(_, count)| count).sum(), seen }
    }
}

/// Frequent characters of running text and of names, for East Asian encodings whose characters are all valid in each other.
#[rustfmt::skip]
const FREQUENT: &[(&str, &str)] = &[
    ("GBK", "的一是不了在人有我他这个们中来上大为和国地到以说时要就出会可也你对生能而子那得于着下自之年过发后作里用道行所然家种事成方多经么去法学如都同现当没动面起看定天分还进好小部其些主样理心她本前开但因只从想实日军者意无力它与长把机十民第公此已工使情明性知全三又关点正业外将两高间由问很最重并物手应战向头文体政美相见被利什二等产或新己制身果加西斯月话合回特代内信表化老给世位次度门任常先海通教儿原东声提立及比员解水名真论处走义各入几口认条平系气题活尔更别打女变四神总何电数安少报才结反受目太量再感建务做接必场件计管期市直德资命山金指克许统区保至队形社便空决治展马科司五基眼书非则听白却界达光放强即像难且权思王象完设式色路记南品住告类求据程北边死张该交规万取拉格望觉术领共确传师观清今切院让识候带导争运笔陈李刘杨赵黄周吴徐孙胡朱林何郭罗郑梁谢宋唐韩冯邓曹彭曾萧田董袁潘蒋蔡余杜叶程苏魏吕丁沈任姚卢傅钟姜崔谭陆汪范石廖贾夏韦付方白邹孟熊秦邱江尹薛闫段雷侯龙史陶贺顾毛郝龚邵京省县伟芳娜敏静丽勇艳杰娟涛超秀霞刚桂英华玉兰红梅建军文件错误请输入密码登录用户系统保存删除"),
    ("EUC-JP", "日一国会人年大十二本中長出三同時政事自行社見月分議後前民生連五発間対上部東者党地合市業内相方四定今回新場金員九入選立開手米力学問高代明実円関決子動京全目表戦経通外最言氏現理調体化田当八六約主題下首意法不来作性的要用制治度務強気小七成期公野協取都和統以機平総加山思家話世受区領多県続進正安設保改数記院女初北午指権心界支第産結百派点教報済書府活原先共得解名交資予川向際査勝面委告軍文反元重近千考判認画海参売利組知案道信策集在件団別物側任引使求所次水半品昨論計死官増係感特情投示変打男基私各始島直両朝革価式確村提運終挙果西勢減台広容必応演電歳住争談能無再位置企真流格有疑口過局少放税検藤説店佐鈴木橋渡辺伊村林斎清松井崎阿森池石前岡谷青福太遠服坂斉浜久保吉郎幸美恵一介樹裕由智健和夫雄次株式会社様名古屋阪福岡札幌神奈横浜黒達也翔愛香優奈々"),
    ("EUC-KR", "이다는을가의에고한하지도로은를기사인리대어서자나해정시있아전일수과부보그것들스만게장상제주여구조비공지원성국라동면안으미생오선중교소경관용신회우방치연금개여된학위남서울김박최강윤임한세재민니습까요있없않할때같더문분명계들마모두물결양터와적호화현었했음내무실바발저너당말려식체영행파단데복품및간통회차점트드프오류파일저장"),
    ("Big5", "的一是不了在人有我他這個們中來上大為和國地到以說時要就出會可也你對生能而子那得於著下自之年過發後作裡用道行所然家種事成方多經麼去法學如都同現當沒動面起看定天分還進好小部其些主樣理心她本前開但因只從想實日軍者意無力它與長把機十民第公此已工使情明性知全三又關點正業外將兩高間由問很最重並物手應戰向頭文體政美相見被利什二等產或新己制身果加西斯月話合回特代內信表化老給世位次度門任常先海通教兒原東聲提立及比員解水名真論處走義各入幾口認條平系氣題活爾更別打女變四神總何電數安少報才結反受目太量再感建務做接必場件計管期市直德資命山金指克許統區保至陳林黃張李王吳劉蔡楊許鄭謝郭洪曾邱廖賴周徐蘇葉莊呂江何蕭羅高簡朱鍾彭詹胡沈余趙盧梁顏柯孫魏翁戴范方宋鄧杜傅侯曹薛丁馬蔣唐卓藍馮姚石董紀台灣北縣檔案錯誤請輸入使用者"),
    ("Shift_JIS", ""),
];

/// Hiragana that hardly any text has: where Korean letters are read as Japanese, these are many.
const RARE_KANA: &str = "ぁぃぅぇぉぢづぬぱぴぷぺぽぞゎゐゑ";

/// The share, in thousandths, of the East Asian characters of `text` that are frequent in the language of `encoding`.
pub(super) fn frequent_share(encoding: &'static Whatwg, text: &str) -> u64 {
    let is_japanese = matches!(encoding.name(), "EUC-JP" | "Shift_JIS");
    let label = if is_japanese { "EUC-JP" } else { encoding.name() };
    let frequent = FREQUENT.iter().find(|(name, _)| *name == label).map_or("", |(_, chars)| chars);
    let is_kana = |c: char| ('\u{3041}'..'\u{30FF}').contains(&c);
    let (mut fits, mut all) = (0, 0u64);
    for c in text.chars().filter(|c| *c >= '\u{3041}' && c.is_alphabetic()) {
        all += 1;
        let is_frequent =
            if is_kana(c) { is_japanese && !RARE_KANA.contains(c) } else { frequent.contains(c) };
        fits += u64::from(is_frequent);
    }
    fits * 1000 / all.max(1)
}

/// Whether `bytes` are a text in EBCDIC: its blank is the byte 40, and its letters and digits lie where no other encoding has
/// words between `@`.
pub(super) fn is_ebcdic(bytes: &[u8]) -> bool {
    let is_word = |byte: u8| matches!(byte, 0x81..=0x89 | 0x91..=0x99 | 0xA2..=0xA9 | 0xC1..=0xC9 | 0xD1..=0xD9 | 0xE2..=0xE9 | 0xF0..=0xF9);
    let words = bytes.iter().filter(|byte| is_word(**byte)).count();
    let blanks = bytes.iter().filter(|byte| **byte == 0x40).count();
    let signs = bytes
        .iter()
        .filter(|byte| {
            b"\x4B\x4D\x5D\x60\x61\x6B\x6D\x7A\x7D\x7E\x7F\x25\x15\x0D\x05\x50\x5C\x6C\x4E".contains(byte)
        })
        .count();
    let per_thousand = |count: usize| count * 1000 / bytes.len().max(1);
    per_thousand(blanks) >= 40 && per_thousand(words) >= 500 && per_thousand(words + blanks + signs) >= 970
}

#[cfg(test)]
mod tests {
    use super::*;

    fn judged(label: &str, text: &str) -> Verdict<&'static str> {
        let (bytes, whatwg, is_lossy) = Whatwg::for_label(label.as_bytes()).unwrap().encode(text);
        assert!(!is_lossy, "{} cannot write {text}", whatwg.name());
        judge(&bytes)
    }

    #[test]
    fn texts_are_read_in_their_own_encoding() {
        for (label, text) in [
            (
                "euc-kr",
                "파이썬은 배우기 쉽고 강력한 프로그래밍 언어입니다.\n효율적인 자료 구조들과 객체 지향이 있습니다.\n",
            ),
            // chardetng alone takes the single letters for Hiragana, and the text for Japanese.
            (
                "euc-kr",
                "파일을 찾을 수 없습니다. ㅠㅠ ㅋㅋㅋㅋ 다시 하세요. 한국어 텍스트의 둘째 줄입니다. 서버가 다시 시작되었습니다.\n",
            ),
            ("euc-jp", "プログラムの例を示します。日本語の文章はかなと漢字で書かれます。\n"),
            ("shift_jis", "プログラムの例を示します。日本語の文章はかなと漢字で書かれます。\n"),
            ("gbk", "这是一个用来测试编码的中文文本，里面有许多常用的汉字。\n"),
            ("big5", "這是一個用來測試編碼的中文文字，裡面有許多常用的漢字。\n"),
            ("windows-1251", "Ошибка: файл не найден. Повторите попытку ещё раз, пожалуйста.\n"),
            (
                "x-mac-cyrillic",
                "Ошибка: файл не найден. Повторная попытка Ивана завершена. Яндекс для меня.\n",
            ),
            ("windows-1253", "Σφάλμα: το αρχείο δεν βρέθηκε. Προσπαθήστε ξανά.\n"),
            (
                "windows-1252",
                "Zwölf Boxkämpfer jagen Viktor quer über den größten Sylter Deich hören schön\n",
            ),
        ] {
            assert_eq!(judged(label, text), Verdict::Evident(label));
        }
    }

    #[test]
    fn text_that_fits_several_encodings_or_none_is_not_evident() {
        // Two Korean characters could also be Chinese.
        assert_eq!(judged("euc-kr", "한글\n").evident(), None);
        assert_eq!(judge(b"x\x80y\x81z\x82w \xA4\xF7q \xD7x\x90y\n").evident(), None);
    }
}
