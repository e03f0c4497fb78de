//! Recognises the kind of the table in a file and its columns, by its beginning: also those of a sheet of a workbook.

use std::path::Path;
use std::sync::Arc;

use datafusion::arrow::datatypes::{DataType, SchemaRef, TimeUnit};
use tokio::task::block_in_place;

use super::dialect;
use super::lines::{LinesHead, head};
use super::request::{QueryRequest, refused_option};
use super::stream::{DecodedStream, LONGEST_RECORD, SAMPLE, TableFile};
use super::text::{
    Divided, FindDelimiter, FirstRecord, FirstValue, Given, RowPlace, SEPARATOR, TextSchema, TextStream,
    after_lines, check_fit, check_title, described, first_record, fitted, guess, has_record, infer, is_log,
    is_named_delimited, is_no_layout, parse_schema, shown_delimiter, stated_delimiter, whole_records,
    with_types, without_end_mark,
};
use rread_documents::sheets::{ColumnKinds, Workbook, kind};
use rread_reader::times::glimpse;
use rread_reader::{LineTimes, Reader};
use rread_source::Paged;
use rread_source::compressed::recognition::ending;
use rread_text::{Csv, Error, Input, Kind, Layout, Result, Sentence, call, quoted_word, setting};

/// The media type of a database of SQLite.
const DATABASE: &str = "application/vnd.sqlite3";

/// A file of text as a table, by its beginning.
#[derive(Clone, Debug)]
pub(crate) struct TextHead {
    pub input: Input,
    pub table: TextSchema,
    pub layout: Layout,
    pub first: FirstRecord,
    /// Hidden columns that the query names.
    pub places: Vec<RowPlace>,
}

/// The table in a file, by its beginning.
#[derive(Clone, Debug)]
pub(crate) enum TableHead {
    Text(TextHead),
    Lines(Box<LinesHead>),
    /// The columns of a Parquet file.
    Parquet(SchemaRef),
}

impl TableHead {
    pub(crate) fn schema(&self) -> &SchemaRef {
        match self {
            TableHead::Text(text) => &text.table.schema,
            TableHead::Lines(lines) => &lines.columns.schema,
            TableHead::Parquet(schema) => schema,
        }
    }

    pub(crate) fn input(&self) -> Input {
        match self {
            TableHead::Text(text) => text.input,
            TableHead::Lines(lines) => lines.input,
            TableHead::Parquet(_) => Input::Parquet,
        }
    }

    pub(crate) fn text(&self) -> Option<&TextHead> {
        match self {
            TableHead::Text(text) => Some(text),
            TableHead::Lines(_) | TableHead::Parquet(_) => None,
        }
    }

    pub(crate) fn lines(&self) -> Option<&LinesHead> {
        match self {
            TableHead::Lines(lines) => Some(lines),
            TableHead::Text(_) | TableHead::Parquet(_) => None,
        }
    }

    /// Whether records name their values, or may: a file of arrays of JSON has none.
    pub(crate) fn has_members(&self) -> bool {
        matches!(self.input(), Input::Json | Input::Jsonl) || self.names_values()
    }

    /// Whether a record finds its values by name, wherever they first appear.
    pub(crate) fn names_values(&self) -> bool {
        match self {
            TableHead::Text(text) => !matches!(text.layout, Layout::Csv(_)) && !text.table.arrays,
            TableHead::Lines(lines) => lines.has_members(),
            TableHead::Parquet(_) => false,
        }
    }

    /// The layout of a CSV in words, and where the table of a sheet begins below titles.
    pub(crate) fn dialect(&self) -> Option<String> {
        let csv = self.csv()?;
        match self.input() {
            Input::Csv => Some(described(csv)),
            Input::Sheet if csv.skip_lines > 0 => Some(format!("table after line {}", csv.skip_lines)),
            _ => None,
        }
    }

    pub(crate) fn csv(&self) -> Option<&Csv> {
        if let Layout::Csv(csv) = &self.text()?.layout { Some(csv) } else { None }
    }

    /// Whether the first record may be a row that was taken for names.
    pub(crate) fn is_header_assumed(&self) -> bool {
        self.text().is_some_and(|text| text.first == FirstRecord::NamesOrRow)
    }

    /// The type of a column; `None` if no value of it was seen.
    pub(crate) fn type_of(&self, name: &str) -> Option<&DataType> {
        let (index, field) = self.schema().column_with_name(name)?;
        let unknown = match self {
            TableHead::Text(text) => &text.table.unknown[..],
            TableHead::Lines(lines) => &lines.unknown,
            TableHead::Parquet(_) => &[],
        };
        (unknown.get(index) != Some(&true)).then_some(field.data_type())
    }

