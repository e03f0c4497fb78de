//! The parts of a range and the points that it means; from the request to the slice: pure functions of the range and what
//! the file has.

use std::fmt;

use crate::error::{Error, Kind, Result, counted};

crate::words! { command,
    /// The unit that a range counts.
    pub enum Unit {
        /// Bytes, numbered from 0; a range excludes its end.
        Bytes = "bytes",
        /// Lines, numbered from 1; a range includes its end.
        Lines = "lines",
    }
}

/// A number in a range, counted from the start or from the end of the file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Place {
    /// `N`: a line number or a byte offset.
    Front(u64),
    /// `-N`: N lines or bytes before the end.
    Back(u64),
}

impl Place {
    /// The number, negative if counted from the end.
    pub fn signed(self) -> i128 {
        match self {
            Place::Front(n) => i128::from(n),
            Place::Back(n) => -i128::from(n),
        }
    }
}

impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Place::Front(n) => write!(f, "{n}"),
            Place::Back(n) => write!(f, "-{n}"),
        }
    }
}

/// A range without its unit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Form {
    /// `7`: a single line.
    One(Place),
    /// `100:120`: from the first place to the second. An absent place is the start or the end of the file.
    Between(Option<Place>, Option<Place>),
    /// `100:+20`: so many units from the place on.
    Counted(Place, u64),
}

/// A range as a user writes it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Range {
    /// The unit that it counts.
    pub unit: Unit,
    /// The numbers.
    pub form: Form,
}

/// A boundary between units, counted from the start or from the end.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Point {
    /// After the first N lines or bytes.
    Front(u64),
    /// Before the last N lines or bytes.
    Back(u64),
}

impl Point {
    /// The units before this point in a file of `total` units. `Front` is not clamped.
    pub fn from_front(self, total: u64) -> u64 {
        match self {
            Point::Front(n) => n,
            Point::Back(n) => total.saturating_sub(n),
        }
    }

    /// The point `count` units later, at most the end when counted from there.
    pub fn later(self, count: u64) -> Point {
        match self {
            Point::Front(n) => Point::Front(n.saturating_add(count)),
            Point::Back(n) => Point::Back(n.saturating_sub(count)),
        }
    }
}

/// The lines to add to a range.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Context {
    /// The number of lines before the range.
    pub before: u64,
    /// The number of lines after the range.
    pub after: u64,
}

impl fmt::Display for Range {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let show = |place: Option<Place>| place.map_or(String::new(), |p| p.to_string());
        match self.form {
            Form::One(place) => write!(f, "{place}"),
            Form::Between(start, end) => write!(f, "{}:{}", show(start), show(end)),
            Form::Counted(start, count) => write!(f, "{start}:+{count}"),
        }
    }
}

impl Range {
    /// The whole file.
    pub fn whole(unit: Unit) -> Self {
        Range { unit, form: Form::Between(None, None) }
    }

    /// `count` units after the first `before` ones.
    pub fn after(unit: Unit, before: u64, count: Option<u64>) -> Self {
        let first = Place::Front(match unit {
            Unit::Bytes => before,
            Unit::Lines => before.saturating_add(1),
        });
        let form = match count {
            Some(count) => Form::Counted(first, count),
            None => Form::Between(Some(first), None),
        };
        Range { unit, form }
    }

    /// The range itself, if its end is not before its start in every file.
    ///
    /// # Errors
    ///
    /// [`Kind::InvalidRange`](crate::error::Kind::InvalidRange) if it is.
    pub fn check(self) -> Result<Self> {
        if let Form::Between(Some(start), Some(end)) = self.form {
            let crossed = match (start, end) {
                (Place::Front(a), Place::Front(b)) => a > b,
                (Place::Back(a), Place::Back(b)) => a < b,
                _ => false,
            };
            if crossed {
                return Err(self.crossed_error(&start.to_string(), &end.to_string()));
            }
        }
        Ok(self)
    }

    /// The error of a range that ends before it starts; `start` and `end` are its numbers.
    pub fn crossed_error(self, start: &str, end: &str) -> Error {
        let (first, last) = match self.unit {
            Unit::Bytes => ("start_byte", "end_byte"),
            Unit::Lines => ("start_line", "end_line"),
        };
        Error::invalid_range(format!(
            "Invalid range specified: {first} ({start}) is greater than {last} ({end})."
        ))
    }

    /// The point before the first unit.
    pub fn start(self) -> Point {
        match self.form {
            Form::One(place) | Form::Between(Some(place), _) | Form::Counted(place, _) => self.before(place),
            Form::Between(None, _) => Point::Front(0),
        }
    }

