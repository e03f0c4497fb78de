//! The position of the time in a line: after a prefix of other programs, or in a member of a JSON line; and a format at a
//! position, one of the table or one of the user in the strptime of jiff.

use std::collections::HashMap;
use std::fmt;
use std::ops::Range;

use jiff::civil::Date;
use jiff::fmt::strtime::BrokenDownTime;
use jiff::tz::TimeZone;
use jiff::{SignedDuration, Span, Timestamp};
use memchr::memchr_iter;

use super::context::{RecordTime, TimeContext};
use super::cursor::{Fields, digits};
use super::formats::{Evidence, Format};
use super::pattern::{self, begins_with_clock, may_begin};
use crate::error::{Error, Result};
use crate::json::members;
use crate::sentence::setting;

/// A time begins within so many bytes of its line.
pub(super) const MAX_OFFSET: usize = 128;

/// The bytes of a line that are enough to find its time, also after a prefix, except in a JSON line.
pub const HEAD: usize = 2 * MAX_OFFSET + 128;

/// The beginning of the time in every line that has one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TimePosition {
    /// At a fixed offset.
    Offset {
        /// The number of bytes before the time.
        offset: usize,
        /// The last of these bytes.
        before: Option<u8>,
    },
    /// After a certain byte, because the text before varies in length.
    After {
        /// The byte. Blanks in a row are one.
        byte: u8,
        /// After which of these bytes, from 1.
        nth: usize,
    },
    /// In a member of a JSON object.
    Member(MemberName),
}

impl TimePosition {
    /// The offset of the time in a line; `None` for a member, or if the line is shorter.
    #[inline]
    pub(super) fn start(self, line: &[u8]) -> Option<usize> {
        let head = &line[..line.len().min(MAX_OFFSET)];
        let start = match self {
            TimePosition::Offset { offset, before } => {
                let is_there = offset == 0 || line.get(offset - 1).copied() == before;
                is_there.then_some(offset)?
            }
            TimePosition::After { byte, nth } => ends(byte, head).nth(nth.checked_sub(1)?)?,
            TimePosition::Member(_) => return None,
        };
        (start <= line.len()).then_some(start)
    }

    /// Passes the line and the offset of the time to `parse`; of a member, its value.
    #[inline]
    pub(super) fn read<T>(self, line: &[u8], parse: impl Fn(&[u8], usize) -> Option<T>) -> Option<T> {
        match self {
            TimePosition::Member(name) => member(line, name.as_bytes())?.read(|text| parse(text, 0)),
            _ => parse(line, self.start(line)?),
        }
    }
}

impl fmt::Display for TimePosition {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            TimePosition::Offset { offset, .. } => write!(f, "byte {offset}"),
            TimePosition::After { byte: b' ', nth } => write!(f, "after blank {nth}"),
            TimePosition::After { byte, nth } => write!(f, "after '{}' {nth}", byte.escape_ascii()),
            TimePosition::Member(name) => write!(f, "member {}", name.as_bytes().escape_ascii()),
        }
    }
}

/// The offsets after each such byte, and after each row of blanks.
pub(super) fn ends(byte: u8, head: &[u8]) -> impl Iterator<Item = usize> {
    let ends = memchr_iter(byte, head).map(|at| at + 1);
    ends.filter(move |end| byte != b' ' || head.get(*end) != Some(&b' '))
}

/// The positions of a time at `offset`, the plainest first.
pub(super) fn positions_at(line: &[u8], offset: usize) -> impl Iterator<Item = TimePosition> {
    let before = offset.checked_sub(1).map(|last| line[last]);
    let after = before.map(|byte| TimePosition::After { byte, nth: ends(byte, &line[..offset]).count() });
    [Some(TimePosition::Offset { offset, before }), after].into_iter().flatten()
}

/// The offsets at which a time could begin: at the start of a word, also if the word has a color.
pub(super) fn starts(line: &[u8]) -> impl Iterator<Item = usize> {
    (0..line.len().min(MAX_OFFSET)).filter(|offset| {
        let before = &line[..*offset];
        before.last().is_none_or(|byte| !byte.is_ascii_alphanumeric() && !b"-./+_".contains(byte))
            || ends_with_color(before)
    })
}

