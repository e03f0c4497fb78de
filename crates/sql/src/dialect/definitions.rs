//! The first walk through a query: refuses what the engine would ignore, and collects and quotes the names that it defines.

use std::ops::ControlFlow;

use datafusion::sql::sqlparser::ast::{
    AccessExpr, Expr, GroupByExpr, Ident, ObjectName, ObjectNamePart, OrderByKind, Query, Select,
    SelectFlavor, SelectItem, SetExpr, SetOperator, SetQuantifier, Subscript, TableAlias, TableFactor,
    TableWithJoins, Value, ValueWithSpan, VisitorMut, WildcardAdditionalOptions,
};
use datafusion::sql::sqlparser::tokenizer::Location;

use super::names::{ColumnsOf, Names, find_first, is_row, quote, quoted};
use super::tokens::{error_at, no_query};
use rread_text::{Error, Result};

pub(super) struct Definitions<'a> {
    tables: &'a [String],
    columns: ColumnsOf<'a>,
    pub names: Names,
    /// The CTEs of the enclosing queries.
    defined: Vec<Vec<String>>,
    /// The names in FROM of the enclosing queries.
    in_from: Vec<Vec<String>>,
}

impl<'a> Definitions<'a> {
    pub fn new(tables: &'a [String], columns: ColumnsOf<'a>) -> Self {
        let (names, defined, in_from) = (Names::default(), Vec::new(), Vec::new());
        Definitions { tables, columns, names, defined, in_from }
    }

    fn query(&mut self, query: &mut Query) -> Result<()> {
        refuse(&[
            (!query.locks.is_empty(), "FOR UPDATE"),
            (query.for_clause.is_some(), "FOR XML, JSON or BROWSE"),
            (query.settings.is_some(), "SETTINGS"),
            (query.format_clause.is_some(), "FORMAT"),
            (!query.pipe_operators.is_empty(), "|>"),
        ])?;
        let mut defined = Vec::new();
        for cte in query.with.iter_mut().flat_map(|with| &mut with.cte_tables) {
            defined.push(cte.alias.name.value.clone());
            self.quote_alias(&mut cte.alias);
        }
        self.defined.push(defined);
        self.body(&query.body)?;
        // An item of SELECT with the same text is the same column; DISTINCT needs that, too.
        if let (SetExpr::Select(select), Some(order)) = (&*query.body, &mut query.order_by)
            && let OrderByKind::Expressions(by) = &mut order.kind
        {
            let is_item = |text: &str| {
                select.projection.iter().any(|item| match item {
                    SelectItem::UnnamedExpr(expr) => label(expr).as_deref() == Some(text),
                    SelectItem::ExprWithAlias { alias, .. } => alias.value == text,
                    _ => false,
                })
            };
            for by in by {
                let text = by.expr.to_string();
                if label(&by.expr).is_some() && is_item(&text) {
                    by.expr = Expr::Identifier(quote(&text));
                }
            }
        }
        Ok(())
    }

    fn body(&mut self, body: &SetExpr) -> Result<()> {
        match body {
            SetExpr::Select(_) | SetExpr::Query(_) => Ok(()),
            SetExpr::SetOperation { left, right, op, set_quantifier } => {
                // The engine ignores how often a row occurs.
                let counted = matches!(set_quantifier, SetQuantifier::All | SetQuantifier::AllByName);
                if counted && !matches!(op, SetOperator::Union) {
                    return Err(Error::usage(format!("{op} ALL is not supported"))
                        .hint(format!("{op} without ALL, which gives each row once")));
                }
                self.body(left)?;
                self.body(right)
            }
            SetExpr::Values(values) => {
                let width = values.rows.first().map_or(0, |row| row.content.len());
                let names: Vec<String> = (1..=width).map(|at| format!("column{at}")).collect();
                self.names.columns.add(&names);
                Ok(())
            }
            other => {
                let text = other.to_string();
                let verb = text.split_whitespace().next().unwrap_or_default();
                Err(no_query(verb).hint("SELECT * FROM t"))
            }
        }
    }

