//! The times of a log, which stand among the facts of its file.

use serde::Serialize;

/// The times of a log, in the zone of times without one; seconds since boot if the log has these.
#[derive(Clone, Debug, Default, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema), schemars(rename = "time"))]
pub(crate) struct TimeInfo {
    /// The time of the first record.
    pub(crate) first: String,
    /// The time of the last record; left out by stat if the last 16 KiB have none, or if reading them would cost more
    /// than that.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) last: Option<String>,
    /// The start of the window, as --since was understood.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) since: Option<String>,
    /// The end of the window, as --until was understood; no record at this time is in it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) until: Option<String>,
    /// The command that reads the end of the log, if the window begins after the last record.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) hint: Option<String>,
    /// The name of the format, or that of --time-format.
    pub(crate) format: String,
    /// The zone of times without one.
    pub(crate) zone: String,
}
