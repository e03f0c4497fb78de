//! An envelope: a receipt as JSON, and as keys and values for people.

use serde::Serialize;

use super::facts::{Facts, arranged, json, members};
use super::file::FileInfo;
use super::keys::Key;
use rread_text::error::{Error, Result};

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Markup {
    Yaml,
    Xml,
}

/// The receipt of one part of an answer.
pub(crate) trait Envelope {
    fn element(&self, file: &FileInfo) -> &'static str;

    fn json(&self, file: &FileInfo) -> Result<String>;

    /// The receipt as one of several, without what the receipt of the whole answer says beside the name of the file.
    fn segment_json(&self, file: &FileInfo) -> Result<String> {
        self.json(file)
    }

    /// The receipt as keys and values: a key is there only if its fact is known and true.
    fn brief(&self, file: &FileInfo, markup: Markup) -> Result<Facts>;

    /// The keys that are about the file: a receipt that follows another one of the same file has only those that differ.
    fn keys_of_file(&self) -> &'static [&'static str] {
        &[]
    }

    /// Why the part has no content.
    fn error(&self) -> Option<&Error> {
        None
    }

    /// Whether people get the content without the receipt.
    fn is_bare(&self) -> bool {
        false
    }
}

/// An envelope that is complete in itself, with the same names in every format.
pub(crate) trait Plain: Serialize {
    const ELEMENT: &'static str;
    const KEYS: &'static [Key];
}

impl<T: Plain> Envelope for T {
    fn element(&self, _: &FileInfo) -> &'static str {
        T::ELEMENT
    }

    fn json(&self, _: &FileInfo) -> Result<String> {
        json(self)
    }

    fn brief(&self, _: &FileInfo, _: Markup) -> Result<Facts> {
        Ok(arranged(T::KEYS, members(self)?, []))
    }
}