    /// The end, possibly past the end of the file.
    pub fn end(self) -> Point {
        match self.form {
            Form::One(Place::Front(n)) => Point::Front(n),
            Form::One(Place::Back(n)) => Point::Back(n.saturating_sub(1)),
            Form::Between(_, None) => Point::Back(0),
            // The range includes its last line, whose number is that of the lines before the end.
            Form::Between(_, Some(Place::Front(n))) => Point::Front(n),
            Form::Between(_, Some(Place::Back(n))) => Point::Back(n),
            Form::Counted(start, count) => self.before(start).later(count),
        }
    }

    fn before(self, place: Place) -> Point {
        match (self.unit, place) {
            (Unit::Lines, Place::Front(n)) => Point::Front(n.saturating_sub(1)),
            (Unit::Bytes, Place::Front(n)) => Point::Front(n),
            (_, Place::Back(n)) => Point::Back(n),
        }
    }

    /// The end in a file of `total` units. A count stays a count, even when `-N` was clamped to the start of the file.
    pub(super) fn end_from(self, start: u64, total: u64) -> u64 {
        match self.form {
            Form::Counted(_, count) => start.saturating_add(count),
            Form::One(Place::Back(_)) => start.saturating_add(1),
            _ => self.end().from_front(total),
        }
    }

    /// Start and end, then both with `context`. With a known `total`, all of them count from the front.
    pub fn points(self, context: Context, total: Option<u64>) -> [Point; 4] {
        let (start, end) = match total {
            None => (self.start(), self.end()),
            Some(total) => {
                let start = self.start().from_front(total);
                (Point::Front(start), Point::Front(self.end_from(start, total)))
            }
        };
        let earlier = match start {
            Point::Front(n) => Point::Front(n.saturating_sub(context.before)),
            Point::Back(n) => Point::Back(n.saturating_add(context.before)),
        };
        [start, end, earlier, end.later(context.after)]
    }

    /// The requested number of units, if it does not depend on the file.
    pub fn requested_count(self) -> Option<u64> {
        match (self.form, self.start(), self.end()) {
            (Form::Counted(_, count), ..) => Some(count),
            (Form::One(_), ..) => Some(1),
            (_, Point::Front(a), Point::Front(b)) => Some(b.saturating_sub(a)),
            (Form::Between(_, Some(_)), Point::Back(a), Point::Back(b)) => Some(a.saturating_sub(b)),
            _ => None,
        }
    }

    /// The two requested ends for receipts: negative from the end, `None` if open.
    pub fn requested_ends(self) -> (Option<i128>, Option<i128>) {
        let number = Place::signed;
        match self.form {
            Form::One(place) => (Some(number(place)), Some(number(place))),
            Form::Between(start, end) => (start.map(number), end.map(number)),
            Form::Counted(start, _) => {
                let end = match self.end() {
                    Point::Front(n) => Some(i128::from(n)),
                    Point::Back(0) => None,
                    Point::Back(n) => Some(-i128::from(n)),
                };
                (Some(number(start)), end)
            }
        }
    }

    /// The slice of a byte range in a file of `total` bytes, or of at least so many if the range needs no more.
    ///
    /// # Errors
    ///
    /// [`Kind::OutOfRange`] if the range starts past the end of the file, [`Kind::InvalidRange`] if it starts before its
    /// end only when counted from the end of the file.
    pub fn resolve_bytes(self, total: u64) -> Result<Slice> {
        let start = self.start().from_front(total);
        if start > total {
            return Err(Error::new(
                Kind::OutOfRange,
                format!("{} is beyond the end of the file ({})", self.start_name(), counted(total, "byte")),
            ));
        }
        let requested_end = self.end_from(start, total);
        let end = requested_end.min(total);
        if end < start && matches!(self.start(), Point::Back(_)) {
            return Err(self.crossed_error(&start.to_string(), &end.to_string()));
        }
        let exact = !self.starts_before(total) && requested_end == end;
        Ok(Slice { start, end: end.max(start), first_line: None, exact, short: requested_end > total })
    }

