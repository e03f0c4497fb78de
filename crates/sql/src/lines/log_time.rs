//! The times of a log for the receipt.

use rread_text::timestamp::Timestamp;

/// The times of a log, or of several.
#[derive(Clone, Debug)]
pub struct LogTime {
    pub(crate) first_time: Timestamp,
    pub(crate) last_time: Option<Timestamp>,
    pub first: String,
    /// Unknown if the end of the file was not looked at.
    pub last: Option<String>,
    /// The window, as its words were understood.
    pub since: Option<String>,
    pub until: Option<String>,
    pub format: String,
    pub zone: String,
    /// Whether records were seen that contradict the order by more than the slack.
    pub is_unordered: bool,
    pub is_ambiguous: bool,
    /// Whether the window begins after the last record.
    pub is_past_end: bool,
    /// Whether a condition of the query is about the time, a window would do, and the records seem to be in order.
    pub may_have_window: bool,
}

impl LogTime {
    /// The times of both.
    pub(crate) fn and(self, other: LogTime) -> LogTime {
        let is_first = self.first_time <= other.first_time;
        let is_last = self.last_time >= other.last_time;
        let has_same_format = self.format.split(", ").any(|name| name == other.format);
        LogTime {
            first_time: self.first_time.min(other.first_time),
            last_time: self.last_time.max(other.last_time),
            first: if is_first { self.first } else { other.first },
            last: if is_last { self.last } else { other.last },
            since: self.since.or(other.since),
            until: self.until.or(other.until),
            format: if has_same_format { self.format } else { format!("{}, {}", self.format, other.format) },
            zone: self.zone,
            is_unordered: self.is_unordered || other.is_unordered,
            is_ambiguous: self.is_ambiguous || other.is_ambiguous,
            is_past_end: self.is_past_end && other.is_past_end,
            may_have_window: self.may_have_window && other.may_have_window,
        }
    }
}
