//! The first walk through a query: refuses what the engine would ignore, and collects and quotes the names that it defines, in a
//! map of the columns and aliases by their lower case.
//!
//! Which table a name belongs to stays the engine's question. Where two spellings of a name could both be meant, the query is
//! refused, so that no answer depends on a guess.

use std::collections::HashMap;
use std::ops::ControlFlow;

use datafusion::sql::sqlparser::ast::{
    AccessExpr, Expr, GroupByExpr, Ident, ObjectName, ObjectNamePart, OrderByKind, Query, Select,
    SelectFlavor, SelectItem, SetExpr, SetOperator, SetQuantifier, Subscript, TableAlias, TableFactor,
    TableWithJoins, Value, ValueWithSpan, VisitorMut, WildcardAdditionalOptions,
};
use datafusion::sql::sqlparser::tokenizer::Location;
use unicode_normalization::UnicodeNormalization;

use super::tokens::{error_at, no_query};
use rread_text::{Error, Result, counted};

/// The columns of a table by its name.
pub type ColumnsOf<'a> = &'a dyn Fn(&str) -> Result<Vec<String>>;

/// For each name in lower case, its spellings in each table and in each list of aliases.
#[derive(Debug, Default)]
pub(super) struct Spellings(HashMap<String, Vec<Vec<String>>>);

impl Spellings {
    /// Adds the columns of one table, or one list of aliases.
    pub fn add(&mut self, names: &[String]) {
        let mut own: HashMap<String, Vec<String>> = HashMap::new();
        for name in names {
            own.entry(name.to_lowercase()).or_default().push(name.clone());
        }
        for (lower, spellings) in own {
            let all = self.0.entry(lower).or_default();
            if !all.contains(&spellings) {
                all.push(spellings);
            }
        }
    }

    /// The one spelling that `wanted` can mean.
    pub fn find(&self, wanted: &Ident) -> Result<Option<String>> {
        let groups = self.0.get(&wanted.value.to_lowercase()).map(Vec::as_slice).unwrap_or_default();
        let mut exact = groups.iter().map(|group| group.contains(&wanted.value));
        let mut all: Vec<&String> = Vec::new();
        if wanted.quote_style.is_some() {
            if exact.any(|is_exact| is_exact) {
                return Ok(Some(wanted.value.clone()));
            }
        } else if !groups.is_empty() && exact.all(|is_exact| is_exact) {
            return Ok(Some(wanted.value.clone()));
        } else {
            for name in groups.iter().flatten() {
                all.extend(Some(name).filter(|name| !all.contains(name)));
            }
        }
        match all[..] {
            [] => Ok(self.alike(wanted)),
            [only] => Ok(Some(only.clone())),
            [first, ..] => Err(ambiguous(wanted, &all, first)),
        }
    }

    /// The one name that looks like `wanted` but has other characters.
    fn alike(&self, wanted: &Ident) -> Option<String> {
        let is_odd = |name: &str| !name.is_ascii() || name.trim().len() < name.len();
        let mut all: Vec<&String> = Vec::new();
        for name in self.0.values().flatten().flatten() {
            let is_alike = || looks_like(name, &wanted.value) && !all.contains(&name);
            if (is_odd(name) || !wanted.value.is_ascii()) && is_alike() {
                all.push(name);
            }
        }
        if let [only] = all[..] { Some(only.clone()) } else { None }
    }
}

fn ambiguous(wanted: &Ident, all: &[&String], first: &str) -> Error {
    let name = &wanted.value;
    let all = all.iter().map(|name| format!("`{name}`")).collect::<Vec<_>>().join(", ");
    let sentence = format!("`{name}` can be any of {all}, which differ by case alone");
    error_at(wanted.span.start, &sentence).hint(format!("in double quotes case counts: \"{first}\""))
}

/// A table, or the result of a query, under a name of FROM.
#[derive(Debug)]
struct Relation {
    name: String,
    /// `None` if the engine alone knows them.
    columns: Option<Vec<String>>,
}

/// All names of a query.
#[derive(Debug, Default)]
pub(super) struct Names {
    /// Of tables, of subqueries and of CTEs.
    pub columns: Spellings,
    /// Aliases of the outermost SELECT, which columns precede but in ORDER BY.
    pub aliases: Spellings,
    /// By lower case.
    relations: HashMap<String, Vec<Relation>>,
}

impl Names {
    pub fn add_relation(&mut self, name: &str, columns: Option<Vec<String>>) {
        let relation = Relation { name: name.to_owned(), columns };
        self.relations.entry(name.to_lowercase()).or_default().push(relation);
    }

    pub fn column(&self, wanted: &Ident, is_order: bool) -> Result<Option<Ident>> {
        let [first, second] =
            if is_order { [&self.aliases, &self.columns] } else { [&self.columns, &self.aliases] };
        let found = match first.find(wanted)? {
            Some(found) => Some(found),
            None => second.find(wanted)?,
        };
        Ok(found.map(|name| quoted(&name, wanted)))
    }

    /// The name of FROM that `wanted` means.
    pub fn relation(&self, wanted: &Ident) -> Result<Option<Ident>> {
        let mut spellings = Spellings::default();
        for relation in self.relations.get(&wanted.value.to_lowercase()).into_iter().flatten() {
            spellings.add(std::slice::from_ref(&relation.name));
        }
        Ok(spellings.find(wanted)?.map(|name| quoted(&name, wanted)))
    }

