//! Subqueries as values that compare with columns from outside by `<` and its like: the engine joins them only by `=`.

use std::sync::Arc;

use datafusion::common::tree_node::{Transformed, TransformedResult, TreeNode, TreeNodeRecursion};
use datafusion::common::{Column, DFSchema};
use datafusion::error::Result as EngineResult;
use datafusion::logical_expr::utils::{conjunction, split_conjunction_owned};
use datafusion::logical_expr::{Expr, LogicalPlan, LogicalPlanBuilder, Operator, lit};

use super::literals::changed;
use crate::plans::has_node;

/// `x.b < t.b` becomes `x.b < v.b AND v.b = t.b`, where v are the values of `t.b`.
///
/// # Errors
/// Those of the engine.
pub(super) fn equated(node: LogicalPlan) -> EngineResult<Transformed<LogicalPlan>> {
    let outside = match &*node.inputs() {
        &[outside] if !has_node(outside, may_change)? => outside.clone(),
        _ => return Ok(Transformed::no(node)),
    };
    changed(node, |expr| match &expr {
        Expr::ScalarSubquery(of) if !of.outer_ref_columns.is_empty() => {
            let rows = of.subquery.as_ref().clone();
            let rows = rows.transform_down(|node| beside_values(node, &outside)).data()?;
            Ok(Transformed::yes(Expr::ScalarSubquery(of.with_plan(Arc::new(rows)))))
        }
        _ => Ok(Transformed::no(expr)),
    })
}

fn beside_values(node: LogicalPlan, outside: &LogicalPlan) -> EngineResult<Transformed<LogicalPlan>> {
    // Rows with a name have no other columns.
    if matches!(node, LogicalPlan::SubqueryAlias(_)) {
        return Ok(Transformed::new(node, false, TreeNodeRecursion::Jump));
    }
    let LogicalPlan::Filter(filter) = &node else { return Ok(Transformed::no(node)) };
    let (ranged, mut conditions): (Vec<Expr>, Vec<Expr>) = split_conjunction_owned(filter.predicate.clone())
        .into_iter()
        .partition(|condition| is_ranged(condition, outside.schema()));
    if ranged.is_empty() {
        return Ok(Transformed::no(node));
    }
    // The columns from outside.
    let mut columns: Vec<Column> = Vec::new();
    let value = |nth: usize| Column::new(Some(VALUES), format!("value {nth}"));
    for condition in ranged {
        let condition = condition.transform_up(|part| {
            let Expr::OuterReferenceColumn(_, column) = &part else { return Ok(Transformed::no(part)) };
            let nth = columns.iter().position(|known| known == column).unwrap_or(columns.len());
            if nth == columns.len() {
                columns.push(column.clone());
                conditions.push(Expr::Column(value(nth)).eq(part));
            }
            Ok(Transformed::yes(Expr::Column(value(nth))))
        });
        conditions.push(condition.data()?);
    }
    let values = (0..).zip(columns).map(|(nth, column)| Expr::Column(column).alias(value(nth).name));
    let values =
        LogicalPlanBuilder::from(outside.clone()).project(values)?.distinct()?.alias(VALUES)?.build()?;
    let rows = LogicalPlanBuilder::new_from_arc(Arc::clone(&filter.input)).cross_join(values)?;
    let all = conjunction(conditions).unwrap_or_else(|| lit(true));
    Ok(Transformed::yes(rows.filter(all)?.build()?))
}

/// The name of the values from outside, which no table has.
const VALUES: &str = "values outside";

/// Whether the rows of a node may have other values when it runs again, as the plan outside does.
fn may_change(node: &LogicalPlan) -> bool {
    let has_floats = |schema: &DFSchema| schema.fields().iter().any(|field| field.data_type().is_floating());
    matches!(node, LogicalPlan::Limit(_) | LogicalPlan::Window(_))
        // The order of a sum decides its last digits.
        || matches!(node, LogicalPlan::Aggregate(of) if has_floats(&of.schema))
        || node.expressions().iter().any(Expr::is_volatile)
}

/// Whether the condition compares with a value from outside, and is not true where that is NULL; `=` is left to the engine.
fn is_ranged(condition: &Expr, outside: &DFSchema) -> bool {
    use Operator::{Gt, GtEq, Lt, LtEq, NotEq};
    let is_other = |part: &Expr| {
        Ok(match part {
            Expr::BinaryExpr(of) => {
                !of.op.is_numerical_operators() && !matches!(of.op, Lt | LtEq | Gt | GtEq | NotEq)
            }
            Expr::OuterReferenceColumn(_, column) => !outside.has_column(column),
            Expr::Column(_) | Expr::Literal(..) => false,
            part => !matches!(part, Expr::Cast(_) | Expr::Not(_) | Expr::Negative(_) | Expr::Between(_)),
        })
    };
    condition.contains_outer() && !condition.exists(is_other).unwrap_or(true)
}
