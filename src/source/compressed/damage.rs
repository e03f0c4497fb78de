//! Damage in the compressed bytes: what a read reports that cannot go on.

use std::fmt;

use super::format::CompressionFormat;

/// The compressed bytes are invalid. The [`std::io::Error`] of such a read wraps this.
#[derive(Clone, Debug)]
pub struct Damage {
    /// The format of the bytes.
    pub format: CompressionFormat,
    /// Offset of the damage in the compressed file.
    pub input: u64,
    /// Bytes of text that can be decoded before it.
    pub text: u64,
    /// Bytes of text before the part that contradicts its checksum; equals `text` if no checksum was compared.
    pub unsound: u64,
    /// The reason.
    pub what: String,
}

impl fmt::Display for Damage {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Damage { format, input, what, .. } = self;
        write!(f, "the {} data is damaged at or before byte {input} of the file: {what}", format.name())
    }
}

impl std::error::Error for Damage {}
