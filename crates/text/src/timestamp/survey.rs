//! Which formats, at which positions, the lines of a log have: from samples of the file.

use std::cmp::Reverse;

use super::formats::{Evidence, FORMATS, Format};
use super::members::MEMBERS;
use super::position::{self, FormatKind, Shape, TimePosition};
use super::{members, order};

/// The most lines with text that are examined in each sample.
const MAX_SAMPLE_LINES: usize = 64;

/// The most formats and positions that are found in one sample.
const MAX_SHAPES: usize = 4;

/// A later number that is less by so much does not rise, in nanoseconds.
const SLACK: i64 = 10_000_000_000;

/// The condition under which lines are a log.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Rule {
    /// The user says that it is a log. At the beginning of lines, a quarter of the lines is enough, because a record may
    /// have many. Elsewhere, and for formats that are only numbers, more than half of the lines must have the format. Lines
    /// that begin with a blank do not count unless they have it: they continue a record. See also `sparse`.
    Log,
    /// Nobody says that it is one: more than half of the lines must have the format. Lines that begin with a blank do not
    /// count even if they have it: they may be a table of times in source code.
    Unnamed,
    /// The user names the format.
    Custom,
}

/// The place of a sample.
#[derive(Clone, Copy, PartialEq, Eq)]
enum SampleOrigin {
    /// In a file that may be a log.
    Unknown,
    /// In a log.
    InLog,
    /// In a log, with records between its lines.
    BetweenRecords,
}

/// A time in a line. Of dates that have one form and several orders, the format is the first.
pub(super) struct Time {
    pub(super) kind: usize,
    pub(super) position: TimePosition,
    /// The offset in the line; for a member, its rank.
    offset: usize,
    /// Whether no word is before it; a member is named, so it counts as first.
    is_first: bool,
    count: Option<i64>,
}

pub(super) struct Line {
    is_indented: bool,
    has_date: bool,
    pub(super) times: Vec<Time>,
}

impl Line {
    /// Whether the first format that the line has at this position is this one.
    fn is_read_by(&self, kind: usize, position: TimePosition) -> bool {
        let here = self.times.iter().filter(|time| time.position == position);
        here.map(|time| time.kind).min() == Some(kind)
    }
}

/// A format at a position, and the lines that have it.
#[derive(Clone, Copy)]
pub(super) struct Candidate {
    pub(super) kind: usize,
    pub(super) position: TimePosition,
    pub(super) lines: usize,
    indented_lines: usize,
    /// In the first line that has it.
    pub(super) offset: usize,
    pub(super) is_first: bool,
    last: Option<i64>,
    /// Pairs of numbers that follow each other, and those of them in which the second is not less.
    steps: usize,
    rises: usize,
    /// Pairs of numbers that follow each other and differ.
    pub(super) changes: usize,
}

impl Candidate {
    fn add(&mut self, time: &Time, is_indented: bool) {
        self.lines += 1;
        self.indented_lines += usize::from(is_indented);
        if let (Some(last), Some(count)) = (self.last, time.count) {
            self.steps += 1;
            self.rises += usize::from(count >= last.saturating_sub(SLACK));
            self.changes += usize::from(count != last);
        }
        self.last = time.count;
    }

    /// Random numbers rise in half of the steps, and those of a clock in nearly all: three quarters separate them.
    pub(super) fn rises(&self) -> bool {
        self.rises * 4 >= self.steps * 3
    }

    /// The better evidence is first: a date in a member, then a member or a date, then a number.
    pub(super) fn class(&self, kinds: &[FormatKind]) -> u8 {
        let evidence = kinds[self.kind].evidence();
        let is_number = matches!(evidence, Evidence::Number | Evidence::Fraction);
        match (self.position, is_number) {
            (TimePosition::Member(_), false) => 0,
            (TimePosition::Member(_), true) | (_, false) => 1,
            _ if evidence == Evidence::Fraction && self.is_first => 1,
            _ => 2,
        }
    }

    /// A varying position explains more lines than an offset that only happens to be the same, unless no word is before it.
    pub(super) fn is_same_by_chance(&self) -> bool {
        matches!(self.position, TimePosition::Offset { .. }) && !self.is_first
    }
}

