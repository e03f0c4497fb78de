//! What other databases offer under another name or not at all, and the SQL to write instead; also statements that list
//! tables and columns.

use datafusion::sql::sqlparser::tokenizer::{Token, TokenWithSpan};

use super::tokens::{no_query, tokens};
use rread_text::Error;

/// The rows of a kind, each divided at its first bar.
fn rows(kind: &str) -> impl Iterator<Item = (&'static str, &'static str)> {
    let all = include_str!("foreign.txt").lines();
    all.filter_map(move |row| row.strip_prefix(kind)?.strip_prefix(' ')?.split_once('|'))
}

/// The SQL to write instead of the function `name`, in lower case.
pub(super) fn instead_of(name: &str) -> Option<&'static str> {
    foreign_functions().find(|(foreign, _)| *foreign == name).map(|(_, instead)| instead)
}

/// The expressions of the table, for the test that runs them.
pub fn foreign_functions() -> impl Iterator<Item = (&'static str, &'static str)> {
    rows("function").flat_map(|(names, instead)| names.split(' ').map(move |name| (name, instead)))
}

/// The sentence for the engine's message `text`; `at` says where in the query.
pub(super) fn unsupported(text: &str, at: &str) -> Option<Error> {
    let is_found =
        |needle: &str| if needle == "TOP" { text.ends_with(needle) } else { text.contains(needle) };
    if let Some((_, row)) = rows("message").find(|(needle, _)| is_found(needle)) {
        let (sentence, hint) = row.split_once('|').unwrap_or((row, ""));
        return Some(Error::usage(format!("{at}{sentence}")).hint(hint));
    }
    // The rest is the engine's representation of the query.
    let node = text.split_once("Unsupported ast node in sqltorel: ")?.1;
    let name = node.split(|c: char| !c.is_alphanumeric()).next()?;
    Some(Error::usage(format!("{at}an expression of the kind {name} is not supported")))
}

/// The kind of list that a statement asks for instead of rows.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Listing {
    Tables,
    /// The columns of a table; of `t`, if none is named.
    Columns(Option<String>),
}

/// The list that `sql` asks for: `SHOW TABLES`, `DESCRIBE t` and `SHOW COLUMNS FROM t`.
pub fn listing(sql: &str) -> Option<Listing> {
    let mut tokens = tokens(sql).ok()?;
    tokens.retain(|token| token.token != Token::SemiColon);
    let mut words = Vec::new();
    for token in &tokens {
        let Token::Word(word) = &token.token else { return None };
        words.push(word.value.as_str());
    }
    let upper: Vec<String> = words.iter().map(|word| word.to_ascii_uppercase()).collect();
    let upper: Vec<&str> = upper.iter().map(String::as_str).collect();
    match upper[..] {
        ["SHOW", "TABLES"] => Some(Listing::Tables),
        ["DESCRIBE" | "DESC"] | ["SHOW", "COLUMNS" | "FIELDS"] => Some(Listing::Columns(None)),
        ["DESCRIBE" | "DESC", _]
        | ["DESCRIBE" | "DESC", "TABLE", _]
        | ["SHOW", "COLUMNS" | "FIELDS", "FROM" | "IN", _] => {
            Some(Listing::Columns(words.last().map(|name| (*name).to_owned())))
        }
        _ => None,
    }
}

/// The query of `DESCRIBE SELECT …`, whose columns are asked for.
pub fn described_query(sql: &str) -> Option<&str> {
    let (verb, query) = sql.trim_start().split_once(char::is_whitespace)?;
    let first = query.split_whitespace().next()?.trim_start_matches('(').to_ascii_uppercase();
    let is_query = ["SELECT", "WITH", "FROM", "VALUES"].contains(&&*first);
    let is_verb = ["DESCRIBE", "DESC"].iter().any(|word| verb.eq_ignore_ascii_case(word));
    (is_verb && is_query).then_some(query)
}

/// A query whose rows are `rows`, under the names `columns`.
pub fn listed(columns: [&str; 2], rows: &[(String, String)]) -> String {
    let text = |value: &str| format!("'{}'", value.replace('\'', "''"));
    let rows: Vec<String> = rows.iter().map(|(one, two)| format!("({}, {})", text(one), text(two))).collect();
    let [first, second] = columns;
    if rows.is_empty() {
        return format!("SELECT NULL AS {first}, NULL AS {second} WHERE false");
    }
    format!("SELECT column1 AS {first}, column2 AS {second} FROM (VALUES {})", rows.join(", "))
}

/// The error for a statement such as `DESCRIBE t`; `None` if it begins with no such word.
pub(super) fn command(tokens: &[TokenWithSpan]) -> Option<Error> {
    let words = tokens.iter().take(2).map(|token| token.token.to_string().to_ascii_uppercase());
    let begin = words.collect::<Vec<_>>().join(" ") + " ";
    let (_, row) = rows("statement").find(|(words, _)| begin.starts_with(&format!("{words} ")))?;
    let (what, hint) = row.split_once('|')?;
    Some(no_query(what).hint(hint))
}

/// The error for a `POSITIONAL JOIN`, whose first word the parser takes for an alias of the table before it.
pub(super) fn positional_join(tokens: &[TokenWithSpan]) -> Option<Error> {
    let is = |token: &TokenWithSpan, name: &str| match &token.token {
        Token::Word(word) => word.quote_style.is_none() && word.value.eq_ignore_ascii_case(name),
        _ => false,
    };
    let mut pairs = tokens.windows(2);
    pairs.find(|pair| is(&pair[0], "POSITIONAL") && is(&pair[1], "JOIN"))?;
    let numbered = |table: &str| format!("(SELECT *, row_number() OVER () AS n FROM {table})");
    let hint = format!("SELECT * FROM {} a JOIN {} b ON a.n = b.n", numbered("t"), numbered("u"));
    Some(Error::usage("POSITIONAL JOIN is not supported").hint(hint))
}
