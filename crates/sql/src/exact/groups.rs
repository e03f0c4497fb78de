//! Sums of many groups at once.

use std::sync::Arc;

use datafusion::arrow::array::{Array, ArrayRef, AsArray, BooleanArray, PrimitiveArray};
use datafusion::arrow::buffer::NullBuffer;
use datafusion::arrow::compute::prep_null_mask_filter;
use datafusion::arrow::datatypes::{ArrowNativeTypeOp, ArrowPrimitiveType, DataType};
use datafusion::error::Result;
use datafusion::logical_expr::{EmitTo, GroupsAccumulator};
use datafusion::physical_expr::NullState;

use super::wide::{Summed, Wide, fitted, only, overflow, state_type};

#[derive(Debug)]
pub(super) struct Groups<T: Summed> {
    sums: Vec<Wide<T>>,
    nulls: NullState,
    is_beyond: bool,
    to: DataType,
}

impl<T: Summed> Groups<T> {
    pub(super) fn new(to: DataType) -> Self {
        Self { sums: Vec::new(), nulls: NullState::new(), is_beyond: false, to }
    }

    fn add<V: ArrowPrimitiveType + Send>(
        &mut self,
        values: &PrimitiveArray<V>,
        groups: &[usize],
        filter: Option<&BooleanArray>,
        total: usize,
        widen: impl Fn(V::Native) -> Wide<T> + Send + Sync,
    ) -> Result<()> {
        self.sums.resize(total, Wide::<T>::default());
        let Self { sums, nulls, is_beyond, .. } = self;
        nulls.accumulate(groups, values, filter, total, |group, value| {
            match sums.get_mut(group).map(|sum| (sum.add_checked(widen(value)), sum)) {
                Some((Ok(more), sum)) => *sum = more,
                _ => *is_beyond = true,
            }
        });
        if self.is_beyond {
            return Err(overflow("a sum has more digits than the widest type".to_owned()));
        }
        Ok(())
    }
}

impl<T: Summed> GroupsAccumulator for Groups<T> {
    fn update_batch(
        &mut self,
        values: &[ArrayRef],
        groups: &[usize],
        filter: Option<&BooleanArray>,
        total: usize,
    ) -> Result<()> {
        self.add(only(values)?.as_primitive::<T>(), groups, filter, total, T::widen)
    }

    fn merge_batch(&mut self, states: &[ArrayRef], groups: &[usize], total: usize) -> Result<()> {
        self.add(only(states)?.as_primitive::<T::Wide>(), groups, None, total, |sum| sum)
    }

    fn evaluate(&mut self, emit_to: EmitTo) -> Result<ArrayRef> {
        let sums = emit_to.take_needed(&mut self.sums);
        let nulls = self.nulls.build(emit_to);
        let sums: Result<Vec<T::Native>> = sums.into_iter().map(|sum| fitted::<T>(sum, &self.to)).collect();
        let column = PrimitiveArray::<T>::try_new(sums?.into(), nulls)?;
        Ok(Arc::new(column.with_data_type(self.to.clone())))
    }

    fn state(&mut self, emit_to: EmitTo) -> Result<Vec<ArrayRef>> {
        let sums = emit_to.take_needed(&mut self.sums);
        let nulls = self.nulls.build(emit_to);
        let column = PrimitiveArray::<T::Wide>::try_new(sums.into(), nulls)?;
        Ok(vec![Arc::new(column.with_data_type(state_type::<T>()))])
    }

    fn convert_to_state(&self, values: &[ArrayRef], filter: Option<&BooleanArray>) -> Result<Vec<ArrayRef>> {
        let sums = only(values)?.as_primitive::<T>().unary::<_, T::Wide>(T::widen);
        // NULL in a FILTER means false.
        let kept = filter.map(|filter| match filter.nulls() {
            Some(_) => NullBuffer::new(prep_null_mask_filter(filter).values().clone()),
            None => NullBuffer::new(filter.values().clone()),
        });
        let (_, sums, nulls) = sums.into_parts();
        let nulls = NullBuffer::union(nulls.as_ref(), kept.as_ref());
        let column = PrimitiveArray::<T::Wide>::try_new(sums, nulls)?;
        Ok(vec![Arc::new(column.with_data_type(state_type::<T>()))])
    }

    fn size(&self) -> usize {
        self.sums.capacity() * size_of::<Wide<T>>() + self.nulls.size()
    }
}
