//! Types of columns: their names, those of values, and the hidden columns.

use std::sync::Arc;

use datafusion::arrow::datatypes::{DataType, Field, FieldRef, SchemaRef, TimeUnit};

use super::values::{date, float64, time, timestamp, trimmed, usual_number};
use rread_text::{Error, Forms, Result, setting};

const NAMED: usize = 20;

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

const DIGITS: usize = 38;

/// How JSON writes floats that it has no number for.
pub(super) const NOT_FINITE: [&str; 5] = ["NaN", "inf", "-inf", "Infinity", "-Infinity"];

#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) enum ScalarType {
    #[default]
    Null,
    Whole(Digits),
    Float64,
    Boolean,
    Date,
    Timestamp,
    TimestampTz,
    Time,
    /// A text of JSON that stands for NaN or an infinity.
    NotFinite,
    Text,
}

/// The digits that whole numbers need.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Digits {
    /// More than 64 bits.
    is_large: bool,
    /// A float64 would lose digits.
    is_long: bool,
}

impl Digits {
    /// `digits` are those of a whole number, without its sign.
    fn of(value: &str, digits: &str) -> Self {
        /// So many digits fit in both.
        const SHORT: usize = 15;
        if digits.len() <= SHORT {
            return Digits { is_large: false, is_long: false };
        }
        let is_large = value.parse::<i64>().is_err();
        let number = digits.parse::<u128>().unwrap_or(u128::MAX);
        // A float64 has 53 bits, and zeros after them.
        let is_long =
            number.checked_ilog2().is_some_and(|top| top >= 53 && number.trailing_zeros() < top - 52);
        Digits { is_large, is_long }
    }
}

impl ScalarType {
    /// Blanks around a value are not part of it, unless it is text.
    pub fn of(value: &str) -> Self {
        ScalarType::of_in(value, Forms::default())
    }

    /// The same where numbers and dates have other forms.
    pub fn of_in(value: &str, forms: Forms) -> Self {
        let value = trimmed(value);
        let bytes = value.as_bytes();
        match bytes.first() {
            None => ScalarType::Null,
            Some(b'-' | b'.' | b',' | b'0'..=b'9') => {
                let usual =
                    if forms.has_usual_numbers() { Some(value.into()) } else { usual_number(value, forms) };
                if let Some(usual) = usual.filter(|usual| number(usual.as_bytes())) {
                    return ScalarType::of_number(&usual);
                }
                match timestamp(bytes, forms.dates) {
                    Some(_) if date(bytes, forms.dates).is_some() => ScalarType::Date,
                    Some(timestamp) if timestamp.zoned => ScalarType::TimestampTz,
                    Some(_) => ScalarType::Timestamp,
                    None if time(bytes).is_some() => ScalarType::Time,
                    None => ScalarType::Text,
                }
            }
            _ if value.eq_ignore_ascii_case("true") || value.eq_ignore_ascii_case("false") => {
                ScalarType::Boolean
            }
            _ => ScalarType::Text,
        }
    }

    fn of_number(value: &str) -> Self {
        let digits = value.trim_start_matches('-');
        let is_whole = value != "-0" && digits.bytes().all(|byte| byte.is_ascii_digit());
        match is_whole {
            true if digits.len() <= DIGITS => ScalarType::Whole(Digits::of(value, digits)),
            false if float64(value).is_some() => ScalarType::Float64,
            _ => ScalarType::Text,
        }
    }

    /// The type of a well-formed number of JSON. A number that float64 cannot hold is of this type, and then bad.
    pub fn of_json_number(value: &str) -> Self {
        match ScalarType::of_number(value) {
            ScalarType::Text if value.contains(['.', 'e', 'E']) => ScalarType::Float64,
            kind => kind,
        }
    }

    /// Texts of JSON in the forms of RFC 3339 are dates and times, as far as microseconds hold them; `10:30` and `2026.01.02`
    /// may be anything, and texts of numbers are texts.
    pub fn of_json_text(text: &str) -> Self {
        let has = |at: usize, byte: u8| text.as_bytes().get(at) == Some(&byte);
        let has_date = has(4, b'-') && has(7, b'-');
        let decimals = text.split('.').nth(1).unwrap_or_default().bytes();
        let is_exact = decimals.take_while(u8::is_ascii_digit).count() <= 6;
        match ScalarType::of(text) {
            ScalarType::Date if has_date => ScalarType::Date,
            kind @ (ScalarType::Timestamp | ScalarType::TimestampTz)
                if has_date && has(13, b':') && has(16, b':') && is_exact =>
            {
                kind
            }
            ScalarType::Time if has(2, b':') && has(5, b':') && is_exact => ScalarType::Time,
            _ if NOT_FINITE.contains(&text) => ScalarType::NotFinite,
            _ => ScalarType::Text,
        }
    }