/// The counts of a sample.
struct Sample<'a> {
    rule: Rule,
    kinds: &'a [FormatKind],
    /// Lines that do not begin with a blank.
    total: usize,
    /// The lines of `total` that no format reads yet.
    unread: usize,
    /// Lines with a date anywhere.
    dated: usize,
    /// Whether a format reads some of the lines.
    is_read: bool,
    is_between_records: bool,
}

impl Sample<'_> {
    /// Whether so many lines have it that the file is a log.
    fn is_enough(&self, candidate: &Candidate) -> bool {
        if self.is_read {
            return self.is_another(candidate);
        }
        if candidate.class(self.kinds) == 2 && (!candidate.rises() || self.dated * 2 > self.total) {
            return false;
        }
        let total = self.total + candidate.indented_lines;
        match (self.rule, self.kinds[candidate.kind].evidence()) {
            (Rule::Custom, _) => candidate.is_first || candidate.lines * 4 >= total,
            (Rule::Unnamed, _) => (candidate.lines - candidate.indented_lines) * 2 > self.total,
            (Rule::Log, Evidence::Marked) => candidate.lines * MAX_SAMPLE_LINES >= total,
            (Rule::Log, Evidence::Distinct) if candidate.is_first => candidate.lines * 4 >= total,
            (Rule::Log, _) => candidate.lines * 2 > total,
        }
    }

    /// Whether it is a format beside another one, and not a date in the lines that continue a record.
    fn is_another(&self, candidate: &Candidate) -> bool {
        let lines = candidate.lines - candidate.indented_lines;
        if candidate.class(self.kinds) == 2 || lines < 2 {
            return false;
        }
        let is_distinct =
            matches!(self.kinds[candidate.kind].evidence(), Evidence::Distinct | Evidence::Marked);
        let is_most = lines >= 4 && lines * 2 > self.unread && lines * 4 >= self.total;
        match self.rule {
            Rule::Custom => lines * 4 >= self.total,
            Rule::Log => (is_distinct && candidate.is_first) || (is_most && !self.is_between_records),
            Rule::Unnamed => is_most,
        }
    }
}

/// The formats and positions of all samples, in the order in which a line is read with them.
pub(super) fn shapes(samples: &[Vec<&[u8]>], kinds: &[FormatKind], rule: Rule) -> Vec<Shape> {
    let is_text = |line: &&&[u8]| !line.trim_ascii().is_empty();
    let samples: Vec<Vec<&[u8]>> = samples
        .iter()
        .map(|sample| sample.iter().filter(is_text).take(MAX_SAMPLE_LINES).copied().collect())
        .collect();
    let mut found: Vec<(usize, TimePosition)> = Vec::new();
    for sample in &samples {
        for shape in of_sample(sample, kinds, rule, &found, SampleOrigin::Unknown) {
            if !found.contains(&shape) {
                found.push(shape);
            }
        }
    }
    if rule == Rule::Custom && found.is_empty() {
        // The user's word is enough.
        let lines: Vec<Line> = samples.iter().flatten().map(|line| survey(line, kinds)).collect();
        let best = best(&lines.iter().collect::<Vec<_>>(), kinds, |_| true);
        found.extend(best.map(|candidate| (candidate.kind, candidate.position)));
    }
    keep_dates_or_one_number(&mut found, kinds);
    // The first of two formats at one position reads more of the time.
    let firsts: Vec<usize> = found
        .iter()
        .map(|(_, position)| found.iter().position(|(_, other)| other == position).unwrap_or(0))
        .collect();
    let mut order: Vec<usize> = (0..found.len()).collect();
    order.sort_by_key(|at| (firsts[*at], found[*at].0));
    order
        .into_iter()
        .filter_map(|at| Some(Shape { rank: at, ..resolve_order(found[at], kinds, &samples)? }))
        .collect()
}

/// The formats and positions that lines of a log have which those that are known do not read.
/// Lines that are `between_records` must have the time before their first word.
pub(super) fn more(
    known: &[Shape],
    lines: &[&[u8]],
    kinds: &[FormatKind],
    between_records: bool,
) -> Vec<Shape> {
    let known: Vec<(usize, TimePosition)> = known
        .iter()
        .filter_map(|shape| {
            Some((kinds.iter().position(|kind| kind.is_of_form(&shape.kind))?, shape.position))
        })
        .collect();
    let place = if between_records { SampleOrigin::BetweenRecords } else { SampleOrigin::InLog };
    let mut found = of_sample(lines, kinds, Rule::Log, &known, place);
    found.retain(|shape| !known.contains(shape) && !is_bare_number(shape, kinds));
    let samples = [lines.to_vec()];
    found.into_iter().filter_map(|shape| resolve_order(shape, kinds, &samples)).collect()
}