    /// The columns that `*` leaves out.
    pub(crate) fn hidden(&self) -> Vec<String> {
        match self {
            TableHead::Text(text) => text.places.iter().map(|place| place.name().to_owned()).collect(),
            TableHead::Lines(lines) => lines.columns.hidden(),
            TableHead::Parquet(_) => Vec::new(),
        }
    }
}

/// Whether a file is read as Parquet. The first cell of a sheet may hold any text.
pub(crate) fn is_parquet(file: &TableFile, request: &QueryRequest) -> Result<bool> {
    if workbook(&file.reader).is_some() {
        return Ok(false);
    }
    match request.input {
        Some(input) => Ok(input == Input::Parquet),
        None => {
            let mut mark = [0; 4];
            let got = block_in_place(|| file.reader.read(&mut mark, 0))?;
            // An encrypted file begins with PARE.
            Ok([&b"PAR1"[..], b"PARE"].contains(&&mark[..got]))
        }
    }
}

/// Looks at about `size` bytes, at more if the first record is longer.
pub(crate) fn look(
    file: &Arc<TableFile>,
    path: &Path,
    request: &QueryRequest,
    size: usize,
) -> Result<TableHead> {
    if file.reader.is_binary() {
        let mime = file.reader.mime()?;
        if mime == DATABASE {
            let message = "An SQLite database runs a query itself, so it is queried alone.";
            let alone = call("select").file(path).word(&request.sql);
            return Err(Error::new(Kind::Binary, message).hint(alone));
        }
        let message = format!("Binary files cannot be queried, except Parquet. File detected as {mime}.");
        return Err(Error::new(Kind::Binary, message));
    }
    let is_sheet = workbook(&file.reader).is_some();
    let input = match request.input {
        // Values are found in records, or in the lines of a text without times.
        None if request.parse.is_some() && has_times(file, request)? => Some(Input::Log),
        None if request.parse.is_some() => Some(Input::Lines),
        given => given,
    };
    if let Some(input) = input.filter(|input| matches!(input, Input::Lines | Input::Log) && !is_sheet) {
        return head(file, input, request, size).map(Box::new).map(TableHead::Lines);
    }
    // The scan reads these bytes again, so they do not count here.
    let text = DecodedStream::beginning(&TableFile::new(&file.reader), size);
    let divided = Divided::of(&Layout::Csv(request.csv.clone()));
    let mut sample = TextSample { text, divided, bytes: Vec::new(), whole: false };
    sample.fill(size)?;
    // Its cells are known now.
    let workbook = workbook(&file.reader);
    let input = match &workbook {
        Some(workbook) => sheet(workbook, request)?,
        None => request.input.unwrap_or_else(|| input_of(&String::from_utf8_lossy(&sample.bytes), path)),
    };
    if matches!(input, Input::Json | Input::Jsonl) && sample.bytes.contains(&SEPARATOR) {
        sample.divided = Divided::of(&Layout::Json { header: false });
        let bytes = std::mem::take(&mut sample.bytes);
        sample.divided.read(&mut sample.bytes, |room| {
            room.extend(bytes);
            Ok(true)
        })?;
    }
    // `[Sun Dec 04 04:47:44 2005]` begins like an array.
    let begins_with_bracket = input == Input::Json && begins_with_bracket(&sample.bytes);
    let no_table = match text_head(sample, workbook.as_ref(), input, path, request) {
        Ok(Ok(head)) => {
            refuse_other_options(head.input, request)?;
            return Ok(TableHead::Text(head));
        }
        Err(error) if begins_with_bracket => error,
        Ok(Err(error)) => error,
        Err(error) => return Err(error),
    };
    let is_chosen = request.input.is_some() || request.header.is_some();
    if is_chosen {
        return Err(no_table);
    }
    if !has_times(file, request)? {
        return Err(no_table);
    }
    head(file, Input::Log, request, size).map(Box::new).map(TableHead::Lines)
}