    fn select(&mut self, select: &mut Select) -> Result<()> {
        refuse(&[
            (select.into.is_some(), "SELECT INTO"),
            (select.prewhere.is_some(), "PREWHERE"),
            (!select.connect_by.is_empty(), "CONNECT BY"),
            (select.value_table_mode.is_some(), "SELECT AS STRUCT or VALUE"),
            (select.exclude.is_some(), "EXCLUDE after the columns"),
            (select.select_modifiers.is_some(), "a MySQL modifier after SELECT"),
            (!select.lateral_views.is_empty(), "LATERAL VIEW"),
        ])?;
        let (GroupByExpr::All(modifiers) | GroupByExpr::Expressions(_, modifiers)) = &select.group_by;
        if !modifiers.is_empty() {
            return Err(Error::usage("a modifier such as WITH TOTALS after GROUP BY is not supported")
                .hint("GROUP BY ROLLUP (column), CUBE (column) or GROUPING SETS (...)"));
        }
        if select.flavor == SelectFlavor::FromFirstNoSelect {
            select.flavor = SelectFlavor::Standard;
            select.projection = vec![SelectItem::Wildcard(WildcardAdditionalOptions::default())];
        }
        let mut in_from = Vec::new();
        let mut taken = Vec::new();
        let has_star = select.projection.iter().any(|item| matches!(item, SelectItem::Wildcard(_)));
        for factor in select.from.iter().flat_map(factors) {
            in_from.extend(name_of(factor).map(str::to_lowercase));
            if let TableFactor::Table { name, .. } = factor
                && has_star
                && let Some(table) = self.table(name).filter(|_| !self.is_defined(name))
            {
                taken.extend((self.columns)(&table)?);
            }
        }
        self.in_from.push(in_from);
        let mut aliases = Vec::new();
        for item in &mut select.projection {
            if let SelectItem::UnnamedExpr(expr) = item {
                let Some(short) = label(expr).or_else(|| self.field(expr)) else {
                    taken.extend(plain(expr));
                    continue;
                };
                let label = if taken.contains(&short) { expr.to_string() } else { short };
                let alias = quote(&label);
                let expr = std::mem::replace(expr, Expr::Identifier(alias.clone()));
                *item = SelectItem::ExprWithAlias { expr, alias };
            }
            if let SelectItem::ExprWithAlias { alias, .. } = item {
                *alias = quoted(&alias.value, alias);
                taken.push(alias.value.clone());
                aliases.push(alias.value.clone());
            }
        }
        let is_outermost = self.defined.len() == 1;
        let names = if is_outermost { &mut self.names.aliases } else { &mut self.names.columns };
        names.add(&aliases);
        Ok(())
    }

    /// The name of the field at the end of a path.
    fn field(&self, expr: &Expr) -> Option<String> {
        let Expr::CompoundIdentifier(path) = expr else { return None };
        let first = path.first()?;
        let is_relation = self.in_from.iter().flatten().any(|name| *name == first.value.to_lowercase());
        let column = if is_relation || is_row(first) { 2 } else { 1 };
        path.last().filter(|_| path.len() > column).map(|name| name.value.clone())
    }

    fn factor(&mut self, factor: &mut TableFactor) -> Result<()> {
        let mut columns = None;
        let alias = match factor {
            TableFactor::Table {
                name,
                alias,
                args: None,
                with_hints,
                version: None,
                with_ordinality: false,
                partitions,
                json_path: None,
                sample: None,
                index_hints,
            } if with_hints.is_empty() && partitions.is_empty() && index_hints.is_empty() => {
                columns = self.spell_table(name)?;
                alias
            }
            TableFactor::Table { args: Some(_), alias, .. } => {
                self.names.columns.add(&["value".to_owned()]);
                alias
            }
            TableFactor::Derived { alias, sample: None, .. }
            | TableFactor::UNNEST { alias, .. }
            | TableFactor::Function { alias, .. } => alias,
            TableFactor::NestedJoin { alias: None, .. } => return Ok(()),
            other => {
                return Err(Error::usage(format!("`{other}` is not supported as a table in FROM"))
                    .hint("SELECT * FROM t AS a"));
            }
        };
        if let Some(alias) = alias {
            if alias.at.is_some() {
                return Err(Error::usage("AT after a table name is not supported"));
            }
            self.quote_alias(alias);
            for (column, alias) in columns.iter_mut().flatten().zip(&alias.columns) {
                column.clone_from(&alias.name.value);
            }
        }
        if let Some(name) = name_of(factor) {
            self.names.add_relation(name, columns);
        }
        Ok(())
    }

    /// Quotes the name of a table, and returns the columns of one that is not a CTE.
    fn spell_table(&mut self, name: &mut ObjectName) -> Result<Option<Vec<String>>> {
        let [ObjectNamePart::Identifier(wanted)] = name.0.as_slice() else {
            let first = name.0.first().and_then(ObjectNamePart::as_ident);
            return Err(self.no_table(&name.to_string(), first));
        };
        let Some(found) = self.table(name) else { return Err(self.no_table(&wanted.value, Some(wanted))) };
        let is_defined = self.is_defined(name);
        *name = ObjectName::from(quoted(&found, wanted));
        if is_defined {
            return Ok(None);
        }
        let columns = (self.columns)(&found)?;
        self.names.columns.add(&columns);
        Ok(Some(columns))
    }

    /// The spelling of the CTE or the table `name`.
    fn table(&self, name: &ObjectName) -> Option<String> {
        let [ObjectNamePart::Identifier(wanted)] = name.0.as_slice() else { return None };
        let defined = find_first(self.defined.iter().rev().flatten(), wanted);
        defined.or_else(|| find_first(self.tables.iter(), wanted))
    }

