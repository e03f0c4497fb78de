//! The members of brief receipts, for the schema: the program leaves out members of the whole ones.

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::Serialize;

use super::capture::LastPageMembers;
use super::content::{InvalidInfo, NextInfo};
use super::file::SignMembers;
use super::search::FoundMatch;
use super::search_in_file::NextSearch;
use super::verification::{LineSpan, MismatchInfo};

/// A receipt with --brief: where the content is, how to go on, and what is out of the ordinary.
#[derive(Serialize, JsonSchema)]
#[schemars(rename = "brief")]
#[allow(dead_code)]
pub(super) struct Brief {
    /// The file as it was named, if the answer is about several files.
    #[serde(skip_serializing_if = "Option::is_none")]
    path: Option<String>,
    /// The exact bytes of a path that is not valid UTF-8 (RFC 4648, section 4); otherwise left out.
    #[serde(skip_serializing_if = "Option::is_none")]
    path_base64: Option<String>,
    /// The handle of a capture.
    #[serde(skip_serializing_if = "Option::is_none")]
    fd: Option<String>,
    /// The exit status of a captured command.
    #[serde(skip_serializing_if = "Option::is_none")]
    exit_status: Option<u64>,
    /// The signal that ended a captured command.
    #[serde(skip_serializing_if = "Option::is_none")]
    signal: Option<String>,
    /// The limit that a capture reached.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(extend("enum" = ["limit", "state_limit", "file_size_limit"]))]
    kept_to: Option<String>,
    /// A capture is binary, and there is no preview; left out for text.
    #[serde(skip_serializing_if = "Option::is_none")]
    binary: Option<bool>,
    /// The part that the last page of a capture is.
    #[serde(skip_serializing_if = "Option::is_none")]
    last_page: Option<LastPageMembers>,
    /// The older captures of this session that were removed to make room.
    #[serde(skip_serializing_if = "Option::is_none")]
    evicted: Option<Vec<String>>,
    /// The lines of the content, or its bytes if the lines are unknown.
    #[serde(skip_serializing_if = "Option::is_none")]
    actual_range: Option<BriefRange>,
    /// The number of lines of the file; null if unknown.
    #[serde(skip_serializing_if = "Option::is_none")]
    total_lines: Option<u64>,
    /// How many matches there are in the searched bytes; of a group of lines, the matches in it.
    #[serde(skip_serializing_if = "Option::is_none")]
    matches: Option<BriefMatches>,
    /// Whether a budget cut the content.
    #[serde(skip_serializing_if = "Option::is_none")]
    truncated: Option<bool>,
    /// The budget that cut the content.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(extend("enum" = ["max_bytes", "max_tokens", "max_lines", "max_columns"]))]
    cut_by: Option<String>,
    /// How many lines --max-columns clipped.
    #[serde(skip_serializing_if = "Option::is_none")]
    clipped_lines: Option<u64>,
    /// Sequences that are not valid.
    #[serde(skip_serializing_if = "Option::is_none")]
    invalid_utf8: Option<InvalidInfo>,
    /// The option that reads the text in the guessed encoding, such as -E windows-1250.
    #[serde(skip_serializing_if = "Option::is_none")]
    encoding_hint: Option<String>,
    /// How to go on; left out at the end of the file.
    #[serde(skip_serializing_if = "Option::is_none")]
    next: Option<BriefNext>,
    #[serde(flatten)]
    signs: SignMembers,
    /// How many anchors have each status; left out if all match.
    #[serde(skip_serializing_if = "Option::is_none")]
    summary: Option<String>,
    /// The anchors of lines that changed or are gone, in the order of lines.
    #[serde(skip_serializing_if = "Option::is_none")]
    mismatches: Option<Vec<MismatchInfo>>,
    /// The anchors that lines which moved have now.
    #[serde(skip_serializing_if = "Option::is_none")]
    remaps: Option<BTreeMap<String, String>>,
    /// The lines that changed, and those where lines are gone.
    #[serde(skip_serializing_if = "Option::is_none")]
    affected_ranges: Option<Vec<LineSpan>>,
}

/// Lines, end included, or bytes, end not included.
#[derive(Serialize, JsonSchema)]
#[schemars(rename = "brief_range")]
#[serde(untagged)]
#[allow(dead_code)]
pub(super) enum BriefRange {
    /// Lines from 1, end included.
    Lines {
        /// The first line.
        start_line: u64,
        /// The last line; null if unknown.
        end_line: Option<u64>,
    },
    /// Bytes from 0, end not included.
    Bytes {
        /// The number of the first line: null, because it is unknown.
        #[serde(skip_serializing_if = "Option::is_none")]
        start_line: Option<()>,
        /// The number of the last line: null, because it is unknown.
        #[serde(skip_serializing_if = "Option::is_none")]
        end_line: Option<()>,
        /// The first byte.
        start_byte: u64,
        /// Past the last byte.
        end_byte: u64,
    },
}

/// How many matches there are, or the matches of a group of lines.
#[derive(Serialize, JsonSchema)]
#[schemars(rename = "brief_matches")]
#[serde(untagged)]
#[allow(dead_code)]
pub(super) enum BriefMatches {
    Count(u64),
    Found(Vec<FoundMatch>),
}

/// How to go on with a slice or with a search.
#[derive(Serialize, JsonSchema)]
#[schemars(rename = "brief_next")]
#[serde(untagged)]
#[allow(dead_code)]
pub(super) enum BriefNext {
    Slice(NextInfo),
    Search(NextSearch),
}

/// The receipt of several files with --brief.
#[derive(Serialize, JsonSchema)]
#[schemars(rename = "brief_files")]
#[allow(dead_code)]
pub(super) struct BriefFiles {
    /// Every file, in the order of the answer.
    files: Vec<Brief>,
    /// Whether a budget cut any of the segments.
    truncated: bool,
}
