//! The columns of a table of lines, and the values that `--parse` finds in records: their names and types by a sample.

use std::borrow::Cow;
use std::collections::HashMap;
use std::sync::Arc;

use datafusion::arrow::array::{ArrayRef, RecordBatch};
use datafusion::arrow::datatypes::{DataType, Field, Schema, SchemaRef, TimeUnit};

use super::forms::{Form, Key};
use crate::text::{Chunk, Ledger, Parser, RowPlace, ScalarType, Scalars, TextSchema, column, infer, shown};
use rread_text::{Error, Kind, Layout, Result, setting};

pub(super) use crate::text::{LEVEL, TEXT, TIME};

const JSON: Layout = Layout::Jsonl { header: false };

/// Names and types of values, and for each column whether the sample has no value of it.
pub(super) type FoundValues = (Vec<(String, DataType)>, Vec<bool>);

/// The values of a form that a table has.
#[derive(Clone, Debug)]
pub(crate) struct ParsedValues {
    pub(super) form: Form,
    /// The values by their names in the records.
    schema: SchemaRef,
    /// For each, whether its numbers may not lose digits.
    exact: Vec<bool>,
    places: HashMap<String, usize>,
    /// Values that mean NULL.
    pub(super) nulls: Vec<String>,
}

/// The texts of some rows.
pub(crate) struct Texts<'t> {
    pub texts: &'t [Cow<'t, str>],
    /// The offsets of the rows in the block.
    pub starts: &'t [usize],
}

/// The values of some rows.
pub(crate) enum RowValues<'t> {
    Scalars {
        /// Row by row.
        values: Vec<Option<Cow<'t, str>>>,
        stride: usize,
    },
    Json(RecordBatch),
}

/// The names and types of the values in `texts`.
pub(super) fn of_sample(form: &Form, texts: &[String], nulls: &[String]) -> Result<FoundValues> {
    if let Form::Json = form {
        let objects: Vec<String> =
            texts.iter().filter_map(|text| Form::object(text)).map(|text| text.replace('\n', " ")).collect();
        if objects.is_empty() {
            return Err(no_record(form));
        }
        let found = infer(objects.join("\n").as_bytes(), true, &JSON, &[])?;
        let fields = found.schema.fields().iter();
        let columns = fields.map(|field| (field.name().clone(), field.data_type().clone())).collect();
        return Ok((columns, found.unknown));
    }
    let mut types: Vec<(String, ScalarType)> = Vec::new();
    let mut places: HashMap<String, usize> = HashMap::new();
    for name in form.names().into_iter().flatten() {
        places.insert(name.clone(), types.len());
        types.push((name, ScalarType::Null));
    }
    for text in texts {
        form.read(text, &mut |key, value| {
            let place = match key {
                Key::Nth(nth) => nth,
                Key::Name(name) => *places.entry(name.to_owned()).or_insert_with(|| {
                    types.push((name.to_owned(), ScalarType::Null));
                    types.len() - 1
                }),
            };
            if let Some((_, so_far)) = types.get_mut(place).filter(|_| !is_null(&value, nulls)) {
                *so_far = so_far.and(ScalarType::of(&value));
            }
        });
    }
    if types.is_empty() {
        return Err(no_record(form));
    }
    let fixed = |name: &str| form.type_of(name);
    let unknown = types.iter().map(|(name, of)| *of == ScalarType::Null && fixed(name).is_none()).collect();
    let columns = types.into_iter().map(|(name, of)| {
        let of = fixed(&name).unwrap_or_else(|| of.data_type());
        (name, of)
    });
    Ok((columns.collect(), unknown))
}

fn no_record(form: &Form) -> Error {
    let what = if matches!(form, Form::Json) { "a JSON object at its end" } else { "a key with a value" };
    let message = format!("no record of the first MiB has {what}");
    Error::new(Kind::InvalidText, message)
}

fn is_null(value: &str, nulls: &[String]) -> bool {
    value.is_empty() || nulls.iter().any(|word| word == value)
}

impl ParsedValues {
    pub fn new(form: Form, columns: Vec<(String, DataType)>, exact: Vec<bool>, nulls: Vec<String>) -> Self {
        let places = columns.iter().enumerate().map(|(nth, (key, _))| (key.clone(), nth)).collect();
        let fields: Vec<Field> = columns.into_iter().map(|(key, of)| Field::new(key, of, true)).collect();
        ParsedValues { form, schema: Arc::new(Schema::new(fields)), exact, places, nulls }
    }

