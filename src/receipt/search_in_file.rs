//! The result of a search in a file, which stands among its facts.

use super::content::{ContentInfo, cut_by, cut_note};
use super::page_of_document::PageOfDocument;
use crate::content::ContentStats;
use crate::rows::rows;

rows! {
    /// The result of a search in a file.
    #[derive(Clone, Debug, Default)]
    pub(crate) struct SearchInfo {
        /// How many matches there are in the searched bytes; with -v, how many lines without one.
        pub(crate) matches: u64 [brief],
        /// How many lines have them.
        pub(crate) matched_lines: u64,
        /// How many of these lines the content shows.
        pub(crate) shown: u64,
        /// The bytes that rread searched. If they are the whole file, matches and matched_lines are all there are.
        pub(crate) searched: SearchedBytes,
        /// How to go on; left out if nothing is left to search.
        pub(crate) next?: Option<NextSearch> [brief],
        flat pub(crate) content: ContentInfo,
        flat pub(crate) page: PageOfDocument,
        /// The counts of the content, for the budget of further files.
        skip pub(crate) stats: ContentStats,
    }

    /// The bytes that rread searched.
    #[derive(Clone, Copy, Debug, Default)]
    pub(crate) struct SearchedBytes: "searched" {
        /// The first byte.
        pub(crate) start_byte: u64,
        /// Past the last byte.
        pub(crate) end_byte: u64,
    }

    /// How to go on after a search: the same search in the rest of the file.
    #[derive(Clone, Debug)]
    pub(crate) struct NextSearch: "next_search" {
        /// The command.
        pub(crate) command: &'static str = "search",
        /// The value for --in.
        pub(crate) range: String,
        /// The command line, for people.
        skip pub(crate) line: String,
    }
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
