//! What stands before each line: its file, its number, its offset, or its number and hash.

use super::piece::Piece;

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Margin {
    #[default]
    Numbers,
    /// The file of each line and its number there, in a text of several.
    Origins,
    /// The offset of the first byte of each line, and of each piece of a long one.
    Offsets,
    /// Anchors of hashlines, such as `12#a1b2c3`.
    Hashes,
}

impl Margin {
    /// The one that the key `#` shows next; `None`: nothing.
    pub fn next(self) -> Option<Self> {
        match self {
            Margin::Origins => Some(Margin::Numbers),
            Margin::Numbers => Some(Margin::Offsets),
            Margin::Offsets => Some(Margin::Hashes),
            Margin::Hashes => None,
        }
    }

    /// For the status line.
    pub fn name(self) -> &'static str {
        match self {
            Margin::Origins => "files and the numbers of their lines; # again: line numbers",
            Margin::Numbers => "line numbers; # again: byte offsets",
            Margin::Offsets => "byte offsets; # again: hashes of lines",
            Margin::Hashes => "hashes of lines, as of rread lines --hash; # again: none",
        }
    }

    /// Whether it shows numbers of lines, which must be counted.
    pub fn counts(self) -> bool {
        !matches!(self, Margin::Offsets | Margin::Origins)
    }

    /// The text before the first row of `piece`; `number` is that of its line.
    pub fn label(self, piece: &Piece, number: &str) -> String {
        match (self, piece.hash) {
            (Margin::Offsets, _) => piece.start.to_string(),
            _ if !piece.starts_line => String::new(),
            (Margin::Hashes, Some(hash)) => format!("{number}#{:06x}", hash & 0xFF_FFFF),
            _ => number.to_owned(),
        }
    }

    /// The columns for a line with this number at this offset.
    pub fn columns(self, number: u64, offset: u64) -> usize {
        let digits = |number: u64| number.to_string().len();
        match self {
            Margin::Numbers | Margin::Origins => digits(number),
            Margin::Offsets => digits(offset),
            Margin::Hashes => digits(number) + "#a1b2c3".len(),
        }
    }
}