/// Numbers are times only where no line has a date, and of one kind.
fn keep_dates_or_one_number(found: &mut Vec<(usize, TimePosition)>, kinds: &[FormatKind]) {
    let is_bare = |shape: &(usize, TimePosition)| is_bare_number(shape, kinds);
    match found.first().copied() {
        Some(first) if found.iter().all(is_bare) => {
            let name = kinds[first.0].name();
            found.retain(|(kind, _)| kinds[*kind].name() == name);
        }
        _ if matches!(kinds, [FormatKind::Custom(_)]) => {}
        _ => found.retain(|shape| !is_bare(shape)),
    }
}

/// Whether it is a number without a name.
fn is_bare_number((kind, position): &(usize, TimePosition), kinds: &[FormatKind]) -> bool {
    match (kinds[*kind].evidence(), position) {
        (Evidence::Marked | Evidence::Distinct, _) | (_, TimePosition::Member(_)) => false,
        (Evidence::Fraction, TimePosition::Offset { offset, .. }) => *offset > 1,
        _ => true,
    }
}

/// The shape, with the order of its date; `None` if no line shows the order.
pub(super) fn resolve_order(
    (kind, position): (usize, TimePosition),
    kinds: &[FormatKind],
    samples: &[Vec<&[u8]>],
) -> Option<Shape> {
    let FormatKind::Known(format) = &kinds[kind] else {
        return Some(Shape { kind: kinds[kind].clone(), position, rank: 0 });
    };
    let rows = rows(format);
    if rows.len() == 1 {
        return Some(Shape { kind: FormatKind::Known(format), position, rank: 0 });
    }
    let text = |line: &&[u8]| position.read(line, |line, start| line.get(start..).map(<[u8]>::to_vec));
    let texts: Vec<Vec<u8>> = samples.iter().flatten().filter_map(text).collect();
    let format = order::resolve(&rows, texts.iter().map(Vec::as_slice))?;
    Some(Shape { kind: FormatKind::Known(format), position, rank: 0 })
}

