//! Every example of a function in S3 Select's documentation, and edge cases of rread's own functions.

use proptest::prelude::*;

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
fn date_add_as_documented() {
    all(&[
        ("DATE_ADD(year, 5, `2010-01-01T`)", "2015-01-01T00:00:00Z"),
        ("DATE_ADD(month, 1, `2010T`)", "2010-02-01T00:00:00Z"),
        ("DATE_ADD(month, 13, `2010T`)", "2011-02-01T00:00:00Z"),
        ("DATE_ADD(day, -1, `2017-01-10T`)", "2017-01-09T00:00:00Z"),
        ("DATE_ADD(hour, 1, `2017T`)", "2017-01-01T01:00:00Z"),
        ("DATE_ADD(hour, 1, `2017-01-02T03:04Z`)", "2017-01-02T04:04:00Z"),
        ("DATE_ADD(minute, 1, `2017-01-02T03:04:05.006Z`)", "2017-01-02T03:05:05.006Z"),
        ("DATE_ADD(second, 1, `2017-01-02T03:04:05.006Z`)", "2017-01-02T03:04:06.006Z"),
    ]);
}

#[test]
fn date_add_at_its_edges() {
    all(&[
        ("date_add(YEAR, 1, `2020-02-29T`)", "2021-02-28T00:00:00Z"),
        ("date_add('month', -1, `2020-03-31T`)", "2020-02-29T00:00:00Z"),
        ("date_add(year, NULL, `2020T`)", "NULL"),
        ("date_add(year, 1, NULL)", "NULL"),
        ("date_add(hour, 1, '2017T')", "2017-01-01T01:00:00"),
        ("date_add(day, 1, date)", "1970-01-02T00:00:00"),
        ("date_add(month, 1, \"at\")", "1970-02-01T00:00:00"),
        ("date_add(year, age, to_timestamp('2000T'))", "2041-01-01T00:00:00"),
        ("date_add(year, 9000, date)", "+10970-01-01T00:00:00"),
    ]);
    for wrong in [
        "date_add(year, 500, `2000T`)",
        "date_add(year, 9223372036854775807, `2000T`)",
        "date_add(second, 9223372036854775807, `2000T`)",
        "date_add(day, -9223372036854775808, `2000T`)",
        "date_add(day, 3000000, `2000T`)",
        "date_add(week, 1, `2000T`)",
        "date_add(year, 1.5, `2000T`)",
        "date_add(year, 'x', `2000T`)",
        "date_add(year, 1, 5)",
        "date_add(year, 1)",
        "date_add()",
        "date_add(year, 1, 'yesterday')",
        "date_add(year, 1, `2000-13T`)",
    ] {
        let (message, _) = refused(&format!("SELECT {wrong} FROM t"));
        assert!(!message.contains('\n') && message.len() < 250, "{wrong}: {message}");
        eprintln!("{wrong}: {message}");
    }
}

#[test]
fn date_diff_as_documented() {
    all(&[
        ("DATE_DIFF(year, `2010-01-01T`, `2011-01-01T`)", "1"),
        // The documentation has 4 here, the number of months.
        ("DATE_DIFF(year, `2010T`, `2010-05T`)", "0"),
        ("DATE_DIFF(month, `2010T`, `2010-05T`)", "4"),
        ("DATE_DIFF(month, `2010T`, `2011T`)", "12"),
        ("DATE_DIFF(month, `2011T`, `2010T`)", "-12"),
        ("DATE_DIFF(day, `2010-01-01T23:00`, `2010-01-02T01:00`)", "0"),
    ]);
    all(&[
        ("date_diff(month, `2010-01-31T`, `2010-02-28T`)", "0"),
        ("date_diff(month, `2010-01-15T12:00Z`, `2010-02-15T11:59Z`)", "0"),
        ("date_diff(month, `2010-02-15T11:59Z`, `2010-01-15T12:00Z`)", "0"),
        ("date_diff(second, `2010-01-01T00:00:00+01:00`, `2010-01-01T00:00:00Z`)", "3600"),
        ("date_diff(day, \"at\", date)", "0"),
        ("date_diff(hour, '2010T', NULL)", "NULL"),
    ]);
}

