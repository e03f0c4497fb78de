//! The wide number in which a sum grows, and its conversion to the type of the result.

use std::fmt::Debug;
use std::hash::Hash;

use datafusion::arrow::array::{ArrayRef, ArrowPrimitiveType};
use datafusion::arrow::datatypes::{
    DataType, Decimal32Type, Decimal64Type, Decimal128Type, Decimal256Type, DecimalType,
    DurationMicrosecondType, DurationMillisecondType, DurationNanosecondType, DurationSecondType, Int64Type,
    UInt64Type,
};
use datafusion::arrow::error::ArrowError;
use datafusion::error::{DataFusionError, Result};

pub(super) trait Summed: ArrowPrimitiveType<Native: Hash + Eq> + Debug + Send {
    type Wide: DecimalType + Send;
    fn widen(value: Self::Native) -> Wide<Self>;
    fn narrow(sum: Wide<Self>) -> Option<Self::Native>;
}

pub(super) type Wide<T> = <<T as Summed>::Wide as ArrowPrimitiveType>::Native;

macro_rules! summed {
    ($($number:ty => $state:ty),* $(,)?) => {
        $(impl Summed for $number {
            type Wide = $state;
            fn widen(value: Self::Native) -> Wide<Self> {
                value.into()
            }
            fn narrow(sum: Wide<Self>) -> Option<Self::Native> {
                sum.try_into().ok()
            }
        })*
    };
}

summed! {
    Int64Type => Decimal128Type,
    UInt64Type => Decimal128Type,
    Decimal32Type => Decimal128Type,
    Decimal64Type => Decimal128Type,
    Decimal128Type => Decimal128Type,
    Decimal256Type => Decimal256Type,
    DurationSecondType => Decimal128Type,
    DurationMillisecondType => Decimal128Type,
    DurationMicrosecondType => Decimal128Type,
    DurationNanosecondType => Decimal128Type,
}

/// The scale is always 0, because raw numbers are added.
pub(super) fn state_type<T: Summed>() -> DataType {
    let constructor = <T::Wide as DecimalType>::TYPE_CONSTRUCTOR;
    constructor(T::Wide::MAX_PRECISION, 0)
}

pub(super) fn fitted<T: Summed>(sum: Wide<T>, to: &DataType) -> Result<T::Native> {
    let (digits, scale) = match to {
        DataType::Decimal32(digits, scale)
        | DataType::Decimal64(digits, scale)
        | DataType::Decimal128(digits, scale)
        | DataType::Decimal256(digits, scale) => (*digits, *scale),
        _ => (T::Wide::MAX_PRECISION, 0),
    };
    T::narrow(sum).filter(|_| T::Wide::is_valid_decimal_precision(sum, digits)).ok_or_else(|| {
        let sum = T::Wide::format_decimal(sum, T::Wide::MAX_PRECISION, scale);
        overflow(format!("the sum {sum} does not fit in {}", to.to_string().to_lowercase()))
    })
}

pub(super) fn overflow(sentence: String) -> DataFusionError {
    ArrowError::ArithmeticOverflow(sentence).into()
}

pub(super) fn only(columns: &[ArrayRef]) -> Result<&ArrayRef> {
    columns.first().ok_or_else(|| DataFusionError::Internal("a sum of nothing".to_owned()))
}
