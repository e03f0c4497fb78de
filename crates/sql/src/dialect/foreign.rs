//! What other databases offer under another name or not at all, and the SQL to write instead.

use rread_text::error::Error;

/// The name, and the expression that does the same; `x`, `y` and so on are columns.
const FOREIGN: &[(&str, &str)] = &[
    ("xor", "a ^ b of whole numbers, a <> b of conditions"),
    ("md5", "there are no hash functions; SELECT the column, and hash the output"),
    ("sha1", "there are no hash functions; SELECT the column, and hash the output"),
    ("sha256", "there are no hash functions; SELECT the column, and hash the output"),
    ("hash", "there are no hash functions; SELECT the column, and hash the output"),
    ("mode", "SELECT x, count(*) FROM t GROUP BY x ORDER BY count(*) DESC LIMIT 1"),
    ("histogram", "SELECT x, count(*) FROM t GROUP BY x ORDER BY x"),
    ("sign", "signum(x)"),
    // Counting and grouping.
    ("approx_count_distinct", "approx_distinct(x)"),
    ("count_distinct", "count(DISTINCT x)"),
    ("uniq", "count(DISTINCT x)"),
    ("count_if", "count(*) FILTER (WHERE x > 0)"),
    ("countif", "count(*) FILTER (WHERE x > 0)"),
    ("sum_if", "sum(x) FILTER (WHERE y > 0)"),
    ("sumif", "sum(x) FILTER (WHERE y > 0)"),
    ("first", "first_value(x ORDER BY y)"),
    ("last", "last_value(x ORDER BY y)"),
    ("arg_max", "first_value(x ORDER BY y DESC)"),
    ("arg_min", "first_value(x ORDER BY y)"),
    ("max_by", "first_value(x ORDER BY y DESC)"),
    ("min_by", "first_value(x ORDER BY y)"),
    ("group_concat", "string_agg(x, ',')"),
    ("listagg", "string_agg(x, ',')"),
    ("list", "array_agg(x)"),
    ("collect_list", "array_agg(x)"),
    ("collect_set", "array_agg(DISTINCT x)"),
    ("grouparray", "array_agg(x)"),
    ("quantile", "approx_percentile_cont(x, 0.5)"),
    ("percentile", "approx_percentile_cont(x, 0.5)"),
    ("variance", "var(x)"),
    // Text.
    ("len", "length(x)"),
    ("strlen", "length(x)"),
    ("lcase", "lower(x)"),
    ("ucase", "upper(x)"),
    ("mid", "substr(x, 1, 2)"),
    ("charindex", "strpos(x, 'a')"),
    ("indexof", "strpos(x, 'a')"),
    ("locate", "strpos(x, 'a')"),
    ("regexp_extract", "regexp_match(x, 'a')[1]"),
    ("regexp_substr", "regexp_match(x, 'a')[1]"),
    ("regexp_matches", "regexp_like(x, 'a')"),
    ("regexp_full_match", "regexp_like(x, '^(a)$')"),
    ("rlike", "regexp_like(x, 'a')"),
    ("string_split", "string_to_array(x, ',')"),
    ("str_split", "string_to_array(x, ',')"),
    ("split", "string_to_array(x, ',')"),
    ("startswith", "starts_with(x, 'a')"),
    ("prefix", "starts_with(x, 'a')"),
    ("endswith", "ends_with(x, 'a')"),
    ("suffix", "ends_with(x, 'a')"),
    ("printf", "concat(x, ' ', y)"),
    ("format", "concat(x, ' ', y)"),
    // Times.
    ("strftime", "to_char(x, '%Y-%m')"),
    ("format_datetime", "to_char(x, '%Y-%m')"),
    ("strptime", "to_timestamp(x, '%Y-%m-%d')"),
    ("str_to_date", "to_timestamp(x, '%Y-%m-%d')"),
    ("parse_date", "to_date(x)"),
    ("epoch", "date_part('epoch', x)"),
    ("unix_timestamp", "date_part('epoch', x)"),
    ("year", "date_part('year', x)"),
    ("quarter", "date_part('quarter', x)"),
    ("month", "date_part('month', x)"),
    ("week", "date_part('week', x)"),
    ("weekofyear", "date_part('week', x)"),
    ("day", "date_part('day', x)"),
    ("dayofmonth", "date_part('day', x)"),
    ("dayofweek", "date_part('dow', x)"),
    ("weekday", "date_part('dow', x)"),
    ("dayofyear", "date_part('doy', x)"),
    ("hour", "date_part('hour', x)"),
    ("minute", "date_part('minute', x)"),
    ("second", "date_part('second', x)"),
    ("datediff", "(date_part('epoch', y) - date_part('epoch', x)) / 86400"),
    ("timestampdiff", "(date_part('epoch', y) - date_part('epoch', x)) / 86400"),
    ("dateadd", "x + INTERVAL '1 day'"),
    ("time_bucket", "date_bin(INTERVAL '5 minutes', x)"),
    ("getdate", "now()"),
    ("sysdate", "now()"),
    ("date_add", "x + INTERVAL '1 day'"),
    ("date_diff", "(date_part('epoch', y) - date_part('epoch', x)) / 86400"),
    ("to_string", "to_char(x, '%Y-%m-%d')"),
    ("utcnow", "now()"),
    // Values of any type.
    ("typeof", "arrow_typeof(x)"),
    ("if", "CASE WHEN x > 0 THEN 'a' ELSE 'b' END"),
    ("iif", "CASE WHEN x > 0 THEN 'a' ELSE 'b' END"),
    ("isnull", "x IS NULL"),
    ("zeroifnull", "coalesce(x, 0)"),
    ("json_extract", "x.member or x['member'], if x is a column of objects"),
    ("json_extract_string", "x.member or x['member'], if x is a column of objects"),
    ("json_value", "x.member or x['member'], if x is a column of objects"),
    ("get_json_object", "x.member or x['member'], if x is a column of objects"),
    ("size", "array_length(x)"),
    ("explode", "unnest(x)"),
    ("list_value", "make_array(x, y)"),
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
    ("array_transform", "unnest(x) makes rows of a list"),
    ("list_transform", "unnest(x) makes rows of a list"),
];

