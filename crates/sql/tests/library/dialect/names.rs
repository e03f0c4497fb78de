//! Name resolution: case, quotes, positions and aliases.

use std::sync::Arc;

use datafusion::arrow::array::{ArrayRef, Int64Array, RecordBatch};

use super::{names, refused, rows, run_on};

/// A table of one row, which holds the position of each column.
fn numbered(columns: &[&str]) -> RecordBatch {
    let arrays =
        columns.iter().zip(1..).map(|(name, n)| (*name, Arc::new(Int64Array::from(vec![n])) as ArrayRef));
    RecordBatch::try_from_iter(arrays).unwrap()
}

fn on(columns: &[&str], sql: &str) -> String {
    match run_on(numbered(columns), sql) {
        Ok((names, rows)) => {
            format!("{}: {}", names.join(","), rows.first().map_or(String::new(), |row| row.join(",")))
        }
        Err(error) => format!(
            "error: {} hint: {}",
            error.message.plain(),
            error.hint.clone().unwrap_or_default().plain()
        ),
    }
}

#[test]
fn case_matters_in_quotes_alone() {
    for sql in [
        "SELECT name FROM t",
        "select NAME from T",
        "SELECT s.nAmE FROM S3Object s",
        "SELECT S.NAME FROM s3OBJECT AS s",
        "SELECT \"Name\" FROM people",
        "SELECT t.name FROM t",
        "SELECT People.name FROM PEOPLE",
        "SELECT _1 FROM s3object",
        "SELECT s._1 FROM s3object s",
        "SELECT _1.name FROM s3object[*]",
        "SELECT name FROM S3Object[*]",
        "SELECT d.name FROM s3object[*] d;",
        "SELECT d.name FROM s3object [ * ] AS D -- a comment",
        "/* a comment */ SELECT name FROM t;;",
        "SELECT `Name` FROM t",
    ] {
        assert_eq!(names(sql), ["Name"], "{sql}");
        assert_eq!(rows(sql), ["Susan Smith", "Ann", "Zoë"], "{sql}");
    }
    let (message, hint) = refused("SELECT s.\"name\" FROM s3object s");
    assert!(message.contains("there is no column `name`") && hint.contains("Name"), "{message} {hint}");
    assert!(refused("SELECT name FROM \"T\"").0.contains("no table `T`"));
}

#[test]
fn two_columns_that_differ_by_case() {
    let columns = ["NAME", "name", "Other"];
    assert_eq!(on(&columns, "SELECT s.name FROM s3object s"), "name: 2");
    assert_eq!(on(&columns, "SELECT s.\"NAME\" FROM s3object s"), "NAME: 1");
    let error = on(&columns, "SELECT 1, Name FROM t");
    assert!(error.contains("line 1, column 11") && error.contains("`NAME`, `name`"), "{error}");
    assert_eq!(on(&["a", "A"], "SELECT * FROM t"), "a,A: 1,2");
}

#[test]
fn positions() {
    assert_eq!(on(&["x", "y"], "SELECT _2, _1 FROM t"), "y,x: 2,1");
    assert_eq!(on(&["x", "_1"], "SELECT _1 FROM t"), "_1: 2");
    assert_eq!(on(&["_1", "_2"], "SELECT _2 FROM t WHERE _1 = 1"), "_2: 2");
    for wrong in ["_3", "_0", "_99999999999999999999999", "t._3"] {
        let error = on(&["x", "y"], &format!("SELECT {wrong} FROM t"));
        assert!(error.contains("2 columns") && error.contains("line 1, column "), "{error}");
    }
}

