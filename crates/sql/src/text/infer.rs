//! Infers the columns of a table from the beginning of its text, and the combined type of JSON values.

use std::collections::{HashMap, HashSet};
use std::sync::Arc;

use datafusion::arrow::datatypes::{DataType, Field, Schema, SchemaRef};

use super::chunks::{Chunk, after_skipped, boundaries, explained, invalid, too_long_hint};
use super::json::{NOT_CLOSED, mended, values_of, well_formed};
use super::members::decoded;
use super::rejected::text_of;
use super::sample::{self, CsvSample, FirstRecord};
use super::types::{ScalarType, TextSchema, first_names};
use rread_text::json::{items, members};
use rread_text::{Csv, Error, Layout, Result, setting};

pub(crate) type Columns = Vec<(String, DataType)>;

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
    let (columns, arrays) = match layout {
        Layout::Csv(csv) => (delimited(text_of(&whole_records(sample, whole, csv)?)?, csv), false),
        Layout::Json { header } | Layout::Jsonl { header } => {
            let chunk = json_chunk(sample, whole, layout)?;
            json(&chunk, *header, matches!(layout, Layout::Jsonl { .. }))?
        }
    };
    let mut columns = columns.ok_or_else(|| no_table(sample, whole, layout))?;
    let is_null = |(_, data_type): &(String, DataType)| *data_type == DataType::Null;
    let mut unknown: Vec<bool> = columns.iter().map(is_null).collect();
    // Nulls alone are text, because the type of later values is unknown.
    columns.iter_mut().filter(|column| is_null(column)).for_each(|(_, of)| *of = DataType::Utf8View);
    // Members may first appear after the sample, so the user may name them.
    let open = !whole && !arrays && !matches!(layout, Layout::Csv(_));
    let inferred = apply(overrides, &mut columns, open)?;
    unknown.resize(columns.len(), false);
    Ok(TextSchema { schema: schema(columns), arrays, inferred, unknown })
}

fn json_chunk(sample: &[u8], whole: bool, layout: &Layout) -> Result<Chunk> {
    let mut bytes = sample.to_vec();
    let mut boundaries = boundaries(layout);
    let scanned = boundaries.scan(&mut bytes, whole);
    let end = scanned.map_err(|malformed| explained(&malformed, &bytes, 1, b'\n'))?;
    bytes.truncate(end);
    let (newline, ends, numbers) = (b'\n', boundaries.cut(end), Vec::new());
    Ok(mended(&Chunk { bytes, line: 1, newline, first: true, ends, numbers, at: None }).0.into_owned())
}

pub(crate) fn schema(columns: Columns) -> SchemaRef {
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
    let unknown = vec![false; columns.len()];
    Ok(TextSchema { schema: schema(columns), arrays: table.arrays, inferred: Vec::new(), unknown })
}

/// Whether [`infer()`] has enough: a whole record, or an error.
pub fn has_record(sample: &[u8], layout: &Layout) -> bool {
    /// Most records are shorter.
    const SHORT: usize = 4 << 10;
    let text = after_skipped(sample, layout);
    let is_enough =
        |text: &[u8]| boundaries(layout).scan(&mut text.to_vec(), false).map_or(true, |end| end > 0);
    text.get(..SHORT).is_some_and(is_enough) || is_enough(text)
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
    let sample = CsvSample::of(text, csv)?;
    let columns = (0..sample.width).map(|nth| {
        let below = sample.type_below(nth);
        if csv.header {
            return (name(sample.name(nth).unwrap_or_default(), csv), below);
        }
        let first = sample.first(nth).map_or(ScalarType::Null, |value| ScalarType::of_in(&value, csv.forms));
        (String::new(), first.and(below))
    });
    let (names, types): (Vec<_>, Vec<_>) = columns.unzip();
    let data_type = |of: ScalarType| if of == ScalarType::Null { DataType::Null } else { of.data_type() };
    Some(unique(names).into_iter().zip(types.into_iter().map(data_type)).collect())
}

/// Blanks around a name are not part of it, nor are quotes after a blank.
fn name(text: String, csv: &Csv) -> String {
    let trimmed = text.trim();
    if trimmed.len() == text.len() {
        return text;
    }
    let inner = csv.quote.map(char::from).and_then(|quote| trimmed.strip_prefix(quote)?.strip_suffix(quote));
    inner.unwrap_or(trimmed).to_owned()
}

