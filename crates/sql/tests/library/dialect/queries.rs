//! The queries of S3 Select's documentation, unchanged, and comparisons between types.

use std::sync::Arc;

use datafusion::arrow::array::{ArrayRef, RecordBatch, StringArray};

use super::{refused, rows, run_on};

fn texts(columns: &[(&str, &[&str])]) -> RecordBatch {
    let arrays = columns
        .iter()
        .map(|(name, values)| (*name, Arc::new(StringArray::from(values.to_vec())) as ArrayRef));
    RecordBatch::try_from_iter(arrays).unwrap()
}

fn on(batch: &RecordBatch, sql: &str) -> Vec<String> {
    run_on(batch.clone(), sql).unwrap().1.iter().map(|row| row.join("|")).collect()
}

#[test]
fn inventory_without_a_header() {
    let inventory = texts(&[
        ("_1", &["DOC-EXAMPLE-BUCKET"; 3]),
        ("_2", &["example-folder/", "example-folder/object1", "example-folder/object2"]),
        ("_3", &["0", "2011267", "1570024"]),
    ]);
    let sql = "SELECT SUM(CAST(_3 as INT)) FROM s3object s WHERE _2 LIKE 'example-folder/%' AND _2 != 'example-folder/';";
    assert_eq!(on(&inventory, sql), ["3581291"]);
}

#[test]
fn cities_and_prices() {
    let venues =
        texts(&[("venuecity", &["Los Angeles", "New York City"]), ("pricepaid", &["12624.00", "9996.00"])]);
    let sql = "SELECT venuecity, CASE venuecity WHEN 'New York City' THEN 'Big Apple' ELSE 'other' END FROM S3Object;";
    assert_eq!(on(&venues, sql), ["Los Angeles|other", "New York City|Big Apple"]);
    let sql = "SELECT pricepaid, CASE WHEN CAST(pricepaid as FLOAT) < 10000 THEN 'group 1' WHEN CAST(pricepaid as FLOAT) > 10000 THEN 'group 2' ELSE 'group 3' END FROM S3Object;";
    assert_eq!(on(&venues, sql), ["12624.00|group 2", "9996.00|group 1"]);
}

#[test]
fn names_that_are_words_of_sql() {
    let table = texts(&[("CAST", &["a"]), ("NAME", &["b"])]);
    assert_eq!(on(&table, "SELECT s.\"CAST\" from S3Object s"), ["a"]);
    assert_eq!(on(&table, "SELECT s.name from S3Object s"), ["b"]);
    assert!(run_on(table, "SELECT s.\"name\" from S3Object s").is_err());
}

#[test]
fn documents() {
    let table = texts(&[
        ("created", &["1"; 2]),
        ("dir_name", &["important_docs", "other_docs"]),
        ("owner", &["Amazon S3", "User"]),
    ]);
    assert_eq!(on(&table, "SELECT d.dir_name FROM S3Object[*] d"), ["important_docs", "other_docs"]);
    assert_eq!(
        on(&table, "SELECT _1.dir_name, _1.owner FROM S3Object[*]"),
        ["important_docs|Amazon S3", "other_docs|User"]
    );
}

#[test]
fn operators() {
    for (condition, expected) in [
        ("age BETWEEN 9 AND 40", "Ann"),
        ("age NOT BETWEEN 9 AND 40", "Susan Smith"),
        ("name IN ('Ann', 'x')", "Ann"),
        ("age IS NULL", "Zoë"),
        ("age IS NOT NULL AND age <> 41", "Ann"),
        ("NOT (age = 41 OR age IS NULL)", "Ann"),
        ("\"odd name\" LIKE 'a\\_b' ESCAPE '\\'", "Susan Smith"),
        ("\"odd name\" LIKE 'a!%b' ESCAPE '!'", "Ann"),
        ("name LIKE '%ë'", "Zoë"),
        ("name || '!' = 'Ann!'", "Ann"),
        ("age % 2 = 1 AND age / 2 = 4 AND -age < 0 AND age * 2 + 1 - 1 = 18", "Ann"),
        ("\"at\" > TIMESTAMP '2010-01-01'", "Ann"),
        ("\"at\" = TIMESTAMP '2017-01-02T04:04:05.006+01:00'", "Ann"),
        ("date = TIMESTAMP '2010-01-01'", "Ann"),
        ("date > CAST('2016-01-01' AS TIMESTAMP)", "Zoë"),
    ] {
        let sql = format!("SELECT s.name FROM s3object s WHERE {condition}");
        let expected = if condition.starts_with("date = ") { vec!["Ann"] } else { vec![expected] };
        assert_eq!(rows(&sql), expected, "{sql}");
    }
}

#[test]
fn numbers_and_text() {
    assert_eq!(rows("SELECT s.name FROM s3object s WHERE s.age > 30"), ["Susan Smith"]);
    eprintln!("{:?}", rows("SELECT s.text FROM s3object s WHERE s.text > 30"));
    eprintln!("{:?}", rows("SELECT s.text FROM s3object s WHERE s.name > 30"));
    eprintln!("{:?}", rows("SELECT s.text FROM s3object s WHERE s.age > '30'"));
    eprintln!("{:?}", refused("SELECT s.text FROM s3object s WHERE CAST(s.name AS INT) > 30"));
}

#[test]
fn any_and_all_of_a_subquery() {
    for (condition, expected) in [
        ("age = ANY (SELECT age FROM t WHERE age < 20)", "Ann"),
        ("age = SOME (SELECT age FROM t WHERE age < 20)", "Ann"),
        ("age IS NOT NULL AND age <> ALL (SELECT age FROM t WHERE age < 20)", "Susan Smith"),
    ] {
        let sql = format!("SELECT name FROM t WHERE {condition}");
        assert_eq!(rows(&sql), [expected], "{sql}");
    }
    for operator in ["< ANY", "<> ANY", "= ALL", ">= ALL"] {
        let (message, hint) =
            refused(&format!("SELECT name FROM t WHERE age {operator} (SELECT age FROM t)"));
        assert!(message.contains("is not supported with a subquery"), "{message}");
        assert!(hint.contains("SELECT max("), "{hint}");
    }
}

#[test]
fn sets_are_not_counted() {
    for word in ["INTERSECT", "EXCEPT"] {
        let (message, hint) = refused(&format!("SELECT age FROM t {word} ALL SELECT year FROM t"));
        assert_eq!(message, format!("{word} ALL is not supported"));
        assert!(hint.contains("without ALL"), "{hint}");
    }
}

#[test]
fn from_without_select() {
    assert_eq!(rows("FROM t"), rows("SELECT * FROM t"));
}

#[test]
fn numbers_that_touch_words() {
    for sql in ["SELECT 1_000 FROM t", "SELECT 0x10 FROM t", "SELECT 12abc FROM t"] {
        let (message, _) = refused(sql);
        assert!(message.starts_with("line 1, column 8 of the query: `"), "{message}");
        assert!(message.contains("is not a number"), "{message}");
    }
    assert_eq!(rows("SELECT 1e3 AS n FROM t LIMIT 1"), rows("SELECT 1000.0 AS n FROM t LIMIT 1"));
}
