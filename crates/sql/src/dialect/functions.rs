//! The functions of S3 Select that the engine lacks.

use std::sync::{Arc, LazyLock};

use datafusion::arrow::array::{
    Array, ArrayRef, AsArray, Int32Array, Int64Array, IntervalMonthDayNanoArray, StringArray,
};
use datafusion::arrow::compute::kernels::numeric;
use datafusion::arrow::datatypes::{DataType, Int64Type, IntervalMonthDayNano, TimeUnit};
use datafusion::common::{exec_datafusion_err, exec_err, plan_datafusion_err};
use datafusion::error::Result;
use datafusion::logical_expr::simplify::{ExprSimplifyResult, SimplifyContext};
use datafusion::logical_expr::{
    ColumnarValue, Expr, ExprSchemable, ScalarFunctionArgs, ScalarUDF, ScalarUDFImpl, Signature, Volatility,
};
use datafusion::prelude::SessionContext;

use super::ion;
use super::pattern::Pattern;
use super::timestamps::{DAY, DateTime, HOUR, MINUTE, SECOND, local_times, strict, utc_times};

pub(super) const COMPLETE_TIMESTAMP: &str = "complete_timestamp";
pub(super) const TIMEZONE_HOUR: &str = "timezone_hour";
pub(super) const TIMEZONE_MINUTE: &str = "timezone_minute";

static SIGNATURE: LazyLock<Signature> = LazyLock::new(|| Signature::user_defined(Volatility::Immutable));

