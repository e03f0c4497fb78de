//! Refused queries and their messages; no text causes a panic.

use proptest::prelude::*;
use rread_sql::dialect::statement;
use rread_text::error::Kind;

use super::{TABLES, refused, rows, run};

fn parse(sql: &str) -> Result<(), rread_text::error::Error> {
    let columns = ["Name", "age", "projects", "a", "A", "_5"].map(str::to_owned);
    statement(sql, &TABLES.map(str::to_owned), &|_| Ok(columns.to_vec()), &[]).map(drop)
}

#[test]
fn only_queries() {
    for sql in [
        "INSERT INTO t VALUES (1)",
        "UPDATE t SET age = 1",
        "DELETE FROM t",
        "DROP TABLE t",
        "TRUNCATE TABLE t",
        "CREATE TABLE x AS SELECT * FROM t",
        "CREATE EXTERNAL TABLE x STORED AS CSV LOCATION '/etc/passwd'",
        "CREATE VIEW v AS SELECT 1",
        "COPY t TO '/tmp/x.csv'",
        "COPY (SELECT 1) TO '/tmp/x.csv'",
        "SET datafusion.execution.batch_size = 1",
        "SHOW TABLES",
        "DESCRIBE t",
        "EXPLAIN ANALYZE SELECT 1",
        "EXPLAIN INSERT INTO t VALUES (1)",
        "PREPARE p AS SELECT 1",
        "SELECT * INTO x FROM t",
        "WITH x AS (DELETE FROM t RETURNING *) SELECT * FROM x",
        "TABLE t",
        "SELECT 1; SELECT 2",
        "SELECT 1; DROP TABLE t",
        "SELECT * FROM '/etc/passwd'",
        "SELECT * FROM \"/etc/passwd\"",
        "SELECT * FROM information_schema.tables",
        "SELECT * FROM datafusion.public.t",
        "SELECT * FROM read_csv('/etc/passwd')",
        "SELECT * FROM t TABLESAMPLE (10)",
        "SELECT * FROM t FOR UPDATE",
        "SELECT * FROM t FORMAT JSON",
        "FROM t |> WHERE age > 1",
        "",
        "   ",
        ";",
        "-- nothing",
        "/* nothing */ ;",
        "hello",
        "SELECT",
        "SELECT 'open",
        "SELECT (1",
        "SELECT a b c FROM t",
        "SELECT * FROM t WHERE",
    ] {
        let error = run(sql).expect_err(sql);
        assert_eq!(error.kind, Kind::Usage, "{sql}");
        assert!(
            !error.message.plain().contains('\n') && error.message.plain().len() < 300,
            "{sql}: {}",
            error.message.plain()
        );
        assert!(!error.message.plain().contains("DataFusion"), "{sql}: {error}");
        eprintln!(
            "{sql}\n    {}\n    hint: {}",
            error.message.plain(),
            error.hint.clone().unwrap_or_default().plain()
        );
    }
    assert!(!rows("EXPLAIN SELECT name FROM t").is_empty());
}

#[test]
fn errors_have_positions_and_hints() {
    for (sql, message, hint) in [
        (
            "SELECT name\nFROM t WHERE nme = 1",
            "line 2, column 14 of the query: there is no column `nme`",
            "did you mean `Name`?",
        ),
        (
            "SELECT Missin_g FROM t",
            "line 1, column 8 of the query: there is no column `Missin_g`",
            "the columns are Name, age",
        ),
        (
            "SELECT s.foo FROM s3object s",
            "line 1, column 8 of the query: there is no column `foo`",
            "the columns are",
        ),
        ("SELECT * FROM sales", "line 1, column 15 of the query: there is no table `sales`", "FROM t"),
        ("SELECT * FROM S3Object[*].Rules[*].id", "line 1, column ", ""),
        ("SELECT * FROM s3object.path", "there is no table `s3object.path`", "FROM t"),
        ("SELECT name FROM t WHERE name SIMILAR TO 'A%'", "SIMILAR TO is not supported", "s ~ '^(a|b)$'"),
        ("SELECT nosuch(age) FROM t", "Invalid function 'nosuch'", ""),
        ("SELECT uper(name) FROM t", "Invalid function 'uper'", "upper"),
        ("SELECT FROM t WHERE ORDER", "line 1, column ", ""),
        ("SELECT 'open", "line 1, column 8 of the query", ""),
        ("SELECT a FROM t)", "line 1, column 16 of the query", ""),
        ("SELECT name, name FROM t", "unique", "AS"),
        ("SELECT name + age FROM t", "", ""),
        ("SELECT sum(name) FROM t", "Function 'sum' does not take these arguments", "CAST"),
        ("SELECT CAST(name AS INT) FROM t", "Cannot cast string 'Susan Smith'", "TRY_CAST"),
        ("SELECT age / 0 FROM t", "division by zero", "NULLIF"),
    ] {
        let (found, found_hint) = refused(sql);
        eprintln!("{sql}\n    {found}\n    hint: {found_hint}");
        assert!(found.contains(message), "{sql}: {found}");
        assert!(found_hint.contains(hint), "{sql}: {found_hint}");
        assert!(!found.contains('\n') && !found_hint.contains('\n'), "{found} {found_hint}");
    }
}