/// What to write instead of the function `name`, in lower case.
pub(super) fn instead_of(name: &str) -> Option<&'static str> {
    FOREIGN.iter().find(|(foreign, _)| *foreign == name).map(|(_, instead)| *instead)
}

/// The expressions of the table, for the test that runs them.
pub fn foreign_functions() -> impl Iterator<Item = (&'static str, &'static str)> {
    FOREIGN.iter().copied()
}

/// Rows of a part of the engine's message, the sentence for it, and the text of a query to write instead.
const UNSUPPORTED: [(&str, &str, &str); 20] = [
    (
        "Unsupported JOIN operator Semi",
        "SEMI JOIN is written with a side",
        "LEFT SEMI JOIN, or WHERE EXISTS (SELECT 1 FROM b WHERE b.id = a.id)",
    ),
    (
        "Unsupported JOIN operator Anti",
        "ANTI JOIN is written with a side",
        "LEFT ANTI JOIN, or WHERE NOT EXISTS (SELECT 1 FROM b WHERE b.id = a.id)",
    ),
    (
        "Unsupported JOIN operator",
        "this kind of join is not supported",
        "SELECT ... FROM t a JOIN t b ON a.id = b.id",
    ),
    ("Overflow in AvgAccumulator", "the average does not fit in its type", "avg(CAST(column AS DOUBLE))"),
    (
        "PhysicalExpr Column references",
        "the engine cannot compute this query",
        "a part of it in a subquery: SELECT ... FROM (SELECT ...)",
    ),
    (
        "Only UTF8 keys",
        "a map whose keys are not text cannot be written",
        "map_keys(column), map_values(column)",
    ),
    ("Lambda", "a function as an argument is not supported", "unnest(list) makes rows of a list"),
    ("sqltorel: Collate", "COLLATE is not supported", "lower(column) compares without case"),
    ("sqltorel: RLike", "REGEXP and RLIKE are not supported", "column ~ 'pattern', or ~* to ignore case"),
    ("sqltorel: MatchAgainst", "MATCH AGAINST is not supported", "column ILIKE '%word%'"),
    ("sqltorel: AtTimeZone", "AT TIME ZONE is not supported here", "TIMESTAMP '2026-11-23 06:00:00+01:00'"),
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
    ("Date part 'TIMEZONE", "a timestamp has no offset of its own", "timestamps are in UTC"),
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
