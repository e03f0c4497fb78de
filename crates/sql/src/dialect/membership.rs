//! `IN (SELECT …)`: refused where the engine would take an unknown answer for false.
//!
//! `x NOT IN (…)` is unknown, not true, if x or a value of the query is NULL. The engine keeps to that only for a condition
//! of its own, whose query needs nothing from outside of it.

use std::ops::ControlFlow;

use datafusion::sql::sqlparser::ast::{BinaryOperator, Expr, Query, UnaryOperator, Visit, Visitor};

use super::literals::null;
use rread_text::error::{Error, Result};

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

/// Refuses what the engine would get wrong. A chain of AND may have thousands of members, so this does not recurse.
pub(super) fn check(expr: &Expr, place: Place) -> Result<()> {
    let mut rest = vec![(expr, place)];
    while let Some((expr, place)) = rest.pop() {
        let inner = if place == Place::Conjunct { Place::Condition } else { place };
        match expr {
            Expr::Nested(expr) => rest.push((expr, place)),
            Expr::BinaryOp { left, op: BinaryOperator::And, right } => {
                rest.extend([(&**left, place), (&**right, place)]);
            }
            Expr::BinaryOp { left, op: BinaryOperator::Or, right } => {
                rest.extend([(&**left, inner), (&**right, inner)]);
            }
            Expr::IsTrue(expr) => rest.push((expr, Place::Condition)),
            Expr::Case { operand: None, conditions, else_result, .. } => {
                for when in conditions {
                    rest.extend([(&when.condition, Place::Condition), (&when.result, inner)]);
                }
                rest.extend(else_result.iter().map(|result| (&**result, inner)));
            }
            Expr::UnaryOp { op: UnaryOperator::Not, expr } => match membership(expr) {
                Some((left, is_negated)) => rest.push(checked(left, !is_negated, place)?),
                None => rest.push((expr, Place::Value)),
            },
            _ => match membership(expr) {
                Some((left, is_negated)) => rest.push(checked(left, is_negated, place)?),
                None if expr.visit(&mut Inside::default()).is_break() => return Err(refusal()),
                None => {}
            },
        }
    }
    Ok(())
}

/// The left side of `x IN (SELECT …)` that is right in its place.
fn checked(left: &Expr, is_negated: bool, place: Place) -> Result<(&Expr, Place)> {
    let is_constant = matches!(left, Expr::Value(_));
    let is_right = if is_negated { place == Place::Conjunct && !is_constant } else { place != Place::Value };
    if is_right { Ok((left, Place::Value)) } else { Err(refusal()) }
}

pub(super) fn refusal() -> Error {
    Error::usage("NULLs in a subquery after IN would be ignored here: NOT IN (SELECT ...) is supported as a condition by itself or beside AND, for a column, and without columns from outside of the subquery")
        .hint("WHERE NOT EXISTS (SELECT 1 FROM r WHERE r.c = t.a), if there are no NULLs")
}

/// Whether it is `x IN (SELECT …)`, also in parentheses or as ANY or ALL.
pub(super) fn is_membership(expr: &Expr) -> bool {
    membership(expr).is_some()
}

/// The left side of `x IN (SELECT …)`, and whether NOT stands before IN.
fn membership(expr: &Expr) -> Option<(&Expr, bool)> {
    match expr {
        Expr::Nested(expr) => membership(expr),
        Expr::InSubquery { expr, negated, .. } => Some((expr, *negated)),
        Expr::AnyOp { left, compare_op: BinaryOperator::Eq, right, .. } if is_query(right) => {
            Some((left, false))
        }
        Expr::AllOp { left, compare_op: BinaryOperator::NotEq, right } if is_query(right) => {
            Some((left, true))
        }
        _ => None,
    }
}

fn is_query(expr: &Expr) -> bool {
    match expr {
        Expr::Nested(expr) => is_query(expr),
        _ => matches!(expr, Expr::Subquery(_)),
    }
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
    let expr = Box::new(std::mem::replace(left, null()));
    Ok(Some(Expr::InSubquery { expr, subquery: subquery.clone(), negated }))
}
