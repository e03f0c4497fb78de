//! Encodings: names, code units, detection and decoding.

mod choice;
mod decode;
mod guess;

use encoding_rs::{Encoding as Whatwg, ISO_2022_JP};

use crate::newline::Units;
use crate::sniff::BOM;

pub use choice::{Choice, Decided, Origin, Refusal};
pub use decode::{Run, TextDecoder};
pub use guess::guess;

/// The most bytes of a character or an invalid sequence; in ISO-2022-JP, an incomplete escape can precede it.
pub const MAX_CHARACTER: usize = 8;

/// The encoding of a text.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Encoding {
    /// UTF-8, with or without a byte order mark.
    #[default]
    Utf8,
    /// UTF-16.
    Utf16 {
        /// Whether the high byte of a unit is first.
        big_endian: bool,
    },
    /// UTF-32, which the WHATWG standard omits.
    Utf32 {
        /// Whether the high byte of a unit is first.
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

    /// The units of its newlines.
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

    /// Whether escape sequences change the meaning of later bytes; such text can be cut only at line ends.
    pub fn has_state(self) -> bool {
        self == Encoding::Legacy(ISO_2022_JP)
    }
}

/// Text as UTF-8 and as it is in the file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct DecodedText<'a> {
    /// The text in UTF-8.
    pub utf8: &'a [u8],
    /// The bytes of the file that were decoded.
    pub source: &'a [u8],
    /// The offset of `source` in the file.
    pub at: u64,
    pub(super) encoding: Encoding,
}

impl<'a> DecodedText<'a> {
    /// The offset in the file of the first byte after this text.
    pub fn end(&self) -> u64 {
        self.at + self.source.len() as u64
    }

    /// The bytes of the file if `raw`, else the text in UTF-8.
    pub fn content(&self, raw: bool) -> &'a [u8] {
        if raw { self.source } else { self.utf8 }
    }
}
