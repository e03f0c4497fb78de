//! The names of types, and values of each type.

use std::sync::Arc;

use datafusion::arrow::datatypes::{DataType, Field, Schema};
use rread_sql::text::{TextSchema, parse_schema, type_name};
use rread_text::error::Kind;
use rread_text::layout::{Csv, Layout};

use super::{WHOLE, batches, rows};

#[test]
fn schemas_are_read_with_quoted_names_and_all_words() {
    let columns = parse_schema("a:INT64, \"b,:\"\"c\" : decimal(10, 2),d d:string,e:timestamptz").unwrap();
    let names: Vec<&str> = columns.iter().map(|(name, _)| name.as_str()).collect();
    assert_eq!(names, ["a", "b,:\"c", "d d", "e"]);
    let types: Vec<String> = columns.iter().map(|(_, data_type)| type_name(data_type)).collect();
    assert_eq!(types, ["int64", "decimal(10,2)", "utf8", "timestamptz"]);
    let words = "utf8 boolean int8 int16 int32 int64 uint8 uint16 uint32 uint64 float32 float64 decimal(38,38) \
                 decimal(76,0) date time timestamp timestamptz";
    for word in words.split_whitespace() {
        let columns = parse_schema(&format!("x:{word}")).unwrap();
        assert_eq!(type_name(&columns[0].1), word);
    }
    let aliases = [
        ("bool", "boolean"),
        ("text", "utf8"),
        ("varchar", "utf8"),
        ("smallint", "int16"),
        ("int", "int64"),
        ("integer", "int64"),
        ("bigint", "int64"),
        ("float", "float64"),
        ("real", "float32"),
        ("double", "float64"),
        ("decimal(3)", "decimal(3,0)"),
        ("NUMERIC (9, 2)", "decimal(9,2)"),
    ];
    for (alias, word) in aliases {
        assert_eq!(type_name(&parse_schema(&format!("x:{alias}")).unwrap()[0].1), word);
    }
}

#[test]
fn an_invalid_schema_is_a_usage_error_with_a_hint() {
    let wrong = [
        "",
        "a",
        "a:",
        ":int64",
        "a:int65",
        "a:int64,",
        "a:int64,b",
        "a,b:int64",
        "\"a:int64",
        "\"a\"b:int64",
        "a:decimal",
        "a:decimal(0,0)",
        "a:decimal(77,1)",
        "a:decimal(5,6)",
        "a:decimal(5,-1)",
        "a:int64 b:utf8",
    ];
    for text in wrong {
        let error = parse_schema(text).unwrap_err();
        assert!(error.kind == Kind::Usage && error.hint.is_some(), "{text:?}");
    }
}

/// The value of the only column of `text`, or `None` if it is bad.
fn read(value: &str, data_type: &DataType) -> Option<String> {
    let table = TextSchema {
        schema: Arc::new(Schema::new(vec![Field::new("v", data_type.clone(), true)])),
        arrays: false,
        inferred: Vec::new(),
        unknown: Vec::new(),
    };
    let layout = Layout::Csv(Csv { header: false, ..Csv::default() });
    let (found, skipped) = batches(value, &layout, &table, None, true, WHOLE).unwrap();
    assert!(skipped.count <= 1);
    rows(&found).pop().map(|mut row| row.remove(0).unwrap_or_else(|| "NULL".to_owned()))
}

#[test]
fn values_parse_as_their_type_or_are_bad() {
    let cases = [
        ("int8", "127", Some("127")),
        ("int8", "128", None),
        ("uint64", "18446744073709551615", Some("18446744073709551615")),
        ("uint64", "-1", None),
        ("int32", "1.5", None),
        ("float32", "1.5", Some("1.5")),
        ("float32", "x", None),
        ("float64", "1e400", None),
        ("decimal(5,2)", "123.45", Some("123.45")),
        ("decimal(5,2)", "1234.5", None),
        ("decimal(40,2)", "1234.5", Some("1234.50")),
        ("date", "2026-01-31", Some("2026-01-31")),
        ("date", "2026-01-31T00:00:00", None),
        ("time", "23:59:59.5", Some("23:59:59.500")),
        ("time", "25:00:00", None),
        ("time", "9:05:07", Some("09:05:07")),
        ("time", "9:05", Some("09:05:00")),
        ("time", "9", None),
        ("time", "090500", None),
        ("time", "23:59:60", None),
        ("time", "9:05 PM", Some("21:05:00")),
        ("time", " 10:00:00 ", Some("10:00:00")),
        ("date", "2026-1-3", Some("2026-01-03")),
        ("date", "2026-1-", None),
        ("timestamp", "2026-1-3 4:05:06.7", Some("2026-01-03T04:05:06.700")),
        ("timestamp", "2026-1-3X4:05:06", None),
        ("int64", " 7\t", Some("7")),
        ("int64", "7 8", None),
        ("int64", "  ", Some("NULL")),
        ("decimal(5,2)", " 1.50 ", Some("1.50")),
        ("boolean", "\" true \"", Some("true")),
        ("utf8", " x ", Some(" x ")),
        ("utf8", "  ", Some("  ")),
        ("timestamp", "2026-01-31", Some("2026-01-31T00:00:00")),
        ("timestamp", "2026-01-31T00:00:00Z", None),
        ("timestamptz", "2026-01-31T00:00:00", None),
        ("timestamptz", "2026-01-31 00:00:00+01", Some("2026-01-30T23:00:00Z")),
        ("boolean", "YES", Some("true")),
        ("boolean", "0", Some("false")),
        ("boolean", "2", None),
        ("utf8", "\"\"", Some("")),
        ("int64", "\"\"", Some("NULL")),
        ("decimal(5,2)", "\"\"", Some("NULL")),
    ];
    for (word, value, expected) in cases {
        let data_type = parse_schema(&format!("v:{word}")).unwrap().remove(0).1;
        assert_eq!(read(value, &data_type).as_deref(), expected, "{value} as {word}");
    }
}
