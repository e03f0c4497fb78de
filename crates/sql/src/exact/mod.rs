//! Exact whole numbers: an overflow is an error, while the engine's own arithmetic wraps around. Frames that lose nothing.

mod arithmetic;
mod groups;
mod running;
mod sliding;
mod sum;
mod wide;

use std::sync::Arc;

use datafusion::logical_expr::AggregateUDF;
use datafusion::logical_expr::registry::FunctionRegistry;
use datafusion::prelude::SessionContext;

/// Comparisons stay unchanged, so that the engine still skips data by the statistics of a file.
pub fn register(context: &SessionContext) {
    context.register_udaf(AggregateUDF::from(sum::Sum::default()));
    for name in sliding::FUNCTIONS {
        if let Ok(engines) = context.udaf(name) {
            context.register_udaf(AggregateUDF::from(sliding::Sliding::new(engines)));
        }
    }
    context.add_analyzer_rule(Arc::new(arithmetic::Exact));
}

/// Registers what the rule puts into plans, for plans that come from another process.
pub fn register_operators(context: &SessionContext) {
    arithmetic::functions().for_each(|function| context.register_udf(function));
}
