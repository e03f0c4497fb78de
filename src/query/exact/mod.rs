//! Whole numbers that are right or an error: the engine's own arithmetic wraps around at the ends of a type.

mod arithmetic;
mod groups;
mod running;
mod sum;

use std::sync::Arc;

use datafusion::logical_expr::AggregateUDF;
use datafusion::prelude::SessionContext;

/// Has `context` check what it computes of whole numbers: `+`, `-` and `*` of integers, and sums.
///
/// A result that its type does not hold is an [`ArrowError::ArithmeticOverflow`]. Comparisons stay as they are, so that
/// whatever is skipped by the statistics of a file still is.
///
/// [`ArrowError::ArithmeticOverflow`]: datafusion::arrow::error::ArrowError::ArithmeticOverflow
pub fn register(context: &SessionContext) {
    context.register_udaf(AggregateUDF::from(sum::Sum::default()));
    context.add_analyzer_rule(Arc::new(arithmetic::Exact));
}
