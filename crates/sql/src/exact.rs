//! Exact numbers: an overflow is an error, while the engine's own arithmetic wraps around.
//!
//! Here are checked `+`, `-`, `*`, `<<` and `>>` of integers, `+`, `-`, `*` and `/` of decimals, and `sum` and `avg`. The planner
//! of the engine always creates wrapping operators. A rule replaces them as soon as types are known: before constant folding,
//! which would fold wrong numbers.

use std::ops::RangeInclusive;
use std::sync::Arc;

use datafusion::arrow::array::{Array, ArrayRef, AsArray, Decimal128Array};
use datafusion::arrow::compute::kernels::numeric;
use datafusion::arrow::compute::{CastOptions, cast, cast_with_options};
use datafusion::arrow::datatypes::{DataType, Decimal128Type, Decimal256Type, Field, FieldRef};
use datafusion::arrow::error::ArrowError;
use datafusion::arrow::util::display::array_value_to_string;
use datafusion::common::config::ConfigOptions;
use datafusion::common::tree_node::{Transformed, TreeNode};
use datafusion::common::{DFSchema, internal_err, not_impl_err, plan_err};
use datafusion::error::Result;
use datafusion::logical_expr::expr::{AggregateFunction, ScalarFunction};
use datafusion::logical_expr::expr_rewriter::NamePreserver;
use datafusion::logical_expr::utils::merge_schema;
use datafusion::logical_expr::{
    BinaryExpr, Cast, ColumnarValue, Expr, ExprSchemable, LogicalPlan, Operator, Projection, ReturnFieldArgs,
    ScalarFunctionArgs, ScalarUDF, ScalarUDFImpl, Signature, Volatility, WindowFunctionDefinition,
};
use datafusion::optimizer::AnalyzerRule;
use datafusion::physical_expr_common::datum::apply;
use datafusion::prelude::SessionContext;

/// Comparisons stay unchanged, so that the engine still skips data by the statistics of a file.
pub fn register(context: &SessionContext) {
    context.add_analyzer_rule(Arc::new(ExactRule));
}

/// Registers what the rule puts into plans, for plans that come from another process: there, each call has its type.
pub fn register_operators(context: &SessionContext) {
    use Operator::{BitwiseShiftLeft, BitwiseShiftRight, Divide, Minus, Multiply, Plus};
    let of_two = [Plus, Minus, Multiply, Divide, BitwiseShiftLeft, BitwiseShiftRight];
    for (operator, operands) in
        of_two.map(|operator| (operator, 2)).into_iter().chain([(Minus, 1), (Plus, 1)])
    {
        context.register_udf(function(operator, operands, DataType::Int64));
    }
}

#[derive(Debug)]
struct ExactRule;

impl AnalyzerRule for ExactRule {
    fn name(&self) -> &'static str {
        "exact"
    }

    fn analyze(&self, plan: LogicalPlan, _: &ConfigOptions) -> Result<LogicalPlan> {
        Ok(plan.transform_up_with_subqueries(exact)?.data)
    }
}

fn exact(plan: LogicalPlan) -> Result<Transformed<LogicalPlan>> {
    let schema = merge_schema(&plan.inputs());
    let names = NamePreserver::new(&plan);
    let plan = plan.map_expressions(|expr| {
        let name = names.save(&expr);
        let expr = expr.transform_up(|expr| checked(expr, &schema))?;
        Ok(expr.update_data(|expr| name.restore(expr)))
    })?;
    let plan = if plan.transformed { plan.map_data(LogicalPlan::recompute_schema)? } else { plan };
    plan.transform_data(|plan| exact_aggregates(plan, &schema))
}

fn checked(expr: Expr, schema: &DFSchema) -> Result<Transformed<Expr>> {
    let Some((operator, data_type)) = overflowing(&expr, schema)? else { return Ok(Transformed::no(expr)) };
    let operands = match expr {
        Expr::BinaryExpr(BinaryExpr { left, right, .. }) => vec![*left, *right],
        Expr::Negative(operand) => vec![*operand],
        other => return Ok(Transformed::no(other)),
    };
    Ok(Transformed::yes(checked_call(operator, operands, data_type)))
}

fn checked_call(operator: Operator, operands: Vec<Expr>, data_type: DataType) -> Expr {
    let function = function(operator, operands.len(), data_type);
    Expr::ScalarFunction(ScalarFunction::new_udf(Arc::new(function), operands))
}