    fn is_defined(&self, name: &ObjectName) -> bool {
        self.table(name).is_some_and(|name| self.defined.iter().flatten().any(|defined| *defined == name))
    }

    fn no_table(&self, wanted: &str, at: Option<&Ident>) -> Error {
        let at = at.map_or_else(Location::empty, |at| at.span.start);
        let names = self.tables.iter().chain(self.defined.iter().flatten());
        let names = names.map(|name| format!("`{name}`")).collect::<Vec<_>>().join(", ");
        let error = error_at(at, &format!("there is no table `{wanted}`; there are only {names}"));
        let is_catalog = ["information_schema", "sqlite_master", "pg_", "duckdb_"];
        match is_catalog.iter().any(|begin| wanted.to_lowercase().starts_with(begin)) {
            true => error.hint("SHOW TABLES, and DESCRIBE t for the columns"),
            false => error.hint(format!("FROM {}", self.tables.first().map_or("t", String::as_str))),
        }
    }

    fn quote_alias(&mut self, alias: &mut TableAlias) {
        alias.name = quoted(&alias.name.value, &alias.name);
        for column in &mut alias.columns {
            column.name = quoted(&column.name.value, &column.name);
        }
        let names: Vec<String> = alias.columns.iter().map(|column| column.name.value.clone()).collect();
        self.names.columns.add(&names);
    }
}

impl VisitorMut for Definitions<'_> {
    type Break = Error;

    fn pre_visit_query(&mut self, query: &mut Query) -> ControlFlow<Error> {
        flow(self.query(query))
    }

    fn post_visit_query(&mut self, _: &mut Query) -> ControlFlow<Error> {
        self.defined.pop();
        ControlFlow::Continue(())
    }

    fn pre_visit_select(&mut self, select: &mut Select) -> ControlFlow<Error> {
        flow(self.select(select))
    }

    fn post_visit_select(&mut self, _: &mut Select) -> ControlFlow<Error> {
        self.in_from.pop();
        ControlFlow::Continue(())
    }

    fn pre_visit_table_factor(&mut self, factor: &mut TableFactor) -> ControlFlow<Error> {
        flow(self.factor(factor))
    }
}

pub(super) fn flow(result: Result<()>) -> ControlFlow<Error> {
    match result {
        Ok(()) => ControlFlow::Continue(()),
        Err(error) => ControlFlow::Break(error),
    }
}

/// The tables of an item of FROM.
pub(super) fn factors(item: &TableWithJoins) -> Vec<&TableFactor> {
    let all = std::iter::once(&item.relation).chain(item.joins.iter().map(|join| &join.relation));
    all.flat_map(flat).collect()
}

/// The tables of a join in parentheses, or the table itself.
fn flat(factor: &TableFactor) -> Vec<&TableFactor> {
    match factor {
        TableFactor::NestedJoin { table_with_joins, .. } => factors(table_with_joins),
        factor => vec![factor],
    }
}

/// The name by which a query means a table of its FROM.
pub(super) fn name_of(factor: &TableFactor) -> Option<&str> {
    let (alias, name) = match factor {
        TableFactor::Table { alias, name, args: None, .. } => (alias, Some(name)),
        TableFactor::Table { alias, .. }
        | TableFactor::Derived { alias, .. }
        | TableFactor::UNNEST { alias, .. }
        | TableFactor::Function { alias, .. } => (alias, None),
        _ => return None,
    };
    let name = || name?.0.last().and_then(ObjectNamePart::as_ident).map(|name| name.value.as_str());
    alias.as_ref().map(|alias| alias.name.value.as_str()).or_else(name)
}

/// The name of a column without one: its text, or the last field of a path. `None` for a plain or dotted name, whose
/// definition determines the spelling.
fn label(expr: &Expr) -> Option<String> {
    match expr {
        Expr::Identifier(_) | Expr::CompoundIdentifier(_) => None,
        Expr::CompoundFieldAccess { access_chain, .. } => {
            let last = match access_chain.last() {
                Some(AccessExpr::Dot(Expr::Identifier(name))) => Some(name.value.as_str()),
                Some(AccessExpr::Subscript(Subscript::Index {
                    index: Expr::Value(ValueWithSpan { value: Value::SingleQuotedString(text), .. }),
                })) => Some(text.as_str()),
                _ => None,
            };
            Some(last.map_or_else(|| expr.to_string(), str::to_owned))
        }
        _ => Some(expr.to_string()),
    }
}

fn plain(expr: &Expr) -> Option<String> {
    match expr {
        Expr::Identifier(name) => Some(name.value.clone()),
        Expr::CompoundIdentifier(path) => path.last().map(|name| name.value.clone()),
        _ => None,
    }
}

fn refuse(clauses: &[(bool, &str)]) -> Result<()> {
    match clauses.iter().find(|(there, _)| *there) {
        Some((_, clause)) => Err(Error::usage(format!("{clause} is not supported"))),
        None => Ok(()),
    }
}
