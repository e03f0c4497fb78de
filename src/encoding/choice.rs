//! Which encoding a file is in: what was asked for, what its first bytes say, and what cannot both be true.

use std::str::FromStr;

use encoding_rs::{Encoding as Whatwg, ISO_2022_JP, REPLACEMENT, UTF_8, UTF_16BE, UTF_16LE};

use super::{Encoding, Guess, guess};
use crate::error::{Error, Result};
use crate::sniff::{Content, Sniffed};

/// What is asked for.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Choice {
    /// What the first bytes say for sure: a byte order mark, UTF-8, or UTF-16 and UTF-32 without one.
    #[default]
    Auto,
    /// The same, and where they say nothing for sure, what is most likely.
    Guess,
    /// This one.
    Label {
        /// The encoding named.
        encoding: Encoding,
        /// Whether a byte order mark decides which byte comes first.
        by_mark: bool,
    },
}

/// How an encoding was found.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Origin {
    /// By the byte order mark.
    Bom,
    /// By what the first bytes are like.
    Content,
    /// By likelihood.
    Guess,
    /// It was named.
    Option,
}

impl Origin {
    /// The word for it in receipts.
    pub fn name(self) -> &'static str {
        match self {
            Origin::Bom => "bom",
            Origin::Content => "content",
            Origin::Guess => "guess",
            Origin::Option => "option",
        }
    }
}

/// The encoding that a file is read in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Decided {
    /// The encoding.
    pub encoding: Encoding,
    /// How it was found.
    pub origin: Origin,
    /// Whether the file starts with its byte order mark.
    pub bom: bool,
    /// Whether the file is in some encoding that is not known, and read as UTF-8 for want of a better.
    pub unknown: bool,
}

impl Decided {
    /// The name of the encoding; `unknown-8bit` where it is not known.
    pub fn name(&self) -> String {
        if self.unknown { "unknown-8bit".to_owned() } else { self.encoding.name() }
    }
}

/// Why a file is not read as was asked.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Refusal {
    /// The file is plainly in another encoding.
    Contradiction {
        /// What was asked for.
        asked: Encoding,
        /// What the file is in.
        found: Encoding,
        /// Whether a byte order mark says so; otherwise it is text, with line ends, as it is.
        by_mark: bool,
    },
    /// No encoding is likely enough to be read without being named.
    Unsure(Guess),
    /// The file is in an encoding of which there is no decoder, with this label.
    Foreign(&'static str),
}

/// Names to offer for a label that is none: every encoding, and other names that are in use.
const NAMES: &str = "auto guess utf-8 utf-16 utf-16le utf-16be utf-32 utf-32le utf-32be latin1 ascii sjis cp1252 \
    big5 euc-jp euc-kr gb18030 gb2312 gbk ibm866 iso-2022-jp iso-8859-1 iso-8859-2 iso-8859-3 iso-8859-4 iso-8859-5 \
    iso-8859-6 iso-8859-7 iso-8859-8 iso-8859-8-i iso-8859-10 iso-8859-13 iso-8859-14 iso-8859-15 iso-8859-16 koi8-r \
    koi8-u macintosh shift_jis windows-1250 windows-1251 windows-1252 windows-1253 windows-1254 windows-1255 \
    windows-1256 windows-1257 windows-1258 windows-874 x-mac-cyrillic x-user-defined";

impl FromStr for Choice {
    type Err = Error;

    /// Reads `auto`, `guess`, a label of the WHATWG Encoding Standard, or `utf-32`, `utf-32le`, `utf-32be`.
    fn from_str(text: &str) -> Result<Self> {
        let label = text.trim_ascii().to_ascii_lowercase();
        let utf32 = |big_endian, by_mark| Choice::Label { encoding: Encoding::Utf32 { big_endian }, by_mark };
        match label.as_str() {
            "auto" => return Ok(Choice::Auto),
            "guess" => return Ok(Choice::Guess),
            "utf-32" | "utf32" => return Ok(utf32(false, true)),
            "utf-32le" => return Ok(utf32(false, false)),
            "utf-32be" => return Ok(utf32(true, false)),
            _ => {}
        }
        let Some(whatwg) = Whatwg::for_label(label.as_bytes()) else {
            let near = near_miss(&label).unwrap_or("auto");
            return Err(Error::usage(format!("'{text}' is not the label of an encoding"))
                .hint(format!("--encoding {near}")));
        };
        if whatwg == REPLACEMENT {
            let why = "browsers refuse it as unsafe, and no decoder exists";
            return Err(Error::usage(format!("'{text}' is an encoding that cannot be read: {why}"))
                .hint(format!("iconv -f {} -t UTF-8 < FILE | rread lines -", label.to_ascii_uppercase())));
        }
        // Who says no more than UTF-16 leaves the order of bytes to the mark.
        let by_mark = whatwg == UTF_16LE && label != "utf-16le";
        Ok(Choice::Label { encoding: of(whatwg), by_mark })
    }
}

fn of(whatwg: &'static Whatwg) -> Encoding {
    match whatwg {
        _ if whatwg == UTF_8 => Encoding::Utf8,
        _ if whatwg == UTF_16LE => Encoding::Utf16 { big_endian: false },
        _ if whatwg == UTF_16BE => Encoding::Utf16 { big_endian: true },
        _ => Encoding::Legacy(whatwg),
    }
}

