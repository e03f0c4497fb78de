//! Why a decoder cannot go on.

use std::io;

/// The reason for input that ends inside a member.
pub(super) const CUT_OFF: &str = "the data ends too early";

pub(super) type Result<T> = std::result::Result<T, DecodeError>;

#[derive(Debug)]
pub(super) enum DecodeError {
    Read(io::Error),
    /// The data is valid, but only `filter`, a command, decodes it, if one does.
    Unsupported {
        message: String,
        filter: Option<&'static str>,
    },
    Damage(String),
    /// A checksum contradicts this many bytes of text before it.
    Checksum(String, u64),
}

impl From<io::Error> for DecodeError {
    fn from(cause: io::Error) -> Self {
        DecodeError::Read(cause)
    }
}

impl DecodeError {
    pub(super) fn needs_dictionary(filter: &'static str) -> Self {
        DecodeError::Unsupported {
            message: "needs a dictionary to decompress".to_owned(),
            filter: Some(filter),
        }
    }

    pub(super) fn damage(what: impl Into<String>) -> Self {
        DecodeError::Damage(what.into())
    }

    pub(super) fn wrong_checksum(text: u64) -> Self {
        DecodeError::Checksum("the checksum of the preceding text is wrong".to_owned(), text)
    }

    pub(super) fn wrong_length(text: u64) -> Self {
        DecodeError::Checksum("the length of the preceding text is wrong".to_owned(), text)
    }

    pub(super) fn cut_off() -> Self {
        DecodeError::damage(CUT_OFF)
    }
}
