//! Chooses the encoding of a file from `--encoding` and the first bytes.

use std::str::FromStr;

use encoding_rs::{Encoding as Whatwg, REPLACEMENT, UTF_8, UTF_16BE, UTF_16LE};

use super::decode::Encoding;
use super::guess::{NAMES, judge};
use crate::error::{Error, Result};
use crate::guess::whole_lines;
use crate::sentence::setting;
use crate::sniff::{Content, SAMPLE, Sniffed, beyond_ascii};

/// The encoding that a user chose.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Choice {
    /// The certain encodings: a byte order mark, UTF-8, or UTF-16 and UTF-32 without a mark; and another one that is
    /// evident.
    #[default]
    Auto,
    /// As `Auto`, without a guess.
    Certain,
    /// The bytes of the file as UTF-8, marks too.
    Bytes,
    /// This encoding.
    Label {
        /// The encoding that the label names.
        encoding: Encoding,
        /// Whether a byte order mark decides the byte order.
        by_mark: bool,
    },
}

crate::words! { name,
    /// The evidence that decided the encoding.
    pub enum Origin {
        /// A byte order mark.
        Bom = "bom",
        /// The first bytes: they are valid in this encoding and in no other likely one.
        Content = "content",
        /// Statistics of samples: the encoding is evident.
        Evident = "guess",
        /// The server or the store that sent the file.
        Server = "server",
        /// The user.
        Option = "option",
    }
}

/// The encoding of a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Decided {
    /// The encoding in which the file is decoded.
    pub encoding: Encoding,
    /// The evidence that decided it.
    pub origin: Origin,
    /// Whether the file begins with the byte order mark of this encoding.
    pub bom: bool,
    /// Whether the encoding is unknown; rread then decodes as UTF-8.
    pub unknown: bool,
    /// Whether the user named an encoding of wider units, though the first bytes are lines of UTF-8.
    pub doubtful: bool,
}

impl Decided {
    /// A known encoding, without a byte order mark.
    pub fn new(encoding: Encoding, origin: Origin) -> Self {
        Decided { encoding, origin, bom: false, unknown: false, doubtful: false }
    }

    /// The label for receipts: that of the encoding, or `unknown-8bit`.
    pub fn name(&self) -> String {
        if self.unknown { "unknown-8bit".to_owned() } else { self.encoding.name() }
    }
}

/// The file begins with the byte order mark of another encoding than the requested one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Refusal {
    /// The encoding that the user named.
    pub requested: Encoding,
    /// The encoding of the file.
    pub found: Encoding,
}

impl FromStr for Choice {
    type Err = Error;

    /// Accepts `auto`, `none`, a label of the WHATWG Encoding Standard, `utf-32`, `utf-32le`, `utf-32be`, or a name that Python and
    /// iconv have for one of these.
    fn from_str(text: &str) -> Result<Self> {
        let mut label = text.trim_ascii().to_ascii_lowercase();
        let is_label = |label: &String| Whatwg::for_label(label.as_bytes()).is_some();
        if !is_label(&label) {
            let similar = [label.replace('_', "-"), label.replace('-', "_"), label.replace(['-', '_'], "")];
            let similar = similar.into_iter().find(is_label);
            label = similar.or_else(|| Some(other_name(&label)?.to_owned())).unwrap_or(label);
        }
        let utf32 = |big_endian, by_mark| Choice::Label { encoding: Encoding::Utf32 { big_endian }, by_mark };
        match label.as_str() {
            "auto" => return Ok(Choice::Auto),
            "none" => return Ok(Choice::Bytes),
            "utf-32" | "utf32" => return Ok(utf32(false, true)),
            "utf-32le" => return Ok(utf32(false, false)),
            "utf-32be" => return Ok(utf32(true, false)),
            _ => {}
        }
        let Some(whatwg) = Whatwg::for_label(label.as_bytes()) else {
            return Err(unknown(text, &label));
        };
        if whatwg == REPLACEMENT {
            let why = "the WHATWG standard forbids it as unsafe";
            return Err(Error::usage(format!("'{text}' is an encoding that rread does not decode: {why}")));
        }
        // `utf-16` leaves the byte order to the mark; `utf-16le` does not.
        let by_mark = whatwg == UTF_16LE && label != "utf-16le";
        Ok(Choice::Label { encoding: from_whatwg(whatwg), by_mark })
    }
}

