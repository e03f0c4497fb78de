//! Rewrites the clauses of a query in the order in which they define names.

use std::ops::ControlFlow;

use datafusion::sql::sqlparser::ast::{
    Distinct, Expr, GroupByExpr, Ident, ObjectName, ObjectNamePart, OrderBy, OrderByKind, Query, Select,
    SelectFlavor, SelectItem, SelectItemQualifiedWildcardKind, SetExpr, SetOperator, SetQuantifier,
    TableAlias, VisitMut, WildcardAdditionalOptions, visit_relations,
};

use super::expressions::{self, Walker};
use super::membership::{self, Place};
use super::names::{Columns, ColumnsOf, Relation, Scope, leave_out, left_out, quoted};
use super::position::no_query;
use super::shared;
use rread_text::error::{Error, Result};

pub(super) struct Rewriter<'a> {
    pub(super) tables: &'a [String],
    pub(super) columns: ColumnsOf<'a>,
    /// Columns of tables that `*` leaves out.
    pub(super) hidden: &'a [String],
    /// The last one is the innermost.
    pub(super) defined: Vec<(Ident, Columns)>,
    /// List indexes count from 0, as in S3 Select.
    pub from_zero: bool,
}

impl<'a> Rewriter<'a> {
    pub fn new(tables: &'a [String], columns: ColumnsOf<'a>, hidden: &'a [String]) -> Self {
        Rewriter { tables, columns, hidden, defined: Vec::new(), from_zero: false }
    }

    /// A query that names `s3object` is for S3 Select.
    pub fn whole(&mut self, query: &mut Query) -> Result<()> {
        let named = visit_relations(query, |name| match name.0.as_slice() {
            [ObjectNamePart::Identifier(name)] if name.value.eq_ignore_ascii_case("s3object") => {
                ControlFlow::Break(())
            }
            _ => ControlFlow::Continue(()),
        });
        self.from_zero = named.is_break();
        self.query(query, &Scope::default()).map(drop)
    }

    pub fn query(&mut self, query: &mut Query, outer: &Scope<'_>) -> Result<Columns> {
        let refused = [
            (!query.locks.is_empty(), "FOR UPDATE"),
            (query.for_clause.is_some(), "FOR XML, JSON or BROWSE"),
            (query.settings.is_some(), "SETTINGS"),
            (query.format_clause.is_some(), "FORMAT"),
            (!query.pipe_operators.is_empty(), "|>"),
        ];
        refuse(&refused)?;
        let before = self.defined.len();
        if let Some(with) = &mut query.with {
            for cte in &mut with.cte_tables {
                let columns = column_names(&cte.alias);
                let own = self.defined.len();
                if with.recursive {
                    let known =
                        if columns.is_empty() { first_columns(&cte.query) } else { Some(columns.clone()) };
                    self.defined.push((cte.alias.name.clone(), known));
                }
                let found = self.query(&mut cte.query, outer)?;
                self.defined.truncate(own);
                self.defined.push((cte.alias.name.clone(), renamed(found, &columns)));
                quote_alias(&mut cte.alias);
            }
        }
        let (columns, mut scope) = self.body(&mut query.body, outer)?;
        scope.aliases_first = true;
        if let Some(order) = &mut query.order_by {
            self.order(order, &scope)?;
        }
        self.walk(&mut query.limit_clause, &scope)?;
        self.walk(&mut query.fetch, &scope)?;
        self.defined.truncate(before);
        Ok(columns)
    }