pub fn register(context: &SessionContext) {
    for function in [
        DateFunction::DateAdd,
        DateFunction::DateDiff,
        DateFunction::ToString,
        DateFunction::TimezoneHour,
        DateFunction::TimezoneMinute,
        DateFunction::CompleteTimestamp,
    ] {
        context.register_udf(ScalarUDF::from(function));
    }
    context.register_udf(super::line_pattern::pattern());
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
enum DateFunction {
    DateAdd,
    DateDiff,
    ToString,
    TimezoneHour,
    TimezoneMinute,
    CompleteTimestamp,
}

#[derive(Clone, Copy)]
enum Argument {
    DatePart,
    Count,
    Timestamp,
    Pattern,
    Any,
}

impl DateFunction {
    /// The name, the arguments, and the usage in messages.
    fn described(self) -> (&'static str, &'static [Argument], &'static str) {
        use Argument::{Any, Count, DatePart, Pattern, Timestamp};
        match self {
            DateFunction::DateAdd => {
                ("date_add", &[DatePart, Count, Timestamp], "DATE_ADD(part, whole number, timestamp)")
            }
            DateFunction::DateDiff => {
                ("date_diff", &[DatePart, Timestamp, Timestamp], "DATE_DIFF(part, timestamp, timestamp)")
            }
            DateFunction::ToString => ("to_string", &[Timestamp, Pattern], "TO_STRING(timestamp, 'pattern')"),
            DateFunction::TimezoneHour => {
                (TIMEZONE_HOUR, &[Timestamp], "EXTRACT(TIMEZONE_HOUR FROM timestamp)")
            }
            DateFunction::TimezoneMinute => {
                (TIMEZONE_MINUTE, &[Timestamp], "EXTRACT(TIMEZONE_MINUTE FROM timestamp)")
            }
            DateFunction::CompleteTimestamp => (COMPLETE_TIMESTAMP, &[Any], "TO_TIMESTAMP(text)"),
        }
    }
}

impl ScalarUDFImpl for DateFunction {
    fn name(&self) -> &str {
        self.described().0
    }

    fn signature(&self) -> &Signature {
        &SIGNATURE
    }

    fn coerce_types(&self, given: &[DataType]) -> Result<Vec<DataType>> {
        let (name, takes, usage) = self.described();
        let name = name.to_uppercase();
        let refused = |what: String| plan_datafusion_err!("{what}: it is {usage}");
        if given.len() != takes.len() {
            let needs = takes.len();
            return Err(refused(format!("{name} takes {needs} arguments, and {} are given", given.len())));
        }
        let wrong = |at, given| refused(format!("argument {at} of {name} cannot be of type {given}"));
        let pairs = given.iter().zip(takes).zip(1..);
        pairs.map(|((given, kind), at)| coerced(given, *kind).ok_or_else(|| wrong(at, given))).collect()
    }

    fn return_type(&self, given: &[DataType]) -> Result<DataType> {
        Ok(match self {
            DateFunction::DateAdd => match given.get(2) {
                Some(timestamp @ DataType::Timestamp(..)) => timestamp.clone(),
                _ => DataType::Timestamp(TimeUnit::Nanosecond, None),
            },
            DateFunction::DateDiff => DataType::Int64,
            DateFunction::ToString => DataType::Utf8,
            DateFunction::TimezoneHour | DateFunction::TimezoneMinute => DataType::Int32,
            DateFunction::CompleteTimestamp => given.first().cloned().unwrap_or(DataType::Null),
        })
    }

    fn simplify(&self, args: Vec<Expr>, info: &SimplifyContext) -> Result<ExprSimplifyResult> {
        if *self == DateFunction::CompleteTimestamp
            && let [arg] = args.as_slice()
            && !is_text(&arg.get_type(info.schema().as_ref())?)
        {
            return Ok(ExprSimplifyResult::Simplified(arg.clone()));
        }
        Ok(ExprSimplifyResult::Original(args))
    }

    fn invoke_with_args(&self, args: ScalarFunctionArgs) -> Result<ColumnarValue> {
        let mut columns = ColumnarValue::values_to_arrays(&args.args)?;
        for (column, kind) in columns.iter_mut().zip(self.described().1) {
            if matches!(kind, Argument::Timestamp) && is_text(column.data_type()) {
                *column = strict(&completed(column)?, &DataType::Timestamp(TimeUnit::Nanosecond, None))?;
            }
        }
        let column = match (self, columns.as_slice()) {
            (DateFunction::DateAdd, [date_part, count, timestamp]) => date_add(date_part, count, timestamp)?,
            (DateFunction::DateDiff, [date_part, from, to]) => date_diff(date_part, from, to)?,
            (DateFunction::ToString, [timestamp, pattern]) => to_string(timestamp, pattern)?,
            (DateFunction::TimezoneHour, [timestamp]) => offsets(timestamp, |offset| offset / HOUR)?,
            (DateFunction::TimezoneMinute, [timestamp]) => {
                offsets(timestamp, |offset| offset % HOUR / MINUTE)?
            }
            (DateFunction::CompleteTimestamp, [text]) => completed(text)?,
            _ => return exec_err!("{}", self.described().2),
        };
        Ok(ColumnarValue::Array(column))
    }
}

fn coerced(given: &DataType, kind: Argument) -> Option<DataType> {
    match (kind, given) {
        (Argument::Any, _) => Some(given.clone()),
        (Argument::DatePart | Argument::Pattern, text) if is_text(text) || text.is_null() => {
            Some(DataType::Utf8)
        }
        (Argument::Count, number) if number.is_integer() || number.is_null() => Some(DataType::Int64),
        (Argument::Timestamp, DataType::Timestamp(..)) => Some(given.clone()),
        // Dates have a wider range than timestamps in nanoseconds.
        (Argument::Timestamp, DataType::Date32 | DataType::Date64) => {
            Some(DataType::Timestamp(TimeUnit::Microsecond, None))
        }
        (Argument::Timestamp, DataType::Null) => Some(DataType::Timestamp(TimeUnit::Nanosecond, None)),
        (Argument::Timestamp, text) if is_text(text) => Some(DataType::Utf8),
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
    let full: StringArray = texts.as_string::<i32>().iter().map(|text| text.map(ion::completed)).collect();
    let full: ArrayRef = Arc::new(full);
    strict(&full, column.data_type())
}

#[derive(Clone, Copy)]
enum DatePart {
    Months(i128),
    Nanoseconds(i128),
}

fn date_part(name: &str, function: &str) -> Result<DatePart> {
    match name.to_ascii_lowercase().as_str() {
        "year" => Ok(DatePart::Months(12)),
        "month" => Ok(DatePart::Months(1)),
        "day" => Ok(DatePart::Nanoseconds(DAY)),
        "hour" => Ok(DatePart::Nanoseconds(HOUR)),
        "minute" => Ok(DatePart::Nanoseconds(MINUTE)),
        "second" => Ok(DatePart::Nanoseconds(SECOND)),
        _ => exec_err!("{function} takes year, month, day, hour, minute or second, not `{name}`"),
    }
}

fn date_add(parts: &ArrayRef, counts: &ArrayRef, timestamps: &ArrayRef) -> Result<ArrayRef> {
    let rows = parts.as_string::<i32>().iter().zip(counts.as_primitive::<Int64Type>().iter());
    let intervals = rows
        .map(|(name, count)| {
            let (Some(name), Some(count)) = (name, count) else { return Ok(None) };
            // A calendar day may have 23 hours in a zone with summer time.
            let (months, days, nanoseconds) = match date_part(name, "DATE_ADD")? {
                DatePart::Months(months) => (i128::from(count) * months, 0, 0),
                DatePart::Nanoseconds(DAY) => (0, i128::from(count), 0),
                DatePart::Nanoseconds(length) => (0, 0, i128::from(count) * length),
            };
            let (Ok(months), Ok(days), Ok(nanoseconds)) =
                (i32::try_from(months), i32::try_from(days), i64::try_from(nanoseconds))
            else {
                return exec_err!("DATE_ADD of {count} {name}s goes beyond all timestamps");
            };
            Ok(Some(IntervalMonthDayNano::new(months, days, nanoseconds)))
        })
        .collect::<Result<IntervalMonthDayNanoArray>>()?;
    let beyond = |error| {
        exec_datafusion_err!("DATE_ADD goes beyond what {} can hold: {error}", timestamps.data_type())
    };
    numeric::add(timestamps, &intervals).map_err(beyond)
}

fn date_diff(parts: &ArrayRef, from: &ArrayRef, to: &ArrayRef) -> Result<ArrayRef> {
    let rows = parts.as_string::<i32>().iter().zip(utc_times(from)?).zip(utc_times(to)?);
    let counts = rows.map(|((name, from), to)| {
        let (Some(name), Some(from), Some(to)) = (name, from, to) else { return Ok(None) };
        let whole = match date_part(name, "DATE_DIFF")? {
            DatePart::Months(months) => DateTime::months(from, to) / months,
            DatePart::Nanoseconds(length) => (to - from) / length,
        };
        let beyond = |_| exec_datafusion_err!("DATE_DIFF in {name}s is beyond 64 bits");
        i64::try_from(whole).map(Some).map_err(beyond)
    });
    Ok(Arc::new(counts.collect::<Result<Int64Array>>()?))
}

fn to_string(timestamps: &ArrayRef, patterns: &ArrayRef) -> Result<ArrayRef> {
    let mut last: Option<(&str, Pattern)> = None;
    let rows = local_times(timestamps)?
        .into_iter()
        .zip(utc_times(timestamps)?)
        .zip(patterns.as_string::<i32>().iter());
    let texts = rows.map(|((local, utc), text)| {
        let (Some(local), Some(utc), Some(text)) = (local, utc, text) else { return Ok(None) };
        let pattern = match &mut last {
            Some((known, pattern)) if *known == text => pattern,
            other => &mut other.insert((text, Pattern::parse(text)?)).1,
        };
        Ok(Some(pattern.format(local, local - utc)))
    });
    Ok(Arc::new(texts.collect::<Result<StringArray>>()?))
}

fn offsets(timestamps: &ArrayRef, of: fn(i128) -> i128) -> Result<ArrayRef> {
    let rows = local_times(timestamps)?.into_iter().zip(utc_times(timestamps)?);
    let parts = rows.map(|(local, utc)| i32::try_from(of(local? - utc?)).ok());
    Ok(Arc::new(parts.collect::<Int32Array>()))
}
