//! The functions of S3 Select that the engine lacks.

use std::sync::Arc;

use datafusion::arrow::array::{
    Array, ArrayRef, AsArray, Int32Array, Int64Array, IntervalMonthDayNanoArray, StringArray,
};
use datafusion::arrow::compute::kernels::numeric;
use datafusion::arrow::datatypes::{DataType, Int64Type, IntervalMonthDayNano, TimeUnit};
use datafusion::common::ScalarValue;
use datafusion::error::{DataFusionError, Result};
use datafusion::logical_expr::simplify::{ExprSimplifyResult, SimplifyContext};
use datafusion::logical_expr::{
    ColumnarValue, Expr, ExprSchemable, ScalarFunctionArgs, ScalarUDF, ScalarUDFImpl, Signature, Volatility,
};
use datafusion::prelude::SessionContext;

use super::ion::Moment;
use super::moments::{Civil, DAY, HOUR, MINUTE, SECOND, instants, strict, walls};
use super::pattern::Pattern;

/// Completes a shortened timestamp; leaves other values unchanged.
pub(super) const COMPLETE_TIMESTAMP: &str = "complete_timestamp";
/// The hours between UTC and the zone of a timestamp.
pub(super) const TIMEZONE_HOUR: &str = "timezone_hour";
/// The minutes between UTC and the zone of a timestamp, beyond the hours.
pub(super) const TIMEZONE_MINUTE: &str = "timezone_minute";

/// Adds the functions to `context`. Functions of the engine stay unchanged.
pub fn register(context: &SessionContext) -> crate::error::Result<()> {
    for which in [
        Which::DateAdd,
        Which::DateDiff,
        Which::ToString,
        Which::TimezoneHour,
        Which::TimezoneMinute,
        Which::CompleteTimestamp,
    ] {
        let signature = Signature::user_defined(Volatility::Immutable);
        context.register_udf(ScalarUDF::from(Function { which, signature }));
    }
    Ok(())
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
enum Which {
    DateAdd,
    DateDiff,
    ToString,
    TimezoneHour,
    TimezoneMinute,
    CompleteTimestamp,
}

#[derive(Debug, PartialEq, Eq, Hash)]
struct Function {
    which: Which,
    signature: Signature,
}

#[derive(Clone, Copy)]
enum Kind {
    Part,
    Count,
    Moment,
    Pattern,
    Any,
}

impl Which {
    fn takes(self) -> &'static [Kind] {
        match self {
            Which::DateAdd => &[Kind::Part, Kind::Count, Kind::Moment],
            Which::DateDiff => &[Kind::Part, Kind::Moment, Kind::Moment],
            Which::ToString => &[Kind::Moment, Kind::Pattern],
            Which::TimezoneHour | Which::TimezoneMinute => &[Kind::Moment],
            Which::CompleteTimestamp => &[Kind::Any],
        }
    }

    fn usage(self) -> &'static str {
        match self {
            Which::DateAdd => "DATE_ADD(part, whole number, timestamp)",
            Which::DateDiff => "DATE_DIFF(part, timestamp, timestamp)",
            Which::ToString => "TO_STRING(timestamp, 'pattern')",
            Which::TimezoneHour => "EXTRACT(TIMEZONE_HOUR FROM timestamp)",
            Which::TimezoneMinute => "EXTRACT(TIMEZONE_MINUTE FROM timestamp)",
            Which::CompleteTimestamp => "TO_TIMESTAMP(text)",
        }
    }
}

impl ScalarUDFImpl for Function {
    fn name(&self) -> &str {
        match self.which {
            Which::DateAdd => "date_add",
            Which::DateDiff => "date_diff",
            Which::ToString => "to_string",
            Which::TimezoneHour => TIMEZONE_HOUR,
            Which::TimezoneMinute => TIMEZONE_MINUTE,
            Which::CompleteTimestamp => COMPLETE_TIMESTAMP,
        }
    }

    fn signature(&self) -> &Signature {
        &self.signature
    }

    fn coerce_types(&self, given: &[DataType]) -> Result<Vec<DataType>> {
        let takes = self.which.takes();
        let refused = |what: String| DataFusionError::Plan(format!("{what}: it is {}", self.which.usage()));
        if given.len() != takes.len() {
            let (name, needs) = (self.name().to_uppercase(), takes.len());
            return Err(refused(format!("{name} takes {needs} arguments, and {} are given", given.len())));
        }
        let pairs = given.iter().zip(takes).enumerate();
        pairs
            .map(|(at, (given, kind))| {
                coerced(given, *kind).ok_or_else(|| {
                    let name = self.name().to_uppercase();
                    refused(format!("argument {} of {name} cannot be of type {given}", at + 1))
                })
            })
            .collect()
    }