/// Whether `stat` shows the times of a file, or its first line has one of a log whose records have many lines.
fn has_times(file: &Arc<TableFile>, request: &QueryRequest) -> Result<bool> {
    let options = request.time.options.of(&file.reader);
    let mut front = vec![0; rread_text::sniff::SAMPLE];
    let got = file.reader.read_front(&mut front)?;
    let end = Some(got as u64).filter(|_| got < front.len());
    front.truncate(got);
    if glimpse(&file.reader, &front, end, &options)?.is_some() {
        return Ok(true);
    }
    let first = front.split(|byte| *byte == b'\n').next().unwrap_or_default();
    let times = LineTimes::of_front(&file.reader, &options)?;
    Ok(times.is_some_and(|(times, _)| times.begins_record(first, 0)))
}

/// Whether a text begins with a bracket, and not with an array of objects, arrays or texts.
fn begins_with_bracket(text: &[u8]) -> bool {
    let inside = text.trim_ascii_start().strip_prefix(b"[").unwrap_or_default().trim_ascii_start();
    inside.first().is_some_and(u8::is_ascii_alphanumeric)
}

/// Refuses the options of a log, and for another table than a CSV those of a CSV.
pub(crate) fn refuse_other_options(input: Input, request: &QueryRequest) -> Result<()> {
    if request.parse.is_some() {
        let message = setting("parse").then(format!(" is for logs and lines, and this is {}", input.name()));
        return Err(Error::usage(message)
            .hint(setting("input").then(" log or ").then(setting("input")).then(" lines")));
    }
    let is_csv = matches!(input, Input::Csv | Input::Sheet) || request.has_others;
    let null = (!request.csv.nulls.is_empty()).then_some("null");
    if let Some(option) = request.csv_options().chain(null).next().filter(|_| !is_csv) {
        return Err(refused_option(option, format!(" is for CSV, and this is {}", input.name())));
    }
    if !request.time.is_given {
        return Ok(());
    }
    let message = Sentence::from(format!("the options for times are for logs, and this is {}", input.name()));
    Err(Error::usage(message).hint(
        setting("input").then(" log, or a condition about a column of times, WHERE time >= '2026-11-23'"),
    ))
}

/// The inner error is for text that is not the table that it seems to be.
fn text_head(
    mut sample: TextSample,
    workbook: Option<&Workbook>,
    input: Input,
    path: &Path,
    request: &QueryRequest,
) -> Result<std::result::Result<TextHead, Error>> {
    let types = request.types.as_deref().map(parse_schema).transpose()?.unwrap_or_default();
    let header = request.header.unwrap_or(true);
    let (layout, first) = match input {
        Input::Json => (Layout::Json { header }, FirstRecord::Names),
        // Values one after another are the same records, whatever ends the lines.
        Input::Jsonl if newline_of(&sample.bytes) == b'\r' => (Layout::Json { header }, FirstRecord::Names),
        Input::Jsonl => (Layout::Jsonl { header }, FirstRecord::Names),
        Input::Csv | Input::Parquet | Input::Sheet | Input::Lines | Input::Log | Input::Sqlite => {
            let mut csv = match sample.csv(path, request, input)? {
                Ok(csv) => csv,
                Err(error) => return Ok(Err(error)),
            };
            if let Some(workbook) = workbook.filter(|_| csv.header && csv.skip_lines == 0) {
                csv.skip_lines = workbook.lines_above;
            }
            let layout = Layout::Csv(csv.clone());
            sample.grow(&layout)?;
            let first = match (workbook, request.header) {
                (_, Some(header)) => {
                    if header {
                        FirstRecord::Names
                    } else {
                        FirstRecord::Row
                    }
                }
                (Some(workbook), None) => first_record_of_sheet(&workbook.columns),
                (None, None) => {
                    first_record(&sample.bytes, sample.whole, &csv)?.unwrap_or(FirstRecord::Names)
                }
            };
            csv.header = first != FirstRecord::Row;
            (Layout::Csv(csv), first)
        }
    };
    sample.grow(&layout)?;
    let table = match (workbook, &layout) {
        (Some(workbook), Layout::Csv(csv)) => {
            let table = infer(&sample.bytes, sample.whole, &layout, &[])?;
            with_types(&table, &sheet_types(&workbook.columns, csv.header), &types)?
        }
        _ => infer(&sample.bytes, sample.whole, &layout, &types)?,
    };
    let places =
        if workbook.is_some() || !request.has_hidden { Vec::new() } else { places(&request.sql, &table) };
    Ok(Ok(TextHead { input, table, layout, first, places }))
}

/// The hidden columns that the query names. A column of the table comes first.
fn places(sql: &str, table: &TextSchema) -> Vec<RowPlace> {
    let is_own =
        |name: &str| table.schema.fields().iter().any(|field| field.name().eq_ignore_ascii_case(name));
    let is_named = |name: &str| dialect::names(sql, name);
    let all = RowPlace::ALL.into_iter();
    all.filter(|place| is_named(place.name()) && !is_own(place.name())).collect()
}

