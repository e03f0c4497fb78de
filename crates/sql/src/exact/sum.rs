//! The aggregate function `sum`, exact for whole numbers and decimals.
//!
//! The engine adds in the type of the result, which wraps around. This function adds in a wide decimal and
//! fails if the result does not fit. Floats use the function of the engine.

use datafusion::arrow::datatypes::{
    DataType, Decimal32Type, Decimal64Type, Decimal128Type, Decimal256Type, DurationMicrosecondType,
    DurationMillisecondType, DurationNanosecondType, DurationSecondType, Field, FieldRef, Int64Type,
    TimeUnit, UInt64Type,
};
use datafusion::error::Result;
use datafusion::functions_aggregate::sum::Sum as Engines;
use datafusion::logical_expr::function::{AccumulatorArgs, StateFieldsArgs};
use datafusion::logical_expr::utils::{AggregateOrderSensitivity, format_state_name};
use datafusion::logical_expr::{
    Accumulator, AggregateUDFImpl, GroupsAccumulator, ReversedUDAF, SetMonotonicity, Signature,
};

use super::groups::Groups;
use super::running::{Distinct, Running};
use super::sliding::Frame;
use super::wide::{Summed, state_type};

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
        let frame = || Frame::new(&args, Box::new(|args| Engines::new().accumulator(args)));
        by_type!(to, accumulator(args.is_distinct, to), Ok(Box::new(frame()?)))
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

fn accumulator<T: Summed>(is_distinct: bool, to: DataType) -> Result<Box<dyn Accumulator>> {
    let running = Running::<T>::new(to);
    Ok(if is_distinct { Box::new(Distinct::new(running)) } else { Box::new(running) })
}

fn groups<T: Summed>(to: DataType) -> Result<Box<dyn GroupsAccumulator>> {
    Ok(Box::new(Groups::<T>::new(to)))
}

fn state_fields<T: Summed>(name: &str) -> Result<Vec<FieldRef>> {
    Ok(vec![Field::new(name, state_type::<T>(), true).into()])
}
