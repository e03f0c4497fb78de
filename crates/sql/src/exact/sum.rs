//! The aggregate function `sum`, exact for whole numbers and decimals.
//!
//! The engine adds in the type of the result, which wraps around. Here it adds in a wider decimal, and a result that does not
//! fit is an error. Floats and intervals are added by the engine as they are.

use std::collections::HashMap;
use std::fmt;
use std::sync::Arc;

use datafusion::arrow::array::{Array, ArrayRef, AsArray, BooleanArray};
use datafusion::arrow::compute::cast;
use datafusion::arrow::datatypes::{DataType, Decimal128Type, Decimal256Type, Field, FieldRef, Int64Type};
use datafusion::arrow::error::ArrowError;
use datafusion::arrow::util::display::array_value_to_string;
use datafusion::common::{ScalarValue, plan_err};
use datafusion::error::Result;
use datafusion::functions_aggregate::sum::Sum as Engines;
use datafusion::logical_expr::function::{AccumulatorArgs, StateFieldsArgs};
use datafusion::logical_expr::utils::AggregateOrderSensitivity;
use datafusion::logical_expr::{
    Accumulator, AggregateUDFImpl, EmitTo, GroupsAccumulator, ReversedUDAF, SetMonotonicity, Signature,
};

/// The decimal that holds sums of 2^64 numbers; `None` for the types that the engine may add as they are.
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
        match self.engines.return_type(given)? {
            DataType::Decimal256(76, _) => plan_err!("sum takes decimals of at most 65 digits"),
            to => Ok(to),
        }
    }

    fn accumulator(&self, args: AccumulatorArgs<'_>) -> Result<Box<dyn Accumulator>> {
        let to = args.return_type().clone();
        let Some(wide) = wider(&to) else { return self.engines.accumulator(args) };
        let inner = self.engines.accumulator(AccumulatorArgs { return_field: field(&wide), ..args })?;
        Ok(Box::new(Widened { inner, wide, to }))
    }

    fn create_sliding_accumulator(&self, args: AccumulatorArgs<'_>) -> Result<Box<dyn Accumulator>> {
        let (to, is_distinct) = (args.return_type().clone(), args.is_distinct);
        let wide = wider(&to).unwrap_or_else(|| to.clone());
        let args = AccumulatorArgs { return_field: field(&wide), is_distinct: false, ..args };
        let inner = self.engines.create_sliding_accumulator(args)?;
        let inner: Box<dyn Accumulator> =
            if wide == to { inner } else { Box::new(Widened { inner, wide, to }) };
        Ok(if is_distinct { Box::new(Distinct { inner, counts: HashMap::new() }) } else { inner })
    }

    fn groups_accumulator_supported(&self, args: AccumulatorArgs<'_>) -> bool {
        !args.is_distinct
    }

    fn create_groups_accumulator(&self, args: AccumulatorArgs<'_>) -> Result<Box<dyn GroupsAccumulator>> {
        let to = args.return_type().clone();
        let Some(wide) = wider(&to) else { return self.engines.create_groups_accumulator(args) };
        let args = AccumulatorArgs { return_field: field(&wide), ..args };
        let inner = self.engines.create_groups_accumulator(args)?;
        Ok(Box::new(Widened { inner, wide, to }))
    }

    fn state_fields(&self, args: StateFieldsArgs<'_>) -> Result<Vec<FieldRef>> {
        let return_field = wider(args.return_type()).map_or(args.return_field, |wide| field(&wide));
        self.engines.state_fields(StateFieldsArgs { return_field, ..args })
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

fn field(data_type: &DataType) -> FieldRef {
    Arc::new(Field::new("sum", data_type.clone(), true))
}

/// A sum of the engine in the type `wide`, whose numbers come, and whose result leaves, in the type `to`.
pub(super) struct Widened<A: ?Sized> {
    pub inner: Box<A>,
    pub wide: DataType,
    pub to: DataType,
}

impl<A: ?Sized> fmt::Debug for Widened<A> {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.debug_struct("Widened").field("to", &self.to).finish_non_exhaustive()
    }
}

