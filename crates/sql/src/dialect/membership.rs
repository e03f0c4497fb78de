//! `IN (SELECT …)`: rewritten or refused where the engine would take an unknown answer for false. EXISTS and IN as values.
//!
//! `x NOT IN (…)` is unknown, not true, if x or a value of the query is NULL. The engine keeps to that only for a column and
//! a condition of its own, whose query needs nothing from outside of it.

use std::ops::ControlFlow;
use std::sync::Arc;

use datafusion::common::tree_node::{Transformed, TransformedResult, TreeNode, TreeNodeRecursion};
use datafusion::error::Result as EngineResult;
use datafusion::functions_aggregate::expr_fn::count;
use datafusion::logical_expr::expr::{Exists, InSubquery};
use datafusion::logical_expr::utils::{conjunction, split_conjunction};
use datafusion::logical_expr::{Expr as Planned, Filter, LogicalPlan, LogicalPlanBuilder, lit};
use datafusion::optimizer::decorrelate_predicate_subquery::DecorrelatePredicateSubquery;
use datafusion::optimizer::{OptimizerConfig, OptimizerRule};
use datafusion::sql::sqlparser::ast::{
    BinaryOperator, Expr, Query, UnaryOperator, Value, VisitMut, VisitorMut,
};
use datafusion::sql::sqlparser::dialect::GenericDialect;
use datafusion::sql::sqlparser::parser::Parser;

use super::literals::changed;
use super::ranged::equated;
use super::tokens::syntax;
use crate::plans::external;
use rread_text::{Error, Result};

/// Rewrites what the engine would get wrong in a condition whose unknown answer is that of a false one; `is_conjunct` if a row is
/// kept only if it is true. A chain of AND may have thousands of members, so this does not recurse.
pub(super) fn settle(expr: &mut Expr, is_conjunct: bool) -> Result<()> {
    let mut rest = vec![(expr, is_conjunct)];
    while let Some((expr, is_conjunct)) = rest.pop() {
        let (asked, is_not) = match &*expr {
            Expr::UnaryOp { op: UnaryOperator::Not, expr } => (&**expr, true),
            asked => (asked, false),
        };
        if let Some((left, query, is_negated)) = membership(asked) {
            let is_column = matches!(unnested(left), Expr::Identifier(_) | Expr::CompoundIdentifier(_));
            match is_negated != is_not {
                _ if valued(&mut left.clone())? => drop(valued(expr)?),
                false => {}
                true if is_conjunct && is_column => {}
                true => {
                    *expr =
                        filled(&format!("x NOT IN (SELECT 1) AND ({GUARD})"), left.clone(), query.clone())?;
                }
            }
            continue;
        }
        match expr {
            Expr::Nested(expr) => rest.push((expr, is_conjunct)),
            Expr::BinaryOp { left, op: BinaryOperator::And, right } => {
                rest.extend([(&mut **left, is_conjunct), (&mut **right, is_conjunct)]);
            }
            Expr::BinaryOp { left, op: BinaryOperator::Or, right } => {
                rest.extend([(&mut **left, false), (&mut **right, false)]);
            }
            Expr::IsTrue(expr) => rest.push((expr, false)),
            Expr::Case { operand: None, conditions, else_result, .. } => {
                for when in conditions {
                    rest.extend([(&mut when.condition, false), (&mut when.result, false)]);
                }
                rest.extend(else_result.iter_mut().map(|result| (&mut **result, false)));
            }
            other => drop(valued(other)?),
        }
    }
    Ok(())
}

/// True where `x NOT IN (SELECT 1)` cannot be unknown: the query has no rows, or neither x nor a value of it is NULL.
const GUARD: &str = "NOT EXISTS (SELECT 1) OR x IS NOT NULL \
    AND NOT EXISTS (SELECT 1 FROM (SELECT 1) AS \"values of IN\"(\"v\") WHERE \"v\" IS NULL)";

/// The expression `template` with `left` for x and `query` for SELECT 1.
fn filled(template: &str, left: Expr, query: Query) -> Result<Expr> {
    let parsed = Parser::new(&GenericDialect {}).try_with_sql(template);
    let mut expr = parsed.and_then(|mut parser| parser.parse_expr()).map_err(|error| syntax(&error))?;
    // The visit cannot end early.
    let _ = VisitMut::visit(&mut expr, &mut Filling { left: Expr::Nested(Box::new(left)), query });
    Ok(Expr::Nested(Box::new(expr)))
}

