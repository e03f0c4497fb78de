//! The combined type of scalars, in CSV and JSON.

use datafusion::arrow::datatypes::{DataType, TimeUnit};

use super::values::{date, float64, timestamp};

const DIGITS: usize = 38;

#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) enum ScalarType {
    #[default]
    Null,
    Int64,
    /// Needs more than 64 bits; a float64 would lose digits.
    Large,
    Float64,
    Boolean,
    Date,
    Timestamp,
    TimestampTz,
    Text,
}

impl ScalarType {
    pub fn of(value: &str) -> Self {
        let bytes = value.as_bytes();
        match bytes.first() {
            None => ScalarType::Null,
            Some(b'-' | b'.' | b'0'..=b'9') => {
                if number(bytes) {
                    return ScalarType::of_number(value);
                }
                match timestamp(bytes) {
                    Some(_) if date(bytes).is_some() => ScalarType::Date,
                    Some(timestamp) if timestamp.zoned => ScalarType::TimestampTz,
                    Some(_) => ScalarType::Timestamp,
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
            true if value.parse::<i64>().is_ok() => ScalarType::Int64,
            true if digits.len() <= DIGITS => ScalarType::Large,
            false if float64(value).is_some() => ScalarType::Float64,
            _ => ScalarType::Text,
        }
    }

    /// Different numbers become a number; other mixtures become text.
    pub fn and(self, other: ScalarType) -> Self {
        use ScalarType::{Date, Float64, Int64, Large, Null, Text, Timestamp};
        match (self, other) {
            (Null, kind) | (kind, Null) => kind,
            (one, other) if one == other => one,
            (Int64, Large) | (Large, Int64) => Large,
            (Int64 | Large, Float64) | (Float64, Int64 | Large) => Float64,
            (Date, Timestamp) | (Timestamp, Date) => Timestamp,
            _ => Text,
        }
    }

    /// Nulls alone are text, because the type of later values is unknown.
    pub fn data_type(self) -> DataType {
        match self {
            ScalarType::Null | ScalarType::Text => DataType::Utf8View,
            ScalarType::Large => DataType::Decimal128(38, 0),
            ScalarType::Int64 => DataType::Int64,
            ScalarType::Float64 => DataType::Float64,
            ScalarType::Boolean => DataType::Boolean,
            ScalarType::Date => DataType::Date32,
            ScalarType::Timestamp => DataType::Timestamp(TimeUnit::Microsecond, None),
            ScalarType::TimestampTz => DataType::Timestamp(TimeUnit::Microsecond, Some("UTC".into())),
        }
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
