//! The aggregate functions `sum` and `avg`, exact for whole numbers and decimals.
//!
//! The engine adds in the type of the result, which wraps around, and cuts the digits of an average. Here it computes in a wider
//! type, and a result that does not fit is an error. Floats and intervals are as the engine has them.

use std::fmt;
use std::hash::Hash;
use std::sync::Arc;

use datafusion::arrow::array::{Array, ArrayRef, AsArray, BooleanArray};
use datafusion::arrow::compute::cast;
use datafusion::arrow::datatypes::{DataType, Decimal128Type, Field, FieldRef, Int64Type};
use datafusion::arrow::error::ArrowError;
use datafusion::arrow::util::display::array_value_to_string;
use datafusion::common::{ScalarValue, not_impl_err, plan_err};
use datafusion::error::Result;
use datafusion::functions_aggregate::average::Avg;
use datafusion::functions_aggregate::sum::Sum;
use datafusion::logical_expr::function::{AccumulatorArgs, StateFieldsArgs};
use datafusion::logical_expr::utils::AggregateOrderSensitivity;
use datafusion::logical_expr::{
    Accumulator, AggregateUDFImpl, EmitTo, GroupsAccumulator, ReversedUDAF, SetMonotonicity, Signature,
};

/// A function of the engine that needs a wider type.
pub(super) trait Wider: AggregateUDFImpl + Eq + Hash {
    /// Whether it takes its numbers in the wider type, too.
    const TAKES_WIDE: bool;

    /// The type in which the engine computes a result of the type `to`; `None` if it may compute it as it is.
    fn wider(to: &DataType) -> Option<DataType>;
}

impl Wider for Sum {
    const TAKES_WIDE: bool = true;

    /// The decimal that holds sums of 2^64 numbers.
    fn wider(to: &DataType) -> Option<DataType> {
        match to {
            DataType::Int64 | DataType::UInt64 | DataType::Duration(_) => Some(DataType::Decimal128(38, 0)),
            DataType::Decimal32(_, scale) | DataType::Decimal64(_, scale) => {
                Some(DataType::Decimal128(38, *scale))
            }
            // The type of a sum has ten digits more than its numbers, up to these 38.
            DataType::Decimal128(38, scale) => Some(DataType::Decimal256(76, *scale)),
            _ => None,
        }
    }
}

impl Wider for Avg {
    const TAKES_WIDE: bool = false;

    /// One digit more, which decides how the last one is rounded: half up.
    fn wider(to: &DataType) -> Option<DataType> {
        match to {
            DataType::Decimal128(digits, scale) if *scale < 37 => {
                Some(DataType::Decimal128(digits.saturating_add(1).min(38), scale + 1))
            }
            DataType::Decimal256(digits, scale) if *scale < 75 => {
                Some(DataType::Decimal256(digits.saturating_add(1).min(76), scale + 1))
            }
            _ => None,
        }
    }
}

#[derive(Debug, Default, PartialEq, Eq, Hash)]
pub(super) struct Exact<E>(E);

/// The type in which an accumulator of the engine takes numbers, if that is another one, and the type of the result.
struct Types {
    numbers: Option<DataType>,
    to: DataType,
}

impl<E: Wider> Exact<E> {
    /// The arguments for the engine, and the types around its accumulator; `None` if it works as it is.
    fn widened(args: AccumulatorArgs<'_>) -> (AccumulatorArgs<'_>, Option<Types>) {
        let to = args.return_type().clone();
        let Some(wide) = E::wider(&to) else { return (args, None) };
        let args = AccumulatorArgs { return_field: Self::field(&wide), ..args };
        (args, Some(Types { numbers: E::TAKES_WIDE.then_some(wide), to }))
    }

    fn field(data_type: &DataType) -> FieldRef {
        Arc::new(Field::new("result", data_type.clone(), true))
    }
}

impl<E: Wider> AggregateUDFImpl for Exact<E> {
    fn name(&self) -> &str {
        self.0.name()
    }

    fn aliases(&self) -> &[String] {
        self.0.aliases()
    }

    fn signature(&self) -> &Signature {
        self.0.signature()
    }

    fn return_type(&self, given: &[DataType]) -> Result<DataType> {
        match self.0.return_type(given)? {
            DataType::Decimal256(76, _) if E::TAKES_WIDE => {
                plan_err!("sum takes decimals of at most 65 digits")
            }
            to => Ok(to),
        }
    }

    fn accumulator(&self, args: AccumulatorArgs<'_>) -> Result<Box<dyn Accumulator>> {
        let (args, types) = Self::widened(args);
        let inner = self.0.accumulator(args)?;
        Ok(match types {
            Some(types) => Box::new(Widened { inner, types }),
            None => inner,
        })
    }

    fn create_sliding_accumulator(&self, args: AccumulatorArgs<'_>) -> Result<Box<dyn Accumulator>> {
        if args.is_distinct {
            return not_impl_err!("{}(DISTINCT) of a frame that moves", self.name());
        }
        let (args, types) = Self::widened(args);
        let inner = self.0.create_sliding_accumulator(args)?;
        Ok(match types {
            Some(types) => Box::new(Widened { inner, types }),
            None => inner,
        })
    }

