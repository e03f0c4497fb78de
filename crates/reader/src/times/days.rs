//! The days of a log of the W3C format whose lines have the field `time` alone: its directives say the day.

use jiff::SignedDuration;
use jiff::civil::{Date, Time};

use super::lines::{Clock, Heads};
use crate::reader::Reader;
use rread_text::error::Result;
use rread_text::timestamp::{Detected, TimeContext};

/// A part begins at each directive and at each midnight; no log has more.
const MAX_PARTS: usize = 100_000;

/// Lines of one day are not further out of order.
const MAX_DISORDER: SignedDuration = SignedDuration::from_hours(1);

/// The number of the field with the time, if the directives name no date, and the byte that divides the fields of the first line.
pub(super) fn field_of_time<'l>(mut lines: impl Iterator<Item = &'l [u8]>) -> Option<(usize, u8)> {
    let fields = lines.find_map(|line| line.strip_prefix(b"#Fields:"))?;
    let mut names = fields.split(u8::is_ascii_whitespace).filter(|name| !name.is_empty());
    let place = names.clone().position(|name| name == b"time")?;
    let row = lines.find(|line| !line.starts_with(b"#")).unwrap_or_default();
    let byte = if row.contains(&b'\t') { b'\t' } else { b' ' };
    (!names.any(|name| name == b"date")).then_some((place, byte))
}

/// The clock of such a log: walks over it for its directives and midnights.
pub(super) fn clock(reader: &Reader, detected: Detected, base: &TimeContext, size: u64) -> Result<Clock> {
    let mut heads = Heads::new(reader, false, 0);
    let mut parts: Vec<(u64, TimeContext)> = Vec::new();
    let (mut day, mut last): (Option<Date>, Option<Time>) = (None, None);
    while heads.at() < size && parts.len() < MAX_PARTS {
        let Some((start, _)) = heads.next()? else { break };
        let text = heads.text();
        if let Some(date) = text.strip_prefix(b"#Date:") {
            let date = std::str::from_utf8(date).unwrap_or_default().trim();
            if let Some(next) = date.get(..10).and_then(|date| date.parse().ok()) {
                parts.extend(day.map(|day| (start, base.clone().on(day))));
                (day, last) = (Some(next), None);
            }
        } else if let Some(time) = detected.clock_of(&text) {
            // Without a directive, a clock that falls by more than disorder has passed midnight.
            if last.is_some_and(|last| time.duration_until(last) > MAX_DISORDER) {
                parts.extend(day.map(|day| (start, base.clone().on(day))));
                day = day.and_then(|day| day.tomorrow().ok());
            }
            last = Some(time);
        }
    }
    let last = day.map_or_else(|| base.clone(), |day| base.clone().on(day));
    Ok(Clock::new(detected, last).with_parts(parts))
}
