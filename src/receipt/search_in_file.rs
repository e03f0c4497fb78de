//! The result of a search in a file, which stands among its facts.

use serde::Serialize;

use super::content::{ContentInfo, cut_by, cut_note};
use crate::content::ContentStats;

/// The result of a search in a file.
#[derive(Clone, Debug, Default, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub(crate) struct SearchInfo {
    /// How many matches there are in the searched bytes; with -v, how many lines without one.
    pub(crate) matches: u64,
    /// How many lines have them.
    pub(crate) matched_lines: u64,
    /// How many of these lines the content shows.
    pub(crate) shown: u64,
    /// The bytes that rread searched. If they are the whole file, matches and matched_lines are all there are.
    pub(crate) searched: SearchedBytes,
    /// How to go on; left out if nothing is left to search.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) next: Option<NextSearch>,
    #[serde(flatten)]
    pub(crate) content: ContentInfo,
    /// The counts of the content, for the budget of further files.
    #[serde(skip)]
    pub(crate) stats: ContentStats,
}

/// The bytes that rread searched.
#[derive(Clone, Copy, Debug, Default, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[cfg_attr(test, schemars(rename = "searched"))]
pub(crate) struct SearchedBytes {
    /// The first byte.
    pub(crate) start_byte: u64,
    /// Past the last byte.
    pub(crate) end_byte: u64,
}

/// How to go on after a search: the same search in the rest of the file.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[cfg_attr(test, schemars(rename = "next_search"))]
pub(crate) struct NextSearch {
    /// The command.
    #[cfg_attr(test, schemars(extend("const" = "search")))]
    pub(crate) command: &'static str,
    /// The value for --in.
    pub(crate) range: String,
    /// The command line, for people.
    #[serde(skip)]
    pub(crate) line: String,
}

impl SearchInfo {
    pub(crate) fn is_truncated(&self) -> bool {
        cut_by(&self.stats).is_some()
    }

    /// A sentence about the budget that cut the content.
    pub(crate) fn cut_note(&self) -> Option<String> {
        cut_note(&self.stats, self.next.as_ref().map(|next| next.line.clone()))
    }
}
