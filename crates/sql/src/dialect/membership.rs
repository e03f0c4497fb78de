//! `IN (SELECT …)`: rewritten or refused where the engine would take an unknown answer for false.
//!
//! `x NOT IN (…)` is unknown, not true, if x or a value of the query is NULL. The engine keeps to that only for a column and
//! a condition of its own, whose query needs nothing from outside of it.

use std::ops::ControlFlow;

use datafusion::common::tree_node::{TreeNode, TreeNodeRecursion};
use datafusion::error::Result as EngineResult;
use datafusion::logical_expr::expr::InSubquery;
use datafusion::logical_expr::{Expr as Planned, LogicalPlan};
use datafusion::sql::sqlparser::ast::{
    BinaryOperator, Expr, Query, UnaryOperator, Value, Visit, VisitMut, Visitor, VisitorMut,
};
use datafusion::sql::sqlparser::dialect::GenericDialect;
use datafusion::sql::sqlparser::parser::Parser;

use super::tokens::syntax;
use crate::plans::external;
use rread_text::{Error, Result};

/// The use of a condition.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Place {
    /// A row is kept if this and every other conjunct is true.
    Conjunct,
    /// Unknown is the same as false.
    Condition,
    /// Unknown is a value.
    Value,
}

/// Rewrites or refuses what the engine would get wrong. A chain of AND may have thousands of members, so this does not recurse.
pub(super) fn settle(expr: &mut Expr, place: Place) -> Result<()> {
    let mut rest = vec![(expr, place)];
    while let Some((expr, place)) = rest.pop() {
        let inner = if place == Place::Conjunct { Place::Condition } else { place };
        let (asked, is_not) = match &*expr {
            Expr::UnaryOp { op: UnaryOperator::Not, expr } => (&**expr, true),
            asked => (asked, false),
        };
        if let Some((left, query, is_negated)) = membership(asked) {
            let is_column = matches!(unnested(left), Expr::Identifier(_) | Expr::CompoundIdentifier(_));
            match (is_negated != is_not, place) {
                _ if Visit::visit(left, &mut Inside::default()).is_break() => return Err(refusal()),
                (_, Place::Value) => return Err(refusal()),
                (false, _) => {}
                (true, Place::Conjunct) if is_column => {}
                (true, _) => *expr = guarded(expr.clone(), left.clone(), query.clone())?,
            }
            continue;
        }
        match expr {
            Expr::Nested(expr) => rest.push((expr, place)),
            Expr::BinaryOp { left, op: BinaryOperator::And, right } => {
                rest.extend([(&mut **left, place), (&mut **right, place)]);
            }
            Expr::BinaryOp { left, op: BinaryOperator::Or, right } => {
                rest.extend([(&mut **left, inner), (&mut **right, inner)]);
            }
            Expr::IsTrue(expr) => rest.push((expr, Place::Condition)),
            Expr::Case { operand: None, conditions, else_result, .. } => {
                for when in conditions {
                    rest.extend([(&mut when.condition, Place::Condition), (&mut when.result, inner)]);
                }
                rest.extend(else_result.iter_mut().map(|result| (&mut **result, inner)));
            }
            Expr::UnaryOp { op: UnaryOperator::Not, expr } => rest.push((expr, Place::Value)),
            _ if Visit::visit(expr, &mut Inside::default()).is_break() => return Err(refusal()),
            _ => {}
        }
    }
    Ok(())
}

/// True where `x NOT IN (SELECT 1)` cannot be unknown: the query has no rows, or neither x nor a value of it is NULL.
const GUARD: &str = "(SELECT count(*) FROM (SELECT 1) AS \"q\") = 0 \
    OR x IS NOT NULL AND (SELECT count(*) - count(\"v\") FROM (SELECT 1) AS \"q\"(\"v\")) = 0";

/// `outside`, which is `left NOT IN (query)`, false where it would be unknown.
fn guarded(outside: Expr, left: Expr, query: Query) -> Result<Expr> {
    let nested = |expr| Box::new(Expr::Nested(Box::new(expr)));
    let parsed =
        Parser::new(&GenericDialect {}).try_with_sql(GUARD).and_then(|mut parser| parser.parse_expr());
    let mut guard = parsed.map_err(|error| syntax(&error))?;
    // The visit cannot end early.
    let _ = VisitMut::visit(&mut guard, &mut Filling { left: Expr::Nested(Box::new(left)), query });
    let both = Expr::BinaryOp { left: nested(outside), op: BinaryOperator::And, right: nested(guard) };
    Ok(*nested(both))
}

/// Puts both sides into the guard, from inside to outside, so that neither is visited itself.
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

/// Refuses `NOT IN (SELECT …)` with columns from outside of the subquery, of which the planner knows.
///
/// # Errors
/// Usage.
pub fn check(plan: &LogicalPlan) -> EngineResult<()> {
    let is_correlated = |of: &InSubquery| !of.subquery.outer_ref_columns.is_empty();
    let check = |expr: &Planned| match expr {
        Planned::InSubquery(of) if of.negated && is_correlated(of) => Err(external(refusal())),
        Planned::Not(inner) => match &**inner {
            Planned::InSubquery(of) if is_correlated(of) => Err(external(refusal())),
            _ => Ok(TreeNodeRecursion::Continue),
        },
        _ => Ok(TreeNodeRecursion::Continue),
    };
    plan.apply_with_subqueries(|node| node.apply_expressions(|expr| expr.apply(check))).map(drop)
}

fn refusal() -> Error {
    Error::usage("NULLs in a subquery after IN would be ignored here: IN and NOT IN with (SELECT ...) are supported as conditions and parts of AND and OR, and NOT IN without columns from outside of the subquery")
        .hint("WHERE NOT EXISTS (SELECT 1 FROM r WHERE r.c = t.a), if there are no NULLs")
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
    match unnested(expr) {
        Expr::Subquery(query) => Some(query),
        _ => None,
    }
}

fn unnested(mut expr: &Expr) -> &Expr {
    while let Expr::Nested(inner) = expr {
        expr = inner;
    }
    expr
}

/// Looks for `IN (SELECT …)` outside of subqueries.
#[derive(Default)]
struct Inside {
    queries: usize,
}

impl Visitor for Inside {
    type Break = ();

    fn pre_visit_query(&mut self, _: &Query) -> ControlFlow<()> {
        self.queries += 1;
        ControlFlow::Continue(())
    }

    fn post_visit_query(&mut self, _: &Query) -> ControlFlow<()> {
        self.queries -= 1;
        ControlFlow::Continue(())
    }

    fn pre_visit_expr(&mut self, expr: &Expr) -> ControlFlow<()> {
        match self.queries == 0 && membership(expr).is_some() {
            true => ControlFlow::Break(()),
            false => ControlFlow::Continue(()),
        }
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
