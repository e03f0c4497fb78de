//! The discipline of everything that rread infers: samples, a verdict, and what contradicts it. Its numbers are in one table of rules, each with its reason.

use std::ops::Range;

use crate::sentence::Sentence;

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

/// The answer of samples to a question: one, several that may be right, or none.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Verdict<T> {
    /// The candidate explains nearly all of the samples, and its nearest rival clearly less.
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
    /// The answer, if it is evident.
    pub fn evident(self) -> Option<T> {
        if let Verdict::Evident(answer) = self { Some(answer) } else { None }
    }

    /// All answers that may be right, the best first.
    pub fn candidates(self) -> Vec<T> {
        match self {
            Verdict::Evident(answer) => vec![answer],
            Verdict::Doubtful(answers) => answers,
            Verdict::None => Vec::new(),
        }
    }
}

/// The first place that a guess does not explain. Answers say it by the notice `guess_contradicted`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Contradiction {
    /// The guess, with its value: `encoding windows-1252`, `delimiter ;`.
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

/// When a candidate is evident. Shares are thousandths of what was seen.
#[derive(Clone, Copy, Debug)]
pub struct Rule {
    /// The question.
    pub what: &'static str,
    /// The least lines, records or letters that it must explain.
    pub least: u64,
    /// The least share of the samples that it must explain.
    pub share: u64,
    /// How many times the share of its nearest rival its own is at least.
    pub lead: u64,
    /// The reason, and the text that taught it.
    pub why: &'static str,
}

/// An encoding, by its letters beyond ASCII.
pub const ENCODING: Rule = Rule {
    what: "encoding",
    least: 5,
    share: 970,
    lead: 1,
    why: "a text has foreign names, so one letter in thirty may be that of another language; a list of five names is a text",
};

/// An East Asian encoding, by different characters and by those that are frequent in its language.
pub const ASIAN_FREQUENT: Rule = Rule {
    what: "East Asian encoding",
    least: 20,
    share: 200,
    lead: 3,
    why: "half of a text and a fourth of a list of names are frequent characters, one in twenty if it is read in another encoding. \
          A list of Japanese names in EUC-JP is valid GBK and costs less in it",
};

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
}
