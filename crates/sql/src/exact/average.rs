//! The aggregate function `avg`, rounded half up for decimals: the engine cuts the digits that do not fit.

use std::sync::Arc;

use datafusion::arrow::datatypes::{DataType, Field, FieldRef};
use datafusion::error::Result;
use datafusion::functions_aggregate::average::Avg as Engines;
use datafusion::logical_expr::function::{AccumulatorArgs, StateFieldsArgs};
use datafusion::logical_expr::{Accumulator, AggregateUDFImpl, GroupsAccumulator, ReversedUDAF, Signature};

use super::sum::Widened;

#[derive(Debug, Default, PartialEq, Eq, Hash)]
pub(super) struct Average {
    engines: Engines,
}

/// The type of averages with one digit more, which decides how the last one is rounded.
fn longer(to: &DataType) -> Option<FieldRef> {
    let of = match to {
        DataType::Decimal128(digits, scale) if *scale < 37 => {
            DataType::Decimal128(digits.saturating_add(1).min(38), scale + 1)
        }
        DataType::Decimal256(digits, scale) if *scale < 75 => {
            DataType::Decimal256(digits.saturating_add(1).min(76), scale + 1)
        }
        _ => return None,
    };
    Some(Arc::new(Field::new("avg", of, true)))
}

/// The type of the numbers, which the accumulator keeps, and that of the result.
fn types(args: &AccumulatorArgs<'_>) -> (DataType, DataType) {
    let given = args.expr_fields.first().map_or(DataType::Null, |field| field.data_type().clone());
    (given, args.return_type().clone())
}

impl AggregateUDFImpl for Average {
    fn name(&self) -> &str {
        self.engines.name()
    }

    fn aliases(&self) -> &[String] {
        self.engines.aliases()
    }

    fn signature(&self) -> &Signature {
        self.engines.signature()
    }

    fn return_type(&self, given: &[DataType]) -> Result<DataType> {
        self.engines.return_type(given)
    }

    fn accumulator(&self, args: AccumulatorArgs<'_>) -> Result<Box<dyn Accumulator>> {
        let (wide, to) = types(&args);
        let Some(return_field) = longer(&to) else { return self.engines.accumulator(args) };
        let inner = self.engines.accumulator(AccumulatorArgs { return_field, ..args })?;
        Ok(Box::new(Widened { inner, wide, to }))
    }

    fn groups_accumulator_supported(&self, args: AccumulatorArgs<'_>) -> bool {
        self.engines.groups_accumulator_supported(args)
    }

    fn create_groups_accumulator(&self, args: AccumulatorArgs<'_>) -> Result<Box<dyn GroupsAccumulator>> {
        let (wide, to) = types(&args);
        let Some(return_field) = longer(&to) else { return self.engines.create_groups_accumulator(args) };
        let inner = self.engines.create_groups_accumulator(AccumulatorArgs { return_field, ..args })?;
        Ok(Box::new(Widened { inner, wide, to }))
    }

    fn state_fields(&self, args: StateFieldsArgs<'_>) -> Result<Vec<FieldRef>> {
        self.engines.state_fields(args)
    }

    fn reverse_expr(&self) -> ReversedUDAF {
        self.engines.reverse_expr()
    }
}