#[test]
fn long_and_deep_queries() {
    let run = || {
        let chain = |n: usize| format!("SELECT {} FROM t", vec!["age"; n].join(" + "));
        assert!(parse(&chain(4000)).is_ok());
        assert!(parse(&chain(9_000)).is_ok());
        assert!(parse(&chain(1_000_000)).is_err());
        assert!(parse(&format!("SELECT {}1{}", "(".repeat(100_000), ")".repeat(100_000))).is_err());
        assert!(parse(&format!("SELECT {}1{}", "(".repeat(9_000), ")".repeat(9_000))).is_err());
        assert!(parse(&format!("SELECT {}1", "- ".repeat(9_000))).is_err());
        assert!(parse(&format!("SELECT {}1", "NOT ".repeat(9_000))).is_err());
        assert!(parse(&format!("SELECT {}1{}", "[".repeat(9_000), "]".repeat(9_000))).is_err());
        assert!(parse(&"SELECT 1 UNION ".repeat(3_000)).is_err());
        assert!(parse(&format!("{}SELECT 1", "SELECT 1 UNION ".repeat(200))).is_ok());
        assert!(parse(&format!("{}SELECT 1", "SELECT 1 UNION ".repeat(201))).is_err());
        assert!(parse(&format!("SELECT {}", vec!["name"; 5_000].join(", "))).is_ok());
        let any = format!("SELECT 1 FROM t WHERE {}", vec!["age = 1"; 4_000].join(" OR "));
        assert!(parse(&any).is_ok());
        let path = format!("SELECT a{}", ".b".repeat(9_000));
        let _ = parse(&path);
        let _ = parse(&format!("SELECT a{}", "[1]".repeat(6_000)));
        let _ = parse(&format!("SELECT 1{}", "::int".repeat(9_000)));
        let _ = parse(&format!("SELECT 1 FROM t{}", " JOIN t".repeat(9_000)));
    };
    std::thread::Builder::new().stack_size(2 << 20).spawn(run).unwrap().join().unwrap();
}

const SEEDS: [&str; 8] = [
    "SELECT s.projects[1].project_name, _1, * FROM S3Object[*] s WHERE s.age IS NOT NULL AND TRIM(LEADING 'x' FROM name) LIKE 'x%' ESCAPE '!' LIMIT 5;",
    "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 4) SELECT max(i) FROM n ORDER BY 1",
    "SELECT date_bin(INTERVAL '5 minutes', age), EXTRACT(TIMEZONE_HOUR FROM `2017-01-02T03:04:05+07:08`) FROM t",
    "SELECT to_char(TO_TIMESTAMP('2007T'), 'y''T'''), CAST(a AS INT) AS \"Q\" FROM (SELECT * EXCLUDE (a) FROM t) x",
    "SELECT a.name FROM t a LEFT JOIN people B USING (Age) GROUP BY ROLLUP (name) HAVING count(*) > 1",
    "EXPLAIN SELECT row_number() OVER (PARTITION BY _5 ORDER BY age) FROM t QUALIFY 1 = 1",
    "SELECT CASE WHEN a[age] IS NULL THEN missing ELSE _1.name END FROM s3object, LATERAL (SELECT 1) v",
    "VALUES (1, 'a'), (2, `x`)",
];

proptest! {
    #![proptest_config(ProptestConfig::with_cases(2_000))]

    #[test]
    fn no_text_panics(text in "\\PC{0,80}") {
        let _ = parse(&text);
    }

    #[test]
    fn no_words_panic(words in prop::collection::vec(
        prop::sample::select(vec!["SELECT", "FROM", "WHERE", "s3object", "[", "*", "]", ".", "(", ")", ",", "_1", "_", "IS", "NOT",
            "MISSING", "TRIM", "LEADING", "`2007T`", "`x", "'", "\"", "1", "a", "AS", "t", "JOIN", "ON", "WITH", "GROUP", "BY", "ORDER",
            "UNION", "CAST", "INT", "date_add", "extract", "year", ";", "--", "/*", "é", "\u{0}", "$$", "@x", "::", "->", "|>", "EXISTS"]), 0..25))
    {
        let _ = parse(&words.join(" "));
        let _ = parse(&words.concat());
    }

    #[test]
    fn no_changed_query_panics(seed in 0..SEEDS.len(), cuts in prop::collection::vec((0usize..200, 0usize..12, "\\PC{0,3}"), 1..5)) {
        let mut chars: Vec<char> = SEEDS[seed].chars().collect();
        for (at, gone, new) in cuts {
            let at = at % (chars.len() + 1);
            let end = (at + gone).min(chars.len());
            chars.splice(at..end, new.chars());
        }
        let _ = parse(&chars.iter().collect::<String>());
    }
}

#[test]
fn the_seeds_themselves_parse() {
    for seed in SEEDS {
        let seed = seed.replace("`x`", "1");
        assert!(parse(&seed).is_ok(), "{seed}: {:?}", parse(&seed));
    }
}

#[test]
fn hints_name_only_similar_functions() {
    for (sql, hint) in [
        ("SELECT uper(name) FROM t", "upper"),
        ("SELECT sign(age) FROM t", "signum"),
        ("SELECT mode(age) FROM t", "GROUP BY"),
    ] {
        let (message, found) = refused(sql);
        assert!(found.contains(hint), "{sql}: {message} {found}");
    }
    assert_eq!(refused("SELECT zzqqxxyy(age) FROM t").1, "");
}

#[test]
fn a_hint_does_not_repeat_the_unknown_name() {
    let (message, hint) = refused("SELECT age");
    assert!(!hint.contains("did you mean `age`"), "{message} {hint}");
}

#[test]
fn damage_is_reported_without_noise() {
    use datafusion::arrow::error::ArrowError;
    use datafusion::error::DataFusionError;

    let cause = ArrowError::ParquetError("Parquet argument error: External: bad page".to_owned());
    let error = rread_sql::dialect::complaint(&DataFusionError::ArrowError(Box::new(cause), None), "", &[]);
    assert_eq!(
        (error.kind, error.message.plain().as_str()),
        (Kind::InvalidText, "the file is damaged: bad page")
    );
}
