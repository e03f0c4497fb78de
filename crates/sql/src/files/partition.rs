//! Directories `key=value` as columns, as Hive names them, and the files that a query excludes by these or by `_file`.

use std::collections::BTreeSet;
use std::ops::ControlFlow;
use std::path::{Component, Path, PathBuf};
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

use super::FILE;
use crate::dialect;
use crate::text::ScalarType;
use rread_source::object::Conditions;
use rread_source::spelling;
use rread_text::{Result, address};

/// The value that Hive writes for NULL.
const NULL: &str = "__HIVE_DEFAULT_PARTITION__";

/// The keys that all files have, and the value of each in each file.
#[derive(Debug, Default)]
pub struct Partitions {
    pub keys: Vec<(String, DataType)>,
    /// By file, in the order of `keys`.
    values: Vec<Vec<Option<String>>>,
}

impl Partitions {
    /// None, if the files do not all have the same keys. The values in `others`, directories without files, count for the
    /// types.
    pub(super) fn of(paths: &[PathBuf], others: &[PathBuf]) -> Self {
        let all: Vec<Vec<(String, Option<String>)>> = paths.iter().map(|path| pairs(path)).collect();
        let names = |pairs: &[(String, Option<String>)]| -> Vec<String> {
            pairs.iter().map(|(key, _)| key.clone()).collect()
        };
        let keys = all.first().map(|first| names(first)).unwrap_or_default();
        if keys.is_empty() || all.iter().any(|pairs| names(pairs) != keys) {
            return Partitions::default();
        }
        let values: Vec<Vec<Option<String>>> =
            all.into_iter().map(|pairs| pairs.into_iter().map(|(_, value)| value).collect()).collect();
        let others: Vec<(String, Option<String>)> =
            others.iter().flat_map(|directory| pairs(&directory.join("*"))).collect();
        let keys = keys.into_iter().enumerate().map(|(nth, key)| {
            let of_others = others.iter().filter(|(other, _)| *other == key);
            let of_others = of_others.filter_map(|(_, value)| value.as_deref());
            let of_files = values.iter().filter_map(|values| values[nth].as_deref());
            let types = of_files.chain(of_others).map(ScalarType::of);
            let of = match types.fold(ScalarType::Null, ScalarType::and).data_type() {
                of @ (DataType::Int64 | DataType::Date32) => of,
                _ => DataType::Utf8View,
            };
            (key, of)
        });
        Partitions { keys: keys.collect(), values }
    }

    /// The values of `keys` by file, in the order of `keys`.
    pub fn with(keys: Vec<(String, DataType)>, values: Vec<Vec<Option<String>>>) -> Self {
        Partitions { keys, values }
    }

    /// The value of the key at `nth` in the file at `place`.
    pub fn at(&self, place: usize, nth: usize) -> Option<&str> {
        self.values.get(place)?.get(nth)?.as_deref()
    }
}

fn pairs(path: &Path) -> Vec<(String, Option<String>)> {
    let mut parents: Vec<Component<'_>> = path.components().collect();
    parents.pop();
    let parents = parents.into_iter().filter_map(|part| part.as_os_str().to_str());
    let pair = |part: &str| {
        let (key, value) = part.split_once('=').filter(|(key, _)| !key.is_empty())?;
        let value = decoded(value);
        Some((decoded(key), Some(value).filter(|value| value != NULL)))
    };
    parents.filter_map(pair).collect()
}

fn decoded(text: &str) -> String {
    spelling::decoded(text).unwrap_or_else(|| text.to_owned())
}

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
    let plan =
        dialect::settled(context.state().statement_to_plan(statement).await?, &dialect::Literals::default())?;
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
    let names: StringArray = paths.iter().map(|path| Some(address::display(path))).collect();
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
    fn directories_with_a_value_are_columns_if_all_files_have_them() {
        let of = |paths: &[&str]| Partitions::of(&paths.iter().map(PathBuf::from).collect::<Vec<_>>(), &[]);
        let both = of(&["a/day=2026-11-01/n=1/x.csv", "a/day=2026-11-02/n=__HIVE_DEFAULT_PARTITION__/y.csv"]);
        assert_eq!(both.keys, [("day".to_owned(), DataType::Date32), ("n".to_owned(), DataType::Int64)]);
        assert_eq!((both.at(0, 1), both.at(1, 1)), (Some("1"), None));
        let other = Partitions::of(&["a/n=1/x".into()], &["a/n=one/".into(), "a/m=2/".into()]);
        assert_eq!(other.keys, [("n".to_owned(), DataType::Utf8View)]);
        assert_eq!(of(&["c=a%20b/x", "c=1/y"]).at(0, 0), Some("a b"));
        for none in [&["a/x", "b=1/x"][..], &["a=1/x", "b=1/x"], &["x=1.csv"], &["=1/x"], &[]] {
            assert!(of(none).keys.is_empty(), "{none:?}");
        }
    }

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
