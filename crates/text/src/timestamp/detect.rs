//! The formats and positions of the times of a log, and how a line is read with them.

use std::ops::Range;

use jiff::civil::{Date, Time};
use jiff::tz::TimeZone;
use jiff::{Span, Timestamp};

use super::context::{RecordTime, TimeContext};
use super::cursor::digits;
use super::formats::{Evidence, FORMATS, W3C_TIME};
use super::pattern;
use super::pattern::may_begin;
use super::position::{
    Custom, FormatKind, HEAD, Prefixes, Shape, TimePosition, is_object, may_have_time, without_mark,
};
use super::survey::sparse::sparse;
use super::survey::{Rule, UnreadLine, is_like_record, more, shapes};
use crate::error::Result;

/// The formats and the positions of the times of a log. A log may have several.
#[derive(Clone, Debug, Default)]
pub struct Detected {
    shapes: Vec<Shape>,
    /// The texts before all records.
    prefixes: Prefixes,
    name: String,
    latest: Option<Date>,
}

impl From<Custom> for Detected {
    /// For times that users type, at the beginning of a text.
    fn from(custom: Custom) -> Self {
        let position = TimePosition::Offset { offset: 0, before: None };
        Detected::of(
            vec![Shape { kind: FormatKind::Custom(custom), position, rank: 0 }],
            Prefixes::default(),
            None,
        )
    }
}

impl Detected {
    fn of(shapes: Vec<Shape>, prefixes: Prefixes, latest: Option<Date>) -> Self {
        let mut names: Vec<&str> = Vec::new();
        let mut in_file: Vec<&Shape> = shapes.iter().collect();
        in_file.sort_by_key(|shape| shape.rank);
        for shape in in_file {
            if !names.contains(&shape.kind.name()) {
                names.push(shape.kind.name());
            }
        }
        let name = names.join(", ");
        Detected { shapes, prefixes, name, latest }
    }

    /// Times of day in the field of this number, divided by `byte`, on the days that directives of the W3C format name.
    pub fn of_clocks(field: usize, byte: u8) -> Self {
        let position = match field {
            0 => TimePosition::Offset { offset: 0, before: None },
            nth => TimePosition::After { byte, nth },
        };
        let date = FORMATS.first().map(|format| {
            let position = TimePosition::After { byte: b' ', nth: 1 };
            Shape { kind: FormatKind::Known(format), position, rank: 1 }
        });
        let time = Shape { kind: FormatKind::Known(&W3C_TIME), position, rank: 0 };
        Detected::of(std::iter::once(time).chain(date).collect(), Prefixes::default(), None)
    }

    /// Whether its times have their days.
    pub fn has_days(&self) -> bool {
        !self.shapes.iter().any(|shape| shape.kind.name() == W3C_TIME.name)
    }

    /// The time of day of a line that has no date.
    pub fn clock_of(&self, line: &[u8]) -> Option<Time> {
        let body = self.body(line);
        self.shapes
            .iter()
            .find_map(|shape| shape.position.read(body, |line, start| clock_at(line.get(start..)?)))
    }

