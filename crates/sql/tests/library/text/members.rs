//! Members of JSON objects that appear after the sample are counted; a member in --schema becomes a column.

use proptest::prelude::*;
use rread_sql::text::{infer, parse_schema};
use serde_json::{Map, Value, json};

use super::{JSONL, Sizes, WHOLE, line_of, read, rows};

/// A value made from a number: scalars, lists and objects, two deep.
fn value(seed: u32) -> Value {
    match seed % 7 {
        0 => json!(null),
        1 => json!(seed),
        2 => json!("text \" \\ {"),
        3 => json!([seed, 2]),
        4 => json!([{"p": 1}, {"p": 2, "new": 3}]),
        5 => json!({"p": seed, "q": {"r": 1, "new": 2}}),
        _ => json!({"new": seed}),
    }
}

/// A naive count of the members of `object` that are not in `known`, and the path of the first.
fn unknown(object: &Map<String, Value>, known: &Map<String, Value>, path: &str, found: &mut Vec<String>) {
    for (name, value) in object {
        let path = format!("{path}{name}");
        match (value, known.get(name)) {
            (_, None) => found.push(path),
            (Value::Object(inner), Some(Value::Object(known))) => {
                unknown(inner, known, &format!("{path}."), found);
            }
            (Value::Array(items), Some(Value::Array(known))) => {
                let Some(Value::Object(known)) = known.first() else { continue };
                for item in items.iter().filter_map(Value::as_object) {
                    unknown(item, known, &format!("{path}."), found);
                }
            }
            _ => {}
        }
    }
}

proptest! {
    #[test]
    fn members_are_counted_as_a_naive_walk_counts_them(
        records in prop::collection::vec(prop::collection::vec(("[a-d]|s|l|n", any::<u32>()), 0..5), 1..30),
        target in 1usize..200,
    ) {
        let head = json!({"a": "text", "s": {"p": 1, "q": {"r": 2}}, "l": [{"p": 1}], "n": "x"});
        let known = head.as_object().unwrap();
        let (mut text, mut expected, mut line) = (format!("{head}\n"), Vec::new(), None);
        let table = infer(text.as_bytes(), false, &JSONL, &[]).unwrap();
        for (nth, members) in records.iter().enumerate() {
            let mut record = Map::new();
            for (name, seed) in members {
                let of_its_kind = match name.as_str() {
                    "s" => value(if seed % 2 == 0 { 5 } else { 6 }),
                    "l" => value(4),
                    "a" | "n" => json!(format!("{seed}")),
                    _ => value(*seed),
                };
                record.insert(name.clone(), of_its_kind);
            }
            unknown(&record, known, "", &mut expected);
            if line.is_none() && !expected.is_empty() {
                line = Some(nth + 2);
            }
            text.push_str(&format!("{}\n", Value::Object(record)));
        }
        let columns = table.schema.fields().len();
        for projection in [None, Some(&[][..]), Some(&[columns - 1][..])] {
            let (found, left_out) =
                read(&text, &JSONL, &table, projection, false, Sizes { target, read: 7 }).unwrap();
            prop_assert_eq!(found.iter().map(|batch| batch.num_rows()).sum::<usize>(), records.len() + 1);
            prop_assert_eq!(left_out.records.count, 0);
            prop_assert_eq!(left_out.members.count, expected.len() as u64, "{}", text);
            let hint = left_out.members.first.as_ref().map(|first| first.hint.clone());
            let first = left_out.members.first.map(|first| (line_of(&first.message.plain()), first.message.plain()));
            prop_assert_eq!(first.as_ref().map(|(line, _)| *line), line.map(|line| line as u64));
            let hint = hint.flatten().map(|hint| hint.plain());
            if let Some((_, message)) = first {
                let name = expected.first().unwrap();
                prop_assert!(message.contains(&format!("the member {name} is")), "{message} {name}");
                // Only a top-level member can become a column.
                prop_assert_eq!(hint, (!name.contains('.')).then(|| format!("schema '{name}:TYPE' makes it one")));
            }
        }
    }
}

#[test]
fn a_member_in_the_schema_is_a_column() {
    let types = parse_schema("late:int64").unwrap();
    let head = "{\"a\":1}\n";
    let text = format!("{head}{{\"a\":2,\"late\":7}}\n");
    let table = infer(head.as_bytes(), false, &JSONL, &types).unwrap();
    let (found, left_out) = read(&text, &JSONL, &table, None, false, WHOLE).unwrap();
    let own = |value: &str| Some(value.to_owned());
    assert_eq!(rows(&found), [vec![own("1"), None], vec![own("2"), own("7")]]);
    assert_eq!(left_out.members.count, 0);
    // If the sample is the whole text, an unknown name is a mistake.
    assert!(infer(head.as_bytes(), true, &JSONL, &types).is_err());
}

#[test]
fn skipped_records_have_no_unknown_members() {
    let table = infer(b"{\"a\":1}\n", false, &JSONL, &[]).unwrap();
    let text = "{\"a\":1}\n{\"b\":1,}\n{\"a\":2,\"c\":1}\n{\"b\":\n";
    let (found, left_out) = read(text, &JSONL, &table, None, true, WHOLE).unwrap();
    assert_eq!((rows(&found).len(), left_out.records.count, left_out.members.count), (2, 2, 1));
    assert_eq!(line_of(&left_out.members.first.unwrap().message.plain()), 3);
}
