//! The inferred types of columns.

use datafusion::arrow::datatypes::DataType;
use rread_sql::text::{infer, parse_schema, type_name};
use rread_text::error::Kind;
use rread_text::layout::{Csv, Layout};

use super::{JSON, JSONL, WHOLE, batches, rows};

fn layout() -> Layout {
    Layout::Csv(Csv::default())
}
fn taken_for(values: &[&str]) -> String {
    let text = format!("v,w\n{}", values.iter().map(|value| format!("{value},\n")).collect::<String>());
    let table = infer(text.as_bytes(), true, &layout(), &[]).unwrap();
    // The inferred type can read its own sample.
    let (found, _) = batches(&text, &layout(), &table, None, false, WHOLE).unwrap();
    assert_eq!(rows(&found).len(), values.len());
    type_name(table.schema.field(0).data_type())
}

#[test]
fn types_are_the_narrowest_that_hold_all_values() {
    let cases: &[(&[&str], &str)] = &[
        (&[], "utf8"),
        (&["", ""], "utf8"),
        (&["1", "", "-20", "0"], "int64"),
        (&["9223372036854775807"], "int64"),
        (&["9223372036854775808"], "decimal(38,0)"),
        (&["1", "-99999999999999999999999999999999999999"], "decimal(38,0)"),
        (&["999999999999999999999999999999999999999"], "utf8"),
        (&["1e400"], "utf8"),
        (&["9223372036854775808", "0.5"], "float64"),
        (&["01"], "utf8"),
        (&["007", "7"], "utf8"),
        (&["+1"], "utf8"),
        (&[" 1", "2\t", " "], "int64"),
        (&[" 1.5 ", "true"], "utf8"),
        (&["  ", " "], "utf8"),
        (&[" true", "2026-01-01 "], "utf8"),
        (&[" true"], "boolean"),
        (&["1", "1.5"], "float64"),
        (&["1e5", ".5", "5.", "-0", "-0.0"], "float64"),
        (&["inf"], "utf8"),
        (&["1", "NaN"], "utf8"),
        (&["-"], "utf8"),
        (&["."], "utf8"),
        (&["1e"], "utf8"),
        (&["true", "FALSE", "", "False"], "boolean"),
        (&["t"], "utf8"),
        (&["true", "1"], "utf8"),
        (&["2026-01-31", ""], "date"),
        (&["2026-02-30"], "utf8"),
        (&["2026-1-31", "2026-01-1", "2026-1-1"], "date"),
        (&["2026-1-1 9:05:00", "2026-01-31"], "timestamp"),
        (&["2026-1-311"], "utf8"),
        (&["2026--1-1"], "utf8"),
        (&["2026-13-1"], "utf8"),
        (&["9:05:00", "23:59:59.123456789", ""], "time"),
        (&["10:30"], "time"),
        (&["24:00:00"], "utf8"),
        (&["10:30:00", "2026-01-31"], "utf8"),
        (&["10:30:00", "5"], "utf8"),
        (&["10:30:00+01:00"], "utf8"),
        (&["2026-01-31T00:00:00", "2026-01-31 23:59:59.123456"], "timestamp"),
        (&["2026-01-31", "2026-01-31 10:00:00"], "timestamp"),
        (&["2026-01-31T00:00:00Z", "2026-01-31 00:00:00.5+02:00", "2026-01-31T00:00:00-0930"], "timestamptz"),
        (&["2026-01-31T00:00:00Z", "2026-01-31T00:00:00"], "utf8"),
        (&["2026-01-31T24:00:00"], "utf8"),
        (&["2026-01-31T00:00"], "timestamp"),
        (&["2026-01-31", "1"], "utf8"),
        (&["\"\"", "\"5\""], "int64"),
    ];
    for (values, expected) in cases {
        assert_eq!(taken_for(values), *expected, "{values:?}");
    }
}

#[test]
fn timestamps_are_in_utc_and_to_the_microsecond() {
    let text = "v\n2026-01-31T01:00:00.1234567+02:30\n1969-12-31T23:59:59.5Z\n";
    let table = infer(text.as_bytes(), true, &layout(), &[]).unwrap();
    let (found, _) = batches(text, &layout(), &table, None, false, WHOLE).unwrap();
    let values: Vec<_> = rows(&found).into_iter().map(|mut row| row.remove(0).unwrap()).collect();
    assert_eq!(values, ["2026-01-30T22:30:00.123456Z", "1969-12-31T23:59:59.500Z"]);
}

fn names(header: &str, has_header: bool) -> Vec<String> {
    let layout = Layout::Csv(Csv { header: has_header, nulls: vec!["NA".to_owned()], ..Csv::default() });
    let table = infer(header.as_bytes(), true, &layout, &[]).unwrap();
    table.schema.fields().iter().map(|field| field.name().clone()).collect()
}

