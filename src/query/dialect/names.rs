//! Name resolution: tables, columns and aliases in their scopes.

use datafusion::sql::sqlparser::ast::{ExcludeSelectItem, Ident, ObjectNamePart, WildcardAdditionalOptions};

use super::position::position;
use crate::error::{Error, Result, counted};

#[derive(Clone, Debug)]
pub(super) struct Relation {
    pub name: Option<String>,
    /// Its columns in order; `None` if only the engine knows them.
    pub columns: Option<Vec<String>>,
}

#[derive(Clone, Debug, Default)]
pub(super) struct Scope<'a> {
    pub relations: Vec<Relation>,
    pub aliases: Vec<String>,
    /// Whether aliases take precedence over columns, as in ORDER BY.
    pub aliases_first: bool,
    /// The scope around this subquery.
    pub outer: Option<&'a Scope<'a>>,
}

pub(super) fn quoted(name: &str, at: &Ident) -> Ident {
    Ident { value: name.to_owned(), quote_style: Some('"'), span: at.span }
}

/// An exact match, or else a match in any case.
fn find<'n>(names: impl Iterator<Item = &'n String>, wanted: &Ident) -> Result<Option<&'n str>> {
    let mut found: Vec<&str> = Vec::new();
    let lower = wanted.value.to_lowercase();
    for name in names {
        if *name == wanted.value {
            return Ok(Some(name));
        }
        if wanted.quote_style.is_none() && name.to_lowercase() == lower && !found.contains(&name.as_str()) {
            found.push(name);
        }
    }
    if found.len() > 1 {
        let at = position(wanted.span.start);
        let hint = format!("\"{}\"", found[0]);
        let all: Vec<String> = found.iter().map(|name| format!("`{name}`")).collect();
        return Err(Error::usage(format!(
            "{at}: `{}` can be any of {}, which differ by case alone",
            wanted.value,
            all.join(", ")
        ))
        .hint(format!("in double quotes case counts: {hint}")));
    }
    Ok(found.first().copied())
}

fn ordinal(wanted: &Ident) -> Option<usize> {
    let digits = wanted.value.strip_prefix('_').filter(|_| wanted.quote_style.is_none())?;
    if digits.is_empty() || !digits.bytes().all(|byte| byte.is_ascii_digit()) {
        return None;
    }
    Some(digits.parse().unwrap_or(usize::MAX))
}

impl Relation {
    /// By name, or by position as `_1`.
    fn column(&self, wanted: &Ident) -> Result<Option<String>> {
        let Some(columns) = &self.columns else { return Ok(None) };
        if let Some(name) = find(columns.iter(), wanted)? {
            return Ok(Some(name.to_owned()));
        }
        let Some(ordinal) = ordinal(wanted) else { return Ok(None) };
        match ordinal.checked_sub(1).and_then(|at| columns.get(at)) {
            Some(name) => Ok(Some(name.clone())),
            None => {
                let at = position(wanted.span.start);
                let count = u64::try_from(columns.len()).unwrap_or(u64::MAX);
                let name = &wanted.value;
                Err(Error::usage(format!(
                    "{at}: there is no column {name}, the table has {}",
                    counted(count, "column")
                ))
                .hint(format!("_1 to _{count} are the columns by their position")))
            }
        }
    }
}

impl Scope<'_> {
    /// Returns the spelling of the definition.
    fn column(&self, wanted: &Ident) -> Result<Option<String>> {
        let alias = || find_first(&self.aliases, wanted);
        if self.aliases_first
            && let Some(name) = alias()
        {
            return Ok(Some(name));
        }
        let known = self.relations.iter().filter_map(|relation| relation.columns.as_ref()).flatten();
        if let Some(name) = find(known, wanted)? {
            return Ok(Some(name.to_owned()));
        }
        if let Some(name) = alias() {
            return Ok(Some(name));
        }
        if let [relation] = self.relations.as_slice()
            && let Some(name) = relation.column(wanted)?
        {
            return Ok(Some(name));
        }
        match self.outer {
            Some(outer) => outer.column(wanted),
            None => Ok(None),
        }
    }

    fn relation(&self, wanted: &Ident) -> Result<Option<&Relation>> {
        let names = self.relations.iter().filter_map(|relation| relation.name.as_ref());
        match (find(names, wanted)?, self.outer) {
            (Some(name), _) => {
                Ok(self.relations.iter().find(|relation| relation.name.as_deref() == Some(name)))
            }
            (None, Some(outer)) => outer.relation(wanted),
            (None, None) => Ok(None),
        }
    }

    pub fn table(&self, wanted: &Ident) -> Result<Option<(String, Option<Vec<String>>)>> {
        let found = self.relation(wanted)?;
        Ok(found.and_then(|relation| Some((relation.name.clone()?, relation.columns.clone()))))
    }

    /// `None` if the name is unknown.
    pub fn single(&self, wanted: &Ident) -> Result<Option<Ident>> {
        Ok(self.column(wanted)?.map(|name| quoted(&name, wanted)))
    }

    /// An optional table, a column, then fields. `None` if the first name is unknown.
    pub fn path(&self, wanted: &[Ident]) -> Result<Option<Vec<Ident>>> {
        let [first, rest @ ..] = wanted else { return Ok(None) };
        let fields = |names: &[Ident]| names.iter().map(|name| quoted(&name.value, name)).collect::<Vec<_>>();
        if let (Some(relation), [second, fields_of @ ..]) = (self.relation(first)?, rest) {
            let name = relation.name.as_deref().unwrap_or_default();
            let column = match relation.column(second)? {
                Some(column) => quoted(&column, second),
                // The engine resolves columns that are unknown here.
                None if relation.columns.is_none() => second.clone(),
                None => quoted(&second.value, second),
            };
            let mut path = vec![quoted(name, first), column];
            path.extend(fields(fields_of));
            return Ok(Some(path));
        }
        // `_1.` means the row itself if rows are objects, unless a column has that name.
        let row = first.value == "_1"
            && first.quote_style.is_none()
            && self.relations.len() == 1
            && !rest.is_empty()
            && find(self.relations.iter().filter_map(|r| r.columns.as_ref()).flatten(), first)?.is_none();
        if row {
            return match rest {
                [only] => Ok(self.single(only)?.map(|name| vec![name])),
                _ => self.path(rest),
            };
        }
        Ok(self.column(first)?.map(|name| {
            let mut path = vec![quoted(&name, first)];
            path.extend(fields(rest));
            path
        }))
    }
}

pub(super) fn find_first(names: &[String], wanted: &Ident) -> Option<String> {
    let exact = names.iter().find(|name| **name == wanted.value);
    let lower = wanted.value.to_lowercase();
    let any = || names.iter().find(|name| wanted.quote_style.is_none() && name.to_lowercase() == lower);
    exact.or_else(any).cloned()
}

pub(super) fn left_out(options: &mut WildcardAdditionalOptions) -> Vec<&mut Ident> {
    let mut out: Vec<&mut Ident> = Vec::new();
    let excluded = match &mut options.opt_exclude {
        Some(ExcludeSelectItem::Single(name)) => std::slice::from_mut(name),
        Some(ExcludeSelectItem::Multiple(names)) => names.as_mut_slice(),
        None => &mut [],
    };
    for name in excluded {
        if let [ObjectNamePart::Identifier(name)] = name.0.as_mut_slice() {
            out.push(name);
        }
    }
    if let Some(except) = &mut options.opt_except {
        out.push(&mut except.first_element);
        out.extend(&mut except.additional_elements);
    }
    out
}
