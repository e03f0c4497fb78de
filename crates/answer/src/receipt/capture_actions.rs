//! The answers of `capture list`, `save` and `drop`.

use super::capture::OriginInfo;
use super::envelope::plain;
use super::file::NameInfo;
use crate::rows::rows;
use rread_reader::capture::Record;

rows! {
    /// One capture of the answer of `capture list`.
    pub struct ListedCapture {
        /// The handle, which every command takes as FILE in the same session.
        pub fd: String,
        flat pub origin: OriginInfo,
        flat pub limit: Option<LimitInfo>,
        /// Bytes that are read under the handle.
        pub total: u64,
        /// How many lines these are, ended by the byte \n.
        pub total_lines: u64,
        /// escapes_removed: escape sequences, overwritten progress or overstrikes are left out; --ansi keep shows them.
        /// streams_marked: each line begins with its stream (--mark-streams).
        pub notices?: Vec<&'static str>,
        /// When it was captured, in UTC (RFC 3339).
        pub captured: String,
    }

    /// The answer of `capture save`.
    pub struct SavedCapture {
        /// The handle of the capture.
        pub fd: String,
        flat pub name: NameInfo,
        /// How the file was saved.
        pub saved: &'static str = ["created", "replaced", "appended"],
        /// The directory that rread made for the file, the first of several; left out if none was missing.
        pub created?: Option<String>,
        /// Bytes that were written.
        pub bytes: u64,
        /// How many characters these are, an invalid sequence counted as one; left out if the capture is binary.
        pub chars?: Option<u64>,
    }

    /// The answer of `capture drop`.
    pub struct DroppedCaptures {
        /// The captures that were removed.
        pub dropped: Vec<String>,
        /// How many bytes they had.
        pub freed_bytes: u64,
    }

    /// The part that was not kept, and why.
    pub struct LimitInfo {
        /// Bytes of output; only if not all are kept.
        bytes_produced: u64,
        /// How many of them are kept, from the first on.
        bytes_kept: u64,
        /// The limit that was reached: --limit, RREAD_STATE_MAX (state_limit) or ulimit -f (file_size_limit).
        kept_to: &'static str = ["limit", "state_limit", "file_size_limit"],
    }
}

impl LimitInfo {
    pub fn of(record: &Record) -> Option<Self> {
        let kept_to = record.kept_to?.name();
        Some(LimitInfo { bytes_produced: record.produced, bytes_kept: record.kept, kept_to })
    }
}

plain! { "capture" ListedCapture, SavedCapture, DroppedCaptures }