    fn return_type(&self, given: &[DataType]) -> Result<DataType> {
        Ok(match self.which {
            Which::DateAdd => match given.get(2) {
                Some(moment @ DataType::Timestamp(..)) => moment.clone(),
                _ => DataType::Timestamp(TimeUnit::Nanosecond, None),
            },
            Which::DateDiff => DataType::Int64,
            Which::ToString => DataType::Utf8,
            Which::TimezoneHour | Which::TimezoneMinute => DataType::Int32,
            Which::CompleteTimestamp => given.first().cloned().unwrap_or(DataType::Null),
        })
    }

    fn simplify(&self, args: Vec<Expr>, info: &SimplifyContext) -> Result<ExprSimplifyResult> {
        if self.which == Which::CompleteTimestamp
            && let [arg] = args.as_slice()
            && !is_text(&arg.get_type(info.schema().as_ref())?)
        {
            return Ok(ExprSimplifyResult::Simplified(arg.clone()));
        }
        Ok(ExprSimplifyResult::Original(args))
    }

    fn invoke_with_args(&self, args: ScalarFunctionArgs) -> Result<ColumnarValue> {
        let scalar = args.args.iter().all(|arg| matches!(arg, ColumnarValue::Scalar(_)));
        let mut columns = ColumnarValue::values_to_arrays(&args.args)?;
        for (column, kind) in columns.iter_mut().zip(self.which.takes()) {
            if matches!(kind, Kind::Moment) && is_text(column.data_type()) {
                *column = strict(&completed(column)?, &DataType::Timestamp(TimeUnit::Nanosecond, None))?;
            }
        }
        let column = match (self.which, columns.as_slice()) {
            (Which::DateAdd, [part, count, moment]) => date_add(part, count, moment)?,
            (Which::DateDiff, [part, from, to]) => date_diff(part, from, to)?,
            (Which::ToString, [moment, pattern]) => to_string(moment, pattern)?,
            (Which::TimezoneHour, [moment]) => offsets(moment, |offset| offset / HOUR)?,
            (Which::TimezoneMinute, [moment]) => offsets(moment, |offset| offset % HOUR / MINUTE)?,
            (Which::CompleteTimestamp, [text]) => completed(text)?,
            _ => return Err(DataFusionError::Execution(self.which.usage().to_owned())),
        };
        if scalar {
            return Ok(ColumnarValue::Scalar(ScalarValue::try_from_array(&column, 0)?));
        }
        Ok(ColumnarValue::Array(column))
    }
}

/// The type to which an argument of type `given` is converted; `None` if it does not fit.
fn coerced(given: &DataType, kind: Kind) -> Option<DataType> {
    match (kind, given) {
        (Kind::Any, _) => Some(given.clone()),
        (Kind::Part | Kind::Pattern, text) if is_text(text) || text.is_null() => Some(DataType::Utf8),
        (Kind::Count, number) if number.is_integer() || number.is_null() => Some(DataType::Int64),
        (Kind::Moment, DataType::Timestamp(..)) => Some(given.clone()),
        // Dates have a wider range than timestamps in nanoseconds.
        (Kind::Moment, DataType::Date32 | DataType::Date64) => {
            Some(DataType::Timestamp(TimeUnit::Microsecond, None))
        }
        (Kind::Moment, DataType::Null) => Some(DataType::Timestamp(TimeUnit::Nanosecond, None)),
        (Kind::Moment, text) if is_text(text) => Some(DataType::Utf8),
        _ => None,
    }
}

fn is_text(data_type: &DataType) -> bool {
    matches!(data_type, DataType::Utf8 | DataType::LargeUtf8 | DataType::Utf8View)
}

fn completed(column: &ArrayRef) -> Result<ArrayRef> {
    if !is_text(column.data_type()) {
        return Ok(Arc::clone(column));
    }
    let texts = strict(column, &DataType::Utf8)?;
    let full: StringArray = texts
        .as_string::<i32>()
        .iter()
        .map(|text| text.map(|text| Moment::parse(text).map_or_else(|| text.to_owned(), |m| m.to_string())))
        .collect();
    let full: ArrayRef = Arc::new(full);
    strict(&full, column.data_type())
}

