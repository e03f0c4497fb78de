//! The formats and positions of the times of a log, and how a line is read with them.

use std::ops::Range;

use jiff::Timestamp;

use super::context::{Minute, RecordTime, TimeContext};
use super::formats::FORMATS;
use super::position::{Custom, FormatKind, Shape, TimePosition};
use super::survey::{Rule, more, shapes, sparse};
use crate::error::Result;

/// The formats and the positions of the times of a log. A log may have several.
#[derive(Clone, Debug)]
pub struct Detected {
    shapes: Vec<Shape>,
    name: String,
}

impl From<Custom> for Detected {
    /// For times that users type, at the beginning of a text.
    fn from(custom: Custom) -> Self {
        let position = TimePosition::Offset { offset: 0, before: None };
        Detected::of(vec![Shape { kind: FormatKind::Custom(custom), position, rank: 0 }])
    }
}

impl Detected {
    pub(super) fn of(shapes: Vec<Shape>) -> Self {
        let mut names: Vec<&str> = Vec::new();
        let mut in_file: Vec<&Shape> = shapes.iter().collect();
        in_file.sort_by_key(|shape| shape.rank);
        for shape in in_file {
            if !names.contains(&shape.kind.name()) {
                names.push(shape.kind.name());
            }
        }
        let name = names.join(", ");
        Detected { shapes, name }
    }

    /// The time of a line, with what its text leaves open. A line without one belongs to the record before it.
    ///
    /// The first [`super::HEAD`] bytes of the line are enough, unless a position is a member.
    #[inline]
    pub fn read(&self, line: &[u8], context: &TimeContext) -> Option<RecordTime> {
        self.shapes.iter().find_map(|shape| shape.read(line, context, None))
    }

    /// The time of a line, in a walk over many lines with the same context: `minute` is what the lines before left.
    #[inline]
    pub fn time_near(&self, line: &[u8], context: &TimeContext, minute: &Minute) -> Option<Timestamp> {
        self.shapes.iter().find_map(|shape| shape.read(line, context, Some(minute))).map(|found| found.time)
    }

    /// As [`Detected::read`], with the place of the time in the line. It is empty if a member of a JSON object has the time.
    #[inline]
    pub fn read_at(&self, line: &[u8], context: &TimeContext) -> Option<(RecordTime, Range<usize>)> {
        self.shapes.iter().find_map(|shape| shape.read_at(line, context))
    }

    /// The same with the formats of lines that it does not read; `None` if they have no others. Lines that are
    /// `between_records` must have the time before their first word.
    pub fn with_more(&self, lines: &[&[u8]], between_records: bool) -> Option<Detected> {
        let kinds: Vec<FormatKind> = FORMATS.iter().map(FormatKind::Known).collect();
        let is_given = self.shapes.iter().any(|shape| matches!(shape.kind, FormatKind::Custom(_)));
        let more = if is_given { Vec::new() } else { more(&self.shapes, lines, &kinds, between_records) };
        let rank = self.shapes.len();
        let more = more.into_iter().enumerate().map(|(at, shape)| Shape { rank: rank + at, ..shape });
        let shapes: Vec<Shape> = self.shapes.iter().cloned().chain(more).collect();
        (shapes.len() > rank).then(|| Detected::of(shapes))
    }

    /// The time of a line.
    #[inline]
    pub fn time_of(&self, line: &[u8], context: &TimeContext) -> Option<Timestamp> {
        self.read(line, context).map(|found| found.time)
    }

    /// A time that is the whole text, as in a word of the command line.
    pub(super) fn time_in(&self, text: &[u8], context: &TimeContext) -> Option<RecordTime> {
        let whole = |shape: &Shape| {
            let (found, length) = shape.kind.parse(text, 0, context, None)?;
            (length == text.len()).then_some(found)
        };
        self.shapes.iter().find_map(whole)
    }

    /// The names of the formats: see [`FORMATS`]. A custom format is its own name.
    pub fn format(&self) -> &str {
        &self.name
    }

    /// The position of the time in the first lines that have one.
    pub fn position(&self) -> TimePosition {
        let first = self.shapes.iter().min_by_key(|shape| shape.rank);
        first.map_or(TimePosition::Offset { offset: 0, before: None }, |shape| shape.position)
    }

    /// Whether a time may be a member of a JSON object.
    pub fn has_members(&self) -> bool {
        self.shapes.iter().any(|shape| matches!(shape.position, TimePosition::Member(_)))
    }

    /// Whether times count from the boot, so that they mean nothing to a clock.
    pub fn is_since_boot(&self) -> bool {
        self.shapes.iter().all(|shape| matches!(shape.kind.name(), "boot" | "uptime"))
    }
}

/// The formats and the positions of the times in lines.
pub fn detect<'a>(lines: impl IntoIterator<Item = &'a [u8]>) -> Option<Detected> {
    let lines: Vec<&[u8]> = lines.into_iter().collect();
    detect_in(&[lines], Rule::Log)
}

/// The formats and the positions of the times in samples of a file, each of consecutive lines. Each sample may add some.
pub fn detect_in(samples: &[Vec<&[u8]>], rule: Rule) -> Option<Detected> {
    let kinds: Vec<FormatKind> = FORMATS.iter().map(FormatKind::Known).collect();
    let found = shapes(samples, &kinds, rule);
    (!found.is_empty()).then(|| Detected::of(found))
}

/// The format and the position of the times in lines of a log that [`detect_in`] does not recognise, because few of them
/// begin a record; `skipped` are other lines of the log, which have no time. One line is enough if it is the first of the
/// file, which the samples begin with if they have `has_start`.
pub fn detect_sparse(samples: &[Vec<&[u8]>], skipped: usize, has_start: bool) -> Option<Detected> {
    let kinds: Vec<FormatKind> = FORMATS.iter().map(FormatKind::Known).collect();
    sparse(samples, skipped, has_start, &kinds).map(|shape| Detected::of(vec![shape]))
}

/// As [`detect_in`]; with a `format` of strptime, the positions where lines have a time of it.
///
/// # Errors
///
/// The errors of [`Custom::new`].
pub fn detect_as(format: Option<&str>, samples: &[Vec<&[u8]>], rule: Rule) -> Result<Option<Detected>> {
    let Some(format) = format else { return Ok(detect_in(samples, rule)) };
    let kind = FormatKind::Custom(Custom::new(format)?);
    let found = shapes(samples, &[kind], Rule::Custom);
    Ok((!found.is_empty()).then(|| Detected::of(found)))
}
