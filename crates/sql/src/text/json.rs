//! Parses chunks of JSON values into record batches, also JSON as Python and JavaScript write it.

use std::borrow::Cow;
use std::ops::Range;
use std::sync::Arc;

use datafusion::arrow::array::{Array, ArrayRef, AsArray, ListArray, RecordBatch, StructArray, UInt64Array};
use datafusion::arrow::compute::{cast, take};
use datafusion::arrow::datatypes::{DataType, Field, FieldRef, Fields, Schema, SchemaRef};
use datafusion::arrow::error::ArrowError;
use datafusion::arrow::json::ReaderBuilder;
use memchr::{memchr, memchr_iter, memmem};
use serde::de::IgnoredAny;

use super::chunks::Chunk;
use super::columns::{Scalars, Values, column};
use super::members::{Known, Unknown, decoded};
use super::rejected::{Ledger, LeftOut, Parsed, ROWS, internal, leave_out, not_of_type, shown, text_of};
use super::types::{RowPlace, TextSchema};
use rread_text::json::{Member, items, members};
use rread_text::{Result, Sentence, counted, setting};

/// Decodes scalars as text and converts them like delimited values: Arrow's decoder would cut decimals off a
/// number in a column of integers.
#[derive(Debug)]
pub(super) struct JsonParser {
    schema: SchemaRef,
    /// For each column of `schema`, whether its numbers may not lose digits.
    exact: Vec<bool>,
    /// The columns with text for every scalar.
    decoded: SchemaRef,
    arrays: Option<Arrays>,
    header: bool,
    skip_bad: bool,
    known: Known,
    /// For each member that is a column of the table, its place among those that are read, if all of these are scalars.
    scalars: Option<Vec<Option<usize>>>,
    /// Columns of the places of rows, which come last.
    places: Vec<RowPlace>,
}

/// The scalars of some records, row by row.
struct ScalarRows<'a> {
    values: Vec<Option<Cow<'a, str>>>,
    unknown: Unknown,
}

fn as_text(data_type: &DataType) -> DataType {
    let inner = |field: &FieldRef| Arc::new(Field::new(field.name(), as_text(field.data_type()), true));
    match data_type {
        DataType::List(item) => DataType::List(inner(item)),
        DataType::Struct(fields) => DataType::Struct(fields.iter().map(inner).collect()),
        _ => DataType::Utf8View,
    }
}

#[derive(Clone, Copy)]
pub(super) struct JsonValue<'a> {
    start: usize,
    pub text: &'a [u8],
}

impl JsonValue<'_> {
    fn range(&self) -> Range<usize> {
        self.start..self.start + self.text.len()
    }
}

pub(super) fn values_of(chunk: &Chunk) -> Vec<JsonValue<'_>> {
    let lines = || memchr_iter(b'\n', &chunk.bytes).chain([chunk.bytes.len()]).collect();
    let ends: Vec<usize> = if chunk.ends.is_empty() { lines() } else { chunk.ends.clone() };
    let mut from = 0;
    let mut values = Vec::with_capacity(ends.len());
    for end in ends {
        let text = chunk.bytes[from..end].trim_ascii_start();
        if !text.is_empty() {
            values.push(JsonValue { start: end - text.len(), text });
        }
        from = end;
    }
    values
}

/// Arrow's decoder accepts missing and extra commas, and ignores errors in columns that are not read.
pub(super) fn well_formed(text: &[u8]) -> std::result::Result<(), String> {
    serde_json::from_slice::<IgnoredAny>(text).map(drop).map_err(|cause| reason(&cause))
}

pub(super) const NOT_CLOSED: &str = "it is not closed";

/// The words of `serde_json` for text after a value.
const TRAILING: &str = "trailing characters";

fn reason(cause: &serde_json::Error) -> String {
    if cause.is_eof() {
        return NOT_CLOSED.to_owned();
    }
    let message = cause.to_string();
    message.split(" at line ").next().unwrap_or_default().to_owned()
}