/// Whether a line may have a time of the table, and does not continue a record. This is fast.
pub fn may_have_time(line: &[u8]) -> bool {
    if is_object(line) {
        let texts = memchr::memchr_iter(b'"', line).map(|at| at + 1);
        let after_blanks = |at: usize| at + usize::from(line.get(at) == Some(&b' '));
        let numbers = memchr::memchr_iter(b':', line).map(|at| after_blanks(at + 1));
        return texts.chain(numbers).any(|at| may_begin(&line[at.min(line.len())..]));
    }
    if line.starts_with(b" ") || line.starts_with(b"\t") {
        return false;
    }
    begins_with_clock(line) || starts(line).any(|at| may_begin(&line[at..]))
}

/// Whether `text` ends with `ESC [ 2 m`, as ECMA-48 has it.
fn ends_with_color(text: &[u8]) -> bool {
    let numbers = text.strip_suffix(b"m").unwrap_or_default();
    let length = numbers.iter().rev().take_while(|byte| byte.is_ascii_digit() || **byte == b';').count();
    numbers[..numbers.len() - length].ends_with(b"\x1b[")
}

/// The line without a byte order mark, which files have inside that were joined.
#[inline]
pub(super) fn without_mark(line: &[u8]) -> &[u8] {
    line.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(line)
}

/// The text after `ESC [ 2 m`, if it begins so.
#[inline]
pub(super) fn after_color(text: &[u8]) -> &[u8] {
    let Some(numbers) = text.strip_prefix(b"\x1b[") else { return text };
    let length = numbers.iter().take_while(|byte| byte.is_ascii_digit() || **byte == b';').count();
    numbers[length..].strip_prefix(b"m").unwrap_or(text)
}

/// A time of a format in a text.
#[derive(Clone, Copy, Debug)]
pub(super) struct Matched {
    pub(super) length: usize,
    /// A number that grows with the time, in nanoseconds, unless only other lines show which number of a date is what.
    pub(super) rank: Option<i64>,
    /// Whether the rank can be compared with that of another format.
    pub(super) has_year: bool,
}

/// The rank of a time, as that of its fields in UTC.
pub(super) fn rank_of(time: Timestamp) -> i64 {
    let at = TimeZone::UTC.to_datetime(time);
    let (year, month, day) = (Some(at.year()), at.month(), at.day());
    let (hour, minute, second, nanosecond) = (at.hour(), at.minute(), at.second(), at.subsec_nanosecond());
    Fields { year, month, day, hour, minute, second, nanosecond, ..Fields::default() }.rank()
}

/// A format at a position.
#[derive(Clone, Debug)]
pub(super) struct Shape {
    pub(super) kind: FormatKind,
    pub(super) position: TimePosition,
    /// Its place in the file among the shapes of the log.
    pub(super) rank: usize,
}

#[derive(Clone, Debug)]
pub(super) enum FormatKind {
    Known(&'static Format),
    Custom(Custom),
}

impl FormatKind {
    /// The time of this form at the beginning of the text, though it may be a date that does not exist.
    pub(super) fn matches(&self, text: &[u8]) -> Option<Matched> {
        match self {
            FormatKind::Known(format) => {
                let is_tried = pattern::may_begin_as(format.pattern.as_bytes(), text);
                let (fields, length) = is_tried.then(|| pattern::parse(format.pattern, text))??;
                let is_clock = !matches!(format.name, "boot" | "uptime");
                let rank = match fields.count {
                    Some(count) if is_clock => Timestamp::from_nanosecond(count.into()).ok().map(rank_of),
                    Some(count) => Some(count),
                    None => format.order.is_none().then(|| fields.rank()),
                };
                let has_year =
                    rank.is_some() && (fields.year.is_some() || (is_clock && fields.count.is_some()));
                Some(Matched { length, rank, has_year })
            }
            FormatKind::Custom(custom) => {
                custom.matches(text).then_some(Matched { length: 0, rank: None, has_year: false })
            }
        }
    }

