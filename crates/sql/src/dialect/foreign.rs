//! What other databases offer under another name or not at all, and the SQL to write instead; also statements that list
//! tables and columns.

use datafusion::sql::sqlparser::tokenizer::{Token, TokenWithSpan};

use super::tokens::{no_query, tokens};
use rread_text::Error;

/// Names, and the expression that does the same; `x`, `y` and so on are columns.
const FOREIGN: &[(&str, &str)] = &[
    ("xor", "(a | b) - (a & b) of whole numbers, a <> b of conditions"),
    ("md5 sha1 sha256 hash", "there are no hash functions; SELECT the column, and hash the output"),
    ("mode", "SELECT x, count(*) FROM t GROUP BY x ORDER BY count(*) DESC LIMIT 1"),
    ("histogram", "SELECT x, count(*) FROM t GROUP BY x ORDER BY x"),
    ("sign", "signum(x)"),
    // Counting and grouping.
    ("approx_count_distinct", "approx_distinct(x)"),
    ("count_distinct uniq", "count(DISTINCT x)"),
    ("count_if countif", "count(*) FILTER (WHERE x > 0)"),
    ("sum_if sumif", "sum(x) FILTER (WHERE y > 0)"),
    ("first arg_min min_by", "first_value(x ORDER BY y)"),
    ("last", "last_value(x ORDER BY y)"),
    ("arg_max max_by", "first_value(x ORDER BY y DESC)"),
    ("group_concat listagg", "string_agg(x, ',')"),
    ("list collect_list grouparray json_agg json_group_array", "array_agg(x)"),
    ("every", "bool_and(x > 0)"),
    ("collect_set", "array_agg(DISTINCT x)"),
    ("quantile percentile approx_quantile", "approx_percentile_cont(x, 0.5)"),
    ("variance", "var(x)"),
    // Text.
    ("len strlen", "length(x)"),
    ("lcase", "lower(x)"),
    ("ucase", "upper(x)"),
    ("mid", "substr(x, 1, 2)"),
    ("charindex indexof locate", "strpos(x, 'a')"),
    ("regexp_extract regexp_substr", "regexp_match(x, 'a')[1]"),
    ("regexp_matches rlike", "regexp_like(x, 'a')"),
    ("regexp_full_match", "regexp_like(x, '^(a)$')"),
    ("string_split str_split split", "string_to_array(x, ',')"),
    ("startswith prefix", "starts_with(x, 'a')"),
    ("endswith suffix", "ends_with(x, 'a')"),
    ("printf format", "concat(x, ' ', y)"),
    // Times.
    ("strftime format_datetime", "to_char(x, '%Y-%m')"),
    ("strptime str_to_date", "to_timestamp(x, '%Y-%m-%d')"),
    ("parse_date", "to_date(x)"),
    ("epoch unix_timestamp", "date_part('epoch', x)"),
    ("year quarter month week day hour minute second", "date_part('month', x), with the name of the part"),
    ("weekofyear", "date_part('week', x)"),
    ("dayofmonth", "date_part('day', x)"),
    ("dayofweek weekday", "date_part('dow', x)"),
    ("dayofyear", "date_part('doy', x)"),
    ("datediff timestampdiff date_diff", "(date_part('epoch', y) - date_part('epoch', x)) / 86400"),
    ("dateadd date_add date_sub add_months", "x + INTERVAL '1 day'"),
    ("date", "x::date"),
    ("datetime", "x::timestamp"),
    ("age", "now() - x"),
    ("last_day", "date_trunc('month', x) + INTERVAL '1 month' - INTERVAL '1 day'"),
    ("time_bucket", "date_bin(INTERVAL '5 minutes', x)"),
    ("getdate sysdate utcnow curdate", "now()"),
    ("to_string", "to_char(x, '%Y-%m-%d')"),
    // Values of any type.
    ("typeof pg_typeof", "arrow_typeof(x)"),
    ("if iif", "CASE WHEN x > 0 THEN 'a' ELSE 'b' END"),
    ("isnull", "x IS NULL"),
    ("zeroifnull", "coalesce(x, 0)"),
    (
        "json_extract json_extract_string json_value get_json_object",
        "x.member or x['member'], if x is a column of objects",
    ),
    ("size", "array_length(x)"),
    ("explode", "unnest(x)"),
    ("list_value", "make_array(x, y)"),
    ("gen_random_uuid", "uuid()"),
    ("div", "x / y"),
    ("ceiling", "ceil(x)"),
    ("truncate", "trunc(x)"),
    ("log1p", "ln(1 + x)"),
    ("mod", "x % y"),
    ("pow", "power(x, y)"),
    ("epoch_ms", "to_timestamp_millis(x)"),
    ("dayname", "to_char(x, '%A')"),
    ("monthname", "to_char(x, '%B')"),
    ("struct_pack", "named_struct('a', x)"),
    ("columns", "the names of the columns, or *"),
    ("array_transform list_transform", "unnest(x) makes rows of a list"),
];