fn function(operator: Operator, operands: usize, data_type: DataType) -> ScalarUDF {
    let name = match (operator, operands) {
        (Operator::Plus, 1) => "checked_result",
        (_, 1) => "checked_negate",
        (Operator::Plus, _) => "checked_add",
        (Operator::Minus, _) => "checked_subtract",
        (Operator::BitwiseShiftLeft, _) => "checked_shift_left",
        (Operator::BitwiseShiftRight, _) => "checked_shift_right",
        (Operator::Divide, _) => "checked_divide",
        _ => "checked_multiply",
    };
    let signature = Signature::any(operands, Volatility::Immutable);
    ScalarUDF::from(Checked { name, operator, data_type, signature })
}

/// The operator and the type of `expr` if the engine would let it wrap around, or cut digits of a decimal: the engine checks
/// timestamps, and unsigned integers cannot be negated.
fn overflowing(expr: &Expr, schema: &DFSchema) -> Result<Option<(Operator, DataType)>> {
    match expr {
        Expr::BinaryExpr(BinaryExpr {
            left,
            op:
                op @ (Operator::Plus
                | Operator::Minus
                | Operator::Multiply
                | Operator::Divide
                | Operator::BitwiseShiftLeft
                | Operator::BitwiseShiftRight),
            right,
        }) => {
            let (left, right) = (data_type(left, schema)?, data_type(right, schema)?);
            if is_decimal(&left) && is_decimal(&right) {
                return Ok(Some((*op, expr.get_type(schema)?)));
            }
            let is_wrapping = *op != Operator::Divide && left.is_integer() && right.is_integer();
            Ok(is_wrapping.then_some((*op, left)))
        }
        Expr::Negative(operand) => {
            let operand = data_type(operand, schema)?;
            Ok(operand.is_signed_integer().then_some((Operator::Minus, operand)))
        }
        _ => Ok(None),
    }
}

/// Of 38 or 76 digits.
fn is_decimal(data_type: &DataType) -> bool {
    matches!(data_type, DataType::Decimal128(..) | DataType::Decimal256(..))
}

/// A checked function stores its type, so that a long chain is not walked again and again.
fn data_type(expr: &Expr, schema: &DFSchema) -> Result<DataType> {
    if let Expr::ScalarFunction(function) = expr
        && let Some(checked) = function.func.inner().downcast_ref::<Checked>()
    {
        return Ok(checked.data_type.clone());
    }
    expr.get_type(schema)
}

/// With one operand, `operator` is the sign of a number; `+` only changes its type.
#[derive(Debug, PartialEq, Eq, Hash)]
struct Checked {
    name: &'static str,
    operator: Operator,
    data_type: DataType,
    signature: Signature,
}

impl ScalarUDFImpl for Checked {
    fn name(&self) -> &'static str {
        self.name
    }

    fn schema_name(&self, operands: &[Expr]) -> Result<String> {
        match operands {
            [operand] => Ok(format!("({} {})", self.operator, operand.schema_name())),
            [left, right] => Ok(format!("{} {} {}", left.schema_name(), self.operator, right.schema_name())),
            _ => internal_err!("an operation with too few or too many operands"),
        }
    }

    fn signature(&self) -> &Signature {
        &self.signature
    }

    fn return_type(&self, _: &[DataType]) -> Result<DataType> {
        Ok(self.data_type.clone())
    }

    fn return_field_from_args(&self, args: ReturnFieldArgs<'_>) -> Result<FieldRef> {
        let nullable = args.arg_fields.iter().any(|field| field.is_nullable());
        Ok(Arc::new(Field::new(self.name(), self.data_type.clone(), nullable)))
    }

    fn invoke_with_args(&self, args: ScalarFunctionArgs) -> Result<ColumnarValue> {
        match (args.args.as_slice(), self.operator) {
            ([operand], Operator::Plus) => {
                Ok(ColumnarValue::Array(narrow(&operand.to_array(1)?, args.return_field.data_type())?))
            }
            ([operand], _) => Ok(ColumnarValue::Array(numeric::neg(&operand.to_array(1)?)?)),
            ([left, right], operator) if is_decimal(args.return_field.data_type()) => {
                decimal(left, right, operator, args.return_field.data_type(), args.number_rows)
            }
            ([left, right], Operator::Plus) => apply(left, right, numeric::add),
            ([left, right], Operator::Minus) => apply(left, right, numeric::sub),
            ([left, right], Operator::BitwiseShiftLeft | Operator::BitwiseShiftRight) => shift(
                left,
                right,
                self.operator == Operator::BitwiseShiftLeft,
                args.return_field.data_type(),
                args.number_rows,
            ),
            ([left, right], _) => apply(left, right, numeric::mul),
            _ => internal_err!("an operation with too few or too many operands"),
        }
    }
}