    /// The names of the values in the records.
    pub fn keys(&self) -> impl Iterator<Item = &str> {
        self.schema.fields().iter().map(|field| field.name().as_str())
    }

    /// The values `used` of the rows that have the form. `kept` says of which; the others are all NULL, or with --skip-bad
    /// left out.
    pub fn values<'t>(
        &self,
        rows: &Texts<'t>,
        used: &[usize],
        skip_bad: bool,
        ledger: &mut Ledger<'_>,
        kept: &mut Vec<bool>,
    ) -> Result<RowValues<'t>> {
        if let Form::Json = self.form {
            return self.json(rows, used, skip_bad, ledger, kept);
        }
        let mut slots = vec![None; self.schema.fields().len()];
        for (slot, nth) in used.iter().enumerate() {
            slots[*nth] = Some(slot);
        }
        let (stride, mut values) = (used.len(), Vec::with_capacity(used.len() * rows.texts.len()));
        for (text, start) in rows.texts.iter().zip(rows.starts) {
            let first = values.len();
            values.resize(first + stride, None);
            let mut unknown: Option<(u64, &str)> = None;
            let has_form = self.form.read(text, &mut |key, value| {
                let place = match key {
                    Key::Nth(nth) => Some(nth),
                    Key::Name(name) => {
                        let place = self.places.get(name).copied();
                        if place.is_none() {
                            unknown.get_or_insert((0, name)).0 += 1;
                        }
                        place
                    }
                };
                let slot = place.and_then(|place| slots.get(place).copied().flatten());
                if let Some(slot) = slot.filter(|_| !is_null(&value, &self.nulls)) {
                    values[first + slot] = Some(value);
                }
            });
            if let Some((count, name)) = unknown {
                ledger.unknown(name, count, *start);
            }
            kept.push(has_form || !skip_bad);
            if !has_form {
                unparsed(text, *start, skip_bad, ledger);
                if skip_bad {
                    values.truncate(first);
                }
            }
        }
        Ok(RowValues::Scalars { values, stride })
    }

    fn json<'t>(
        &self,
        rows: &Texts<'t>,
        used: &[usize],
        skip_bad: bool,
        ledger: &mut Ledger<'_>,
        kept: &mut Vec<bool>,
    ) -> Result<RowValues<'t>> {
        let (mut bytes, mut numbers, mut places) = (Vec::new(), Vec::new(), Vec::new());
        for (row, (text, start)) in rows.texts.iter().zip(rows.starts).enumerate() {
            let object = Form::object(text);
            kept.push(object.is_some() || !skip_bad);
            if object.is_none() {
                unparsed(text, *start, skip_bad, ledger);
            }
            if object.is_some() || !skip_bad {
                let line = bytes.len();
                bytes.extend_from_slice(object.unwrap_or("{}").as_bytes());
                // An end of a line is between values.
                bytes[line..].iter_mut().filter(|byte| **byte == b'\n').for_each(|byte| *byte = b' ');
                bytes.push(b'\n');
                numbers.push(ledger.line_at(*start));
                places.push(row);
            }
        }
        let unknown = vec![false; self.exact.len()];
        let schema = Arc::clone(&self.schema);
        let table = TextSchema { schema, arrays: false, inferred: self.exact.clone(), unknown };
        let parser = Parser::new(&table, &JSON, Some(used), skip_bad, &[]);
        let whole = Chunk::of_lines(bytes, numbers);
        let parsed = parser.parse(&whole)?;
        let has_bad = parsed.left_out.records.count > 0;
        ledger.adopt(parsed.left_out);
        // With --skip-bad, a value has another type than its column: find the rows that are left.
        let lines = whole.bytes.split_inclusive(|byte| *byte == b'\n').zip(places);
        for (line, row) in lines.filter(|_| has_bad) {
            let one = parser.parse(&Chunk::of_lines(line.to_vec(), Vec::new()))?;
            kept[row] = one.left_out.records.count == 0;
        }
        let batch = parsed.batches.into_iter().next();
        Ok(RowValues::Json(batch.unwrap_or_else(|| RecordBatch::new_empty(Arc::clone(&parser.schema)))))
    }

    /// The column of the value `nth`, which is at `slot` of those that are used.
    pub fn column(
        &self,
        values: &RowValues<'_>,
        (nth, slot): (usize, usize),
        bad: &mut dyn FnMut(usize),
    ) -> Result<ArrayRef> {
        match values {
            RowValues::Json(batch) => Ok(Arc::clone(batch.column(slot))),
            RowValues::Scalars { values, stride } => {
                let of = self.schema.field(nth).data_type();
                column(
                    &Scalars { values, stride: *stride, nth: slot, is_json: false },
                    of,
                    self.exact[nth],
                    bad,
                )
            }
        }
    }
}

