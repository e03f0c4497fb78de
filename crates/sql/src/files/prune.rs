//! Files that a query excludes by `_file` or by partitions: they are not opened.

use std::collections::BTreeSet;
use std::ops::ControlFlow;
use std::path::PathBuf;
use std::sync::Arc;

use datafusion::arrow::array::{Array, ArrayRef, Int64Array, RecordBatch, StringArray};
use datafusion::arrow::compute::cast;
use datafusion::arrow::datatypes::{DataType, Field, Schema};
use datafusion::datasource::MemTable;
use datafusion::error::Result as EngineResult;
use datafusion::prelude::SessionContext;
use datafusion::sql::sqlparser::ast::{
    BinaryOperator, Expr, SetExpr, Statement, TableFactor, TableWithJoins, Visit, Visitor,
    visit_expressions_mut, visit_relations,
};
use datafusion::sql::sqlparser::dialect::GenericDialect;
use datafusion::sql::sqlparser::parser::Parser;

use super::partition::{Partitions, decoded};
use super::set::FILE;
use crate::{dialect, like};
use rread_source::named_objects::Conditions;
use rread_text::error::Result;

/// The name of the column with the place of a file.
const PLACE: &str = "_place";

/// The places of the files that the query may have rows of, in their order. All of them, unless the conditions after its
/// WHERE exclude some by their names alone.
pub(super) async fn kept(paths: &[PathBuf], partitions: &Partitions, sql: &str) -> Result<Vec<usize>> {
    let all = || (0..paths.len()).collect();
    let mut columns: Vec<String> = partitions.keys.iter().map(|(key, _)| key.clone()).collect();
    columns.push(FILE.to_owned());
    let conditions = conditions(sql, &columns);
    if conditions.is_empty() {
        return Ok(all());
    }
    // What cannot be evaluated here is evaluated with the rows, and complains there.
    let found = evaluated(paths, partitions, &columns, &conditions.join(" AND ")).await;
    let found: Option<BTreeSet<usize>> = found.ok().flatten();
    Ok(found.map_or_else(all, |found| found.into_iter().collect()))
}

/// The conditions of a query, for directories whose files are not listed yet.
#[derive(Clone, Debug)]
pub struct PartitionConditions {
    sql: String,
}

impl PartitionConditions {
    /// The conditions of `sql`.
    pub fn of(sql: &str) -> Self {
        PartitionConditions { sql: sql.to_owned() }
    }
}

impl Conditions for PartitionConditions {
    fn bound(&self, key: &str) -> bool {
        !conditions(&self.sql, &[decoded(key)]).is_empty()
    }

    fn keeps(&self, directories: &[PathBuf]) -> Vec<bool> {
        // The last part of a path is the name of a file.
        let files: Vec<PathBuf> = directories.iter().map(|directory| directory.join("*")).collect();
        let partitions = Partitions::of(&files, &[]);
        let runtime = tokio::runtime::Builder::new_current_thread().build();
        let kept = match (partitions.keys.is_empty(), runtime) {
            (false, Ok(runtime)) => {
                let keys: Vec<String> = partitions.keys.iter().map(|(key, _)| key.clone()).collect();
                let conditions = conditions(&self.sql, &keys).join(" AND ");
                let found = runtime.block_on(evaluated(&files, &partitions, &keys, &conditions));
                found.ok().flatten().filter(|_| !conditions.is_empty())
            }
            _ => None,
        };
        (0..directories.len()).map(|place| kept.as_ref().is_none_or(|kept| kept.contains(&place))).collect()
    }
}

/// Whether `name` is a word of the query.
pub(super) fn names(sql: &str, name: &str) -> bool {
    dialect::names_any(sql, &[(name.to_owned(), String::new())])
}