#[test]
fn aliases() {
    assert_eq!(names("SELECT sum(AGE) AS Total FROM t HAVING sum(age) > 0 ORDER BY total"), ["Total"]);
    assert_eq!(names("SELECT upper(name) AS name FROM t GROUP BY name ORDER BY NAME"), ["name"]);
    assert_eq!(rows("SELECT upper(name) AS NAME FROM t ORDER BY name"), ["ANN", "SUSAN SMITH", "ZOË"]);
    assert_eq!(names("SELECT max(age) AS AGE FROM t HAVING max(age) > 1"), ["AGE"]);
    assert_eq!(
        rows("SELECT age % 2 AS Odd, count(*) AS n FROM t WHERE age > 0 GROUP BY odd ORDER BY ODD"),
        ["1|2"]
    );
    assert_eq!(rows("SELECT n FROM (SELECT name AS N FROM t) AS Q WHERE q.n LIKE 'A%'"), ["Ann"]);
    assert_eq!(names("SELECT q.n FROM (SELECT name AS N FROM t) AS Q"), ["N"]);
    assert_eq!(
        rows("SELECT \"name\" FROM (SELECT upper(\"Name\") AS name FROM t) ORDER BY 1 LIMIT 1"),
        ["ANN"]
    );
}

#[test]
fn an_alias_that_differs_from_a_column_by_case_alone_needs_quotes() {
    for sql in [
        "SELECT name FROM (SELECT upper(\"Name\") AS name FROM t)",
        "SELECT max(x.age) FROM (SELECT age AS Age FROM t) x WHERE age > 1",
        "SELECT 1 FROM t WHERE EXISTS (SELECT 1 FROM (SELECT text AS NAME FROM t) q WHERE name = 'a')",
    ] {
        let (message, hint) = refused(sql);
        assert!(message.contains("which differ by case alone"), "{sql}: {message}");
        assert!(hint.contains("in double quotes case counts: \""), "{sql}: {hint}");
    }
}

#[test]
fn two_tables_that_spell_a_column_differently() {
    let sql = "SELECT name FROM t JOIN (SELECT upper(\"Name\") AS NAME, age FROM t) q ON t.age = q.age";
    assert!(refused(sql).0.contains("`Name`, `NAME`"), "{sql}");
    let sql = "SELECT q.\"NAME\", t.name FROM t JOIN (SELECT upper(\"Name\") AS NAME, age FROM t) q \
        ON t.age = q.age WHERE t.name = 'Ann'";
    assert_eq!(rows(sql), ["ANN|Ann"]);
}

#[test]
fn names_of_columns_without_one() {
    assert_eq!(
        names("SELECT count(*), sum(Age) + 1, 'x', upper('a') FROM t"),
        ["count(*)", "sum(Age) + 1", "'x'", "upper('a')"]
    );
    assert_eq!(
        names("SELECT *, upper(name), EXTRACT(YEAR FROM date), CAST(text AS INT) FROM t")[10..],
        ["upper(name)", "EXTRACT(YEAR FROM date)", "CAST(text AS INT)"]
    );
    assert_eq!(names("SELECT upper(name) FROM t ORDER BY upper(name)"), ["upper(name)"]);
    assert_eq!(names("SELECT DISTINCT upper(name) FROM t ORDER BY upper(name)"), ["upper(name)"]);
    assert_eq!(
        rows(
            "SELECT upper(name), count(*) FROM t GROUP BY upper(name) HAVING count(*) > 0 ORDER BY count(*), upper(name) LIMIT 1"
        ),
        ["ANN|1"]
    );
    assert_eq!(names("SELECT upper(name) FROM t UNION ALL SELECT text FROM t"), ["upper(name)"]);
}

