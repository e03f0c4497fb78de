//! Literals beside booleans and UUIDs: `flag = 'true'`, `flag = 1` and `id = '0b9a7c55-…'` mean what they say.

use std::sync::Arc;

use datafusion::arrow::datatypes::DataType;
use datafusion::common::{DFSchema, Result, ScalarValue};
use datafusion::execution::FunctionRegistry;
use datafusion::logical_expr::planner::{ExprPlanner, PlannerResult, RawBinaryExpr};
use datafusion::logical_expr::{Expr, ExprSchemable};
use datafusion::prelude::SessionContext;
use datafusion::sql::sqlparser::ast::BinaryOperator;

pub(super) fn register(context: &SessionContext) {
    let state = context.state_ref();
    // It fails only for registries without planners.
    let _ = state.write().register_expr_planner(Arc::new(Literals));
}

#[derive(Debug)]
struct Literals;

impl ExprPlanner for Literals {
    fn plan_binary_op(&self, expr: RawBinaryExpr, schema: &DFSchema) -> Result<PlannerResult<RawBinaryExpr>> {
        use BinaryOperator::{Eq, Gt, GtEq, Lt, LtEq, NotEq};
        if !matches!(expr.op, Eq | NotEq | Gt | GtEq | Lt | LtEq) {
            return Ok(PlannerResult::Original(expr));
        }
        let RawBinaryExpr { op, left, right } = expr;
        let (left, right) = match (&left, &right) {
            (Expr::Literal(..), Expr::Literal(..)) => (left, right),
            (Expr::Literal(value, _), other) => (meant(value, other, schema).unwrap_or(left), right),
            (other, Expr::Literal(value, _)) => {
                let meant = meant(value, other, schema);
                (left, meant.unwrap_or(right))
            }
            _ => (left, right),
        };
        Ok(PlannerResult::Original(RawBinaryExpr { op, left, right }))
    }
}

/// The literal in the type of the expression that it is compared with, if only that can be meant.
fn meant(value: &ScalarValue, beside: &Expr, schema: &DFSchema) -> Option<Expr> {
    let meant = match (beside.get_type(schema).ok()?, value) {
        (DataType::Boolean, ScalarValue::Int64(Some(number @ 0..=1))) => {
            ScalarValue::Boolean(Some(*number == 1))
        }
        (DataType::Boolean, text) => {
            let text = text.try_as_str()??;
            let is = |words: [&str; 4]| words.iter().any(|word| text.trim().eq_ignore_ascii_case(word));
            let truth = is(["true", "t", "yes", "1"]);
            ScalarValue::Boolean(
                Some(truth).filter(|truth| *truth || is(["false", "f", "no", "0"])).map(Some)?,
            )
        }
        (DataType::FixedSizeBinary(16), text) => {
            let digits: String = text.try_as_str()??.chars().filter(|c| *c != '-').collect();
            let number = u128::from_str_radix(&digits, 16).ok().filter(|_| digits.len() == 32)?;
            ScalarValue::FixedSizeBinary(16, Some(number.to_be_bytes().to_vec()))
        }
        _ => return None,
    };
    Some(Expr::Literal(meant, None))
}
