//! Name resolution: tables, columns and aliases in their scopes.

use std::cell::Cell;

use datafusion::sql::sqlparser::ast::{
    ExcludeSelectItem, Expr, Ident, ObjectName, ObjectNamePart, WildcardAdditionalOptions,
};

use super::lookalike::looks_like;
use super::position::error_at;
use rread_text::error::{Result, counted};

/// The columns of a table by its name.
pub type ColumnsOf<'a> = &'a dyn Fn(&str) -> Result<Vec<String>>;

/// Names in order; `None` if only the engine knows them.
pub(super) type Columns = Option<Vec<String>>;

/// A column that `*` shows.
#[derive(Clone, Debug)]
pub(super) struct Output {
    pub name: String,
    pub value: Expr,
}

/// In the order of `*`; `None` if only the engine knows them.
pub(super) type Outputs = Option<Vec<Output>>;

#[derive(Clone, Debug)]
pub(super) struct Relation {
    pub name: Option<String>,
    pub columns: Columns,
    /// Whether it is a table, whose hidden columns `*` leaves out, and not the result of a query.
    pub is_table: bool,
}

#[derive(Clone, Debug, Default)]
pub(super) struct Scope<'a> {
    pub relations: Vec<Relation>,
    pub aliases: Vec<String>,
    /// Aliases come before columns, as in ORDER BY.
    pub aliases_first: bool,
    pub outer: Option<&'a Scope<'a>>,
    /// The columns that USING and NATURAL make one of two.
    pub shared: Vec<Output>,
    /// The columns that `*` shows.
    pub outputs: Outputs,
    /// Whether a subquery uses a name of this scope.
    pub is_used_inside: Cell<bool>,
}

pub(super) fn quoted(name: &str, at: &Ident) -> Ident {
    Ident { value: name.to_owned(), quote_style: Some('"'), span: at.span }
}

