//! Encodings: names, code units, detection and decoding.

mod choice;
mod decode;
mod guess;
mod text;

use encoding_rs::{Encoding as Whatwg, ISO_2022_JP};

use crate::newline::Units;
use crate::sniff::BOM;

pub use choice::Choice;
pub(crate) use choice::{Decided, Origin, Refusal};
pub use decode::{Run, TextDecoder};
pub(crate) use guess::Guess;
pub use guess::guess;
pub use text::DecodedText;

/// The most bytes of a character or an invalid sequence in any encoding. In ISO-2022-JP, an incomplete escape
/// sequence can precede a character.
pub const LONGEST: usize = 8;

/// How characters are written as bytes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Encoding {
    /// UTF-8.
    #[default]
    Utf8,
    /// UTF-16.
    Utf16 {
        /// Whether the high byte comes first.
        big_endian: bool,
    },
    /// UTF-32, which the WHATWG standard omits.
    Utf32 {
        /// Whether the high byte comes first.
        big_endian: bool,
    },
    /// An older encoding of the WHATWG Encoding Standard. The newline of all of them is the byte `\n`.
    Legacy(&'static Whatwg),
}

impl Encoding {
    /// The label, in lower case.
    pub fn name(self) -> String {
        match self {
            Encoding::Utf8 => "utf-8".to_owned(),
            Encoding::Utf16 { big_endian } => format!("utf-16{}", if big_endian { "be" } else { "le" }),
            Encoding::Utf32 { big_endian } => format!("utf-32{}", if big_endian { "be" } else { "le" }),
            Encoding::Legacy(whatwg) => whatwg.name().to_ascii_lowercase(),
        }
    }

    /// The code units.
    pub fn units(self) -> Units {
        match self {
            Encoding::Utf8 | Encoding::Legacy(_) => Units::BYTES,
            Encoding::Utf16 { big_endian } => Units::pairs(big_endian),
            Encoding::Utf32 { big_endian } => Units::quads(big_endian),
        }
    }

    /// The byte order mark; empty for a legacy encoding.
    pub fn mark(self) -> &'static [u8] {
        match self {
            Encoding::Utf8 => BOM,
            Encoding::Utf16 { big_endian: false } => b"\xFF\xFE",
            Encoding::Utf16 { big_endian: true } => b"\xFE\xFF",
            Encoding::Utf32 { big_endian: false } => b"\xFF\xFE\0\0",
            Encoding::Utf32 { big_endian: true } => b"\0\0\xFE\xFF",
            Encoding::Legacy(_) => b"",
        }
    }

    /// Whether escape sequences change the meaning of later bytes of the line. Such text can be cut, and decoding
    /// can begin, only at line ends.
    pub fn has_state(self) -> bool {
        self == Encoding::Legacy(ISO_2022_JP)
    }

    /// The length of the first character of `bytes`, if it is valid and complete.
    pub(crate) fn first_char(self, bytes: &[u8]) -> Option<usize> {
        let width = self.units().width();
        (width..=bytes.len().min(LONGEST)).step_by(width).find(|&len| {
            let run = TextDecoder::new(self).next_run(&bytes[..len], 0).map(|run| run.is_text_of(len));
            run == Some(true)
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

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

    #[test]
    fn a_first_character_is_a_whole_one() {
        let sjis = Encoding::Legacy(encoding_rs::SHIFT_JIS);
        assert_eq!(sjis.first_char(b"\x93\xFA\x96\x7B"), Some(2));
        assert_eq!(sjis.first_char(b"\x93"), None);
        assert_eq!(sjis.first_char(b"\xB1\xB2"), Some(1));
        let gb = Encoding::Legacy(encoding_rs::GB18030);
        assert_eq!(gb.first_char(b"\x94\x39\xDA\x33z"), Some(4));
        let utf16 = Encoding::Utf16 { big_endian: true };
        assert_eq!(utf16.first_char(b"\xD8\x3D\xDE\x00"), Some(4));
        assert_eq!(utf16.first_char(b"\xD8\x3D\0a"), None);
        assert_eq!(utf16.first_char(b"\0a\0b"), Some(2));
        assert_eq!(Encoding::Utf8.first_char("é".as_bytes()), Some(2));
    }
}
