//! The receipt of one part of an answer, for every format.

use std::any::Any;

use serde::Serialize;

use super::file::FileInfo;
use super::json::{Members, Receipt, arrange};
use rread_text::error::{Error, Result};

/// The form of a receipt for people.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Markup {
    Yaml,
    Xml,
}

/// The receipt of one part of an answer.
pub trait Envelope {
    fn element(&self, file: &FileInfo) -> &'static str;

    /// The receipt in JSON. With `is_brief`, it may be without what --brief leaves out.
    fn receipt<'r>(&'r self, file: &'r FileInfo, is_brief: bool) -> Box<dyn Receipt + 'r>;

    /// The receipt as one of several, without what the receipt of the whole answer says beside the name of the file.
    fn segment<'r>(&'r self, file: &'r FileInfo, is_brief: bool) -> Box<dyn Receipt + 'r> {
        self.receipt(file, is_brief)
    }

    /// The receipt for people: a key is there only if its fact is known and true.
    fn people(&self, file: &FileInfo, markup: Markup, is_brief: bool) -> Result<Members>;

    /// The keys that --brief shows of this envelope, in JSON or for people, beside those of every envelope.
    fn brief(&self) -> &'static str {
        ""
    }

    /// The keys that a receipt after another one of the same file has only if their values differ.
    fn said_once(&self) -> &'static str {
        ""
    }

    /// The typed facts, for a program that reads no text.
    fn as_any(&self) -> &dyn Any;

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
pub trait Plain: Serialize + Any {
    const ELEMENT: &'static str;
    /// The order for people; empty for that of JSON.
    const ORDER: &'static str;
    const BRIEF: &'static str;
}

impl<T: Plain> Envelope for T {
    fn element(&self, _: &FileInfo) -> &'static str {
        T::ELEMENT
    }

    fn receipt<'r>(&'r self, _: &'r FileInfo, _: bool) -> Box<dyn Receipt + 'r> {
        Box::new(self)
    }

    fn people(&self, _: &FileInfo, _: Markup, _: bool) -> Result<Members> {
        if T::ORDER.is_empty() {
            let mut members = self.members()?;
            members.retain(|_, value| !value.is_null());
            return Ok(members);
        }
        arrange(T::ORDER, self, &Members::new())
    }

    fn brief(&self) -> &'static str {
        T::BRIEF
    }

    fn as_any(&self) -> &dyn Any {
        self
    }
}
