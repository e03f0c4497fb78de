//! Ranges: how the user writes them, which two points each one means, and the slice that a file has for it.

mod parse;
mod resolve;

use std::fmt;

use crate::error::{Error, Result};

pub use parse::{parse_count, parse_list, parse_mixed, parse_place, parse_size};
pub use resolve::{Boundary, RangeBoundaries, Slice};

/// The unit that a range counts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Unit {
    /// Bytes, numbered from 0; a range excludes its end.
    Bytes,
    /// Lines, numbered from 1; a range includes its end.
    Lines,
}

impl Unit {
    /// The command that returns ranges of this unit.
    pub fn command(self) -> &'static str {
        match self {
            Unit::Bytes => "bytes",
            Unit::Lines => "lines",
        }
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
}