/// The processor shifts by the lowest bits of the count: by 0 instead of 64. Here, a shift that loses bits to the left is an
/// overflow, and to the right nothing but the sign is left.
fn shift(
    left: &ColumnarValue,
    right: &ColumnarValue,
    to_left: bool,
    data_type: &DataType,
    rows: usize,
) -> Result<ColumnarValue> {
    let strict = CastOptions { safe: false, ..CastOptions::default() };
    let wide = |value: &ColumnarValue| -> Result<ArrayRef> {
        Ok(cast_with_options(&value.to_array(rows)?, &DataType::Decimal128(38, 0), &strict)?)
    };
    let (numbers, counts) = (wide(left)?, wide(right)?);
    let pairs =
        numbers.as_primitive::<Decimal128Type>().iter().zip(counts.as_primitive::<Decimal128Type>().iter());
    let range = range_of(data_type);
    let shifted = pairs.map(|(number, count)| {
        let (Some(number), Some(count)) = (number, count) else { return Ok(None) };
        let fitting = shifted(number, count, to_left).filter(|shifted| range.contains(shifted));
        fitting.map(Some).ok_or_else(|| {
            let sign = if to_left { "<<" } else { ">>" };
            ArrowError::ArithmeticOverflow(format!("Overflow happened on: {number} {sign} {count}"))
        })
    });
    let wide: Decimal128Array = shifted.collect::<Result<_, ArrowError>>()?;
    let wide = wide.with_precision_and_scale(38, 0)?;
    Ok(ColumnarValue::Array(cast_with_options(&wide, data_type, &strict)?))
}

/// The numbers of a type of integers.
fn range_of(data_type: &DataType) -> RangeInclusive<i128> {
    let bits = data_type.primitive_width().unwrap_or(8) * 8;
    if data_type.is_signed_integer() {
        -(1 << (bits - 1))..=(1 << (bits - 1)) - 1
    } else {
        0..=(1 << bits) - 1
    }
}

/// Numbers have at most 64 bits.
fn shifted(number: i128, count: i128, to_left: bool) -> Option<i128> {
    let count = u32::try_from(count).ok()?;
    match to_left {
        true if number == 0 => Some(0),
        true if count < 64 => number.checked_mul(1 << count),
        true => None,
        false => Some(number >> count.min(127)),
    }
}

/// A result of decimals in its type: the engine neither refuses one with more digits nor rounds a quotient.
fn decimal(
    left: &ColumnarValue,
    right: &ColumnarValue,
    operator: Operator,
    to: &DataType,
    rows: usize,
) -> Result<ColumnarValue> {
    let result = match operator {
        Operator::Plus => apply(left, right, numeric::add)?,
        Operator::Minus => apply(left, right, numeric::sub)?,
        Operator::Divide => {
            let quotient = apply(&longer(left, 1)?, &longer(right, 0)?, numeric::div)?;
            // It has a digit more, and a cast rounds half up.
            quotient.cast_to(to, None)?
        }
        _ => apply(left, right, numeric::mul)?,
    };
    let array = result.to_array(rows)?;
    let fits = match array.data_type() {
        DataType::Decimal128(digits, _) => {
            array.as_primitive::<Decimal128Type>().validate_decimal_precision(*digits)
        }
        DataType::Decimal256(digits, _) => {
            array.as_primitive::<Decimal256Type>().validate_decimal_precision(*digits)
        }
        _ => Ok(()),
    };
    let name = to.to_string().to_lowercase();
    let overflow =
        || ArrowError::ArithmeticOverflow(format!("a result of {operator} does not fit in {name}"));
    fits.map(|()| result).map_err(|_| overflow().into())
}

/// Decimals of 76 digits, with `more` after the point.
fn longer(numbers: &ColumnarValue, more: i8) -> Result<ColumnarValue> {
    let (DataType::Decimal128(_, scale) | DataType::Decimal256(_, scale)) = numbers.data_type() else {
        return internal_err!("an operand is not a decimal");
    };
    numbers.cast_to(&DataType::Decimal256(76, scale + more), None)
}

