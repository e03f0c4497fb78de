//! The records of `follow`, one JSON object a line.

use serde::Serialize;

use super::file::NameInfo;

/// What was appended to a followed file: whole lines, unless the writer stopped in one for 200 ms.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[cfg_attr(test, schemars(rename = "follow_batch"))]
pub(crate) struct Batch<'a> {
    #[serde(flatten)]
    pub(crate) name: &'a NameInfo,
    /// The text.
    pub(crate) content: String,
    /// Where the content is in the file.
    pub(crate) actual_range: FollowedRange,
    /// The state of the file, for --expect, if the content ends where the file ends.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) version: Option<String>,
}

/// The bytes of a batch, and its lines if their numbers are known.
#[derive(Clone, Copy, Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub(crate) struct FollowedRange {
    /// The first byte.
    pub(crate) start_byte: u64,
    /// Past the last byte.
    pub(crate) end_byte: u64,
    /// The number of the first line.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) start_line: Option<u64>,
    /// The number of the last line.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) end_line: Option<u64>,
}

/// What happened to the name of a followed file.
#[derive(Clone, Copy, Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[cfg_attr(test, schemars(rename = "follow_event"))]
pub(crate) struct FollowEvent<'a> {
    #[serde(flatten)]
    pub(crate) name: &'a NameInfo,
    /// The name means a new file (rotated), the file was cut or rewritten (truncated), the name is back (appeared), or no
    /// file has it (gone). After the first three, offsets and lines begin again, unless the file that is back is the same.
    #[cfg_attr(test, schemars(extend("enum" = ["rotated", "truncated", "appeared", "gone"])))]
    pub(crate) event: &'static str,
}

/// The last record of `follow`.
#[derive(Clone, Copy, Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[cfg_attr(test, schemars(rename = "follow_end"))]
pub(crate) struct FollowEnd {
    /// Always end.
    #[cfg_attr(test, schemars(extend("enum" = ["end"])))]
    pub(crate) event: &'static str,
    /// A line matched, every file has a record at or after --until, the time was over, a budget was used up, the process of --pid ended, or all streams did (eof).
    #[cfg_attr(test, schemars(extend("enum" = ["match", "until", "timeout", "max_bytes", "max_lines", "process", "eof"])))]
    pub(crate) reason: &'static str,
}
