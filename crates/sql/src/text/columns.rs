//! Converts the text of values to typed columns.

use std::borrow::Cow;
use std::sync::Arc;

use datafusion::arrow::array::builder::{BooleanBuilder, PrimitiveBuilder, StringViewBuilder};
use datafusion::arrow::array::{Array, ArrayRef, StringViewArray};
use datafusion::arrow::compute::cast;
use datafusion::arrow::compute::kernels::cast_utils::Parser;
use datafusion::arrow::datatypes::{
    ArrowPrimitiveType, DataType, Date32Type, Float64Type, Int64Type, Time64MicrosecondType, TimeUnit,
    TimestampMicrosecondType,
};

use super::types::{NOT_FINITE, is_lossy, is_plain_number, type_name};
use super::values::{DAY, boolean, date, float64, time, timestamp, trimmed, truth, usual_number};
use rread_text::{Error, Forms, Result};

/// Whole numbers up to this one are exact in an `f64`.
const WHOLE: f64 = (1u64 << 53) as f64;

pub(crate) trait Values {
    fn len(&self) -> usize;

    fn each(&self, take: impl FnMut(Option<&str>));

    /// How numbers and dates are written.
    fn forms(&self) -> Forms {
        Forms::default()
    }

    /// Whether an empty value is NULL in every type but text.
    fn has_empty_nulls(&self) -> bool {
        true
    }

    fn at(&self, row: usize) -> Option<String> {
        let (mut at, mut found) = (0, None);
        self.each(|value| {
            if at == row {
                found = value.map(str::to_owned);
            }
            at += 1;
        });
        found
    }
}

/// The values of some columns, row by row.
pub(crate) struct Scalars<'v, 't> {
    pub values: &'v [Option<Cow<'t, str>>],
    /// The number of columns.
    pub stride: usize,
    pub nth: usize,
    /// Values of JSON, whose empty texts are no NULL.
    pub is_json: bool,
}

impl Values for Scalars<'_, '_> {
    fn len(&self) -> usize {
        self.values.len().checked_div(self.stride).unwrap_or(0)
    }

    fn has_empty_nulls(&self) -> bool {
        !self.is_json
    }

    fn each(&self, mut take: impl FnMut(Option<&str>)) {
        for value in self.values.iter().skip(self.nth).step_by(self.stride.max(1)) {
            take(value.as_deref());
        }
    }
}

impl Values for StringViewArray {
    fn len(&self) -> usize {
        Array::len(self)
    }

    fn each(&self, take: impl FnMut(Option<&str>)) {
        self.iter().for_each(take);
    }

    fn has_empty_nulls(&self) -> bool {
        false
    }
}

/// Numbers in the usual form, and a text that is no number in the place of others.
struct UsualNumbers<'v, V>(&'v V);

impl<V: Values> Values for UsualNumbers<'_, V> {
    fn len(&self) -> usize {
        self.0.len()
    }

    fn each(&self, mut take: impl FnMut(Option<&str>)) {
        let forms = self.0.forms();
        self.0.each(|value| match value.map(|value| usual_number(trimmed(value), forms)) {
            None => take(None),
            Some(usual) => take(Some(&usual.unwrap_or(Cow::Borrowed("?")))),
        });
    }
}

/// A value of another type becomes NULL, and `bad` receives its row. The empty value is NULL in every type but
/// text, and blanks around a value are not part of it. With `exact`, the type was inferred, and
/// a value is bad that would have made it another one: a number that would lose digits, leading zeros or its `+`, and words
/// other than `true` and `false`.
pub(crate) fn column(
    values: &impl Values,
    data_type: &DataType,
    exact: bool,
    bad: impl FnMut(usize),
) -> Result<ArrayRef> {
    if data_type.is_numeric() && !values.forms().has_usual_numbers() {
        return typed(&UsualNumbers(values), data_type, exact, bad);
    }
    typed(values, data_type, exact, bad)
}