    /// Returns the columns before ORDER BY, and the scope of ORDER BY.
    fn body<'s>(&mut self, body: &mut SetExpr, outer: &'s Scope<'s>) -> Result<(Columns, Scope<'s>)> {
        let columns = match body {
            SetExpr::Select(select) => return self.select(select, outer),
            SetExpr::Query(query) => self.query(query, outer)?,
            SetExpr::SetOperation { left, right, op, set_quantifier } => {
                // The engine ignores how often a row occurs.
                let counted = matches!(set_quantifier, SetQuantifier::All | SetQuantifier::AllByName);
                if counted && !matches!(op, SetOperator::Union) {
                    return Err(Error::usage(format!("{op} ALL is not supported"))
                        .hint(format!("{op} without ALL, which gives each row once")));
                }
                let (columns, _) = self.body(left, outer)?;
                self.body(right, outer)?;
                columns
            }
            SetExpr::Values(values) => {
                self.walk(values, outer)?;
                let width = values.rows.first().map_or(0, |row| row.content.len());
                Some((1..=width).map(|at| format!("column{at}")).collect())
            }
            other => {
                let text = other.to_string();
                let verb = text.split_whitespace().next().unwrap_or_default();
                return Err(no_query(verb).hint("SELECT * FROM t"));
            }
        };
        let relation = Relation { name: None, columns: columns.clone(), is_table: false };
        Ok((columns, Scope { relations: vec![relation], outer: Some(outer), ..Scope::default() }))
    }

    fn select<'s>(&mut self, select: &mut Select, outer: &'s Scope<'s>) -> Result<(Columns, Scope<'s>)> {
        let refused = [
            (select.into.is_some(), "SELECT INTO"),
            (select.prewhere.is_some(), "PREWHERE"),
            (!select.connect_by.is_empty(), "CONNECT BY"),
            (select.value_table_mode.is_some(), "SELECT AS STRUCT or VALUE"),
            (select.exclude.is_some(), "EXCLUDE after the columns"),
            (select.select_modifiers.is_some(), "a MySQL modifier after SELECT"),
            (!select.lateral_views.is_empty(), "LATERAL VIEW"),
        ];
        refuse(&refused)?;
        if select.flavor == SelectFlavor::FromFirstNoSelect {
            select.flavor = SelectFlavor::Standard;
            select.projection = vec![SelectItem::Wildcard(WildcardAdditionalOptions::default())];
        }
        let mut scope = Scope { outer: Some(outer), ..Scope::default() };
        let mut outputs = Some(Vec::new());
        for from in &mut select.from {
            let more = self.from(from, &mut scope)?;
            outputs = outputs.zip(more).map(|(before, more)| [before, more].concat());
        }
        scope.outputs = outputs;
        shared::write_out_stars(&mut select.projection, &scope)?;
        let columns = self.projection(&mut select.projection, &scope)?;
        let columns = if select.projection.is_empty() { every_column(&scope) } else { columns };
        for condition in [&mut select.selection, &mut select.having].into_iter().flatten() {
            membership::settle(condition, Place::Conjunct)?;
        }
        self.walk(&mut select.selection, &scope)?;
        scope.aliases = aliases(&select.projection);
        if let Some(Distinct::On(by)) = &mut select.distinct {
            self.walk(by, &scope)?;
        }
        match &mut select.group_by {
            GroupByExpr::All(modifiers) | GroupByExpr::Expressions(_, modifiers) if !modifiers.is_empty() => {
                return Err(Error::usage("a modifier such as WITH TOTALS after GROUP BY is not supported")
                    .hint("GROUP BY ROLLUP (column), CUBE (column) or GROUPING SETS (...)"));
            }
            group_by => self.walk(group_by, &scope)?,
        }
        self.walk(&mut select.having, &scope)?;
        self.walk(&mut select.named_window, &scope)?;
        self.walk(&mut select.qualify, &scope)?;
        self.walk(&mut select.sort_by, &scope)?;
        Ok((columns, scope))
    }

    fn projection(&mut self, items: &mut [SelectItem], scope: &Scope<'_>) -> Result<Columns> {
        let mut names: Columns = Some(Vec::new());
        for item in items {
            let label = label(item, names.as_deref().unwrap_or_default());
            let more = match item {
                SelectItem::UnnamedExpr(expr) => {
                    let shared = match expr {
                        Expr::Identifier(name) => scope.shared(name)?.map(|(name, _)| name),
                        _ => None,
                    };
                    self.walk(expr, scope)?;
                    let shared = shared.filter(|_| plain(expr).is_none());
                    match label.or(nested(expr, scope)?).or(shared) {
                        Some(label) => {
                            let alias = quoted(&label, &Ident::new(""));
                            let expr = std::mem::replace(expr, Expr::Identifier(alias.clone()));
                            *item = SelectItem::ExprWithAlias { expr, alias };
                            Some(vec![label])
                        }
                        None => plain(expr).map(|column| vec![column]),
                    }
                }
                SelectItem::ExprWithAlias { expr, alias } => {
                    self.walk(expr, scope)?;
                    *alias = quoted(&alias.value, alias);
                    Some(vec![alias.value.clone()])
                }
                SelectItem::Wildcard(options) => {
                    let all = every_column(scope);
                    self.wildcard(options, all, None, scope)?
                }
                SelectItem::QualifiedWildcard(SelectItemQualifiedWildcardKind::ObjectName(name), options) => {
                    let table = match name.0.as_slice() {
                        [ObjectNamePart::Identifier(asked)] => {
                            scope.table(asked)?.map(|found| (quoted(&found.0, asked), found.1))
                        }
                        _ => None,
                    };
                    let of = table.as_ref().map(|(table, _)| table.value.clone());
                    let all = table.and_then(|(table, columns)| {
                        *name = ObjectName::from(table);
                        columns
                    });
                    self.wildcard(options, all, of.as_deref(), scope)?
                }
                SelectItem::ExprWithAliases { .. } | SelectItem::QualifiedWildcard(..) => None,
            };
            names = names.zip(more).map(|(mut names, more)| {
                names.extend(more);
                names
            });
        }
        Ok(names)
    }

    /// `of` is the relation in front of the star.
    fn wildcard(
        &mut self,
        options: &mut WildcardAdditionalOptions,
        all: Columns,
        of: Option<&str>,
        scope: &Scope<'_>,
    ) -> Result<Columns> {
        let mut gone: Vec<String> = Vec::new();
        for name in self.hidden {
            let has_it =
                |relation: &&Relation| relation.columns.as_ref().is_none_or(|columns| columns.contains(name));
            let owners: Vec<&Relation> = scope.relations.iter().filter(has_it).collect();
            // The engine does not say which of two tables a column of EXCLUDE is from.
            if let [owner] = owners[..]
                && owner.is_table
                && of.is_none_or(|of| owner.name.as_deref() == Some(of))
            {
                leave_out(options, name);
            }
        }
        for name in left_out(options) {
            if let Some(column) = scope.single(name)? {
                *name = column;
            }
            gone.push(name.value.clone());
        }
        for item in options.opt_replace.iter_mut().flat_map(|replace| &mut replace.items) {
            self.walk(&mut item.expr, scope)?;
            if let Some(column) = scope.single(&item.column_name)? {
                item.column_name = column;
            }
        }
        Ok(all.map(|all| all.into_iter().filter(|name| !gone.contains(name)).collect()))
    }

    fn order(&mut self, order: &mut OrderBy, scope: &Scope<'_>) -> Result<()> {
        match &mut order.kind {
            OrderByKind::All(_) => Ok(()),
            OrderByKind::Expressions(by) => {
                // An item of SELECT with the same text is the same column; DISTINCT needs that, too.
                for by in by.iter_mut() {
                    let text = by.expr.to_string();
                    if expressions::label(&by.expr).is_some() && scope.aliases.contains(&text) {
                        by.expr = Expr::Identifier(quoted(&text, &Ident::new("")));
                    }
                }
                self.walk(by, scope)
            }
        }
    }

    pub(super) fn walk<T: VisitMut>(&mut self, part: &mut T, scope: &Scope<'_>) -> Result<()> {
        match part.visit(&mut Walker::new(self, scope)) {
            ControlFlow::Continue(()) => Ok(()),
            ControlFlow::Break(error) => Err(error),
        }
    }
}