    #[inline]
    pub(super) fn parse(
        &self,
        line: &[u8],
        start: usize,
        context: &TimeContext,
    ) -> Option<(RecordTime, usize)> {
        match self {
            FormatKind::Known(format) => {
                let (mut fields, length) = pattern::parse(format.pattern, line.get(start..)?)?;
                if fields.year.is_none() && start > 0 && format.pattern.starts_with("%b") {
                    fields.year = year_before(&line[..start]);
                    fields.weekday = pattern::weekday_before(&line[..start]);
                }
                Some((context.record_time(&fields)?, length))
            }
            FormatKind::Custom(custom) => custom.parse(line.get(start..)?, context),
        }
    }

    pub(super) fn evidence(&self) -> Evidence {
        match self {
            FormatKind::Known(format) => format.evidence,
            FormatKind::Custom(_) => Evidence::Distinct,
        }
    }

    pub(super) fn is_distinct(&self) -> bool {
        matches!(self.evidence(), Evidence::Distinct | Evidence::Marked)
    }

    /// Whether it begins a record after other words too: only servers write it, behind the address of a client.
    pub(super) fn is_of_access_logs(&self) -> bool {
        self.name() == "clf"
    }

    pub(super) fn is_custom(&self) -> bool {
        matches!(self, FormatKind::Custom(_))
    }

    /// Whether it is the same format, or one whose dates have the same form.
    pub(super) fn is_of_form(&self, other: &FormatKind) -> bool {
        match (self, other) {
            (FormatKind::Known(a), FormatKind::Known(b)) => match (a.order, b.order) {
                (Some((dates, _)), Some((others, _))) => dates == others,
                _ => a.pattern == b.pattern,
            },
            (FormatKind::Custom(a), FormatKind::Custom(b)) => a.name() == b.name(),
            _ => false,
        }
    }