fn typed(
    values: &impl Values,
    data_type: &DataType,
    exact: bool,
    mut bad: impl FnMut(usize),
) -> Result<ArrayRef> {
    use TimeUnit::Microsecond;
    let order = values.forms().dates;
    // An inferred type of JSON does not make an empty text NULL, wherever it comes.
    let keeps_empty = exact && !values.has_empty_nulls();
    Ok(match data_type {
        DataType::Utf8View => Arc::new(text(values, false)?),
        DataType::Int64 => primitive::<Int64Type>(values, data_type, keeps_empty, bad, |text| {
            text.parse().ok().filter(|_| !exact || is_plain_number(text) && text != "-0")
        }),
        DataType::Float64 => primitive::<Float64Type>(values, data_type, keeps_empty, bad, |text| {
            float64(text).filter(|number| {
                (number.abs() < WHOLE || !is_lossy(text, data_type, exact))
                    && (!exact || is_plain_number(text) || keeps_empty && NOT_FINITE.contains(&text))
            })
        }),
        DataType::Date32 => {
            primitive::<Date32Type>(values, data_type, keeps_empty, bad, |text| date(text.as_bytes(), order))
        }
        DataType::Timestamp(Microsecond, zone) if zone.as_deref().is_none_or(|zone| zone == "UTC") => {
            // Without an offset, a timestamp does not belong in a column with a zone, nor the reverse.
            let zoned = zone.is_some();
            primitive::<TimestampMicrosecondType>(values, data_type, keeps_empty, bad, |text| {
                timestamp(text.as_bytes(), order)
                    .filter(|timestamp| timestamp.zoned == zoned)
                    .map(|timestamp| timestamp.micros)
            })
        }
        DataType::Time64(Microsecond) => {
            primitive::<Time64MicrosecondType>(values, data_type, keeps_empty, bad, |text| {
                // It takes a number for one of microseconds, and a leap second for more than a day.
                let other = || Time64MicrosecondType::parse(text).filter(|_| text.contains(':'));
                time(text.as_bytes()).or_else(|| other().filter(|micros| !exact && *micros < DAY))
            })
        }
        DataType::Boolean => {
            let mut builder = BooleanBuilder::with_capacity(values.len());
            let parse = |text: &str| if exact { truth(text) } else { boolean(text) };
            parse_each(values, keeps_empty, bad, parse, |value| builder.append_option(value));
            Arc::new(builder.finish())
        }
        _ => {
            let text = text(values, !keeps_empty)?;
            let column = cast(&text, data_type)
                .map_err(|_| Error::usage(format!("text cannot be read as {}", type_name(data_type))))?;
            if column.null_count() != text.null_count() {
                (0..column.len())
                    .filter(|row| column.is_null(*row) && text.is_valid(*row))
                    .for_each(&mut bad);
            }
            for (row, value) in text.iter().enumerate() {
                if value.is_some_and(|value| column.is_valid(row) && is_lossy(value, data_type, exact)) {
                    bad(row);
                }
            }
            column
        }
    })
}

fn primitive<T: ArrowPrimitiveType>(
    values: &impl Values,
    data_type: &DataType,
    keeps_empty: bool,
    bad: impl FnMut(usize),
    parse: impl Fn(&str) -> Option<T::Native>,
) -> ArrayRef {
    let mut builder = PrimitiveBuilder::<T>::with_capacity(values.len()).with_data_type(data_type.clone());
    parse_each(values, keeps_empty, bad, parse, |value| builder.append_option(value));
    Arc::new(builder.finish())
}

#[inline]
fn parse_each<T>(
    values: &impl Values,
    keeps_empty: bool,
    mut bad: impl FnMut(usize),
    parse: impl Fn(&str) -> Option<T>,
    mut append: impl FnMut(Option<T>),
) {
    let mut row = 0;
    values.each(|value| {
        let value = value.map(trimmed).filter(|value| keeps_empty || !value.is_empty());
        let parsed = value.and_then(&parse);
        if value.is_some() && parsed.is_none() {
            bad(row);
        }
        append(parsed);
        row += 1;
    });
}

/// Copies the text, so that a batch does not keep the whole chunk alive. Of text that is to be converted, an empty value is
/// NULL, and blanks around a value are left out.
fn text(values: &impl Values, to_convert: bool) -> Result<StringViewArray> {
    let mut builder = StringViewBuilder::with_capacity(values.len());
    let mut failed = None;
    values.each(|value| {
        let value = if to_convert { value.map(trimmed).filter(|value| !value.is_empty()) } else { value };
        match value.map(|value| builder.try_append_value(value)) {
            None => builder.append_null(),
            Some(Ok(())) => {}
            Some(Err(cause)) => failed = Some(cause),
        }
    });
    match failed {
        Some(cause) => Err(Error::usage(format!("a value is too long: {cause}"))),
        None => Ok(builder.finish()),
    }
}