/// Computes sums and averages of `plan` in a wider type, and results that fit in the type of the query.
fn exact_aggregates(plan: LogicalPlan, inputs: &DFSchema) -> Result<Transformed<LogicalPlan>> {
    if !matches!(plan, LogicalPlan::Aggregate(_) | LogicalPlan::Window(_)) {
        return Ok(Transformed::no(plan));
    }
    let schema = Arc::clone(plan.schema());
    let wide = plan.map_expressions(|expr| expr.transform_up(|expr| widened(expr, inputs)))?;
    if !wide.transformed {
        return Ok(wide);
    }
    let wide = wide.data.recompute_schema()?;
    let results = schema.iter().zip(wide.schema().iter()).map(|((table, field), wide)| {
        let result = Expr::from(wide);
        if field.data_type() == wide.1.data_type() {
            return result;
        }
        checked_call(Operator::Plus, vec![result], field.data_type().clone())
            .alias_qualified(table.cloned(), field.name())
    });
    let results = results.collect();
    Ok(Transformed::yes(LogicalPlan::Projection(Projection::try_new(results, Arc::new(wide))?)))
}

/// Casts the number of a sum or an average to the type in which the engine computes it without overflow.
fn widened(mut expr: Expr, schema: &DFSchema) -> Result<Transformed<Expr>> {
    let (function, numbers) = match &mut expr {
        Expr::AggregateFunction(AggregateFunction { func, params }) => (func, &mut params.args),
        Expr::WindowFunction(call) => match &mut call.fun {
            WindowFunctionDefinition::AggregateUDF(function)
                if call.params.distinct
                    && !call.params.window_frame.start_bound.is_unbounded()
                    && ["sum", "avg"].contains(&function.name()) =>
            {
                return not_impl_err!("{}(DISTINCT) of a frame that moves", function.name());
            }
            WindowFunctionDefinition::AggregateUDF(function) => (function, &mut call.params.args),
            WindowFunctionDefinition::WindowUDF(_) => return Ok(Transformed::no(expr)),
        },
        _ => return Ok(Transformed::no(expr)),
    };
    let [number] = numbers.as_mut_slice() else { return Ok(Transformed::no(expr)) };
    let data_type = data_type(number, schema)?;
    let wide = match function.name() {
        "sum" => wide_for_sum(&data_type)?,
        "avg" => wide_for_average(&data_type),
        _ => None,
    };
    let Some(wide) = wide else { return Ok(Transformed::no(expr)) };
    let mut whole = std::mem::take(number);
    if matches!(data_type, DataType::Duration(_)) {
        whole = Expr::Cast(Cast::new(Box::new(whole), DataType::Int64));
    }
    *number = Expr::Cast(Cast::new(Box::new(whole), wide));
    Ok(Transformed::yes(expr))
}

/// The decimal that holds sums of 2^64 numbers.
fn wide_for_sum(numbers: &DataType) -> Result<Option<DataType>> {
    Ok(match numbers {
        DataType::Int64 | DataType::UInt64 | DataType::Duration(_) => Some(DataType::Decimal128(38, 0)),
        DataType::Decimal32(_, scale) | DataType::Decimal64(_, scale) => {
            Some(DataType::Decimal128(38, *scale))
        }
        // The type of a sum has ten digits more than its numbers, up to 38 or 76.
        DataType::Decimal128(28.., scale) => Some(DataType::Decimal256(76, *scale)),
        DataType::Decimal256(66.., _) => return plan_err!("sum takes decimals of at most 65 digits"),
        _ => None,
    })
}

/// One digit more, which decides how the last one is rounded: half up. An average has four more than its numbers.
fn wide_for_average(numbers: &DataType) -> Option<DataType> {
    match numbers {
        DataType::Decimal128(digits @ ..=33, scale @ ..=32) => {
            Some(DataType::Decimal128(digits + 1, scale + 1))
        }
        DataType::Decimal128(digits, scale @ ..=32) => Some(DataType::Decimal256(digits + 1, scale + 1)),
        DataType::Decimal256(digits, scale @ ..=70) => {
            Some(DataType::Decimal256((digits + 1).min(76), scale + 1))
        }
        _ => None,
    }
}

/// The result of a sum or an average in its type `to`.
fn narrow(results: &ArrayRef, to: &DataType) -> Result<ArrayRef> {
    let number = if matches!(to, DataType::Duration(_)) { &DataType::Int64 } else { to };
    // A result that does not fit becomes NULL.
    let narrow = cast(results, number)?;
    let is_lost = |row: &usize| narrow.is_null(*row) && results.is_valid(*row);
    match (0..results.len()).find(is_lost).filter(|_| narrow.null_count() > results.null_count()) {
        None => Ok(cast(&narrow, to)?),
        Some(row) => {
            let (sum, to) = (array_value_to_string(results, row)?, to.to_string().to_lowercase());
            Err(ArrowError::ArithmeticOverflow(format!("the sum {sum} does not fit in {to}")).into())
        }
    }
}
