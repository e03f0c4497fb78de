//! Guesses the encoding of text from statistics, and decides whether the guess is safe.

use std::collections::HashSet;

use chardetng::{EncodingDetector, Iso2022JpDetection, Utf8Detection};
use encoding_rs::{
    BIG5, EUC_JP, EUC_KR, Encoding as Whatwg, GBK, SHIFT_JIS, WINDOWS_874, WINDOWS_1251, WINDOWS_1252,
    X_MAC_CYRILLIC,
};

use super::languages::{LANGUAGES, Letters, MIXED_WEST, NAMES, decoded, frequent_share, is_ebcdic};
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
