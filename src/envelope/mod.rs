//! The envelope: what every answer says about itself, in typed structs. Their JSON has the names of their fields; their
//! YAML and XML have the keys of `keys.rs`. `src/schema.json` is made from them.

mod capture;
mod captures;
mod content;
mod error;
mod facts;
mod file;
mod image;
mod index;
mod keys;
mod position;
#[cfg(any(test, feature = "sql"))]
mod query;
#[cfg(test)]
mod schema;
mod slice;
mod stat;
mod verification;
mod whole;

use serde::Serialize;

use crate::error::{Error, Result};

pub(crate) use capture::{Captured, LastPage};
pub(crate) use captures::{CapturesInfo, RecordInfo};
pub(crate) use content::InvalidInfo;
pub(crate) use error::{error_facts, error_json, error_members};
pub use facts::{Facts, json, yaml};
pub(crate) use file::{Checked, Damaged, EncodingInfo, FileInfo, Signs};
pub(crate) use image::{ImageInfo, ThumbnailInfo};
pub(crate) use index::{CoveredInfo, IndexInfo, ListedIndex};
pub(crate) use position::{ByteInfo, EndInfo, LineInfo};
#[cfg(feature = "sql")]
pub(crate) use query::{ColumnInfo, NextRows, QueryInfo};
pub(crate) use slice::{AskedPage, Returned, SliceResult};
pub(crate) use stat::{LongestLine, Newlines, ObjectInfo, StatError, StatInfo};
pub(crate) use verification::{Mismatch, Pairs, Status, Verification};

pub(crate) use whole::{file_json, files_json};

/// The two notations of keys and values.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Markup {
    Yaml,
    Xml,
}

/// The receipt of one part of an answer.
pub(crate) trait Envelope {
    /// The XML element of the part.
    fn element(&self, file: &FileInfo) -> &'static str;

    /// The receipt in JSON.
    fn json(&self, file: &FileInfo) -> Result<String>;

    /// The receipt as keys and values: a key stands only if its fact is known and true.
    fn brief(&self, file: &FileInfo, markup: Markup) -> Result<Facts>;

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
    const KEYS: &'static [keys::Key];
}

impl<T: Plain> Envelope for T {
    fn element(&self, _: &FileInfo) -> &'static str {
        T::ELEMENT
    }

    fn json(&self, _: &FileInfo) -> Result<String> {
        json(self)
    }

    fn brief(&self, _: &FileInfo, _: Markup) -> Result<Facts> {
        Ok(facts::arranged(T::KEYS, facts::members(self)?))
    }
}
