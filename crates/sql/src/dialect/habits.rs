//! Forms of FROM that users of other engines type: the name of a file, and `unnest` beside the table of its list.

use std::ops::ControlFlow;

use datafusion::sql::sqlparser::ast::{
    Expr, FunctionArg, FunctionArgExpr, Ident, Join, JoinConstraint, JoinOperator, ObjectName,
    ObjectNamePart, Query, Select, Statement as Parsed, TableAlias, TableFactor, TableFunctionArgs, Value,
    Visit, VisitMut, Visitor, VisitorMut,
};
use datafusion::sql::sqlparser::dialect::GenericDialect;
use datafusion::sql::sqlparser::parser::Parser;

use super::names::quote;
use super::tokens::tokens;

/// Makes `FROM 'u.csv'` the table of that name, and `unnest` beside a table a part of it.
pub(super) fn adopt(query: &mut Query, tables: &[String]) {
    let _: ControlFlow<()> = query.visit(&mut Habits { tables });
}

struct Habits<'a> {
    tables: &'a [String],
}

impl VisitorMut for Habits<'_> {
    type Break = ();

    fn pre_visit_select(&mut self, select: &mut Select) -> ControlFlow<()> {
        // A comma is a cross join.
        let mut nth = 1;
        while nth < select.from.len() {
            if select.from[nth].joins.is_empty() && list_of(&select.from[nth].relation).is_some() {
                let relation = select.from.remove(nth).relation;
                let join_operator = JoinOperator::CrossJoin(JoinConstraint::None);
                select.from[nth - 1].joins.push(Join { relation, global: false, join_operator });
            } else {
                nth += 1;
            }
        }
        for item in &mut select.from {
            while let Some(join) = item.joins.first()
                && let Some(keeps_all) = of_all(&join.join_operator)
                && let Some(whole) = unnested(&item.relation, &join.relation, keeps_all)
            {
                item.relation = whole;
                item.joins.remove(0);
            }
        }
        ControlFlow::Continue(())
    }

    fn pre_visit_table_factor(&mut self, factor: &mut TableFactor) -> ControlFlow<()> {
        let TableFactor::Table { name, alias, args: None, .. } = factor else {
            return ControlFlow::Continue(());
        };
        let wanted = written(name);
        let is_plain = matches!(
            name.0.as_slice(),
            [ObjectNamePart::Identifier(Ident { quote_style: None | Some('"'), .. })]
        );
        if !is_plain && let Some(found) = self.tables.iter().find(|table| **table == wanted) {
            *name = ObjectName::from(quote(found));
            let stem = stem(found);
            if alias.is_none() && !stem.is_empty() {
                *alias =
                    Some(TableAlias { explicit: true, name: quote(stem), columns: Vec::new(), at: None });
            }
        }
        ControlFlow::Continue(())
    }
}

/// The name of a file up to its first dot.
fn stem(path: &str) -> &str {
    path.rsplit('/').next().and_then(|name| name.split('.').next()).unwrap_or_default()
}

fn written(name: &ObjectName) -> String {
    let parts = name.0.iter().filter_map(ObjectNamePart::as_ident).map(|part| part.value.as_str());
    parts.collect::<Vec<_>>().join(".")
}

/// Whether a join that pairs each row with all rows keeps rows without any; `None` for any other.
fn of_all(operator: &JoinOperator) -> Option<bool> {
    let (on, keeps_all) = match operator {
        JoinOperator::CrossJoin(_) => return Some(false),
        JoinOperator::Join(on) | JoinOperator::Inner(on) => (on, false),
        JoinOperator::Left(on) | JoinOperator::LeftOuter(on) => (on, true),
        _ => return None,
    };
    let is_all = match on {
        JoinConstraint::None => true,
        JoinConstraint::On(Expr::Value(value)) => value.value == Value::Boolean(true),
        _ => false,
    };
    is_all.then_some(keeps_all)
}

/// The list of `unnest(list)` in FROM, and its alias.
fn list_of(factor: &TableFactor) -> Option<(String, Option<&TableAlias>)> {
    let one = |args: &[FunctionArg]| match args {
        [FunctionArg::Unnamed(FunctionArgExpr::Expr(list))] => Some(list.to_string()),
        _ => None,
    };
    match factor {
        TableFactor::UNNEST { alias, array_exprs, with_offset: false, with_ordinality: false, .. } => {
            let [list] = &array_exprs[..] else { return None };
            Some((list.to_string(), alias.as_ref()))
        }
        TableFactor::Function { name, args, alias, .. } if is_unnest(name) => {
            Some((one(args)?, alias.as_ref()))
        }
        TableFactor::Table { name, args: Some(TableFunctionArgs { args, .. }), alias, .. }
            if is_unnest(name) =>
        {
            Some((one(args)?, alias.as_ref()))
        }
        _ => None,
    }
}

fn is_unnest(name: &ObjectName) -> bool {
    written(name).eq_ignore_ascii_case("unnest")
}

/// The table `of` with a row for each item of the list that `list` unnests: a subquery of the same name. A row without items
/// stays with NULL if the join `keeps_all`.
fn unnested(of: &TableFactor, list: &TableFactor, keeps_all: bool) -> Option<TableFactor> {
    let (mut list, alias) = list_of(list)?;
    if keeps_all {
        list = format!("CASE WHEN cardinality({list}) > 0 THEN {list} ELSE [NULL] END");
    }
    let name = match of {
        TableFactor::Table { alias: Some(alias), args: None, .. }
        | TableFactor::Derived { alias: Some(alias), .. } => alias.name.clone(),
        TableFactor::Table { name, args: None, .. } => name.0.last()?.as_ident()?.clone(),
        _ => return None,
    };
    let column = alias.map(|alias| alias.columns.first().map_or(&alias.name, |column| &column.name));
    let column = column.map_or_else(|| Ident::new("unnest"), Clone::clone);
    let sql = format!("SELECT *, unnest({list}) AS {column} FROM {of}");
    let mut statements = Parser::parse_sql(&GenericDialect {}, &sql).ok()?;
    let Some(Parsed::Query(subquery)) = statements.pop() else { return None };
    let alias = TableAlias { explicit: true, name, columns: Vec::new(), at: None };
    Some(TableFactor::Derived { lateral: false, subquery, alias: Some(alias), sample: None })
}

/// The names of tables in the FROM of a query, but for those that it defines itself.
pub fn relations(sql: &str) -> Vec<String> {
    #[derive(Default)]
    struct Found {
        names: Vec<String>,
        defined: Vec<String>,
    }
    impl Visitor for Found {
        type Break = ();

        fn pre_visit_query(&mut self, query: &Query) -> ControlFlow<()> {
            let all = query.with.iter().flat_map(|with| &with.cte_tables);
            self.defined.extend(all.map(|cte| cte.alias.name.value.clone()));
            ControlFlow::Continue(())
        }

        fn pre_visit_relation(&mut self, name: &ObjectName) -> ControlFlow<()> {
            self.names.push(written(name));
            ControlFlow::Continue(())
        }
    }
    let dialect = GenericDialect {};
    let parsed = tokens(sql)
        .ok()
        .map(|tokens| Parser::new(&dialect).with_tokens_with_locations(tokens).parse_statement());
    let Some(Ok(parsed)) = parsed else { return Vec::new() };
    let mut found = Found::default();
    let _: ControlFlow<()> = parsed.visit(&mut found);
    let Found { mut names, defined } = found;
    names.retain(|name| !defined.iter().any(|own| own.eq_ignore_ascii_case(name)));
    names.dedup();
    names
}