async fn evaluated(
    paths: &[PathBuf],
    partitions: &Partitions,
    columns: &[String],
    condition: &str,
) -> EngineResult<Option<BTreeSet<usize>>> {
    let mut names = columns.to_vec();
    names.push(PLACE.to_owned());
    let sql = format!("SELECT {PLACE} FROM t WHERE {condition}");
    let Ok(statement) = dialect::statement(&sql, &["t".to_owned()], &|_| Ok(names.clone()), &[]) else {
        return Ok(None);
    };
    let context = SessionContext::new();
    dialect::register(&context);
    context.register_table("t", Arc::new(listed(paths, partitions)?))?;
    let plan = like::on_text(context.state().statement_to_plan(statement).await?)?;
    let mut found = BTreeSet::new();
    for batch in context.execute_logical_plan(plan).await?.collect().await? {
        let Some(places) = batch.column(0).as_any().downcast_ref::<Int64Array>() else { return Ok(None) };
        found.extend(places.iter().flatten().filter_map(|place| usize::try_from(place).ok()));
    }
    Ok(Some(found))
}

/// A row for each file: its partitions, its path and its place.
fn listed(paths: &[PathBuf], partitions: &Partitions) -> EngineResult<MemTable> {
    let (mut fields, mut columns): (Vec<Field>, Vec<ArrayRef>) = (Vec::new(), Vec::new());
    for (nth, (key, of)) in partitions.keys.iter().enumerate() {
        let text: StringArray = (0..paths.len()).map(|place| partitions.at(place, nth)).collect();
        fields.push(Field::new(key, of.clone(), true));
        columns.push(cast(&text, of)?);
    }
    let names: StringArray = paths.iter().map(|path| Some(path.to_string_lossy())).collect();
    fields.push(Field::new(FILE, DataType::Utf8View, true));
    columns.push(cast(&names, &DataType::Utf8View)?);
    let places: Int64Array = (0..paths.len()).map(|place| i64::try_from(place).ok()).collect();
    debug_assert_eq!(places.len(), paths.len());
    fields.push(Field::new(PLACE, DataType::Int64, true));
    columns.push(Arc::new(places));
    let schema = Arc::new(Schema::new(fields));
    let batch = RecordBatch::try_new(Arc::clone(&schema), columns)?;
    MemTable::try_new(schema, vec![vec![batch]])
}

/// The conditions joined by AND after the WHERE of a query of one table that are about `columns` alone.
fn conditions(sql: &str, columns: &[String]) -> Vec<String> {
    let Ok(mut statements) = Parser::parse_sql(&GenericDialect {}, sql) else { return Vec::new() };
    let (Some(statement), 0) = (statements.pop(), statements.len()) else { return Vec::new() };
    let mut tables = 0;
    let _ = visit_relations(&statement, |_| {
        tables += 1;
        ControlFlow::<()>::Continue(())
    });
    let Statement::Query(query) = statement else { return Vec::new() };
    let SetExpr::Select(select) = *query.body else { return Vec::new() };
    let table = match &select.from[..] {
        [TableWithJoins { relation: TableFactor::Table { name, alias, .. }, joins }] if joins.is_empty() => {
            alias.as_ref().map_or_else(|| name.to_string(), |alias| alias.name.value.clone())
        }
        _ => return Vec::new(),
    };
    let mut found = Vec::new();
    if let Some(condition) = select.selection.filter(|_| tables == 1) {
        divide(condition, &mut |mut part| {
            if is_about(&part, columns, &table) {
                let _ = visit_expressions_mut(&mut part, |expr| {
                    bare(expr);
                    ControlFlow::<()>::Continue(())
                });
                found.push(format!("({part})"));
            }
        });
    }
    found
}

fn divide(condition: Expr, take: &mut impl FnMut(Expr)) {
    match condition {
        Expr::BinaryOp { left, op: BinaryOperator::And, right } => {
            divide(*left, take);
            divide(*right, take);
        }
        Expr::Nested(inner) => divide(*inner, take),
        other => take(other),
    }
}

/// The name of a column without that of its table.
fn bare(expr: &mut Expr) {
    if let Expr::CompoundIdentifier(parts) = expr
        && let [_, name] = &parts[..]
    {
        *expr = Expr::Identifier(name.clone());
    }
}