/// Puts both sides into a template, from inside to outside, so that neither is visited itself.
struct Filling {
    left: Expr,
    query: Query,
}

impl VisitorMut for Filling {
    type Break = ();

    fn post_visit_query(&mut self, query: &mut Query) -> ControlFlow<()> {
        if query.body.as_select().is_some_and(|select| select.from.is_empty()) {
            *query = self.query.clone();
        }
        ControlFlow::Continue(())
    }

    fn post_visit_expr(&mut self, expr: &mut Expr) -> ControlFlow<()> {
        if matches!(expr, Expr::Identifier(name) if name.value == "x") {
            *expr = self.left.clone();
        }
        ControlFlow::Continue(())
    }
}

/// Makes each `x IN (SELECT …)` outside of subqueries a CASE that is NULL where the answer is unknown. Whether there is one.
pub(super) fn valued(expr: &mut Expr) -> Result<bool> {
    let mut values = Values::default();
    let error = VisitMut::visit(expr, &mut values).break_value();
    error.map_or(Ok(values.is_any), Err)
}

/// Refuses `NOT IN (SELECT …)` with columns from outside of the subquery, of which the planner knows.
///
/// # Errors
/// Usage.
pub fn check(plan: &LogicalPlan) -> EngineResult<()> {
    let is_correlated = |of: &InSubquery| !of.subquery.outer_ref_columns.is_empty();
    let is_of_guard = |node: &LogicalPlan| {
        Ok(matches!(node, LogicalPlan::SubqueryAlias(of) if of.alias.table() == "values of IN"))
    };
    let check = |expr: &Planned| match expr {
        Planned::Exists(Exists { subquery, .. })
            if !subquery.outer_ref_columns.is_empty() && subquery.subquery.exists(is_of_guard)? =>
        {
            Err(external(refusal()))
        }
        Planned::InSubquery(of) if of.negated && is_correlated(of) => Err(external(refusal())),
        Planned::Not(inner) => match &**inner {
            Planned::InSubquery(of) if is_correlated(of) => Err(external(refusal())),
            _ => Ok(TreeNodeRecursion::Continue),
        },
        _ => Ok(TreeNodeRecursion::Continue),
    };
    plan.apply_with_subqueries(|node| node.apply_expressions(|expr| expr.apply(check))).map(drop)
}

/// The plan, in which EXISTS and IN as values are columns of joins, EXISTS of a query of its own is a count, and a subquery
/// as a value compares with what is outside by `=` alone.
///
/// # Errors
/// Those of the engine.
pub fn marked(plan: LogicalPlan, config: &dyn OptimizerConfig) -> EngineResult<LogicalPlan> {
    let settled = |node| joined(equated(changed(node, counted)?.data)?.data, config);
    plan.transform_up_with_subqueries(settled).data()
}

/// The engine would look at all rows of the query for each row beside it.
fn counted(expr: Planned) -> EngineResult<Transformed<Planned>> {
    let Planned::Exists(Exists { subquery, negated }) = &expr else { return Ok(Transformed::no(expr)) };
    if !subquery.outer_ref_columns.is_empty() {
        return Ok(Transformed::no(expr));
    }
    let rows = LogicalPlanBuilder::new_from_arc(Arc::clone(&subquery.subquery));
    let number = rows.aggregate(Vec::<Planned>::new(), vec![count(lit(1))])?.build()?;
    let number = Planned::ScalarSubquery(subquery.with_plan(Arc::new(number)));
    Ok(Transformed::yes(if *negated { number.eq(lit(0i64)) } else { number.gt(lit(0i64)) }))
}

