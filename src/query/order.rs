//! In which order the rows of a query come, and so how much of it may run side by side.

use datafusion::common::Result;
use datafusion::common::tree_node::{TreeNode, TreeNodeRecursion};
use datafusion::logical_expr::{Expr, LogicalPlan};

/// Aggregates whose result depends on the order of what they see.
const ORDERED: &[&str] = &["array_agg", "first_value", "last_value", "nth_value", "string_agg"];

/// What the order of the rows is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Order {
    /// What the query says; rows that are equal in that, or if it says nothing, in any order.
    Any,
    /// That of the file: rows are left out and changed, and nothing else.
    File,
    /// The same each time: one thread works on what was parsed.
    Same,
}

/// The order of the rows of `plan`; `repeatable` if it has to be the same each time.
///
/// # Errors
/// Those of walking the plan.
pub fn of(plan: &LogicalPlan, repeatable: bool) -> Result<Order> {
    let mut order = if repeatable { Order::Same } else { Order::File };
    plan.apply_with_subqueries(|node| {
        let here = match node {
            LogicalPlan::Projection(_)
            | LogicalPlan::Filter(_)
            | LogicalPlan::SubqueryAlias(_)
            | LogicalPlan::TableScan(_) => Order::File,
            // The first rows of the file are meant, and whatever comes first otherwise.
            LogicalPlan::Limit(limit) if !is_sorted(&limit.input) => Order::Same,
            LogicalPlan::Window(_) => Order::Same,
            LogicalPlan::Aggregate(aggregate) if aggregate.aggr_expr.iter().any(depends_on_order) => {
                Order::Same
            }
            _ => Order::Any,
        };
        order = match (order, here) {
            (Order::Same, _) | (_, Order::Same) => Order::Same,
            (Order::File, Order::File) => Order::File,
            _ => Order::Any,
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
