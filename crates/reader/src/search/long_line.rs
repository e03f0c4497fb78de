//! Searching a line that is too long to be held: window by window, each overlapping the one before.

use super::matcher::LineMatcher;
use rread_text::error::Result;

/// Blocks (of 256 KiB) of a line that are held at once. Half of that is the overlap of two windows: in a line that is
/// not held, a longer match may be missed.
pub(crate) const HELD_BLOCKS: usize = 4;

/// Bytes before a match that may decide about it: one character of any encoding.
const LOOK_BEHIND: usize = 8;

/// The search of one long line.
#[derive(Clone, Copy, Debug)]
pub(super) struct LongLineSearch {
    /// The offset of the line in the file.
    pub(super) start: u64,
    /// Matches so far.
    pub(super) matches: u64,
    /// The offset of the first of them in the file.
    pub(super) first: Option<u64>,
    /// The search goes on here in the text of the window.
    from: usize,
    /// The end of the last match in that text.
    last_end: Option<usize>,
    /// Matches that begin before this offset do not count.
    skip_to: u64,
    /// Whether all matches are counted; otherwise the first one ends the search.
    counts_all: bool,
}

impl LongLineSearch {
    pub(super) fn new(start: u64, skip_to: u64, counts_all: bool) -> Self {
        LongLineSearch { start, matches: 0, first: None, from: 0, last_end: None, skip_to, counts_all }
    }

    /// Passes over what does not count in the `window` at `offset`.
    fn skip(&mut self, matcher: &LineMatcher, window: &[u8], offset: u64) {
        let skipped = usize::try_from(self.skip_to.saturating_sub(offset)).unwrap_or(usize::MAX);
        if skipped > 0 {
            self.from = self.from.max(matcher.text(&window[..skipped.min(window.len())], offset).len());
        }
    }

    /// Counts the matches that begin in the part of `window` that the next one will not show; returns the length of that
    /// part. `offset` is the window's place in the file.
    pub(super) fn slide(&mut self, matcher: &LineMatcher, window: &[u8], offset: u64) -> Result<usize> {
        let edge = window.len() / 2 / LOOK_BEHIND * LOOK_BEHIND;
        let dropped = edge.saturating_sub(LOOK_BEHIND);
        let text = matcher.text(window, offset);
        let length = |bytes: usize| matcher.text(&window[..bytes], offset).len();
        let (text_edge, text_dropped) = (length(edge), length(dropped));
        self.skip(matcher, window, offset);
        self.count(matcher, &text, Some(text_edge), &|at| matcher.source_offset(window, offset, at))?;
        self.from = self.from.max(text_edge) - text_dropped;
        self.last_end = self.last_end.and_then(|end| end.checked_sub(text_dropped));
        Ok(dropped)
    }

    /// Counts the matches in the last `window` of the line.
    pub(super) fn finish(&mut self, matcher: &LineMatcher, window: &[u8], offset: u64) -> Result<()> {
        let text = matcher.text(window, offset);
        let body = matcher.without_end(&text);
        self.skip(matcher, window, offset);
        self.count(matcher, body, None, &|at| matcher.source_offset(window, offset, at))
    }

    /// Counts the matches in `text` that begin before `edge`, or all at the end of the line.
    fn count(
        &mut self,
        matcher: &LineMatcher,
        text: &[u8],
        edge: Option<usize>,
        offset: &dyn Fn(usize) -> u64,
    ) -> Result<()> {
        if self.first.is_some() && !self.counts_all {
            return Ok(());
        }
        let (mut first, mut matches, mut from, mut last_end) = (None, 0, self.from, self.last_end);
        matcher.matches_in_part(text, from, last_end, edge.is_some(), &mut |found| {
            if edge.is_some_and(|edge| found.start >= edge) {
                return false;
            }
            first = first.or(Some(found.start));
            matches += 1;
            last_end = Some(found.end);
            // An empty match must not be found again.
            from = found.end + usize::from(found.is_empty());
            self.counts_all
        })?;
        (self.from, self.last_end, self.matches) = (from, last_end, self.matches + matches);
        self.first = self.first.or(first.map(offset));
        Ok(())
    }
}