    pub(super) fn name(&self) -> &str {
        match self {
            FormatKind::Known(format) => format.name,
            FormatKind::Custom(custom) => custom.name(),
        }
    }
}

/// The formats of all times at the beginning of a text, by their first row, in the order of the table.
pub(super) fn match_kinds(text: &[u8], kinds: &[FormatKind]) -> impl Iterator<Item = (usize, Matched)> {
    let is_tried = may_begin(text) || matches!(kinds, [FormatKind::Custom(_)]);
    let (tried, mut found) = (if is_tried { kinds } else { &[] }, Vec::new());
    tried.iter().enumerate().filter_map(move |(at, kind)| {
        let matched = kind.matches(text)?;
        let first = kinds.iter().position(|other| other.is_of_form(kind)).unwrap_or(at);
        let is_new = !found.contains(&first);
        found.push(first);
        is_new.then_some((first, matched))
    })
}

/// Numbers are times only where no line has a date, and of one kind.
pub(super) fn keep_dates_or_one_number(found: &mut Vec<(usize, TimePosition)>, kinds: &[FormatKind]) {
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
pub(super) fn is_bare_number((kind, position): &(usize, TimePosition), kinds: &[FormatKind]) -> bool {
    match (kinds[*kind].evidence(), position) {
        (Evidence::Marked | Evidence::Distinct, _) | (_, TimePosition::Member(_)) => false,
        (Evidence::Fraction, TimePosition::Offset { offset, .. }) => *offset > 1,
        _ => true,
    }
}

/// The year directly before a month: `2021: Nov 19`, `[2021] Nov 19`.
fn year_before(text: &[u8]) -> Option<i16> {
    let end = [&b" "[..], b": ", b", ", b"] ", b"/", b"-", b"."]
        .iter()
        .rev()
        .find_map(|between| text.strip_suffix(*between))?;
    let (before, digits) = end.split_at_checked(end.len().checked_sub(4)?)?;
    let is_number =
        digits.iter().all(u8::is_ascii_digit) && !before.last().is_some_and(u8::is_ascii_alphanumeric);
    let year = digits.iter().fold(0, |sum, digit| sum * 10 + i16::from(digit.wrapping_sub(b'0') % 10));
    (is_number && (1970..2100).contains(&year)).then_some(year)
}

impl Shape {
    /// The time of a line, and its place there; it is empty for a member.
    #[inline]
    pub(super) fn read(&self, line: &[u8], context: &TimeContext) -> Option<(RecordTime, Range<usize>)> {
        let is_member = matches!(self.position, TimePosition::Member(_));
        self.position.read(line, |line, start| {
            let (found, length) = self.kind.parse(line, start, context)?;
            Some((found, if is_member { 0..0 } else { start..start + length }))
        })
    }
}

/// A custom time is no longer.
const MAX_CUSTOM: usize = 256;

/// The time that checks a format: no two of its fields are equal. 2026-11-23T18:26:04.123456789Z
const SAMPLE: i128 = 1_795_458_364_123_456_789;

/// A format in the strptime of jiff.
#[derive(Clone, Debug)]
pub struct Custom {
    format: String,
}

impl Custom {
    /// Checks that the format can be parsed, and that it has a time of day.
    ///
    /// # Errors
    ///
    /// [`Kind::Usage`](crate::error::Kind::Usage) if not.
    pub fn new(format: &str) -> Result<Self> {
        let error = |what: String| {
            Error::usage(setting("time-format").then(format!(" '{format}' {what}")))
                .hint("a format looks like '%Y-%m-%d %H:%M:%S%.f %z'; %b is Nov, %y is 26, %s is seconds since 1970")
        };
        let sample = Timestamp::from_nanosecond(SAMPLE).map_err(|cause| error(format!("fails: {cause}")))?;
        let context = TimeContext::new(TimeZone::UTC, sample);
        let written = BrokenDownTime::from(&sample.to_zoned(TimeZone::UTC)).to_string(format);
        let written = written.map_err(|cause| error(format!("is not valid: {cause}")))?;
        let (parts, _) = BrokenDownTime::parse_prefix(format, &written)
            .map_err(|cause| error(format!("cannot be read back: {cause}")))?;
        if parts.hour().is_none() && parts.timestamp().is_none() {
            return Err(error("has no hour".to_owned()));
        }
        if Self::resolve(parts, &context).is_none() {
            return Err(error("has no complete date or time of day".to_owned()));
        }
        Ok(Custom { format: format.to_owned() })
    }

    pub(super) fn name(&self) -> &str {
        &self.format
    }

    pub(super) fn matches(&self, text: &[u8]) -> bool {
        BrokenDownTime::parse_prefix(&self.format, head(text)).is_ok()
    }

    /// The time at the beginning of `text`, and its length.
    pub(super) fn parse(&self, text: &[u8], context: &TimeContext) -> Option<(RecordTime, usize)> {
        let (parts, length) = BrokenDownTime::parse_prefix(&self.format, head(text)).ok()?;
        Some((Self::resolve(parts, context)?, length))
    }

    fn resolve(mut parts: BrokenDownTime, context: &TimeContext) -> Option<RecordTime> {
        if let Some(seconds) = parts.timestamp() {
            // jiff leaves the fraction out.
            let fraction = SignedDuration::from_nanos(parts.subsec_nanosecond().unwrap_or(0).into());
            return seconds.checked_add(fraction).ok().map(RecordTime::certain);
        }
        if parts.iana_time_zone().is_some() {
            return parts.to_zoned().ok().map(|zoned| RecordTime::certain(zoned.timestamp()));
        }
        let lacks_year = has_date(&parts) && parts.year().is_none();
        let time = parts.to_time().ok()?;
        let date = match parts.to_date() {
            Ok(date) => date,
            // The latest day or year that is not after the reference; a day may be exceeded by an hour, a year by a day.
            _ if !has_date(&parts) => {
                let latest = context.reference.saturating_add(Span::new().hours(1));
                if time > latest.time() { latest.date().yesterday().ok()? } else { latest.date() }
            }
            _ if lacks_year => {
                let last = context.year.unwrap_or(context.latest.year());
                let first = if context.year.is_some() { last } else { last - 8 };
                let of = |year| parts.set_year(Some(year)).ok().and_then(|()| parts.to_date().ok());
                let is_past = |date: &Date| first == last || date.to_datetime(time) <= context.latest;
                (first..=last).rev().filter_map(of).find(is_past)?
            }
            _ => return None,
        };
        let found = match parts.offset() {
            Some(offset) => RecordTime::certain(offset.to_timestamp(date.to_datetime(time)).ok()?),
            None => context.in_zone(date.to_datetime(time))?,
        };
        Some(RecordTime { lacks_year, ..found })
    }
}

fn has_date(parts: &BrokenDownTime) -> bool {
    let numbers = [parts.month(), parts.day(), parts.iso_week()];
    let years = [parts.year(), parts.day_of_year()];
    numbers.iter().any(Option::is_some) || years.iter().any(Option::is_some) || parts.weekday().is_some()
}

fn head(text: &[u8]) -> &[u8] {
    &text[..text.len().min(MAX_CUSTOM)]
}

/// The names of members that hold the time in most logs of JSON lines; of several, the first.
const MEMBERS: [&str; 5] = ["time", "timestamp", "ts", "@timestamp", "date"];

/// Longer keys are not those of times.
const MAX_KEY: usize = 40;

/// No time is longer.
const MAX_VALUE: usize = 128;

/// The name of a member.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct MemberName {
    bytes: [u8; MAX_KEY],
    length: usize,
}

impl MemberName {
    fn new(name: &[u8]) -> Option<Self> {
        let mut bytes = [0; MAX_KEY];
        bytes.get_mut(..name.len())?.copy_from_slice(name);
        Some(MemberName { bytes, length: name.len() })
    }