fn from_whatwg(whatwg: &'static Whatwg) -> Encoding {
    match whatwg {
        _ if whatwg == UTF_8 => Encoding::Utf8,
        _ if whatwg == UTF_16LE => Encoding::Utf16 { big_endian: false },
        _ if whatwg == UTF_16BE => Encoding::Utf16 { big_endian: true },
        _ => Encoding::Legacy(whatwg),
    }
}

/// The error without a hint, if another program may convert from the encoding.
fn unknown(text: &str, label: &str) -> Error {
    let is_name = |name: &str| label == name || name.len() > 2 && label.starts_with(name);
    let of_others = OTHER_NAMES.split_whitespace().any(is_name);
    let near = near_miss(label).filter(|_| !of_others);
    if near.is_none() && (of_others || may_be_of_others(label)) {
        return Error::usage(format!("'{text}' is not the label of an encoding that rread decodes"));
    }
    Error::usage(format!("'{text}' is not the label of an encoding"))
        .hint(setting("encoding").then(format!(" {}", near.unwrap_or("auto"))))
}

/// Numbers of code pages (as Microsoft and IBM count them) and the labels that mean the same.
const CODE_PAGES: &str = "874:windows-874 932:shift_jis 936:gbk 943:shift_jis 949:euc-kr 950:big5 1200:utf-16le \
    1201:utf-16be 10000:macintosh 10007:x-mac-cyrillic 12000:utf-32le 12001:utf-32be 20866:koi8-r \
    20932:euc-jp 21866:koi8-u 51932:euc-jp 54936:gb18030 65001:utf-8";

/// Names of Python, iconv and PHP, without their signs, and the labels that mean the same.
const ALIASES: &str = "u8:utf-8 utf:utf-8 utf8sig:utf-8 u16:utf-16 u32:utf-32 latin:latin1 8859:latin1 646:us-ascii \
    macroman:macintosh mac:macintosh maccyrillic:x-mac-cyrillic macukrainian:x-mac-cyrillic \
    macuk:x-mac-cyrillic utf16:utf-16 ucs2le:utf-16 ucs2:utf-16 ucs4:utf-32 ucs4le:utf-32le \
    ucs4be:utf-32be unicodelittle:utf-16le unicodebig:utf-16be eucjpms:euc-jp eucjpwin:euc-jp \
    eucjpopen:euc-jp sjiswin:shift_jis sjisopen:shift_jis mskanji:shift_jis ucs2be:utf-16be";

fn pairs(table: &'static str) -> impl Iterator<Item = (&'static str, &'static str)> {
    table.split(' ').filter_map(|pair| pair.split_once(':'))
}

/// The label of a code page, or of a name of Python or iconv that differs in its signs: `cp932`, `macroman`, `utf_16_le`.
fn other_name(label: &str) -> Option<&'static str> {
    let plain = |name: &str| name.replace(['-', '_', '.', ' '], "");
    let wanted = plain(label);
    let page = ["cp", "ibm", "mscp", "ms", "windows", "win", ""]
        .iter()
        .find_map(|prefix| wanted.strip_prefix(prefix));
    let of_page = page.and_then(|number| pairs(CODE_PAGES).find(|(page, _)| *page == number));
    if let Some((_, label)) = pairs(ALIASES).find(|(name, _)| *name == wanted) {
        return Some(label);
    }
    // A number alone, and a year after the name.
    let wanted = page.filter(|page| page.len() > 2).map_or(wanted.clone(), str::to_owned);
    let is_number = wanted.len() > 2 && wanted.bytes().all(|byte| byte.is_ascii_digit());
    let bare = |name: &str| match is_number {
        true => plain(name).trim_start_matches(|c: char| c.is_ascii_alphabetic()).to_owned(),
        false => plain(name),
    };
    let wanted =
        ["2000", "2005", "2022"].iter().find_map(|year| wanted.strip_suffix(year)).unwrap_or(&wanted);
    let same = || NAMES.split_whitespace().find(|name| bare(name) == wanted);
    of_page.map(|(_, label)| label).or_else(same)
}

/// Names without a number that iconv knows and the WHATWG standard does not: those of two letters, and beginnings of others.
const OTHER_NAMES: &str = "baltic big brf ca cn cn- cp- csascii csdec csebcdic cseuc csisol csnats cuba cwi de dec dk ebcdic \
    ecma es euc fi fr georgian greek- greekc hu hz inis iso-celtic it johab jp jp-ocr js koi latin-greek latingreek mac mik ms-ansi \
    ms-arab ms-cyrl ms-ee ms-greek ms-hebr ms-turk naplps nats no pt ruscii se sjis tcvn tscii uhc ujis uk us utf-7 utf7 viscii wchar \
    winbaltrim yu";