/// Two delimiters explain the records equally well.
fn doubtful(one: u8, other: u8) -> Error {
    let [one, other] = [one, other].map(shown_delimiter);
    let message = format!("{one} or {other} divides the values: the first records leave both readings");
    let hint = setting("delimiter").then(format!(" {one} or ")).then(setting("delimiter"));
    Error::new(Kind::InvalidText, message).hint(hint.then(format!(" {other}")))
}

struct TextSample {
    text: DecodedStream,
    divided: Divided,
    bytes: Vec<u8>,
    whole: bool,
}

impl TextSample {
    /// The layout of delimited values, but for the header. The inner error is for text without such a layout.
    fn csv(
        &mut self,
        path: &Path,
        request: &QueryRequest,
        input: Input,
    ) -> Result<std::result::Result<Csv, Error>> {
        let mut csv = Csv { header: request.header.unwrap_or(true), ..request.csv.clone() };
        if input == Input::Sheet {
            return Ok(Ok(csv));
        }
        csv.newline = newline_of(&self.bytes);
        let mut given = request.given();
        let after = after_lines(&self.bytes, csv.skip_lines, csv.newline).0;
        if let Some(delimiter) = stated_delimiter(after) {
            csv.skip_lines += 1;
            let record = after_lines(after, 1, csv.newline).0.split(|byte| *byte == csv.newline).next();
            // A statement that the first record contradicts is none.
            if !given.delimiter && record.is_some_and(|record| record.contains(&delimiter)) {
                csv.delimiter = delimiter;
                given.delimiter = true;
            }
        }
        if !self.bytes.contains(&csv.newline) {
            self.grow(&Layout::Csv(csv.clone()))?;
        }
        let text =
            String::from_utf8_lossy(after_lines(&self.bytes, csv.skip_lines, csv.newline).0).into_owned();
        let found = guess(&text, self.whole, path, &csv, given);
        csv = found.csv.clone();
        self.grow(&Layout::Csv(csv.clone()))?;
        let bytes = whole_records(&self.bytes, self.whole, &csv)?;
        let text = String::from_utf8_lossy(&bytes);
        let others = Given { quote: true, escape: true, ..Given::default() };
        let find = |text: &str, csv: &Csv| guess(text, true, path, csv, others).divides();
        let find: Option<FindDelimiter<'_>> = (!given.delimiter).then_some(&find);
        if request.input.is_none()
            && request.header.is_none()
            && !given.delimiter
            && is_log(&text, path, &found)
        {
            find.map_or(Ok(()), |find| check_title(&text, &csv, find))?;
            let message = "is text, not a table: no delimiter divides its lines";
            let lines = setting("input").then(" lines makes a row of each line");
            return Ok(Err(Error::new(Kind::InvalidText, message).hint(lines)));
        }
        if let Some(rival) = found.rival {
            return Err(doubtful(csv.delimiter, rival));
        }
        let csv = fitted(&text, csv, given);
        match check_fit(&bytes, &csv, find) {
            Ok(()) => Ok(Ok(csv)),
            // With another option, it is a table.
            Err(error) if find.is_some() && is_no_layout(&error) && !is_named_delimited(path) => {
                Ok(Err(error))
            }
            Err(error) => Err(error),
        }
    }

    /// Reads until there is a whole record.
    fn grow(&mut self, layout: &Layout) -> Result<()> {
        let mut size = SAMPLE;
        while size < LONGEST_RECORD && !self.whole && !has_record(&self.bytes, layout) {
            size = (size * 4).min(LONGEST_RECORD);
            self.fill(size)?;
        }
        Ok(())
    }

    fn fill(&mut self, size: usize) -> Result<()> {
        while self.bytes.len() < size && !self.whole {
            let text = &mut self.text;
            self.whole = !self.divided.read(&mut self.bytes, |bytes| text.read(bytes))?;
        }
        if self.whole {
            self.bytes.truncate(without_end_mark(&self.bytes).len());
        }
        Ok(())
    }
}

