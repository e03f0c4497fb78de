//! What literals of a query mean beside columns: dates, times and numbers as they are spelt in the file, truths, levels of a log.

use datafusion::arrow::datatypes::DataType;
use datafusion::common::tree_node::{Transformed, TreeNode};
use datafusion::common::{DFSchema, Result, ScalarValue};
use datafusion::error::DataFusionError;
use datafusion::logical_expr::expr::InList;
use datafusion::logical_expr::expr_rewriter::NamePreserver;
use datafusion::logical_expr::planner::{ExprPlanner, PlannerResult, RawBinaryExpr};
use datafusion::logical_expr::utils::merge_schema;
use datafusion::logical_expr::{Between, Cast, Expr, ExprSchemable, Like, LogicalPlan, TryCast, cast};
use datafusion::sql::sqlparser::ast::BinaryOperator;

use crate::plans::external;
use crate::text::{LEVEL, RowPlace, TEXT, TIME, literal_number, literal_time, type_name};
use rread_text::level::{level_of, levels};
use rread_text::timestamp::in_zone;
use rread_text::{Error, Forms, setting};

/// `flag = 'true'` and `flag = 1` mean what they say, numbers and dates what they say in the file, and times of a log what
/// they say in a window.
#[derive(Clone, Debug, Default)]
pub struct Literals {
    /// How the numbers and dates of all tables are written.
    pub forms: Forms,
    /// The zone of times that a user types; `None` is that of the system.
    pub zone: Option<String>,
}

impl ExprPlanner for Literals {
    fn plan_binary_op(&self, expr: RawBinaryExpr, schema: &DFSchema) -> Result<PlannerResult<RawBinaryExpr>> {
        use BinaryOperator::{Eq, Gt, GtEq, Lt, LtEq, NotEq};
        if !matches!(expr.op, Eq | NotEq | Gt | GtEq | Lt | LtEq) {
            return Ok(PlannerResult::Original(expr));
        }
        let RawBinaryExpr { op, left, right } = expr;
        if !matches!(op, Eq | NotEq) && [&left, &right].iter().any(|side| is_of_log(side, LEVEL, schema)) {
            let error = Error::usage(format!("{LEVEL} is a word, and words have no order of severity"));
            return Err(external(error.hint("_level IN ('warn', 'error', 'fatal')")));
        }
        let (new_left, new_right) = (self.meant(&left, &right, schema)?, self.meant(&right, &left, schema)?);
        let (left, right) = (new_left.unwrap_or(left), new_right.unwrap_or(right));
        Ok(PlannerResult::Original(RawBinaryExpr { op, left, right }))
    }
}

impl Literals {
    /// The literal in the type of the expression that it is compared with, if only that can be meant.
    ///
    /// # Errors
    /// A word is none of those that a column has.
    pub fn meant(&self, literal: &Expr, beside: &Expr, schema: &DFSchema) -> Result<Option<Expr>> {
        let Expr::Literal(value, _) = literal else { return Ok(None) };
        let text = value.try_as_str().flatten();
        if let Some(text) =
            text.filter(|text| is_of_log(beside, LEVEL, schema) && !levels().any(|of| of == *text))
        {
            let error = Error::usage(format!("{LEVEL} is never '{text}'"));
            let all = levels().collect::<Vec<_>>().join(", ");
            let meant = level_of(text.as_bytes()).map_or(String::new(), |of| format!("{LEVEL} = '{of}'; "));
            return Err(external(error.hint(format!("{meant}the levels are {all}"))));
        }
        let Ok(of) = beside.get_type(schema) else { return Ok(None) };
        let meant = match (of, text) {
            (DataType::Boolean, _) => truth(value).map(|truth| ScalarValue::Boolean(Some(truth))),
            (DataType::Date32, Some(text)) => literal_time(text, self.forms)
                .filter(|(_, is_zoned)| !is_zoned)
                .map(|(micros, _)| ScalarValue::TimestampMicrosecond(Some(micros), None)),
            (DataType::Timestamp(_, zone), Some(text)) => literal_time(text, self.forms)
                .filter(|(_, is_zoned)| !is_zoned || zone.is_some())
                .and_then(|(micros, is_zoned)| match is_zoned || !is_of_log(beside, TIME, schema) {
                    true => Some(micros),
                    false => in_zone(micros, self.zone.as_deref()),
                })
                .map(|micros| ScalarValue::TimestampMicrosecond(Some(micros), zone)),
            (of, Some(text)) if of.is_numeric() => literal_number(text, self.forms).map(ScalarValue::from),
            _ => None,
        };
        Ok(meant.map(|meant| Expr::Literal(meant, None)))
    }
}

/// The meaning of 1, 'true' and the like.
fn truth(value: &ScalarValue) -> Option<bool> {
    let text = match value {
        ScalarValue::Int64(Some(number)) => number.to_string(),
        _ => value.try_as_str()??.trim().to_ascii_lowercase(),
    };
    let is_true = ["true", "t", "yes", "1"].contains(&&*text);
    (is_true || ["false", "f", "no", "0"].contains(&&*text)).then_some(is_true)
}