/// Names with a number that iconv does not know.
const UNKNOWN: &str = "cesu-8 bocu-1 u7 cp154 cp1051 cp1131 ibm1131 windows-1131 cp10029 cp943c cp866u cp1386 \
    hp-roman8 base64 base-64 bz2 rot13 rot-13 latin-0";

/// Whether `label` has a number, and only signs that names of iconv have.
fn may_be_of_others(label: &str) -> bool {
    let is_plain = label.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"-_.:()/+".contains(&byte));
    let is_unknown = UNKNOWN.split_whitespace().any(|name| label.replace('_', "-") == name);
    is_plain && label.contains(|c: char| c.is_ascii_digit()) && !label.starts_with("utf") && !is_unknown
}

/// The most similar label with the same numbers: `koi8-x` may be `koi8-r`, but `ibm861` is not `ibm866`.
fn near_miss(label: &str) -> Option<&'static str> {
    let digits = |text: &str| {
        let mut digits: Vec<char> = text.chars().filter(char::is_ascii_digit).collect();
        digits.sort_unstable();
        digits
    };
    let allowed = (label.chars().count() / 3).clamp(1, 3);
    let names = NAMES.split_whitespace().filter(|name| digits(name) == digits(label));
    let distances = names.map(|name| (strsim::osa_distance(name, label), name));
    distances.filter(|(distance, _)| *distance <= allowed).min_by_key(|(d, _)| *d).map(|(_, name)| name)
}

impl Choice {
    /// Decides the encoding of a file that begins with `head`, which [`sniff`](crate::sniff::sniff) has classified. `evidence` is
    /// what else is known of it.
    ///
    /// # Errors
    ///
    /// See [`Refusal`].
    pub fn decide(
        self,
        head: &[u8],
        sniffed: Sniffed,
        evidence: &Evidence<'_>,
    ) -> std::result::Result<Decided, Refusal> {
        let found = decide(head, sniffed);
        if self == Choice::Auto && matches!(sniffed.content, Content::Utf8 | Content::Legacy) && !found.bom {
            // Bytes beyond ASCII contradict the label of a sender: valid UTF-8 another one, and others UTF-8.
            let is_legacy = sniffed.content == Content::Legacy;
            let fits = |label: &Encoding| {
                if is_legacy { *label != Encoding::Utf8 } else { beyond_ascii(head).0 == 0 }
            };
            if let Some(encoding) = evidence.label.filter(fits) {
                return Ok(Decided::new(encoding.guessed(), Origin::Server));
            }
            return Ok(guessed(head, sniffed, evidence).unwrap_or(found));
        }
        let (mut encoding, by_mark) = match self {
            Choice::Auto | Choice::Certain => return Ok(found),
            Choice::Bytes => return Ok(Decided::new(Encoding::Utf8, Origin::Option)),
            Choice::Label { encoding, by_mark } => (encoding, by_mark),
        };
        let marked = found.origin == Origin::Bom && found.bom;
        if by_mark && marked && found.encoding.units().width == encoding.units().width {
            encoding = found.encoding;
        }
        let bom = !encoding.mark().is_empty() && head.starts_with(encoding.mark());
        // The mark of UTF-32 begins with that of UTF-16.
        if marked && !bom {
            return Err(Refusal { requested: encoding, found: found.encoding });
        }
        let is_narrow = matches!(sniffed.content, Content::Utf8 | Content::Escaped(_));
        let doubtful = is_narrow && encoding.units().width > 1 && memchr::memchr(b'\n', head).is_some();
        Ok(Decided { bom, doubtful, ..Decided::new(encoding, Origin::Option) })
    }
}

/// Facts about a file besides its first bytes.
#[derive(Clone, Copy, Debug, Default)]
pub struct Evidence<'a> {
    /// Whole lines of its middle and its end.
    pub later: &'a [u8],
    /// The encoding that a server or a store states.
    pub label: Option<Encoding>,
}

impl Evidence<'_> {
    /// The encoding that the type of a response names in its `charset`.
    pub fn label_of(content_type: &str) -> Option<Encoding> {
        let parameters = content_type.split(';').skip(1).filter_map(|parameter| parameter.split_once('='));
        let mut labels = parameters.filter(|(name, _)| name.trim().eq_ignore_ascii_case("charset"));
        let (_, label) = labels.next()?;
        match label.trim().trim_matches(['"', '\'']).parse() {
            Ok(Choice::Label { encoding, by_mark: false }) => Some(encoding),
            _ => None,
        }
    }
}

