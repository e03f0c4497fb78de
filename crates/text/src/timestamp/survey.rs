//! Which formats, at which positions, the lines of a log have: from samples of the file.
//!
//! Each line has candidates: a format at a position. What speaks for a candidate is the share of the lines of its sources that
//! have it, that its times rise, and that they lie between those of the records around it. What speaks against it is a
//! rival that reads more of the same text, or a clock at the beginning of the lines.

pub(super) mod sparse;

use std::cmp::Reverse;

use jiff::civil::Date;

use super::formats::Evidence;
use super::order::resolve_order;
use super::pattern::{begins_with_clock, is_indented};
use super::position::{
    self, FormatKind, Matched, Prefix, Prefixes, Shape, TimePosition, is_bare_number, is_object,
    keep_dates_or_one_number, match_kinds, named_values,
};
use super::strptime::has_date;

/// The most lines with text that are examined in each sample.
const MAX_SAMPLE_LINES: usize = 64;

/// The most formats and positions that are found in one sample.
const MAX_SHAPES: usize = 32;

/// A later number that is less by so much does not rise, in nanoseconds.
const SLACK: i64 = 10_000_000_000;

/// Times of two records that follow each other are not so far apart, in nanoseconds: a year.
const MAX_STEP: i64 = 366 * 24 * 3600 * 1_000_000_000;

/// The zones of two formats may differ by so much, in nanoseconds: two days.
const APART: i64 = 48 * 3600 * 1_000_000_000;

/// A time behind words, or in a member with any name, may be one that a record tells, if it is not so near: two seconds.
const NEAR: i64 = 2_000_000_000;

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

/// A line without its prefix, and what is known of its place.
#[derive(Clone, Copy)]
struct Text<'l> {
    line: &'l [u8],
    source: usize,
    /// The ranks of the records before and after it, as far as they are known.
    before: Option<i64>,
    after: Option<i64>,
}

impl<'l> Text<'l> {
    fn alone((line, source): (&'l [u8], usize)) -> Self {
        Text { line, source, before: None, after: None }
    }
}

/// A line of a log that no format of it reads, with the times of the records around it.
#[derive(Clone, Copy, Debug)]
pub struct UnreadLine<'l> {
    /// The line, or as much of it as its time needs.
    pub line: &'l [u8],
    /// The time of the record before it, if known.
    pub before: Option<jiff::Timestamp>,
    /// The time of the record after it, if known.
    pub after: Option<jiff::Timestamp>,
}

/// A time in a line. Of dates that have one form and several orders, the format is the first.
pub(super) struct Time {
    pub(super) kind: usize,
    pub(super) position: TimePosition,
    /// The offset in the line; for a member, its rank.
    offset: usize,
    /// Whether no word is before it; a member is named, so it counts as first.
    is_first: bool,
    /// How far from the times of the records around it the time of a record may be, in nanoseconds.
    apart: i64,
    matched: Matched,
}

impl Time {
    /// Whether it lies between the records around it, but for the zones. A row of data has its own date.
    fn fits(&self, text: &Text<'_>) -> bool {
        let Some(rank) = self.matched.rank.filter(|_| self.matched.has_year) else { return true };
        text.before.is_none_or(|before| rank >= before.saturating_sub(self.apart))
            && text.after.is_none_or(|after| rank <= after.saturating_add(self.apart))
    }
}

pub(super) struct Line<'l> {
    text: Text<'l>,
    is_indented: bool,
    has_date: bool,
    begins_with_clock: bool,
    pub(super) times: Vec<Time>,
}

impl Line<'_> {
    /// Whether the first format that the line has at this position is this one.
    fn is_read_by(&self, kind: usize, position: TimePosition) -> bool {
        let here = self.times.iter().filter(|time| time.position == position);
        here.map(|time| time.kind).min() == Some(kind)
    }
}

/// A format at a position, and the lines that have it.
#[derive(Clone)]
pub(super) struct Candidate {
    pub(super) kind: usize,
    pub(super) position: TimePosition,
    pub(super) lines: usize,
    indented_lines: usize,
    /// In the first line that has it.
    pub(super) offset: usize,
    pub(super) is_first: bool,
    /// The sources that have it.
    sources: Vec<usize>,
    /// The lines with times that do not lie between the records around them.
    misfits: usize,
    /// Whether the records around one of its lines have times with years.
    is_held: bool,
    first: Option<i64>,
    last: Option<i64>,
    /// Pairs of numbers that follow each other and differ, and those of them in which the second is a little more.
    pub(super) changes: usize,
    rises: usize,
}

