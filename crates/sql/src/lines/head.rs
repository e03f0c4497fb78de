//! Looks at a file of lines or of records: its columns, its times, and the part of it that is read.

use std::ops::Range;
use std::sync::Arc;

use datafusion::arrow::datatypes::{DataType, Field, Schema};

use super::blocks::{BlockParser, BlockSizes, Blocks};
use super::conditions::Literals;
use super::forms::Form;
use super::parsed::{END, LineColumn, LinesColumns, ParsedValues, START, key_of, name_of, of_sample};
use crate::dialect;
use crate::request::{QueryRequest, refused_option};
use crate::stream::{LONGEST_RECORD, TableFile};
use crate::text::{apply, parse_schema};
use rread_reader::{LineTimes, Log, Reader, no_times};
use rread_text::{Error, Input, Result, Timestamp, setting};

/// A file of lines or of records.
#[derive(Clone, Debug)]
pub(crate) struct LinesHead {
    pub input: Input,
    pub columns: LinesColumns,
    /// Of a log.
    pub times: Option<LineTimes>,
    /// The values of `--parse`.
    pub parsed: Option<Arc<ParsedValues>>,
    /// For each column, whether the sample has no value of it: then its type says nothing about later ones.
    pub unknown: Vec<bool>,
    /// The parts that are read, if not all.
    pub spans: Option<Vec<Range<u64>>>,
    pub time: Option<LogTime>,
}

/// The table of lines or of records in `file`. The types of values are those of about `size` bytes.
pub(crate) fn head(
    file: &Arc<TableFile>,
    input: Input,
    request: &QueryRequest,
    size: usize,
) -> Result<LinesHead> {
    refuse_options(input, request)?;
    let is_log = input == Input::Log;
    let (times, spans, time) = match is_log {
        true => log(&file.reader, request)?,
        false => (None, None, None),
    };
    let hidden = hidden(request);
    let columns = LinesColumns::of(is_log, Vec::new(), &hidden);
    let unknown = vec![false; columns.columns.len()];
    let head = LinesHead { input, columns, times, parsed: None, unknown, spans, time };
    let types = request.types.as_deref().map(parse_schema).transpose()?.unwrap_or_default();
    let Some(form) = request.parse.as_deref().map(Form::of).transpose()? else {
        if types.iter().any(|(name, _)| name != "*") {
            let message = setting("schema").then(" is for the columns of ").then(setting("parse"));
            return Err(Error::usage(message).hint("CAST(line AS ...) in the query"));
        }
        return Ok(head);
    };
    let nulls = &request.csv.nulls;
    let (mut found, mut unknown) = of_sample(&form, &head.sample(file, size)?, nulls)?;
    let exact = apply(&types, &mut found, form.names().is_none())?;
    unknown.resize(found.len(), false);
    Ok(head.with_values(form, found, exact, unknown, &hidden, nulls))
}

impl LinesHead {
    /// The texts of the first rows.
    fn sample(&self, file: &Arc<TableFile>, size: usize) -> Result<Vec<String>> {
        let (file, spans) = (TableFile::new(&file.reader), self.read_spans());
        let width = file.reader.units().width;
        let sizes = BlockSizes { target: size / width * width, longest: LONGEST_RECORD };
        let block = Blocks::new(&file, spans, self.times.clone(), false, sizes).next()?;
        let parser = BlockParser::new(&file, &self.columns, &[], Literals::default(), false, None);
        block.map_or_else(|| Ok(Vec::new()), |block| parser.texts(&block))
    }

    /// The parts of the file that are read.
    pub fn read_spans(&self) -> Vec<Range<u64>> {
        self.spans.clone().unwrap_or_else(|| std::iter::once(0..u64::MAX).collect())
    }

    /// Whether records have names of values of their own.
    pub fn has_members(&self) -> bool {
        self.parsed.as_ref().is_some_and(|parsed| parsed.form.names().is_none())
    }

    fn with_values(
        self,
        form: Form,
        found: Vec<(String, DataType)>,
        exact: Vec<bool>,
        unknown: Vec<bool>,
        hidden: &[LineColumn],
        nulls: &[String],
    ) -> Self {
        let named = found.iter().map(|(key, of)| (name_of(key), of.clone())).collect();
        let columns = LinesColumns::of(self.input == Input::Log, named, hidden);
        let is_unknown = |column: &LineColumn| column.parsed().is_some_and(|nth| unknown[nth]);
        let unknown = columns.columns.iter().map(is_unknown).collect();
        let parsed = ParsedValues::new(form, found, exact, nulls.to_vec());
        LinesHead { columns, parsed: Some(Arc::new(parsed)), unknown, ..self }
    }