    pub(super) fn as_bytes(&self) -> &[u8] {
        &self.bytes[..self.length]
    }

    /// The place of the name in the list of those that most logs have.
    pub(super) fn known(&self) -> Option<usize> {
        MEMBERS.iter().position(|name| name.as_bytes() == self.as_bytes())
    }

    fn has_any(&self, parts: &str) -> bool {
        let name = self.as_bytes().to_ascii_lowercase();
        parts.split(' ').any(|part| memchr::memmem::find(&name, part.as_bytes()).is_some())
    }

    /// Whether the name says that the time is not the one of writing.
    pub(super) fn names_other(&self) -> bool {
        self.has_any("expir birth until due valid deadline next")
    }

    /// Whether the name says that it is a time: a number with another name is rather an identifier.
    pub(super) fn names_time(&self) -> bool {
        let name = self.as_bytes().to_ascii_lowercase();
        let is_short = name.ends_with(b"ts") || name.ends_with(b"at") || matches!(&*name, b"when" | b"t");
        is_short || self.has_any("time date stamp epoch")
    }
}

/// A long line of JSON with its members that may hold the time alone; `None` if it has none.
pub fn time_members(line: &[u8]) -> Option<Vec<u8>> {
    let mut kept = b"{".to_vec();
    for member in members(line).filter(|member| member.value.len() <= MAX_VALUE + 2) {
        let is_known = MEMBERS.iter().any(|name| name.as_bytes() == member.key);
        let may_be_time = kept.len() <= 8 * MAX_VALUE
            && member.key.len() <= MAX_KEY
            && may_begin(member.text().unwrap_or(member.value));
        if is_known || may_be_time {
            kept.extend([b"\"", member.key, b"\":", member.value, b","].concat());
        }
    }
    *kept.last_mut().filter(|last| **last == b',')? = b'}';
    Some(kept)
}

/// The value of a member: a string without its quotes, or a number.
pub(super) struct Value<'a>(&'a [u8]);