struct DecodedRows {
    rows: Option<RecordBatch>,
    unknown: Unknown,
}

impl JsonParser {
    pub fn new(
        table: &TextSchema,
        header: bool,
        schema: &SchemaRef,
        exact: Vec<bool>,
        projection: Vec<usize>,
        skip_bad: bool,
        places: Vec<RowPlace>,
    ) -> Self {
        let all = table.schema.fields();
        let decoded = schema.fields().iter().enumerate().map(|(nth, field)| {
            let key = if table.arrays { Arrays::key(nth) } else { field.name().clone() };
            Field::new(key, as_text(field.data_type()), true)
        });
        let is_scalar =
            |field: &FieldRef| !matches!(field.data_type(), DataType::List(_) | DataType::Struct(_));
        let scalars = (!table.arrays && schema.fields().iter().all(is_scalar)).then(|| {
            let slot = |place: usize| projection.iter().position(|column| *column == place);
            (0..all.len()).map(slot).collect()
        });
        JsonParser {
            places,
            scalars,
            schema: Arc::clone(schema),
            exact,
            decoded: Arc::new(Schema::new(decoded.collect::<Vec<_>>())),
            arrays: table.arrays.then(|| Arrays { width: all.len(), places: projection }),
            header: table.arrays && header,
            skip_bad,
            known: Known::of(all),
        }
    }

    pub fn parse(&self, chunk: &Chunk) -> Result<Parsed> {
        let (chunk, halves) = mended(chunk);
        let chunk = &*chunk;
        let text = text_of(&chunk.bytes)?;
        let mut ledger = Ledger::new(chunk, self.skip_bad, &self.places);
        let mut batches = Vec::new();
        let values = values_of(chunk);
        let header = usize::from(chunk.first && self.header);
        for values in values.get(header..).unwrap_or_default().chunks(ROWS) {
            batches.extend(self.batch(text, values, &mut ledger)?);
            ledger.check()?;
        }
        Ok(Parsed { batches, left_out: LeftOut { replaced: halves, ..ledger.left_out } })
    }