/// The kind of the first record of a table of delimited values.
pub fn first_record(sample: &[u8], whole: bool, csv: &Csv) -> Result<Option<FirstRecord>> {
    let bytes = whole_records(sample, whole, csv)?;
    Ok(CsvSample::of(text_of(&bytes)?, csv).map(|sample| sample::first_record(&sample)))
}

/// The whole records of `sample`, without the lines before the table.
pub fn whole_records(sample: &[u8], whole: bool, csv: &Csv) -> Result<Vec<u8>> {
    let layout = Layout::Csv(csv.clone());
    let mut bytes = after_skipped(sample, &layout).to_vec();
    let scanned = boundaries(&layout).scan(&mut bytes, whole);
    let end = scanned.map_err(|malformed| explained(&malformed, &bytes, 1 + csv.skip_lines, csv.newline))?;
    bytes.truncate(end);
    Ok(bytes)
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

fn json(chunk: &Chunk, header: bool, are_lines: bool) -> Result<(Option<Columns>, bool)> {
    text_of(&chunk.bytes)?;
    let values: Vec<&[u8]> = values_of(chunk).into_iter().map(|value| value.text).collect();
    match values.first().and_then(|first| first.first()) {
        None => Ok((None, false)),
        Some(b'[') => Ok((Some(arrays(&values, header)?), true)),
        Some(_) => Ok((Some(objects(&values, are_lines)?), false)),
    }
}

fn objects(values: &[&[u8]], are_lines: bool) -> Result<Columns> {
    let mut json_type = JsonType::default();
    let (mut good, mut broken, mut unclosed) = (0, None, false);
    for value in values {
        match well_formed(value) {
            Ok(()) if value.starts_with(b"{") => {
                good += 1;
                json_type.add(value.trim_ascii());
            }
            Ok(()) => {}
            Err(reason) => {
                unclosed |= reason == NOT_CLOSED;
                broken.get_or_insert(reason);
            }
        }
    }
    let bad = values.len() - good;
    // Leaving out such lines would leave out the table.
    if are_lines && bad > good && good > 0 {
        let message = format!("{bad} of the first {} lines are not JSON objects", values.len());
        return Err(invalid(
            message,
            unclosed.then(|| setting("input").then(" json, if values go over several lines")),
        ));
    }
    match (json_type, broken) {
        (JsonType::Object(members), _) => Ok(members.columns().collect()),
        (_, Some(reason)) => {
            Err(invalid(format!("there is no table: the first JSON value cannot be read: {reason}"), None))
        }
        _ => Err(invalid(
            "there is no table: no value of the text is a JSON object".to_owned(),
            Some(setting("input").then(" csv ").then(setting("no-header")).then(" makes each line a row")),
        )),
    }
}

fn arrays(values: &[&[u8]], header: bool) -> Result<Columns> {
    let mut rows = values.iter().filter(|value| value.starts_with(b"[") && well_formed(value).is_ok());
    let mut names = Vec::new();
    if header {
        let first = values.first().copied().unwrap_or_default();
        names = serde_json::from_slice::<Vec<String>>(first).map_err(|_| {
            invalid(
                "the first array is not a header: a header has only strings".to_owned(),
                Some(setting("no-header").then(", if it is a record")),
            )
        })?;
        rows.next();
    }
    let mut rows = rows.map(|row| items(row).collect::<Vec<_>>()).peekable();
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
            json_type.add(element);
        }
    }
    Ok(unique(names).into_iter().zip(json_types.iter().map(JsonType::column_type)).collect())
}

/// Returns which columns keep the type that they have.
pub(crate) fn apply(
    overrides: &[(String, DataType)],
    columns: &mut Columns,
    open: bool,
) -> Result<Vec<bool>> {
    let mut kept = vec![!overrides.iter().any(|(name, _)| name == "*"); columns.len()];
    for (_, data_type) in overrides.iter().filter(|(name, _)| name == "*") {
        columns.iter_mut().for_each(|(_, of_column)| of_column.clone_from(data_type));
    }
    for (name, data_type) in overrides.iter().filter(|(name, _)| name != "*") {
        let exact = columns.iter().position(|(column, _)| column == name);
        let lower = name.to_lowercase();
        let place = exact.or_else(|| columns.iter().position(|(column, _)| column.to_lowercase() == lower));
        match place.and_then(|place| Some((columns.get_mut(place)?, kept.get_mut(place)?))) {
            Some(((_, of_column), is_kept)) => {
                of_column.clone_from(data_type);
                *is_kept = false;
            }
            None if open => {
                columns.push((name.clone(), data_type.clone()));
                kept.push(false);
            }
            None => return Err(no_column(name, columns)),
        }
    }
    Ok(kept)
}

