//! Finds the format and the position of the times from the first lines of a text.

use std::cmp::Reverse;

use jiff::Timestamp;

use super::context::Context;
use super::custom::Custom;
use super::formats::{FORMATS, Format};
use super::position::{self, MEMBERS, TimePosition};
use super::{json, pattern};
use crate::error::Result;

/// So many lines with text are examined.
const SAMPLE: usize = 64;

/// The format and the position of the times of a log.
#[derive(Clone, Debug)]
pub struct Detected {
    kind: Kind,
    position: TimePosition,
}

#[derive(Clone, Debug)]
enum Kind {
    Known(&'static Format),
    Custom(Custom),
}

impl Kind {
    fn matches(&self, text: &[u8]) -> bool {
        match self {
            Kind::Known(format) => pattern::parse(format.pattern, text).is_some(),
            Kind::Custom(custom) => custom.matches(text),
        }
    }

    fn parse(&self, text: &[u8], context: &Context) -> Option<(Timestamp, usize)> {
        match self {
            Kind::Known(format) => {
                let (fields, length) = pattern::parse(format.pattern, text)?;
                Some((context.timestamp(&fields)?, length))
            }
            Kind::Custom(custom) => custom.parse(text, context),
        }
    }
}

impl From<Custom> for Detected {
    /// For times that users type, at the beginning of a text.
    fn from(custom: Custom) -> Self {
        Detected { kind: Kind::Custom(custom), position: TimePosition::Offset { offset: 0, before: None } }
    }
}

impl Detected {
    /// The time of a line. A line without one belongs to the record before it.
    ///
    /// The first [`super::HEAD`] bytes of the line are enough, unless the position is a member.
    pub fn time_of(&self, line: &[u8], context: &Context) -> Option<Timestamp> {
        self.position.read(line, |text| Some(self.kind.parse(text, context)?.0))
    }

    /// A time that is the whole text, as in a word of the command line.
    pub(super) fn time_in(&self, text: &[u8], context: &Context) -> Option<Timestamp> {
        self.kind.parse(text, context).filter(|(_, length)| *length == text.len()).map(|(time, _)| time)
    }

    /// The name of the format: see [`FORMATS`]. A custom format is its own name.
    pub fn format(&self) -> &str {
        match &self.kind {
            Kind::Known(format) => format.name,
            Kind::Custom(custom) => custom.name(),
        }
    }

    /// The position of the time in a line.
    pub fn position(&self) -> TimePosition {
        self.position
    }

    /// Whether times count from the boot, so that they mean nothing to a clock.
    pub fn is_since_boot(&self) -> bool {
        self.format() == "boot"
    }
}

/// A format at a position, and the lines that have it.
struct Candidate {
    kind: usize,
    position: TimePosition,
    lines: usize,
    indented_lines: usize,
    /// In the first line that has it; for a member, its rank.
    offset: usize,
    /// Whether no word is before it; a member is named, so it counts as first.
    is_first: bool,
}

/// The format and the position that most of the first lines have.
///
/// At the beginning of lines, a quarter of the lines is enough, because a record may have many. Elsewhere, and for
/// formats that are only numbers, more than half of the lines must have it. Lines that begin with a blank do not count
/// unless they have it: they continue a record.
pub fn detect<'a>(lines: impl IntoIterator<Item = &'a [u8]>) -> Option<Detected> {
    detect_where(lines, |candidate, lines, kind| {
        let total = lines + candidate.indented_lines;
        let is_distinct = matches!(kind, Kind::Known(format) if format.is_distinct);
        match is_distinct && candidate.is_first {
            true => candidate.lines * 4 >= total,
            false => candidate.lines * 2 > total,
        }
    })
}

/// The same for a file that nobody called a log: more than half of the lines must have it in every format. Lines that
/// begin with a blank do not count even if they have it: they may be a table of times in source code.
pub fn detect_in_most<'a>(lines: impl IntoIterator<Item = &'a [u8]>) -> Option<Detected> {
    detect_where(lines, |candidate, lines, _| (candidate.lines - candidate.indented_lines) * 2 > lines)
}

fn detect_where<'a>(
    lines: impl IntoIterator<Item = &'a [u8]>,
    is_enough: impl Fn(&Candidate, usize, &Kind) -> bool,
) -> Option<Detected> {
    let kinds: Vec<Kind> = FORMATS.iter().map(Kind::Known).collect();
    let (candidate, lines) = best(lines, &kinds)?;
    let kind = kinds.into_iter().nth(candidate.kind)?;
    is_enough(&candidate, lines, &kind).then_some(Detected { kind, position: candidate.position })
}

/// The position where most of the first lines have a time of the format; `None` if no line has one.
///
/// # Errors
///
/// Those of [`Custom::new`].
pub fn detect_custom<'a>(
    format: &str,
    lines: impl IntoIterator<Item = &'a [u8]>,
) -> Result<Option<Detected>> {
    let kind = Kind::Custom(Custom::new(format)?);
    let found = best(lines, std::slice::from_ref(&kind));
    Ok(found.map(|(candidate, _)| Detected { kind, position: candidate.position }))
}

/// The best candidate, and the number of lines that do not begin with a blank.
fn best<'a>(lines: impl IntoIterator<Item = &'a [u8]>, kinds: &[Kind]) -> Option<(Candidate, usize)> {
    let mut candidates: Vec<Candidate> = Vec::new();
    let mut total = 0;
    for line in lines.into_iter().filter(|line| !line.trim_ascii().is_empty()).take(SAMPLE) {
        let is_indented = line.starts_with(b" ") || line.starts_with(b"\t");
        total += usize::from(!is_indented);
        for (kind, position, offset) in times_in(line, kinds) {
            let known = candidates.iter_mut().find(|known| known.kind == kind && known.position == position);
            if let Some(known) = known {
                known.lines += 1;
                known.indented_lines += usize::from(is_indented);
            } else {
                let is_first = matches!(position, TimePosition::Member(_))
                    || !line[..offset].iter().any(u8::is_ascii_alphanumeric);
                let indented_lines = usize::from(is_indented);
                candidates.push(Candidate { kind, position, lines: 1, indented_lines, offset, is_first });
            }
        }
    }
    // A varying position explains more lines than an offset that only happens to be the same, unless no word is before it.
    let order = |candidate: &Candidate| {
        let is_same_by_chance =
            matches!(candidate.position, TimePosition::Offset { .. }) && !candidate.is_first;
        (Reverse(candidate.lines), candidate.offset, is_same_by_chance, candidate.kind)
    };
    candidates.into_iter().min_by_key(order).map(|candidate| (candidate, total))
}

/// The formats and positions of all times in a line, with their offset.
fn times_in(line: &[u8], kinds: &[Kind]) -> Vec<(usize, TimePosition, usize)> {
    let mut times = Vec::new();
    let matching = |text: &[u8]| {
        kinds.iter().enumerate().filter(|(_, kind)| kind.matches(text)).map(|(at, _)| at).collect::<Vec<_>>()
    };
    for (rank, name) in MEMBERS.into_iter().enumerate() {
        let formats = json::member(line, name).and_then(|value| value.read(|text| Some(matching(text))));
        times.extend(
            formats.unwrap_or_default().into_iter().map(|kind| (kind, TimePosition::Member(name), rank)),
        );
    }
    for offset in position::starts(line) {
        for kind in matching(&line[offset..]) {
            times.extend(position::positions_at(line, offset).map(|position| (kind, position, offset)));
        }
    }
    times
}