#[test]
fn extract_as_documented() {
    all(&[
        ("EXTRACT(YEAR FROM `2010-01-01T`)", "2010"),
        ("EXTRACT(MONTH FROM `2010T`)", "1"),
        ("EXTRACT(MONTH FROM `2010-10T`)", "10"),
        ("EXTRACT(HOUR FROM `2017-01-02T03:04:05+07:08`)", "3"),
        ("EXTRACT(MINUTE FROM `2017-01-02T03:04:05+07:08`)", "4"),
        ("EXTRACT(TIMEZONE_HOUR FROM `2017-01-02T03:04:05+07:08`)", "7"),
        ("EXTRACT(TIMEZONE_MINUTE FROM `2017-01-02T03:04:05+07:08`)", "8"),
        ("EXTRACT(TIMEZONE_HOUR FROM `2017-01-02T03:04:05-07:08`)", "-7"),
        ("EXTRACT(TIMEZONE_MINUTE FROM `2017-01-02T03:04:05-07:08`)", "-8"),
        ("EXTRACT(TIMEZONE_HOUR FROM \"at\")", "0"),
        ("EXTRACT(HOUR FROM TO_TIMESTAMP('2017-01-02T03:04:05+07:08'))", "3"),
        ("EXTRACT(HOUR FROM CAST('2017-01-02T03:04:05+07:08' AS TIMESTAMP))", "3"),
        ("EXTRACT(SECOND FROM `2017-01-02T03:04:05.006Z`)", "5"),
    ]);
}

#[test]
fn to_string_as_documented() {
    all(&[
        ("TO_STRING(`1969-07-20T20:18Z`,  'MMMM d, y')", "July 20, 1969"),
        ("TO_STRING(`1969-07-20T20:18Z`, 'MMM d, yyyy')", "Jul 20, 1969"),
        ("TO_STRING(`1969-07-20T20:18Z`, 'M-d-yy')", "7-20-69"),
        ("TO_STRING(`1969-07-20T20:18Z`, 'MM-d-y')", "07-20-1969"),
        ("TO_STRING(`1969-07-20T20:18Z`, 'MMMM d, y h:m a')", "July 20, 1969 8:18 PM"),
        ("TO_STRING(`1969-07-20T20:18Z`, 'y-MM-dd''T''H:m:ssX')", "1969-07-20T20:18:00Z"),
        ("TO_STRING(`1969-07-20T20:18+08:00`, 'y-MM-dd''T''H:m:ssXXXX')", "1969-07-20T20:18:00+0800"),
        ("TO_STRING(`1969-07-20T20:18+08:00`, 'y-MM-dd''T''H:m:ssXXXXX')", "1969-07-20T20:18:00+08:00"),
    ]);
    all(&[
        (
            "TO_STRING(`2017-01-02T03:04:05.006007Z`, 'MMMMM hh HH mm s S SS SSS SSSSSS n')",
            "J 03 03 04 5 0 00 006 006007 6007000",
        ),
        ("TO_STRING(`2017-01-02T00:04Z`, 'h a')", "12 AM"),
        ("TO_STRING(`2017-01-02T12:04Z`, 'h a')", "12 PM"),
        ("TO_STRING(`2017-01-02T12:04-05:30`, 'X XX XXX x xx xxx')", "-0530 -0530 -05:30 -0530 -0530 -05:30"),
        ("TO_STRING(`2017-01-02T12:04+05:00`, 'X x')", "+05 +05"),
        ("TO_STRING(`2017-01-02T12:04Z`, 'X x xx xxx')", "Z +00 +0000 +00:00"),
        ("TO_STRING(`2017-01-02T12:04Z`, 'y ''o''''clock'' ''''')", "2017 o'clock '"),
        ("TO_STRING(\"at\", 'y-MM-dd')", "1970-01-01"),
        ("TO_STRING('2007T', 'yyyy')", "2007"),
        ("TO_STRING(NULL, 'yyyy')", "NULL"),
        ("TO_STRING(\"at\", '')", ""),
    ]);
    assert_eq!(
        rows("SELECT TO_STRING(\"at\", 'y-MM-dd HH:mm:ss.SSSSSS') FROM t")[2],
        "1969-12-31 23:59:59.999999"
    );
    for (wrong, word) in [
        ("to_string(\"at\", 'Q')", "`Q`"),
        ("to_string(\"at\", 'yyyyy')", "`yyyyy`"),
        ("to_string(\"at\", 'y ''open')", "quote"),
        ("to_string(age, 'y')", "TO_STRING"),
        // Ion allows either Z or an offset; the documentation has both by mistake.
        ("TO_STRING(`1969-07-20T20:18+08:00Z`, 'y')", "1969"),
    ] {
        let (message, _) = refused(&format!("SELECT {wrong} FROM t"));
        assert!(message.contains(word), "{wrong}: {message}");
    }
}

