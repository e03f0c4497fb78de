//! The order of dates of three numbers, such as `02/01/03`: only other lines of the log can show it; and why a text
//! that looks like a time is not one.

use jiff::Span;
use jiff::civil::Date;

use super::clock::{Meaning, meaning};
use super::cursor::Fields;
use super::formats::{Dates, FORMATS, Format, Order, rows};
use super::position::{FormatKind, Shape, TimePosition};
use super::strptime::format_of;
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
/// stays the same while the other does not is it. An order that makes a date later than `latest`, when the file was
/// written, loses against one that does not, and one whose last date is not that day against one whose is. Then the year
/// is first in Spark and Hadoop; with dots the day is, as in Germany, unless the year alone gives dates of the file's time;
/// and a clock of 12 hours is that of the USA.
fn resolve(formats: &[&'static Format], texts: &[Vec<u8>], latest: Option<Date>) -> Option<&'static Format> {
    let fits = |format: &Format, text: &[u8]| pattern::parse(format.pattern, text).is_some();
    let is_time = |text: &&Vec<u8>| formats.iter().any(|format| fits(format, text));
    let texts: Vec<&Vec<u8>> = texts.iter().filter(is_time).collect();
    texts.first()?;
    let mut fitting: Vec<&'static Format> = formats.to_vec();
    fitting.retain(|format| texts.iter().all(|text| fits(format, text)));
    let dates = |format: &Format| -> Vec<Date> {
        let times = texts.iter().filter_map(|text| pattern::parse(format.pattern, text));
        times.filter_map(|(fields, _)| Date::new(fields.year?, fields.month, fields.day).ok()).collect()
    };
    let varies = |format: &Format| dates(format).windows(2).any(|pair| pair[0].year() != pair[1].year());
    let year_first = fitting.iter().find(|format| order_of(format) == Some(Order::Year));
    let year_last = fitting.iter().find(|format| order_of(format) != Some(Order::Year));
    if let (Some(first), Some(last)) =
        (year_first.map(|first| varies(first)), year_last.map(|last| varies(last)))
        && first != last
    {
        fitting.retain(|format| (order_of(format) == Some(Order::Year)) == last);
    }
    // On 3 March, the order of the day and the month does not matter.
    fitting.dedup_by_key(|format| dates(format));
    let newest = |format: &Format| dates(format).into_iter().max();
    let day_before = latest.and_then(|latest| latest.checked_sub(Span::new().days(2)).ok());
    let unlikely = |format: &&'static Format| {
        let newest = newest(format);
        (latest.is_some() && newest > latest, newest < day_before)
    };
    let least = fitting.iter().map(unlikely).min();
    fitting.retain(|format| Some(unlikely(format)) == least);
    // Years between the file and the newest date.
    let age = |order: Order| {
        let format = fitting.iter().find(|format| order_of(format) == Some(order))?;
        Some(latest?.year() - newest(format)?.year())
    };
    let default = match formats.first()?.order?.0 {
        Dates::SlashesOf12Hours => Some(Order::Month),
        Dates::ShortSlashes if texts.iter().any(|text| is_of_spark(text)) => Some(Order::Year),
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

/// Whether a program of Hadoop wrote the line, as log4j does in its default layout.
fn is_of_spark(text: &[u8]) -> bool {
    const PROGRAMS: [&[u8]; 5] = [b"spark", b"hadoop", b"mapreduce", b"yarn", b"hdfs"];
    let has = |word: &[u8]| memchr::memmem::find(text, word).is_some();
    [&b" INFO "[..], b" WARN ", b" ERROR "].into_iter().any(has) && PROGRAMS.into_iter().any(has)
}

fn order_of(format: &Format) -> Option<Order> {
    format.order.map(|(_, order)| order)
}

/// A part that a time leaves open, so that rread does not read it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Unread {
    /// The order of the numbers of its date, such as `03/11/2024 06:00:00`.
    Order {
        /// The time.
        time: String,
        /// The days that it may be of.
        days: Vec<String>,
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
    format.order?;
    let time = &text[..length];
    // A clock of 12 hours is not read without its mark.
    let made = format_of(time).filter(|made| fields.is_afternoon.is_none() || made.ends_with("%p"))?;
    let fields = rows(format).into_iter().filter_map(|row| pattern::parse(row.pattern, time));
    let day = |fields: Fields<'_>| Some(format!("{}-{:02}-{:02}", fields.year?, fields.month, fields.day));
    let mut days: Vec<String> = fields.filter_map(|(fields, _)| day(fields)).collect();
    days.sort();
    days.dedup();
    Some(Unread::Order { time: owned(time), days, format: made })
}