    /// The slice of a range of lines whose boundaries were `found`.
    ///
    /// # Errors
    ///
    /// [`Kind::OutOfRange`] if the range starts past the end of the file, [`Kind::InvalidRange`] if its end is before its
    /// start in this file.
    pub fn resolve_lines(self, found: &RangeBoundaries) -> Result<Slice> {
        let [first, last, earlier, later] = found.boundaries;
        let [_, end, _, later_end] = found.points;
        self.check_start(first, found.total_bytes)?;
        let is_past_end =
            |point, at: Boundary| matches!((point, at.lines), (Point::Front(n), Some(there)) if n > there);
        if let (Point::Back(_), Point::Front(_)) = (self.start(), self.end())
            && last.offset < first.offset
            && let Form::Between(Some(start), Some(end)) = self.form
        {
            return Err(self.crossed_error(&start.to_string(), &end.to_string()));
        }
        let is_empty = last.offset <= first.offset;
        let (from, to) = if is_empty { (first, first) } else { (earlier, later) };
        // An empty range has no context, so the end of the context is not requested.
        let (reached, there) = if is_empty { (end, last) } else { (later_end, later) };
        let clamped = found.total_lines.is_some_and(|total| self.starts_before(total))
            || is_past_end(end, last)
            || matches!(self.form, Form::Counted(Place::Back(n), count) if count > n);
        Ok(Slice {
            start: from.offset,
            end: to.offset,
            first_line: from.lines.map(|n| n + 1),
            exact: is_empty || (from == first && to == last && !clamped),
            short: is_past_end(reached, there),
        })
    }

    /// The start in messages, for a range that counts it from the front.
    pub fn start_name(self) -> String {
        let (Point::Front(start) | Point::Back(start)) = self.start();
        match self.unit {
            Unit::Lines => format!("line {}", start.saturating_add(1)),
            Unit::Bytes => format!("start_byte ({start})"),
        }
    }

    /// Whether the range counts its start from the end, to before the first of `total` units.
    fn starts_before(self, total: u64) -> bool {
        matches!(self.start(), Point::Back(n) if n > total)
    }

    /// Refuses a start past the end of the file, and a single line that does not exist.
    fn check_start(self, first: Boundary, total_bytes: Option<u64>) -> Result<()> {
        let (Point::Front(before), Some(there)) = (self.start(), first.lines) else { return Ok(()) };
        let is_single = matches!(self.form, Form::One(Place::Front(_)));
        let is_missing = is_single && Some(first.offset) == total_bytes && total_bytes != Some(0);
        if there < before || is_missing {
            return Err(Error::new(
                Kind::OutOfRange,
                format!("{} is beyond the end of the file ({})", self.start_name(), counted(there, "line")),
            ));
        }
        Ok(())
    }
}

/// A line boundary: the bytes before it, and the lines if known.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Boundary {
    /// The number of bytes before it.
    pub offset: u64,
    /// The number of lines before it.
    pub lines: Option<u64>,
}

/// The bytes that a range selects, before alignment and budgets.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Slice {
    /// The offset of the first byte.
    pub start: u64,
    /// The offset after the last byte.
    pub end: u64,
    /// The number of the line that starts at `start`, if the range is of lines and the number is known.
    pub first_line: Option<u64>,
    /// Whether the slice is what the range says, neither clamped nor widened.
    pub exact: bool,
    /// Whether the file ends before the range does.
    pub short: bool,
}

/// The boundaries of a range of lines in a file. The four are start and end, then both with the context.
#[derive(Clone, Copy, Debug)]
pub struct RangeBoundaries {
    /// The points that [`Range::points`] returned.
    pub points: [Point; 4],
    /// Their boundaries in the file. A point past the end of the file has the boundary of the end.
    pub boundaries: [Boundary; 4],
    /// The lines of the file, if known.
    pub total_lines: Option<u64>,
    /// The bytes of the file, if known.
    pub total_bytes: Option<u64>,
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::range::{Context, parse_list};

    /// Bytes of every line of the imagined file.
    const LINE: u64 = 10;

    fn show(slice: Result<Slice>) -> String {
        match slice {
            Err(error) => error.message.plain(),
            Ok(Slice { start, end, exact, short, .. }) => {
                let clamped = if exact { "" } else { " clamped" };
                format!("{start}..{end}{clamped}{}", if short { " short" } else { "" })
            }
        }
    }

    fn bytes(text: &str, total: u64) -> String {
        show(parse_list(text, Unit::Bytes).unwrap()[0].resolve_bytes(total))
    }

    /// The slice in a file of `total` lines, whether or not the reader knows the total beforehand.
    fn lines(text: &str, context: Context, total: u64) -> String {
        let range = parse_list(text, Unit::Lines).unwrap()[0];
        let resolve = |known: Option<u64>| {
            let points = range.points(context, known);
            let boundaries = points.map(|point| {
                let lines = point.from_front(total).min(total);
                Boundary { offset: lines * LINE, lines: Some(lines) }
            });
            let (total_lines, total_bytes) = (Some(total), Some(total * LINE));
            show(range.resolve_lines(&RangeBoundaries { points, boundaries, total_lines, total_bytes }))
        };
        let known = resolve(Some(total));
        // A reader that meets the start of the file on its way back knows the total.
        let meets_start = |point: &Point| matches!(point, Point::Back(n) if *n > total);
        if !range.points(context, None).iter().any(meets_start) {
            assert_eq!(known, resolve(None), "{text} of {total}");
        }
        known
    }

