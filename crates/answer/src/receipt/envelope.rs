//! Receipts as JSON, and as members in the order in which people read them.

use serde::Serialize;
use serde_json::{Map, Value};

use super::capture::{DroppedCaptures, ListedCapture, SavedCapture};
use super::doctor::{
    BuildInfo, DoctorInfo, INDEX, IndexAbsent, IndexBuilt, IndexShown, IndexesCleared, ListedIndex,
};
use super::file::FileInfo;
use super::image::ImageInfo;
use super::left_out::LeftOutOfSearch;
use super::members::{FilesFound, ListInfo, MemberInfo, MembersInfo};
use super::query::{FilesListed, QueryInfo};
use super::search::MatchedLines;
use super::slice::SliceResult;
use super::stat::{BYTE, ByteInfo, LINE, LineInfo, StatError, StatInfo};
use super::verification::Verification;
use rread_text::error::{Error, Kind, Result};

/// The form of a receipt for people.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Markup {
    Yaml,
    Xml,
}

/// The facts of one part of an answer.
#[derive(Clone, Debug)]
pub enum PartData {
    Slice(SliceResult),
    Matched(MatchedLines),
    Verified(Verification),
    Stat(Box<StatInfo>),
    Image(ImageInfo),
    Query(Box<QueryInfo>),
    Other,
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

    /// The facts for a program that reads no text.
    fn data(&self) -> PartData {
        PartData::Other
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
pub trait Plain: Serialize {
    const ELEMENT: &'static str;
    /// The order for people; empty for that of JSON.
    const ORDER: &'static str;
    const BRIEF: &'static str;

    fn data(&self) -> PartData {
        PartData::Other
    }
}

macro_rules! plain {
    ($($(#[$if:meta])? $name:ty: $element:literal, $order:expr, $brief:literal;)*) => {$(
        $(#[$if])?
        impl Plain for $name {
            const ELEMENT: &'static str = $element;
            const ORDER: &'static str = $order;
            const BRIEF: &'static str = $brief;
        }
    )*};
}

plain! {
    BuildInfo: "doctor", "", "";
    ByteInfo: "file_position", BYTE, "";
    DoctorInfo: "doctor", "", "";
    DroppedCaptures: "capture", "", "";
    FilesFound: "files_found", "", "";
    FilesListed: "select_files", "", "listed next_offset";
    IndexAbsent: "index", INDEX, "";
    IndexBuilt: "index", INDEX, "";
    IndexShown: "index", INDEX, "";
    IndexesCleared: "index", "", "";
    LineInfo: "file_position", LINE, "";
    LeftOutOfSearch: "left_out", "", "left_out";
    ListInfo: "list", "", "";
    ListedCapture: "capture", "", "";
    ListedIndex: "index", "", "";
    MemberInfo: "member", "", "name name_base64 size target encrypted";
    MembersInfo: "archive", "", "listed next_offset";
    SavedCapture: "capture", "", "";
    StatError: "file_stat", "", "error_kind";
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

    fn data(&self) -> PartData {
        Plain::data(self)
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
    ("DECODING", "decoded picture_pages compression compressed_size uncompressed_size"),
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
