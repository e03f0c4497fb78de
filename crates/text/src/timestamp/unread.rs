//! Why a text that looks like a time is not one.

use super::formats::{FORMATS, Format};
use super::pattern;
use super::position;
use super::zone_names::{Meaning, meaning};

/// What a time leaves open, so that rread does not read it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Unread {
    /// The order of the numbers of its date, such as `03/11/2024 06:00:00`.
    Order(String),
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
    format.order.map(|_| Unread::Order(owned(&text[..length])))
}