impl Candidate {
    /// The candidate of times of one format at one position, with their lines.
    fn of(found: &[(&Time, &Line<'_>)]) -> Option<Self> {
        let Time { kind, position, offset, is_first, .. } = *found.first()?.0;
        let rank = |at: usize| found.get(at)?.0.matched.rank;
        let count =
            |is: fn(&Time, &Line<'_>) -> bool| found.iter().filter(|(time, line)| is(time, line)).count();
        let mut sources: Vec<usize> = found.iter().map(|(_, line)| line.text.source).collect();
        sources.sort_unstable();
        sources.dedup();
        let steps = (1..found.len()).filter_map(|at| Some(rank(at)?.saturating_sub(rank(at - 1)?)));
        let steps: Vec<i64> = steps.filter(|step| *step != 0).collect();
        Some(Candidate {
            kind,
            position,
            lines: found.len(),
            indented_lines: count(|_, line| line.is_indented),
            offset,
            is_first,
            sources,
            misfits: count(|time, line| !time.fits(&line.text)),
            is_held: count(|_, line| line.text.before.or(line.text.after).is_some()) > 0,
            first: (0..found.len()).find_map(rank),
            last: rank(found.len() - 1),
            changes: steps.len(),
            rises: steps.iter().filter(|step| (-SLACK..MAX_STEP).contains(*step)).count(),
        })
    }

    /// Random numbers rise in half of the steps, and those of a clock in nearly all: three quarters separate them. Nor do
    /// times end before they begin.
    pub(super) fn rises(&self) -> bool {
        let ends_later =
            self.first.zip(self.last).is_none_or(|(first, last)| last >= first.saturating_sub(SLACK));
        self.rises * 4 >= self.changes * 3 && ends_later
    }

    fn member(&self) -> Option<super::position::MemberName> {
        if let TimePosition::Member(name) = self.position { Some(name) } else { None }
    }

    fn is_unknown_member(&self) -> bool {
        self.member().is_some_and(|name| name.known().is_none())
    }

    /// The better evidence is first: a date in a member that most logs have, then a member or a date, then a number.
    pub(super) fn class(&self, kinds: &[FormatKind]) -> u8 {
        let evidence = kinds[self.kind].evidence();
        let is_number = matches!(evidence, Evidence::Number | Evidence::Fraction);
        match (self.member(), is_number) {
            (Some(name), true) if name.known().is_none() => 2,
            (Some(name), false) if name.known().is_some() => 0,
            (Some(_), true) | (_, false) => 1,
            _ if evidence == Evidence::Fraction && self.is_first => 1,
            _ => 2,
        }
    }

    /// A varying position explains more lines than an offset that only happens to be the same, unless no word is before it.
    pub(super) fn is_same_by_chance(&self) -> bool {
        matches!(self.position, TimePosition::Offset { .. }) && !self.is_first
    }
}

/// The counts of a sample, of which those of lines are by source.
struct Sample<'a> {
    rule: Rule,
    kinds: &'a [FormatKind],
    /// Lines that do not begin with a blank.
    total: Vec<usize>,
    /// The lines of `total` that no format reads yet, and those of them that are objects of JSON.
    unread: Vec<usize>,
    objects: Vec<usize>,
    /// Lines with a date anywhere, and those that begin with a clock and have none.
    dated: usize,
    clocks: usize,
    /// Whether a format reads some of the lines.
    is_read: bool,
    is_between_records: bool,
    has_sources: bool,
}

impl Sample<'_> {
    /// The lines of the sources that have the candidate.
    fn of_sources(candidate: &Candidate, lines: &[usize]) -> usize {
        candidate.sources.iter().filter_map(|source| lines.get(*source)).sum()
    }

    /// Whether so many lines have it that the file is a log.
    fn is_enough(&self, candidate: &Candidate) -> bool {
        let total = Self::of_sources(candidate, &self.total) + candidate.indented_lines;
        // A member with another name is the time only if nearly all objects have it; lines between them continue a record.
        let (unread, objects) =
            (Self::of_sources(candidate, &self.unread), Self::of_sources(candidate, &self.objects));
        let alike = if objects * 2 > unread { objects } else { unread };
        let is_named = !candidate.is_unknown_member() || candidate.lines * 10 >= alike * 9;
        // A date in an inner object is that of the record if it goes on.
        let goes_on = candidate.lines < 3 || candidate.changes > 0 && candidate.rises();
        let is_inner = objects * 2 > unread && candidate.member().is_none();
        if !is_named || candidate.misfits * 2 > candidate.lines || is_inner && !goes_on {
            return false;
        }
        if self.is_read {
            return self.is_another(candidate, total);
        }
        let all: usize = self.total.iter().sum();
        if candidate.class(self.kinds) == 2 {
            let is_named = candidate.member().is_none_or(|name| name.known().is_some() || name.names_time());
            let is_clock_elsewhere = !candidate.is_first && self.clocks * 4 > all;
            if !candidate.rises() || self.dated * 2 > all || is_clock_elsewhere || !is_named {
                return false;
            }
        }
        match (self.rule, self.kinds[candidate.kind].evidence()) {
            (Rule::Custom, _) => candidate.is_first || candidate.lines * 4 >= total,
            (Rule::Unnamed, _) => {
                (candidate.lines - candidate.indented_lines) * 2 > total - candidate.indented_lines
            }
            (Rule::Log, Evidence::Marked) => candidate.lines * MAX_SAMPLE_LINES >= total,
            (Rule::Log, Evidence::Distinct) if candidate.is_first && self.clocks <= candidate.lines => {
                candidate.lines * 4 >= total
            }
            (Rule::Log, _) => candidate.lines * 2 > total,
        }
    }

    /// Whether it is a format beside another one, and not a date in the lines that continue a record.
    fn is_another(&self, candidate: &Candidate, total: usize) -> bool {
        let lines = candidate.lines - candidate.indented_lines;
        if candidate.class(self.kinds) == 2 || lines == 0 {
            return false;
        }
        let least = if self.has_sources { 2 } else { 4 };
        let is_most =
            lines >= least && lines * 2 > Self::of_sources(candidate, &self.unread) && lines * 4 >= total;
        let kind = &self.kinds[candidate.kind];
        let is_named = candidate.member().is_some_and(|name| name.known().is_some());
        let is_access = kind.is_of_access_logs() && candidate.is_held;
        // Without records around it that have a year, a row of data has only its bracket before its date.
        let begins_records = (kind.is_distinct() || is_named && candidate.is_held)
            && (candidate.is_first || is_access)
            && (candidate.offset == 0 || candidate.is_held || candidate.member().is_some())
            && (lines >= 2 || lines * 4 >= total)
            && !candidate.is_unknown_member();
        // Records of another program, such as the one that started this, have no others beside them.
        let are_all = lines >= 4
            && candidate.misfits == 0
            && candidate.is_held
            && kind.is_distinct()
            && lines == Self::of_sources(candidate, &self.unread);
        match self.rule {
            Rule::Custom => lines * 4 >= total,
            Rule::Log => {
                begins_records || are_all || (is_most && (self.has_sources || !self.is_between_records))
            }
            Rule::Unnamed => is_most,
        }
    }
}

/// The formats and positions of all samples, in the order in which a line is read with them, after the prefix that lines
/// have: one that reads more, or others that may be one. `latest` is the day after which no line was written.
pub(super) fn shapes(
    samples: &[Vec<&[u8]>],
    kinds: &[FormatKind],
    rule: Rule,
    latest: Option<Date>,
) -> (Vec<Shape>, Prefixes) {
    let is_text = |line: &&&[u8]| !line.trim_ascii().is_empty();
    let samples: Vec<Vec<&[u8]>> = samples
        .iter()
        .map(|sample| {
            let lines = sample.iter().filter(is_text).take(MAX_SAMPLE_LINES);
            lines.map(|line| position::without_mark(line)).collect()
        })
        .collect();
    let lines: Vec<&[u8]> = samples.iter().flatten().copied().filter(|line| !is_indented(line)).collect();
    let (mut best, mut read, mut prefix) = (Vec::new(), 0, None);
    let are_objects = position::are_before_objects(&lines);
    // A prefix must read more: a tenth of the lines, so that it is not one by chance.
    for candidate in std::iter::once(None).chain(position::of_lines(&lines).map(Some)) {
        let is_of_services = candidate.is_some_and(|prefix| position::is_of_services(prefix, &lines));
        let is_read = read * 10 >= lines.len() * 9 && !(are_objects && prefix.is_none());
        if candidate.is_some() && is_read && !is_of_services {
            continue;
        }
        let samples = position::sources(&samples, candidate);
        let shapes = of_samples(&samples, kinds, rule, candidate.is_some());
        let reads = |text: &[u8]| shapes.iter().any(|shape| reads_here(text, *shape, kinds).is_some());
        let count = samples.iter().flatten().filter(|(text, _)| !is_indented(text) && reads(text)).count();
        let objects = samples.iter().flatten().filter(|(text, _)| is_object(text)).count();
        let is_of_objects = are_objects && prefix.is_none() && objects * 2 > lines.len();
        let least = if is_of_services && prefix.is_none() { read * 10 } else { read * 10 + lines.len() };
        if candidate.is_none() || (count * 10 >= least || is_of_objects) && count * 2 > lines.len() {
            (best, read, prefix) = (resolved(shapes, kinds, &samples, latest), count, candidate);
        }
    }
    let taken = prefix.filter(|_| read > 0);
    let others = if taken.is_none() { position::of_lines(&lines).collect() } else { Vec::new() };
    (best, Prefixes { taken, others })
}

/// The formats and positions of samples without their prefix.
fn of_samples<'l>(
    samples: &[Vec<(&'l [u8], usize)>],
    kinds: &[FormatKind],
    rule: Rule,
    has_sources: bool,
) -> Vec<(usize, TimePosition)> {
    let mut found: Vec<(usize, TimePosition)> = Vec::new();
    let add = |lines: &[(&[u8], usize)], found: &mut Vec<_>| {
        let texts: Vec<Text<'_>> = lines.iter().copied().map(Text::alone).collect();
        let shapes = of_sample(&texts, kinds, rule, found, SampleOrigin::Unknown, has_sources);
        shapes.into_iter().for_each(|shape| {
            if !found.contains(&shape) {
                found.push(shape);
            }
        });
    };
    samples.iter().for_each(|sample| add(sample, &mut found));
    if has_sources {
        // A sample may have few lines of each source.
        add(&samples.concat(), &mut found);
    }
    let all = samples.concat();
    let surveyed = |lines: &[(&'l [u8], usize)]| -> Vec<Line<'l>> {
        lines.iter().map(|line| survey(Text::alone(*line), kinds)).collect()
    };
    if rule == Rule::Custom && found.is_empty() {
        // The user's word is enough.
        let lines = surveyed(&all);
        let best = best(&lines, kinds, |_| true);
        found.extend(best.map(|candidate| (candidate.kind, candidate.position)));
    }
    if rule == Rule::Log && !found.is_empty() {
        // The first line of a file begins a record, whatever the others are.
        let first = samples.iter().flatten().next().map(|line| surveyed(&[*line])).unwrap_or_default();
        let is_new =
            |line: &&Line<'_>| !found.iter().any(|shape| reads_here(line.text.line, *shape, kinds).is_some());
        let begins = first.iter().filter(is_new).flat_map(|line| &line.times).find(|time| {
            time.is_first
                && kinds[time.kind].is_distinct()
                && !matches!(time.position, TimePosition::Member(_))
        });
        found.extend(begins.map(|time| (time.kind, time.position)));
    }
    keep_dates_or_one_number(&mut found, kinds);
    let is_bare = found.iter().all(|shape| is_bare_number(shape, kinds));
    let all = if is_bare { surveyed(&all) } else { Vec::new() };
    let rises = |shape: &(usize, TimePosition)| {
        let same = candidates(&all);
        let mut same = same.iter().filter(|candidate| (candidate.kind, candidate.position) == *shape);
        rule == Rule::Custom || all.is_empty() || same.all(Candidate::rises)
    };
    found.retain(rises);
    found
}

/// The shapes with the orders of their dates, in the order in which a line is read.
fn resolved(
    found: Vec<(usize, TimePosition)>,
    kinds: &[FormatKind],
    samples: &[Vec<(&[u8], usize)>],
    latest: Option<Date>,
) -> Vec<Shape> {
    let texts: Vec<&[u8]> = samples.iter().flatten().map(|(line, _)| *line).collect();
    // The first of two formats at one position reads more of the time.
    let firsts: Vec<usize> = found
        .iter()
        .map(|(_, position)| found.iter().position(|(_, other)| other == position).unwrap_or(0))
        .collect();
    let mut order: Vec<usize> = (0..found.len()).collect();
    order.sort_by_key(|at| (firsts[*at], found[*at].0));
    let shape = |at: usize| Some(Shape { rank: at, ..resolve_order(found[at], kinds, &texts, latest)? });
    let (read, unread): (Vec<_>, Vec<_>) =
        order.into_iter().map(|at| (at, shape(at))).partition(|(_, shape)| shape.is_some());
    // Many records whose dates have no order are not lines of the others.
    let is_lost = |text: &&&[u8]| unread.iter().any(|(at, _)| reads_here(text, found[*at], kinds).is_some());
    let is_doubtful = texts.iter().filter(is_lost).count() * 4 > texts.len();
    if is_doubtful { Vec::new() } else { read.into_iter().filter_map(|(_, shape)| shape).collect() }
}

/// The formats and positions that lines of a log have which those that are known do not read.
/// Lines that are `between_records` must have the time before their first word.
pub(super) fn more(
    known: &[Shape],
    prefix: Option<Prefix>,
    lines: &[UnreadLine<'_>],
    kinds: &[FormatKind],
    between_records: bool,
    latest: Option<Date>,
) -> Vec<Shape> {
    let known: Vec<(usize, TimePosition)> = known
        .iter()
        .filter_map(|shape| {
            Some((kinds.iter().position(|kind| kind.is_of_form(&shape.kind))?, shape.position))
        })
        .collect();
    let place = if between_records { SampleOrigin::BetweenRecords } else { SampleOrigin::InLog };
    let marked: Vec<&[u8]> = lines.iter().map(|unread| position::without_mark(unread.line)).collect();
    let texts = position::sources(&[marked], prefix).concat();
    let texts: Vec<Text<'_>> = texts
        .iter()
        .zip(lines)
        .map(|((line, source), unread)| {
            let (before, after) = (unread.before.map(position::rank_of), unread.after.map(position::rank_of));
            Text { line, source: *source, before, after }
        })
        .collect();
    let mut found = of_sample(&texts, kinds, Rule::Log, &known, place, prefix.is_some());
    found.retain(|shape| !known.contains(shape) && !is_bare_number(shape, kinds));
    let texts: Vec<&[u8]> = texts.iter().map(|text| text.line).collect();
    found.into_iter().filter_map(|shape| resolve_order(shape, kinds, &texts, latest)).collect()
}

/// Whether a line looks like a record, though no format reads it: it begins with a date and a clock that lie between
/// those of the records around it.
pub(super) fn is_like_record(unread: UnreadLine<'_>, prefixes: &Prefixes, kinds: &[FormatKind]) -> bool {
    let line = position::without_mark(unread.line);
    let body = |prefix: &Prefix| Some(prefix.split(line)?.1);
    let whole = prefixes.taken.as_ref().and_then(body).unwrap_or(line);
    let mut bodies = std::iter::once(whole).chain(prefixes.others.iter().filter_map(body));
    bodies.any(|line| is_body_of_record(UnreadLine { line, ..unread }, kinds))
}

fn is_body_of_record(unread: UnreadLine<'_>, kinds: &[FormatKind]) -> bool {
    let (before, after) = (unread.before.map(position::rank_of), unread.after.map(position::rank_of));
    let line = survey(Text { line: unread.line, source: 0, before, after }, kinds);
    let begins = |time: &Time| {
        let is_member = matches!(time.position, TimePosition::Member(name) if name.known().is_none());
        let kind = &kinds[time.kind];
        (time.is_first || kind.is_of_access_logs())
            && !is_member
            && time.matched.has_year
            && (kind.is_distinct() || matches!(time.position, TimePosition::Member(_)))
            && time.fits(&line.text)
    };
    !line.is_indented && line.times.iter().any(begins)
}

/// The formats and positions that the sample adds to those that were found before.
fn of_sample(
    sample: &[Text<'_>],
    kinds: &[FormatKind],
    rule: Rule,
    found: &[(usize, TimePosition)],
    place: SampleOrigin,
    has_sources: bool,
) -> Vec<(usize, TimePosition)> {
    // A number does not hide a date beside it.
    let dates: Vec<_> = found.iter().filter(|shape| !is_bare_number(shape, kinds)).collect();
    let mut sample: Vec<Text<'_>> = sample.to_vec();
    let ranks: Vec<Option<Matched>> = sample
        .iter()
        .map(|text| dates.iter().find_map(|shape| reads_here(text.line, **shape, kinds)))
        .collect();
    set_around(
        &mut sample,
        ranks.iter().map(|matched| matched.filter(|it| it.has_year).and_then(|it| it.rank)),
    );
    let by_source = |lines: &mut dyn Iterator<Item = usize>| {
        let mut counts = vec![0; sample.iter().map(|text| text.source + 1).max().unwrap_or(0)];
        lines.for_each(|source| counts[source] += 1);
        counts
    };
    let total = by_source(&mut sample.iter().filter(|text| !is_indented(text.line)).map(|text| text.source));
    let unread = sample.iter().zip(&ranks).filter(|(_, matched)| matched.is_none());
    let mut lines: Vec<Line<'_>> = unread.map(|(text, _)| survey(*text, kinds)).collect();
    let dated = lines.iter().filter(|line| line.has_date).count();
    let clocks = lines.iter().filter(|line| line.begins_with_clock).count();
    let mut state = Sample {
        rule,
        kinds,
        total,
        unread: Vec::new(),
        objects: Vec::new(),
        dated,
        clocks,
        is_read: place != SampleOrigin::Unknown || lines.len() < sample.len(),
        is_between_records: place == SampleOrigin::BetweenRecords,
        has_sources,
    };
    let mut shapes = Vec::new();
    while shapes.len() < MAX_SHAPES {
        let left = lines.iter().filter(|line| !line.is_indented);
        state.objects = by_source(
            &mut left.clone().filter(|line| is_object(line.text.line)).map(|line| line.text.source),
        );
        state.unread = by_source(&mut left.map(|line| line.text.source));
        let Some(next) = best(&lines, kinds, |candidate| state.is_enough(candidate)) else {
            break;
        };
        shapes.push((next.kind, next.position));
        state.is_read = true;
        let rank = |line: &Line<'_>| {
            let times =
                line.times.iter().filter(|time| time.kind == next.kind && time.position == next.position);
            times.filter(|time| time.matched.has_year).find_map(|time| time.matched.rank)
        };
        let mut left: Vec<Text<'_>> = lines.iter().map(|line| line.text).collect();
        set_around(&mut left, lines.iter().map(rank));
        lines.iter_mut().zip(left).for_each(|(line, text)| line.text = text);
        lines.retain(|line| !line.is_read_by(next.kind, next.position));
    }
    shapes
}

/// Sets the ranks of the records around each line, where they are not known yet.
fn set_around(texts: &mut [Text<'_>], ranks: impl Iterator<Item = Option<i64>>) {
    let ranks: Vec<Option<i64>> = ranks.collect();
    let mut last = None;
    for (text, rank) in texts.iter_mut().zip(&ranks) {
        text.before = last.or(text.before);
        last = rank.or(last);
    }
    let mut next = None;
    for (text, rank) in texts.iter_mut().zip(&ranks).rev() {
        text.after = next.or(text.after);
        next = rank.or(next);
    }
}

/// The time of the line if the first format that it has at the position is that of the shape.
fn reads_here(line: &[u8], (kind, position): (usize, TimePosition), kinds: &[FormatKind]) -> Option<Matched> {
    let first = position.read(line, |line, start| match_kinds(line.get(start..)?, kinds).next());
    first.filter(|(at, _)| *at == kind).map(|(_, matched)| matched)
}

/// The formats and positions of lines.
pub(super) fn candidates(lines: &[Line<'_>]) -> Vec<Candidate> {
    let mut groups: Vec<Vec<(&Time, &Line<'_>)>> = Vec::new();
    for (line, time) in lines.iter().flat_map(|line| line.times.iter().map(move |time| (line, time))) {
        let is_same = |group: &&mut Vec<(&Time, &Line<'_>)>| {
            group.first().is_some_and(|(first, _)| (first.kind, first.position) == (time.kind, time.position))
        };
        match groups.iter_mut().find(is_same) {
            Some(group) => group.push((time, line)),
            None => groups.push(vec![(time, line)]),
        }
    }
    groups.iter().filter_map(|group| Candidate::of(group)).collect()
}

/// The best candidate of those that are enough.
fn best(
    lines: &[Line<'_>],
    kinds: &[FormatKind],
    is_enough: impl Fn(&Candidate) -> bool,
) -> Option<Candidate> {
    let order = |it: &Candidate| {
        let is_unnamed = it.is_unknown_member() || !it.is_first;
        (
            // Rows of data that continue records may be more than these.
            (it.class(kinds), it.indented_lines * 2 > it.lines || it.lines < 4),
            Reverse(it.lines),
            // Of dates that other words name, the time of a record is the one that goes on; a number does not go back.
            is_unnamed && it.changes == 0 || (is_unnamed || !kinds[it.kind].is_distinct()) && !it.rises(),
            it.offset,
            it.is_same_by_chance(),
            it.kind,
        )
    };
    candidates(lines).into_iter().filter(is_enough).min_by_key(order)
}

/// The formats and positions of all times in a line. In an object of JSON, these are whole values: a date inside a longer
/// text is of the text, and one inside another object is of that, if the line has its own.
fn survey<'l>(text: Text<'l>, kinds: &[FormatKind]) -> Line<'l> {
    let line = text.line;
    let is_object = is_object(line);
    let mut times = members_of(line, kinds, is_object);
    let has_member = times.iter().any(|time| kinds[time.kind].is_distinct());
    for offset in position::starts(line).filter(|_| !has_member) {
        let is_first = !line[..offset].iter().any(u8::is_ascii_alphanumeric);
        for (kind, matched) in match_kinds(&line[offset..], kinds) {
            let is_whole = || {
                let is_text =
                    line[..offset].ends_with(b"\"") && line[offset + matched.length..].starts_with(b"\"");
                let is_after_colon = line[..offset].trim_ascii_end().ends_with(b":");
                is_text || (is_after_colon && kinds[kind].is_custom())
            };
            if is_object && !is_whole() {
                continue;
            }
            let here = position::positions_at(line, offset);
            let apart = if is_first || kinds[kind].is_of_access_logs() { APART } else { NEAR };
            times.extend(here.map(|position| Time { kind, position, offset, is_first, apart, matched }));
        }
    }
    // Of two readings of one place, the one that reads more of the time wins.
    let spans: Vec<(usize, usize)> = times
        .iter()
        .filter(|time| !matches!(time.position, TimePosition::Member(_)))
        .map(|time| (time.offset, time.offset + time.matched.length))
        .collect();
    let is_inside = |time: &Time| {
        let (start, end) = (time.offset, time.offset + time.matched.length);
        !matches!(time.position, TimePosition::Member(_))
            && spans.iter().any(|(other, other_end)| *other < start && end <= *other_end)
    };
    let times: Vec<Time> = times.into_iter().filter(|time| !is_inside(time)).collect();
    let has_date = times.iter().any(|time| kinds[time.kind].is_distinct()) || is_object && has_date(line);
    Line {
        text,
        is_indented: is_indented(line),
        has_date,
        begins_with_clock: !has_date && begins_with_clock(line),
        times,
    }
}

/// The times that are members of an object: of those with names that most logs have, all, of others the whole values.
fn members_of(line: &[u8], kinds: &[FormatKind], is_object: bool) -> Vec<Time> {
    let mut times = Vec::new();
    if !is_object {
        return times;
    }
    for (at, (name, value)) in named_values(line).enumerate() {
        let found = value
            .read(|text| Some((match_kinds(text, kinds).collect::<Vec<_>>(), text.trim_ascii_end().len())));
        let (known, (found, whole)) = (name.known(), found.unwrap_or_default());
        let penalty = usize::from(!name.names_time()) + 2 * usize::from(name.names_other());
        let offset = known.unwrap_or(8 + at + 1000 * penalty);
        let position = TimePosition::Member(name);
        let apart = if known.is_some() { APART } else { NEAR };
        times.extend(
            found
                .into_iter()
                .filter(|(kind, matched)| {
                    known.is_some() || kinds[*kind].is_custom() || matched.length >= whole
                })
                .map(|(kind, matched)| Time { kind, position, offset, is_first: true, apart, matched }),
        );
    }
    times
}
