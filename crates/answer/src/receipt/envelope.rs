//! The receipt of one part of an answer, for every format.

use std::any::Any;

use serde::Serialize;
use serde_json::{Map, Value};

use super::file::{FileInfo, NameInfo};
use crate::wording::{self, worded};
use rread_text::error::{Error, Kind, Result, printable};

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
            let mut members = self.members()?;
            members.retain(|_, value| !value.is_null());
            return Ok(members);
        }
        arrange(T::ORDER, self, &Members::new())
    }

    fn brief(&self) -> &'static str {
        T::BRIEF
    }
}

/// Names and values, in order.
pub type Members = Map<String, Value>;

/// The members of a receipt in JSON.
pub trait Receipt {
    fn json(&self) -> Result<String>;

    fn members(&self) -> Result<Members>;

    /// The members that are not null.
    fn known(&self) -> Result<Members> {
        let mut members = self.members()?;
        members.retain(|_, value| !value.is_null());
        Ok(members)
    }
}

impl<T: Serialize> Receipt for T {
    fn json(&self) -> Result<String> {
        json(self)
    }

    fn members(&self) -> Result<Members> {
        match serde_json::to_value(self).map_err(unwritable)? {
            Value::Object(members) => Ok(members),
            _ => Err(unwritable("it is not an object")),
        }
    }
}

/// Keys that stand together in the order of most receipts.
const GROUPS: [(&str, &str); 5] = [
    ("NAME", "path path_base64"),
    ("SHEET", "sheet header_row"),
    ("DECODING", "decoded plain picture_pages compression compressed_size uncompressed_size"),
    ("ENCODING", "encoding encoding_source encoding_guess encoding_hint encode bom"),
    ("TRAFFIC", "requests bytes_fetched"),
];

/// The keys that `words` name, one by one or by the name of a group.
pub fn keys(words: &'static str) -> impl Iterator<Item = &'static str> {
    words.split_ascii_whitespace().flat_map(|word| {
        let group = GROUPS.iter().find(|(name, _)| *name == word);
        group.map_or(word, |(_, keys)| keys).split_ascii_whitespace()
    })
}

/// The members of `receipt`, and in their place those of `words` with the same names, as `order` names them; without those
/// that are null.
pub(super) fn arrange(order: &'static str, receipt: &impl Receipt, words: &impl Receipt) -> Result<Members> {
    let mut members = receipt.members()?;
    members.extend(words.members()?);
    let ordered = keys(order).filter_map(|name| members.remove_entry(name));
    Ok(ordered.filter(|(_, value)| !value.is_null()).collect())
}

/// People see a flag only if it is true.
pub(super) fn if_true(flag: bool) -> Option<bool> {
    flag.then_some(true)
}

/// YAML with a line for each key with one value, however long it is.
pub fn yaml(facts: &impl Serialize) -> Result<String> {
    let options = serde_yaml::ser_options! { prefer_block_scalars: false };
    let mut yaml = serde_yaml::to_string_with_options(facts, options).map_err(unwritable)?;
    if !yaml.ends_with('\n') {
        yaml.push('\n');
    }
    Ok(yaml)
}

/// JSON on which no terminal acts: delete and the C1 controls, which stand in strings only, are escaped like the other
/// control characters.
pub fn json(value: &impl Serialize) -> Result<String> {
    let acts = |c: char| ('\x7f'..='\u{9f}').contains(&c);
    let text = serde_json::to_string(value).map_err(unwritable)?;
    if !text.contains(acts) {
        return Ok(text);
    }
    let escaped = |c: char| if acts(c) { format!("\\u{:04x}", u32::from(c)) } else { c.to_string() };
    Ok(text.chars().map(escaped).collect())
}

/// No value of ours causes this.
fn unwritable(cause: impl std::fmt::Display) -> Error {
    Error::new(Kind::Io, format!("cannot write the receipt: {cause:#}"))
}

/// Why there is no answer, or why it is not complete; on standard error.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema), schemars(rename = "error"))]
pub(super) struct ErrorMembers {
    #[serde(flatten)]
    reason: Reason,
    /// The file as it was named.
    #[serde(skip_serializing_if = "Option::is_none")]
    path: Option<String>,
    /// The exact bytes of a path that is not valid UTF-8 (RFC 4648, section 4); otherwise left out.
    #[serde(skip_serializing_if = "Option::is_none")]
    path_base64: Option<String>,
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
    #[serde(skip_serializing_if = "Option::is_none")]
    hint: Option<String>,
}

pub(super) fn reason(error: &Error) -> Reason {
    Reason { error: worded(&error.message), kind: error.kind.name(), hint: wording::hint(error) }
}

pub fn error_json(error: &Error) -> String {
    let name = error.path.as_deref().map(NameInfo::of);
    let (path, path_base64) = name.map_or((None, None), |name| (Some(name.path), name.path_base64));
    json(&ErrorMembers { reason: reason(error), path, path_base64 }).unwrap_or_default()
}

/// The members of a segment without content.
pub fn error_members(error: &Error) -> Result<String> {
    let object = json(&reason(error))?;
    Ok(object.trim_start_matches('{').trim_end_matches('}').to_owned())
}

/// The attributes of a failure to do with the capture `fd`.
#[derive(Serialize)]
struct CaptureFailure<'a> {
    r#type: &'static str,
    fd: &'a str,
    hint: Option<String>,
}

pub fn error_facts(fd: &str, error: &Error) -> Members {
    let hint = wording::hint(error).map(|hint| printable(&hint));
    CaptureFailure { r#type: error.kind.name(), fd, hint }.members().unwrap_or_default()
}
