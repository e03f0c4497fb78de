//! Infers the columns of a table from the beginning of its text.

use std::collections::{HashMap, HashSet};
use std::sync::Arc;

use datafusion::arrow::datatypes::{DataType, Field, Schema, SchemaRef};
use serde::de::DeserializeSeed;

use super::arrays::elements;
use super::chunks::{Chunk, boundaries, explained, invalid, too_long_hint};
use super::columns::Values;
use super::csv::{CsvValues, text_of};
use super::json::{values_of, well_formed};
use super::json_type::JsonType;
use super::records::Records;
use super::scalar_type::ScalarType;
use super::types::{TextSchema, first_names};
use rread_text::error::{Error, Result};
use rread_text::layout::{Csv, Layout};

type Columns = Vec<(String, DataType)>;

/// Infers the table whose text begins with `sample`; `docs/sql.md` has the rules for types and names. Ignores
/// invalid records, and a last record that the end of the sample cuts.
///
/// `overrides` sets types by name, ignoring case if no column matches exactly; `*` means all other columns.
pub fn infer(
    sample: &[u8],
    whole: bool,
    layout: &Layout,
    overrides: &[(String, DataType)],
) -> Result<TextSchema> {
    let mut bytes = sample.to_vec();
    let mut boundaries = boundaries(layout);
    let end = boundaries.scan(&mut bytes, whole).map_err(|malformed| explained(&malformed, &bytes, 1))?;
    bytes.truncate(end);
    let (columns, arrays) = match layout {
        Layout::Csv(csv) => (delimited(text_of(&bytes)?, csv), false),
        Layout::Json { header } | Layout::Jsonl { header } => {
            json(&Chunk { bytes, line: 1, first: true, ends: boundaries.cut(end) }, *header)?
        }
    };
    let mut columns = columns.ok_or_else(|| no_table(sample, whole, layout))?;
    // Members may first appear after the sample, so the user may name them.
    let open = !whole && !arrays && !matches!(layout, Layout::Csv(_));
    apply(overrides, &mut columns, open)?;
    Ok(TextSchema { schema: schema(columns), arrays })
}

fn schema(columns: Columns) -> SchemaRef {
    let field = |(name, data_type)| Field::new(name, data_type, true);
    Arc::new(Schema::new(columns.into_iter().map(field).collect::<Vec<_>>()))
}

/// The table with `types` by position, which are known without its text, and with `overrides` as for [`infer`].
pub(crate) fn with_types(
    table: &TextSchema,
    types: &[DataType],
    overrides: &[(String, DataType)],
) -> Result<TextSchema> {
    let names = table.schema.fields().iter().map(|field| field.name().clone());
    let mut columns: Columns = names.zip(types.iter().cloned()).collect();
    apply(overrides, &mut columns, false)?;
    Ok(TextSchema { schema: schema(columns), arrays: table.arrays })
}

/// Whether [`infer`] has enough: a whole record, or an error.
pub fn has_record(sample: &[u8], layout: &Layout) -> bool {
    boundaries(layout).scan(&mut sample.to_vec(), false).map_or(true, |end| end > 0)
}

fn no_table(sample: &[u8], whole: bool, layout: &Layout) -> Error {
    if !whole {
        let message =
            format!("there is no whole record in the first {} bytes; the columns are unknown", sample.len());
        return invalid(message, too_long_hint(layout));
    }
    let missing = match layout {
        Layout::Csv(Csv { header: true, .. }) => "record, not even a header",
        Layout::Csv(_) => "record",
        Layout::Json { .. } | Layout::Jsonl { .. } => "JSON value",
    };
    invalid(format!("there is no table: the text has no {missing}"), None)
}

fn delimited(text: &str, csv: &Csv) -> Option<Columns> {
    let mut records = Records::new(text.as_bytes(), csv);
    let mut spans = Vec::new();
    let width = records.next(|_| true, &mut spans)?.values;
    let mut header = vec![String::new(); width];
    if csv.header {
        let csv = &Csv { nulls: Vec::new(), ..csv.clone() };
        for (nth, name) in header.iter_mut().enumerate() {
            let name_of = CsvValues { text, spans: &spans, stride: width, nth, csv };
            name_of.each(|value| *name = value.unwrap_or_default().to_owned());
        }
        spans.clear();
    }
    let mut end = spans.len();
    while let Some(record) = records.next(|_| true, &mut spans) {
        if record.values != width {
            spans.truncate(end);
        }
        end = spans.len();
    }
    let types = (0..width).map(|nth| {
        let mut combined = ScalarType::Null;
        CsvValues { text, spans: &spans, stride: width, nth, csv }.each(|value| {
            if combined != ScalarType::Text {
                combined = combined.and(value.map_or(ScalarType::Null, ScalarType::of));
            }
        });
        combined.data_type()
    });
    Some(unique(header).into_iter().zip(types).collect())
}

