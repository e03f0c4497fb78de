//! Times of a log of which few lines begin a record.

use std::cmp::Reverse;

use jiff::civil::Date;

use super::{
    Candidate, FormatKind, Line, Shape, Text, candidates, is_indented, position, resolve_order, survey,
};

/// After a word, one of so many lines must have the time.
const MAX_RECORD_LINES: usize = 256;

/// A line with the time before its first word counts as so many with one after it.
const WEIGHT_OF_FIRST: usize = 4;

/// The format and position that two lines have, where the user says that it is a log; `skipped` are other lines between
/// them, which have no time. The lines that a record continues with may have dates too, so the times must rise, and one
/// before the first word counts more. If most lines begin with a clock, a date in some of them is of their text.
///
/// One line is enough if it is the first of the file, which `has_start`, and begins with its time.
pub(crate) fn sparse(
    samples: &[Vec<&[u8]>],
    skipped: usize,
    has_start: bool,
    kinds: &[FormatKind],
    latest: Option<Date>,
) -> Option<Shape> {
    let is_counted = |line: &&&[u8]| !line.trim_ascii().is_empty() && !is_indented(line);
    let texts: Vec<&[u8]> =
        samples.iter().flatten().filter(is_counted).map(|line| position::without_mark(line)).collect();
    let lines: Vec<Line<'_>> = texts.iter().map(|line| survey(Text::alone((*line, 0)), kinds)).collect();
    let total = lines.len() + skipped;
    if lines.iter().filter(|line| line.begins_with_clock).count() * 2 > total {
        return None;
    }
    let has = |line: &Line<'_>, candidate: &Candidate| {
        line.times.iter().any(|time| time.kind == candidate.kind && time.position == candidate.position)
    };
    let is_enough = |candidate: &Candidate| {
        let is_many = if candidate.is_unknown_member() {
            candidate.lines * 10 >= total * 9
        } else if candidate.is_first {
            candidate.lines >= 2 || (has_start && lines.first().is_some_and(|line| has(line, candidate)))
        } else {
            candidate.lines >= 2 && candidate.lines * MAX_RECORD_LINES >= total
        };
        kinds[candidate.kind].is_distinct() && is_many
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
    let best = candidates(&lines).into_iter().filter(is_enough).min_by_key(order)?;
    resolve_order((best.kind, best.position), kinds, &texts, latest)
}
