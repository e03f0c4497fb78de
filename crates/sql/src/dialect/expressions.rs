//! Expressions: spells names as they were defined, and translates the syntax of S3 Select.

use std::ops::ControlFlow;

use datafusion::sql::sqlparser::ast::{
    AccessExpr, BinaryOperator, DataType, DateTimeField, Expr, Function, FunctionArg, FunctionArgExpr,
    FunctionArguments, Ident, ObjectName, ObjectNamePart, Query, Subscript, TypedString, UnaryOperator,
    Value, ValueWithSpan, VisitorMut,
};

use super::functions::{COMPLETE_TIMESTAMP, TIMEZONE_HOUR, TIMEZONE_MINUTE};
use super::ion::{IonTimestamp, completed};
use super::literals::{call, large, null, quoted_text, text, wider, written};
use super::membership::{among, is_membership, refusal};
use super::names::{Scope, quoted};
use super::rewrite::Rewriter;
use super::similar;
use super::tokens::{IS_DISTINCT_FROM, IS_NOT_DISTINCT_FROM};
use rread_text::error::{Error, Result};

pub(super) struct Walker<'w, 'a, 's> {
    rewriter: &'w mut Rewriter<'a>,
    scope: &'w Scope<'s>,
    /// Enclosing subqueries that are already rewritten.
    inside: usize,
    /// Whether the next `IN` stands after NOT.
    is_after_not: bool,
    /// The subquery after NOT IN that comes next.
    excluding: Option<*const Query>,
}

impl<'w, 'a, 's> Walker<'w, 'a, 's> {
    pub fn new(rewriter: &'w mut Rewriter<'a>, scope: &'w Scope<'s>) -> Self {
        Walker { rewriter, scope, inside: 0, is_after_not: false, excluding: None }
    }
}

impl VisitorMut for Walker<'_, '_, '_> {
    type Break = Error;

    fn pre_visit_query(&mut self, query: &mut Query) -> ControlFlow<Error> {
        if self.inside == 0 {
            let was_used = self.scope.is_used_inside.replace(false);
            // The left side may have a subquery too.
            let is_excluding = self.excluding.is_some_and(|excluding| std::ptr::eq(excluding, query));
            if let Err(error) = self.rewriter.query(query, self.scope) {
                return ControlFlow::Break(error);
            }
            if is_excluding && self.scope.is_used_inside.get() {
                return ControlFlow::Break(refusal());
            }
            self.scope.is_used_inside.set(was_used);
        }
        self.inside += 1;
        ControlFlow::Continue(())
    }

    fn post_visit_query(&mut self, _: &mut Query) -> ControlFlow<Error> {
        self.inside -= 1;
        ControlFlow::Continue(())
    }

    fn pre_visit_expr(&mut self, expr: &mut Expr) -> ControlFlow<Error> {
        if self.inside > 0 {
            return ControlFlow::Continue(());
        }
        if let Err(error) = rewrite(expr, self.scope, self.rewriter.from_zero) {
            return ControlFlow::Break(error);
        }
        match expr {
            Expr::UnaryOp { op: UnaryOperator::Not, expr } => self.is_after_not = is_membership(expr),
            Expr::InSubquery { negated, subquery, .. } => {
                let is_after_not = std::mem::take(&mut self.is_after_not);
                let is_excluding = *negated || is_after_not;
                self.excluding = is_excluding.then_some(&raw const **subquery);
            }
            _ => {}
        }
        ControlFlow::Continue(())
    }
}