/// Whether every name in `condition` is one of `columns`, possibly of `table`, and at least one is.
fn is_about(condition: &Expr, columns: &[String], table: &str) -> bool {
    struct Names<'a> {
        columns: &'a [String],
        table: &'a str,
        found: usize,
    }
    impl Visitor for Names<'_> {
        type Break = ();

        fn pre_visit_expr(&mut self, expr: &Expr) -> ControlFlow<()> {
            let name = match expr {
                Expr::Identifier(name) => name,
                Expr::CompoundIdentifier(parts) => match &parts[..] {
                    // `a.day` may be a member of the column a.
                    [table, name] if table.value.eq_ignore_ascii_case(self.table) => name,
                    _ => return ControlFlow::Break(()),
                },
                Expr::Subquery(_) | Expr::InSubquery { .. } | Expr::Exists { .. } => {
                    return ControlFlow::Break(());
                }
                _ => return ControlFlow::Continue(()),
            };
            self.found += 1;
            if self.columns.iter().any(|column| column.eq_ignore_ascii_case(&name.value)) {
                ControlFlow::Continue(())
            } else {
                ControlFlow::Break(())
            }
        }
    }
    let mut names = Names { columns, table, found: 0 };
    condition.visit(&mut names).is_continue() && names.found > 0
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn directories_are_excluded_before_their_files_are_listed() {
        let days: Vec<PathBuf> =
            ["s3://b/p/day=2026-11-01/", "s3://b/p/day=2026-11-02/"].map(PathBuf::from).into();
        for (sql, is_bound, expected) in [
            ("SELECT * FROM t WHERE day = '2026-11-02'", true, [false, true]),
            ("SELECT * FROM t WHERE Day > DATE '2026-11-01' AND a = 1", true, [false, true]),
            ("SELECT * FROM t WHERE day LIKE '2026-11%'", true, [true, true]),
            ("SELECT * FROM t WHERE day = 'x'", true, [true, true]),
            ("SELECT * FROM t WHERE day = '2026-11-02' OR a = 1", false, [true, true]),
            ("SELECT * FROM t WHERE _file = 'x'", false, [true, true]),
            ("SELECT * FROM t", false, [true, true]),
            ("no query", false, [true, true]),
        ] {
            let conditions = PartitionConditions::of(sql);
            assert_eq!(conditions.bound("day"), is_bound, "{sql}");
            assert_eq!(conditions.keeps(&days), expected, "{sql}");
        }
    }

    #[test]
    fn only_conditions_about_files_exclude_files() {
        let columns = ["day".to_owned(), FILE.to_owned()];
        for (sql, expected) in [
            ("SELECT * FROM t WHERE _file LIKE '%7.csv'", "(_file LIKE '%7.csv')"),
            ("SELECT a FROM t WHERE a > 1 AND (day = 3 AND _file <> 'x')", "(day = 3) (_file <> 'x')"),
            ("SELECT a FROM t x WHERE x.day = 3 ORDER BY a", "(day = 3)"),
            ("SELECT a FROM t x WHERE t.day = 3 AND X.day > 1", "(day > 1)"),
            ("SELECT a FROM t WHERE a.day = 3", ""),
            ("SELECT a FROM t WHERE day = 3 OR a = 1", ""),
            ("SELECT a FROM t WHERE day = a", ""),
            ("SELECT a FROM t WHERE 1 = 1", ""),
            ("SELECT a FROM t WHERE _file IN (SELECT max(_file) FROM t)", ""),
            ("SELECT a FROM t JOIN t u ON t.a = u.a WHERE t._file = 'x'", ""),
            ("SELECT a FROM t WHERE _file = 'x' UNION ALL SELECT a FROM t", ""),
            ("WITH u AS (SELECT * FROM t) SELECT a FROM u WHERE day = 3", ""),
            ("SELECT (SELECT count(*) FROM t) FROM t WHERE day = 3", ""),
        ] {
            assert_eq!(conditions(sql, &columns).join(" "), expected, "{sql}");
        }
    }
}
