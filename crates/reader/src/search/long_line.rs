//! Searching a line that is too long to be held: window by window, each overlapping the one before.

use super::matcher::LineMatcher;
use rread_text::error::Result;

/// Blocks (of 256 KiB) of a line that are held at once. Half of that is the overlap of two windows: in a line that is
/// not held, a longer match may be missed.
pub(crate) const HELD_BLOCKS: usize = 4;

/// Bytes of an escape sequence; a longer one is not one.
const LONGEST_SEQUENCE: usize = 4096;

const BACKSPACE: u8 = 8;

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
        let cut = |at: usize| if matcher.sees_screen() { between_sequences(window, at) } else { at };
        let edge = cut(window.len() / 2 / LOOK_BEHIND * LOOK_BEHIND);
        let dropped = cut(edge.saturating_sub(LOOK_BEHIND));
        let text = matcher.text(window, offset);
        let length = |bytes: usize| matcher.text(&window[..bytes], offset).len();
        let (text_edge, text_dropped) = (length(edge), length(dropped));
        self.skip(matcher, window, offset);
        self.count(matcher, &text, Some(text_edge), &|at| matcher.source_offset(window, offset, at))?;
        self.from = self.from.max(text_edge).saturating_sub(text_dropped);
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

/// The last place in `window` up to `at` that is not inside an escape sequence or between characters that are printed over
/// each other, if it is near: what the screen shows of both sides is what it shows of the whole.
fn between_sequences(window: &[u8], at: usize) -> usize {
    // In a small window too, each step goes forward.
    let near = at.saturating_sub(LONGEST_SEQUENCE.min(at / 2));
    // Before a sequence, what came before it has ended.
    if let Some(sequence) = memchr::memrchr(b'\x1b', &window[near..at]) {
        return near + sequence;
    }
    let is_between = |place: &usize| {
        let is_start = window.get(*place).is_none_or(|byte| *byte != BACKSPACE && byte & 0xC0 != 0x80);
        is_start && window[place - 1] != BACKSPACE
    };
    let has_overstrikes = window[near..window.len().min(at + 1)].contains(&BACKSPACE);
    (near + 1..=at).rev().find(is_between).filter(|_| has_overstrikes).unwrap_or(at)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::search::pattern::Pattern;
    use rread_text::encoding::Encoding;

    /// `text` without the sequences of colors.
    fn strip(text: &[u8]) -> Option<Vec<u8>> {
        let (mut out, mut rest) = (Vec::new(), text);
        while let Some(first) = rest.first() {
            let params = rest.strip_prefix(b"\x1b[").unwrap_or_default();
            let length = params.iter().take_while(|byte| byte.is_ascii_digit()).count();
            if rest.starts_with(b"\x1b[") && params.get(length) == Some(&b'm') {
                rest = &rest[length + 3..];
            } else {
                out.push(*first);
                rest = &rest[1..];
            }
        }
        (out.len() < text.len()).then_some(out)
    }

    proptest! {
        /// Windows that cut sequences have the matches of the whole line.
        #[test]
        fn sequences_at_the_edges_of_windows_hide_no_match(
            parts in prop::collection::vec(prop::sample::select(vec!["needle", "nee\x1b[31mdle", "\x1b[m", "word ", "\x1b[12345m", "x"]), 1..600),
            size in 200usize..900,
        ) {
            let line = parts.concat().into_bytes();
            let pattern = Pattern { patterns: vec!["needle".to_owned()], seen: Some(strip), ..Pattern::default() };
            let matcher = LineMatcher::new(&pattern, Encoding::Utf8, false).unwrap();
            let mut search = LongLineSearch::new(0, 0, true);
            let mut at = 0;
            while line.len() - at > size {
                let dropped = search.slide(&matcher, &line[at..at + size], at as u64).unwrap();
                prop_assert!(dropped > 0);
                at += dropped;
            }
            search.finish(&matcher, &line[at..], at as u64).unwrap();
            let seen = strip(&line).unwrap_or_else(|| line.clone());
            let expected = String::from_utf8(seen).unwrap().matches("needle").count();
            prop_assert_eq!(search.matches, expected as u64);
        }
    }
}