/// The name that differs least from `label`, if it differs little.
fn near_miss(label: &str) -> Option<&'static str> {
    let allowed = (label.chars().count() / 3).clamp(1, 3);
    let distances = NAMES.split_whitespace().map(|name| (strsim::osa_distance(name, label), name));
    distances.filter(|(distance, _)| *distance <= allowed).min_by_key(|(d, _)| *d).map(|(_, name)| name)
}

impl Choice {
    /// Decides for a file with these first bytes.
    pub fn decide(self, head: &[u8], sniffed: Sniffed) -> std::result::Result<Decided, Refusal> {
        if self == Choice::Guess {
            return guessed(head, sniffed);
        }
        let found = found(head, sniffed);
        let Choice::Label { mut encoding, by_mark } = self else { return Ok(found) };
        let marked = found.origin == Origin::Bom && found.bom;
        if by_mark && marked && found.encoding.units().width() == encoding.units().width() {
            encoding = found.encoding;
        }
        let bom = !encoding.mark().is_empty() && head.starts_with(encoding.mark());
        // The mark of UTF-32 begins with that of UTF-16.
        if marked && !bom {
            return Err(Refusal::Contradiction { asked: encoding, found: found.encoding, by_mark: true });
        }
        let is_narrow = matches!(sniffed.content, Content::Utf8 | Content::Escaped(_));
        let plain = is_narrow && memchr::memchr(b'\n', head).is_some();
        if plain && encoding.units().width() > 1 {
            return Err(Refusal::Contradiction { asked: encoding, found: Encoding::Utf8, by_mark: false });
        }
        Ok(Decided { encoding, origin: Origin::Option, bom, unknown: false })
    }
}

/// What the first bytes say for sure.
fn found(head: &[u8], sniffed: Sniffed) -> Decided {
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
    Decided { encoding, origin, bom, unknown }
}

/// The same, and where that is nothing, what is likely enough.
fn guessed(head: &[u8], sniffed: Sniffed) -> std::result::Result<Decided, Refusal> {
    let encoding = match sniffed.content {
        Content::Legacy => {
            let guess = guess(head);
            if !guess.is_sure {
                return Err(Refusal::Unsure(guess));
            }
            guess.likeliest
        }
        Content::Escaped("iso-2022-jp") => Encoding::Legacy(ISO_2022_JP),
        Content::Escaped(label) => return Err(Refusal::Foreign(label)),
        _ => return Ok(found(head, sniffed)),
    };
    Ok(Decided { encoding, origin: Origin::Guess, bom: false, unknown: false })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sniff::sniff;

    fn decide(label: &str, head: &[u8]) -> std::result::Result<Decided, Refusal> {
        label.parse::<Choice>().unwrap().decide(head, sniff(head, true))
    }

    #[test]
    fn labels_that_are_none_are_refused_with_one_that_is() {
        let hint = |label: &str| label.parse::<Choice>().unwrap_err().hint.unwrap();
        assert_eq!(hint("utf-61le"), "--encoding utf-16le");
        assert_eq!(hint("window-1252"), "--encoding windows-1252");
        assert_eq!(hint("nonsense"), "--encoding auto");
        assert!("hz-gb-2312".parse::<Choice>().unwrap_err().message.contains("cannot be read"));
        for name in NAMES.split_whitespace() {
            assert!(name.parse::<Choice>().is_ok(), "{name}");
        }
    }

    #[test]
    fn marks_decide_and_contradictions_are_told() {
        let found = decide("auto", b"\xFF\xFEh\0i\0\n\0").unwrap();
        assert_eq!((found.name().as_str(), found.origin, found.bom), ("utf-16le", Origin::Bom, true));
        let found = decide("utf-16", b"\xFE\xFF\0h\0i").unwrap();
        assert_eq!((found.name().as_str(), found.origin), ("utf-16be", Origin::Option));
        assert_eq!(decide("utf-16", b"h\0i\0").unwrap().name(), "utf-16le");
        let by_mark = |label, head| match decide(label, head) {
            Err(Refusal::Contradiction { by_mark, .. }) => by_mark,
            other => panic!("{other:?}"),
        };
        assert!(by_mark("utf-16le", b"\xFE\xFF\0h\0i"));
        assert!(by_mark("latin1", b"\xEF\xBB\xBFabc"));
        assert!(!by_mark("utf-16le", b"plain text\n"));
        assert!(decide("utf-16le", b"no line end").is_ok());
        assert!(decide("utf-8", b"caf\xE9 au lait\n").is_ok());
    }

    #[test]
    fn what_is_not_known_is_guessed_only_when_asked() {
        let text = b"Zw\xF6lf Boxk\xE4mpfer jagen Viktor quer \xFCber den gro\xDFen Sylter Deich\n";
        let auto = decide("auto", text).unwrap();
        assert_eq!((auto.name().as_str(), auto.origin), ("unknown-8bit", Origin::Content));
        let guess = decide("guess", text).unwrap();
        assert_eq!((guess.name().as_str(), guess.origin), ("windows-1252", Origin::Guess));
    }
}