fn no_column(name: &str, columns: &Columns) -> Error {
    let names: Vec<&str> = columns.iter().map(|(name, _)| name.as_str()).collect();
    Error::usage(format!("no column is named {name}"))
        .hint(format!("the columns are {}", first_names(&names)))
}

/// Lists and objects deeper than this are text.
const DEPTH: usize = 100;

#[derive(Debug)]
pub(super) enum JsonType {
    Scalar(ScalarType),
    List(Box<JsonType>),
    Object(MemberTypes),
}

impl Default for JsonType {
    fn default() -> Self {
        JsonType::Scalar(ScalarType::Null)
    }
}

#[derive(Debug, Default)]
pub(super) struct MemberTypes {
    places: HashMap<String, usize>,
    members: Vec<(String, JsonType)>,
}

impl MemberTypes {
    fn member(&mut self, name: String) -> &mut JsonType {
        let place = *self.places.entry(name.clone()).or_insert(self.members.len());
        if place == self.members.len() {
            self.members.push((name, JsonType::default()));
        }
        &mut self.members[place].1
    }

    pub fn columns(&self) -> impl Iterator<Item = (String, DataType)> {
        self.members.iter().map(|(name, json_type)| (name.clone(), json_type.column_type()))
    }
}

impl JsonType {
    /// Combines the type with that of `value`, which is well-formed JSON. A list or an object mixed with another kind
    /// of value becomes text.
    pub fn add(&mut self, value: &[u8]) {
        self.add_at(value, 0);
    }

    fn add_at(&mut self, value: &[u8], depth: usize) {
        if depth == DEPTH {
            return self.scalar(ScalarType::Text);
        }
        match value.first() {
            Some(b'{') => {
                if self.is_null() {
                    *self = JsonType::Object(MemberTypes::default());
                }
                let JsonType::Object(types) = self else { return self.scalar(ScalarType::Text) };
                for member in members(value) {
                    if let Some(name) = decoded(member.key) {
                        types.member(name.into_owned()).add_at(member.value, depth + 1);
                    }
                }
            }
            Some(b'[') => {
                if self.is_null() {
                    *self = JsonType::List(Box::default());
                }
                let JsonType::List(item) = self else { return self.scalar(ScalarType::Text) };
                items(value).for_each(|value| item.add_at(value, depth + 1));
            }
            Some(b'"') if matches!(self, JsonType::Scalar(ScalarType::Text)) => {}
            Some(b'"') => {
                let inside = value.get(1..value.len().saturating_sub(1)).and_then(decoded);
                self.scalar(inside.map_or(ScalarType::Text, |text| ScalarType::of_json_text(&text)));
            }
            Some(b't' | b'f') => self.scalar(ScalarType::Boolean),
            Some(b'n') | None => {}
            Some(_) => self.scalar(ScalarType::of_json_number(&String::from_utf8_lossy(value))),
        }
    }

    fn scalar(&mut self, scalar: ScalarType) {
        *self = JsonType::Scalar(match self {
            JsonType::Scalar(combined) => combined.and(scalar),
            JsonType::List(_) | JsonType::Object(_) => ScalarType::Text,
        });
    }

    fn is_null(&self) -> bool {
        matches!(self, JsonType::Scalar(ScalarType::Null))
    }

    /// The type of a column; that of nulls if there is no value.
    pub fn column_type(&self) -> DataType {
        if self.is_null() { DataType::Null } else { self.data_type() }
    }

    fn data_type(&self) -> DataType {
        match self {
            JsonType::Scalar(combined) => combined.data_type(),
            JsonType::List(item) => DataType::List(Arc::new(Field::new_list_field(item.data_type(), true))),
            JsonType::Object(members) => DataType::Struct(
                members.members.iter().map(|(name, of)| Field::new(name, of.data_type(), true)).collect(),
            ),
        }
    }
}
