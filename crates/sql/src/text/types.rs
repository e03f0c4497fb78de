//! The columns of a table in text, and the names of their types.

use std::sync::Arc;

use datafusion::arrow::datatypes::{DataType, Field, FieldRef, SchemaRef, TimeUnit};

use rread_text::error::{Error, Result};
use rread_text::sentence::setting;

pub(crate) const NAMED: usize = 20;

const WORDS: &str = "utf8, boolean, int8 to int64, uint8 to uint64, float32, float64, decimal(P,S), date, time, timestamp, timestamptz, list(TYPE), struct(NAME:TYPE,...)";

/// All columns may be NULL.
#[derive(Clone, Debug)]
pub struct TextSchema {
    pub schema: SchemaRef,
    /// Records are JSON arrays, with values by position.
    pub arrays: bool,
    /// For each column, whether its type was inferred: no number of such a column may lose digits.
    pub inferred: Vec<bool>,
    /// For each column, whether the sample has no value of it: then its type says nothing about later ones.
    pub unknown: Vec<bool>,
}

/// Parses names and types such as `id:int64,"a, b":decimal(10,2)`; in quotes, a quote is doubled. SQL names of
/// types mean what they mean in a CAST.
pub fn parse_schema(text: &str) -> Result<Vec<(String, DataType)>> {
    let mut columns = Vec::new();
    let mut rest = text;
    loop {
        let (name, after) = name(rest)?;
        let end = type_end(after);
        let word = after[..end].trim();
        let data_type = data_type(word).ok_or_else(|| {
            Error::usage(format!("'{word}' is not a column type")).hint(format!("one of {WORDS}"))
        })?;
        columns.push((name, data_type));
        match after.get(end + 1..) {
            Some(more) => rest = more,
            None => return Ok(columns),
        }
    }
}

fn name(text: &str) -> Result<(String, &str)> {
    let wrong = || {
        Error::usage(format!("'{text}' does not begin with a column and its type"))
            .hint(setting("schema").then(" 'name:int64,\"other: name\":utf8'"))
    };
    let begin = text.trim_start();
    let Some(mut rest) = begin.strip_prefix('"') else {
        let (name, after) = begin.split_once(':').ok_or_else(wrong)?;
        let name = name.trim_end();
        let is_name = !name.is_empty() && !name.contains([',', '"']);
        return is_name.then(|| (name.to_owned(), after)).ok_or_else(wrong);
    };
    let mut name = String::new();
    loop {
        let (part, after) = rest.split_once('"').ok_or_else(wrong)?;
        name.push_str(part);
        let Some(more) = after.strip_prefix('"') else {
            return Ok((name, after.trim_start().strip_prefix(':').ok_or_else(wrong)?));
        };
        name.push('"');
        rest = more;
    }
}

/// A comma outside parentheses and quotes ends the type.
fn type_end(text: &str) -> usize {
    let (mut depth, mut is_quoted) = (0usize, false);
    let found = text.find(|c: char| {
        is_quoted ^= c == '"';
        match c {
            '(' if !is_quoted => depth += 1,
            ')' if !is_quoted => depth = depth.saturating_sub(1),
            _ => {}
        }
        c == ',' && depth == 0 && !is_quoted
    });
    found.unwrap_or(text.len())
}

/// `list(TYPE)` and `struct(NAME:TYPE,...)`, of members of JSON objects.
fn nested(word: &str) -> Option<DataType> {
    let (kind, rest) = word.split_once('(')?;
    let inside = rest.trim_end().strip_suffix(')')?;
    match kind.trim_end().to_ascii_lowercase().as_str() {
        "list" => Some(DataType::List(Arc::new(Field::new_list_field(data_type(inside.trim())?, true)))),
        "struct" => {
            let members = parse_schema(inside).ok()?;
            Some(DataType::Struct(members.into_iter().map(|(name, of)| Field::new(name, of, true)).collect()))
        }
        _ => None,
    }
}

