//! The minute of the last record: most records are of the same one, and calendars and zones are slow.

use std::cell::Cell;

use jiff::Timestamp;

use super::context::{Context, RecordTime};
use super::cursor::Fields;

/// The fields of a time without its seconds.
type Key = (Option<i16>, [i8; 4], Option<i32>);

/// The minute of the last record with a context. Another context needs another one.
#[derive(Clone, Debug, Default)]
pub struct Minute(Cell<Option<(Key, RecordTime)>>);

impl Minute {
    /// The same as [`Context::record_time`].
    #[inline]
    pub(super) fn record_time(&self, fields: &Fields<'_>, context: &Context) -> Option<RecordTime> {
        if fields.count.is_some() || fields.zone.is_some() {
            return context.record_time(fields);
        }
        let key = (fields.year, [fields.month, fields.day, fields.hour, fields.minute], fields.offset);
        match self.0.get() {
            Some((last, _)) if last == key => {}
            _ => {
                let found = context.record_time(fields)?;
                self.0.set(whole(fields, context).map(|start| (key, start)));
                return Some(found);
            }
        }
        let (_, start) = self.0.get()?;
        let second = start.time.as_second() + i64::from(fields.second);
        Some(RecordTime { time: Timestamp::new(second, fields.nanosecond).ok()?, ..start })
    }
}

/// The start of the minute, if its seconds follow one another: clocks are not set in it, and it is of one year.
fn whole(fields: &Fields<'_>, context: &Context) -> Option<RecordTime> {
    let at = |second| context.record_time(&Fields { second, nanosecond: 0, ..*fields });
    let (first, last) = (at(0)?, at(59)?);
    let is_whole = last == RecordTime { time: last.time, ..first }
        && first.other.is_none()
        && first.time.subsec_nanosecond() == 0
        // Before 1970, a fraction of a second would count backwards.
        && first.time.as_second() >= 0
        && last.time.as_second() - first.time.as_second() == 59;
    is_whole.then_some(first)
}
