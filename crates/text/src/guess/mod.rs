//! The discipline of everything that rread infers: samples, a verdict, and what contradicts it. The numbers are in [`rules`].

pub mod rules;

use std::ops::Range;

use crate::sentence::Sentence;
pub use rules::Rule;

/// The bytes of each sample.
pub const SAMPLE: u64 = crate::sniff::SAMPLE as u64;

/// The places of a file of `size` bytes that show what it is: its head, its middle and its end. They do not overlap.
pub fn places(size: u64) -> impl Iterator<Item = Range<u64>> {
    let end = size.saturating_sub(SAMPLE).max(SAMPLE.min(size));
    let middle = (size / 2).saturating_sub(SAMPLE / 2).max(SAMPLE.min(size)).min(end);
    let places = [0..size.min(SAMPLE), middle..end.min(middle + SAMPLE), end..size];
    places.into_iter().filter(|place| !place.is_empty())
}

/// The whole lines of a sample that begins at `at`: text before the first newline is part of a line that began earlier.
pub fn whole_lines(sample: &[u8], at: u64, is_end: bool) -> &[u8] {
    let start = if at == 0 { 0 } else { memchr::memchr(b'\n', sample).map_or(sample.len(), |end| end + 1) };
    let end = if is_end { sample.len() } else { memchr::memrchr(b'\n', sample).map_or(start, |end| end + 1) };
    sample.get(start..end.max(start)).unwrap_or_default()
}

/// What the samples say of a question: an answer, several that may be right, or none.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Verdict<T> {
    /// It explains nearly all of the samples, and its nearest rival clearly less.
    Evident(T),
    /// The candidates, the best first; a caller names them and decides nothing.
    Doubtful(Vec<T>),
    /// Nothing fits.
    None,
}

/// How much of the samples a candidate explains: lines, records, letters, whatever the question is about.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Evidence {
    /// The number of them that fit the candidate.
    pub explained: u64,
    /// The number of all of them.
    pub seen: u64,
}

impl Evidence {
    /// In thousandths of what was seen.
    pub fn share(self) -> u64 {
        self.explained * 1000 / self.seen.max(1)
    }
}

impl<T> Verdict<T> {
    /// The verdict of `rule` on `candidates` with their evidence. Those that explain nothing are no candidates.
    pub fn weigh(candidates: impl IntoIterator<Item = (T, Evidence)>, rule: &Rule) -> Self {
        let mut ranked: Vec<_> = candidates.into_iter().filter(|(_, found)| found.explained > 0).collect();
        // A stable sort: of two that are alike, the first is the better one.
        ranked.sort_by_key(|(_, found)| std::cmp::Reverse(found.share()));
        let Some((_, best)) = ranked.first() else { return Verdict::None };
        let rival = ranked.get(1).map_or(0, |(_, found)| found.share());
        let is_evident =
            best.explained >= rule.least && best.share() >= rule.share && best.share() >= rival + rule.lead;
        let mut candidates = ranked.into_iter().map(|(candidate, _)| candidate);
        match candidates.next() {
            Some(best) if is_evident => Verdict::Evident(best),
            Some(best) => Verdict::Doubtful(std::iter::once(best).chain(candidates).collect()),
            None => Verdict::None,
        }
    }

    /// The answer, if it is evident.
    pub fn evident(self) -> Option<T> {
        if let Verdict::Evident(answer) = self { Some(answer) } else { None }
    }
}

/// The first place that a guess does not explain. Answers say it by the notice `guess_contradicted`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Contradiction {
    /// What was guessed, with its value: `encoding windows-1252`, `delimiter ;`.
    pub guess: String,
    /// The line of the place, if it is known; from 1.
    pub line: Option<u64>,
    /// The offset of the place in the file, if it is known.
    pub byte: Option<u64>,
    /// The command that reads the file otherwise.
    pub otherwise: Option<Sentence>,
}

impl Contradiction {
    /// Keeps the one that comes first in the file.
    pub fn keep_first(kept: &mut Option<Contradiction>, new: Contradiction) {
        let place = |it: &Contradiction| (it.byte.unwrap_or(u64::MAX), it.line.unwrap_or(u64::MAX));
        if kept.as_ref().is_none_or(|kept| place(&new) < place(kept)) {
            *kept = Some(new);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn samples_lie_at_the_head_the_middle_and_the_end() {
        let lengths = |size| places(size).map(|place| place.end - place.start).collect::<Vec<_>>();
        for size in [0, 1, SAMPLE - 1, SAMPLE, SAMPLE + 1, 2 * SAMPLE, 3 * SAMPLE - 1, 3 * SAMPLE, 1 << 40] {
            let all: Vec<_> = places(size).collect();
            assert!(all.windows(2).all(|pair| pair[0].end <= pair[1].start), "{size}: {all:?}");
            assert_eq!(
                all.iter().map(|place| place.end - place.start).sum::<u64>(),
                size.min(3 * SAMPLE),
                "{all:?}"
            );
            assert_eq!(all.last().map_or(0, |place| place.end), size);
        }
        assert_eq!(lengths(1 << 40), [SAMPLE; 3]);
        assert_eq!(whole_lines(b"rt\nwhole\ncut", 5, false), b"whole\n");
        assert_eq!(whole_lines(b"first\nlast", 0, true), b"first\nlast");
        assert_eq!(whole_lines(b"no line", 5, false), b"");
    }

    #[test]
    fn a_verdict_needs_a_share_and_a_lead() {
        let rule = Rule { what: "x", least: 5, share: 900, lead: 200, why: "" };
        let found = |explained| Evidence { explained, seen: 10 };
        assert_eq!(Verdict::weigh([("a", found(2)), ("b", found(9))], &rule), Verdict::Evident("b"));
        assert_eq!(
            Verdict::weigh([("a", found(8)), ("b", found(9))], &rule),
            Verdict::Doubtful(vec!["b", "a"])
        );
        assert_eq!(Verdict::weigh([("a", found(8))], &rule), Verdict::Doubtful(vec!["a"]));
        assert_eq!(Verdict::weigh([("a", found(0))], &rule), Verdict::None);
        let few = Evidence { explained: 4, seen: 4 };
        assert_eq!(Verdict::weigh([("a", few)], &rule), Verdict::Doubtful(vec!["a"]));
    }
}
