//! A single sum: of all rows, of a window, or of distinct values.

use std::collections::HashMap;
use std::collections::hash_map::Entry;
use std::sync::Arc;

use datafusion::arrow::array::{Array, ArrayRef, AsArray, PrimitiveArray};
use datafusion::arrow::datatypes::{ArrowNativeTypeOp, ArrowPrimitiveType, DataType};
use datafusion::common::ScalarValue;
use datafusion::common::utils::SingleRowListArrayBuilder;
use datafusion::error::Result;
use datafusion::logical_expr::Accumulator;

use super::wide::{Summed, Wide, fitted, only, state_type};

/// A window adds values at its front and removes them at its rear.
#[derive(Debug)]
pub(super) struct Running<T: Summed> {
    sum: Wide<T>,
    values: u64,
    to: DataType,
}

impl<T: Summed> Running<T> {
    pub(super) fn new(to: DataType) -> Self {
        Self { sum: Wide::<T>::default(), values: 0, to }
    }

    fn add(&mut self, value: Wide<T>) -> Result<()> {
        self.sum = self.sum.add_checked(value)?;
        self.values += 1;
        Ok(())
    }

    fn subtract(&mut self, value: Wide<T>) -> Result<()> {
        self.sum = self.sum.sub_checked(value)?;
        self.values = self.values.saturating_sub(1);
        Ok(())
    }
}

fn each<V: ArrowPrimitiveType>(
    column: &ArrayRef,
    mut take: impl FnMut(V::Native) -> Result<()>,
) -> Result<()> {
    let column = column.as_primitive::<V>();
    if column.null_count() == 0 {
        return column.values().iter().try_for_each(|value| take(*value));
    }
    column.iter().flatten().try_for_each(take)
}

impl<T: Summed> Accumulator for Running<T> {
    fn update_batch(&mut self, values: &[ArrayRef]) -> Result<()> {
        each::<T>(only(values)?, |value| self.add(T::widen(value)))
    }

    fn merge_batch(&mut self, states: &[ArrayRef]) -> Result<()> {
        each::<T::Wide>(only(states)?, |sum| self.add(sum))
    }

    fn retract_batch(&mut self, values: &[ArrayRef]) -> Result<()> {
        each::<T>(only(values)?, |value| self.subtract(T::widen(value)))
    }

    fn supports_retract_batch(&self) -> bool {
        true
    }

    fn evaluate(&mut self) -> Result<ScalarValue> {
        let sum = (self.values > 0).then(|| fitted::<T>(self.sum, &self.to)).transpose()?;
        ScalarValue::new_primitive::<T>(sum, &self.to)
    }

    fn state(&mut self) -> Result<Vec<ScalarValue>> {
        let sum = (self.values > 0).then_some(self.sum);
        Ok(vec![ScalarValue::new_primitive::<T::Wide>(sum, &state_type::<T>())?])
    }

    fn size(&self) -> usize {
        size_of_val(self)
    }
}

#[derive(Debug)]
pub(super) struct Distinct<T: Summed> {
    running: Running<T>,
    seen: HashMap<T::Native, u64>,
}

impl<T: Summed> Distinct<T> {
    pub(super) fn new(running: Running<T>) -> Self {
        Self { running, seen: HashMap::new() }
    }

    fn add(&mut self, column: &ArrayRef) -> Result<()> {
        let Self { running, seen } = self;
        each::<T>(column, |value| {
            let times = seen.entry(value).or_default();
            *times += 1;
            if *times == 1 { running.add(T::widen(value)) } else { Ok(()) }
        })
    }
}

impl<T: Summed> Accumulator for Distinct<T> {
    fn update_batch(&mut self, values: &[ArrayRef]) -> Result<()> {
        self.add(only(values)?)
    }

    fn merge_batch(&mut self, states: &[ArrayRef]) -> Result<()> {
        only(states)?.as_list::<i32>().iter().flatten().try_for_each(|values| self.add(&values))
    }

    fn retract_batch(&mut self, values: &[ArrayRef]) -> Result<()> {
        let Self { running, seen } = self;
        each::<T>(only(values)?, |value| match seen.entry(value) {
            Entry::Occupied(mut times) if *times.get() > 1 => {
                *times.get_mut() -= 1;
                Ok(())
            }
            Entry::Occupied(last) => {
                last.remove();
                running.subtract(T::widen(value))
            }
            Entry::Vacant(_) => Ok(()),
        })
    }

    fn supports_retract_batch(&self) -> bool {
        true
    }

    fn evaluate(&mut self) -> Result<ScalarValue> {
        self.running.evaluate()
    }

    fn state(&mut self) -> Result<Vec<ScalarValue>> {
        let values = PrimitiveArray::<T>::from_iter_values(self.seen.keys().copied());
        let values = Arc::new(values.with_data_type(self.running.to.clone()));
        Ok(vec![SingleRowListArrayBuilder::new(values).build_list_scalar()])
    }

    fn size(&self) -> usize {
        size_of_val(self) + self.seen.capacity() * (size_of::<(T::Native, u64)>() + 1)
    }
}
