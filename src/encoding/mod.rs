//! Encodings: their names, their code units, how to decode them, and which of them a file is in.

mod choice;
mod decode;
mod guess;
mod text;

use encoding_rs::{Encoding as Whatwg, ISO_2022_JP};

use crate::newline::Units;
use crate::sniff::BOM;

pub use choice::Choice;
pub(crate) use choice::{Decided, Origin, Refusal};
pub use decode::{Decoder, Run};
pub(crate) use guess::Guess;
pub use guess::guess;
pub use text::Text;

/// The longest that a character or an invalid sequence can be in any encoding, in bytes (ISO-2022-JP: an escape
/// sequence that breaks off and a character).
pub const LONGEST: usize = 8;

/// How characters are written as bytes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Encoding {
    /// UTF-8.
    #[default]
    Utf8,
    /// UTF-16, whose units are two bytes.
    Utf16 {
        /// Whether the high byte comes first.
        big_endian: bool,
    },
    /// UTF-32, whose units are four bytes. The WHATWG standard does not know it.
    Utf32 {
        /// Whether the high byte comes first.
        big_endian: bool,
    },
    /// One of the encodings of the WHATWG Encoding Standard that came before Unicode, all of which agree with ASCII
    /// in what ends a line.
    Legacy(&'static Whatwg),
}

impl Encoding {
    /// The name in lower case, as receipts and labels have it.
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

    /// The byte order mark; empty where there is none.
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

    /// Whether the meaning of bytes depends on escape sequences before them in the line, so that text can be cut,
    /// and decoding be begun, at the edges of lines only.
    pub fn has_state(self) -> bool {
        self == Encoding::Legacy(ISO_2022_JP)
    }

    /// The first valid character of `bytes`, by the number of its bytes; `None` where there is none, or not all of it.
    pub(crate) fn first_char(self, bytes: &[u8]) -> Option<usize> {
        let width = self.units().width();
        (width..=bytes.len().min(LONGEST)).step_by(width).find(|&len| {
            let run = Decoder::new(self).next_run(&bytes[..len], 0).map(|run| run.whole_text(len));
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
