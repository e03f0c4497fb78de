//! FROM: tables, their names and their joins.

use datafusion::sql::sqlparser::ast::{
    Ident, JoinConstraint, JoinOperator, ObjectName, ObjectNamePart, TableAlias, TableFactor, TableWithJoins,
};
use datafusion::sql::sqlparser::tokenizer::Location;

use super::membership::{self, Place};
use super::names::{Outputs, Relation, Scope, find_first, quoted};
use super::position::error_at;
use super::rewrite::{Rewriter, column_names, quote_alias, renamed};
use super::shared;
use super::tokens::no_path;
use rread_text::error::{Error, Result};

impl Rewriter<'_> {
    /// Returns the columns that `*` shows.
    pub(super) fn from(&mut self, from: &mut TableWithJoins, scope: &mut Scope<'_>) -> Result<Outputs> {
        if !from.joins.is_empty() {
            name_query(&mut from.relation, scope);
        }
        let mut outputs = self.relation(&mut from.relation, scope)?;
        for join in &mut from.joins {
            name_query(&mut join.relation, scope);
            let right = self.relation(&mut join.relation, scope)?;
            let is_inner = matches!(join.join_operator, JoinOperator::Join(_) | JoinOperator::Inner(_));
            match shared::constraint(&mut join.join_operator) {
                Some(JoinConstraint::On(condition)) => {
                    // Only an inner join keeps no row for which it is unknown.
                    let place = if is_inner { Place::Conjunct } else { Place::Condition };
                    membership::settle(condition, place)?;
                    self.walk(condition, scope)?;
                }
                Some(_) => {}
                None => {
                    return Err(Error::usage("this kind of join is not supported")
                        .hint("SELECT ... FROM t a JOIN t b ON a.id = b.id"));
                }
            }
            outputs = shared::join(&mut join.join_operator, outputs, right, scope)?;
        }
        Ok(outputs)
    }

    fn relation(&mut self, factor: &mut TableFactor, scope: &mut Scope<'_>) -> Result<Outputs> {
        let (alias, mut relation) = match factor {
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
                (alias, self.table(name)?)
            }
            TableFactor::Table { args: Some(args), name, alias, .. } => {
                self.walk(&mut args.args, scope)?;
                let name = name.to_string().to_lowercase();
                (alias, Relation { name: Some(name), columns: None, is_table: false })
            }
            TableFactor::Derived { lateral, subquery, alias, sample: None } => {
                let none = Scope::default();
                let around = if *lateral { &*scope } else { scope.outer.unwrap_or(&none) };
                let columns = self.query(subquery, around)?;
                (alias, Relation { name: None, columns, is_table: false })
            }
            TableFactor::NestedJoin { table_with_joins, alias: None } => {
                return self.from(table_with_joins, scope);
            }
            TableFactor::UNNEST { alias, array_exprs, .. } => {
                self.walk(array_exprs, scope)?;
                (alias, Relation { name: None, columns: None, is_table: false })
            }
            TableFactor::Function { args, alias, .. } => {
                self.walk(args, scope)?;
                (alias, Relation { name: None, columns: None, is_table: false })
            }
            other => {
                return Err(Error::usage(format!("`{other}` is not supported as a table in FROM"))
                    .hint("SELECT * FROM t AS a"));
            }
        };
        if let Some(alias) = alias {
            if alias.at.is_some() {
                return Err(Error::usage("AT after a table name is not supported"));
            }
            relation.name = Some(alias.name.value.clone());
            relation.columns = renamed(relation.columns.take(), &column_names(alias));
            quote_alias(alias);
        }
        let outputs = shared::outputs(&relation, self.hidden);
        scope.relations.push(relation);
        Ok(outputs)
    }

    fn table(&self, name: &mut ObjectName) -> Result<Relation> {
        let wanted = match name.0.as_slice() {
            [ObjectNamePart::Identifier(wanted)] => wanted,
            [ObjectNamePart::Identifier(first), ..]
                if first.value.eq_ignore_ascii_case("s3object") && first.quote_style.is_none() =>
            {
                return Err(no_path(first.span.start, None));
            }
            _ => {
                return Err(
                    self.no_table(&name.to_string(), name.0.first().and_then(ObjectNamePart::as_ident))
                );
            }
        };
        let names: Vec<String> = self.defined.iter().rev().map(|(name, _)| name.value.clone()).collect();
        if let Some(found) = find_first(&names, wanted) {
            let columns = self.defined.iter().rev().find(|(name, _)| name.value == found);
            let columns = columns.and_then(|(_, columns)| columns.clone());
            *name = ObjectName::from(quoted(&found, wanted));
            return Ok(Relation { name: Some(found), columns, is_table: false });
        }
        let Some(found) = find_first(self.tables, wanted) else {
            return Err(self.no_table(&wanted.value, Some(wanted)));
        };
        let columns = (self.columns)(&found)?;
        *name = ObjectName::from(quoted(&found, wanted));
        Ok(Relation { name: Some(found), columns: Some(columns), is_table: true })
    }

    fn no_table(&self, wanted: &str, at: Option<&Ident>) -> Error {
        let at = at.map_or_else(Location::empty, |at| at.span.start);
        let mut names: Vec<String> = self.tables.iter().map(|name| format!("`{name}`")).collect();
        names.extend(self.defined.iter().map(|(name, _)| format!("`{}`", name.value)));
        let names = names.join(", ");
        error_at(at, &format!("there is no table `{wanted}`; there are only {names}"))
            .hint(format!("FROM {}", self.tables.first().map_or("t", String::as_str)))
    }
}

/// Names a subquery, so that a condition of its join can mean a column of it.
fn name_query(factor: &mut TableFactor, scope: &Scope<'_>) {
    if let TableFactor::Derived { alias: alias @ None, .. } = factor {
        let name = quoted(&format!("subquery {}", scope.relations.len() + 1), &Ident::new(""));
        *alias = Some(TableAlias { explicit: true, name, columns: Vec::new(), at: None });
    }
}
