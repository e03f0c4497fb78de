//! `SUMMARIZE`: one query that computes the statistics of all columns in one pass, and makes a row for each column.

use std::sync::Arc;

use datafusion::arrow::datatypes::{DataType, SchemaRef};
use datafusion::config::Dialect;
use datafusion::error::Result;
use datafusion::execution::SessionState;
use datafusion::sql::parser::Statement;

use super::dialect::in_quotes;
use super::text::type_name;

/// What is summarized: the table of this name or `t`, or the rows of a query.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Summarized<'a> {
    Table(Option<&'a str>),
    Query(&'a str),
}

/// What `sql` summarizes, if it is `SUMMARIZE`, `SUMMARIZE t` or `SUMMARIZE SELECT …`.
pub fn summarized(sql: &str) -> Option<Summarized<'_>> {
    let rest = after(sql.trim(), "SUMMARIZE")?;
    let rest = rest.trim_end_matches(|c: char| c == ';' || c.is_whitespace());
    let rest = after(rest, "TABLE").filter(|name| !name.is_empty()).unwrap_or(rest);
    if ["SELECT", "WITH", "FROM", "VALUES"].iter().any(|verb| after(rest, verb).is_some())
        || rest.starts_with('(')
    {
        return Some(Summarized::Query(rest));
    }
    match rest.strip_prefix('"').and_then(|rest| rest.strip_suffix('"')) {
        Some(name) => Some(Summarized::Table(Some(name))),
        None if rest.is_empty() => Some(Summarized::Table(None)),
        None => Some(Summarized::Table(Some(rest))),
    }
}

/// The text after the word `first`, which is in any case.
fn after<'a>(text: &'a str, first: &str) -> Option<&'a str> {
    let head = text.get(..first.len())?;
    let rest = &text[first.len()..];
    let is_word =
        rest.is_empty() || rest.starts_with(|c: char| c.is_whitespace() || matches!(c, ';' | '(' | '"'));
    (head.eq_ignore_ascii_case(first) && is_word).then(|| rest.trim_start())
}

/// What a query asks for.
pub enum Asked {
    Rows(Statement),
    SummaryOfTable(String, SchemaRef),
    SummaryOfRows(Statement),
}

impl Asked {
    /// The query in the SQL of the engine.
    pub async fn statement(self, state: &SessionState) -> Result<Statement> {
        let sql = match self {
            Asked::Rows(statement) => return Ok(statement),
            Asked::SummaryOfTable(name, schema) => query(&in_quotes(&name), &schema),
            Asked::SummaryOfRows(rows) => {
                let source = format!("({rows}) AS \"summarized\"");
                let plan = state.statement_to_plan(rows).await?;
                query(&source, &Arc::clone(plan.schema().inner()))
            }
        };
        state.sql_to_statement(&sql, &Dialect::Generic)
    }
}

/// The query that summarizes `source`, a table or a query in the SQL of the engine, with the columns of `schema`.
fn query(source: &str, schema: &SchemaRef) -> String {
    let rows: Vec<String> =
        schema.fields().iter().map(|field| row(field.name(), field.data_type())).collect();
    let columns: Vec<String> =
        NAMES.iter().map(|name| format!("get_field(\"s\", '{name}') AS \"{name}\"")).collect();
    // Each member is an expression of aggregates; the table is read once for all of them.
    format!(
        "SELECT {} FROM (SELECT unnest(make_array({})) AS \"s\" FROM {source}) AS \"rows\"",
        columns.join(", "),
        rows.join(", ")
    )
}

/// The columns of the result.
const NAMES: [&str; 12] = [
    "column_name",
    "column_type",
    "min",
    "max",
    "approx_unique",
    "avg",
    "std",
    "q25",
    "q50",
    "q75",
    "count",
    "null_percentage",
];

fn row(name: &str, of: &DataType) -> String {
    let column = in_quotes(name);
    let text = |value: &str| format!("'{}'", value.replace('\'', "''"));
    let as_text = |value: String| format!("CAST({value} AS VARCHAR)");
    let none = |as_type: &str| format!("CAST(NULL AS {as_type})");
    let has_order = !(of.is_nested() || of.is_null() || is_binary(of));
    let [min, max] = ["min", "max"].map(|function| match has_order {
        true => as_text(format!("{function}({column})")),
        false => none("VARCHAR"),
    });
    let unique = match has_order {
        true => format!("CAST(approx_distinct(CAST({column} AS VARCHAR)) AS BIGINT)"),
        false => none("BIGINT"),
    };
    let [avg, std] = ["avg", "stddev"].map(|function| match of.is_numeric() {
        true => format!("CAST({function}(CAST({column} AS DOUBLE)) AS DOUBLE)"),
        false => none("DOUBLE"),
    });
    let [q25, q50, q75] = ["0.25", "0.5", "0.75"].map(|part| match of {
        of if of.is_numeric() => as_text(format!("approx_percentile_cont(CAST({column} AS DOUBLE), {part})")),
        DataType::Date32 => {
            let days = format!("approx_percentile_cont(CAST(CAST({column} AS INT) AS DOUBLE), {part})");
            as_text(format!("CAST(CAST(round({days}) AS INT) AS DATE)"))
        }
        DataType::Timestamp(..) => {
            let seconds = format!("approx_percentile_cont(CAST(to_unixtime({column}) AS DOUBLE), {part})");
            as_text(format!("to_timestamp_seconds(CAST(round({seconds}) AS BIGINT))"))
        }
        _ => none("VARCHAR"),
    });
    let nulls = format!(
        "CASE WHEN count(*) = 0 THEN NULL ELSE round(100.0 * CAST(count(*) - count({column}) AS DOUBLE) / CAST(count(*) AS DOUBLE), 2) END"
    );
    let values = [
        text(name),
        text(&type_name(of)),
        min,
        max,
        unique,
        avg,
        std,
        q25,
        q50,
        q75,
        "count(*)".to_owned(),
        nulls,
    ];
    let members: Vec<String> =
        NAMES.iter().zip(values).map(|(name, value)| format!("'{name}', {value}")).collect();
    format!("named_struct({})", members.join(", "))
}

fn is_binary(of: &DataType) -> bool {
    use DataType::{Binary, BinaryView, FixedSizeBinary, LargeBinary};
    matches!(of, Binary | BinaryView | FixedSizeBinary(_) | LargeBinary)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_summary_is_of_a_table_or_of_a_query() {
        for (sql, expected) in [
            ("SUMMARIZE", Some(Summarized::Table(None))),
            (" summarize t ; ", Some(Summarized::Table(Some("t")))),
            ("SUMMARIZE TABLE t", Some(Summarized::Table(Some("t")))),
            ("SUMMARIZE table", Some(Summarized::Table(Some("table")))),
            ("SUMMARIZE \"In stock\"", Some(Summarized::Table(Some("In stock")))),
            ("Summarize select a FROM t", Some(Summarized::Query("select a FROM t"))),
            ("SUMMARIZE (SELECT 1)", Some(Summarized::Query("(SELECT 1)"))),
            ("SUMMARIZED", None),
            ("SELECT summarize", None),
            ("", None),
        ] {
            assert_eq!(summarized(sql), expected, "{sql}");
        }
    }
}
