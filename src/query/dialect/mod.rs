//! The SQL that is understood: the engine's own, and what was written for S3 Select.
//!
//! A query goes through [`statement`], which refuses what is no query and spells every name as the file does; the
//! functions that S3 Select has and the engine lacks come with [`register`]; and what the engine has to complain of is
//! put into one sentence by [`complaint`]. The documentation that this follows is the "SQL reference for Amazon S3
//! Select" of Amazon's S3 user guide; `docs/s3-select.md` says what runs.

mod complaint;
mod expressions;
mod from;
mod functions;
mod ion;
mod moments;
mod names;
mod numbers;
mod pattern;
mod rewrite;
mod tokens;

pub use complaint::complaint;
pub use functions::register;

use datafusion::sql::parser::Statement;
use datafusion::sql::sqlparser::ast::{DescribeAlias, Query, Statement as Parsed};
use datafusion::sql::sqlparser::dialect::GenericDialect;
use datafusion::sql::sqlparser::keywords::Keyword;
use datafusion::sql::sqlparser::parser::{Parser, ParserError};
use datafusion::sql::sqlparser::tokenizer::Token;

use crate::error::{Error, Result};
use rewrite::Rewriter;

/// How deep parentheses and subqueries may stand in each other. The parser recurses.
const DEPTH: usize = 50;

/// How many words, numbers and signs a query may have: a chain of operators is a tree as deep as it is long, and what
/// works on trees recurses.
const WORDS: usize = 20_000;

/// How many UNION, INTERSECT and EXCEPT a query may have: each takes the room of a whole query on the stack.
const SETS: usize = 200;

/// The one query in `sql`, as the engine takes it: every name that `columns` or the query itself defines is quoted, in
/// the spelling of its definition, so that nothing is left to the engine's own rules.
///
/// `tables` are the names of the one table there is, `columns` its columns in their order. `EXPLAIN` before the query
/// is understood.
///
/// # Errors
/// [`crate::error::Kind::Usage`], with the line and the column (both from 1, in characters) where that is known, if
/// `sql` is empty, is not SQL, is more than one statement, would write anything, or names a table that is not there or
/// a column that may be either of several.
pub fn statement(sql: &str, columns: &[String], tables: &[String]) -> Result<Statement> {
    let tokens = tokens::tokens(sql)?;
    let words = tokens.iter().filter(|token| !matches!(token.token, Token::Whitespace(_))).count();
    if words == 0 {
        return Err(Error::usage("the query is empty").hint(EXAMPLE));
    }
    if words > WORDS {
        return Err(Error::usage(format!(
            "the query has {words} words and signs, and at most {WORDS} are taken"
        )));
    }
    let sets = [Keyword::UNION, Keyword::INTERSECT, Keyword::EXCEPT, Keyword::MINUS];
    let is_set = |token: &Token| matches!(token, Token::Word(word) if sets.contains(&word.keyword));
    let joined = tokens.iter().filter(|token| is_set(&token.token)).count();
    if joined > SETS {
        return Err(Error::usage(format!(
            "the query has {joined} UNION, INTERSECT and EXCEPT, and at most {SETS} are taken"
        )));
    }
    let dialect = GenericDialect {};
    let mut parser = Parser::new(&dialect).with_recursion_limit(DEPTH).with_tokens_with_locations(tokens);
    while parser.consume_token(&Token::SemiColon) {}
    if parser.peek_token_ref().token == Token::EOF {
        return Err(Error::usage("the query is empty").hint(EXAMPLE));
    }
    let mut parsed = parser.parse_statement().map_err(|error| syntax(&error))?;
    let select = query(&mut parsed)?;
    while parser.consume_token(&Token::SemiColon) {}
    let rest = parser.peek_token_ref();
    if rest.token != Token::EOF {
        let at = place(rest.span.start.line, rest.span.start.column);
        return Err(Error::usage(format!(
            "{at}: one query is taken, and another begins here or it does not end before `{}`",
            rest.token
        ))
        .hint("end the query before it, or run rread select once for each"));
    }
    Rewriter::new(columns, tables).whole(select)?;
    Ok(Statement::Statement(Box::new(parsed)))
}

/// What a query looks like, for those whose text is none.
const EXAMPLE: &str = "SELECT * FROM t LIMIT 10";

/// The query in `parsed`, if that only reads.
fn query(parsed: &mut Parsed) -> Result<&mut Query> {
    let explained = matches!(
        parsed,
        Parsed::Explain {
            describe_alias: DescribeAlias::Explain,
            analyze: false,
            query_plan: false,
            estimate: false,
            options: None,
            ..
        }
    );
    let text = if matches!(parsed, Parsed::Query(_)) { String::new() } else { parsed.to_string() };
    match parsed {
        Parsed::Query(query) => return Ok(query),
        Parsed::Explain { statement, .. } if explained => {
            if let Parsed::Query(query) = &mut **statement {
                return Ok(query);
            }
        }
        _ => {}
    }
    let verb: String = text.chars().take_while(|c| c.is_alphabetic()).collect();
    Err(Error::usage(format!("{verb} is no query: the file is only read, by one SELECT")).hint(EXAMPLE))
}

/// Where in a query something is; the parser counts both from 1 and has 0 for what it does not know.
fn place(line: u64, column: u64) -> String {
    if line == 0 { "the query".to_owned() } else { format!("line {line}, column {column} of the query") }
}

/// What the parser has to say, with the place first. It puts that last, as ` at Line: 1, Column: 8`.
fn syntax(error: &ParserError) -> Error {
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
    let (text, at) = match found {
        Some((text, line, column)) => (text, place(line, column)),
        None => (text, "the query".to_owned()),
    };
    let text = text.trim_start_matches("sql parser error: ");
    let text =
        text.strip_prefix("Expected:").map_or_else(|| text.to_owned(), |rest| format!("expected{rest}"));
    let hint = if text.contains("found: EOF") {
        "the query ends too early; a query is SELECT columns FROM t WHERE condition"
    } else if text.starts_with("expected an SQL statement") {
        "SELECT * FROM t"
    } else {
        "names with other characters, or that are words of SQL, stand in \"double quotes\", text in 'single quotes'"
    };
    Error::usage(format!("{at}: {}", text.replace("found: EOF", "found the end"))).hint(hint)
}
