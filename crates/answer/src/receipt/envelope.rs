//! The receipt of one part of an answer, for every format.

use std::any::Any;
use std::path::Path;

use serde::Serialize;
use serde_json::Value;

use super::file::{FileInfo, NameInfo};
use super::json::{Members, Receipt, arrange, json};
use crate::wording::{self, worded};
use rread_text::{Error, Result, printable};

/// The form of a receipt for people.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Markup {
    Yaml,
    Xml,
}

/// The receipt of one part of an answer.
pub trait Envelope: Any {
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
            return self.known();
        }
        arrange(T::ORDER, self, &Value::Object(Members::new()))
    }

    fn brief(&self) -> &'static str {
        T::BRIEF
    }
}

/// Why there is no answer, or why it is not complete; on standard error.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema), schemars(rename = "error"))]
pub(super) struct ErrorMembers {
    #[serde(flatten)]
    reason: Reason,
    #[serde(flatten)]
    file: Option<NameInfo>,
}

/// A note on standard error: it says what the answer itself does not say.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema), schemars(rename = "note"))]
pub(super) struct NoteMembers<'a> {
    /// One sentence.
    note: &'a str,
    #[serde(flatten)]
    file: Option<NameInfo>,
}

/// What is wrong, and what to type instead.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema), schemars(inline))]
pub(super) struct Reason {
    /// What is wrong, in one sentence without the name of the file.
    error: String,
    /// The kind of failure. Exit codes: mismatch, no_match, timeout and no_rows 1; usage and invalid_range 2; not_found,
    /// permission, is_directory, special_file, io, locked and network 3; binary 4; out_of_range 5; invalid_text 6; changed 7; write 8.
    kind: &'static str,
    /// What to type instead.
    hint: Option<String>,
}

pub(super) fn reason(error: &Error) -> Reason {
    Reason { error: worded(&error.message), kind: error.kind.name(), hint: wording::hint(error) }
}

pub fn error_json(error: &Error) -> String {
    let file = error.path.as_deref().map(NameInfo::of);
    json(&ErrorMembers { reason: reason(error), file }).unwrap_or_default()
}

pub fn note_json(path: Option<&Path>, note: &str) -> String {
    json(&NoteMembers { note, file: path.map(NameInfo::of) }).unwrap_or_default()
}

/// The members of a segment without content.
pub fn error_members(error: &Error) -> Result<String> {
    let object = json(&reason(error))?;
    Ok(object.trim_start_matches('{').trim_end_matches('}').to_owned())
}

/// The attributes of a failure to do with the capture `fd`.
pub fn error_facts(fd: &str, error: &Error) -> Members {
    let hint = wording::hint(error).map(|hint| printable(&hint));
    let facts = [("type", Some(error.kind.name().to_owned())), ("fd", Some(fd.to_owned())), ("hint", hint)];
    facts.into_iter().filter_map(|(key, value)| Some((key.to_owned(), Value::from(value?)))).collect()
}
