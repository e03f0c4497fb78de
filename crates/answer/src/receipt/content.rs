//! The facts of the content: its length, cuts, invalid sequences, and how to go on.

use crate::content::tokens::THIRDS;
use crate::content::{ContentStats, CutBy};
use crate::continuation::Next;
use crate::rows::rows;

rows! {
    /// Invalid sequences in the part of the file that the content shows.
    #[derive(Clone, Copy, Debug)]
    pub struct InvalidInfo: "invalid" {
        /// How many there are.
        pub count: u64,
        /// The offset of the first one.
        pub first_byte?: Option<u64>,
    }

    /// The content of an answer.
    #[derive(Clone, Copy, Debug, Default)]
    pub struct ContentInfo {
        /// The length of the content in bytes of UTF-8, before it is escaped for JSON.
        pub content_bytes: u64 [brief_of_many no_tool],
        /// The tokens of the content, estimated without a tokenizer: 3 bytes a token, 1 for each CJK character. With
        /// --metadata-only, of the content that the call would return without it; also with --max-tokens.
        pub estimated_tokens?: Option<u64>,
        /// The budget that cut the content.
        pub cut_by?: Option<&'static str> = ["max_bytes", "max_tokens", "max_lines", "max_columns"] [brief],
        /// Lines that --max-columns clipped; left out if there are none.
        pub clipped_lines?: Option<u64> [brief],
        /// Sequences that are not valid in the encoding of the file, UTF-8 or not; left out if there are none.
        pub invalid_utf8?: Option<InvalidInfo> [brief],
    }
}

impl From<&ContentStats> for ContentInfo {
    fn from(stats: &ContentStats) -> Self {
        let invalid = InvalidInfo { count: stats.invalid.count, first_byte: stats.invalid.first_byte };
        ContentInfo {
            content_bytes: stats.content_bytes,
            estimated_tokens: stats.token_thirds.map(|thirds| thirds.div_ceil(THIRDS)),
            cut_by: cut_by(stats),
            clipped_lines: Some(stats.clipped_lines).filter(|lines| *lines > 0),
            invalid_utf8: Some(invalid).filter(|invalid| invalid.count > 0),
        }
    }
}

/// The budget that cut the content, in the words of receipts.
pub(super) fn cut_by(stats: &ContentStats) -> Option<&'static str> {
    match stats.cut {
        Some(CutBy::Bytes) => Some("max_bytes"),
        Some(CutBy::Lines) => Some("max_lines"),
        Some(CutBy::Tokens) => Some("max_tokens"),
        None if stats.clipped_lines > 0 => Some("max_columns"),
        None => None,
    }
}

/// A sentence about the budget that cut the content, and how to go on.
pub(super) fn cut_note(stats: &ContentStats, next: Option<String>) -> Option<String> {
    let option = cut_by(stats)?.replace('_', "-");
    let next = next.map_or(String::new(), |next| format!("; next: {next}"));
    let clipped = match stats.clipped_lines {
        0 => String::new(),
        lines => format!(" ({lines} clipped)"),
    };
    Some(format!("cut by --{option}{clipped}{next}"))
}

rows! {
    /// How to go on: the slice or page that follows, of the requested size.
    #[derive(Clone, Debug)]
    pub struct NextInfo: "next" {
        /// The command that takes the range.
        pub command: &'static str = ["bytes", "lines", "page"],
        /// The range in the form that the command takes, or the number of the page.
        pub range: String,
        /// The value for --align; left out if it is the default.
        pub align?: Option<&'static str>,
        /// The value for --page-size; left out if it is the default.
        pub page_size?: Option<u64>,
        /// Present if the command needs --bounded, because nothing follows after the range.
        pub bounded?: bool,
    }
}

impl From<Next> for NextInfo {
    fn from(next: Next) -> Self {
        NextInfo {
            command: next.command(),
            range: next.argument(),
            align: next.align(),
            page_size: next.page_size(),
            bounded: next.is_bounded(),
        }
    }
}