#[test]
fn every_column_has_a_name_of_its_own() {
    assert_eq!(names("a,B,\"c,d\",\"e\"\"\"\r\n", true), ["a", "B", "c,d", "e\""]);
    assert_eq!(names("a,,c,\n", true), ["a", "_2", "c", "_4"]);
    assert_eq!(names("a,a,a_2,a\n", true), ["a", "a_3", "a_2", "a_4"]);
    assert_eq!(names("_2,,NA", true), ["_2", "_2_2", "NA"]);
    assert_eq!(names("a,a,a\n", false), ["_1", "_2", "_3"]);
    // Many columns must not take quadratic time.
    assert_eq!(names(&format!("a{}\n", ",a".repeat(200_000)), true).len(), 200_001);
}

#[test]
fn a_cut_record_at_the_end_of_a_sample_does_not_count() {
    let sample = b"a,b\n1,x\n2,\"y\nz\"\n3.5,w";
    let table = infer(sample, false, &layout(), &[]).unwrap();
    assert_eq!(table.schema.field(0).data_type(), &DataType::Int64);
    let table = infer(sample, true, &layout(), &[]).unwrap();
    assert_eq!(table.schema.field(0).data_type(), &DataType::Float64);
    let error = infer(b"a,b", false, &layout(), &[]).unwrap_err();
    assert!(error.message.plain().contains("no whole record in the first 3 bytes"), "{error}");
}

#[test]
fn without_a_record_there_is_no_table() {
    for layout in [layout(), JSON, JSONL] {
        for text in ["", "\n", "\r\n\n"] {
            let error = infer(text.as_bytes(), true, &layout, &[]).unwrap_err();
            assert!(error.kind == Kind::InvalidText && error.message.plain().contains("no table"), "{error}");
        }
    }
    let table = infer(b"a,b", true, &layout(), &[]).unwrap();
    assert_eq!(table.schema.fields().len(), 2);
    let (found, _) = batches("a,b", &layout(), &table, None, false, WHOLE).unwrap();
    assert!(rows(&found).is_empty());
}

#[test]
fn overrides_set_the_types_of_columns() {
    let overrides = parse_schema("*:utf8,B:float64,b:int32").unwrap();
    let table = infer(b"a,B,c\n1,2,3\n", true, &layout(), &overrides).unwrap();
    let types: Vec<_> = table.schema.fields().iter().map(|field| type_name(field.data_type())).collect();
    assert_eq!(types, ["utf8", "int32", "utf8"]);
    let error = infer(b"a,B,c\n1,2,3\n", true, &layout(), &parse_schema("d:utf8").unwrap()).unwrap_err();
    assert!(error.kind == Kind::Usage && error.message.plain().contains("named d"));
    assert_eq!(error.hint.unwrap().plain(), "the columns are a, B, c");
    let wide: Vec<String> = (0..30).map(|n| format!("c{n}")).collect();
    let error =
        infer(wide.join(",").as_bytes(), true, &layout(), &parse_schema("d:utf8").unwrap()).unwrap_err();
    assert!(error.hint.unwrap().plain().ends_with("c19 and 10 more"));
}

/// Otherwise the order of the records would decide what a value is.
#[test]
fn a_later_value_is_bad_if_it_would_have_made_another_type() {
    let types = ["1", "1.5", "9223372036854775808", "true", "9:05:00", "2026-01-31", "2026-01-31 10:00:00"];
    let zoned = ["2026-01-31T10:00:00Z"];
    let later = [
        "+1",
        "-0",
        "0",
        "007",
        "-07",
        "00.5",
        "1.5",
        "-1",
        "+1.5",
        "1e5",
        "nan",
        "inf",
        "-inf",
        "true",
        "FALSE",
        "yes",
        "n",
        "t",
        "9",
        "090500",
        "9:05",
        "9:05 PM",
        "23:59:60",
        "24:00:00",
        "10:00:00.5",
        "2026-1-3",
        "2026-02-30",
        "2026-01-31 10:00",
        "2026-01-31T10:00:60",
        "2026-01-31T10:00:00+01",
        "x",
        " 5 ",
        "18446744073709551616",
    ];
    for base in types.into_iter().chain(zoned) {
        let sample = format!("v,w\n{base},\n");
        let table = infer(sample.as_bytes(), true, &layout(), &[]).unwrap();
        for value in later {
            let both = format!("{sample}{value},\n");
            let other = infer(both.as_bytes(), true, &layout(), &[]).unwrap();
            let (found, skipped) = batches(&both, &layout(), &table, None, true, WHOLE).unwrap();
            let is_same = table.schema.field(0).data_type() == other.schema.field(0).data_type();
            assert_eq!(skipped.count == 0, is_same, "{value} after {base}: {:?}", rows(&found));
        }
    }
}
