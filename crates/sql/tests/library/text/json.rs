//! Compares JSON with serde_json, for every cut and format of the text.

use datafusion::arrow::array::RecordBatch;
use datafusion::arrow::json::LineDelimitedWriter;
use proptest::collection::vec;
use proptest::prelude::*;
use rread_sql::text::{has_record, infer, parse_schema, type_name};
use rread_text::layout::Layout;
use serde_json::{Map, Value, json};

use super::{JSON, JSONL, LIMIT, Sizes, WHOLE, batches, chunks, line_of, rows};

/// Objects of one shape, with some members missing or null.
fn objects() -> impl Strategy<Value = Vec<Value>> {
    let text = prop_oneof!["[a-z\\\\\"{}\\[\\],é\n ]{0,16}", Just("\u{1F600}\"".to_owned())];
    let number = prop_oneof![Just(Value::Null), any::<i64>().prop_map(Value::from)];
    let object = (
        number,
        prop::option::of(any::<i32>()),
        text.clone(),
        vec(any::<i32>(), 0..3),
        prop::option::of(text),
    );
    vec(
        object.prop_map(|(n, x, s, l, o)| {
            let mut object = Map::new();
            object.insert("n".to_owned(), n);
            if let Some(x) = x {
                // serde_json reads these numbers back exactly, but not every number.
                object.insert("x".to_owned(), json!(f64::from(x) / 8.0 + 0.0625));
            }
            object.insert("s {".to_owned(), json!(s));
            object.insert("l".to_owned(), json!(l));
            if let Some(o) = o {
                object.insert("o".to_owned(), json!({"p": o, "q": [true, false]}));
            }
            Value::Object(object)
        }),
        1..12,
    )
}

/// The rows of `batches` as objects, without members that are null.
fn objects_of(batches: &[RecordBatch]) -> Vec<Value> {
    let mut text = Vec::new();
    let mut writer = LineDelimitedWriter::new(&mut text);
    for batch in batches {
        writer.write(batch).unwrap();
    }
    writer.finish().unwrap();
    serde_json::Deserializer::from_slice(&text)
        .into_iter()
        .map(|value| without_nulls(value.unwrap()))
        .collect()
}

fn without_nulls(value: Value) -> Value {
    match value {
        Value::Object(members) => {
            let some = members.into_iter().filter(|(_, value)| !value.is_null());
            Value::Object(some.map(|(name, value)| (name, without_nulls(value))).collect())
        }
        other => other,
    }
}

/// The same objects in every format.
fn written(objects: &[Value]) -> Vec<(Layout, String)> {
    let lines: Vec<String> = objects.iter().map(Value::to_string).collect();
    let pretty: Vec<String> =
        objects.iter().map(|object| serde_json::to_string_pretty(object).unwrap()).collect();
    vec![
        (JSONL, lines.join("\n")),
        (JSONL, format!("\n{}\r\n \n", lines.join("\r\n"))),
        (JSON, lines.concat()),
        (JSON, format!(" {}\n", pretty.join("\n"))),
        (JSON, serde_json::to_string_pretty(objects).unwrap()),
        (JSON, format!("[{}]", lines.join(","))),
        (JSON, format!("\n[ {} ]\n ", lines.join(" ,\n"))),
    ]
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 150, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn rows_are_those_of_serde_json(objects in objects(), target in 1usize..200, read in 1usize..60) {
        let expected: Vec<Value> = objects.iter().cloned().map(without_nulls).collect();
        for (layout, text) in written(&objects) {
            let table = infer(text.as_bytes(), true, &layout, &[]).unwrap();
            let (found, _) = batches(&text, &layout, &table, None, false, Sizes { target, read }).unwrap();
            prop_assert_eq!(objects_of(&found), expected.clone(), "{}", text);
            let all = chunks(&text, &layout, target, read, LIMIT).unwrap();
            let length: usize = all.iter().map(|chunk| chunk.bytes.len()).sum();
            prop_assert!(text[..text.len() - length].bytes().all(|byte| b"[ \n".contains(&byte)), "{}", text);
        }
    }

    #[test]
    fn text_that_is_cut_is_an_error_or_has_fewer_rows(objects in objects(), cut in any::<prop::sample::Index>(), target in 1usize..200) {
        for (layout, text) in written(&objects) {
            let table = infer(text.as_bytes(), true, &layout, &[]).unwrap();
            let mut cut = cut.index(text.len());
            while !text.is_char_boundary(cut) {
                cut -= 1;
            }
            let sizes = Sizes { target, read: 9 };
            if let Ok((found, _)) = batches(&text[..cut], &layout, &table, None, false, sizes) {
                let found = objects_of(&found);
                prop_assert!(!text.trim_start().starts_with('[') || text[cut..].trim().is_empty() || text[..cut].trim().is_empty());
                let expected: Vec<Value> = objects.iter().cloned().map(without_nulls).collect();
                prop_assert_eq!(&found[..], &expected[..found.len()]);
            }
        }
    }
}