/// The SQL to write instead of the function `name`, in lower case.
pub(super) fn instead_of(name: &str) -> Option<&'static str> {
    foreign_functions().find(|(foreign, _)| *foreign == name).map(|(_, instead)| instead)
}

/// The expressions of the table, for the test that runs them.
pub fn foreign_functions() -> impl Iterator<Item = (&'static str, &'static str)> {
    FOREIGN.iter().flat_map(|(names, instead)| names.split(' ').map(move |name| (name, *instead)))
}

/// Rows of a part of the engine's message, the sentence for it, and the text of a query to write instead.
const UNSUPPORTED: &str = "\
Unsupported JOIN operator Semi|SEMI JOIN is written with a side|LEFT SEMI JOIN, or WHERE EXISTS (SELECT 1 FROM b WHERE b.id = a.id)
Unsupported JOIN operator Anti|ANTI JOIN is written with a side|LEFT ANTI JOIN, or WHERE NOT EXISTS (SELECT 1 FROM b WHERE b.id = a.id)
Unsupported JOIN operator|this kind of join is not supported|SELECT ... FROM t a JOIN t b ON a.id = b.id
Overflow in AvgAccumulator|the average does not fit in its type|avg(CAST(column AS DOUBLE))
PhysicalExpr Column references|the engine cannot compute this query|a part of it in a subquery: SELECT ... FROM (SELECT ...)
logical expression Exists|a subquery is not supported here|SELECT ... FROM t a LEFT JOIN (SELECT ...) b ON a.id = b.id
logical expression InSubquery|a subquery is not supported here|SELECT ... FROM t a LEFT JOIN (SELECT ...) b ON a.id = b.id
logical expression ScalarSubquery|a subquery is not supported here|SELECT ... FROM t a LEFT JOIN (SELECT ...) b ON a.id = b.id
subquery can only be used in|a subquery is not supported here|it in the SELECT list, under a name that ORDER BY uses
logical expression WindowFunction|a window is not supported in a condition|SELECT * FROM (SELECT *, row_number() OVER (ORDER BY x) AS n FROM t) WHERE n = 1
sqltorel: Collate|COLLATE is not supported|lower(column) compares without case
sqltorel: RLike|REGEXP and RLIKE are not supported|column ~ 'pattern', or ~* to ignore case
sqltorel: MatchAgainst|MATCH AGAINST is not supported|column ILIKE '%word%'
sqltorel: AtTimeZone|AT TIME ZONE is not supported here|TIMESTAMP '2026-11-23 06:00:00+01:00'
sqltorel: Convert|CONVERT is not supported|CAST(column AS TEXT)
Substring without for/from|substr takes a text, and where its part begins|substr(column, 1, 2)
expression OuterReferenceColumn|a table in FROM cannot use the columns of those beside it|FROM t a JOIN t b ON a.id = b.id
SanityCheckPlan|the engine cannot compute these windows or joins in one query|SELECT ... FROM (SELECT *, sum(x) OVER (...) AS w FROM t): one of them in a subquery
Date part 'TIMEZONE|a timestamp has no offset of its own|timestamps are in UTC
INTERVAL expression cannot be|an interval is a text|INTERVAL '10 days'
FETCH clause|FETCH is not supported|SELECT ... LIMIT 10
TOP|TOP is not supported|SELECT ... LIMIT 10
Operator DIV|// and DIV are not supported|x / y of whole numbers is a whole number
operator: Assignment|arguments have no names|the arguments in their order
Unsupported binary operator|this operator is not supported|AND, OR and NOT join conditions; || joins texts
Unsupported SQL unary operator|this operator is not supported|abs(x), sqrt(x), power(x, y)
Unsupported SQL type|this is not a type of a CAST|BIGINT, DOUBLE, DECIMAL(38, 2), TEXT, BOOLEAN, DATE, TIMESTAMP, TIME
SEPARATOR not supported|SEPARATOR is not supported|string_agg(column, ',')
COUNT DISTINCT with multiple|count(DISTINCT ...) takes one column|SELECT count(*) FROM (SELECT DISTINCT a, b FROM t)
SUM not supported for Null|sum takes a column|sum(column)
must be in GROUP BY or an agg|a column beside an aggregate must be in GROUP BY|GROUP BY column, or min(column)
HAVING clause references|HAVING is about groups|WHERE column > 1, or GROUP BY column HAVING count(*) > 1
not allowed in the WHERE|WHERE takes no aggregates|GROUP BY column HAVING count(*) > 1
calls cannot be nested|an aggregate takes no other aggregate|SELECT max(n) FROM (SELECT count(*) AS n FROM t GROUP BY column)
find the coerced type|the arguments of a function have different types|CAST(column AS TEXT)
Too many columns! The subq|a subquery in an expression has one column|(SELECT max(column) FROM t)
non-boolean predicate|a condition is missing: this is a value|WHERE column <> 0, or WHERE column IS NOT NULL
Invalid qualifier|only tables have .*, and this is a column|its name without .*
table function '|there is no such function of tables|FROM t, or FROM NAME for one of several FILEs
no type information|a query has no parameters such as $1, ? and @name|WHERE id = 7
was not provided a value|a query has no parameters such as $1, ? and @name|WHERE id = 7";