#[test]
fn fields_and_items() {
    for sql in [
        "Select s.projects[1].project_name from S3Object s LIMIT 1",
        "Select projects[1].project_name from S3Object[*] LIMIT 1",
        "Select S.PROJECTS[1]['project_name'] from S3Object s LIMIT 1",
        "Select _1.projects[1].project_name from S3Object[*] LIMIT 1",
        "SELECT t.projects[1].project_name FROM t LIMIT 1",
        "SELECT r.project_name FROM (SELECT p[1] AS r FROM (SELECT projects AS p FROM s3object)) LIMIT 1",
    ] {
        assert_eq!(rows(sql), ["project1"], "{sql}");
        assert_eq!(names(sql), ["project_name"], "{sql}");
    }
    assert_eq!(rows("SELECT s.projects[2].project_name FROM s3object s"), ["project2", "NULL", "NULL"]);
    assert_eq!(rows("SELECT s.projects[age - 40].Size FROM s3object s LIMIT 1"), ["10"]);
    assert_eq!(
        rows("SELECT s.address.city, Address.city AS c FROM s3object s"),
        ["Oslo|Oslo", "NULL|NULL", "Rome|Rome"]
    );
    assert_eq!(names("SELECT s.address.city, address['city'] AS c FROM s3object s"), ["city", "c"]);
    assert_eq!(rows("SELECT count(*) FROM s3object s WHERE s.address.city IS NOT NULL"), ["2"]);
    assert_eq!(rows("SELECT name FROM s3object s WHERE s.address.city IS NULL"), ["Ann"]);
    assert!(refused("SELECT s.projects[0] FROM s3object s").0.contains("counted from 1"));
    assert_eq!(
        rows("SELECT name, x.project_name FROM (SELECT name, unnest(projects) AS x FROM t)"),
        ["Susan Smith|project1", "Susan Smith|project2", "Ann|project3"]
    );
}

#[test]
fn subqueries_and_their_names() {
    for (sql, expected) in [
        ("WITH T AS (SELECT name AS x FROM people) SELECT X FROM t ORDER BY x LIMIT 1", "Ann"),
        (
            "WITH a AS (SELECT name, age FROM t), B AS (SELECT AGE FROM A WHERE age > 10) SELECT age FROM b",
            "41",
        ),
        (
            "WITH RECURSIVE n(I) AS (SELECT 1 UNION ALL SELECT i + 1 FROM N WHERE I < 4) SELECT max(i) FROM n",
            "4",
        ),
        (
            "WITH RECURSIVE n AS (SELECT 1 AS I UNION ALL SELECT i + 1 FROM n WHERE i < 4) SELECT max(I) FROM n",
            "4",
        ),
        ("SELECT name FROM t WHERE age = (SELECT max(AGE) FROM t)", "Susan Smith"),
        ("SELECT NAME FROM t AS a WHERE EXISTS (SELECT 1 FROM t AS B WHERE b.age < A.age)", "Susan Smith"),
        ("SELECT name FROM t WHERE age IN (SELECT age FROM t WHERE AGE < 10)", "Ann"),
        ("SELECT a.name FROM t a JOIN t B ON A.age = b.AGE WHERE b.text = '9'", "Ann"),
        ("SELECT name FROM t a JOIN (SELECT age, 1 AS one FROM t) b USING (AGE) WHERE text = '9'", "Ann"),
        ("SELECT X FROM (VALUES (1), (2)) AS v(x) WHERE x > 1", "2"),
        ("SELECT column1 FROM (VALUES (1), (2)) AS v ORDER BY COLUMN1 LIMIT 1", "1"),
        ("SELECT count(*) FROM (SELECT * EXCLUDE (Name) FROM t)", "3"),
        ("SELECT AGE FROM (SELECT * EXCEPT (NAME) FROM t) WHERE text = '9'", "9"),
        ("SELECT Value FROM generate_series(1, 3) LIMIT 1", "1"),
        ("SELECT row_number() OVER (PARTITION BY NAME ORDER BY AGE) AS n FROM t LIMIT 1", "1"),
        ("SELECT sum(AGE) FILTER (WHERE NAME = 'Ann') FROM t", "9"),
        ("SELECT name FROM t QUALIFY row_number() OVER (ORDER BY AGE) = 1", "Ann"),
        ("SELECT CASE NAME WHEN 'Ann' THEN AGE END FROM t WHERE text = '9'", "9"),
    ] {
        assert_eq!(rows(sql), [expected], "{sql}");
    }
    assert_eq!(names("SELECT * EXCLUDE (name, ADDRESS, Projects) FROM t").len(), 7);
    assert_eq!(names("SELECT s.* FROM s3object S").len(), 10);
}
