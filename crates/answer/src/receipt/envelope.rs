//! An envelope: a receipt as JSON, and as keys and values for people.

use super::facts::{Facts, Key, Receipt};
use super::file::FileInfo;
use crate::rows::Rows;
use rread_text::error::{Error, Result};

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Markup {
    Yaml,
    Xml,
}

/// The receipt of one part of an answer.
pub trait Envelope {
    fn element(&self, file: &FileInfo) -> &'static str;

    fn receipt<'r>(&'r self, file: &'r FileInfo) -> Box<dyn Receipt + 'r>;

    /// The receipt as one of several, without what the receipt of the whole answer says beside the name of the file.
    fn segment<'r>(&'r self, file: &'r FileInfo) -> Box<dyn Receipt + 'r> {
        self.receipt(file)
    }

    /// The receipt as keys and values: a key is there only if its fact is known and true.
    fn facts(&self, file: &FileInfo, markup: Markup) -> Result<Facts>;

    /// Whether a receipt that follows another one of the same file has only those facts of the file that differ.
    fn follows_its_file(&self) -> bool {
        false
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
pub trait Plain: Rows + serde::Serialize {
    const ELEMENT: &'static str;
    const KEYS: &'static [Key] = &[Key::Group(Self::each_row)];
}

/// The element of envelopes, and their keys if these are in another order than the rows.
macro_rules! plain {
    ($element:literal $($name:ident $($keys:ident)?),*) => {
        $(impl $crate::receipt::envelope::Plain for $name {
            const ELEMENT: &'static str = $element;
            $(const KEYS: &'static [Key] = $keys;)?
        })*
    };
}
pub(super) use plain;

impl<T: Plain> Envelope for T {
    fn element(&self, _: &FileInfo) -> &'static str {
        T::ELEMENT
    }

    fn receipt<'r>(&'r self, _: &'r FileInfo) -> Box<dyn Receipt + 'r> {
        Box::new(self)
    }

    fn facts(&self, _: &FileInfo, _: Markup) -> Result<Facts> {
        Ok(Receipt::facts(self)?.arranged(T::KEYS, []))
    }
}
