//! The aggregate function `sum`, exact for whole numbers and decimals.
//!
//! The engine's own `sum` wraps around in the type of the result. This one adds in a wide decimal and fails
//! if the result does not fit, so intermediate sums may exceed the type. Other types use the engine's own.

use std::hash::Hash;

use datafusion::arrow::array::ArrowPrimitiveType;
use datafusion::arrow::datatypes::{
    DataType, Decimal32Type, Decimal64Type, Decimal128Type, Decimal256Type, DecimalType,
    DurationMicrosecondType, DurationMillisecondType, DurationNanosecondType, DurationSecondType, Field,
    FieldRef, Int64Type, TimeUnit, UInt64Type,
};
use datafusion::arrow::error::ArrowError;
use datafusion::error::{DataFusionError, Result};
use datafusion::functions_aggregate::sum::Sum as Engines;
use datafusion::logical_expr::function::{AccumulatorArgs, StateFieldsArgs};
use datafusion::logical_expr::utils::{AggregateOrderSensitivity, format_state_name};
use datafusion::logical_expr::{
    Accumulator, AggregateUDFImpl, GroupsAccumulator, ReversedUDAF, SetMonotonicity, Signature,
};

use super::groups::Groups;
use super::running::{Distinct, Running};

/// A type whose sums are kept in a wider one.
pub(super) trait Summed: ArrowPrimitiveType<Native: Hash + Eq> + Send {
    type State: DecimalType + Send;
    fn widen(value: Self::Native) -> Wide<Self>;
    /// `None` if the sum does not fit.
    fn narrow(sum: Wide<Self>) -> Option<Self::Native>;
}

/// The native number of the running sum of `T`.
pub(super) type Wide<T> = <<T as Summed>::State as ArrowPrimitiveType>::Native;

macro_rules! summed {
    ($($number:ty => $state:ty),* $(,)?) => {
        $(impl Summed for $number {
            type State = $state;
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

/// Calls `$function` for the type of a sum, or evaluates `$other` for types left to the engine.
macro_rules! by_type {
    ($data_type:expr, $function:ident($($argument:expr),*), $other:expr) => {
        match $data_type {
            DataType::Int64 => $function::<Int64Type>($($argument),*),
            DataType::UInt64 => $function::<UInt64Type>($($argument),*),
            DataType::Decimal32(..) => $function::<Decimal32Type>($($argument),*),
            DataType::Decimal64(..) => $function::<Decimal64Type>($($argument),*),
            DataType::Decimal128(..) => $function::<Decimal128Type>($($argument),*),
            DataType::Decimal256(..) => $function::<Decimal256Type>($($argument),*),
            DataType::Duration(TimeUnit::Second) => $function::<DurationSecondType>($($argument),*),
            DataType::Duration(TimeUnit::Millisecond) => $function::<DurationMillisecondType>($($argument),*),
            DataType::Duration(TimeUnit::Microsecond) => $function::<DurationMicrosecondType>($($argument),*),
            DataType::Duration(TimeUnit::Nanosecond) => $function::<DurationNanosecondType>($($argument),*),
            _ => $other,
        }
    };
}

#[derive(Debug, Default, PartialEq, Eq, Hash)]
pub(super) struct Sum {
    engines: Engines,
}

impl AggregateUDFImpl for Sum {
    fn name(&self) -> &str {
        self.engines.name()
    }

    fn signature(&self) -> &Signature {
        self.engines.signature()
    }

    fn return_type(&self, given: &[DataType]) -> Result<DataType> {
        self.engines.return_type(given)
    }

    fn accumulator(&self, args: AccumulatorArgs<'_>) -> Result<Box<dyn Accumulator>> {
        let to = args.return_type().clone();
        by_type!(to, accumulator(args.is_distinct, to), self.engines.accumulator(args))
    }

    fn create_sliding_accumulator(&self, args: AccumulatorArgs<'_>) -> Result<Box<dyn Accumulator>> {
        let to = args.return_type().clone();
        by_type!(to, accumulator(args.is_distinct, to), self.engines.create_sliding_accumulator(args))
    }

    fn groups_accumulator_supported(&self, args: AccumulatorArgs<'_>) -> bool {
        !args.is_distinct
    }

    fn create_groups_accumulator(&self, args: AccumulatorArgs<'_>) -> Result<Box<dyn GroupsAccumulator>> {
        let to = args.return_type().clone();
        by_type!(to, groups(to), self.engines.create_groups_accumulator(args))
    }

    fn state_fields(&self, args: StateFieldsArgs<'_>) -> Result<Vec<FieldRef>> {
        if args.is_distinct {
            return self.engines.state_fields(args);
        }
        let name = format_state_name(args.name, "sum");
        by_type!(args.return_type(), state_fields(&name), self.engines.state_fields(args))
    }

    fn reverse_expr(&self) -> ReversedUDAF {
        self.engines.reverse_expr()
    }

    fn order_sensitivity(&self) -> AggregateOrderSensitivity {
        self.engines.order_sensitivity()
    }

    fn set_monotonicity(&self, data_type: &DataType) -> SetMonotonicity {
        self.engines.set_monotonicity(data_type)
    }
}

// The signature of the engine's functions, which can fail.
#[allow(clippy::unnecessary_wraps)]
fn accumulator<T: Summed>(is_distinct: bool, to: DataType) -> Result<Box<dyn Accumulator>> {
    let running = Running::<T>::new(to);
    Ok(if is_distinct { Box::new(Distinct::new(running)) } else { Box::new(running) })
}

#[allow(clippy::unnecessary_wraps)]
fn groups<T: Summed>(to: DataType) -> Result<Box<dyn GroupsAccumulator>> {
    Ok(Box::new(Groups::<T>::new(to)))
}

#[allow(clippy::unnecessary_wraps)]
fn state_fields<T: Summed>(name: &str) -> Result<Vec<FieldRef>> {
    Ok(vec![Field::new(name, state_type::<T>(), true).into()])
}

/// The column type of running sums of `T`. Its scale is always 0; the raw numbers are added.
pub(super) fn state_type<T: Summed>() -> DataType {
    let constructor = <T::State as DecimalType>::TYPE_CONSTRUCTOR;
    constructor(T::State::MAX_PRECISION, 0)
}

/// `sum` as a number of the type `to`, or an overflow.
pub(super) fn fitted<T: Summed>(sum: Wide<T>, to: &DataType) -> Result<T::Native> {
    let (digits, scale) = match to {
        DataType::Decimal32(digits, scale)
        | DataType::Decimal64(digits, scale)
        | DataType::Decimal128(digits, scale)
        | DataType::Decimal256(digits, scale) => (*digits, *scale),
        _ => (T::State::MAX_PRECISION, 0),
    };
    T::narrow(sum).filter(|_| T::State::is_valid_decimal_precision(sum, digits)).ok_or_else(|| {
        let sum = T::State::format_decimal(sum, T::State::MAX_PRECISION, scale);
        overflow(format!("the sum is {sum}, which {} does not hold", to.to_string().to_lowercase()))
    })
}

pub(super) fn overflow(sentence: String) -> DataFusionError {
    ArrowError::ArithmeticOverflow(sentence).into()
}
