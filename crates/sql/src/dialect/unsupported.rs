//! Sentences for what the engine does not support, where its own words are its inner names.

use rread_text::error::Error;

/// Rows of a part of the engine's message, the sentence for it, and the text of a query to write instead.
const UNSUPPORTED: [(&str, &str, &str); 13] = [
    ("sqltorel: Collate", "COLLATE is not supported", "lower(column) compares without case"),
    ("sqltorel: RLike", "REGEXP and RLIKE are not supported", "column ~ 'pattern', or ~* to ignore case"),
    ("sqltorel: MatchAgainst", "MATCH AGAINST is not supported", "column ILIKE '%word%'"),
    ("sqltorel: AtTimeZone", "AT TIME ZONE is not supported here", "TIMESTAMP '2026-11-23 06:00:00+01:00'"),
    ("sqltorel: Lambda", "a function as an argument is not supported", "unnest(list) makes rows of a list"),
    (
        "expression OuterReferenceColumn",
        "a table in FROM cannot use the columns of those beside it",
        "FROM t a JOIN t b ON a.id = b.id",
    ),
    (
        "SanityCheckPlan",
        "the engine cannot compute these windows or joins in one query",
        "SELECT ... FROM (SELECT *, sum(x) OVER (...) AS w FROM t): one of them in a subquery",
    ),
    ("INTERVAL expression cannot be", "an interval is a text", "INTERVAL '10 days'"),
    ("FETCH clause", "FETCH is not supported", "SELECT ... LIMIT 10"),
    ("TOP", "TOP is not supported", "SELECT ... LIMIT 10"),
    ("Operator ->> ", "the operator ->> is not supported", "x.member, if x is a column of objects"),
    ("Operator -> ", "the operator -> is not supported", "x.member, if x is a column of objects"),
    ("was not provided a value for execution", "a query has no parameters such as $1 and ?", "WHERE id = 7"),
];

/// The sentence for the engine's message `text`; `at` says where in the query.
pub(super) fn unsupported(text: &str, at: &str) -> Option<Error> {
    let is_found =
        |needle: &str| if needle == "TOP" { text.ends_with(needle) } else { text.contains(needle) };
    if let Some((_, sentence, hint)) = UNSUPPORTED.iter().find(|(needle, ..)| is_found(needle)) {
        return Some(Error::usage(format!("{at}{sentence}")).hint(*hint));
    }
    // The rest is the engine's representation of the query.
    let node = text.split_once("Unsupported ast node in sqltorel: ")?.1;
    let name = node.split(|c: char| !c.is_alphanumeric()).next()?;
    Some(Error::usage(format!("{at}an expression of the kind {name} is not supported")))
}
