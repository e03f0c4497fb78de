//! The spelling of names: a map of the columns and aliases of a query by their lower case.
//!
//! Which table a name belongs to stays the engine's question. Where two spellings of a name could both be meant, the query is
//! refused, so that no answer depends on a guess.

use std::collections::HashMap;

use datafusion::sql::sqlparser::ast::Ident;
use unicode_normalization::UnicodeNormalization;

use super::tokens::error_at;
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