/// The engine joins them only for a condition, so this gives it one that each row meets, and takes the columns from there.
fn joined(node: LogicalPlan, config: &dyn OptimizerConfig) -> EngineResult<Transformed<LogicalPlan>> {
    let mut found: Vec<Planned> = Vec::new();
    if matches!(node, LogicalPlan::Projection(_) | LogicalPlan::Aggregate(_) | LogicalPlan::Window(_)) {
        let mut add = |expr: &Planned| {
            let is_asked = matches!(expr, Planned::Exists(_) | Planned::InSubquery(_));
            found.extend((is_asked && !found.contains(expr)).then(|| expr.clone()));
            Ok(TreeNodeRecursion::Continue)
        };
        node.apply_expressions(|expr| expr.apply(&mut add))?;
    }
    let all = conjunction(found.iter().map(|expr| expr.clone().is_not_null()));
    let (Some(all), &[input]) = (all, &*node.inputs()) else { return Ok(Transformed::no(node)) };
    let filter = LogicalPlan::Filter(Filter::try_new(all, Arc::new(input.clone()))?);
    let filter = DecorrelatePredicateSubquery::new().rewrite(filter, config)?.data;
    // The engine leaves the new columns out above the condition.
    let Some(LogicalPlan::Filter(Filter { predicate, input, .. })) = filter.inputs().pop() else {
        return Ok(Transformed::no(node));
    };
    let marks = split_conjunction(predicate);
    let node = changed(node, |expr| {
        let nth = found.iter().position(|other| *other == expr);
        match nth.and_then(|nth| marks.get(nth)) {
            Some(Planned::IsNotNull(mark)) => Ok(Transformed::yes((**mark).clone())),
            _ => Ok(Transformed::no(expr)),
        }
    })?;
    let exprs = node.data.expressions();
    node.data.with_new_exprs(exprs, vec![(**input).clone()]).map(Transformed::yes)
}

fn refusal() -> Error {
    let message = "NULLs in a subquery after IN would be ignored here: NOT IN, and IN as a value, are supported without columns \
        from outside of the subquery";
    Error::usage(message).hint("WHERE NOT EXISTS (SELECT 1 FROM r WHERE r.c = t.a), if there are no NULLs")
}

/// The sides of `x IN (SELECT …)`, and whether NOT stands before IN.
fn membership(expr: &Expr) -> Option<(&Expr, &Query, bool)> {
    match unnested(expr) {
        Expr::InSubquery { expr, subquery, negated } => Some((expr, subquery, *negated)),
        Expr::AnyOp { left, compare_op: BinaryOperator::Eq, right, .. } => Some((left, query(right)?, false)),
        Expr::AllOp { left, compare_op: BinaryOperator::NotEq, right } => Some((left, query(right)?, true)),
        _ => None,
    }
}

fn query(expr: &Expr) -> Option<&Query> {
    if let Expr::Subquery(query) = unnested(expr) { Some(query) } else { None }
}

fn unnested(mut expr: &Expr) -> &Expr {
    while let Expr::Nested(inner) = expr {
        expr = inner;
    }
    expr
}

#[derive(Default)]
struct Values {
    /// The subqueries that the visit is in.
    depth: usize,
    is_any: bool,
}

impl VisitorMut for Values {
    type Break = Error;

    fn pre_visit_query(&mut self, _: &mut Query) -> ControlFlow<Error> {
        self.depth += 1;
        ControlFlow::Continue(())
    }

    fn post_visit_query(&mut self, _: &mut Query) -> ControlFlow<Error> {
        self.depth -= 1;
        ControlFlow::Continue(())
    }

    fn post_visit_expr(&mut self, expr: &mut Expr) -> ControlFlow<Error> {
        let Some((left, query, negated)) = membership(expr).filter(|_| self.depth == 0) else {
            return ControlFlow::Continue(());
        };
        let case = format!("CASE WHEN x IN (SELECT 1) THEN {} WHEN {GUARD} THEN {negated} END", !negated);
        self.is_any = true;
        match filled(&case, left.clone(), query.clone()) {
            Ok(case) => *expr = case,
            Err(error) => return ControlFlow::Break(error),
        }
        ControlFlow::Continue(())
    }
}

/// Converts ANY or ALL with a subquery to IN or NOT IN, because the engine would accept only one row. `None`
/// if `right` is a list, which the engine compares correctly.
pub(super) fn among(
    left: &mut Expr,
    op: &BinaryOperator,
    right: &mut Expr,
    all: bool,
) -> Result<Option<Expr>> {
    let mut inner = right;
    while let Expr::Nested(nested) = inner {
        inner = nested;
    }
    let Expr::Subquery(subquery) = inner else { return Ok(None) };
    let negated = match (op, all) {
        (BinaryOperator::Eq, false) => false,
        (BinaryOperator::NotEq, true) => true,
        _ => {
            let word = if all { "ALL" } else { "ANY" };
            return Err(Error::usage(format!(
                "{op} {word} is not supported with a subquery; supported: = ANY, = SOME and <> ALL"
            ))
            .hint("x < (SELECT max(y) FROM t), or min(y)"));
        }
    };
    let expr = Box::new(std::mem::replace(left, Expr::value(Value::Null)));
    Ok(Some(Expr::InSubquery { expr, subquery: subquery.clone(), negated }))
}