    /// Different numbers become a number, unless a whole one would lose digits; other mixtures become text.
    pub fn and(self, other: ScalarType) -> Self {
        use ScalarType::{Date, Float64, NotFinite, Null, Text, Timestamp, Whole};
        match (self, other) {
            (Null, kind) | (kind, Null) => kind,
            (one, other) if one == other => one,
            (Whole(one), Whole(other)) => Whole(Digits {
                is_large: one.is_large || other.is_large,
                is_long: one.is_long || other.is_long,
            }),
            (Whole(digits), Float64) | (Float64, Whole(digits)) if !digits.is_long => Float64,
            (NotFinite, Whole(digits)) | (Whole(digits), NotFinite) if !digits.is_long => Float64,
            (NotFinite, Float64) | (Float64, NotFinite) => Float64,
            (Date, Timestamp) | (Timestamp, Date) => Timestamp,
            _ => Text,
        }
    }

    /// Nulls alone are text, because the type of later values is unknown.
    pub fn data_type(self) -> DataType {
        match self {
            ScalarType::Null | ScalarType::Text | ScalarType::NotFinite => DataType::Utf8View,
            ScalarType::Whole(digits) if digits.is_large => DataType::Decimal128(38, 0),
            ScalarType::Whole(_) => DataType::Int64,
            ScalarType::Float64 => DataType::Float64,
            ScalarType::Boolean => DataType::Boolean,
            ScalarType::Date => DataType::Date32,
            ScalarType::Timestamp => DataType::Timestamp(TimeUnit::Microsecond, None),
            ScalarType::TimestampTz => DataType::Timestamp(TimeUnit::Microsecond, Some("UTC".into())),
            ScalarType::Time => DataType::Time64(TimeUnit::Microsecond),
        }
    }
}

/// Whether a column of `data_type` would hold another number than `value`. With `exact`, `data_type` was inferred:
/// then neither a whole number may lose digits in a `float64`, nor any number its decimals in a `decimal(38,0)`.
pub(super) fn is_lossy(value: &str, data_type: &DataType, exact: bool) -> bool {
    match data_type {
        DataType::Float64 => {
            let digits = value.strip_prefix('-').unwrap_or(value);
            let is_whole = !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit());
            let is_long = exact && is_whole && Digits::of(value, digits).is_long;
            is_long || !value.is_empty() && float64(value).is_none()
        }
        DataType::Decimal128(_, 0) if exact => {
            value.contains(['.', 'e', 'E']) || !is_plain_number(value) || value == "-0"
        }
        _ => false,
    }
}

/// Whether a number is written as those of an inferred type are: without `+`, without superfluous leading zeros, and neither
/// infinity nor NaN.
pub(super) fn is_plain_number(value: &str) -> bool {
    let digits = value.strip_prefix('-').unwrap_or(value);
    match digits.as_bytes() {
        [b'0', b'0'..=b'9', ..] => false,
        [b'0'..=b'9' | b'.', ..] => true,
        _ => false,
    }
}

/// Accepts an exponent, but no superfluous leading zero.
fn number(text: &[u8]) -> bool {
    let digits = |text: &[u8]| text.iter().take_while(|byte| byte.is_ascii_digit()).count();
    let text = text.strip_prefix(b"-").unwrap_or(text);
    let (whole, mut rest) = text.split_at(digits(text));
    if whole.len() > 1 && whole.starts_with(b"0") {
        return false;
    }
    let mut decimals = 0;
    if let Some(after) = rest.strip_prefix(b".") {
        decimals = digits(after);
        rest = &after[decimals..];
    }
    if whole.is_empty() && decimals == 0 {
        return false;
    }
    let [b'e' | b'E', exponent @ ..] = rest else { return rest.is_empty() };
    let exponent = exponent.strip_prefix(b"-").or(exponent.strip_prefix(b"+")).unwrap_or(exponent);
    !exponent.is_empty() && digits(exponent) == exponent.len()
}

/// The text of a line or of a record of a log.
pub(crate) const TEXT: &str = "line";
pub(crate) const TIME: &str = "_time";
pub(crate) const LEVEL: &str = "_level";

rread_text::words! { name,
    /// The place of a row in its file.
    pub enum RowPlace {
        /// The number of its first line.
        Line = "_line",
        /// Its first byte.
        Start = "_start_byte",
        /// Past its last byte.
        End = "_end_byte",
    }
}

impl RowPlace {
    pub const ALL: [RowPlace; 3] = [RowPlace::Line, RowPlace::Start, RowPlace::End];

    pub fn field(self) -> Field {
        Field::new(self.name(), DataType::Int64, true)
    }
}