/// The encoding of the lines of the samples that are not UTF-8: the evident one, or none that is known. `None` if all are UTF-8,
/// or so many that the others are damage.
fn guessed(head: &[u8], sniffed: Sniffed, evidence: &Evidence<'_>) -> Option<Decided> {
    let samples = samples(head, evidence.later);
    if sniffed.content == Content::Utf8 && simdutf8::basic::from_utf8(&samples).is_ok() {
        return None;
    }
    evident(&samples).or_else(|| {
        // A line that the end of the head cuts counts here: it may have all the letters.
        let (first, later) = (beyond_ascii(head), beyond_ascii(evidence.later));
        let unknown = Decided { unknown: true, ..Decided::new(Encoding::Utf8, Origin::Content) };
        (first.1 + later.1 > first.0 + later.0).then_some(unknown)
    })
}

/// The samples of a file as one text. The end of the first is not cut inside a character, if it has a line.
pub fn samples(head: &[u8], later: &[u8]) -> Vec<u8> {
    let is_cut = head.len() >= SAMPLE;
    let lines = whole_lines(head, 0, !is_cut);
    let head = if lines.is_empty() { head } else { lines };
    if later.is_empty() { head.to_vec() } else { [head, b"\n", later].concat() }
}

/// The lines of `text` that are not UTF-8: a guess is one of these alone.
pub fn lines_beyond_utf8(text: &[u8]) -> Vec<u8> {
    let lines = text.split_inclusive(|byte| *byte == b'\n');
    lines.filter(|line| simdutf8::basic::from_utf8(line).is_err()).flatten().copied().collect()
}

/// The encoding of the lines of `text` that are not UTF-8, if it is evident. One of several bytes is that of all lines, so lines
/// that are UTF-8 refute it.
pub fn evident(text: &[u8]) -> Option<Decided> {
    let beyond = lines_beyond_utf8(text);
    let label = judge(&beyond).evident()?;
    let encoding = Encoding::Legacy(Whatwg::for_label(label.as_bytes())?).guessed();
    let bytes = |text: &[u8]| text.iter().filter(|byte| !byte.is_ascii()).count();
    let is_refuted = || (bytes(text) - bytes(&beyond)) * 10 > beyond.len();
    let is_evident = !matches!(encoding, Encoding::Legacy(_)) || !is_refuted();
    is_evident.then_some(Decided::new(encoding, Origin::Evident))
}