    const MAX: &str = "18446744073709551615";

    #[test]
    fn byte_ranges_resolve_in_files_of_every_size() {
        for (text, total, expected) in [
            (":", 0, "0..0"),
            ("0:5", 0, "0..0 clamped short"),
            ("-5:", 0, "0..0 clamped"),
            ("1:", 0, "start_byte (1) is beyond the end of the file (0 bytes)"),
            ("2:5", 9, "2..5"),
            ("2:9", 9, "2..9"),
            ("2:10", 9, "2..9 clamped short"),
            ("2:+3", 9, "2..5"),
            ("2:+99", 9, "2..9 clamped short"),
            ("9:", 9, "9..9"),
            ("9:+1", 9, "9..9 clamped short"),
            ("10:", 9, "start_byte (10) is beyond the end of the file (9 bytes)"),
            ("5:5", 9, "5..5"),
            ("-3:", 9, "6..9"),
            ("-9:", 9, "0..9"),
            ("-10:", 9, "0..9 clamped"),
            ("-10:+2", 9, "0..2 clamped"),
            ("-3:+99", 9, "6..9 clamped short"),
            (":-3", 9, "0..6"),
            (":-10", 9, "0..0"),
            ("-3:-1", 9, "6..8"),
            ("7:-5", 9, "7..7"),
            ("-3:2", 9, "Invalid range specified: start_byte (6) is greater than end_byte (2)."),
            ("bytes=2-4", 9, "2..5"),
            ("bytes=-2", 9, "7..9"),
        ] {
            assert_eq!(bytes(text, total), expected, "{text} of {total}");
        }
        assert_eq!(bytes(&format!("0:{MAX}"), 9), "0..9 clamped short");
        assert_eq!(bytes(&format!("5:+{MAX}"), 9), "5..9 clamped short");
        assert_eq!(bytes(&format!("-{MAX}:+{MAX}"), 9), "0..9 clamped short");
        assert_eq!(bytes(&format!("0:{MAX}"), u64::MAX), format!("0..{MAX}"));
    }

    #[test]
    fn line_ranges_resolve_in_files_of_every_length() {
        let alone = Context::default();
        for (text, total, expected) in [
            (":", 0, "0..0"),
            ("1:5", 0, "0..0 short"),
            ("1", 0, "0..0 short"),
            ("-1", 0, "0..0 short"),
            ("2", 0, "line 2 is beyond the end of the file (0 lines)"),
            ("2:4", 5, "10..40"),
            ("2:5", 5, "10..50"),
            ("2:6", 5, "10..50 clamped short"),
            ("2:+3", 5, "10..40"),
            ("2:+0", 5, "10..10"),
            ("2:+99", 5, "10..50 clamped short"),
            ("5", 5, "40..50"),
            ("6", 5, "line 6 is beyond the end of the file (5 lines)"),
            ("6:", 5, "50..50"),
            ("7:", 5, "line 7 is beyond the end of the file (5 lines)"),
            ("-1", 5, "40..50"),
            ("-5", 5, "0..10"),
            ("-6", 5, "0..10 clamped"),
            ("-2:", 5, "30..50"),
            ("-9:", 5, "0..50 clamped"),
            ("-9:+2", 5, "0..20 clamped"),
            ("-3:+2", 5, "20..40"),
            ("-3:-1", 5, "20..40"),
            (":-2", 5, "0..30"),
            (":-9", 5, "0..0"),
            ("3:-4", 5, "20..20"),
            ("-4:4", 5, "10..40"),
            ("-1:2", 5, "Invalid range specified: start_line (-1) is greater than end_line (2)."),
        ] {
            assert_eq!(lines(text, alone, total), expected, "{text} of {total}");
        }
        assert_eq!(lines(&format!("1:{MAX}"), alone, 5), "0..50 clamped short");
        assert_eq!(lines(&format!("2:+{MAX}"), alone, 5), "10..50 clamped short");
        assert_eq!(lines(&format!("-{MAX}:+{MAX}"), alone, 5), "0..50 clamped short");
        let around = Context { before: 1, after: 2 };
        for (text, expected) in [
            ("3", "10..50 clamped"),
            ("1:3", "0..50 clamped"),
            ("4", "20..50 clamped short"),
            ("2:+0", "10..10"),
            ("6:+0", "50..50"),
        ] {
            assert_eq!(lines(text, around, 5), expected, "{text} with context");
        }
    }
}
