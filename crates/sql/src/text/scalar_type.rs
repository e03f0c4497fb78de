//! The combined type of scalars, in CSV and JSON.

use datafusion::arrow::datatypes::{DataType, TimeUnit};

use super::values::{date, float64, time, timestamp, trimmed};

const DIGITS: usize = 38;

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
    Text,
}

/// What whole numbers need.
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
        let value = trimmed(value);
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

    /// Different numbers become a number, unless a whole one would lose digits; other mixtures become text.
    pub fn and(self, other: ScalarType) -> Self {
        use ScalarType::{Date, Float64, Null, Text, Timestamp, Whole};
        match (self, other) {
            (Null, kind) | (kind, Null) => kind,
            (one, other) if one == other => one,
            (Whole(one), Whole(other)) => Whole(Digits {
                is_large: one.is_large || other.is_large,
                is_long: one.is_long || other.is_long,
            }),
            (Whole(digits), Float64) | (Float64, Whole(digits)) if !digits.is_long => Float64,
            (Date, Timestamp) | (Timestamp, Date) => Timestamp,
            _ => Text,
        }
    }

    /// Nulls alone are text, because the type of later values is unknown.
    pub fn data_type(self) -> DataType {
        match self {
            ScalarType::Null | ScalarType::Text => DataType::Utf8View,
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
