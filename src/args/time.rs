//! `--since` and `--until`, and how times are read: the options of commands that take a window of time.

use std::path::Path;
use std::time::Duration;

use clap::Args;
use jiff::{SignedDuration, Timestamp};

use rread_reader::times::TimeOptions;
use rread_text::error::{Error, Result};
use rread_text::quote::quoted_word;
use rread_text::timestamp::zone;

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
    #[arg(long, value_name = "[FILE=]ZONE", value_parser = super::file::value(), allow_hyphen_values = true)]
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
    /// The last record of several files, whose day is that of times of day.
    #[arg(skip)]
    pub(crate) last_of_all: Option<Timestamp>,
}

impl TimeArgs {
    /// The options if they ask for a window.
    pub(crate) fn window(&self) -> Result<Option<&Self>> {
        if self.since.is_some() || self.until.is_some() {
            return Ok(Some(self));
        }
        self.reading.refuse_without("--since").map(|()| None)
    }

    /// The same for files that are merged, whose times are read in any case.
    pub(crate) fn window_of_merged(&self) -> Result<Option<&Self>> {
        if self.since.is_some() || self.until.is_some() {
            return Ok(Some(self));
        }
        self.reading.refuse_slack().map(|()| None)
    }

    /// The same for a command that shows times without a window.
    pub(crate) fn window_or_times(&self) -> Result<Option<&Self>> {
        if self.since.is_some() || self.until.is_some() {
            return Ok(Some(self));
        }
        self.reading.refuse_order_without("--since").map(|()| None)
    }
}

impl TimeReadingArgs {
    /// Refuses options that would do nothing without `option`.
    pub(crate) fn refuse_without(&self, option: &str) -> Result<()> {
        let given = [
            (!self.tz.is_empty(), "--tz"),
            (self.time_format.is_some(), "--time-format"),
            (self.year.is_some(), "--year"),
        ];
        Self::refuse(&given, option)?;
        self.refuse_order_without(option)
    }

    /// Refuses those that would do nothing without a window: how far records are out of order.
    fn refuse_order_without(&self, option: &str) -> Result<()> {
        Self::refuse(&[(self.slack.is_some(), "--slack"), (self.scan, "--scan")], option)
    }

    /// Refuses what only a window needs.
    pub(crate) fn refuse_slack(&self) -> Result<()> {
        Self::refuse(&[(self.slack.is_some(), "--slack")], "--since")
    }

    /// Refuses options that would do nothing without `--merge`.
    pub(crate) fn refuse_unless_merged(&self, is_merged: bool) -> Result<()> {
        if is_merged {
            return self.refuse_slack();
        }
        let given = [
            (!self.tz.is_empty(), "--tz"),
            (self.time_format.is_some(), "--time-format"),
            (self.year.is_some(), "--year"),
            (self.slack.is_some(), "--slack"),
            (self.scan, "--scan"),
        ];
        match given.into_iter().find(|(is_given, _)| *is_given) {
            Some((_, name)) => Err(Error::usage(format!(
                "{name} says how to read times, and ranges reads them only to merge files"
            ))
            .hint(format!("add --merge, or leave out {name}"))),
            None => Ok(()),
        }
    }

    /// The options for zones that concern one of `paths`.
    pub(crate) fn zones_of<'p>(&self, paths: impl Iterator<Item = &'p Path> + Clone) -> Vec<&str> {
        let concerns = |file: &Path| paths.clone().any(|path| is_same(file, path));
        let kept = self.tz.iter().zip(self.zones());
        kept.filter(|(_, (file, _))| file.is_none_or(concerns)).map(|(text, _)| text.as_str()).collect()
    }

    /// Each zone, and the file that it is of.
    fn zones(&self) -> impl Iterator<Item = (Option<&Path>, &str)> {
        self.tz.iter().map(|text| match text.rsplit_once('=') {
            Some((file, zone)) => (Some(Path::new(file)), zone),
            None => (None, text.as_str()),
        })
    }

    /// Refuses zones that do not exist, and those of files that are not in the answer.
    pub(crate) fn check_zones<'p>(&self, paths: impl Iterator<Item = &'p Path> + Clone) -> Result<()> {
        for (file, name) in self.zones() {
            zone(Some(name))?;
            if let Some(file) = file.filter(|file| !paths.clone().any(|path| is_same(file, path))) {
                let message =
                    format!("--tz has the zone of '{}', which is not one of the files", file.display());
                return Err(Error::usage(message).hint("--tz FILE=ZONE names FILE as the command line does"));
            }
        }
        Ok(())
    }

    /// The options as they are typed, each after a blank, without those of a window.
    #[cfg_attr(not(feature = "view"), allow(dead_code))]
    pub(crate) fn typed(&self) -> String {
        let zones = self.tz.iter().map(|zone| format!(" --tz {}", quoted_word(zone)));
        let format = self.time_format.iter().map(|format| format!(" --time-format {}", quoted_word(format)));
        let year = self.year.iter().map(|year| format!(" --year {year}"));
        zones.chain(format).chain(year).collect()
    }

    fn refuse(given: &[(bool, &str)], option: &str) -> Result<()> {
        match given.iter().find(|(is_given, _)| *is_given) {
            Some((_, name)) => {
                Err(Error::usage(format!("{name} says how to read times, and no time is given"))
                    .hint(format!("add {option} 06:01, or leave out {name}")))
            }
            None => Ok(()),
        }
    }

    /// How the times of the file at `path` are read.
    pub(crate) fn options(&self, path: &Path) -> TimeOptions {
        let default = TimeOptions::default();
        let of_file = self.zones().filter(|(file, _)| file.is_some_and(|file| is_same(file, path)));
        TimeOptions {
            zone: self.zones().filter(|(file, _)| file.is_none()).last().map(|(_, zone)| zone.to_owned()),
            zone_of_file: of_file.last().map(|(_, zone)| zone.to_owned()),
            format: self.time_format.clone(),
            year: self.year,
            slack: self.slack.unwrap_or(default.slack),
            scan: self.scan,
            last_of_all: self.last_of_all,
        }
    }
}

/// Whether `file` of an option is `path`, or the archive that has it.
fn is_same(file: &Path, path: &Path) -> bool {
    let member = || {
        let (file, path) = (file.to_string_lossy(), path.to_string_lossy());
        let inside = path.strip_prefix("tar:").or_else(|| path.strip_prefix("zip:"));
        inside.and_then(|inside| inside.strip_prefix(&*file)).is_some_and(|rest| rest.starts_with('/'))
    };
    file == path || member()
}

fn slack(text: &str) -> std::result::Result<SignedDuration, String> {
    let seconds = text.parse::<f64>().ok().and_then(|seconds| Duration::try_from_secs_f64(seconds).ok());
    let duration = seconds.or_else(|| humantime::parse_duration(text).ok());
    let duration = duration.and_then(|duration| SignedDuration::try_from(duration).ok());
    duration.ok_or_else(|| "give a duration such as 10s, 5m or 0".to_owned())
}
