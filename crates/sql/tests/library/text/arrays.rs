//! Compares records that are JSON arrays with serde_json, for every cut and format of the text.

use proptest::collection::vec;
use proptest::prelude::*;
use rread_sql::text::{infer, type_name};
use rread_text::error::Kind;
use rread_text::layout::Layout;
use serde_json::{Value, json};

use super::{JSON, JSONL, Row, Sizes, WHOLE, all_text, batches, line_of, rows};

/// Values of one column, with characters that could be mistaken for the end of a value.
fn texts() -> impl Strategy<Value = Value> {
    prop_oneof![
        "[a-z\\\\\"{}\\[\\],: é\n]{0,12}".prop_map(Value::from),
        any::<i64>().prop_map(Value::from),
        any::<bool>().prop_map(Value::from),
        Just(Value::Null),
    ]
}

/// Records of three values, and some with fewer or more.
fn tables() -> impl Strategy<Value = Vec<Vec<Value>>> {
    let record = prop_oneof![9 => vec(texts(), 3), 1 => vec(texts(), 0..6)];
    vec(record, 0..12)
}

/// The same arrays in every format.
fn written(arrays: &[Value], header: bool) -> Vec<(Layout, String)> {
    let lines: Vec<String> = arrays.iter().map(Value::to_string).collect();
    let (json, jsonl) = (Layout::Json { header }, Layout::Jsonl { header });
    vec![
        (jsonl.clone(), lines.join("\n")),
        (jsonl, format!("\n \r\n{}\r\n\n", lines.join(" \r\n"))),
        (json.clone(), format!("[{}]", lines.join(","))),
        (json, serde_json::to_string_pretty(arrays).unwrap()),
    ]
}
fn text_of(value: &Value) -> Option<String> {
    match value {
        Value::Null => None,
        Value::String(text) => Some(text.clone()),
        other => Some(other.to_string()),
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 300, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn values_belong_to_columns_by_their_position(
        table in tables(), header: bool, target in 1usize..150, read in 1usize..50, places in vec(0usize..3, 0..4),
    ) {
        let first = json!(["a", "b,[", "c\""]);
        let mut arrays = vec![first.clone()];
        arrays.extend(table.iter().map(|record| json!(record)));
        let expected: Vec<Row> = arrays[usize::from(header)..]
            .iter()
            .map(|record| record.as_array().unwrap())
            .filter(|record| record.len() == 3)
            .map(|record| places.iter().map(|place| text_of(&record[*place])).collect())
            .collect();
        let bad = table.iter().filter(|record| record.len() != 3).count() as u64;
        for (layout, text) in written(&arrays, header) {
            let table = all_text(&text, &layout).unwrap();
            let names: Vec<&str> = table.schema.fields().iter().map(|field| field.name().as_str()).collect();
            prop_assert_eq!(names, if header { ["a", "b,[", "c\""] } else { ["_1", "_2", "_3"] });
            let sizes = Sizes { target, read };
            let (found, skipped) = batches(&text, &layout, &table, Some(&places), true, sizes).unwrap();
            prop_assert_eq!(rows(&found), expected.clone(), "{}", text);
            prop_assert_eq!(found.iter().map(|batch| batch.num_rows()).sum::<usize>(), expected.len());
            prop_assert_eq!(skipped.count, bad);
            prop_assert_eq!(batches(&text, &layout, &table, Some(&places), false, sizes).is_err(), bad > 0);
        }
    }
}

#[test]
fn types_are_those_of_members_of_objects() {
    let text = r#"["n","x","","n","o","e"]
[1, 2 ,"s",true,{"p":[1,2]},null]
[2,2.5,"t",false,{"p":[]},null]
"#;
    let table = infer(text.as_bytes(), true, &JSONL, &[]).unwrap();
    let fields = table.schema.fields();
    let columns: Vec<_> =
        fields.iter().map(|field| (field.name().as_str(), type_name(field.data_type()))).collect();
    let words = ["int64", "float64", "utf8", "boolean"];
    for (column, (name, word)) in columns.iter().zip(["n", "x", "_3", "n_2"].into_iter().zip(words)) {
        assert_eq!(column, &(name, word.to_owned()));
    }
    let (found, _) = batches(text, &JSONL, &table, None, false, WHOLE).unwrap();
    let found = rows(&found);
    assert_eq!(found[0][..4], ["1", "2.0", "s", "true"].map(|value| Some(value.to_owned())));
    assert_eq!(found[1][4].as_deref(), Some("{p: []}"));
    assert_eq!(found[1][5], None);
}

#[test]
fn bad_arrays_have_line_numbers() {
    let good = r#"[1,"x"]"#;
    let bad = [
        (r"[1]", "1 value,"),
        (r#"[1,"x",2]"#, "3 values"),
        ("[]", "0 values"),
        (r#"[1,"x"] 7"#, "trailing"),
        (r#"[1 "x"]"#, "expected"),
        (r#"[1,"x",]"#, "expected value"),
        (r#"[1,,"x"]"#, "expected"),
        (r#"[1,"x""#, "not closed"),
        (r#"{"n":1}"#, "not an array"),
        ("null", "not an array"),
        (r#"["y","x"]"#, "'y' in column n is not int64"),
        (r#"[[1],"x"]"#, ""),
    ];
    for (value, part) in bad {
        let text = format!("\n[\"n\",\"s\"]\n{good}\n{value}\n{good}\n{value}\n{good}\n");
        let table = infer(format!("[\"n\",\"s\"]\n{good}").as_bytes(), true, &JSONL, &[]).unwrap();
        for target in [1, 20, 1000] {
            let sizes = Sizes { target, read: 11 };
            let error = batches(&text, &JSONL, &table, None, false, sizes).unwrap_err();
            assert_eq!(line_of(&error.message.plain()), 4, "{value}: {error}");
            assert!(error.message.plain().contains(part) && error.hint.is_some(), "{error}");
            let (found, skipped) = batches(&text, &JSONL, &table, None, true, sizes).unwrap();
            assert_eq!((rows(&found).len(), skipped.count), (3, 2), "{value}");
            assert_eq!(line_of(&skipped.first.unwrap().message.plain()), 4, "{value}");
        }
    }
    // The reverse: arrays among objects.
    let table = infer(b"{\"n\":1}", true, &JSONL, &[]).unwrap();
    let error = batches("{\"n\":1}\n[1]\n", &JSONL, &table, None, false, WHOLE).unwrap_err();
    assert!(line_of(&error.message.plain()) == 2 && error.message.plain().contains("not an object"));
}

#[test]
fn a_header_has_only_strings() {
    for text in ["[1,2]\n[3,4]\n", "[\"a\",null]\n", "[\"a\"\n[1]\n"] {
        let error = infer(text.as_bytes(), true, &JSONL, &[]).unwrap_err();
        assert!(error.kind == Kind::InvalidText && error.message.plain().contains("not a header"), "{error}");
        assert!(error.hint.unwrap().plain().starts_with("no-header"));
    }
    let table = infer(b"[[1,2],[3,4]]", true, &Layout::Json { header: false }, &[]).unwrap();
    assert_eq!(table.schema.fields().len(), 2);
    for (text, header) in [("[]\n[1]\n", true), ("[]\n", true), ("[ ]\n[1]\n", false), ("[\n", false)] {
        let error = infer(text.as_bytes(), true, &Layout::Jsonl { header }, &[]).unwrap_err();
        assert!(error.message.plain().contains("no table"), "{error}");
    }
    // A header alone is a table without rows.
    let table = infer(b"[[\"a\",\"b\"]]", true, &JSON, &[]).unwrap();
    let (found, _) = batches("[[\"a\",\"b\"]]", &JSON, &table, None, false, WHOLE).unwrap();
    assert!(rows(&found).is_empty() && table.schema.fields().len() == 2);
}
