//! Statements that other programs have beside queries, and the query with the same answer.

use datafusion::sql::sqlparser::tokenizer::{Token, TokenWithSpan};

use rread_text::error::Error;

const COLUMNS: &str =
    "\"SELECT * FROM t LIMIT 1\" --metadata-only: the receipt has the columns and their types";

/// The error for a statement such as `DESCRIBE t`; `None` if it begins with no such word.
pub(super) fn command(tokens: &[TokenWithSpan]) -> Option<Error> {
    let word = |at: usize| match tokens.get(at).map(|token| &token.token) {
        Some(Token::Word(word)) => word.value.to_ascii_uppercase(),
        _ => String::new(),
    };
    let refused = |what: &str, hint: &str| {
        Some(Error::usage(format!("{what} is not a query: rread select runs one SELECT")).hint(hint))
    };
    match (word(0).as_str(), word(1).as_str()) {
        ("DESCRIBE" | "DESC", _) => refused("DESCRIBE", COLUMNS),
        ("SHOW", "COLUMNS" | "FIELDS" | "CREATE" | "SCHEMA") => refused("SHOW COLUMNS", COLUMNS),
        ("SHOW", "TABLES" | "DATABASES" | "SCHEMAS") => {
            refused("SHOW TABLES", "SELECT * FROM t LIMIT 10; the table of FILE is t")
        }
        ("SUMMARIZE", _) => refused(
            "SUMMARIZE",
            "SELECT count(*), count(_1), count(DISTINCT _1), min(_1), max(_1) FROM t; _1 is the first column",
        ),
        ("EXPLAIN", "ANALYZE" | "ANALYSE") => refused("EXPLAIN ANALYZE", "EXPLAIN SELECT * FROM t LIMIT 10"),
        ("PIVOT" | "UNPIVOT", _) => refused(
            &word(0),
            "SELECT _1, sum(_3) FILTER (WHERE _2 = 'a') AS a FROM t GROUP BY _1; one FILTER for each new column",
        ),
        ("USE", _) => refused("USE", "SELECT * FROM t LIMIT 10; the table of FILE is t"),
        _ => None,
    }
}