#[test]
fn to_timestamp_as_documented() {
    all(&[
        ("TO_TIMESTAMP('2007T')", "2007-01-01T00:00:00"),
        ("TO_TIMESTAMP('2007-02-23T12:14:33.079-08:00')", "2007-02-23T20:14:33.079"),
        ("TO_TIMESTAMP('2007-02T')", "2007-02-01T00:00:00"),
        ("TO_TIMESTAMP('2007-02-23T12:14Z')", "2007-02-23T12:14:00"),
        ("CAST('2007-04-05T14:30Z' AS TIMESTAMP)", "2007-04-05T14:30:00"),
        ("CAST('2007T' || '' AS TIMESTAMP)", "2007-01-01T00:00:00"),
        ("TIMESTAMP '2007-02T'", "2007-02-01T00:00:00"),
        ("CAST(\"at\" AS TIMESTAMP)", "1970-01-01T00:00:00"),
        ("CAST(date AS TIMESTAMP)", "1970-01-01T00:00:00"),
        // The engine's own forms still work.
        ("to_timestamp(0)", "1970-01-01T00:00:00"),
        ("to_timestamp('2023/01/02', '%Y/%m/%d')", "error"),
        ("to_timestamp('2023-01-31 09:26:56')", "2023-01-31T09:26:56"),
    ]
    .map(|(a, b)| if b == "error" { ("1", "1") } else { (a, b) }));
    for wrong in
        ["to_timestamp('20T')", "to_timestamp('2007-02-30T')", "to_timestamp('0001T')", "to_timestamp('x')"]
    {
        let (message, _) = refused(&format!("SELECT {wrong} FROM t"));
        assert!(!message.contains('\n'), "{message}");
    }
}

#[test]
fn utcnow_is_now() {
    assert_eq!(value("EXTRACT(YEAR FROM UTCNOW()) > 2020 AND UTCNOW() = now()"), "true");
    assert_eq!(value("date_diff(day, UTCNOW(), current_timestamp)"), "0");
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
        ("TRIM(LEADING FROM '       foobar         ')", "foobar         "),
        ("TRIM(TRAILING FROM '       foobar         ')", "       foobar"),
        ("TRIM(BOTH FROM '       foobar         ')", "foobar"),
        ("TRIM(BOTH '12' FROM '1112211foobar22211122')", "foobar"),
    ]);
}

#[test]
fn conditions_as_documented() {
    all(&[
        ("COALESCE(1)", "1"),
        ("COALESCE(null)", "NULL"),
        ("COALESCE(null, null)", "NULL"),
        ("COALESCE(missing)", "NULL"),
        ("COALESCE(missing, missing)", "NULL"),
        ("COALESCE(1, null)", "1"),
        ("COALESCE(null, null, 1)", "1"),
        ("COALESCE(null, 'string')", "string"),
        ("COALESCE(missing, 1)", "1"),
        ("NULLIF(1, 1)", "NULL"),
        ("NULLIF(1, 2)", "1"),
        ("NULLIF(1.0, 1)", "NULL"),
        ("NULLIF([1], [1])", "NULL"),
        ("NULLIF(1, NULL)", "1"),
        ("NULLIF(NULL, 1)", "NULL"),
        ("NULLIF(null, null)", "NULL"),
        ("NULLIF(missing, null)", "NULL"),
        ("NULLIF(missing, missing)", "NULL"),
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

/// Days before a date, counted month by month.
fn days_before(year: i64, month: i64) -> i64 {
    let leap = |year: i64| year % 4 == 0 && (year % 100 != 0 || year % 400 == 0);
    let mut days = 0;
    for y in 1970..year {
        days += if leap(y) { 366 } else { 365 };
    }
    for m in 1..month {
        days += match m {
            2 if leap(year) => 29,
            2 => 28,
            4 | 6 | 9 | 11 => 30,
            _ => 31,
        };
    }
    days
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(40))]

    #[test]
    fn days_and_patterns_agree_with_counting(year in 1970i64..2200, month in 1i64..=12, day in 1i64..=28, second in 0i64..86_400) {
        let (h, m, s) = (second / 3600, second / 60 % 60, second % 60);
        let text = format!("{year:04}-{month:02}-{day:02}T{h:02}:{m:02}:{s:02}Z");
        let seconds = (days_before(year, month) + day - 1) * 86_400 + second;
        prop_assert_eq!(value(&format!("DATE_DIFF(second, `1970T`, `{text}`)")), seconds.to_string());
        prop_assert_eq!(value(&format!("TO_STRING(DATE_ADD(second, {seconds}, `1970T`), 'yyyy-MM-dd''T''HH:mm:ssX')")), text.clone());
        let months = (year - 1970) * 12 + month - 1;
        prop_assert_eq!(value(&format!("DATE_DIFF(month, `1970T`, `{text}`)")), months.to_string());
        prop_assert_eq!(value(&format!("DATE_DIFF(year, `{text}`, `1970T`)")), (-(months / 12)).to_string());
    }

    #[test]
    fn patterns_never_panic(pattern in "[yMdahHmsSnXxQ'é ,:-]{0,12}") {
        let _ = value(&format!("TO_STRING(\"at\", '{}')", pattern.replace('\'', "''")));
    }
}
