//! Answers of `rread select` match `rread --schema`, and together show every member.

use std::collections::BTreeSet;

use rread_testkit::pack::Pack;
use rread_testkit::sandbox::Sandbox;
use serde_json::{Value, json};

use super::tables;

const CALLS: &[&[&str]] = &[
    &[
        "t.csv",
        "nothing.csv",
        "missing.csv",
        "other.csv",
        "SELECT * FROM t WHERE _file <> 'other.csv'",
        "--skip-unreadable",
    ],
    &["t.jsonl", "SELECT * FROM t LIMIT 3", "--brief", "--max-rows", "1"],
    &["t.csv", "SELECT * FROM t"],
    &["t.csv", "SELECT id FROM t", "--max-rows", "3", "--offset", "2"],
    &["t.csv", "SELECT id FROM t", "--max-bytes", "100", "--metadata-only"],
    &["t.csv", "SELECT id FROM t WHERE id < 0"],
    &["t.parquet", "SELECT count(*) FROM t", "--output", "table"],
    &["lines.jsonl", "SELECT * FROM t", "--output", "jsonl"],
    &["t.csv.zst", "SELECT sum(id) FROM t", "--output", "json"],
    &["utf16.csv", "SELECT name FROM t"],
    &["stray.csv", "SELECT * FROM t"],
    &["bad.csv", "SELECT * FROM t", "--skip-bad"],
    &["late.jsonl", "SELECT * FROM t WHERE a > 99999"],
    &["words.csv", "SELECT * FROM t"],
    &["twice.jsonl", "SELECT a FROM t"],
    &["invalid.csv", "SELECT * FROM t"],
    &[
        "large.csv",
        "SELECT max(r) FROM (SELECT row_number() OVER (ORDER BY name, id) AS r FROM t)",
        "--memory",
        "20MiB",
    ],
    &["t.csv", "words.csv", "--files"],
    &["t.csv", "other.csv", "SELECT * FROM t WHERE _file = 't.csv'", "--files", "--max-rows", "1"],
    &["t.csv", "other.csv", "--files", "--max-rows", "1", "--brief"],
    &["t.log", "SELECT a FROM t", "--parse", "logfmt"],
    &["t.csv", "SELECT count(*) FROM t, w", "--table", "w=words.csv"],
    &["t.csv", "SELECT nothing FROM t"],
    &["t.csv", "SELEC"],
    &["missing.csv", "SELECT 1"],
];

fn sandbox() -> Sandbox {
    let sandbox = Sandbox::new();
    let text = tables::csv(&tables::rows(40), ',', "\n");
    sandbox.file("t.csv", &text);
    sandbox.file("nothing.csv", "");
    // Compressed data of another format after the end.
    let gzip = Pack::Gzip.of(b"more");
    sandbox.file("t.csv.zst", [zstd::encode_all(text.as_bytes(), 1).unwrap(), gzip].concat());
    sandbox.file("lines.jsonl", tables::objects(&tables::rows(40)).join("\n"));
    sandbox.file("utf16.csv", text.encode_utf16().flat_map(u16::to_le_bytes).collect::<Vec<_>>());
    sandbox.file("late.jsonl", late_members());
    sandbox.file("words.csv", "name,city\nAda,London\n");
    sandbox.file("twice.jsonl", "{\"a\":1,\"a\":2}\n");
    sandbox.file("t.log", "2026-11-23T06:00:00Z a=1\n2026-11-23T06:00:01Z b\n");
    sandbox.file("bad.csv", "a,b\n1,2\n3\n");
    sandbox.file("stray.csv", "a,b\n1,\"x\"\n2,\"y\"\n3,\"z\" w\"\n");
    sandbox.file("invalid.csv", b"a,b\n1,\xFF\n");
    sandbox.file("large.csv", tables::csv(&tables::rows(500_000), ',', "\n"));
    tables::parquet(&sandbox.path("t.parquet"), &tables::rows(40), 10);
    sandbox
}

/// Objects with a member that first comes after the sample.
fn late_members() -> String {
    let line =
        |n| if n < 150_000 { format!("{{\"a\":{n}}}\n") } else { format!("{{\"a\":{n},\"late\":1}}\n") };
    (0..150_002).map(line).collect()
}

#[test]
fn late_members_are_reported_and_can_be_named() {
    let sandbox = Sandbox::with("t.jsonl", late_members());
    let sql = "SELECT * FROM t WHERE a > 149998";
    let raw = sandbox.run(["select", "t.jsonl", sql, "--raw"]);
    assert_eq!(raw.text(), "a\n149999\n150000\n150001\n");
    assert!(
        raw.stderr.contains("2 values left out; the first: line 150001: the member late is not a column"),
        "{raw}"
    );
    assert!(raw.stderr.contains("--schema 'late:TYPE'"), "{raw}");
    let answer = sandbox.run(["select", "t.jsonl", sql, "--json"]).ok().json();
    assert_eq!(answer["metadata"]["unknown_members"], 2);
    let named = sandbox.run(["select", "t.jsonl", sql, "--raw", "--schema", "late:int64"]).ok();
    assert_eq!((named.text(), &*named.stderr), ("a,late\n149999,\n150000,1\n150001,1\n", ""));
}

#[test]
fn answers_are_valid_and_show_every_member() {
    let schema: Value = serde_json::from_str(rread::SCHEMA).unwrap();
    let validator = jsonschema::validator_for(&schema).unwrap();
    let sandbox = sandbox();
    let mut seen = BTreeSet::new();
    for call in CALLS {
        let run = sandbox.run(["select"].iter().chain(*call).chain(&["--json"]));
        for text in [&run.stdout[..], run.stderr.as_bytes()].into_iter().filter(|text| !text.is_empty()) {
            let document: Value =
                serde_json::from_slice(text).unwrap_or_else(|cause| panic!("{cause}: {run}"));
            let complaints: Vec<String> = validator
                .iter_errors(&document)
                .map(|error| format!("{error} at {}", error.instance_path()))
                .collect();
            assert!(complaints.is_empty(), "{complaints:#?}\n{run}");
            let Some(metadata) = document["metadata"].as_object() else { continue };
            seen.extend(metadata.keys().cloned());
            for key in metadata.keys() {
                let mut changed = document.clone();
                changed["metadata"][key] = json!({"of": ["another", "type"]});
                assert!(!validator.is_valid(&changed), "another type of {key} passes");
            }
            let mut changed = document.clone();
            changed["metadata"]["unknown"] = json!(1);
            assert!(!validator.is_valid(&changed), "an unknown member passes");
        }
    }
    // Other tests cover members of remote objects and of changing files.
    seen.extend(
        [
            "requests",
            "list_requests",
            "directories_skipped",
            "size",
            "bytes_fetched",
            "notices",
            "change",
            "path_base64",
            // Only with workers.
            "workers",
            "tasks",
            "retried",
        ]
        .map(str::to_owned),
    );
    // A query has no use for these facts of a file.
    let of_other_commands = [
        "index",
        "encoding_source",
        "encoding_guess",
        "encoding_hint",
        "encode",
        "bom",
        "damaged",
        "decoded",
        "picture_pages",
        "plain",
        // Only with the feature documents: see sheets.rs.
        "sheet",
        "other_sheets",
    ];
    seen.extend(of_other_commands.map(str::to_owned));
    let declared = schema["$defs"]["select"]["properties"].as_object().unwrap();
    let unseen: Vec<&String> = declared.keys().filter(|key| !seen.contains(*key)).collect();
    assert!(unseen.is_empty(), "no answer has {unseen:?}");
}