/// Two objects per line, so that there are neighbours, with one error or none.
fn nearly_objects() -> impl Strategy<Value = Vec<String>> {
    let member = prop_oneof![
        "[a-c]{1,2}".prop_map(|s| format!("\"{s}\"")),
        any::<i32>().prop_map(|n| n.to_string()),
        Just("[1,{\"x\":[]}]".to_owned()),
        Just("null".to_owned()),
        Just("\"\\\\\"".to_owned()),
    ];
    let object = vec(member, 0..4).prop_map(|members| {
        let members: Vec<String> =
            members.iter().enumerate().map(|(n, member)| format!("\"k{n}\":{member}")).collect();
        format!("{{{}}}", members.join(","))
    });
    let pieces = vec![",", ":", "{", "}", "[", "]", "\"", " ", "0", "-", "\\", "\t", "x", "{}", ",,"];
    let wrong = (any::<prop::sample::Index>(), prop::sample::select(pieces), 0usize..3);
    let line = (object, prop::option::of(wrong)).prop_map(|(mut object, wrong)| {
        if let Some((at, piece, length)) = wrong {
            let at = at.index(object.len() + 1);
            object.replace_range(at..(at + length).min(object.len()), piece);
        }
        object
    });
    vec(line, 1..10)
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 600, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn what_serde_json_refuses_is_not_a_record(lines in nearly_objects(), target in 1usize..60) {
        // Without read columns, only a record that is not an object is bad.
        let good = lines.iter().filter(|line| serde_json::from_str::<Map<String, Value>>(line).is_ok()).count();
        let blank = lines.iter().filter(|line| line.trim().is_empty()).count();
        let text = format!("{{}}\n{}\n", lines.join("\n"));
        let table = infer(b"{\"k0\":1}", true, &JSONL, &[]).unwrap();
        let (found, skipped) = batches(&text, &JSONL, &table, Some(&[]), true, Sizes { target, read: 7 }).unwrap();
        prop_assert_eq!(found.iter().map(RecordBatch::num_rows).sum::<usize>(), good + 1, "{}", text);
        prop_assert_eq!(skipped.count, (lines.len() - good - blank) as u64);
    }
}

fn types(text: &str) -> Vec<(String, String)> {
    let table = infer(text.as_bytes(), true, &JSON, &[]).unwrap();
    table.schema.fields().iter().map(|field| (field.name().clone(), type_name(field.data_type()))).collect()
}

#[test]
fn columns_are_in_the_order_of_the_text_and_mixtures_are_text() {
    let text = r#"{"z":1,"y":true,"x":null} {"z":2.5,"a":"s","y":1} {"a":[1],"b":18446744073709551615}"#;
    let expected = [("z", "float64"), ("y", "utf8"), ("x", "utf8"), ("a", "utf8"), ("b", "decimal(38,0)")];
    let expected: Vec<_> =
        expected.iter().map(|(name, word)| ((*name).to_owned(), (*word).to_owned())).collect();
    assert_eq!(types(text), expected);
    let table = infer(text.as_bytes(), true, &JSON, &[]).unwrap();
    let (found, _) = batches(text, &JSON, &table, None, false, WHOLE).unwrap();
    let mixed: Vec<_> = rows(&found).into_iter().map(|row| row[3].clone()).collect();
    assert_eq!(mixed, [None, Some("s".to_owned()), Some("[1]".to_owned())]);
    let (found, _) = batches(text, &JSON, &table, Some(&[1, 0]), false, WHOLE).unwrap();
    let found = rows(&found);
    assert_eq!(found[0], [Some("true".to_owned()), Some("1.0".to_owned())]);
    assert_eq!(found[1][0].as_deref(), Some("1"));
    let (found, _) = batches(text, &JSON, &table, Some(&[]), false, WHOLE).unwrap();
    assert_eq!(found.iter().map(RecordBatch::num_rows).sum::<usize>(), 3);
}

#[test]
fn bad_values_have_line_numbers() {
    let good = r#"{"n":1,"l":[1]}"#;
    let table = infer(good.as_bytes(), true, &JSONL, &[]).unwrap();
    let bad = [
        r#"{"n":1.5}"#,
        r#"{"n":"x"}"#,
        r#"{"n":[1]}"#,
        r#"{"n":{}}"#,
        r#"{"l":[1.5]}"#,
        r#"{"l":["x"]}"#,
        r#"{"l":3}"#,
        r#"{"n":1"#,
        r#"{"n":1} {"n":2}"#,
        "[1]",
        "7",
        "null",
        "x",
        r#"{"n":"\ud800"}"#,
        r#"{"n":tru}"#,
        "}",
        r#"{"n":1 "l":[1]}"#,
        r#"{"n":1,,"l":[1]}"#,
        r#"{,"n":1}"#,
        r#"{"n":1,}"#,
        r#"{"n" 1}"#,
        r#"{"l":[1 2]}"#,
        r#"{"l":[1,,2]}"#,
        r#"{"l":[1,]}"#,
        r#"{"l":[,1]}"#,
        r#"{"n":01}"#,
        r#"{"other":1-2}"#,
        r#"{"other":nul}"#,
        "{\"other\":\"\t\"}",
    ];
    for value in bad {
        let text = format!("\n{good}\n{value}\n{good}\n{value}\n{good}\n");
        for target in [1, 20, 1000] {
            let sizes = Sizes { target, read: 11 };
            let error = batches(&text, &JSONL, &table, None, false, sizes).unwrap_err();
            assert_eq!(line_of(&error.message.plain()), 3, "{value}: {error}");
            assert!(error.hint.is_some());
            let (found, skipped) = batches(&text, &JSONL, &table, None, true, sizes).unwrap();
            assert_eq!((rows(&found).len(), skipped.count), (3, 2), "{value}");
            assert_eq!(line_of(&skipped.first.unwrap().message.plain()), 3, "{value}");
        }
    }
}

