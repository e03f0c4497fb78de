//! Functions in the examples of S3 Select's documentation: those of SQL run, and the others name the SQL to type.

use super::{refused, rows, value};

/// Checks pairs of expression and value.
fn all(pairs: &[(&str, &str)]) {
    let wrong: Vec<String> = pairs
        .iter()
        .filter_map(|(expression, expected)| {
            let found = value(expression);
            (found != *expected).then(|| format!("{expression}\n  is {found}\n not {expected}"))
        })
        .collect();
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn functions_of_s3_select_name_the_sql_to_type() {
    for (wrong, instead) in [
        ("SELECT DATE_ADD(year, 5, \"at\") FROM s3object", "x + INTERVAL '1 day'"),
        ("SELECT DATE_DIFF(day, \"at\", date) FROM s3object", "date_part('epoch', y)"),
        ("SELECT TO_STRING(\"at\", 'y-MM-dd') FROM s3object", "to_char(x, '%Y-%m-%d')"),
        ("SELECT UTCNOW() FROM s3object", "now()"),
        ("SELECT EXTRACT(TIMEZONE_HOUR FROM \"at\") FROM s3object", "in UTC"),
    ] {
        let (message, hint) = refused(wrong);
        assert!(hint.contains(instead), "{wrong}: {message} {hint}");
        assert!(!message.contains('\n') && message.len() < 250, "{wrong}: {message}");
    }
}

#[test]
fn strings_as_documented() {
    all(&[
        ("CHAR_LENGTH('')", "0"),
        ("CHAR_LENGTH('abcdefg')", "7"),
        ("CHARACTER_LENGTH('Zoë')", "3"),
        ("LOWER('AbCdEfG!@#$')", "abcdefg!@#$"),
        ("UPPER('AbCdEfG!@#$')", "ABCDEFG!@#$"),
        ("SUBSTRING('123456789', 0)", "123456789"),
        ("SUBSTRING('123456789', 1)", "123456789"),
        ("SUBSTRING('123456789', 2)", "23456789"),
        ("SUBSTRING('123456789', -4)", "123456789"),
        ("SUBSTRING('123456789', 0, 999)", "123456789"),
        ("SUBSTRING('123456789', 1, 5)", "12345"),
        ("SUBSTRING('123456789' FROM -1 FOR 4)", "12"),
        ("SUBSTRING('123456789' FROM 3 FOR 4)", "3456"),
        ("SUBSTRING('123456789' FROM 3)", "3456789"),
        ("TRIM('       foobar         ')", "foobar"),
        ("TRIM('      \tfoobar\t         ')", "\tfoobar\t"),
        ("TRIM(BOTH '12' FROM '1112211foobar22211122')", "foobar"),
    ]);
}

#[test]
fn conditions_as_documented() {
    all(&[
        ("COALESCE(1)", "1"),
        ("COALESCE(null)", "NULL"),
        ("COALESCE(null, null)", "NULL"),
        ("COALESCE(1, null)", "1"),
        ("COALESCE(null, null, 1)", "1"),
        ("COALESCE(null, 'string')", "string"),
        ("NULLIF(1, 1)", "NULL"),
        ("NULLIF(1, 2)", "1"),
        ("NULLIF(1.0, 1)", "NULL"),
        ("NULLIF([1], [1])", "NULL"),
        ("NULLIF(1, NULL)", "1"),
        ("NULLIF(NULL, 1)", "NULL"),
        ("NULLIF(null, null)", "NULL"),
        // The engine converts both to one type before it compares; S3 Select returns 1 here.
        ("NULLIF(1, '1')", "NULL"),
        ("CAST(0.456 AS FLOAT)", "0.456"),
        ("CAST('9223372036854775807' AS INT)", "9223372036854775807"),
        ("CAST(5000000000 AS INTEGER)", "5000000000"),
        ("arrow_typeof(CAST('1' AS INT))", "Int64"),
        ("arrow_typeof(CAST('1' AS FLOAT))", "Float64"),
        ("CAST('true' AS BOOL)", "true"),
        ("CAST(5 AS STRING)", "5"),
        ("CAST('1.25' AS DECIMAL(10, 2))", "1.25"),
        ("CAST('1.25' AS NUMERIC(10, 2))", "1.25"),
        ("CAST('123.456' AS DECIMAL)", "123.4560000000"),
    ]);
}

#[test]
fn aggregates_as_documented() {
    assert_eq!(
        rows("SELECT AVG(age), COUNT(*), COUNT(age), MAX(price), MIN(text), SUM(age) FROM s3object"),
        ["25.0|3|2|4.0|100|50"]
    );
}