    /// The columns of the tables of that name, if these agree.
    pub fn columns_of(&self, name: &str) -> Option<&[String]> {
        let mut all =
            self.relations.get(&name.to_lowercase())?.iter().filter(|relation| relation.name == name);
        let columns = all.next()?.columns.as_deref()?;
        all.all(|relation| relation.columns.as_deref() == Some(columns)).then_some(columns)
    }

    /// The column `wanted` of the relation `of`; a name that only the engine knows stays as it is.
    fn column_of(&self, of: &Ident, wanted: &Ident) -> Result<Ident> {
        let of = self.relations.get(&of.value.to_lowercase()).map(Vec::as_slice).unwrap_or_default();
        let mut columns = Spellings::default();
        let mut only: Option<&[String]> = None;
        for relation in of {
            let Some(names) = &relation.columns else {
                return Ok(self.column(wanted, false)?.unwrap_or_else(|| wanted.clone()));
            };
            columns.add(names);
            only = Some(names);
        }
        match (columns.find(wanted)?, only) {
            (Some(name), _) => Ok(quoted(&name, wanted)),
            (None, Some(columns)) if of.len() == 1 => Ok(match position(wanted, columns)? {
                Some(name) => quoted(&name, wanted),
                None => quoted(&wanted.value, wanted),
            }),
            _ => Ok(quoted(&wanted.value, wanted)),
        }
    }

    /// An optional table, a column, then fields. `None` if the first name is unknown.
    pub fn path(&self, wanted: &[Ident], is_order: bool) -> Result<Option<Vec<Ident>>> {
        let [first, rest @ ..] = wanted else { return Ok(None) };
        if let (Some(relation), [second, fields_of @ ..]) = (self.relation(first)?, rest) {
            let column = self.column_of(&relation, second)?;
            return Ok(Some([relation, column].into_iter().chain(fields(fields_of)).collect()));
        }
        match self.column(first, is_order)? {
            Some(column) => Ok(Some(std::iter::once(column).chain(fields(rest)).collect())),
            // `_1.` means the row itself if rows are objects.
            None if is_row(first) && !rest.is_empty() => self.path(rest, is_order),
            None => Ok(None),
        }
    }
}

pub(super) fn is_row(name: &Ident) -> bool {
    name.value == "_1" && name.quote_style.is_none()
}

fn fields(names: &[Ident]) -> impl Iterator<Item = Ident> {
    names.iter().map(|name| quoted(&name.value, name))
}

pub(super) fn quoted(name: &str, at: &Ident) -> Ident {
    Ident { value: name.to_owned(), quote_style: Some('"'), span: at.span }
}

/// `name` in double quotes, as text.
pub fn in_quotes(name: &str) -> String {
    format!("\"{}\"", name.replace('"', "\"\""))
}

/// `name` in double quotes, without a place in the query.
pub(super) fn quote(name: &str) -> Ident {
    quoted(name, &Ident::new(""))
}

pub(super) fn ordinal(wanted: &Ident) -> Option<usize> {
    let digits = wanted.value.strip_prefix('_').filter(|_| wanted.quote_style.is_none())?;
    let is_number = !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit());
    is_number.then(|| digits.parse().unwrap_or(usize::MAX))
}

/// The column that `wanted`, such as `_2`, counts to.
pub(super) fn position(wanted: &Ident, columns: &[String]) -> Result<Option<String>> {
    let Some(ordinal) = ordinal(wanted) else { return Ok(None) };
    if let Some(name) = ordinal.checked_sub(1).and_then(|at| columns.get(at)) {
        return Ok(Some(name.clone()));
    }
    let count = columns.len();
    let all = counted(count as u64, "column");
    let sentence = format!("there is no column {}, the table has {all}", wanted.value);
    Err(error_at(wanted.span.start, &sentence)
        .hint(format!("_1 to _{count} are the columns by their position")))
}

/// The first of `names` that is `wanted`, or differs from it by case alone.
pub(super) fn find_first<'n>(
    mut names: impl Iterator<Item = &'n String> + Clone,
    wanted: &Ident,
) -> Option<String> {
    let lower = wanted.value.to_lowercase();
    let exact = names.clone().find(|name| **name == wanted.value);
    let any = || names.find(|name| wanted.quote_style.is_none() && name.to_lowercase() == lower);
    exact.or_else(any).cloned()
}

/// Whether the names differ in nothing that a reader sees.
pub(super) fn looks_like(one: &str, other: &str) -> bool {
    plain(one).to_lowercase() == plain(other).to_lowercase()
}

/// Composed characters, one kind of blank, none at the ends, and nothing invisible.
fn plain(name: &str) -> String {
    let visible =
        name.nfc().filter(|c| !matches!(c, '\u{200B}'..='\u{200F}' | '\u{2060}' | '\u{FEFF}' | '\u{AD}'));
    let blanks: String = visible.map(|c| if c.is_whitespace() { ' ' } else { c }).collect();
    blanks.trim().to_owned()
}

/// Names the characters of `name` that a keyboard does not have.
pub(super) fn difference(name: &str) -> String {
    let odd: Vec<String> = name
        .chars()
        .filter(|c| !c.is_ascii() || c.is_ascii_control())
        .map(|c| format!("U+{:04X}", u32::from(c)))
        .collect();
    format!(
        "the name has other characters than it seems ({}); _N is the column by its position",
        odd.join(", ")
    )
}

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
                    taken.extend(plain_name(expr));
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

fn plain_name(expr: &Expr) -> Option<String> {
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