/// The sentence for the engine's message `text`; `at` says where in the query.
pub(super) fn unsupported(text: &str, at: &str) -> Option<Error> {
    let is_found =
        |needle: &str| if needle == "TOP" { text.ends_with(needle) } else { text.contains(needle) };
    let mut rows = UNSUPPORTED.lines().filter_map(|row| row.split_once('|'));
    if let Some((_, row)) = rows.find(|(needle, _)| is_found(needle)) {
        let (sentence, hint) = row.split_once('|').unwrap_or((row, ""));
        return Some(Error::usage(format!("{at}{sentence}")).hint(hint));
    }
    // The rest is the engine's representation of the query.
    let node = text.split_once("Unsupported ast node in sqltorel: ")?.1;
    let name = node.split(|c: char| !c.is_alphanumeric()).next()?;
    Some(Error::usage(format!("{at}an expression of the kind {name} is not supported")))
}

/// The kind of list that a statement asks for instead of rows.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Listing {
    Tables,
    /// The columns of a table; of `t`, if none is named.
    Columns(Option<String>),
}

/// The list that `sql` asks for: `SHOW TABLES`, `DESCRIBE t` and `SHOW COLUMNS FROM t`.
pub fn listing(sql: &str) -> Option<Listing> {
    let mut tokens = tokens(sql).ok()?;
    tokens.retain(|token| token.token != Token::SemiColon);
    let mut words = Vec::new();
    for token in &tokens {
        let Token::Word(word) = &token.token else { return None };
        words.push(word.value.as_str());
    }
    let upper: Vec<String> = words.iter().map(|word| word.to_ascii_uppercase()).collect();
    let upper: Vec<&str> = upper.iter().map(String::as_str).collect();
    match upper[..] {
        ["SHOW", "TABLES"] => Some(Listing::Tables),
        ["DESCRIBE" | "DESC"] | ["SHOW", "COLUMNS" | "FIELDS"] => Some(Listing::Columns(None)),
        ["DESCRIBE" | "DESC", _]
        | ["DESCRIBE" | "DESC", "TABLE", _]
        | ["SHOW", "COLUMNS" | "FIELDS", "FROM" | "IN", _] => {
            Some(Listing::Columns(words.last().map(|name| (*name).to_owned())))
        }
        _ => None,
    }
}