    /// The same with the types of a table of many files. The table may have values that this file has after its beginning;
    /// their columns come last.
    pub fn of_table(&self, all: &Schema, inferred: &[bool]) -> Self {
        let Some(parsed) = &self.parsed else { return self.clone() };
        let of_table = |name: &str| {
            let (place, field) = all.column_with_name(name)?;
            Some((field.data_type().clone(), inferred.get(place) == Some(&true)))
        };
        let (mut found, mut exact) = (Vec::new(), Vec::new());
        let mut fields: Vec<Field> =
            self.columns.schema.fields().iter().map(|field| Field::clone(field)).collect();
        let mut columns = self.columns.columns.clone();
        for (nth, key) in parsed.keys().enumerate() {
            let (of, is_exact) = of_table(&name_of(key)).unwrap_or((DataType::Utf8View, true));
            let place = columns.iter().position(|column| column.parsed() == Some(nth));
            if let Some(field) = place.and_then(|place| fields.get_mut(place)) {
                *field = Field::new(field.name(), of.clone(), true);
            }
            found.push((key.to_owned(), of));
            exact.push(is_exact);
        }
        for (place, field) in all.fields().iter().enumerate().filter(|_| self.has_members()) {
            if self.columns.schema.column_with_name(field.name()).is_none() {
                columns.push(LineColumn::Parsed(found.len()));
                found.push((key_of(field.name()).to_owned(), field.data_type().clone()));
                exact.push(inferred.get(place) == Some(&true));
                fields.push(Field::clone(field));
            }
        }
        let values = ParsedValues::new(parsed.form.clone(), found, exact, parsed.nulls.clone());
        let columns = LinesColumns { schema: Arc::new(Schema::new(fields)), columns };
        LinesHead { columns, parsed: Some(Arc::new(values)), ..self.clone() }
    }
}

/// Hidden columns that the query names.
fn hidden(request: &QueryRequest) -> Vec<LineColumn> {
    let names = |name: &str| request.has_hidden && dialect::names(&request.sql, name);
    let all = [(START, LineColumn::Start), (END, LineColumn::End)];
    all.into_iter().filter(|(name, _)| names(name)).map(|(_, column)| column).collect()
}

/// Refuses options of other tables.
fn refuse_options(input: Input, request: &QueryRequest) -> Result<()> {
    if input == Input::Lines && request.time.is_given {
        let message = "the options for times are for logs, and the rows of lines have no times";
        return Err(Error::usage(message).hint(setting("input").then(" log makes a row of each record")));
    }
    let header = request.header.map(|header| if header { "header" } else { "no-header" });
    match header.into_iter().chain(request.csv_options()).next() {
        None => Ok(()),
        Some(option) => Err(refused_option(option, format!(" is for CSV, and {} have none", input.name()))),
    }
}

type LogFacts = (Option<LineTimes>, Option<Vec<Range<u64>>>, Option<LogTime>);

fn log(reader: &Reader, request: &QueryRequest) -> Result<LogFacts> {
    let asked = &request.time;
    let options = &asked.options.of(reader);
    options.check()?;
    // The end of a stream is far away, and is needed only for a window or for years.
    let is_far = reader.source().info().decoding.is_some() || reader.known_size().is_none();
    if is_far
        && !asked.has_window()
        && let Some((times, first)) = LineTimes::of_front(reader, options)?
    {
        let time = LogTime {
            first_time: first,
            first: times.format_time(first),
            format: times.format().to_owned(),
            zone: times.zone(first),
            ..LogTime::default()
        };
        return Ok((Some(times), None, Some(time)));
    }
    let Some(log) = Log::open(reader, options)? else {
        let error = no_times(reader, options.format.as_deref());
        let lines = setting("input").then(" lines makes a row of each line");
        let hint = error.hint.clone().map_or(lines.clone(), |hint| hint.then("; ").then(lines));
        return Err(error.hint(hint));
    };
    let (first, last) = (log.first.time, log.last.time);
    let mut time = LogTime {
        first_time: first,
        last_time: Some(last),
        first: log.format_time(first),
        last: Some(log.format_time(last)),
        format: log.format().to_owned(),
        zone: log.zone(),
        may_have_window: log.is_in_order(),
        ..LogTime::default()
    };
    if !asked.has_window() {
        return Ok((Some(log.line_times()), None, Some(time)));
    }
    let window = log.window(asked.since.as_deref(), asked.until.as_deref())?;
    let found = log.find(window, options.scan)?;
    let words = [asked.since.as_deref(), asked.until.as_deref()];
    time.since = window.since.map(|time| log.format_time(time));
    time.until = window.until.map(|time| log.format_time(time));
    time.is_past_end =
        window.since.is_some_and(|since| since > last) && found.spans.iter().all(|span| span.is_empty());
    time.is_unordered = found.is_unordered && !options.scan;
    time.is_ambiguous = words.into_iter().flatten().any(|word| log.is_ambiguous(word));
    time.may_have_window = false;
    Ok((Some(log.line_times()), Some(found.spans), Some(time)))
}

/// The times of a log, or of several.
#[derive(Clone, Debug, Default)]
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