fn data_type(word: &str) -> Option<DataType> {
    Some(match word.to_ascii_lowercase().as_str() {
        "utf8" | "string" | "text" | "varchar" => DataType::Utf8View,
        "bool" | "boolean" => DataType::Boolean,
        "int8" => DataType::Int8,
        "int16" | "smallint" => DataType::Int16,
        "int32" => DataType::Int32,
        "int64" | "int" | "integer" | "bigint" => DataType::Int64,
        "uint8" => DataType::UInt8,
        "uint16" => DataType::UInt16,
        "uint32" => DataType::UInt32,
        "uint64" => DataType::UInt64,
        "float32" | "real" => DataType::Float32,
        "float64" | "float" | "double" => DataType::Float64,
        "date" => DataType::Date32,
        "time" => DataType::Time64(TimeUnit::Microsecond),
        "timestamp" => DataType::Timestamp(TimeUnit::Microsecond, None),
        "timestamptz" => DataType::Timestamp(TimeUnit::Microsecond, Some("UTC".into())),
        lower => return decimal(lower).or_else(|| nested(word)),
    })
}

fn decimal(word: &str) -> Option<DataType> {
    let numbers = word.strip_prefix("decimal").or_else(|| word.strip_prefix("numeric"))?;
    let inside = numbers.trim_start().strip_prefix('(')?.strip_suffix(')')?;
    let (precision, scale) = inside.split_once(',').unwrap_or((inside, "0"));
    let (precision, scale): (u8, i8) = (precision.trim().parse().ok()?, scale.trim().parse().ok()?);
    if scale < 0 || scale.cast_unsigned() > precision {
        return None;
    }
    match precision {
        1..=38 => Some(DataType::Decimal128(precision, scale)),
        39..=76 => Some(DataType::Decimal256(precision, scale)),
        _ => None,
    }
}

pub(crate) fn first_names(names: &[&str]) -> String {
    let shown = names.iter().take(NAMED).copied().collect::<Vec<_>>().join(", ");
    if names.len() > NAMED { format!("{shown} and {} more", names.len() - NAMED) } else { shown }
}

/// Types that [`parse_schema`] does not accept have the name that Arrow uses, in lower case.
pub fn type_name(data_type: &DataType) -> String {
    match data_type {
        DataType::Utf8 | DataType::LargeUtf8 | DataType::Utf8View => "utf8".to_owned(),
        DataType::Boolean => "boolean".to_owned(),
        DataType::Date32 => "date".to_owned(),
        DataType::Time64(TimeUnit::Microsecond) => "time".to_owned(),
        DataType::Timestamp(TimeUnit::Microsecond, None) => "timestamp".to_owned(),
        DataType::Timestamp(TimeUnit::Microsecond, Some(zone)) if &**zone == "UTC" => {
            "timestamptz".to_owned()
        }
        DataType::Decimal128(precision, scale) | DataType::Decimal256(precision, scale) => {
            format!("decimal({precision},{scale})")
        }
        DataType::Binary | DataType::LargeBinary | DataType::BinaryView | DataType::FixedSizeBinary(_) => {
            "binary".to_owned()
        }
        DataType::List(item)
        | DataType::LargeList(item)
        | DataType::ListView(item)
        | DataType::LargeListView(item)
        | DataType::FixedSizeList(item, _) => format!("list({})", type_name(item.data_type())),
        DataType::Struct(fields) => {
            let member =
                |field: &FieldRef| format!("{}:{}", quoted(field.name()), type_name(field.data_type()));
            format!("struct({})", fields.iter().map(member).collect::<Vec<_>>().join(","))
        }
        DataType::Map(entries, _) => match entries.data_type() {
            DataType::Struct(pair) => {
                let types: Vec<String> = pair.iter().map(|field| type_name(field.data_type())).collect();
                format!("map({})", types.join(","))
            }
            _ => "map".to_owned(),
        },
        // The values, however they are stored.
        DataType::Dictionary(_, values) => type_name(values),
        DataType::RunEndEncoded(_, values) => type_name(values.data_type()),
        DataType::Union(..) => "union".to_owned(),
        other => other.to_string().to_lowercase(),
    }
}

/// A name in the syntax of --schema.
pub(super) fn quoted(name: &str) -> String {
    if name.contains([':', ',', '"', '(', ')']) || name != name.trim() || name.is_empty() {
        format!("\"{}\"", name.replace('"', "\"\""))
    } else {
        name.to_owned()
    }
}