fn find<'n>(names: impl Iterator<Item = &'n String>, wanted: &Ident) -> Result<Option<&'n str>> {
    let mut found: Vec<&str> = Vec::new();
    let mut alike: Vec<&str> = Vec::new();
    let lower = wanted.value.to_lowercase();
    for name in names {
        if *name == wanted.value {
            return Ok(Some(name));
        }
        if wanted.quote_style.is_none() && name.to_lowercase() == lower && !found.contains(&name.as_str()) {
            found.push(name);
        }
        if !name.is_ascii() || name.trim().len() < name.len() || !wanted.value.is_ascii() {
            alike.extend(
                Some(name.as_str()).filter(|name| looks_like(name, &wanted.value) && !alike.contains(name)),
            );
        }
    }
    if let ([], [only]) = (found.as_slice(), alike.as_slice()) {
        return Ok(Some(only));
    }
    if found.len() > 1 {
        let all: Vec<String> = found.iter().map(|name| format!("`{name}`")).collect();
        let (name, all) = (&wanted.value, all.join(", "));
        let sentence = format!("`{name}` can be any of {all}, which differ by case alone");
        return Err(error_at(wanted.span.start, &sentence)
            .hint(format!("in double quotes case counts: \"{}\"", found[0])));
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
    fn column(&self, wanted: &Ident) -> Result<Option<String>> {
        let Some(columns) = &self.columns else { return Ok(None) };
        if let Some(name) = find(columns.iter(), wanted)? {
            return Ok(Some(name.to_owned()));
        }
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
}

impl Scope<'_> {
    fn known(&self) -> impl Iterator<Item = &String> {
        self.relations.iter().filter_map(|relation| relation.columns.as_ref()).flatten()
    }

    /// Whether a relation of this scope itself has a column of that name.
    pub fn knows(&self, wanted: &Ident) -> bool {
        let names: Vec<String> = self.known().cloned().collect();
        find_first(&names, wanted).is_some()
    }

    fn column(&self, wanted: &Ident) -> Result<Option<String>> {
        let alias = find_first(&self.aliases, wanted);
        if self.aliases_first && alias.is_some() {
            return Ok(alias);
        }
        if let Some(name) = find(self.known(), wanted)? {
            return Ok(Some(name.to_owned()));
        }
        if alias.is_some() {
            return Ok(alias);
        }
        if let [relation] = self.relations.as_slice()
            && let Some(name) = relation.column(wanted)?
        {
            return Ok(Some(name));
        }
        let Some(outer) = self.outer else { return Ok(None) };
        let found = outer.column(wanted)?;
        outer.is_used_inside.set(outer.is_used_inside.get() || found.is_some());
        Ok(found)
    }

    fn relation(&self, wanted: &Ident) -> Result<Option<&Relation>> {
        let names = self.relations.iter().filter_map(|relation| relation.name.as_ref());
        match (find(names, wanted)?, self.outer) {
            (Some(name), _) => {
                Ok(self.relations.iter().find(|relation| relation.name.as_deref() == Some(name)))
            }
            (None, Some(outer)) => {
                let found = outer.relation(wanted)?;
                outer.is_used_inside.set(outer.is_used_inside.get() || found.is_some());
                Ok(found)
            }
            (None, None) => Ok(None),
        }
    }

    pub fn table(&self, wanted: &Ident) -> Result<Option<(String, Columns)>> {
        let found = self.relation(wanted)?;
        Ok(found.and_then(|relation| Some((relation.name.clone()?, relation.columns.clone()))))
    }

    pub fn single(&self, wanted: &Ident) -> Result<Option<Ident>> {
        Ok(self.column(wanted)?.map(|name| quoted(&name, wanted)))
    }

    /// An optional table, a column, then fields. `None` if the first name is unknown.
    pub fn path(&self, wanted: &[Ident]) -> Result<Option<Vec<Ident>>> {
        let [first, rest @ ..] = wanted else { return Ok(None) };
        if let (Some(relation), [second, fields_of @ ..]) = (self.relation(first)?, rest) {
            let name = relation.name.as_deref().unwrap_or_default();
            let column = match relation.column(second)? {
                Some(column) => quoted(&column, second),
                // The engine resolves columns that are unknown here.
                None if relation.columns.is_none() => second.clone(),
                None => quoted(&second.value, second),
            };
            return Ok(Some([quoted(name, first), column].into_iter().chain(fields(fields_of)).collect()));
        }
        // `_1.` means the row itself if rows are objects, unless a column has that name.
        let row = first.value == "_1"
            && first.quote_style.is_none()
            && self.relations.len() == 1
            && !rest.is_empty()
            && find(self.known(), first)?.is_none();
        if row {
            return match rest {
                [only] => Ok(self.single(only)?.map(|name| vec![name])),
                _ => self.path(rest),
            };
        }
        Ok(self.single(first)?.map(|column| std::iter::once(column).chain(fields(rest)).collect()))
    }
}

fn fields(names: &[Ident]) -> impl Iterator<Item = Ident> {
    names.iter().map(|name| quoted(&name.value, name))
}

pub(super) fn find_first(names: &[String], wanted: &Ident) -> Option<String> {
    let exact = names.iter().find(|name| **name == wanted.value);
    let lower = wanted.value.to_lowercase();
    let any = || names.iter().find(|name| wanted.quote_style.is_none() && name.to_lowercase() == lower);
    exact.or_else(any).cloned()
}

/// Adds a column to those that `*` leaves out.
pub(super) fn leave_out(options: &mut WildcardAdditionalOptions, column: &str) {
    let mut all = match options.opt_exclude.take() {
        Some(ExcludeSelectItem::Single(name)) => vec![name],
        Some(ExcludeSelectItem::Multiple(names)) => names,
        None => Vec::new(),
    };
    let column = quoted(column, &Ident::new(""));
    if !all.iter().any(|name| name.to_string().trim_matches('"') == column.value) {
        all.push(ObjectName::from(vec![column]));
    }
    options.opt_exclude = Some(ExcludeSelectItem::Multiple(all));
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
