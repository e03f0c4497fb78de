//! Exact whole numbers: an overflow is an error, while the engine's own arithmetic wraps around.

mod arithmetic;
mod average;
mod sum;

use std::sync::Arc;

use datafusion::logical_expr::AggregateUDF;
use datafusion::prelude::SessionContext;

/// Comparisons stay unchanged, so that the engine still skips data by the statistics of a file.
pub fn register(context: &SessionContext) {
    context.register_udaf(AggregateUDF::from(sum::Sum::default()));
    context.register_udaf(AggregateUDF::from(average::Average::default()));
    context.add_analyzer_rule(Arc::new(arithmetic::Exact));
}

/// Registers what the rule puts into plans, for plans that come from another process.
pub fn register_operators(context: &SessionContext) {
    arithmetic::functions().for_each(|function| context.register_udf(function));
}