fn rewrite(expr: &mut Expr, scope: &Scope<'_>, from_zero: bool) -> Result<()> {
    let is_all = matches!(expr, Expr::AllOp { .. });
    match expr {
        Expr::Identifier(name) => {
            if let Some((_, value)) = scope.shared(name)? {
                *expr = value;
            } else if let Some(new) = identifier(name, scope)? {
                *expr = new;
            }
        }
        Expr::CompoundIdentifier(path) => {
            if let Some(new) = scope.path(path)? {
                *expr = match <[Ident; 1]>::try_from(new) {
                    Ok([name]) => Expr::Identifier(name),
                    Err(path) => Expr::CompoundIdentifier(path),
                };
            }
        }
        Expr::CompoundFieldAccess { root, access_chain } => {
            fields(root, access_chain, scope)?;
            for access in access_chain {
                if let AccessExpr::Subscript(Subscript::Index { index }) = access {
                    item(index, from_zero)?;
                }
            }
        }
        Expr::Cast { expr, data_type, .. } => {
            wider(data_type);
            if matches!(data_type, DataType::Timestamp(..)) {
                complete(expr);
            }
        }
        Expr::TypedString(TypedString { data_type: DataType::Timestamp(..), value, .. }) => {
            if let Value::SingleQuotedString(text) = &mut value.value {
                *text = completed(text);
            }
        }
        Expr::Extract { field, expr: of, .. } => {
            keep_offset(of);
            let name = match field {
                DateTimeField::TimezoneHour => TIMEZONE_HOUR,
                DateTimeField::TimezoneMinute => TIMEZONE_MINUTE,
                _ => return Ok(()),
            };
            *expr = call(name, vec![std::mem::replace(&mut **of, null())]);
        }
        Expr::Function(function) => called(function),
        Expr::Like { pattern, escape_char, .. } | Expr::ILike { pattern, escape_char, .. } => {
            backslash(pattern, escape_char);
        }
        Expr::SimilarTo { pattern, escape_char, .. } => similar::rewrite(pattern, escape_char)?,
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

fn identifier(name: &Ident, scope: &Scope<'_>) -> Result<Option<Expr>> {
    if name.quote_style == Some('`') {
        let Some(timestamp) = IonTimestamp::parse(&name.value) else {
            return Ok(Some(Expr::Identifier(quoted(&name.value, name))));
        };
        if scope.single(name)?.is_none() {
            return Ok(Some(literal(&timestamp, "+00:00")));
        }
    }
    if let Some(name) = scope.single(name)? {
        return Ok(Some(Expr::Identifier(name)));
    }
    let missing = name.quote_style.is_none() && name.value.eq_ignore_ascii_case("missing");
    Ok(missing.then(null))
}

/// Spells the names in `root.a.b[0].c`: a column, then fields.
fn fields(root: &mut Expr, chain: &mut Vec<AccessExpr>, scope: &Scope<'_>) -> Result<()> {
    if let Expr::Identifier(first) = root {
        let names = chain.iter().map_while(|access| match access {
            AccessExpr::Dot(Expr::Identifier(name)) => Some(name.clone()),
            _ => None,
        });
        let path: Vec<Ident> = std::iter::once(first.clone()).chain(names).collect();
        if let Some(new) = scope.path(&path)? {
            let mut new = new.into_iter();
            if let Some(name) = new.next() {
                *first = name;
            }
            let steps: Vec<AccessExpr> = new.map(|name| AccessExpr::Dot(Expr::Identifier(name))).collect();
            chain.splice(..path.len() - 1, steps);
        }
    }
    // After an item, the engine takes fields only as text in brackets.
    let mut after_item = !matches!(root, Expr::Identifier(_));
    for access in chain {
        match access {
            AccessExpr::Dot(Expr::Identifier(name)) if after_item => {
                *access = AccessExpr::Subscript(Subscript::Index { index: text(name.value.clone()) });
            }
            AccessExpr::Dot(Expr::Identifier(name)) => *name = quoted(&name.value, name),
            _ => after_item = true,
        }
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

fn called(function: &mut Function) {
    let name = match function.name.0.as_slice() {
        [ObjectNamePart::Identifier(name)] => name.value.to_ascii_lowercase(),
        _ => return,
    };
    let FunctionArguments::List(list) = &mut function.args else { return };
    let count = list.args.len();
    let first = match list.args.first_mut() {
        Some(FunctionArg::Unnamed(FunctionArgExpr::Expr(expr))) => Some(expr),
        _ => None,
    };
    match (name.as_str(), first) {
        ("utcnow", None) if count == 0 => {
            function.name = ObjectName::from(Ident::new("now"));
        }
        ("date_add" | "date_diff", Some(part)) => {
            if let Expr::Identifier(Ident { value, quote_style: None, .. }) = part {
                *part = text(value.clone());
            }
        }
        ("to_string", Some(timestamp)) => keep_offset(timestamp),
        ("to_timestamp", Some(timestamp)) if count == 1 => complete(timestamp),
        _ => {}
    }
}

fn complete(expr: &mut Expr) {
    *expr = match written(expr) {
        Some(written) => text(completed(written)),
        None => call(COMPLETE_TIMESTAMP, vec![std::mem::replace(expr, null())]),
    };
}

/// Keeps the UTC offset of a literal timestamp; a timestamp from a column is in UTC.
fn keep_offset(expr: &mut Expr) {
    let text = match &*expr {
        Expr::Identifier(Ident { value, quote_style: Some('`'), .. }) => Some(value.as_str()),
        Expr::Cast { expr, data_type: DataType::Timestamp(..), .. } => written(expr),
        Expr::TypedString(TypedString { data_type: DataType::Timestamp(..), value, .. }) => {
            quoted_text(value)
        }
        Expr::Function(Function { name, args: FunctionArguments::List(list), .. })
            if name.to_string().eq_ignore_ascii_case("to_timestamp") =>
        {
            match list.args.as_slice() {
                [FunctionArg::Unnamed(FunctionArgExpr::Expr(of))] => written(of),
                _ => None,
            }
        }
        _ => None,
    };
    if let Some(timestamp) = text.and_then(IonTimestamp::parse)
        && let Some(offset) = &timestamp.offset
    {
        *expr = literal(&timestamp, offset);
    }
}

fn literal(timestamp: &IonTimestamp, offset: &str) -> Expr {
    let zoned = format!("Timestamp(Nanosecond, Some(\"{offset}\"))");
    call("arrow_cast", vec![text(timestamp.to_string()), text(zoned)])
}

/// The output name before rewriting. `None` for a plain or dotted name, whose definition determines the
/// spelling.
pub(super) fn label(expr: &Expr) -> Option<String> {
    match expr {
        Expr::Identifier(name)
            if name.quote_style == Some('`') && IonTimestamp::parse(&name.value).is_some() =>
        {
            Some(expr.to_string())
        }
        Expr::Identifier(_) | Expr::CompoundIdentifier(_) => None,
        Expr::CompoundFieldAccess { access_chain, .. } => {
            let last = match access_chain.last() {
                Some(AccessExpr::Dot(Expr::Identifier(name))) => Some(name.value.as_str()),
                Some(AccessExpr::Subscript(Subscript::Index { index })) => written(index),
                _ => None,
            };
            Some(last.map_or_else(|| expr.to_string(), str::to_owned))
        }
        _ => Some(expr.to_string()),
    }
}
