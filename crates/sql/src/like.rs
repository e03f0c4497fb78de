//! `LIKE` on dates, times and numbers: the pattern is compared with the value as text, such as `day LIKE '2026-11-%'`.

use datafusion::arrow::datatypes::DataType;
use datafusion::common::DFSchema;
use datafusion::common::tree_node::{Transformed, TreeNode};
use datafusion::error::Result;
use datafusion::logical_expr::expr_rewriter::NamePreserver;
use datafusion::logical_expr::utils::merge_schema;
use datafusion::logical_expr::{Expr, ExprSchemable, Like, LogicalPlan, cast};

/// The plan, in which every LIKE has text on its left.
pub fn on_text(plan: LogicalPlan) -> Result<LogicalPlan> {
    let changed = plan.transform_up_with_subqueries(|plan| {
        let schema = merge_schema(&plan.inputs());
        let names = NamePreserver::new(&plan);
        let changed = plan.map_expressions(|expr| {
            let name = names.save(&expr);
            let changed = expr.transform_up(|expr| Ok(as_text(expr, &schema)))?;
            Ok(changed.update_data(|expr| name.restore(expr)))
        })?;
        if changed.transformed { changed.map_data(LogicalPlan::recompute_schema) } else { Ok(changed) }
    });
    Ok(changed?.data)
}

fn as_text(expr: Expr, schema: &DFSchema) -> Transformed<Expr> {
    match expr {
        Expr::Like(like) if !may_be_text(&like.expr, schema) => {
            let text = Box::new(cast(*like.expr, DataType::Utf8));
            Transformed::yes(Expr::Like(Like { expr: text, ..like }))
        }
        other => Transformed::no(other),
    }
}

fn may_be_text(expr: &Expr, schema: &DFSchema) -> bool {
    expr.get_type(schema).map_or(true, |of| !(of.is_temporal() || of.is_numeric() || of == DataType::Boolean))
}