    /// With `flat`, lists and objects in the place of scalars become text.
    fn decode(&self, values: &[JsonValue<'_>], flat: bool) -> std::result::Result<DecodedRows, String> {
        let undecoded = |cause| match cause {
            ArrowError::JsonError(message) => message,
            other => other.to_string(),
        };
        let builder =
            ReaderBuilder::new(Arc::clone(&self.decoded)).with_batch_size(ROWS).with_coerce_primitive(true);
        let mut decoder = builder.build_decoder().map_err(undecoded)?;
        let (mut room, mut flat_room) = (Vec::new(), Vec::new());
        let mut unknown = Unknown::default();
        for (before, &JsonValue { start, text }) in values.iter().enumerate() {
            let object = match &self.arrays {
                None => {
                    unknown.begin(start);
                    self.members(text, &mut unknown)?;
                    text
                }
                Some(arrays) => {
                    row(arrays, text, &mut room)?;
                    room.as_slice()
                }
            };
            let object = if flat {
                flat_room.clear();
                flatten_members(object.trim_ascii(), self.decoded.fields(), &mut flat_room);
                flat_room.as_slice()
            } else {
                object
            };
            let read = decoder.decode(object).map_err(undecoded)?;
            if read != object.len() || decoder.len() != before + 1 || decoder.has_partial_record() {
                return Err("it cannot be decoded".to_owned());
            }
        }
        Ok(DecodedRows { rows: decoder.flush().map_err(undecoded)?, unknown })
    }

    fn members(&self, value: &[u8], unknown: &mut Unknown) -> std::result::Result<(), String> {
        if !value.starts_with(b"{") {
            well_formed(value)?;
            return Err("it is not an object".to_owned());
        }
        let text = std::str::from_utf8(value).ok();
        match text.and_then(|text| self.known.walk(text, unknown, |_, _| Some(()))) {
            Some(()) => Ok(()),
            None => well_formed(value).and(Err("it cannot be decoded".to_owned())),
        }
    }

    /// `values` are those of `text`, which is that of the chunk.
    fn batch(
        &self,
        text: &str,
        values: &[JsonValue<'_>],
        ledger: &mut Ledger<'_>,
    ) -> Result<Option<RecordBatch>> {
        if let Some(rows) = self.scalars(text, values) {
            return self.of_scalars(rows, values, ledger).map(Some);
        }
        let mut good = Vec::new();
        let decoded = self.decode(values, false).or_else(|_| self.decode(values, true));
        let (values, decoded) = match decoded {
            Ok(decoded) => (values, decoded),
            Err(_) => {
                self.sift(values, &mut good, ledger);
                let decoded =
                    self.decode(&good, true).map_err(|cause| internal(ArrowError::JsonError(cause)))?;
                (&*good, decoded)
            }
        };
        ledger.members(decoded.unknown);
        decoded.rows.map(|rows| self.typed(&rows, values, ledger)).transpose()
    }

    /// The values of the members that are read; `None` if a record is unusual, or one of them is not a scalar.
    fn scalars<'a>(&self, text: &'a str, values: &[JsonValue<'_>]) -> Option<ScalarRows<'a>> {
        let (slots, stride) = (self.scalars.as_ref()?, self.schema.fields().len());
        let values_of = Vec::with_capacity(values.len() * stride);
        let mut rows = ScalarRows { values: values_of, unknown: Unknown::default() };
        for value in values {
            rows.unknown.begin(value.start);
            let row = rows.values.len();
            rows.values.resize(row + stride, None);
            let scalars = &mut rows.values;
            self.known.walk(text.get(value.range())?, &mut rows.unknown, |place, value| {
                if let Some(slot) = slots.get(place).copied().flatten() {
                    scalars[row + slot] = scalar(value)?;
                }
                Some(())
            })?;
        }
        Some(rows)
    }

    fn of_scalars(
        &self,
        rows: ScalarRows<'_>,
        values: &[JsonValue<'_>],
        ledger: &mut Ledger<'_>,
    ) -> Result<RecordBatch> {
        ledger.members(rows.unknown);
        let scalars = &rows.values[..];
        let of =
            |nth: usize| Scalars { values: scalars, stride: self.schema.fields().len(), nth, is_json: true };
        ledger.batch(
            &self.schema,
            values.len(),
            |nth, bad| column(&of(nth), self.schema.field(nth).data_type(), self.exact[nth], bad),
            |nth, row| of(nth).at(row).unwrap_or_default(),
            |row| values[row].range(),
        )
    }

    /// Adds the valid values to `good` and notes the others. Splits in halves, because a decoder per value would
    /// take many times as long.
    fn sift<'a>(&self, values: &[JsonValue<'a>], good: &mut Vec<JsonValue<'a>>, ledger: &mut Ledger<'_>) {
        let Err(reason) = self.decode(values, true) else {
            good.extend_from_slice(values);
            return;
        };
        let [value] = values else {
            let (left, right) = values.split_at(values.len() / 2);
            let before = good.len() + left.len();
            self.sift(left, good, ledger);
            if ledger.skip || good.len() == before {
                self.sift(right, good, ledger);
            }
            return;
        };
        let are_lines = ledger.are_lines;
        ledger.note(1, value.start, || self.complaint(value, &reason, are_lines));
    }

    /// Why `value` is not a record, and what to type. `reason` may have the words of the decoder.
    fn complaint(&self, value: &JsonValue<'_>, reason: &str, are_lines: bool) -> (String, Sentence) {
        let text = value.text.trim_ascii();
        let is_object = self.arrays.is_none() && text.starts_with(b"{") && well_formed(text).is_ok();
        if is_object && let Some((field, value)) = misfit(text, self.schema.fields()) {
            return not_of_type(&String::from_utf8_lossy(value), field);
        }
        // The decoder's own words are about its state.
        let reason = match (well_formed(text), serde_json::from_slice::<serde_json::Value>(text)) {
            (Err(reason), _) => reason,
            (_, Err(cause)) => self::reason(&cause),
            _ if reason.starts_with("it ") => reason.to_owned(),
            _ => "a value in it has another type than its column".to_owned(),
        };
        // A line may be only part of a value that spans several lines.
        let others = match &*reason {
            NOT_CLOSED if are_lines => " json, if values go over several lines; or ",
            TRAILING if are_lines => " json, if a line has several values; or ",
            _ => "",
        };
        let hint = match others {
            "" => leave_out(),
            others => {
                let leave_out = setting("skip-bad").then(" to leave such records out");
                setting("input").then(others).then(leave_out)
            }
        };
        let value = String::from_utf8_lossy(value.text);
        (format!("the JSON value '{}' is not a record: {reason}", shown(value.trim_end())), hint)
    }

    fn typed(
        &self,
        decoded: &RecordBatch,
        values: &[JsonValue<'_>],
        ledger: &mut Ledger<'_>,
    ) -> Result<RecordBatch> {
        let convert = |nth: usize, bad: &mut dyn FnMut(usize)| {
            let (text, data_type) = (decoded.column(nth), self.schema.field(nth).data_type());
            match text.as_string_view_opt() {
                Some(text) => column(text, data_type, self.exact[nth], bad),
                None => nested(text, data_type, self.exact[nth], bad),
            }
        };
        let value = |nth: usize, row| {
            let value = decoded.column(nth).as_string_view_opt().and_then(|text| Values::at(text, row));
            value.unwrap_or_else(|| "a nested value".to_owned())
        };
        ledger.batch(&self.schema, decoded.num_rows(), convert, value, |row| values[row].range())
    }
}

/// The text of a value in a column of scalars; the outer `None` is for an escape that the other parser reads.
fn scalar(text: &str) -> Option<Option<Cow<'_, str>>> {
    Some(match text.as_bytes().first() {
        Some(b'n') | None => None,
        Some(b'"') if memchr(b'\\', text.as_bytes()).is_some() => {
            Some(Cow::Owned(serde_json::from_str(text).ok()?))
        }
        Some(b'"') => Some(Cow::Borrowed(text.get(1..text.len() - 1)?)),
        // A list or an object is its text.
        Some(_) => Some(Cow::Borrowed(text)),
    })
}

fn row(arrays: &Arrays, value: &[u8], object: &mut Vec<u8>) -> std::result::Result<(), String> {
    well_formed(value)?;
    match value.first() {
        Some(b'[') => arrays.object(value, object),
        _ => Err("it is not an array, but the first record is".to_owned()),
    }
}

/// `bad` receives the rows with a value of another type.
fn nested(
    text: &ArrayRef,
    data_type: &DataType,
    exact: bool,
    mut bad: impl FnMut(usize),
) -> Result<ArrayRef> {
    let mut has_bad = false;
    let all = converted(text, data_type, exact, &mut has_bad)?;
    for row in (0..text.len()).filter(|_| has_bad) {
        // `take` copies one row; a slice would still hold the items of all rows.
        let index = UInt64Array::from(vec![row as u64]);
        let (one, mut is_bad) = (take(text, &index, None).map_err(internal)?, false);
        converted(&one, data_type, exact, &mut is_bad)?;
        if is_bad {
            bad(row);
        }
    }
    Ok(all)
}

/// Lists and objects of texts with their types.
fn converted(text: &ArrayRef, data_type: &DataType, exact: bool, has_bad: &mut bool) -> Result<ArrayRef> {
    match (data_type, text.data_type()) {
        (DataType::List(item), DataType::List(_)) => {
            let list = text.as_list::<i32>();
            let items = converted(list.values(), item.data_type(), exact, has_bad)?;
            let (offsets, nulls) = (list.offsets().clone(), list.nulls().cloned());
            let list = ListArray::try_new(Arc::clone(item), offsets, items, nulls).map_err(internal)?;
            Ok(Arc::new(list))
        }
        (DataType::Struct(fields), DataType::Struct(_)) => {
            let object = text.as_struct();
            let pairs = object.columns().iter().zip(fields);
            let members = pairs.map(|(member, field)| converted(member, field.data_type(), exact, has_bad));
            let (members, nulls) = (members.collect::<Result<Vec<_>>>()?, object.nulls().cloned());
            let object = StructArray::try_new_with_length(fields.clone(), members, nulls, text.len());
            Ok(Arc::new(object.map_err(internal)?))
        }
        _ => match text.as_string_view_opt() {
            Some(text) => column(text, data_type, exact, |_| *has_bad = true),
            None => cast(text, data_type).map_err(internal),
        },
    }
}

/// The first column of a record whose value is not of the kind of its type: a list, an object or a scalar.
fn misfit<'f, 'v>(object: &'v [u8], fields: &'f Fields) -> Option<(&'f FieldRef, &'v [u8])> {
    members(object).find_map(|Member { key, value, .. }| {
        let name = decoded(key)?;
        let field = fields.iter().find(|field| *field.name() == name)?;
        (!has_kind_of(value, field.data_type())).then_some((field, value))
    })
}

fn has_kind_of(value: &[u8], data_type: &DataType) -> bool {
    match (data_type, value.first()) {
        (_, Some(b'n') | None) => true,
        (DataType::Struct(fields), Some(b'{')) => misfit(value, fields).is_none(),
        (DataType::List(item), Some(b'[')) => items(value).all(|value| has_kind_of(value, item.data_type())),
        (DataType::Struct(_) | DataType::List(_), _) => false,
        // Text holds everything, and conversion reports the others.
        _ => true,
    }
}

/// Writes `object` with a JSON string in the place of every list and object that stands where `fields` have text.
fn flatten_members(object: &[u8], fields: &Fields, out: &mut Vec<u8>) {
    out.push(b'{');
    let (mut is_first, mut next) = (true, 0);
    for Member { key, value, .. } in members(object) {
        let Some(name) = decoded(key) else { continue };
        // Members usually come in the order of the columns.
        let is_next = fields.get(next).is_some_and(|field| *field.name() == name);
        let place = if is_next { Some(next) } else { fields.iter().position(|field| *field.name() == name) };
        // The decoder ignores other members.
        let Some((place, field)) = place.and_then(|place| Some((place, fields.get(place)?))) else {
            continue;
        };
        next = place + 1;
        if !std::mem::take(&mut is_first) {
            out.push(b',');
        }
        push_string(&name, out);
        out.push(b':');
        flatten(value, field.data_type(), out);
    }
    out.push(b'}');
}

fn flatten(value: &[u8], data_type: &DataType, out: &mut Vec<u8>) {
    match (data_type, value.first()) {
        (DataType::Struct(fields), Some(b'{')) => flatten_members(value, fields, out),
        (DataType::List(item), Some(b'[')) => {
            out.push(b'[');
            for (nth, value) in items(value).enumerate() {
                out.extend_from_slice(if nth == 0 { b"" } else { b"," });
                flatten(value, item.data_type(), out);
            }
            out.push(b']');
        }
        (DataType::Utf8View, Some(b'{' | b'[')) => push_string(&String::from_utf8_lossy(value), out),
        _ => out.extend_from_slice(value),
    }
}

fn push_string(text: &str, out: &mut Vec<u8>) {
    out.extend_from_slice(serde_json::Value::from(text).to_string().as_bytes());
}

/// Converts arrays to objects, because Arrow's decoder accepts only objects.
#[derive(Debug)]
pub(super) struct Arrays {
    pub width: usize,
    pub places: Vec<usize>,
}

impl Arrays {
    pub fn key(nth: usize) -> String {
        nth.to_string()
    }

    /// `array` is a well-formed JSON array. Fails if the number of values is wrong.
    pub fn object(&self, array: &[u8], object: &mut Vec<u8>) -> std::result::Result<(), String> {
        let elements: Vec<&[u8]> = items(array).collect();
        if elements.len() != self.width {
            let values = counted(elements.len() as u64, "value");
            return Err(format!("it has {values}, the table has {}", counted(self.width as u64, "column")));
        }
        object.clear();
        object.push(b'{');
        for (nth, place) in self.places.iter().enumerate() {
            let comma = if nth == 0 { "" } else { "," };
            object.extend_from_slice(format!("{comma}\"{}\":", Self::key(nth)).as_bytes());
            object.extend_from_slice(elements[*place]);
        }
        object.push(b'}');
        Ok(())
    }
}

/// `chunk` with the characters of escaped pairs of surrogates, with U+FFFD in the place of half a pair, and with NaN and
/// Infinity as texts; and how many halves there were.
pub(super) fn mended(chunk: &Chunk) -> (Cow<'_, Chunk>, u64) {
    if !needs_mending(&chunk.bytes) {
        return (Cow::Borrowed(chunk), 0);
    }
    let (bytes, mut ends) = (&chunk.bytes[..], chunk.ends.clone());
    let mut out = Vec::with_capacity(bytes.len());
    let (mut at, mut next, mut halves, mut is_text) = (0, 0, 0, false);
    while at < bytes.len() {
        while let Some(end) = ends.get_mut(next).filter(|end| **end <= at) {
            *end = out.len();
            next += 1;
        }
        let rest = &bytes[at..];
        let (piece, length): (Cow<'_, [u8]>, usize) = match rest[0] {
            b'\\' if is_text => {
                let (piece, length, is_half) = escape(rest);
                halves += u64::from(is_half);
                (piece, length)
            }
            b'N' if !is_text && rest.starts_with(b"NaN") => (b"\"NaN\"".into(), 3),
            b'I' if !is_text && rest.starts_with(b"Infinity") => (b"\"inf\"".into(), 8),
            b'-' if !is_text && rest.starts_with(b"-Infinity") => (b"\"-inf\"".into(), 9),
            byte => {
                // A line never ends inside a text.
                is_text = byte != b'\n' && is_text != (byte == b'"');
                (rest[..1].into(), 1)
            }
        };
        out.extend_from_slice(&piece);
        at += length;
    }
    ends.iter_mut().skip(next).for_each(|end| *end = out.len());
    // The places of records are not those of the file any more.
    (Cow::Owned(Chunk { bytes: out, ends, at: None, ..chunk.clone() }), halves)
}

fn needs_mending(bytes: &[u8]) -> bool {
    let is_surrogate = |at: usize| {
        matches!(bytes.get(at + 2..at + 4), Some([b'd' | b'D', b'8'..=b'9' | b'a'..=b'f' | b'A'..=b'F']))
    };
    memmem::find_iter(bytes, "\\u").any(is_surrogate)
        || memmem::find(bytes, b"NaN").is_some()
        || memmem::find(bytes, b"Infinity").is_some()
}

/// The character of an escape, its length, and whether it is half of a pair.
fn escape(text: &[u8]) -> (Cow<'_, [u8]>, usize, bool) {
    let Some(first @ 0xD800..0xE000) = unit(text) else {
        let length = text.len().min(2);
        return (text[..length].into(), length, false);
    };
    let second = text.get(6..).and_then(unit);
    let whole = second.and_then(|second| char::decode_utf16([first, second]).next()?.ok());
    match whole {
        Some(whole) => (whole.to_string().into_bytes().into(), 12, false),
        None => ("\u{FFFD}".as_bytes().into(), 6, true),
    }
}

/// The code unit of `\uXXXX`.
fn unit(text: &[u8]) -> Option<u16> {
    let digits =
        text.strip_prefix(b"\\u")?.get(..4).filter(|digits| digits.iter().all(u8::is_ascii_hexdigit))?;
    u16::from_str_radix(std::str::from_utf8(digits).ok()?, 16).ok()
}
