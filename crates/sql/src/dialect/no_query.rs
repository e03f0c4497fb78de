//! Statements that other programs have beside queries, and the query with the same answer.

use datafusion::sql::sqlparser::tokenizer::{Token, TokenWithSpan};

use super::position::no_query;
use rread_text::error::Error;
use rread_text::sentence::{Sentence, setting};

fn columns() -> Sentence {
    Sentence::from("\"SELECT * FROM t LIMIT 1\" ")
        .then(setting("metadata-only"))
        .then(": the receipt has the columns and their types")
}

/// The error for a statement such as `DESCRIBE t`; `None` if it begins with no such word.
pub(super) fn command(tokens: &[TokenWithSpan]) -> Option<Error> {
    let word = |at: usize| match tokens.get(at).map(|token| &token.token) {
        Some(Token::Word(word)) => word.value.to_ascii_uppercase(),
        _ => String::new(),
    };
    let refused = |what: &str, hint: &str| Some(no_query(what).hint(hint));
    match (word(0).as_str(), word(1).as_str()) {
        ("DESCRIBE" | "DESC", _) => Some(no_query("DESCRIBE").hint(columns())),
        ("SHOW", "COLUMNS" | "FIELDS" | "CREATE" | "SCHEMA") => {
            Some(no_query("SHOW COLUMNS").hint(columns()))
        }
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
