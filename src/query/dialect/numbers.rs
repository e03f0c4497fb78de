//! Number literals and types for which the engine would keep too few digits.

use datafusion::arrow::datatypes::DECIMAL128_MAX_PRECISION;
use datafusion::sql::sqlparser::ast::{CastKind, DataType, ExactNumberInfo, Expr, Value};

use super::expressions::text;

/// Converts a whole number above `most` to a decimal: the engine would use a float, which loses digits. A
/// number too long for a decimal stays unchanged.
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
