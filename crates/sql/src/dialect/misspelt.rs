//! Finds a misspelt word of SQL before the place where the parser stopped.

use datafusion::sql::sqlparser::keywords::Keyword;
use datafusion::sql::sqlparser::tokenizer::{Location, Token, TokenWithSpan};

use rread_text::error::Error;

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