    /// The line without a byte order mark and without the prefix that the lines of the log have.
    #[inline]
    fn body<'l>(&self, line: &'l [u8]) -> &'l [u8] {
        let line = without_mark(line);
        self.prefixes.taken.and_then(|prefix| prefix.split(line)).map_or(line, |(_, body)| body)
    }

    /// The time of a line, with what its text leaves open. A line without one belongs to the record before it.
    ///
    /// The first [`super::HEAD`] bytes of the line are enough, unless a position is a member.
    #[inline]
    pub fn read(&self, line: &[u8], context: &TimeContext) -> Option<RecordTime> {
        self.read_at(line, context).map(|(found, _)| found)
    }

    /// As [`Detected::read`], with the place of the time in the line. It is empty if a member of a JSON object has the time.
    #[inline]
    pub fn read_at(&self, line: &[u8], context: &TimeContext) -> Option<(RecordTime, Range<usize>)> {
        let body = self.body(line);
        let (found, place) = self.shapes.iter().find_map(|shape| shape.read(body, context))?;
        let before = if place.is_empty() { 0 } else { line.len() - body.len() };
        Some((found, place.start + before..place.end + before))
    }

    /// Whether a line has a time of the formats, though it may be a date that does not exist.
    pub fn matches(&self, line: &[u8]) -> bool {
        let body = self.body(line);
        let time = |shape: &Shape| shape.position.read(body, |line, at| shape.kind.matches(line.get(at..)?));
        self.shapes.iter().any(|shape| time(shape).is_some())
    }

    /// The same with the formats of lines that it does not read; `None` if they have no others. Lines that are
    /// `between_records` must have the time before their first word.
    pub fn with_more(&self, lines: &[UnreadLine<'_>], between_records: bool) -> Option<Detected> {
        if self.is_given() {
            return None;
        }
        let more =
            more(&self.shapes, self.prefixes.taken, lines, &known_kinds(), between_records, self.latest);
        let rank = self.shapes.len();
        let more = more.into_iter().enumerate().map(|(at, shape)| Shape { rank: rank + at, ..shape });
        let shapes: Vec<Shape> = self.shapes.iter().cloned().chain(more).collect();
        (shapes.len() > rank).then(|| Detected::of(shapes, self.prefixes.clone(), self.latest))
    }

    /// Whether a line that it does not read looks like a record among others.
    pub fn is_like_record(&self, unread: UnreadLine<'_>) -> bool {
        !self.is_given() && is_like_record(unread, &self.prefixes, &known_kinds())
    }

    /// Whether the user named the format.
    pub fn is_given(&self) -> bool {
        self.shapes.iter().any(|shape| shape.kind.is_custom())
    }

    /// Whether the line may have a time, without its prefix; and whether it is an object, whose members may have it.
    pub fn may_have_time(&self, line: &[u8]) -> bool {
        may_have_time(self.body(line))
    }

    /// As much of the line as its time needs.
    pub fn head<'l>(&self, line: &'l [u8]) -> &'l [u8] {
        if is_object(self.body(line)) { line } else { &line[..line.len().min(HEAD)] }
    }

    /// The word in the place of a zone that all of the lines have after their time, if it is not one that is known.
    pub fn unread_zone<'l>(&self, lines: &[&'l [u8]], context: &TimeContext) -> Option<String> {
        let word = |line: &&'l [u8]| -> Option<&'l [u8]> {
            let (found, place) = self.read_at(line, context)?;
            let rest = line.get(place.end..).filter(|_| found.lacks_zone && !place.is_empty())?;
            let rest = rest.trim_ascii_start();
            let rest = rest.strip_prefix(b"(").or(rest.strip_prefix(b"[")).unwrap_or(rest);
            let length = rest.iter().take_while(|byte| byte.is_ascii_uppercase()).count();
            let ends = !rest.get(length).is_some_and(u8::is_ascii_alphanumeric);
            Some(if ends && (3..=5).contains(&length) { &rest[..length] } else { &b""[..] })
        };
        let mut words = lines.iter().filter_map(word);
        let first = words.next().filter(|word| !word.is_empty() && !is_level(word))?;
        words.all(|word| word == first).then(|| String::from_utf8_lossy(first).into_owned())
    }

    /// The time of a line.
    #[inline]
    pub fn time_of(&self, line: &[u8], context: &TimeContext) -> Option<Timestamp> {
        self.read(line, context).map(|found| found.time)
    }

    /// A time that is the whole text, as in a word of the command line.
    pub(super) fn time_in(&self, text: &[u8], context: &TimeContext) -> Option<RecordTime> {
        let whole = |shape: &Shape| {
            let (found, length) = shape.kind.parse(text, 0, context)?;
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

/// The clock at the beginning of a text.
fn clock_at(text: &[u8]) -> Option<Time> {
    let (fields, _) = pattern::parse(W3C_TIME.pattern, text)?;
    Time::new(fields.hour, fields.minute, fields.second, fields.nanosecond).ok()
}

/// The length of the time at the beginning of `text`: in a format that hardly anything else looks like, or a date or a clock alone.
pub fn time_length(text: &[u8]) -> Option<usize> {
    const ALONE: &str =
        "%c %F %Y/%m/%d %Y.%m.%d %-d.%-m.%Y %-d/%-m/%Y %-m/%-d/%Y %-d-%-m-%Y %d/%b/%Y %e-%b-%Y";
    let (may_be_whole, digits) = (may_begin(text), digits(text));
    let may_be_alone =
        matches!(digits, 1 | 2 | 4) && matches!(text.get(digits), Some(b'-' | b'/' | b'.' | b':'));
    let distinct = FORMATS.iter().filter(|format| may_be_whole && format.evidence == Evidence::Distinct);
    let alone = may_be_alone.then(|| ALONE.split(' ')).into_iter().flatten();
    let mut patterns = distinct.map(|format| format.pattern).chain(alone);
    patterns.find_map(|pattern| pattern::parse(pattern, text)).map(|(_, length)| length)
}

/// Words of capital letters that follow times, and are not zones.
fn is_level(word: &[u8]) -> bool {
    const LEVELS: &str = "INFO WARN ERROR DEBUG TRACE FATAL DBG INF WRN ERR FTL TRC LOG NOTE CRIT ALERT EMERG PANIC MAIN HTTP GET PUT POST HEAD PATCH";
    LEVELS.split(' ').any(|level| level.as_bytes() == word)
}

fn known_kinds() -> Vec<FormatKind> {
    FORMATS.iter().map(FormatKind::Known).collect()
}

/// The formats and the positions of the times in lines.
pub fn detect<'a>(lines: impl IntoIterator<Item = &'a [u8]>) -> Option<Detected> {
    let lines: Vec<&[u8]> = lines.into_iter().collect();
    detect_in(&[lines], Rule::Log, None)
}

/// The formats and the positions of the times in samples of a file, each of consecutive lines. Each sample may add some.
/// `written` is when the file was written: no record is later.
pub fn detect_in(samples: &[Vec<&[u8]>], rule: Rule, written: Option<Timestamp>) -> Option<Detected> {
    let latest = latest(written);
    let (found, prefixes) = shapes(samples, &known_kinds(), rule, latest);
    (!found.is_empty()).then(|| Detected::of(found, prefixes, latest))
}

/// The last day on which a record of a file was written, in any zone.
fn latest(written: Option<Timestamp>) -> Option<Date> {
    let written = written?.min(Timestamp::now());
    TimeZone::UTC.to_datetime(written).date().checked_add(Span::new().days(1)).ok()
}

/// The format and the position of the times in lines of a log that [`detect_in`] does not recognise, because few of them
/// begin a record; `skipped` are other lines of the log, which have no time. One line is enough if it is the first of the
/// file, which the samples begin with if they have `has_start`.
pub fn detect_sparse(
    samples: &[Vec<&[u8]>],
    skipped: usize,
    has_start: bool,
    written: Option<Timestamp>,
) -> Option<Detected> {
    let latest = latest(written);
    let shape = sparse(samples, skipped, has_start, &known_kinds(), latest)?;
    Some(Detected::of(vec![shape], Prefixes::default(), latest))
}

/// As [`detect_in`]; with a `format` of strptime, the positions where lines have a time of it.
///
/// # Errors
///
/// The errors of [`Custom::new`].
pub fn detect_as(
    format: Option<&str>,
    samples: &[Vec<&[u8]>],
    rule: Rule,
    written: Option<Timestamp>,
) -> Result<Option<Detected>> {
    let Some(format) = format else { return Ok(detect_in(samples, rule, written)) };
    let kind = FormatKind::Custom(Custom::new(format)?);
    let (found, prefixes) = shapes(samples, &[kind], Rule::Custom, None);
    Ok((!found.is_empty()).then(|| Detected::of(found, prefixes, None)))
}