#[test]
fn types_are_those_of_delimited_values() {
    let overrides = parse_schema("d:date,t:timestamptz,m:decimal(5,2)").unwrap();
    let text = "{\"d\":\"2026-01-31\",\"t\":\"2026-01-31T00:00:00Z\",\"m\":1.25}\n{\"d\":\"\",\"m\":\"2\"}\n{\"d\":\"2026-02-30\"}\n";
    let table = infer(text.as_bytes(), true, &JSONL, &overrides).unwrap();
    let (found, skipped) = batches(text, &JSONL, &table, None, true, WHOLE).unwrap();
    let found = rows(&found);
    let first: Vec<_> = found[0].iter().map(|value| value.as_deref().unwrap()).collect();
    assert_eq!(first, ["2026-01-31", "2026-01-31T00:00:00Z", "1.25"]);
    assert_eq!(found[1], [None, None, Some("2.00".to_owned())]);
    assert_eq!(line_of(&skipped.first.unwrap().message.plain()), 3);
}

#[test]
fn unbalanced_json_is_an_error_with_its_line() {
    let cases = [
        ("{\"a\":1}\n{\"a\":\n[1\n", 2, "not closed"),
        ("{\"a\":1}\n{\"a\":\"x}\n\n", 2, "string"),
        ("[\n{}\n", 3, "without its ]"),
        ("[\n{}\n{}]", 3, "comma"),
        ("[\n{},\n,{}]", 3, "missing"),
        ("[{},\n]", 2, "missing"),
        ("[,{}]", 1, "missing"),
        ("[{}]\n{}", 2, "more after the end"),
        ("{},\n{}", 1, "missing"),
        ("{}\n]", 2, "missing"),
    ];
    for (text, line, part) in cases {
        for read in [1, 2, 100] {
            let error = chunks(text, &JSON, 1, read, LIMIT).unwrap_err();
            assert_eq!(line_of(&error.message.plain()), line, "{text:?}: {error}");
            assert!(error.message.plain().contains(part), "{text:?}: {error}");
        }
    }
    for empty in ["[]", " [ ] ", "", "\n"] {
        let all = chunks(empty, &JSON, 1, 1, LIMIT).unwrap();
        assert!(all.iter().all(|chunk| chunk.bytes.iter().all(u8::is_ascii_whitespace)));
        assert!(infer(empty.as_bytes(), true, &JSON, &[]).unwrap_err().message.plain().contains("no table"));
    }
    let long = format!("{{\"a\":1}}\n{{\"a\":\"{}", "x".repeat(5000));
    let error = chunks(&long, &JSON, 1, 100, 1000).unwrap_err();
    assert!(error.message.plain().contains("1000 bytes") && error.hint.unwrap().plain().contains("jq -c"));
}

#[test]
fn a_sample_suffices_with_a_record_or_an_error() {
    for (text, layout, enough) in [
        ("{\"Records\":[{\"a\":1},{\"a\":2}", JSON, false),
        ("{\"Records\":[{\"a\":1},{\"a\":2}]}", JSON, true),
        ("[{\"a\":1},", JSON, true),
        ("[{\"a\":1} 2", JSON, true),
        ("]", JSON, true),
        ("", JSON, false),
        ("{\"a\":1}", JSONL, false),
        ("{\"a\":1}\n", JSONL, true),
    ] {
        assert_eq!(has_record(text.as_bytes(), &layout), enough, "{text}");
        if !enough {
            let error = infer(text.as_bytes(), false, &layout, &[]).unwrap_err();
            assert!(
                error.message.plain().contains("no whole record")
                    && error.hint.unwrap().plain().contains("jq -c")
            );
        }
    }
}

#[test]
fn a_sample_may_end_anywhere() {
    let text = "[{\"a\":1,\"b\":\"é\"},\n {\"a\":2.5}]";
    for cut in 0..text.len() {
        match infer(&text.as_bytes()[..cut], false, &JSON, &[]) {
            Ok(table) => assert_eq!(table.schema.fields().len(), 2),
            Err(error) => {
                assert!(cut < 18 && error.message.plain().contains("no whole record"), "{cut}: {error}")
            }
        }
    }
}
