//! The SQL dialect: that of the engine, with names in any case, positions such as `_1`, and the table name of S3 Select.

mod additions;
mod complaint;
mod foreign;
mod habits;
mod literals;
mod membership;
mod names;
mod ranged;
mod spelling;
mod tokens;

pub use additions::{register, register_with};
pub use complaint::{complaint, out_of_memory};
pub use complaint::{other_remedy, remedy, used_column};
pub use foreign::foreign_functions;
pub use foreign::{Listing, described_query, listed, listing};
pub use habits::relations;
pub use literals::{Literals, settled};
pub use membership::{check as check_memberships, marked};
pub use names::{ColumnsOf, in_quotes};
pub use tokens::{names, names_any};

use datafusion::sql::parser::Statement;
use datafusion::sql::sqlparser::ast::{DescribeAlias, Query, Statement as Parsed};
use datafusion::sql::sqlparser::dialect::GenericDialect;
use datafusion::sql::sqlparser::keywords::Keyword;
use datafusion::sql::sqlparser::parser::Parser;
use datafusion::sql::sqlparser::tokenizer::{Token, TokenWithSpan};

use rread_text::{Error, Result};

/// A chain of operators is a tree as deep as it is long, and code that walks trees recurses.
const WORDS: usize = 20_000;

/// Each UNION, INTERSECT and EXCEPT needs the stack of a whole query.
const SETS: usize = 200;

/// Parses the one query in `sql`, and quotes every name in the spelling of its definition, so that the rules of
/// the engine never apply. Refuses everything but queries. `*` leaves out the columns `hidden` of tables.
pub fn statement(
    sql: &str,
    tables: &[String],
    columns: ColumnsOf<'_>,
    hidden: &[String],
) -> Result<Statement> {
    let tokens = tokens::tokens(sql)?;
    let words = tokens.len();
    let spelt = tokens.clone();
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
    let mut parser =
        Parser::new(&dialect).with_recursion_limit(tokens::DEPTH).with_tokens_with_locations(tokens);
    while parser.consume_token(&Token::SemiColon) {}
    if parser.peek_token_ref().token == Token::EOF {
        return Err(Error::usage("the query is empty").hint(EXAMPLE));
    }
    let mut parsed = match parser.parse_statement() {
        Ok(parsed) => parsed,
        Err(error) => {
            return Err(foreign::command(&spelt).unwrap_or_else(|| tokens::syntax(&error)));
        }
    };
    let select = query(&mut parsed, &spelt)?;
    while parser.consume_token(&Token::SemiColon) {}
    let rest = parser.peek_token_ref();
    if rest.token != Token::EOF {
        let sentence = format!("`{}` is not expected here", rest.token);
        let hint = match rest.token {
            Token::Comma => {
                "numbers have a point: 12.40; a text '12,40' is compared as it is spelt in the file"
            }
            _ => "one query is SELECT columns FROM t WHERE condition",
        };
        return Err(tokens::error_at(rest.span.start, &sentence).hint(hint));
    }
    habits::adopt(select, tables);
    spelling::spell(select, tables, columns, hidden)?;
    Ok(Statement::Statement(Box::new(parsed)))
}

const EXAMPLE: &str = "SELECT * FROM t LIMIT 10";

fn query<'p>(parsed: &'p mut Parsed, tokens: &[TokenWithSpan]) -> Result<&'p mut Query> {
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
        return foreign::positional_join(tokens).map_or(Ok(query), Err);
    }
    if let Some(error) = foreign::command(tokens) {
        return Err(error);
    }
    let verb: String = text.chars().take_while(|c| c.is_alphabetic()).collect();
    Err(tokens::no_query(&verb).hint(EXAMPLE))
}