/// The last field of a path, or else the text.
fn label(item: &SelectItem, taken: &[String]) -> Option<String> {
    let SelectItem::UnnamedExpr(expr) = item else { return None };
    expressions::label(expr).map(|short| if taken.contains(&short) { expr.to_string() } else { short })
}

fn nested(expr: &Expr, scope: &Scope<'_>) -> Result<Option<String>> {
    let Expr::CompoundIdentifier(path) = expr else { return Ok(None) };
    let Some(first) = path.first() else { return Ok(None) };
    let column = if scope.table(first)?.is_some() { 2 } else { 1 };
    Ok(path.last().filter(|_| path.len() > column).map(|name| name.value.clone()))
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

fn aliases(items: &[SelectItem]) -> Vec<String> {
    let alias = |item: &SelectItem| match item {
        SelectItem::ExprWithAlias { alias, .. } => Some(alias.value.clone()),
        _ => None,
    };
    items.iter().filter_map(alias).collect()
}

fn every_column(scope: &Scope<'_>) -> Columns {
    let all = scope.relations.iter().map(|relation| relation.columns.clone());
    all.collect::<Option<Vec<_>>>().map(|all| all.concat())
}

pub(super) fn column_names(alias: &TableAlias) -> Vec<String> {
    alias.columns.iter().map(|column| column.name.value.clone()).collect()
}

/// Needed before the query is rewritten, because its own subquery may use them.
fn first_columns(query: &Query) -> Columns {
    let mut body = &query.body;
    while let SetExpr::SetOperation { left, .. } = &**body {
        body = left;
    }
    let items = &body.as_select()?.projection;
    items
        .iter()
        .map(|item| match item {
            SelectItem::ExprWithAlias { alias, .. } => Some(alias.value.clone()),
            SelectItem::UnnamedExpr(expr) => plain(expr),
            _ => None,
        })
        .collect()
}

pub(super) fn renamed(columns: Columns, names: &[String]) -> Columns {
    columns.map(|mut columns| {
        for (column, name) in columns.iter_mut().zip(names) {
            column.clone_from(name);
        }
        columns
    })
}

pub(super) fn quote_alias(alias: &mut TableAlias) {
    alias.name = quoted(&alias.name.value, &alias.name);
    for column in &mut alias.columns {
        column.name = quoted(&column.name.value, &column.name);
    }
}