/// The formats of the table with dates of the same form.
fn rows(format: &'static Format) -> Vec<&'static Format> {
    let Some((dates, _)) = format.order else { return vec![format] };
    FORMATS.iter().filter(|other| other.order.is_some_and(|(others, _)| others == dates)).collect()
}

/// The formats and positions that the sample adds to those that were found before.
fn of_sample(
    sample: &[&[u8]],
    kinds: &[FormatKind],
    rule: Rule,
    found: &[(usize, TimePosition)],
    place: SampleOrigin,
) -> Vec<(usize, TimePosition)> {
    let all = sample.iter().filter(|line| !is_indented(line)).count();
    // A number does not hide a date beside it.
    let dates: Vec<_> = found.iter().filter(|shape| !is_bare_number(shape, kinds)).collect();
    let is_unread = |line: &&&[u8]| !dates.iter().any(|shape| reads_here(line, **shape, kinds));
    let unread: Vec<&[u8]> = sample.iter().filter(is_unread).copied().collect();
    let is_read = place != SampleOrigin::Unknown || unread.len() < sample.len();
    let lines: Vec<Line> = unread.iter().map(|line| survey(line, kinds)).collect();
    let mut lines: Vec<&Line> = lines.iter().collect();
    let dated = lines.iter().filter(|line| line.has_date).count();
    let is_between_records = place == SampleOrigin::BetweenRecords;
    let mut state = Sample { rule, kinds, total: all, unread: 0, dated, is_read, is_between_records };
    let mut shapes = Vec::new();
    while shapes.len() < MAX_SHAPES {
        state.unread = lines.iter().filter(|line| !line.is_indented).count();
        let Some(next) = best(&lines, kinds, |candidate| state.is_enough(candidate)) else { break };
        shapes.push((next.kind, next.position));
        state.is_read = true;
        lines.retain(|line| !line.is_read_by(next.kind, next.position));
    }
    shapes
}

/// Whether the first format that the line has at the position is that of the shape.
fn reads_here(line: &[u8], (kind, position): (usize, TimePosition), kinds: &[FormatKind]) -> bool {
    let first =
        position.read(line, |line, start| match_kinds(line.get(start..)?, kinds).first().map(|(at, _)| *at));
    first == Some(kind)
}

pub(super) fn is_indented(line: &[u8]) -> bool {
    line.starts_with(b" ") || line.starts_with(b"\t")
}

/// The formats and positions of lines.
pub(super) fn candidates(lines: &[&Line]) -> Vec<Candidate> {
    let mut candidates: Vec<Candidate> = Vec::new();
    for line in lines {
        for time in &line.times {
            let is_same = |known: &&mut Candidate| known.kind == time.kind && known.position == time.position;
            if let Some(known) = candidates.iter_mut().find(is_same) {
                known.add(time, line.is_indented);
                continue;
            }
            let Time { kind, position, offset, is_first, .. } = *time;
            let mut new = Candidate {
                kind,
                position,
                offset,
                is_first,
                lines: 0,
                indented_lines: 0,
                last: None,
                steps: 0,
                rises: 0,
                changes: 0,
            };
            new.add(time, line.is_indented);
            candidates.push(new);
        }
    }
    candidates
}

/// The best candidate of those that are enough.
fn best(lines: &[&Line], kinds: &[FormatKind], is_enough: impl Fn(&Candidate) -> bool) -> Option<Candidate> {
    let order = |candidate: &Candidate| {
        (
            candidate.class(kinds),
            Reverse(candidate.lines),
            candidate.offset,
            candidate.is_same_by_chance(),
            candidate.kind,
        )
    };
    candidates(lines).into_iter().filter(is_enough).min_by_key(order)
}

/// The formats of all times at the beginning of a text, by their first row, in the order of the table.
fn match_kinds(text: &[u8], kinds: &[FormatKind]) -> Vec<(usize, Option<i64>)> {
    let mut found: Vec<(usize, Option<i64>)> = Vec::new();
    for (at, kind) in kinds.iter().enumerate() {
        let Some(count) = kind.matches(text) else { continue };
        let first = kinds.iter().position(|other| other.is_of_form(kind)).unwrap_or(at);
        if !found.iter().any(|(known, _)| *known == first) {
            found.push((first, count));
        }
    }
    found
}

/// The formats and positions of all times in a line.
pub(super) fn survey(line: &[u8], kinds: &[FormatKind]) -> Line {
    let mut times = Vec::new();
    for (rank, name) in MEMBERS.into_iter().enumerate() {
        let formats =
            members::member(line, name).and_then(|value| value.read(|text| Some(match_kinds(text, kinds))));
        let position = TimePosition::Member(name);
        times.extend(formats.unwrap_or_default().into_iter().map(|(kind, count)| Time {
            kind,
            position,
            offset: rank,
            is_first: true,
            count,
        }));
    }
    for offset in position::starts(line) {
        let is_first = !line[..offset].iter().any(u8::is_ascii_alphanumeric);
        for (kind, count) in match_kinds(&line[offset..], kinds) {
            let here = position::positions_at(line, offset);
            times.extend(here.map(|position| Time { kind, position, offset, is_first, count }));
        }
    }
    let is_date = |time: &Time| matches!(kinds[time.kind].evidence(), Evidence::Distinct | Evidence::Marked);
    let has_date = times.iter().any(is_date);
    Line { is_indented: is_indented(line), has_date, times }
}

/// After a word, one of so many lines must have the time.
const MAX_RECORD_LINES: usize = 256;

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
    kinds: &[FormatKind],
) -> Option<Shape> {
    let is_counted = |line: &&&[u8]| !line.trim_ascii().is_empty() && !is_indented(line);
    let lines: Vec<Line> =
        samples.iter().flatten().filter(is_counted).map(|line| survey(line, kinds)).collect();
    let total = lines.len() + skipped;
    let has = |line: &Line, candidate: &Candidate| {
        line.times.iter().any(|time| time.kind == candidate.kind && time.position == candidate.position)
    };
    let is_enough = |candidate: &Candidate| {
        let is_date = matches!(kinds[candidate.kind].evidence(), Evidence::Distinct | Evidence::Marked);
        let is_many = if candidate.is_first {
            candidate.lines >= 2 || (has_start && lines.first().is_some_and(|line| has(line, candidate)))
        } else {
            candidate.lines >= 2 && candidate.lines * MAX_RECORD_LINES >= total
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
    resolve_order((best.kind, best.position), kinds, samples)
}