impl<A: ?Sized> Widened<A> {
    fn widen(&self, columns: &[ArrayRef]) -> Result<Vec<ArrayRef>> {
        let widen = |column: &ArrayRef| -> Result<ArrayRef> {
            match column.data_type() {
                DataType::Int64 | DataType::Duration(_) => {
                    let numbers = cast(column, &DataType::Int64)?;
                    let wide = numbers.as_primitive::<Int64Type>().unary::<_, Decimal128Type>(i128::from);
                    Ok(Arc::new(wide.with_data_type(self.wide.clone())))
                }
                _ => Ok(cast(column, &self.wide)?),
            }
        };
        columns.iter().map(widen).collect()
    }

    fn narrow(&self, sums: &ArrayRef) -> Result<ArrayRef> {
        let number = if matches!(self.to, DataType::Duration(_)) { &DataType::Int64 } else { &self.to };
        // A sum that does not fit becomes NULL.
        let narrow = cast(sums, number)?;
        let is_lost = |row: &usize| narrow.is_null(*row) && sums.is_valid(*row);
        match (0..sums.len()).find(is_lost).filter(|_| narrow.null_count() > sums.null_count()) {
            None => Ok(cast(&narrow, &self.to)?),
            Some(row) => {
                let (sum, to) = (all_digits(sums, row)?, self.to.to_string().to_lowercase());
                Err(ArrowError::ArithmeticOverflow(format!("the result {sum} does not fit in {to}")).into())
            }
        }
    }
}

/// A number in words: a decimal with more digits than its type would lose the last ones.
fn all_digits(numbers: &ArrayRef, row: usize) -> Result<String> {
    let (Some(long), DataType::Decimal256(_, scale @ 0..)) =
        (numbers.as_primitive_opt::<Decimal256Type>(), numbers.data_type())
    else {
        return Ok(array_value_to_string(numbers, row)?);
    };
    let scale = usize::from(scale.unsigned_abs());
    let digits = long.value(row).to_string();
    let (sign, digits) = digits.strip_prefix('-').map_or(("", digits.as_str()), |digits| ("-", digits));
    let digits = format!("{digits:0>width$}", width = scale + 1);
    let (whole, decimals) = digits.split_at(digits.len() - scale);
    Ok(format!("{sign}{whole}{}{decimals}", if scale > 0 { "." } else { "" }))
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
        let sum = self.inner.evaluate()?.to_array()?;
        ScalarValue::try_from_array(&self.narrow(&sum)?, 0)
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
        let sums = self.inner.evaluate(emit_to)?;
        self.narrow(&sums)
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

/// A sum of the distinct values of a moving frame, which the engine has for one type alone.
#[derive(Debug)]
struct Distinct {
    inner: Box<dyn Accumulator>,
    /// How often each value is in the frame.
    counts: HashMap<ScalarValue, u64>,
}

impl Distinct {
    /// The rows of a column, each as a key and as a column of one row.
    fn rows(values: &[ArrayRef]) -> impl Iterator<Item = Result<(ScalarValue, [ArrayRef; 1])>> {
        let rows =
            values.first().into_iter().flat_map(|column| (0..column.len()).map(move |row| (column, row)));
        rows.filter(|(column, row)| column.is_valid(*row))
            .map(|(column, row)| Ok((ScalarValue::try_from_array(column, row)?, [column.slice(row, 1)])))
    }
}

impl Accumulator for Distinct {
    fn update_batch(&mut self, values: &[ArrayRef]) -> Result<()> {
        for row in Self::rows(values) {
            let (value, row) = row?;
            let count = self.counts.entry(value).or_default();
            *count += 1;
            if *count == 1 {
                self.inner.update_batch(&row)?;
            }
        }
        Ok(())
    }

    fn retract_batch(&mut self, values: &[ArrayRef]) -> Result<()> {
        for row in Self::rows(values) {
            let (value, row) = row?;
            let Some(count) = self.counts.get_mut(&value) else { continue };
            *count -= 1;
            if *count == 0 {
                self.counts.remove(&value);
                self.inner.retract_batch(&row)?;
            }
        }
        Ok(())
    }

    fn supports_retract_batch(&self) -> bool {
        true
    }

    fn evaluate(&mut self) -> Result<ScalarValue> {
        self.inner.evaluate()
    }

    /// Only windows have moving frames, and they neither store nor merge states.
    fn merge_batch(&mut self, states: &[ArrayRef]) -> Result<()> {
        self.inner.merge_batch(states)
    }

    fn state(&mut self) -> Result<Vec<ScalarValue>> {
        self.inner.state()
    }

    fn size(&self) -> usize {
        size_of_val(self) + self.inner.size() + self.counts.capacity() * size_of::<(ScalarValue, u64)>()
    }
}
