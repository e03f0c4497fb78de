//! The format of a log of which few lines begin a record, because records have many lines.

use std::cmp::Reverse;

use super::formats::Evidence;
use super::shape::{Kind, Shape};
use super::survey::{Candidate, Line, candidates, is_indented, resolved, surveyed};

/// After a word, one of so many lines must have the time.
const MOST_LINES_OF_A_RECORD: usize = 256;

/// A line with the time before its first word counts as so many with one after it.
const WEIGHT_OF_FIRST: usize = 4;

/// The format and position that two lines have, where the user says that it is a log; `skipped` are other lines between
/// them, which have no time. The lines that a record continues with may have dates too, so the times must rise, and one
/// before the first word counts more.
///
/// One line is enough if it is the first of the file, which `has_start`, and begins with its time.
pub(super) fn sparse(
    samples: &[Vec<&[u8]>],
    skipped: usize,
    has_start: bool,
    kinds: &[Kind],
) -> Option<Shape> {
    let is_counted = |line: &&&[u8]| !line.trim_ascii().is_empty() && !is_indented(line);
    let lines: Vec<Line> =
        samples.iter().flatten().filter(is_counted).map(|line| surveyed(line, kinds)).collect();
    let total = lines.len() + skipped;
    let has = |line: &Line, candidate: &Candidate| {
        line.times.iter().any(|time| time.kind == candidate.kind && time.position == candidate.position)
    };
    let is_enough = |candidate: &Candidate| {
        let is_date = matches!(kinds[candidate.kind].evidence(), Evidence::Distinct | Evidence::Marked);
        let is_many = if candidate.is_first {
            candidate.lines >= 2 || (has_start && lines.first().is_some_and(|line| has(line, candidate)))
        } else {
            candidate.lines >= 2 && candidate.lines * MOST_LINES_OF_A_RECORD >= total
        };
        is_date && is_many
    };
    let order = |candidate: &Candidate| {
        let weight = if candidate.is_first { WEIGHT_OF_FIRST } else { 1 };
        (
            candidate.class(kinds),
            !candidate.rises(),
            Reverse(candidate.lines * weight),
            Reverse(candidate.changes),
            candidate.offset,
            candidate.is_same_by_chance(),
            candidate.kind,
        )
    };
    let all: Vec<&Line> = lines.iter().collect();
    let best = candidates(&all).into_iter().filter(is_enough).min_by_key(order)?;
    resolved((best.kind, best.position), kinds, samples)
}
