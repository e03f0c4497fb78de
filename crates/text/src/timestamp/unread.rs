//! Why a text that looks like a time is not one.

use super::formats::{FORMATS, Format};
use super::pattern;
use super::position;
use super::zone_names::{Meaning, meaning};

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
    // What follows the clock is AM or PM, and an offset.
    let has_offset = rest.trim_start().starts_with(['+', '-']);
    let blank = if rest.starts_with(' ') { " " } else { "" };
    match (has_mark, has_offset) {
        (true, _) => format + blank + "%p",
        (false, true) => format + blank + "%z",
        (false, false) => format,
    }
}