/// The kind of a table by its first bytes and its name.
fn input_of(head: &str, path: &Path) -> Input {
    let start = head.trim_ascii_start().trim_start_matches(char::from(SEPARATOR));
    let (line, rest) = start.split_once('\n').unwrap_or((start, ""));
    let is_delimited = is_named(path, &["csv", "tsv", "psv"]);
    let is_lines = is_named(path, &["jsonl", "ndjson"]);
    match start.bytes().next() {
        Some(b'[') if !is_delimited && is_json(line) && rest.trim_ascii_start().starts_with('[') => {
            Input::Jsonl
        }
        Some(b'{') if !is_delimited && (is_lines && !has_several(line) || is_json(line)) => Input::Jsonl,
        Some(b'[' | b'{') if !is_delimited => Input::Json,
        _ if is_lines => Input::Jsonl,
        _ if is_named(path, &["json"]) => Input::Json,
        _ => Input::Csv,
    }
}

fn is_json(text: &str) -> bool {
    serde_json::from_str::<serde::de::IgnoredAny>(text).is_ok()
}

/// Whether a line has several JSON values, one after another.
fn has_several(line: &str) -> bool {
    let mut values = serde_json::Deserializer::from_str(line).into_iter::<serde::de::IgnoredAny>();
    values.by_ref().take(2).filter(std::result::Result::is_ok).count() == 2
}

/// `\r` if it is the only line end of `head`.
fn newline_of(head: &[u8]) -> u8 {
    if memchr::memchr(b'\n', head).is_none() && memchr::memchr(b'\r', head).is_some() { b'\r' } else { b'\n' }
}

/// Whether the name has one of `endings`, possibly before that of a compressed file.
fn is_named(path: &Path, endings: &[&str]) -> bool {
    endings.contains(&&*ending(path))
}

/// The workbook of the sheet that `reader` reads.
pub(super) fn workbook(reader: &Reader) -> Option<Workbook> {
    reader.document().and_then(Paged::workbook)
}

/// The type that holds all values of each column.
pub(super) fn sheet_types(columns: &[ColumnKinds], header: bool) -> Vec<DataType> {
    let kinds = |column: &ColumnKinds| if header { column.rest } else { column.first | column.rest };
    columns.iter().map(|column| data_type(kinds(column))).collect()
}

/// The kind of the first row with values.
pub(super) fn first_record_of_sheet(columns: &[ColumnKinds]) -> FirstRecord {
    FirstRecord::of(columns.iter().map(|column| match (column.first, column.rest) {
        (0, _) | (kind::TEXT, 0 | kind::TEXT) => FirstValue::Undecided,
        (_, 0) => FirstValue::Alike,
        (_, rest) if rest & kind::TEXT != 0 => FirstValue::Undecided,
        (first, rest) if data_type(first | rest) == DataType::Utf8View => FirstValue::Unlike,
        _ => FirstValue::Alike,
    }))
}

fn data_type(kinds: u8) -> DataType {
    use kind::{BOOLEAN, DATE, NUMBER, TIME, TIMESTAMP, WHOLE};
    let only = |allowed: u8| kinds & !allowed == 0;
    match kinds {
        0 => DataType::Utf8View,
        WHOLE => DataType::Int64,
        _ if only(WHOLE | NUMBER) => DataType::Float64,
        BOOLEAN => DataType::Boolean,
        DATE => DataType::Date32,
        _ if only(DATE | TIMESTAMP) => DataType::Timestamp(TimeUnit::Microsecond, None),
        TIME => DataType::Time64(TimeUnit::Microsecond),
        _ => DataType::Utf8View,
    }
}

/// Refuses the options that say how text is divided into values, of a file that is not text: `instead` is what it has.
pub(super) fn refuse_options_of_text(request: &QueryRequest, instead: &str) -> Result<()> {
    // A sheet may have rows above its table.
    let options = request.csv_options().filter(|option| *option != "skip-lines");
    let mut options = request.input.map(|_| "input").into_iter().chain(options);
    options.next().map_or(Ok(()), |option| Err(refused_option(option, format!(" is for text; {instead}"))))
}

/// Checks that the sheet of `workbook` is a table.
pub(super) fn sheet(workbook: &Workbook, request: &QueryRequest) -> Result<Input> {
    refuse_options_of_text(request, "a workbook has cells")?;
    if workbook.columns.is_empty() {
        let name = workbook.sheet().map_or("", |sheet| &sheet.name);
        let error = Error::new(Kind::InvalidText, format!("the sheet {} has no values", quoted_word(name)));
        return Err(match workbook.others().first() {
            Some(other) => error.hint(setting("sheet").then(format!(" {}", quoted_word(other)))),
            None => error,
        });
    }
    Ok(Input::Sheet)
}
