//! Columns of timestamps as numbers, and as dates and times of day.

use crate::calendar;
use datafusion::arrow::array::{Array, ArrayRef, AsArray};
use datafusion::arrow::compute::{CastOptions, cast_with_options};
use datafusion::arrow::datatypes::{DataType, Int32Type, Int64Type, TimeUnit};
use datafusion::common::exec_err;
use datafusion::error::Result;

/// In nanoseconds.
pub(super) const SECOND: i128 = 1_000_000_000;
pub(super) const MINUTE: i128 = 60 * SECOND;
pub(super) const HOUR: i128 = 60 * MINUTE;
pub(super) const DAY: i128 = 24 * HOUR;

type Nanoseconds = Vec<Option<i128>>;

pub(super) fn utc_times(column: &ArrayRef) -> Result<Nanoseconds> {
    let DataType::Timestamp(unit, _) = column.data_type() else {
        return exec_err!("{} is not a timestamp", column.data_type());
    };
    let factor = match unit {
        TimeUnit::Second => SECOND,
        TimeUnit::Millisecond => 1_000_000,
        TimeUnit::Microsecond => 1_000,
        TimeUnit::Nanosecond => 1,
    };
    let numbers = strict(column, &DataType::Int64)?;
    let numbers = numbers.as_primitive::<Int64Type>();
    Ok(numbers.iter().map(|number| number.map(|number| i128::from(number) * factor)).collect())
}

pub(super) fn local_times(column: &ArrayRef) -> Result<Nanoseconds> {
    match column.data_type() {
        // A cast to a timestamp without a zone gives UTC; casts to date and time give local values.
        DataType::Timestamp(_, Some(_)) => {
            let dates = strict(&strict(column, &DataType::Date32)?, &DataType::Int32)?;
            let times = strict(&strict(column, &DataType::Time64(TimeUnit::Nanosecond))?, &DataType::Int64)?;
            let rows = dates.as_primitive::<Int32Type>().iter().zip(times.as_primitive::<Int64Type>().iter());
            let rows = rows.map(|(date, time)| Some(i128::from(date?) * DAY + i128::from(time?)));
            Ok(rows.collect())
        }
        _ => utc_times(column),
    }
}

pub(super) fn strict(column: &ArrayRef, to: &DataType) -> Result<ArrayRef> {
    let options = CastOptions { safe: false, ..CastOptions::default() };
    Ok(cast_with_options(column, to, &options)?)
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct DateTime {
    pub year: i128,
    pub month: i128,
    pub day: i128,
    /// Nanoseconds since midnight.
    pub time: i128,
}

impl DateTime {
    pub fn of(instant: i128) -> DateTime {
        let [year, month, day] = calendar::date(instant.div_euclid(DAY));
        DateTime { year, month, day, time: instant.rem_euclid(DAY) }
    }

    /// Negative if `to` is earlier.
    pub fn months(from: i128, to: i128) -> i128 {
        if to < from {
            return -DateTime::months(to, from);
        }
        let (a, b) = (DateTime::of(from), DateTime::of(to));
        let months = (b.year * 12 + b.month) - (a.year * 12 + a.month);
        months - i128::from((b.day, b.time) < (a.day, a.time))
    }
}
