//! The order of a query's rows, which limits how much of it may run in parallel.

use datafusion::common::Result;
use datafusion::common::tree_node::{TreeNode, TreeNodeRecursion};
use datafusion::logical_expr::{Expr, LogicalPlan};

const ORDERED: &[&str] = &["array_agg", "first_value", "last_value", "nth_value", "string_agg"];

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum RowOrder {
    /// The order of the query; rows that it does not order come in any order.
    Any,
    /// The order of the file: the query only filters and maps rows.
    File,
    /// The same order every time: one thread processes the parsed rows.
    Same,
}

pub fn of(plan: &LogicalPlan, repeatable: bool) -> Result<RowOrder> {
    let mut order = if repeatable { RowOrder::Same } else { RowOrder::File };
    plan.apply_with_subqueries(|node| {
        let here = match node {
            LogicalPlan::Projection(_)
            | LogicalPlan::Filter(_)
            | LogicalPlan::SubqueryAlias(_)
            | LogicalPlan::TableScan(_) => RowOrder::File,
            // LIMIT without ORDER BY means the first rows of its input.
            LogicalPlan::Limit(limit) if !is_sorted(&limit.input) => RowOrder::Same,
            LogicalPlan::Window(_) => RowOrder::Same,
            LogicalPlan::Aggregate(aggregate) if aggregate.aggr_expr.iter().any(depends_on_order) => {
                RowOrder::Same
            }
            _ => RowOrder::Any,
        };
        order = match (order, here) {
            (RowOrder::Same, _) | (_, RowOrder::Same) => RowOrder::Same,
            (RowOrder::File, RowOrder::File) => RowOrder::File,
            _ => RowOrder::Any,
        };
        Ok(TreeNodeRecursion::Continue)
    })?;
    Ok(order)
}

fn is_sorted(plan: &LogicalPlan) -> bool {
    match plan {
        LogicalPlan::Sort(_) => true,
        LogicalPlan::Projection(projection) => is_sorted(&projection.input),
        LogicalPlan::SubqueryAlias(alias) => is_sorted(&alias.input),
        _ => false,
    }
}

fn depends_on_order(expr: &Expr) -> bool {
    expr.exists(|part| {
        Ok(matches!(part, Expr::AggregateFunction(function) if ORDERED.contains(&function.func.name())))
    })
    .unwrap_or(true)
}
