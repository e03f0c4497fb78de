//! The options of a query that say how a table is read, as they are sent to a worker.

use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use datafusion::common::{Result, exec_datafusion_err};
use serde::{Deserialize, Serialize};

use crate::request::{OptionsOf, QueryRequest, TimeRequest};
use rread_reader::times::TimeOptions;
use rread_text::layout::{Csv, Input};

#[derive(Debug, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub(super) struct SentRequest {
    sql: String,
    input: Option<Input>,
    csv: SentCsv,
    is_delimited: bool,
    header: Option<bool>,
    skip_bad: bool,
    has_hidden: bool,
    has_others: bool,
    parse: Option<String>,
    is_time_given: bool,
    since: Option<String>,
    until: Option<String>,
    /// The times of files without options of their own.
    times: SentTimes,
    /// By name; only those that differ.
    times_of: HashMap<String, SentTimes>,
}

#[derive(Debug, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
struct SentCsv {
    delimiter: u8,
    quote: Option<u8>,
    escape: Option<u8>,
    comment: Option<u8>,
    header: bool,
    nulls: Vec<String>,
    newline: u8,
    skip_lines: u64,
    pad: bool,
}

#[derive(Clone, Debug, Deserialize, PartialEq, Serialize)]
#[serde(deny_unknown_fields)]
struct SentTimes {
    zone: Option<String>,
    zone_of_file: Option<String>,
    format: Option<String>,
    year: Option<i16>,
    slack: u64,
    scan: bool,
}

impl SentTimes {
    /// `None` if another machine would read other times.
    fn of(options: &TimeOptions) -> Option<Self> {
        let options = options.for_other_system()?;
        if options.last_of_all.is_some() {
            return None;
        }
        let slack = u64::try_from(options.slack.as_millis()).ok()?;
        let TimeOptions { zone, zone_of_file, format, year, scan, .. } = options;
        Some(SentTimes { zone, zone_of_file, format, year, slack, scan })
    }

    fn options(&self) -> Result<TimeOptions> {
        let slack = Duration::from_millis(self.slack).try_into();
        Ok(TimeOptions {
            zone: self.zone.clone(),
            zone_of_file: self.zone_of_file.clone(),
            format: self.format.clone(),
            year: self.year,
            slack: slack.map_err(|_| exec_datafusion_err!("the slack of times is too long"))?,
            scan: self.scan,
            last_of_all: None,
        })
    }
}

impl SentRequest {
    /// `None` if another process cannot read `files` in the same way.
    pub fn of(request: &QueryRequest, files: &[&Path]) -> Option<Self> {
        let options = |path: &Path| SentTimes::of(&(request.time.options.0)(path));
        let times = options(Path::new("-"))?;
        let mut times_of = HashMap::new();
        for path in files {
            let own = options(path)?;
            if own != times {
                times_of.insert(path.to_str()?.to_owned(), own);
            }
        }
        let csv = &request.csv;
        Some(SentRequest {
            sql: request.sql.clone(),
            input: request.input,
            csv: SentCsv {
                delimiter: csv.delimiter,
                quote: csv.quote,
                escape: csv.escape,
                comment: csv.comment,
                header: csv.header,
                nulls: csv.nulls.clone(),
                newline: csv.newline,
                skip_lines: csv.skip_lines,
                pad: csv.pad,
            },
            is_delimited: request.is_delimited,
            header: request.header,
            skip_bad: request.skip_bad,
            has_hidden: request.has_hidden,
            has_others: request.has_others,
            parse: request.parse.clone(),
            is_time_given: request.time.is_given,
            since: request.time.since.clone(),
            until: request.time.until.clone(),
            times,
            times_of,
        })
    }

    /// The request; `places` says where a file is that has another name there.
    pub fn request(self, places: &HashMap<PathBuf, PathBuf>) -> Result<QueryRequest> {
        let usual = self.times.options()?;
        let mut own = HashMap::new();
        for (path, times) in &self.times_of {
            let path = PathBuf::from(path);
            let place = places.get(&path).cloned().unwrap_or(path);
            own.insert(place, times.options()?);
        }
        let options = OptionsOf(Arc::new(move |path| own.get(path).unwrap_or(&usual).clone()));
        let SentCsv { delimiter, quote, escape, comment, header, nulls, newline, skip_lines, pad } = self.csv;
        Ok(QueryRequest {
            sql: self.sql,
            input: self.input,
            csv: Csv { delimiter, quote, escape, comment, header, nulls, newline, skip_lines, pad },
            is_delimited: self.is_delimited,
            header: self.header,
            types: None,
            skip_bad: self.skip_bad,
            memory: 0,
            timeout: None,
            repeatable: false,
            heads_only: false,
            has_hidden: self.has_hidden,
            has_others: self.has_others,
            parse: self.parse,
            time: TimeRequest { options, is_given: self.is_time_given, since: self.since, until: self.until },
            workers: None,
        })
    }
}
