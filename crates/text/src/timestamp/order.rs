//! The order of dates of three numbers, such as `02/01/03`: only other lines of the log can show it; and why a text
//! that looks like a time is not one.

use jiff::civil::Date;

use super::clock::{Meaning, meaning};
use super::cursor::digits;
use super::formats::{Dates, FORMATS, Format, Order, rows};
use super::position::{FormatKind, Shape, TimePosition};
use super::{pattern, position};

/// The shape, with the order of its date; `None` if no line shows the order.
pub(super) fn resolve_order(
    (kind, position): (usize, TimePosition),
    kinds: &[FormatKind],
    texts: &[&[u8]],
    latest: Option<Date>,
) -> Option<Shape> {
    let FormatKind::Known(format) = &kinds[kind] else {
        return Some(Shape { kind: kinds[kind].clone(), position, rank: 0 });
    };
    let rows = rows(format);
    if rows.len() == 1 {
        return Some(Shape { kind: FormatKind::Known(format), position, rank: 0 });
    }
    let text = |line: &&[u8]| position.read(line, |line, start| line.get(start..).map(<[u8]>::to_vec));
    let texts: Vec<Vec<u8>> = texts.iter().filter_map(text).collect();
    let format = resolve(&rows, &texts, latest)?;
    Some(Shape { kind: FormatKind::Known(format), position, rank: 0 })
}

/// The one of the formats whose order is the only one that makes every text a date, or `None` if there are several.
///
/// A number above 12 is not a month. Of dates with short years, the first or the third number is a year, and the one that
/// stays the same while the other does not is it. If they show no more than that the month is in the middle, the year is
/// first, as in Spark; with dots the day is, as in Germany, unless the year alone gives dates of the file's time. A clock of 12
/// hours without more evidence is that of the USA. An order that makes a date later than `latest`, when the file was
/// written, loses against one that does not.
fn resolve(formats: &[&'static Format], texts: &[Vec<u8>], latest: Option<Date>) -> Option<&'static Format> {
    let mut fitting: Vec<&'static Format> = formats.to_vec();
    let mut start: Option<[i32; 3]> = None;
    let (mut first_varies, mut third_varies) = (false, false);
    for text in texts.iter().map(Vec::as_slice) {
        let fits = |format: &&'static Format| pattern::parse(format.pattern, text).is_some();
        if !formats.iter().any(fits) {
            continue;
        }
        fitting.retain(fits);
        let Some(numbers) = numbers(text) else { continue };
        let start = *start.get_or_insert(numbers);
        first_varies |= numbers[0] != start[0];
        third_varies |= numbers[2] != start[2];
    }
    start?;
    let has =
        |fitting: &[&Format], order: Order| fitting.iter().any(|format| order_of(format) == Some(order));
    if has(&fitting, Order::Year) && first_varies != third_varies {
        fitting.retain(|format| (order_of(format) == Some(Order::Year)) == third_varies);
    }
    let newest = |format: &Format| {
        let dates = texts.iter().filter_map(|text| pattern::parse(format.pattern, text));
        dates.filter_map(|(fields, _)| Some((fields.year?, fields.month, fields.day))).max()
    };
    let is_past = |format: &&'static Format| {
        latest.is_none_or(|latest| newest(format) <= Some((latest.year(), latest.month(), latest.day())))
    };
    if fitting.iter().any(is_past) {
        fitting.retain(is_past);
    }
    // Years between the file and the newest date.
    let age = |order: Order| {
        let format = fitting.iter().find(|format| order_of(format) == Some(order))?;
        Some(latest?.year() - newest(format)?.0)
    };
    let default = match formats.first()?.order?.0 {
        Dates::SlashesOf12Hours => Some(Order::Month),
        Dates::ShortSlashes | Dates::ShortDashes if !has(&fitting, Order::Month) => Some(Order::Year),
        Dates::ShortDots if age(Order::Year) > Some(1) || age(Order::Day) <= Some(1) => Some(Order::Day),
        _ => None,
    };
    if fitting.len() > 1
        && let Some(default) = default
    {
        fitting.retain(|format| order_of(format) == Some(default));
    }
    match fitting[..] {
        [only] => Some(only),
        _ => None,
    }
}

fn order_of(format: &Format) -> Option<Order> {
    format.order.map(|(_, order)| order)
}

/// The three numbers at the beginning of a text.
fn numbers(text: &[u8]) -> Option<[i32; 3]> {
    let mut rest = text;
    let mut numbers = [0; 3];
    for number in &mut numbers {
        let length = digits(rest);
        *number = std::str::from_utf8(&rest[..length]).ok()?.parse().ok()?;
        rest = rest.get(length + 1..)?;
    }
    Some(numbers)
}

/// A part that a time leaves open, so that rread does not read it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Unread {
    /// The order of the numbers of its date, such as `03/11/2024 06:00:00`.
    Order {
        /// The time.
        time: String,
        /// A format for `--time-format` that reads it, with the day first.
        format: String,
    },
    /// The zone of its abbreviation, such as `CST`.
    Zone(String),
}

/// Why the first of the lines that looks like it has a time has none.
pub fn why_unread<'a>(lines: impl IntoIterator<Item = &'a [u8]>) -> Option<Unread> {
    lines.into_iter().find_map(|line| position::starts(line).find_map(|start| at(&line[start..])))
}

fn at(text: &[u8]) -> Option<Unread> {
    let parsed = |format: &&'static Format| pattern::parse(format.pattern, text);
    let (format, (fields, length)) = FORMATS.iter().find_map(|format| Some((format, parsed(&format)?)))?;
    let owned = |text: &[u8]| String::from_utf8_lossy(text).into_owned();
    if let Some(zone) = fields.zone.filter(|zone| meaning(zone) == Some(Meaning::Several)) {
        return Some(Unread::Zone(owned(zone)));
    }
    let time = &text[..length];
    format
        .order
        .map(|_| Unread::Order { time: owned(time), format: day_first(time, fields.is_afternoon.is_some()) })
}

/// The format of strptime of a date of three numbers and a clock.
fn day_first(time: &[u8], has_mark: bool) -> String {
    let text = String::from_utf8_lossy(time);
    let (mut format, mut rest) = (String::new(), &*text);
    let hour = if has_mark { "%I" } else { "%H" };
    for directive in ["%d", "%m", "%y", hour, "%M", "%S", "%f"] {
        let is_digit = |c: char| c.is_ascii_digit();
        let end = rest.find(|c| !is_digit(c)).unwrap_or(rest.len());
        format += if directive == "%y" && end == 4 { "%Y" } else { directive };
        rest = &rest[end..];
        let between = &rest[..rest.find(is_digit).unwrap_or(rest.len())];
        let goes_on = match directive {
            "%M" => between == ":",
            "%S" => matches!(between, "." | "," | ":"),
            _ => directive != "%f",
        };
        if !goes_on {
            break;
        }
        format += between;
        rest = &rest[between.len()..];
    }
    // AM or PM and an offset follow the clock.
    let has_offset = rest.trim_start().starts_with(['+', '-']);
    let blank = if rest.starts_with(' ') { " " } else { "" };
    match (has_mark, has_offset) {
        (true, _) => format + blank + "%p",
        (false, true) => format + blank + "%z",
        (false, false) => format,
    }
}
