//! The meanings of FILE: a path, a capture, an address, or a file with its ranges; and the small files that options name.

use std::ffi::{OsStr, OsString};
#[cfg(feature = "cluster")]
use std::path::Path;
use std::path::PathBuf;

use clap::builder::{OsStringValueParser, StringValueParser, TypedValueParser};

pub(crate) use rread_answer::names::{
    existing, is_file, is_number, is_place, is_there, split_ranges, unshield, without_blank,
};
#[cfg(feature = "cluster")]
use rread_text::error::{Error, Result};
use rread_text::range::parse_mixed;

pub(crate) fn names_file(word: &OsStr) -> bool {
    let path = existing(word);
    let has_ranges =
        || split_ranges(&path, parse_mixed).is_ok_and(|(name, ranges)| ranges.is_some() && is_there(&name));
    is_file(&path) || !is_there(&path) && has_ranges()
}

/// The parser of a FILE that is read.
pub(crate) fn file() -> impl TypedValueParser<Value = PathBuf> {
    OsStringValueParser::new().map(|name| existing(&name))
}

/// The parser of a word that is not the name of an existing file.
pub(crate) fn word() -> impl TypedValueParser<Value = PathBuf> {
    OsStringValueParser::new().map(|word| unshield(&word))
}

/// The parser of the value of an option that may begin with a hyphen, such as the zone `-03:00`.
pub(crate) fn value() -> impl TypedValueParser<Value = String> {
    StringValueParser::new().map(|word| without_blank(&word).to_owned())
}

/// The same for a value that need not be UTF-8.
pub(crate) fn os_value() -> impl TypedValueParser<Value = OsString> {
    OsStringValueParser::new().map(|word| unshield(&word).into())
}

/// A list, certificates or a key.
#[cfg(feature = "cluster")]
pub(crate) fn bytes_of(path: &Path) -> Result<Vec<u8>> {
    std::fs::read(path).map_err(|cause| Error::read("cannot read", &cause).at(path))
}
