//! Damage in compressed data, which an [`io::Error`] of a read carries inside.

use std::{fmt, io};

/// The first byte of compressed data that cannot be decoded.
#[derive(Clone, Debug)]
pub struct Damage {
    /// The word for the format, such as `gzip`.
    pub format: &'static str,
    /// Its offset in the compressed input.
    pub input: u64,
    /// How many decoded bytes come before it.
    pub text: u64,
    /// How many of those come before the part whose checksum does not agree; all if no checksum followed.
    pub unsound: u64,
    /// What is wrong, as a part of a sentence.
    pub what: String,
}

impl fmt::Display for Damage {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Damage { format, input, what, .. } = self;
        write!(f, "the {format} data is damaged at or before byte {input} of the file: {what}")
    }
}

impl std::error::Error for Damage {}

impl From<Damage> for io::Error {
    fn from(damage: Damage) -> Self {
        io::Error::new(io::ErrorKind::InvalidData, damage)
    }
}
