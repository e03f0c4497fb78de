//! Translates expressions that the engine would misunderstand.

use datafusion::arrow::datatypes::DECIMAL128_MAX_PRECISION;
use datafusion::sql::sqlparser::ast::{
    AccessExpr, BinaryOperator, CastKind, DataType, ExactNumberInfo, Expr, Subscript, UnaryOperator, Value,
    ValueWithSpan,
};

use super::membership::among;
use super::tokens::{IS_DISTINCT_FROM, IS_NOT_DISTINCT_FROM};
use rread_text::{Error, Result};

/// Translates `expr`, whose names are spelt.
pub(super) fn translate(expr: &mut Expr) -> Result<()> {
    let is_all = matches!(expr, Expr::AllOp { .. });
    match expr {
        Expr::CompoundFieldAccess { access_chain, .. } if access_chain.iter().any(is_item_0) => {
            let message = "lists are counted from 1, so [0] is not an item";
            return Err(Error::usage(message).hint("list[1]"));
        }
        Expr::Cast { data_type, .. } => wider(data_type),
        Expr::Like { pattern, escape_char, .. } | Expr::ILike { pattern, escape_char, .. } => {
            backslash(pattern, escape_char);
        }
        Expr::BinaryOp { op: BinaryOperator::BitwiseXor, .. } => {
            let message = "^ is a power in some databases, and an exclusive or in others";
            return Err(Error::usage(message)
                .hint("power(a, b), and for an exclusive or (a | b) - (a & b), or a <> b of conditions"));
        }
        Expr::BinaryOp { op: op @ (BinaryOperator::Arrow | BinaryOperator::LongArrow), .. } => {
            return Err(Error::usage(format!("the operator {op} is not supported"))
                .hint("x.member, if x is a column of objects; unnest(list) makes rows of a list"));
        }
        // The engine would take the pattern for a regular expression.
        Expr::SimilarTo { .. } => {
            return Err(Error::usage("SIMILAR TO is not supported")
                .hint("s ~ '^(a|b)$', with a regular expression, or LIKE"));
        }
        Expr::BinaryOp { left, op: BinaryOperator::Custom(op), right } => {
            let (left, right) = (Box::new(std::mem::replace(&mut **left, null())), right.clone());
            match op.as_str() {
                IS_DISTINCT_FROM => *expr = Expr::IsDistinctFrom(left, right),
                IS_NOT_DISTINCT_FROM => *expr = Expr::IsNotDistinctFrom(left, right),
                _ => {}
            }
        }
        Expr::AnyOp { left, compare_op, right, .. } | Expr::AllOp { left, compare_op, right } => {
            if let Some(new) = among(left, compare_op, right, is_all)? {
                *expr = new;
            }
        }
        Expr::UnaryOp { op: UnaryOperator::Minus, expr: number } => {
            large(number, i64::MIN.unsigned_abs());
        }
        Expr::Value(_) => large(expr, u64::MAX),
        _ => {}
    }
    Ok(())
}

fn is_item_0(access: &AccessExpr) -> bool {
    let AccessExpr::Subscript(Subscript::Index { index: Expr::Value(value) }) = access else { return false };
    matches!(&value.value, Value::Number(digits, _) if digits.parse() == Ok(0u64))
}

/// The engine supports only backslash as escape.
fn backslash(pattern: &mut Expr, escape: &mut Option<ValueWithSpan>) {
    let Some(Value::SingleQuotedString(sign)) = escape.as_ref().map(|escape| &escape.value) else { return };
    let (Ok(sign), Some(old)) = (sign.parse::<char>(), written(pattern)) else { return };
    if sign == '\\' {
        return;
    }
    let mut new = String::with_capacity(old.len() + 1);
    let mut rest = old.chars();
    while let Some(c) = rest.next() {
        match c {
            c if c == sign => {
                new.push('\\');
                new.extend(rest.next());
            }
            '\\' => new.push_str("\\\\"),
            c => new.push(c),
        }
    }
    *pattern = text(new);
    *escape = None;
}

/// Converts a whole number above `most` to a decimal: the engine would use a float, which loses digits.
fn large(expr: &mut Expr, most: u64) {
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

/// Integers and floats have 64 bits, so that neither overflows nor loses digits that the other type would hold.
fn wider(data_type: &mut DataType) {
    match data_type {
        DataType::Int(None) | DataType::Integer(None) => *data_type = DataType::BigInt(None),
        DataType::Float(ExactNumberInfo::None) => *data_type = DataType::Double(ExactNumberInfo::None),
        _ => {}
    }
}

/// The text of a literal.
fn written(expr: &Expr) -> Option<&str> {
    match expr {
        Expr::Value(ValueWithSpan { value: Value::SingleQuotedString(text), .. }) => Some(text),
        _ => None,
    }
}

pub(super) fn text(text: String) -> Expr {
    Expr::value(Value::SingleQuotedString(text))
}

pub(super) fn null() -> Expr {
    Expr::value(Value::Null)
}
