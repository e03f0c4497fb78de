//! Checked `+`, `-` and `*` of integers.
//!
//! The planner of the engine always creates wrapping operators. This rule replaces them as soon as types are
//! known: before constant folding, which would fold wrong numbers.

use std::sync::Arc;

use datafusion::arrow::array::{ArrayRef, Datum};
use datafusion::arrow::compute::kernels::numeric;
use datafusion::arrow::datatypes::{DataType, Field, FieldRef};
use datafusion::arrow::error::ArrowError;
use datafusion::common::config::ConfigOptions;
use datafusion::common::tree_node::{Transformed, TreeNode};
use datafusion::common::{DFSchema, ScalarValue};
use datafusion::error::{DataFusionError, Result};
use datafusion::logical_expr::expr::ScalarFunction;
use datafusion::logical_expr::expr_rewriter::NamePreserver;
use datafusion::logical_expr::utils::merge_schema;
use datafusion::logical_expr::{
    BinaryExpr, ColumnarValue, Expr, ExprSchemable, LogicalPlan, Operator, ReturnFieldArgs,
    ScalarFunctionArgs, ScalarUDF, ScalarUDFImpl, Signature, Volatility,
};
use datafusion::optimizer::AnalyzerRule;
use datafusion::physical_expr_common::datum::apply;

#[derive(Debug)]
pub(super) struct Exact;

impl AnalyzerRule for Exact {
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
    if plan.transformed { plan.map_data(LogicalPlan::recompute_schema) } else { Ok(plan) }
}

/// Its operands are replaced already.
fn checked(expr: Expr, schema: &DFSchema) -> Result<Transformed<Expr>> {
    let (operation, operands) = match expr {
        Expr::BinaryExpr(BinaryExpr { left, op, right }) => match Operation::of(op) {
            Some(operation) => (operation, vec![*left, *right]),
            None => return Ok(Transformed::no(Expr::BinaryExpr(BinaryExpr { left, op, right }))),
        },
        Expr::Negative(operand) => (Operation::Negate, vec![*operand]),
        other => return Ok(Transformed::no(other)),
    };
    let mut types = Vec::with_capacity(operands.len());
    for operand in &operands {
        types.push(data_type(operand, schema)?);
    }
    match types.first() {
        Some(first) if types.iter().all(|operand| operation.overflows(operand)) => {
            let function = ScalarUDF::from(Checked::new(operation, first.clone()));
            let function = ScalarFunction::new_udf(Arc::new(function), operands);
            Ok(Transformed::yes(Expr::ScalarFunction(function)))
        }
        _ => operation.engines(operands).map(Transformed::no),
    }
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

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
enum Operation {
    Add,
    Subtract,
    Multiply,
    Negate,
}

type Kernel = fn(&dyn Datum, &dyn Datum) -> std::result::Result<ArrayRef, ArrowError>;

impl Operation {
    /// `None` if the engine does not let it wrap around.
    fn of(operator: Operator) -> Option<Self> {
        match operator {
            Operator::Plus => Some(Self::Add),
            Operator::Minus => Some(Self::Subtract),
            Operator::Multiply => Some(Self::Multiply),
            _ => None,
        }
    }

    fn binary(self) -> Option<(Operator, Kernel)> {
        match self {
            Self::Add => Some((Operator::Plus, numeric::add)),
            Self::Subtract => Some((Operator::Minus, numeric::sub)),
            Self::Multiply => Some((Operator::Multiply, numeric::mul)),
            Self::Negate => None,
        }
    }

    /// The engine checks decimals and timestamps; unsigned integers cannot be negated.
    fn overflows(self, operand: &DataType) -> bool {
        if self == Self::Negate { operand.is_signed_integer() } else { operand.is_integer() }
    }

    fn engines(self, operands: Vec<Expr>) -> Result<Expr> {
        let mut operands = operands.into_iter().map(Box::new);
        match (self.binary(), operands.next(), operands.next()) {
            (Some((op, _)), Some(left), Some(right)) => Ok(Expr::BinaryExpr(BinaryExpr { left, op, right })),
            (None, Some(operand), None) => Ok(Expr::Negative(operand)),
            _ => Err(miscounted()),
        }
    }
}

#[derive(Debug, PartialEq, Eq, Hash)]
struct Checked {
    operation: Operation,
    data_type: DataType,
    signature: Signature,
}

impl Checked {
    fn new(operation: Operation, data_type: DataType) -> Self {
        let operands = if operation == Operation::Negate { 1 } else { 2 };
        Self { operation, data_type, signature: Signature::any(operands, Volatility::Immutable) }
    }

    /// Prints the operation like the engine does.
    fn written(&self, names: &[String]) -> Result<String> {
        match (self.operation.binary(), names) {
            (Some((operator, _)), [left, right]) => Ok(format!("{left} {operator} {right}")),
            (None, [operand]) => Ok(format!("(- {operand})")),
            _ => Err(miscounted()),
        }
    }
}

impl ScalarUDFImpl for Checked {
    fn name(&self) -> &'static str {
        match self.operation {
            Operation::Add => "checked_add",
            Operation::Subtract => "checked_subtract",
            Operation::Multiply => "checked_multiply",
            Operation::Negate => "checked_negate",
        }
    }

    fn schema_name(&self, operands: &[Expr]) -> Result<String> {
        let names: Vec<String> = operands.iter().map(|operand| operand.schema_name().to_string()).collect();
        self.written(&names)
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
        match (self.operation.binary(), args.args.as_slice()) {
            (Some((_, kernel)), [left, right]) => apply(left, right, kernel),
            (None, [ColumnarValue::Array(operand)]) => Ok(ColumnarValue::Array(numeric::neg(operand)?)),
            (None, [ColumnarValue::Scalar(operand)]) => {
                let negated = numeric::neg(&operand.to_array()?)?;
                Ok(ColumnarValue::Scalar(ScalarValue::try_from_array(&negated, 0)?))
            }
            _ => Err(miscounted()),
        }
    }
}

fn miscounted() -> DataFusionError {
    DataFusionError::Internal("an operation with too few or too many operands".to_owned())
}
