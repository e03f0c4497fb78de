//! Translates syntax that the parser does not accept or misunderstands, before parsing, and words the errors of the parser.

use datafusion::sql::sqlparser::dialect::GenericDialect;
use datafusion::sql::sqlparser::keywords::Keyword;
use datafusion::sql::sqlparser::parser::ParserError;
use datafusion::sql::sqlparser::tokenizer::{Location, Span, Token, TokenWithSpan, Tokenizer, Word};

use rread_text::{Error, Result, Sentence, call};

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