/// Unnamed columns become `_1`, `_2`, …; a repeated name gets the suffix `_2`, `_3`, ….
fn unique(names: Vec<String>) -> Vec<String> {
    let named = |(at, name): (usize, String)| if name.is_empty() { format!("_{}", at + 1) } else { name };
    let names: Vec<String> = names.into_iter().enumerate().map(named).collect();
    // A name from the header keeps its spelling in any position.
    let mut taken: HashSet<String> = names.iter().cloned().collect();
    let mut last: HashMap<String, u64> = HashMap::new();
    let mut unique = Vec::with_capacity(names.len());
    for name in names {
        let Some(last) = last.get_mut(&name) else {
            last.insert(name.clone(), 1);
            unique.push(name);
            continue;
        };
        let free = loop {
            *last += 1;
            let free = format!("{name}_{last}");
            if taken.insert(free.clone()) {
                break free;
            }
        };
        unique.push(free);
    }
    unique
}

fn json(chunk: &Chunk, header: bool) -> Result<(Option<Columns>, bool)> {
    text_of(&chunk.bytes)?;
    let values: Vec<&[u8]> = values_of(chunk).into_iter().map(|value| value.text).collect();
    match values.first().and_then(|first| first.first()) {
        None => Ok((None, false)),
        Some(b'[') => Ok((Some(arrays(&values, header)?), true)),
        Some(_) => Ok((Some(objects(&values)?), false)),
    }
}

fn objects(values: &[&[u8]]) -> Result<Columns> {
    let mut json_type = JsonType::default();
    // Skip a malformed value entirely, including the part before the error.
    for value in values.iter().filter(|value| value.starts_with(b"{") && well_formed(value).is_ok()) {
        seen(&mut json_type, value)?;
    }
    let broken = values.iter().find_map(|value| well_formed(value).err());
    match (json_type, broken) {
        (JsonType::Object(members), _) => Ok(members.columns().collect()),
        (_, Some(reason)) => {
            Err(invalid(format!("there is no table: the first JSON value cannot be read: {reason}"), None))
        }
        _ => Err(invalid("there is no table: no value of the text is a JSON object".to_owned(), None)),
    }
}

fn seen(json_type: &mut JsonType, value: &[u8]) -> Result<()> {
    json_type.deserialize(&mut serde_json::Deserializer::from_slice(value)).map_err(|cause| {
        // An out-of-range number would hide the members after it, so fail.
        invalid(format!("a JSON value at the start of the text cannot be read: {cause}"), None)
    })
}

fn arrays(values: &[&[u8]], header: bool) -> Result<Columns> {
    let mut rows = values.iter().filter(|value| value.starts_with(b"[") && well_formed(value).is_ok());
    let mut names = Vec::new();
    if header {
        let first = values.first().copied().unwrap_or_default();
        names = serde_json::from_slice::<Vec<String>>(first).map_err(|_| {
            invalid(
                "the first array is not a header: a header has only strings".to_owned(),
                Some("--no-header, if it is a record"),
            )
        })?;
        rows.next();
    }
    let mut rows = rows.map(|row| elements(row)).peekable();
    if let (false, Some(first)) = (header, rows.peek()) {
        names.resize(first.len(), String::new());
    }
    if names.is_empty() {
        let message = "there is no table: the first array is empty, so it has no columns";
        return Err(invalid(message.to_owned(), None));
    }
    let mut json_types: Vec<JsonType> = names.iter().map(|_| JsonType::default()).collect();
    for elements in rows.filter(|elements| elements.len() == names.len()) {
        for (json_type, element) in json_types.iter_mut().zip(elements) {
            seen(json_type, element)?;
        }
    }
    Ok(unique(names).into_iter().zip(json_types.iter().map(JsonType::data_type)).collect())
}

fn apply(overrides: &[(String, DataType)], columns: &mut Columns, open: bool) -> Result<()> {
    for (_, data_type) in overrides.iter().filter(|(name, _)| name == "*") {
        columns.iter_mut().for_each(|(_, of_column)| of_column.clone_from(data_type));
    }
    for (name, data_type) in overrides.iter().filter(|(name, _)| name != "*") {
        let exact = columns.iter().position(|(column, _)| column == name);
        let lower = name.to_lowercase();
        let place = exact.or_else(|| columns.iter().position(|(column, _)| column.to_lowercase() == lower));
        match place.and_then(|place| columns.get_mut(place)) {
            Some((_, of_column)) => of_column.clone_from(data_type),
            None if open => columns.push((name.clone(), data_type.clone())),
            None => return Err(no_column(name, columns)),
        }
    }
    Ok(())
}

fn no_column(name: &str, columns: &Columns) -> Error {
    let names: Vec<&str> = columns.iter().map(|(name, _)| name.as_str()).collect();
    Error::usage(format!("no column is named {name}"))
        .hint(format!("the columns are {}", first_names(&names)))
}