/// Whether an expression is the column `name` of a log.
fn is_of_log(expr: &Expr, name: &str, schema: &DFSchema) -> bool {
    let has = |name| schema.has_column_with_unqualified_name(name);
    matches!(expr, Expr::Column(column) if column.name == name) && has(RowPlace::Line.name()) && has(TEXT)
}

/// The plan, in which every LIKE has text on its left, and literals everywhere mean what those of comparisons do.
pub fn settled(plan: LogicalPlan, literals: &Literals) -> Result<LogicalPlan> {
    let settled = plan.transform_up_with_subqueries(|plan| {
        let schema = merge_schema(&plan.inputs());
        let changed = changed(plan, |expr| settled_expr(expr, &schema, literals))?;
        if changed.transformed { changed.map_data(LogicalPlan::recompute_schema) } else { Ok(changed) }
    });
    Ok(settled?.data)
}

/// The node with other expressions of the same names.
pub(super) fn changed(
    node: LogicalPlan,
    change: impl Fn(Expr) -> Result<Transformed<Expr>>,
) -> Result<Transformed<LogicalPlan>> {
    let names = NamePreserver::new(&node);
    node.map_expressions(|expr| {
        let name = names.save(&expr);
        Ok(expr.transform_up(&change)?.update_data(|expr| name.restore(expr)))
    })
}

fn settled_expr(expr: Expr, schema: &DFSchema, literals: &Literals) -> Result<Transformed<Expr>> {
    let meant = |literal: Expr, beside: &Expr| {
        Ok::<_, DataFusionError>(literals.meant(&literal, beside, schema)?.unwrap_or(literal))
    };
    Ok(Transformed::yes(match expr {
        Expr::Like(like) if !may_be_text(&like.expr, schema) => {
            may_match(&like, &like.expr.get_type(schema)?)?;
            let text = Box::new(cast(*like.expr, DataType::Utf8));
            Expr::Like(Like { expr: text, ..like })
        }
        Expr::InList(InList { expr, list, negated }) => {
            let list = list.into_iter().map(|item| meant(item, &expr)).collect::<Result<_>>()?;
            Expr::InList(InList { expr, list, negated })
        }
        Expr::Between(Between { expr, negated, low, high }) => {
            let (low, high) = (Box::new(meant(*low, &expr)?), Box::new(meant(*high, &expr)?));
            Expr::Between(Between { expr, negated, low, high })
        }
        Expr::ScalarFunction(mut call) if call.func.name() == "get_field" => {
            let map = call.args.first().map(|map| map.get_type(schema)).transpose()?;
            if let (Some(DataType::Map(entries, _)), Some(Expr::Literal(key, _))) =
                (map, call.args.get_mut(1))
                && let DataType::Struct(pair) = entries.data_type()
                && let Some(of) = pair.first()
            {
                *key = key.cast_to(of.data_type())?;
            }
            Expr::ScalarFunction(call)
        }
        Expr::Cast(Cast { ref expr, ref field }) | Expr::TryCast(TryCast { ref expr, ref field })
            if matches!(field.data_type(), DataType::Date32 | DataType::Timestamp(..))
                && expr.get_type(schema)?.is_integer() =>
        {
            let error = Error::usage("a number is not a date: it may count seconds, or write 20260131");
            let hint = "to_timestamp(column) counts seconds; to_date(column::text, '%Y%m%d')";
            return Err(external(error.hint(hint)));
        }
        other => return Ok(Transformed::no(other)),
    }))
}

/// Refuses a pattern with a sign that the text of no value of the type has.
fn may_match(like: &Like, of: &DataType) -> Result<()> {
    let Expr::Literal(pattern, _) = &*like.pattern else { return Ok(()) };
    let pattern = pattern.try_as_str().flatten().unwrap_or_default();
    // Those that dates, times and numbers have, and those of the pattern.
    let is_other = |c: char| !c.is_ascii_alphanumeric() && !"-:.+%_\\".contains(c);
    let Some(sign) = pattern.chars().find(|c| is_other(*c)) else { return Ok(()) };
    let name = like.expr.try_as_col().map_or_else(|| like.expr.to_string(), |column| column.name.clone());
    let of = type_name(of);
    let error = Error::usage(format!("{name} is {of}, and LIKE compares its text, which has no `{sign}`"));
    let text =
        format!(" '{name}:utf8' compares the text of the file; a {of} is compared with =, < and BETWEEN");
    Err(external(error.hint(setting("schema").then(text))))
}

fn may_be_text(expr: &Expr, schema: &DFSchema) -> bool {
    expr.get_type(schema).map_or(true, |of| !(of.is_temporal() || of.is_numeric() || of == DataType::Boolean))
}
