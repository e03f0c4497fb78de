//! The SQL dialect: the engine's own, and that of S3 Select.
//!
//! [`statement`] refuses everything but queries and spells every name as the file does; [`register`] adds the
//! functions of S3 Select that the engine lacks; [`complaint`] converts engine errors to one sentence. The
//! source is the "SQL reference for Amazon S3 Select" of Amazon's S3 user guide; `docs/s3-select.md` lists
//! what runs.

mod complaint;
mod expressions;
mod from;
mod functions;
mod ion;
mod literals;
mod names;
mod pattern;
mod position;
mod rewrite;
mod timestamps;
mod tokens;

pub use complaint::complaint;
pub use functions::register;

use datafusion::sql::parser::Statement;
use datafusion::sql::sqlparser::ast::{DescribeAlias, Query, Statement as Parsed};
use datafusion::sql::sqlparser::dialect::GenericDialect;
use datafusion::sql::sqlparser::keywords::Keyword;
use datafusion::sql::sqlparser::parser::Parser;
use datafusion::sql::sqlparser::tokenizer::Token;

use crate::error::{Error, Result};
use position::{DEPTH, position, syntax};
use rewrite::Rewriter;

/// The most tokens of a query: a chain of operators is a tree as deep as it is long, and code that walks
/// trees recurses.
const WORDS: usize = 20_000;

/// The most UNION, INTERSECT and EXCEPT of a query: each takes the stack of a whole query.
const SETS: usize = 200;

/// Parses the one query in `sql` for the engine: quotes every name that `columns` or the query itself
/// defines, in the spelling of its definition, so that the engine's own rules never apply.
///
/// `tables` are the names of the only table, `columns` its columns in order. `EXPLAIN` may precede the query.
///
/// # Errors
/// [`crate::error::Kind::Usage`], with line and column (from 1, in characters) if known, if `sql` is empty,
/// is not SQL, has several statements, would write anything, or names a missing table or an ambiguous column.
pub fn statement(sql: &str, columns: &[String], tables: &[String]) -> Result<Statement> {
    let tokens = tokens::tokens(sql)?;
    let words = tokens.iter().filter(|token| !matches!(token.token, Token::Whitespace(_))).count();
    if words == 0 {
        return Err(Error::usage("the query is empty").hint(EXAMPLE));
    }
    if words > WORDS {
        return Err(Error::usage(format!("the query has {words} words and signs; the limit is {WORDS}")));
    }
    let sets = [Keyword::UNION, Keyword::INTERSECT, Keyword::EXCEPT, Keyword::MINUS];
    let is_set = |token: &Token| matches!(token, Token::Word(word) if sets.contains(&word.keyword));
    let joined = tokens.iter().filter(|token| is_set(&token.token)).count();
    if joined > SETS {
        return Err(Error::usage(format!(
            "the query has {joined} UNION, INTERSECT and EXCEPT; the limit is {SETS}"
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
        let at = position(rest.span.start.line, rest.span.start.column);
        return Err(Error::usage(format!(
            "{at}: the query must end before `{}`: rread select runs one query",
            rest.token
        ))
        .hint("run rread select once for each query"));
    }
    Rewriter::new(columns, tables).whole(select)?;
    Ok(Statement::Statement(Box::new(parsed)))
}

const EXAMPLE: &str = "SELECT * FROM t LIMIT 10";

/// The query in `parsed`, if it only reads.
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
    Err(Error::usage(format!("{verb} is not a query: rread select runs one SELECT")).hint(EXAMPLE))
}