#[derive(Clone, Copy)]
enum Part {
    Months(i128),
    Nanoseconds(i128),
}

fn part(name: &str, function: &str) -> Result<Part> {
    match name.to_ascii_lowercase().as_str() {
        "year" => Ok(Part::Months(12)),
        "month" => Ok(Part::Months(1)),
        "day" => Ok(Part::Nanoseconds(DAY)),
        "hour" => Ok(Part::Nanoseconds(HOUR)),
        "minute" => Ok(Part::Nanoseconds(MINUTE)),
        "second" => Ok(Part::Nanoseconds(SECOND)),
        _ => Err(DataFusionError::Execution(format!(
            "{function} takes year, month, day, hour, minute or second, not `{name}`"
        ))),
    }
}

fn date_add(parts: &ArrayRef, counts: &ArrayRef, moments: &ArrayRef) -> Result<ArrayRef> {
    let rows = parts.as_string::<i32>().iter().zip(counts.as_primitive::<Int64Type>().iter());
    let intervals = rows
        .map(|(name, count)| {
            let (Some(name), Some(count)) = (name, count) else { return Ok(None) };
            let beyond = || {
                DataFusionError::Execution(format!("DATE_ADD of {count} {name}s goes beyond all timestamps"))
            };
            // A calendar day may have 23 hours in a zone with summer time.
            let (months, days, nanoseconds) = match part(name, "DATE_ADD")? {
                Part::Months(months) => (i128::from(count) * months, 0, 0),
                Part::Nanoseconds(DAY) => (0, i128::from(count), 0),
                Part::Nanoseconds(length) => (0, 0, i128::from(count) * length),
            };
            let months = i32::try_from(months).map_err(|_| beyond())?;
            let days = i32::try_from(days).map_err(|_| beyond())?;
            let nanoseconds = i64::try_from(nanoseconds).map_err(|_| beyond())?;
            Ok(Some(IntervalMonthDayNano::new(months, days, nanoseconds)))
        })
        .collect::<Result<IntervalMonthDayNanoArray>>()?;
    numeric::add(moments, &intervals).map_err(|error| {
        DataFusionError::Execution(format!(
            "DATE_ADD goes beyond what {} can hold: {error}",
            moments.data_type()
        ))
    })
}

fn date_diff(parts: &ArrayRef, from: &ArrayRef, to: &ArrayRef) -> Result<ArrayRef> {
    let rows = parts.as_string::<i32>().iter().zip(instants(from)?).zip(instants(to)?);
    let counts = rows.map(|((name, from), to)| {
        let (Some(name), Some(from), Some(to)) = (name, from, to) else { return Ok(None) };
        let whole = match part(name, "DATE_DIFF")? {
            Part::Months(months) => Civil::months(from, to) / months,
            Part::Nanoseconds(length) => (to - from) / length,
        };
        let beyond = |_| DataFusionError::Execution(format!("DATE_DIFF in {name}s is beyond 64 bits"));
        i64::try_from(whole).map(Some).map_err(beyond)
    });
    Ok(Arc::new(counts.collect::<Result<Int64Array>>()?))
}

fn to_string(moments: &ArrayRef, patterns: &ArrayRef) -> Result<ArrayRef> {
    let mut last: Option<(&str, Pattern)> = None;
    let rows = walls(moments)?.into_iter().zip(instants(moments)?).zip(patterns.as_string::<i32>().iter());
    let texts = rows.map(|((wall, instant), text)| {
        let (Some(wall), Some(instant), Some(text)) = (wall, instant, text) else { return Ok(None) };
        let pattern = match &mut last {
            Some((known, pattern)) if *known == text => pattern,
            other => &mut other.insert((text, Pattern::parse(text)?)).1,
        };
        Ok(Some(pattern.format(wall, wall - instant)))
    });
    Ok(Arc::new(texts.collect::<Result<StringArray>>()?))
}

fn offsets(moments: &ArrayRef, part: fn(i128) -> i128) -> Result<ArrayRef> {
    let rows = walls(moments)?.into_iter().zip(instants(moments)?);
    let parts = rows.map(|(wall, instant)| match (wall, instant) {
        (Some(wall), Some(instant)) => i32::try_from(part(wall - instant)).ok(),
        _ => None,
    });
    Ok(Arc::new(parts.collect::<Int32Array>()))
}
