//! The answers of `capture list`, `save` and `drop`.

use serde::Serialize;

use super::capture::OriginInfo;
use super::envelope::Plain;
use super::file::NameInfo;
use super::keys::{CAPTURES, Key};
use rread_reader::capture::Record;

/// An answer of `capture list`, `save` or `drop`.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema), schemars(rename = "capture_action"))]
#[serde(untagged)]
#[allow(clippy::large_enum_variant)]
pub(crate) enum CapturesInfo {
    /// One capture of the answer of `capture list`.
    Listed {
        /// The handle, which every command takes as FILE in the same session.
        fd: String,
        #[serde(flatten)]
        origin: OriginInfo,
        #[serde(flatten)]
        limit: Option<LimitInfo>,
        /// Bytes that are read under the handle.
        total: u64,
        /// How many lines these are, ended by the byte \n.
        total_lines: u64,
        /// escapes_removed: escape sequences, overwritten progress or overstrikes are left out; --ansi keep shows them.
        /// streams_marked: each line begins with its stream (--mark-streams).
        #[serde(skip_serializing_if = "Vec::is_empty")]
        notices: Vec<&'static str>,
        /// When it was captured, in UTC (RFC 3339).
        captured: String,
    },
    /// The answer of `capture save`.
    Saved {
        /// The handle of the capture.
        fd: String,
        #[serde(flatten)]
        name: NameInfo,
        /// How the file was saved.
        #[cfg_attr(test, schemars(extend("enum" = ["created", "replaced", "appended"])))]
        saved: &'static str,
        /// The directory that rread made for the file, the first of several; left out if none was missing.
        #[serde(skip_serializing_if = "Option::is_none")]
        created: Option<String>,
        /// Bytes that were written.
        bytes: u64,
        /// How many characters these are, an invalid sequence counted as one; left out if the capture is binary.
        #[serde(skip_serializing_if = "Option::is_none")]
        chars: Option<u64>,
    },
    /// The answer of `capture drop`.
    Dropped {
        /// The captures that were removed.
        dropped: Vec<String>,
        /// How many bytes they had.
        freed_bytes: u64,
    },
}

/// The part that was not kept, and why.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub(crate) struct LimitInfo {
    /// Bytes of output; only if not all are kept.
    bytes_produced: u64,
    /// How many of them are kept, from the first on.
    bytes_kept: u64,
    /// The limit that was reached: --limit, RREAD_STATE_MAX (state_limit) or ulimit -f (file_size_limit).
    #[cfg_attr(test, schemars(extend("enum" = ["limit", "state_limit", "file_size_limit"])))]
    kept_to: &'static str,
}

impl LimitInfo {
    pub(crate) fn of(record: &Record) -> Option<Self> {
        let kept_to = record.kept_to?.name();
        Some(LimitInfo { bytes_produced: record.produced, bytes_kept: record.kept, kept_to })
    }
}

impl Plain for CapturesInfo {
    const ELEMENT: &'static str = "capture";
    const KEYS: &'static [Key] = CAPTURES;
}