    fn groups_accumulator_supported(&self, args: AccumulatorArgs<'_>) -> bool {
        self.0.groups_accumulator_supported(args)
    }

    fn create_groups_accumulator(&self, args: AccumulatorArgs<'_>) -> Result<Box<dyn GroupsAccumulator>> {
        let (args, types) = Self::widened(args);
        let inner = self.0.create_groups_accumulator(args)?;
        Ok(match types {
            Some(types) => Box::new(Widened { inner, types }),
            None => inner,
        })
    }

    fn state_fields(&self, args: StateFieldsArgs<'_>) -> Result<Vec<FieldRef>> {
        let wide = E::wider(args.return_type()).filter(|_| E::TAKES_WIDE);
        let return_field = wide.map_or(args.return_field, |wide| Self::field(&wide));
        self.0.state_fields(StateFieldsArgs { return_field, ..args })
    }

    fn reverse_expr(&self) -> ReversedUDAF {
        self.0.reverse_expr()
    }

    fn order_sensitivity(&self) -> AggregateOrderSensitivity {
        self.0.order_sensitivity()
    }

    fn set_monotonicity(&self, data_type: &DataType) -> SetMonotonicity {
        self.0.set_monotonicity(data_type)
    }
}

/// An accumulator of the engine between other types.
struct Widened<A: ?Sized> {
    inner: Box<A>,
    types: Types,
}

impl<A: ?Sized> fmt::Debug for Widened<A> {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.debug_struct("Widened").field("to", &self.types.to).finish_non_exhaustive()
    }
}

impl<A: ?Sized> Widened<A> {
    fn widen(&self, columns: &[ArrayRef]) -> Result<Vec<ArrayRef>> {
        let Some(wide) = &self.types.numbers else { return Ok(columns.to_vec()) };
        let widen = |column: &ArrayRef| -> Result<ArrayRef> {
            match column.data_type() {
                DataType::Int64 | DataType::Duration(_) => {
                    let numbers = cast(column, &DataType::Int64)?;
                    let numbers = numbers.as_primitive::<Int64Type>().unary::<_, Decimal128Type>(i128::from);
                    Ok(Arc::new(numbers.with_data_type(wide.clone())))
                }
                _ => Ok(cast(column, wide)?),
            }
        };
        columns.iter().map(widen).collect()
    }

    fn narrow(&self, results: &ArrayRef) -> Result<ArrayRef> {
        let to = &self.types.to;
        let number = if matches!(to, DataType::Duration(_)) { &DataType::Int64 } else { to };
        // A result that does not fit becomes NULL.
        let narrow = cast(results, number)?;
        let is_lost = |row: &usize| narrow.is_null(*row) && results.is_valid(*row);
        match (0..results.len()).find(is_lost).filter(|_| narrow.null_count() > results.null_count()) {
            None => Ok(cast(&narrow, to)?),
            Some(row) => {
                let (sum, to) = (array_value_to_string(results, row)?, to.to_string().to_lowercase());
                Err(ArrowError::ArithmeticOverflow(format!("the sum {sum} does not fit in {to}")).into())
            }
        }
    }
}

impl Accumulator for Widened<dyn Accumulator> {
    fn update_batch(&mut self, values: &[ArrayRef]) -> Result<()> {
        self.inner.update_batch(&self.widen(values)?)
    }

    fn merge_batch(&mut self, states: &[ArrayRef]) -> Result<()> {
        self.inner.merge_batch(states)
    }

    fn retract_batch(&mut self, values: &[ArrayRef]) -> Result<()> {
        self.inner.retract_batch(&self.widen(values)?)
    }

    fn supports_retract_batch(&self) -> bool {
        self.inner.supports_retract_batch()
    }

    fn evaluate(&mut self) -> Result<ScalarValue> {
        let result = self.inner.evaluate()?.to_array()?;
        ScalarValue::try_from_array(&self.narrow(&result)?, 0)
    }

    fn state(&mut self) -> Result<Vec<ScalarValue>> {
        self.inner.state()
    }

    fn size(&self) -> usize {
        size_of_val(self) + self.inner.size()
    }
}

impl GroupsAccumulator for Widened<dyn GroupsAccumulator> {
    fn update_batch(
        &mut self,
        values: &[ArrayRef],
        groups: &[usize],
        filter: Option<&BooleanArray>,
        total: usize,
    ) -> Result<()> {
        self.inner.update_batch(&self.widen(values)?, groups, filter, total)
    }

    fn merge_batch(&mut self, states: &[ArrayRef], groups: &[usize], total: usize) -> Result<()> {
        self.inner.merge_batch(states, groups, total)
    }

    fn evaluate(&mut self, emit_to: EmitTo) -> Result<ArrayRef> {
        let results = self.inner.evaluate(emit_to)?;
        self.narrow(&results)
    }

    fn state(&mut self, emit_to: EmitTo) -> Result<Vec<ArrayRef>> {
        self.inner.state(emit_to)
    }

    fn convert_to_state(&self, values: &[ArrayRef], filter: Option<&BooleanArray>) -> Result<Vec<ArrayRef>> {
        self.inner.convert_to_state(&self.widen(values)?, filter)
    }

    fn size(&self) -> usize {
        size_of_val(self) + self.inner.size()
    }
}