/// The query of `DESCRIBE SELECT …`, whose columns are asked for.
pub fn described_query(sql: &str) -> Option<&str> {
    let (verb, query) = sql.trim_start().split_once(char::is_whitespace)?;
    let first = query.split_whitespace().next()?.trim_start_matches('(').to_ascii_uppercase();
    let is_query = ["SELECT", "WITH", "FROM", "VALUES"].contains(&&*first);
    let is_verb = ["DESCRIBE", "DESC"].iter().any(|word| verb.eq_ignore_ascii_case(word));
    (is_verb && is_query).then_some(query)
}

/// A query whose rows are `rows`, under the names `columns`.
pub fn listed(columns: [&str; 2], rows: &[(String, String)]) -> String {
    let text = |value: &str| format!("'{}'", value.replace('\'', "''"));
    let rows: Vec<String> = rows.iter().map(|(one, two)| format!("({}, {})", text(one), text(two))).collect();
    let [first, second] = columns;
    if rows.is_empty() {
        return format!("SELECT NULL AS {first}, NULL AS {second} WHERE false");
    }
    format!("SELECT column1 AS {first}, column2 AS {second} FROM (VALUES {})", rows.join(", "))
}

/// Statements that are no queries, what the message calls them, and the query to type instead.
const COMMANDS: &str = "\
DESCRIBE|DESCRIBE with more than a table|DESCRIBE t
DESC|DESCRIBE with more than a table|DESCRIBE t
SHOW COLUMNS|this SHOW|SHOW COLUMNS FROM t
SHOW FIELDS|this SHOW|SHOW COLUMNS FROM t
SHOW CREATE|this SHOW|SHOW COLUMNS FROM t
SHOW INDEX|this SHOW|SHOW COLUMNS FROM t
SHOW|this SHOW|SHOW TABLES, or DESCRIBE t
PRAGMA|PRAGMA|SHOW TABLES, or DESCRIBE t
ATTACH|ATTACH|FROM NAME for one of several FILEs
EXPLAIN|this EXPLAIN|EXPLAIN SELECT * FROM t LIMIT 10
PIVOT|PIVOT|SELECT _1, sum(_3) FILTER (WHERE _2 = 'a') AS a FROM t GROUP BY _1; one FILTER for each new column
UNPIVOT|UNPIVOT|SELECT _1, 'a' AS name, a AS value FROM t UNION ALL SELECT _1, 'b', b FROM t
SUMMARIZE|SUMMARIZE|SELECT count(*), count(c), count(DISTINCT c), min(c), max(c), avg(c) FROM t; c is a column
USE|USE|SELECT * FROM t LIMIT 10; the table of FILE is t";

/// The error for a statement such as `DESCRIBE t`; `None` if it begins with no such word.
pub(super) fn command(tokens: &[TokenWithSpan]) -> Option<Error> {
    let words = tokens.iter().take(2).map(|token| token.token.to_string().to_ascii_uppercase());
    let begin = words.collect::<Vec<_>>().join(" ") + " ";
    let mut rows = COMMANDS.lines().filter_map(|row| row.split_once('|'));
    let (_, row) = rows.find(|(words, _)| begin.starts_with(&format!("{words} ")))?;
    let (what, hint) = row.split_once('|')?;
    Some(no_query(what).hint(hint))
}
