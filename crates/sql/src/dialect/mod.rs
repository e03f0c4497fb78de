//! The SQL dialect: that of the engine, and that of S3 Select, which `docs/s3-select.md` lists.

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
pub use names::ColumnsOf;

use datafusion::sql::parser::Statement;
use datafusion::sql::sqlparser::ast::{DescribeAlias, Query, Statement as Parsed};
use datafusion::sql::sqlparser::dialect::GenericDialect;
use datafusion::sql::sqlparser::keywords::Keyword;
use datafusion::sql::sqlparser::parser::Parser;
use datafusion::sql::sqlparser::tokenizer::Token;

use position::{DEPTH, error_at, syntax};
use rewrite::Rewriter;
use rread_text::error::{Error, Result};

/// A chain of operators is a tree as deep as it is long, and code that walks trees recurses.
const WORDS: usize = 20_000;

/// Each UNION, INTERSECT and EXCEPT needs the stack of a whole query.
const SETS: usize = 200;

/// Parses the one query in `sql`, and quotes every name in the spelling of its definition, so that the rules of
/// the engine never apply. Refuses everything but queries.
pub fn statement(sql: &str, tables: &[String], columns: ColumnsOf<'_>) -> Result<Statement> {
    let tokens = tokens::tokens(sql)?;
    let words = tokens.len();
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
        let sentence = format!("the query must end before `{}`: rread select runs one query", rest.token);
        return Err(error_at(rest.span.start, &sentence).hint("run rread select once for each query"));
    }
    Rewriter::new(tables, columns).whole(select)?;
    Ok(Statement::Statement(Box::new(parsed)))
}

const EXAMPLE: &str = "SELECT * FROM t LIMIT 10";

fn query(parsed: &mut Parsed) -> Result<&mut Query> {
    let text = if matches!(parsed, Parsed::Query(_)) { String::new() } else { parsed.to_string() };
    let inner = match parsed {
        Parsed::Explain {
            describe_alias: DescribeAlias::Explain,
            analyze: false,
            query_plan: false,
            estimate: false,
            options: None,
            statement,
            ..
        } => &mut **statement,
        other => other,
    };
    if let Parsed::Query(query) = inner {
        return Ok(query);
    }
    let verb: String = text.chars().take_while(|c| c.is_alphabetic()).collect();
    Err(Error::usage(format!("{verb} is not a query: rread select runs one SELECT")).hint(EXAMPLE))
}
