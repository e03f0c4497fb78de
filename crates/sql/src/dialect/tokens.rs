//! Translates syntax that the parser does not accept or misunderstands, before parsing.

use datafusion::sql::sqlparser::dialect::GenericDialect;
use datafusion::sql::sqlparser::keywords::Keyword;
use datafusion::sql::sqlparser::tokenizer::{Span, Token, TokenWithSpan, Tokenizer, Word};

use super::syntax::{error_at, syntax};
use rread_text::error::Result;

/// Operators of the parser's own, because it would take everything that follows for their right side: `a IS DISTINCT FROM b
/// AND c`. Its custom operators bind as IS does.
pub(super) const IS_DISTINCT_FROM: &str = "IS DISTINCT FROM";
pub(super) const IS_NOT_DISTINCT_FROM: &str = "IS NOT DISTINCT FROM";

/// Drops white space and comments. `S3Object[*]` becomes `S3Object`.
pub(super) fn tokens(sql: &str) -> Result<Vec<TokenWithSpan>> {
    let all = Tokenizer::new(&GenericDialect {}, sql)
        .tokenize_with_location()
        .map_err(|error| syntax(&error.into()))?;
    let all: Vec<TokenWithSpan> =
        all.into_iter().filter(|token| !matches!(token.token, Token::Whitespace(_))).collect();
    numbers(&all)?;
    let mut out: Vec<TokenWithSpan> = Vec::with_capacity(all.len());
    let mut rest = all.into_iter();
    while let Some(token) = rest.next() {
        if let Some((words, operator)) = distinct_from(&token, &out) {
            let start = out[out.len() - words].span.start;
            out.truncate(out.len() - words);
            let span = Span::new(start, token.span.end);
            out.push(TokenWithSpan::new(Token::CustomBinaryOperator(operator.to_owned()), span));
            continue;
        }
        let token = after_point(token, &out);
        let object = is_word(&token.token, "s3object") && is_table(out.last().map(|token| &token.token));
        out.push(token);
        let star = [Token::LBracket, Token::Mul, Token::RBracket];
        if object && rest.as_slice().iter().map(|token| &token.token).take(3).eq(&star) {
            rest.nth(2);
        }
    }
    Ok(out)
}

/// A word after a point is a name, whatever it is elsewhere: `t.user`.
fn after_point(mut token: TokenWithSpan, before: &[TokenWithSpan]) -> TokenWithSpan {
    if let Token::Word(word) = &mut token.token
        && before.last().is_some_and(|last| last.token == Token::Period)
    {
        word.keyword = Keyword::NoKeyword;
    }
    token
}

/// The operator that `token` ends, and how many words before it are of the operator.
fn distinct_from(token: &TokenWithSpan, before: &[TokenWithSpan]) -> Option<(usize, &'static str)> {
    let ends_with = |words: &[Keyword]| {
        let last = before.iter().rev().map(|token| Some(&token.token));
        before.len() >= words.len() && last.zip(words).all(|(token, word)| is(token, *word))
    };
    if !is(Some(&token.token), Keyword::FROM) {
        None
    } else if ends_with(&[Keyword::DISTINCT, Keyword::IS]) {
        Some((2, IS_DISTINCT_FROM))
    } else if ends_with(&[Keyword::DISTINCT, Keyword::NOT, Keyword::IS]) {
        Some((3, IS_NOT_DISTINCT_FROM))
    } else {
        None
    }
}

/// Refuses numbers that touch a word: `1_000` would mean 1 AS `_000`, and `0x10` a byte string.
fn numbers(all: &[TokenWithSpan]) -> Result<()> {
    for (at, token) in all.iter().enumerate() {
        let text = match (&token.token, all.get(at + 1)) {
            (Token::Number(digits, _), Some(next))
                if next.span.start == token.span.end
                    && matches!(next.token, Token::Word(Word { quote_style: None, .. })) =>
            {
                format!("{digits}{}", next.token)
            }
            // X'10' is longer by its quotes.
            (Token::HexStringLiteral(digits), _)
                if token.span.end.column.saturating_sub(token.span.start.column)
                    == u64::try_from(digits.len() + 2).unwrap_or(u64::MAX) =>
            {
                format!("0x{digits}")
            }
            _ => continue,
        };
        let sentence = format!("`{text}` is not a number: write digits only");
        return Err(
            error_at(token.span.start, &sentence).hint("1000, with a space before the word that follows")
        );
    }
    Ok(())
}

fn is_table(before: Option<&Token>) -> bool {
    is(before, Keyword::FROM) || is(before, Keyword::JOIN) || before == Some(&Token::Comma)
}

fn is(token: Option<&Token>, keyword: Keyword) -> bool {
    matches!(token, Some(Token::Word(word)) if word.keyword == keyword)
}

fn is_word(token: &Token, name: &str) -> bool {
    matches!(token, Token::Word(Word { value, quote_style: None, .. }) if value.eq_ignore_ascii_case(name))
}

/// Whether `name` is a word of `sql`, as the name of a column.
pub fn names(sql: &str, name: &str) -> bool {
    names_any(sql, std::iter::once(name))
}

/// Whether a word of `sql` is the name of one of `columns`.
pub fn names_any<'n>(sql: &str, columns: impl Iterator<Item = &'n str> + Clone) -> bool {
    let Ok(tokens) = tokens(sql) else { return false };
    let is_after = |at: usize, words: &[Keyword]| {
        let before = at.checked_sub(1).and_then(|at| tokens.get(at)).map(|token| &token.token);
        matches!(before, Some(Token::Word(word)) if words.contains(&word.keyword))
    };
    tokens.iter().enumerate().any(|(at, token)| {
        let Token::Word(word) = &token.token else { return false };
        let is_call = tokens.get(at + 1).is_some_and(|next| next.token == Token::LParen);
        let is_name = columns.clone().any(|name| name.eq_ignore_ascii_case(&word.value));
        is_name && !is_call && !is_after(at, &[Keyword::FROM, Keyword::JOIN, Keyword::AS])
    })
}
