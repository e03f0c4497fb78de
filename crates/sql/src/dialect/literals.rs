//! Builds and widens literals, types and calls.

use datafusion::arrow::datatypes::DECIMAL128_MAX_PRECISION;
use datafusion::sql::sqlparser::ast::{
    CastKind, DataType, ExactNumberInfo, Expr, Function, FunctionArg, FunctionArgExpr, FunctionArgumentList,
    FunctionArguments, Ident, ObjectName, Value, ValueWithSpan,
};

/// Converts a whole number above `most` to a decimal: the engine would use a float, which loses digits.
pub(super) fn large(expr: &mut Expr, most: u64) {
    let Expr::Value(value) = &*expr else { return };
    let Value::Number(digits, _) = &value.value else { return };
    let digits = digits.trim_start_matches('0');
    let is_whole = digits.bytes().all(|byte| byte.is_ascii_digit());
    let fits = digits.is_empty() || digits.parse().is_ok_and(|number: u64| number <= most);
    if !is_whole || fits || digits.len() > usize::from(DECIMAL128_MAX_PRECISION) {
        return;
    }
    *expr = Expr::Cast {
        kind: CastKind::Cast,
        expr: Box::new(text(digits.to_owned())),
        data_type: DataType::Decimal(ExactNumberInfo::PrecisionAndScale(DECIMAL128_MAX_PRECISION.into(), 0)),
        array: false,
        format: None,
    };
}

/// S3 Select documents 64 bits for integers and floats.
pub(super) fn wider(data_type: &mut DataType) {
    match data_type {
        DataType::Int(None) | DataType::Integer(None) => *data_type = DataType::BigInt(None),
        DataType::Float(ExactNumberInfo::None) => *data_type = DataType::Double(ExactNumberInfo::None),
        _ => {}
    }
}

pub(super) fn written(expr: &Expr) -> Option<&str> {
    match expr {
        Expr::Value(value) => quoted_text(value),
        _ => None,
    }
}

pub(super) fn quoted_text(value: &ValueWithSpan) -> Option<&str> {
    match &value.value {
        Value::SingleQuotedString(text) => Some(text),
        _ => None,
    }
}

pub(super) fn text(text: String) -> Expr {
    Expr::value(Value::SingleQuotedString(text))
}

pub(super) fn null() -> Expr {
    Expr::value(Value::Null)
}

pub(super) fn call(name: &str, args: Vec<Expr>) -> Expr {
    let args = args.into_iter().map(|arg| FunctionArg::Unnamed(FunctionArgExpr::Expr(arg))).collect();
    Expr::Function(Function {
        name: ObjectName::from(Ident::new(name)),
        uses_odbc_syntax: false,
        parameters: FunctionArguments::None,
        args: FunctionArguments::List(FunctionArgumentList {
            duplicate_treatment: None,
            args,
            clauses: Vec::new(),
        }),
        filter: None,
        null_treatment: None,
        over: None,
        within_group: Vec::new(),
    })
}
