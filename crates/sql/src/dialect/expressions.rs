//! Translates expressions that the engine would misunderstand.

use datafusion::arrow::datatypes::DECIMAL128_MAX_PRECISION;
use datafusion::sql::sqlparser::ast::{
    AccessExpr, BinaryOperator, CastKind, DataType, ExactNumberInfo, Expr, Function, FunctionArg,
    FunctionArgExpr, FunctionArgumentList, FunctionArguments, Ident, ObjectName, Subscript, UnaryOperator,
    Value, ValueWithSpan,
};

use super::membership::among;
use super::tokens::{IS_DISTINCT_FROM, IS_NOT_DISTINCT_FROM};
use rread_text::error::{Error, Result};

/// Translates `expr`, whose names are spelt; `from_zero` says that list indexes count from 0.
pub(super) fn translate(expr: &mut Expr, from_zero: bool) -> Result<()> {
    let is_all = matches!(expr, Expr::AllOp { .. });
    match expr {
        Expr::CompoundFieldAccess { access_chain, .. } => {
            for access in access_chain {
                if let AccessExpr::Subscript(Subscript::Index { index }) = access {
                    item(index, from_zero)?;
                }
            }
        }
        Expr::Cast { data_type, .. } => wider(data_type),
        Expr::Like { pattern, escape_char, .. } | Expr::ILike { pattern, escape_char, .. } => {
            backslash(pattern, escape_char);
        }
        Expr::SimilarTo { pattern, escape_char, .. } => similar(pattern, escape_char)?,
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

/// The engine counts items from 1.
fn item(index: &mut Expr, from_zero: bool) -> Result<()> {
    if let Expr::Value(value) = index {
        let Value::Number(digits, _) = &mut value.value else { return Ok(()) };
        let Ok(number) = digits.parse::<u64>() else { return Ok(()) };
        if from_zero {
            *digits = number.saturating_add(1).to_string();
        } else if number == 0 {
            return Err(Error::usage(
                "lists are counted from 1, so [0] is not an item; only FROM s3object counts from 0, as S3 Select does",
            )
            .hint("list[1]"));
        }
        return Ok(());
    }
    if from_zero {
        let number = Expr::Nested(Box::new(std::mem::replace(index, null())));
        let one = Expr::value(Value::Number("1".to_owned(), false));
        *index = Expr::BinaryOp { left: Box::new(number), op: BinaryOperator::Plus, right: Box::new(one) };
    }
    Ok(())
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

/// `SIMILAR TO`: the engine takes the pattern for a regular expression. Converts a pattern of the SQL standard, which matches all of a text and in which `%` and `_` stand for text.
fn similar(pattern: &mut Expr, escape: &mut Option<ValueWithSpan>) -> Result<()> {
    if *pattern == null() {
        return Ok(());
    }
    let Some(old) = written(pattern) else {
        return Err(Error::usage("SIMILAR TO needs its pattern as a text in quotes")
            .hint("s ~ ('^(' || pattern || ')$'), with a regular expression"));
    };
    let sign = match escape.as_ref().map(|escape| &escape.value) {
        Some(Value::SingleQuotedString(sign)) => sign.parse::<char>().ok(),
        _ => Some('\\'),
    };
    *pattern = text(expression(old, sign));
    *escape = None;
    Ok(())
}

fn expression(pattern: &str, escape: Option<char>) -> String {
    let mut out = String::from("^(?s:");
    let mut rest = pattern.chars();
    let mut in_brackets = false;
    while let Some(c) = rest.next() {
        match c {
            c if Some(c) == escape => literal(&mut out, rest.next().unwrap_or(c)),
            '[' | ']' => {
                in_brackets = c == '[';
                out.push(c);
            }
            c if in_brackets => out.push(c),
            '%' => out.push_str(".*"),
            '_' => out.push('.'),
            '(' => out.push_str("(?:"),
            '|' | '*' | '+' | '?' | '{' | '}' | ')' => out.push(c),
            c => literal(&mut out, c),
        }
    }
    out + ")$"
}

fn literal(out: &mut String, c: char) {
    // Not all punctuation: `\<` is the start of a word.
    if r"\.+*?()|[]{}^$#&-~".contains(c) {
        out.push('\\');
    }
    out.push(c);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_pattern_of_the_standard_is_a_regular_expression() {
        let rows = [
            ("ab", "^(?s:ab)$"),
            ("%(b|c)", "^(?s:.*(?:b|c))$"),
            ("a_c%", "^(?s:a.c.*)$"),
            (r"a.c\%", r"^(?s:a\.c%)$"),
            ("[%_.]{2}", "^(?s:[%_.]{2})$"),
            ("<a> & \"b\"%", r#"^(?s:<a> \& "b".*)$"#),
        ];
        for (pattern, expected) in rows {
            assert_eq!(expression(pattern, Some('\\')), expected, "{pattern}");
        }
        assert_eq!(expression(r"50!%\", Some('!')), r"^(?s:50%\\)$");
    }
}
