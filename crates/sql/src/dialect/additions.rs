//! What the dialect adds to the engine: the function `pattern`, and literals beside booleans and UUIDs.

use std::sync::Arc;

use datafusion::arrow::array::builder::StringViewBuilder;
use datafusion::arrow::array::{Array, AsArray};
use datafusion::arrow::datatypes::DataType;
use datafusion::common::{DFSchema, Result, ScalarValue, exec_datafusion_err};
use datafusion::execution::FunctionRegistry;
use datafusion::logical_expr::planner::{ExprPlanner, PlannerResult, RawBinaryExpr};
use datafusion::logical_expr::{ColumnarValue, Expr, ExprSchemable, Volatility, create_udf};
use datafusion::prelude::SessionContext;
use datafusion::sql::sqlparser::ast::BinaryOperator;

use rread_text::masking::mask;

/// Registers what the dialect adds to the engine.
pub fn register(context: &SessionContext) {
    let text = DataType::Utf8View;
    let pattern = create_udf("pattern", vec![text.clone()], text, Volatility::Immutable, Arc::new(patterns));
    context.register_udf(pattern);
    let state = context.state_ref();
    // It fails only for registries without planners.
    let _ = state.write().register_expr_planner(Arc::new(Literals));
}

/// What lines of one kind have in common, as `rread stat --patterns` counts it: of the first line of each text.
fn patterns(arguments: &[ColumnarValue]) -> Result<ColumnarValue> {
    let arrays = ColumnarValue::values_to_arrays(arguments)?;
    let texts = arrays.first().and_then(|array| array.as_string_view_opt());
    let texts = texts.ok_or_else(|| exec_datafusion_err!("pattern takes one text"))?;
    let (mut patterns, mut room) = (StringViewBuilder::with_capacity(texts.len()), Vec::new());
    for text in texts {
        let Some(text) = text else {
            patterns.append_null();
            continue;
        };
        room.clear();
        mask(text.split('\n').next().unwrap_or_default().as_bytes(), &mut room);
        patterns.append_value(String::from_utf8_lossy(&room));
    }
    Ok(ColumnarValue::Array(Arc::new(patterns.finish())))
}

/// `flag = 'true'`, `flag = 1` and `id = '0b9a7c55-…'` mean what they say.
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
