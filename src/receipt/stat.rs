//! The answer of `stat`: what a file is.

use serde::Serialize;

use super::content::InvalidInfo;
use super::envelope::Plain;
use super::file::{FileDetails, NameInfo};
use super::keys::{Key, STAT};
use super::verification::Pairs;
use crate::headers::FormatDetails;

/// What a file is: the answer of `stat`.
#[derive(Default, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema), schemars(rename = "stat"))]
pub(crate) struct StatInfo {
    #[serde(flatten)]
    pub(crate) name: NameInfo,
    /// Whether the file is text, by its first 8 KiB.
    #[cfg_attr(test, schemars(extend("enum" = ["text", "binary"])))]
    pub(crate) kind: &'static str,
    /// The media type, by the first 8 KiB.
    pub(crate) mime: &'static str,
    /// Whether other commands refuse the file without --text or --encode.
    pub(crate) binary: bool,
    /// How lines end: in the whole file with --count, otherwise in the first 8 KiB; left out of a binary file without
    /// --count.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, schemars(extend("enum" = ["lf", "crlf", "mixed", "none"])))]
    pub(crate) newline: Option<&'static str>,
    /// Whether the last character is a line feed; left out while the size of a stream is unknown.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) final_newline: Option<bool>,
    /// The number of lines; left out if only --count can find it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) lines: Option<u64>,
    /// The number of lines if all are as long as those of the first 8 KiB; left out if the number is known.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) estimated_lines: Option<u64>,
    /// The bytes of the window of --since and --until, "START-END", with END after the last byte.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) range: Option<String>,
    /// The longest line; with --count.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) longest_line: Option<LongestLine>,
    /// The line ends of the whole file; with --count.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) newlines: Option<Newlines>,
    /// Sequences that are not valid in the encoding of the file; with --count.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) invalid_utf8: Option<InvalidInfo>,
    /// The width of a picture in pixels.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) width: Option<u64>,
    /// The height of a picture in pixels.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) height: Option<u64>,
    /// The facts that the header of a binary file, or of the gzip file around a text, states beyond the media type.
    #[serde(skip_serializing_if = "FormatDetails::is_empty")]
    pub(crate) format_details: FormatDetails,
    /// The pages of a document.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) pages: Option<u64>,
    /// The command that shows the content of a binary file.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) hint: Option<String>,
    /// The size of the file in bytes; left out while the size of a stream is unknown.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) total: Option<u64>,
    /// When the file was modified, in UTC (RFC 3339). Of a member of an archive, as the archive records it; without Z, in
    /// the unknown zone of a ZIP archive.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) modified: Option<String>,
    /// The permissions, in octal.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) mode: Option<String>,
    #[serde(flatten)]
    pub(crate) object: ObjectInfo,
    #[serde(flatten)]
    pub(crate) details: FileDetails,
}

/// The longest line: its number, and its bytes without the line end.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema), schemars(rename = "longest_line"))]
pub(crate) struct LongestLine {
    /// Its number, from 1.
    pub(crate) line: u64,
    /// Its bytes, without the line end.
    pub(crate) bytes: u64,
}

/// How many lines end with `\n` alone, and how many with `\r\n`.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema), schemars(rename = "newlines"))]
pub(crate) struct Newlines {
    /// Lines that end with `\n` alone.
    pub(crate) lf: u64,
    /// Lines that end with `\r\n`.
    pub(crate) crlf: u64,
}

/// What a server reports about an object.
#[derive(Default, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub(crate) struct ObjectInfo {
    /// The media type, as the server names it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) content_type: Option<String>,
    /// The encoding of the content, as the server names it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) content_encoding: Option<String>,
    /// The storage class.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) storage_class: Option<String>,
    /// The version of the object in a store that keeps versions.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) version_id: Option<String>,
    /// The entity tag, as the server sends it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) etag: Option<String>,
    /// The metadata that the owner of the object gave it.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, schemars(with = "Option<std::collections::BTreeMap<String, String>>"))]
    pub(crate) metadata: Option<Pairs>,
}

impl Plain for StatInfo {
    const ELEMENT: &'static str = "file_stat";
    const KEYS: &'static [Key] = STAT;
}

/// One of several files that cannot be examined, and why.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema), schemars(rename = "stat_error"))]
pub(crate) struct StatError {
    #[serde(flatten)]
    pub(crate) name: NameInfo,
    /// What is wrong, in one sentence without the name of the file.
    pub(crate) error: String,
    /// The kind of failure.
    pub(crate) error_kind: &'static str,
}

impl Plain for StatError {
    const ELEMENT: &'static str = "file_stat";
    const KEYS: &'static [Key] = STAT;
}