impl RowValues<'_> {
    /// The value of a row, for messages.
    pub fn at(&self, row: usize, slot: usize) -> String {
        match self {
            RowValues::Scalars { values, stride } => values
                .get(row * stride + slot)
                .and_then(|value| value.as_deref())
                .unwrap_or_default()
                .to_owned(),
            RowValues::Json(_) => String::new(),
        }
    }
}

/// Notes a record that does not have the form.
fn unparsed(text: &str, start: usize, skip_bad: bool, ledger: &mut Ledger<'_>) {
    let first = text.split('\n').next().unwrap_or_default();
    let message = || format!("'{}' does not have the form that is parsed", shown(first));
    if skip_bad {
        ledger.note(1, start, || (message(), setting("skip-bad").then(" leaves such records out")));
    } else {
        ledger.unparsed(start, message);
    }
}

/// The number of the first line.
pub(crate) const NUMBER: &str = RowPlace::Line.name();
/// Hidden columns: the first byte of a row, and the first after it.
pub(crate) const START: &str = RowPlace::Start.name();
pub(crate) const END: &str = RowPlace::End.name();

/// The name of the column of a value: not that of one of ours.
pub(super) fn name_of(key: &str) -> String {
    let own = [TEXT, NUMBER, TIME, LEVEL, START, END, "_file"];
    if own.contains(&key) { format!("{key}_2") } else { key.to_owned() }
}

/// The name of the value of a column.
pub(super) fn key_of(name: &str) -> &str {
    name.strip_suffix("_2").filter(|key| name_of(key) != *key).unwrap_or(name)
}

/// The content of a column.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum LineColumn {
    Number,
    Time,
    Level,
    Text,
    Start,
    End,
    /// A value that `--parse` finds, by its position there.
    Parsed(usize),
}

impl LineColumn {
    /// The place of a value of `--parse`.
    pub fn parsed(self) -> Option<usize> {
        match self {
            LineColumn::Parsed(nth) => Some(nth),
            _ => None,
        }
    }

    pub fn data_type(self) -> DataType {
        match self {
            LineColumn::Number | LineColumn::Start | LineColumn::End => DataType::Int64,
            LineColumn::Time => DataType::Timestamp(TimeUnit::Microsecond, Some("UTC".into())),
            LineColumn::Level | LineColumn::Text | LineColumn::Parsed(_) => DataType::Utf8View,
        }
    }
}

/// The columns of a table, in their order.
#[derive(Clone, Debug)]
pub(crate) struct LinesColumns {
    pub schema: SchemaRef,
    pub columns: Vec<LineColumn>,
}

impl LinesColumns {
    /// The columns of lines, or of records; `hidden` are the hidden columns that the query names.
    pub fn of(is_log: bool, parsed: Vec<(String, DataType)>, hidden: &[LineColumn]) -> Self {
        let own: &[(&str, LineColumn)] = if is_log {
            &[
                (NUMBER, LineColumn::Number),
                (TIME, LineColumn::Time),
                (LEVEL, LineColumn::Level),
                (TEXT, LineColumn::Text),
            ]
        } else {
            &[(NUMBER, LineColumn::Number), (TEXT, LineColumn::Text)]
        };
        let mut fields: Vec<Field> =
            own.iter().map(|(name, column)| Field::new(*name, column.data_type(), true)).collect();
        let mut columns: Vec<LineColumn> = own.iter().map(|(_, column)| *column).collect();
        for (nth, (name, of)) in parsed.into_iter().enumerate() {
            fields.push(Field::new(name, of, true));
            columns.push(LineColumn::Parsed(nth));
        }
        for column in hidden {
            let name = if *column == LineColumn::Start { START } else { END };
            fields.push(Field::new(name, column.data_type(), true));
            columns.push(*column);
        }
        LinesColumns { schema: Arc::new(Schema::new(fields)), columns }
    }

    /// The names of the columns that `*` leaves out.
    pub fn hidden(&self) -> Vec<String> {
        let all = self.columns.iter().zip(self.schema.fields());
        let is_hidden = |column: &LineColumn| matches!(column, LineColumn::Start | LineColumn::End);
        all.filter(|(column, _)| is_hidden(column)).map(|(_, field)| field.name().clone()).collect()
    }
}
