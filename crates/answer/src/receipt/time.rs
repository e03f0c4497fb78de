//! The times of a log, which stand among the facts of its file.

use crate::rows::rows;

rows! {
    /// The times of a log, in the zone of times without one; seconds since boot if the log has these.
    #[derive(Clone, Debug, Default)]
    pub struct TimeInfo: "time" {
        /// The time of the first record.
        pub first: String,
        /// The time of the last record; left out by stat if the last 16 KiB have none, or if reading them would cost more
        /// than that, and by select without a window if the end of the text is not at hand.
        pub last?: Option<String>,
        /// The start of the window, as --since was understood.
        pub since?: Option<String>,
        /// The end of the window, as --until was understood; no record at this time is in it.
        pub until?: Option<String>,
        /// The command that reads the end of the log, if the window begins after the last record; of select, the options that
        /// read only the window of a condition on _time.
        pub hint?: Option<String>,
        /// The names of the formats, with commas between, or that of --time-format.
        pub format: String,
        /// The zone of times without one.
        pub zone: String,
    }
}
