//! Languages and the encodings that write them: whether the letters of decoded text are those of one language.

use encoding_rs::Encoding as Whatwg;

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
const JOINERS: &str = "’‘´·–—…\u{AD}\u{A0}®™°";

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
            self.odd += u64::from(touches && !JOINERS.contains(c) || is_box && before.is_alphabetic());
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
