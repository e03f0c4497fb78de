//! The result of a search in a file, which stands among its facts.

use super::content::{ContentInfo, cut_by, cut_note};
use super::page_of_document::PageOfDocument;
use crate::content::ContentStats;
use crate::rows::rows;

rows! {
    /// The result of a search in a file.
    #[derive(Clone, Debug, Default)]
    pub struct SearchInfo {
        /// How many matches there are in the searched bytes; with -v, how many lines without one.
        pub matches: u64 [brief],
        /// How many lines have them.
        pub matched_lines: u64,
        /// How many of these lines the content shows.
        pub shown: u64,
        /// The bytes that rread searched. If they are the whole file, matches and matched_lines are all there are.
        pub searched: SearchedBytes,
        /// How to go on; left out if nothing is left to search.
        pub next?: Option<NextSearch> [brief],
        flat pub content: ContentInfo,
        flat pub page: PageOfDocument,
        /// The counts of the content, for the budget of further files.
        skip pub stats: ContentStats,
    }

    /// The bytes that rread searched.
    #[derive(Clone, Copy, Debug, Default)]
    pub struct SearchedBytes: "searched" {
        /// The first byte.
        pub start_byte: u64,
        /// Past the last byte.
        pub end_byte: u64,
    }

    /// How to go on after a search: the same search in the rest of the file.
    #[derive(Clone, Debug)]
    pub struct NextSearch: "next_search" {
        /// The command.
        pub command: &'static str = "search",
        /// The value for --in.
        pub range: String,
        /// The command line, for people.
        skip pub line: String,
    }
}

impl SearchInfo {
    pub fn is_truncated(&self) -> bool {
        cut_by(&self.stats).is_some()
    }

    /// A sentence about the budget that cut the content.
    pub fn cut_note(&self) -> Option<String> {
        cut_note(&self.stats, self.next.as_ref().map(|next| next.line.clone()))
    }
}