impl Value<'_> {
    /// Passes the value to `parse`, a string without the escapes of one byte. Signs and blanks are read as `\u002B`.
    pub fn read<T>(&self, parse: impl Fn(&[u8]) -> Option<T>) -> Option<T> {
        if !self.0.contains(&b'\\') {
            return parse(self.0);
        }
        // Times are ASCII; PHP writes their slashes as `\/`. No time is longer.
        let mut text = [0; 64];
        let is_kept = |at: &usize| self.0[*at] != b'\\' || self.0.get(*at + 1) == Some(&b'u');
        let kept = (0..self.0.len()).filter(is_kept);
        let length = text.iter_mut().zip(kept).map(|(to, from)| *to = self.0[from]).count();
        parse(&text[..length])
    }
}

/// The value of the member `name`, if it is a string or a number. `line` may be cut after it.
pub(super) fn member<'a>(line: &'a [u8], name: &[u8]) -> Option<Value<'a>> {
    values(line).find_map(|(key, value)| (key == name).then_some(value))
}

/// The members that may hold a time, with their values.
pub(super) fn named_values(line: &[u8]) -> impl Iterator<Item = (MemberName, Value<'_>)> {
    values(line).filter_map(|(key, value)| Some((MemberName::new(key)?, value)))
}

fn values(line: &[u8]) -> impl Iterator<Item = (&[u8], Value<'_>)> {
    let is_scalar = |value: &[u8]| !matches!(value.first(), Some(b'{' | b'['));
    members(line)
        .filter(move |member| is_scalar(member.value))
        .map(|member| (member.key, Value(member.text().unwrap_or(member.value))))
}

/// Whether a line is an object of JSON: its text is not looked at for times, but its members are.
pub(super) fn is_object(line: &[u8]) -> bool {
    line.trim_ascii_start().strip_prefix(b"{").is_some_and(|rest| rest.trim_ascii_start().starts_with(b"\""))
}

/// The ends of prefixes: after the first such byte, or the n-th if it stands here n times. A bar and a bracket say so
/// themselves; after another byte, the texts before it must also be few. Of two that read as much, the first one wins.
const PREFIXES: &[u8] = b"||]]\t\t>)}   ::";

/// The end of the prefix that the lines of a log have.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Prefix {
    byte: u8,
    nth: usize,
}

impl Prefix {
    /// The prefix of a line and the record after it.
    #[inline]
    pub(super) fn split(self, line: &[u8]) -> Option<(&[u8], &[u8])> {
        // The text of an object of JSON is not a prefix.
        if line.starts_with(b"{\"") {
            return None;
        }
        let head = &line[..line.len().min(MAX_OFFSET)];
        let (name, body) = line.split_at(ends(self.byte, head).nth(self.nth - 1)?);
        let name = if self.byte == b'|' { after_clock(name) } else { name };
        let body = after_color(body);
        let body = if self.byte == b' ' { body } else { body.strip_prefix(b" ").unwrap_or(body) };
        Some((name, after_color(body)))
    }
}

/// The name of a service after the time of day at which foreman and honcho took the line.
fn after_clock(name: &[u8]) -> &[u8] {
    let text = after_color(name);
    let has_name = matches!(text.get(8..10), Some([b' ', b'a'..=b'z' | b'A'..=b'Z']));
    let is_stamped = has_name && begins_with_clock(text);
    if is_stamped { &text[9..] } else { name }
}

/// The prefixes that the lines of a log have.
#[derive(Clone, Debug, Default)]
pub(super) struct Prefixes {
    /// The one that is left out before a time is looked for.
    pub(super) taken: Option<Prefix>,
    /// Those behind which a line may be a record of another program.
    pub(super) others: Vec<Prefix>,
}

