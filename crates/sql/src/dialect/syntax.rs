//! Text that is not a query: errors of the parser with their position, and misspelt words.

use datafusion::sql::sqlparser::parser::ParserError;
use datafusion::sql::sqlparser::tokenizer::Location;

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
    let text = match text.split_once("No infix parser for token ") {
        Some((_, token)) => {
            let word = token.split_once("value: \"").and_then(|(_, rest)| rest.split('"').next());
            format!("`{}` is not an operator", word.unwrap_or(token))
        }
        None => text,
    };
    let hint = if text.contains("MATCH_CONDITION") {
        "ASOF JOIN is not supported: SELECT ... FROM t a JOIN t b ON a.id >= b.id"
    } else if text.contains("an operator") {
        "power(2, 3), x / y, x % y, x = y, column ~ 'pattern'"
    } else if text.contains("found: EOF") {
        "the query ends too early; a query is SELECT columns FROM t WHERE condition"
    } else if text == "expected an expression, found: *" {
        "power(2, 3) for 2**3"
    } else if text.starts_with("expected an SQL statement") {
        "SELECT * FROM t"
    } else {
        "put names with other characters, and names that are SQL words, in \"double quotes\", text in 'single quotes'"
    };
    error_at(at, &text.replace("found: EOF", "found the end")).hint(hint)
}
