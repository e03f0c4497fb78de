//! Statements that other programs have beside queries: those that list, and the query in the place of others.

use datafusion::sql::sqlparser::tokenizer::{Token, TokenWithSpan};

use super::syntax::no_query;
use super::tokens::tokens;
use rread_text::error::Error;

/// What a statement lists instead of rows.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Listing {
    Tables,
    /// The columns of a table; of `t`, if none is named.
    Columns(Option<String>),
}

/// What `sql` lists: `SHOW TABLES`, `DESCRIBE t` and `SHOW COLUMNS FROM t`.
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

/// Statements that are no queries, what the message calls them, and the query to type instead.
const COMMANDS: &str = "\
DESCRIBE|DESCRIBE with more than a table|DESCRIBE t
DESC|DESCRIBE with more than a table|DESCRIBE t
SHOW COLUMNS|this SHOW|SHOW COLUMNS FROM t
SHOW FIELDS|this SHOW|SHOW COLUMNS FROM t
SHOW CREATE|this SHOW|SHOW COLUMNS FROM t
SHOW INDEX|this SHOW|SHOW COLUMNS FROM t
SHOW|this SHOW|SHOW TABLES, or DESCRIBE t
PRAGMA|PRAGMA|SHOW TABLES, or DESCRIBE t
ATTACH|ATTACH|FROM NAME for one of several FILEs
EXPLAIN|this EXPLAIN|EXPLAIN SELECT * FROM t LIMIT 10
PIVOT|PIVOT|SELECT _1, sum(_3) FILTER (WHERE _2 = 'a') AS a FROM t GROUP BY _1; one FILTER for each new column
UNPIVOT|UNPIVOT|SELECT _1, 'a' AS name, a AS value FROM t UNION ALL SELECT _1, 'b', b FROM t
SUMMARIZE|SUMMARIZE|SELECT count(*), count(c), count(DISTINCT c), min(c), max(c), avg(c) FROM t; c is a column
USE|USE|SELECT * FROM t LIMIT 10; the table of FILE is t";

/// The error for a statement such as `DESCRIBE t`; `None` if it begins with no such word.
pub(super) fn command(tokens: &[TokenWithSpan]) -> Option<Error> {
    let words = tokens.iter().take(2).map(|token| token.token.to_string().to_ascii_uppercase());
    let begin = words.collect::<Vec<_>>().join(" ") + " ";
    let mut rows = COMMANDS.lines().filter_map(|row| row.split_once('|'));
    let (_, row) = rows.find(|(words, _)| begin.starts_with(&format!("{words} ")))?;
    let (what, hint) = row.split_once('|')?;
    Some(no_query(what).hint(hint))
}