/// The certain encoding, else UTF-8 as unknown.
fn decide(head: &[u8], sniffed: Sniffed) -> Decided {
    let encoding = match sniffed.content {
        Content::Utf8 | Content::Legacy | Content::Escaped(_) | Content::Binary => Encoding::Utf8,
        Content::Wide("utf-16le") => Encoding::Utf16 { big_endian: false },
        Content::Wide("utf-16be") => Encoding::Utf16 { big_endian: true },
        Content::Wide("utf-32le") => Encoding::Utf32 { big_endian: false },
        Content::Wide(_) => Encoding::Utf32 { big_endian: true },
    };
    let bom = sniffed.bom && head.starts_with(encoding.mark());
    let origin = if bom { Origin::Bom } else { Origin::Content };
    let unknown = !matches!(sniffed.content, Content::Utf8 | Content::Wide(_));
    Decided { bom, unknown, ..Decided::new(encoding, origin) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sniff::sniff;

    fn decide(label: &str, head: &[u8]) -> std::result::Result<Decided, Refusal> {
        label.parse::<Choice>().unwrap().decide(head, sniff(head, true), &Evidence::default())
    }

    #[test]
    fn an_unknown_label_is_refused_with_a_near_one() {
        let hint = |label: &str| label.parse::<Choice>().unwrap_err().hint.unwrap().plain();
        assert_eq!(hint("utf-61le"), "encoding utf-16le");
        assert_eq!(hint("window-1252"), "encoding windows-1252");
        assert_eq!(hint("nonsense"), "encoding auto");
        assert!("hz-gb-2312".parse::<Choice>().unwrap_err().to_string().contains("does not decode"));
        for (typed, label) in [
            ("cp932", "shift_jis"),
            ("CP65001", "utf-8"),
            ("utf-8-sig", "utf-8"),
            ("MacRoman", "macintosh"),
            ("utf16le", "utf-16le"),
            ("utf_16_be", "utf-16be"),
            ("latin-1", "latin1"),
            ("iso8859-15", "iso-8859-15"),
            ("euc_jp", "euc-jp"),
            ("cp1251", "windows-1251"),
            ("US_ASCII", "us-ascii"),
            ("iso_8859_16", "iso-8859-16"),
            ("ucs-4", "utf-32"),
            ("koi8r", "koi8-r"),
        ] {
            assert_eq!(typed.parse::<Choice>().unwrap(), label.parse().unwrap(), "{typed}");
        }
        for label in [
            "cp850",
            "cp437",
            "ibm861",
            "IBM1047",
            "hz",
            "viscii",
            "koi8-t",
            "mac-sami",
            "utf-7",
            "ebcdic-us",
        ] {
            let error = label.parse::<Choice>().unwrap_err();
            assert!(error.hint.is_none() && error.to_string().contains("decodes"), "{label}: {error}");
        }
        for name in NAMES.split_whitespace() {
            assert!(name.parse::<Choice>().is_ok(), "{name}");
        }
    }

    #[test]
    fn marks_decide_and_contradictions_are_refused() {
        let found = decide("auto", b"\xFF\xFEh\0i\0\n\0").unwrap();
        assert_eq!((found.name().as_str(), found.origin, found.bom), ("utf-16le", Origin::Bom, true));
        let found = decide("utf-16", b"\xFE\xFF\0h\0i").unwrap();
        assert_eq!((found.name().as_str(), found.origin), ("utf-16be", Origin::Option));
        assert_eq!(decide("utf-16", b"h\0i\0").unwrap().name(), "utf-16le");
        let is_refused = |label, head| decide(label, head).is_err();
        assert!(is_refused("utf-16le", b"\xFE\xFF\0h\0i"));
        assert!(is_refused("latin1", b"\xEF\xBB\xBFabc"));
        for (label, head, doubtful) in [
            ("utf-16le", &b"plain text\n"[..], true),
            ("utf-32be", b"plain text\n", true),
            ("utf-16le", b"no line end", false),
            ("utf-16le", b"h\0i\0\n\0", false),
            ("utf-8", b"plain text\n", false),
            ("utf-8", b"caf\xE9 au lait\n", false),
        ] {
            let found = decide(label, head).unwrap();
            assert_eq!(
                (found.name().as_str(), found.origin, found.doubtful),
                (label, Origin::Option, doubtful)
            );
        }
    }

    #[test]
    fn an_encoding_that_is_not_evident_is_unknown() {
        let text = b"Zw\xF6lf Boxk\xE4mpfer jagen Viktor quer \xFCber den gro\xDFen Sylter Deich\n";
        let auto = decide("auto", text).unwrap();
        assert_eq!((auto.name().as_str(), auto.origin), ("unknown-8bit", Origin::Content));
    }

    #[test]
    fn bytes_contradict_the_label_of_a_server() {
        let decide = |label: &str, head: &[u8]| {
            let label = Evidence::label_of(&format!("text/plain; charset={label}"));
            Choice::Auto.decide(head, sniff(head, true), &Evidence { label, ..Evidence::default() }).unwrap()
        };
        let latin = Whatwg::for_label(b"latin1").unwrap();
        // Later lines may be UTF-8.
        assert_eq!(decide("iso-8859-1", b"plain\n"), Decided::new(Encoding::Mixed(latin), Origin::Server));
        assert_eq!(decide("iso-8859-1", "Köln\n".as_bytes()).encoding, Encoding::Utf8);
        let german = "Grüße Müller täglich für Übung schön größer Straße Bücher hören\n";
        let (bytes, ..) = latin.encode(german);
        assert_eq!(decide("utf-8", &bytes).encoding, Encoding::Mixed(latin));
        assert_eq!(decide("utf-8", &bytes).origin, Origin::Evident);
    }

    #[test]
    fn names_are_labels_of_themselves() {
        let wide =
            [true, false].map(|big_endian| [Encoding::Utf16 { big_endian }, Encoding::Utf32 { big_endian }]);
        let legacy = ["windows-1252", "shift_jis", "gb18030", "koi8-r", "iso-2022-jp", "x-user-defined"];
        let legacy = legacy.map(|label| Encoding::Legacy(Whatwg::for_label(label.as_bytes()).unwrap()));
        for encoding in wide.into_iter().flatten().chain(legacy).chain([Encoding::Utf8]) {
            let choice: Choice = encoding.name().parse().unwrap();
            assert!(matches!(choice, Choice::Label { encoding: same, .. } if same == encoding), "{choice:?}");
        }
    }
}
