//! `--since` and `--until`, and how times are read: the options of commands that take a window of time.

use clap::Args;
use jiff::SignedDuration;

use super::content::refuse;
use super::input::any_duration;
use rread_answer::{TimeReading, TimeWindow};
use rread_text::{Error, Result};

/// A window of time.
#[derive(Args, Clone, Debug, Default)]
#[command(next_help_heading = "Time")]
pub(crate) struct TimeArgs {
    /// Only records at or after the time T: 06:01, 2026-11-23T06:01, 'yesterday 6:00', -15m
    ///
    /// A record is a line with a time and the lines without one after it. T is a time in a usual format or in that
    /// of the file, a date, a time of day on the date of the last record, now, today, yesterday, or -2d 4h before
    /// now. rread finds the window by interpolation, so it reads little of a file of any size. If the log has only
    /// seconds since boot, T is such a number, or counts back from the last record.
    #[arg(long, value_name = "T", allow_hyphen_values = true)]
    pub(crate) since: Option<String>,
    /// Only records before the time T; +10m counts from --since
    #[arg(long, value_name = "T", allow_hyphen_values = true)]
    pub(crate) until: Option<String>,
    #[command(flatten)]
    pub(crate) reading: TimeReadingArgs,
}

/// How times are read.
#[derive(Args, Clone, Debug, Default)]
#[command(next_help_heading = "Time")]
pub(crate) struct TimeReadingArgs {
    /// The zone of times without one, and of T: Europe/Berlin, UTC, +02:00 [default: that of the system]
    ///
    /// FILE=ZONE is the zone of the times in one of several files, and may be given for each of them.
    #[arg(long, value_name = "[FILE=]ZONE", value_parser = super::input::value(), allow_hyphen_values = true)]
    pub(crate) tz: Vec<String>,
    /// The format of the times in the file, as in strptime, such as '%d.%m.%y %H:%M:%S'
    #[arg(long, value_name = "FORMAT")]
    pub(crate) time_format: Option<String>,
    /// The year of the last record, for times without a year [default: that of the file]
    ///
    /// Without it, the archive of a member, the header of a .gz or the modification of the file has the year. Earlier
    /// years are counted back.
    #[arg(long, value_name = "Y", value_parser = clap::value_parser!(i16).range(1..=9999))]
    pub(crate) year: Option<i16>,
    /// How far records may be out of order [default: 10s]
    #[arg(long, value_name = "DURATION", value_parser = slack)]
    pub(crate) slack: Option<SignedDuration>,
    /// Look at every record, for files that are out of order
    #[arg(long)]
    pub(crate) scan: bool,
}

impl TimeArgs {
    pub(crate) fn options(&self) -> TimeWindow {
        TimeWindow { since: self.since.clone(), until: self.until.clone(), reading: self.reading.options() }
    }

    fn is_window(&self) -> bool {
        self.since.is_some() || self.until.is_some()
    }

    /// The options if they ask for a window. The times of merged files are read in any case.
    pub(crate) fn window(&self, is_merged: bool) -> Result<Option<TimeWindow>> {
        match (self.is_window(), is_merged) {
            (true, _) => return Ok(Some(self.options())),
            (false, true) => self.reading.refuse_slack()?,
            (false, false) => self.reading.refuse_without("--since")?,
        }
        Ok(None)
    }

    /// The same for a command that shows times without a window.
    pub(crate) fn window_or_times(&self) -> Result<Option<TimeWindow>> {
        if self.is_window() {
            return Ok(Some(self.options()));
        }
        self.reading.refuse(&["--slack", "--scan"], "--since").map(|()| None)
    }
}

impl TimeReadingArgs {
    /// Refuses options that would do nothing without `option`.
    pub(crate) fn refuse_without(&self, option: &str) -> Result<()> {
        self.refuse(&["--tz", "--time-format", "--year", "--slack", "--scan"], option)
    }

    /// Refuses what only a window needs.
    pub(crate) fn refuse_slack(&self) -> Result<()> {
        self.refuse(&["--slack"], "--since")
    }

    fn refuse(&self, refused: &[&str], option: &str) -> Result<()> {
        let given = [
            (!self.tz.is_empty(), "--tz"),
            (self.time_format.is_some(), "--time-format"),
            (self.year.is_some(), "--year"),
            (self.slack.is_some(), "--slack"),
            (self.scan, "--scan"),
        ];
        let usual = if option == "--merge" { "" } else { " 06:01" };
        refuse(given.map(|(is_given, name)| (is_given && refused.contains(&name), name)), |name| {
            Error::usage(format!("{name} says how to read times, and no time is given"))
                .hint(format!("add {option}{usual}, or leave out {name}"))
        })
    }

    pub(crate) fn options(&self) -> TimeReading {
        let TimeReadingArgs { tz, time_format, year, slack, scan } = self.clone();
        TimeReading { tz, time_format, year, slack, scan, ..TimeReading::default() }
    }
}

fn slack(text: &str) -> std::result::Result<SignedDuration, String> {
    let duration = any_duration(text).and_then(|duration| SignedDuration::try_from(duration).ok());
    duration.ok_or_else(|| "give a duration such as 10s, 5m or 0".to_owned())
}
