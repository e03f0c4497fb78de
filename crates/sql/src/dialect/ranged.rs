//! Subqueries as values that compare with columns from outside by `<` and its like: the engine joins them only by `=`.

use std::sync::Arc;

use datafusion::common::Column;
use datafusion::common::tree_node::{Transformed, TransformedResult, TreeNode, TreeNodeRecursion};
use datafusion::error::Result as EngineResult;
use datafusion::logical_expr::utils::{conjunction, split_conjunction};
use datafusion::logical_expr::{Expr, LogicalPlan, LogicalPlanBuilder, Operator, lit};

use super::literals::changed;

/// `x.b < t.b` becomes `x.b < v.b AND v.b = t.b`, where v are the values of `t.b`.
///
/// # Errors
/// Those of the engine.
pub(super) fn equated(node: LogicalPlan) -> EngineResult<Transformed<LogicalPlan>> {
    let &[outside] = &*node.inputs() else { return Ok(Transformed::no(node)) };
    let outside = outside.clone();
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
    let LogicalPlan::Filter(filter) = &node else {
        // Rows with a name have no other columns.
        let is_named = matches!(node, LogicalPlan::SubqueryAlias(_));
        let next = if is_named { TreeNodeRecursion::Jump } else { TreeNodeRecursion::Continue };
        return Ok(Transformed::new(node, false, next));
    };
    let (ranged, mut conditions): (Vec<Expr>, Vec<Expr>) =
        split_conjunction(&filter.predicate).into_iter().cloned().partition(is_ranged);
    if ranged.is_empty() {
        return Ok(Transformed::no(node));
    }
    // The columns from outside, each as the plan inside refers to it.
    let mut references: Vec<Expr> = Vec::new();
    let value = |nth: usize| Column::new(Some(VALUES), format!("value {nth}"));
    for condition in ranged {
        let condition = condition.transform_up(|part| {
            if !matches!(part, Expr::OuterReferenceColumn(..)) {
                return Ok(Transformed::no(part));
            }
            let known = references.iter().position(|other| *other == part);
            let nth = known.unwrap_or(references.len());
            references.extend(known.is_none().then_some(part));
            Ok(Transformed::yes(Expr::Column(value(nth))))
        });
        conditions.push(condition.data()?);
    }
    let mut values = Vec::new();
    for (nth, reference) in references.into_iter().enumerate() {
        let Expr::OuterReferenceColumn(_, column) = &reference else { continue };
        values.push(Expr::Column(column.clone()).alias(value(nth).name));
        conditions.push(Expr::Column(value(nth)).eq(reference));
    }
    let values =
        LogicalPlanBuilder::from(outside.clone()).project(values)?.distinct()?.alias(VALUES)?.build()?;
    let rows = LogicalPlanBuilder::new_from_arc(Arc::clone(&filter.input)).cross_join(values)?;
    let all = conjunction(conditions).unwrap_or_else(|| lit(true));
    Ok(Transformed::yes(rows.filter(all)?.build()?))
}

/// The name of the values from outside, which no table has.
const VALUES: &str = "values outside";

/// Whether the condition compares with a value from outside, and is not true where that is NULL; `=` is left to the engine.
fn is_ranged(condition: &Expr) -> bool {
    use Operator::{Gt, GtEq, Lt, LtEq, NotEq};
    let is_other = |part: &Expr| {
        Ok(match part {
            Expr::BinaryExpr(of) => {
                !of.op.is_numerical_operators() && !matches!(of.op, Lt | LtEq | Gt | GtEq | NotEq)
            }
            Expr::Column(_) | Expr::OuterReferenceColumn(..) | Expr::Literal(..) => false,
            part => !matches!(part, Expr::Cast(_) | Expr::Not(_) | Expr::Negative(_) | Expr::Between(_)),
        })
    };
    condition.contains_outer() && !condition.exists(is_other).unwrap_or(true)
}
