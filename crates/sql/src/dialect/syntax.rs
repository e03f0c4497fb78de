//! Text that is not a query: errors of the parser with their position, and misspelt words.

use datafusion::sql::sqlparser::keywords::Keyword;
use datafusion::sql::sqlparser::parser::ParserError;
use datafusion::sql::sqlparser::tokenizer::{Location, Token, TokenWithSpan};

use rread_text::error::Error;
use rread_text::sentence::{Sentence, call};

pub(super) const DEPTH: usize = 50;

/// The parser counts from 1 and uses 0 for unknown.
pub(super) fn position(at: Location) -> String {
    let Location { line, column } = at;
    if line == 0 { "the query".to_owned() } else { format!("line {line}, column {column} of the query") }
}

pub(super) fn error_at(at: Location, sentence: &str) -> Error {
    Error::usage(format!("{}: {sentence}", position(at)))
}

pub(super) fn no_query(verb: &str) -> Error {
    let start = Sentence::from(format!("{verb} is not a query: "));
    Error::usage(start.then(call("select")).then(" runs one SELECT"))
}

/// The message of the parser ends with ` at Line: 1, Column: 8`.
pub(super) fn syntax(error: &ParserError) -> Error {
    let text = match error {
        ParserError::TokenizerError(text) | ParserError::ParserError(text) => text.as_str(),
        ParserError::RecursionLimitExceeded => {
            return Error::usage(format!(
                "the query nests deeper than {DEPTH} parentheses, subqueries and operators in each other"
            ));
        }
    };
    let found = text.rfind(" at Line: ").and_then(|cut| {
        let (line, column) = text.get(cut + " at Line: ".len()..)?.split_once(", Column: ")?;
        Some((text.get(..cut)?, line.parse().ok()?, column.trim_end_matches('.').parse().ok()?))
    });
    let (text, at) =
        found.map_or((text, Location::empty()), |(text, line, column)| (text, Location::new(line, column)));
    let text = text.trim_start_matches("sql parser error: ");
    let text =
        text.strip_prefix("Expected:").map_or_else(|| text.to_owned(), |rest| format!("expected{rest}"));
    let hint = if text.contains("found: EOF") {
        "the query ends too early; a query is SELECT columns FROM t WHERE condition"
    } else if text.starts_with("expected an SQL statement") {
        "SELECT * FROM t"
    } else {
        "put names with other characters, and names that are SQL words, in \"double quotes\", text in 'single quotes'"
    };
    error_at(at, &text.replace("found: EOF", "found the end")).hint(hint)
}

const WORDS: [&str; 14] = [
    "SELECT", "DISTINCT", "FROM", "WHERE", "GROUP", "HAVING", "ORDER", "LIMIT", "OFFSET", "JOIN", "UNION",
    "BETWEEN", "QUALIFY", "WINDOW",
];

/// How many words before the stop may be the cause.
const BACK: usize = 3;

/// `error`, with the corrected query as its hint if a word near the token at `stop` is a misspelt word of SQL.
pub(super) fn improved(error: Error, sql: &str, tokens: &[TokenWithSpan], stop: usize) -> Error {
    let near = tokens.get(stop.saturating_sub(BACK)..(stop + 1).min(tokens.len())).unwrap_or_default();
    let Some((token, right)) = near.iter().rev().find_map(|token| Some((token, corrected(token)?))) else {
        return error;
    };
    let (Some(start), Some(end)) = (offset(sql, token.span.start), offset(sql, token.span.end)) else {
        return error;
    };
    match (sql.get(..start), sql.get(end..)) {
        (Some(before), Some(after)) => error.hint(format!("did you mean {right}? {before}{right}{after}")),
        _ => error,
    }
}

fn corrected(token: &TokenWithSpan) -> Option<&'static str> {
    let Token::Word(word) = &token.token else { return None };
    if word.quote_style.is_some() || word.keyword != Keyword::NoKeyword {
        return None;
    }
    let upper = word.value.to_ascii_uppercase();
    let near = WORDS.iter().map(|right| (strsim::damerau_levenshtein(right, &upper), *right));
    let (distance, right) = near.min()?;
    (distance <= if upper.len() < 6 { 1 } else { 2 } && upper.len() > 2).then_some(right)
}

/// The offset in bytes of a line and column, which count from 1.
fn offset(sql: &str, at: Location) -> Option<usize> {
    let line_start = match usize::try_from(at.line.checked_sub(1)?).ok()? {
        0 => 0,
        nth => sql.match_indices('\n').nth(nth - 1)?.0 + 1,
    };
    let line = sql.get(line_start..)?;
    let column = usize::try_from(at.column.checked_sub(1)?).ok()?;
    let inside = line.char_indices().map(|(at, _)| at).chain([line.len()]).nth(column)?;
    Some(line_start + inside)
}