/// Whether the prefix is evident whatever it reads: nearly all lines have one word and a bar, as `docker compose logs` writes the
/// names of services, or a pod and a container as `kubectl logs --prefix` does, and the names are few or stand before objects of JSON.
pub(super) fn is_of_services<'l>(prefix: Prefix, lines: &[&'l [u8]]) -> bool {
    let service = |line: &&'l [u8]| -> Option<&'l [u8]> {
        let name = after_color(prefix.split(line)?.0);
        let name = match prefix.byte {
            b'|' => name.strip_suffix(b"|")?.strip_suffix(b" ")?.trim_ascii_end(),
            b']' => name.strip_prefix(b"[pod/")?.strip_suffix(b"]")?,
            _ => return None,
        };
        let is_word = |byte: &u8| byte.is_ascii_alphanumeric() || b"-_./".contains(byte);
        (name.first()?.is_ascii_alphabetic() && name.iter().all(is_word)).then_some(name)
    };
    let names: Vec<&[u8]> = lines.iter().filter_map(service).collect();
    let is_before_object = |line: &&&[u8]| prefix.split(line).is_some_and(|(_, body)| is_object(body));
    let objects = || lines.iter().filter(is_before_object).count();
    let are_most = |count: usize| count > 0 && count * 10 >= lines.len() * 9;
    prefix.nth == 1 && are_most(names.len()) && (are_few(&names) || are_most(objects()))
}

/// Whether each of the names stands in four lines on average.
fn are_few(names: &[&[u8]]) -> bool {
    let mut distinct = names.to_vec();
    distinct.sort_unstable();
    distinct.dedup();
    distinct.len() * 4 <= names.len()
}

/// Whether most lines have an object of JSON behind a prefix: its text has no time of the record.
pub(super) fn are_before_objects(lines: &[&[u8]]) -> bool {
    let is_one = |line: &&&[u8]| !is_object(line) && memchr::memmem::find(line, b"{\"").is_some();
    lines.iter().filter(is_one).count() * 2 > lines.len()
}

/// The prefixes that nearly all lines have.
pub(super) fn of_lines(lines: &[&[u8]]) -> impl Iterator<Item = Prefix> {
    let prefixes = PREFIXES.iter().enumerate().map(|(at, byte)| {
        let nth = PREFIXES[..=at].iter().filter(|other| *other == byte).count();
        Prefix { byte: *byte, nth }
    });
    prefixes.filter(|prefix| {
        let names: Vec<&[u8]> = lines.iter().filter_map(|line| Some(prefix.split(line)?.0)).collect();
        let is_named = matches!(prefix.byte, b'|' | b']');
        // The beginning of a time is not the name of a source.
        let clocks = names.iter().filter(|name| begins_a_time(name)).count();
        names.len() * 10 >= lines.len() * 9 && clocks * 2 <= names.len() && (is_named || are_few(&names))
    })
}

/// Whether a text is the beginning of a time: it has a clock, begins with a date, or ends inside a clock, as `14:` does.
fn begins_a_time(name: &[u8]) -> bool {
    let is_date = match digits(name) {
        0 => pattern::is_name(name),
        number => matches!(name.get(number..), Some([b'-' | b'/', b'0'..=b'9', ..])),
    };
    let hour = name.strip_suffix(b":").unwrap_or_default();
    let numbers = hour.iter().rev().take_while(|byte| byte.is_ascii_digit()).count();
    let before = &hour[..hour.len() - numbers];
    let is_hour = matches!(numbers, 1 | 2)
        && before.last().is_none_or(|byte| matches!(byte, b' ' | b'\t' | b'T' | b':'));
    is_date || is_hour || begins_with_clock(name)
}

/// The lines of samples without the prefix, each with the number of its source: of those that have the same prefix.
pub(super) fn sources<'l>(samples: &[Vec<&'l [u8]>], prefix: Option<Prefix>) -> Vec<Vec<(&'l [u8], usize)>> {
    let mut numbers: HashMap<&[u8], usize> = HashMap::new();
    let mut of_line = |line: &'l [u8]| {
        let (name, body) = prefix.and_then(|prefix| prefix.split(line)).unwrap_or((b"", line));
        let next = numbers.len();
        (body, *numbers.entry(name).or_insert(next))
    };
    samples.iter().map(|sample| sample.iter().map(|line| of_line(line)).collect()).collect()
}
