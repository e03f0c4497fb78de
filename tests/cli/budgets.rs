//! Budgets: `--max-bytes`, `--max-lines`, `--max-columns`, `RREAD_MAX_BYTES`; every cut is reported.

use predicates::str::contains;
use rread_testkit::sandbox::{Sandbox, fixture_bytes, lines_of, numbered};
use serde_json::json;

#[test]
fn bytes_stop_at_a_line_end_when_a_whole_line_fits() {
    let sandbox = Sandbox::with("f", numbered(9));
    for (max, lines) in [(7, 1), (13, 1), (14, 2), (20, 2), (62, 8)] {
        let document = sandbox.line(&format!("lines f --max-bytes {max}")).ok().document();
        assert_eq!(document.content, numbered(lines), "{max}");
        assert_eq!((document.fact("truncated"), document.fact("cut_by")), ("true", "max_bytes"), "{max}");
        assert_eq!(document.fact("lines"), format!("1-{lines}"), "{max}");
        assert!(document.fact("next").starts_with(&format!("lines {}:", lines + 1)), "{document:?}");
        assert!(!document.has("eof"));
        let json = sandbox.line(&format!("bytes f --max-bytes {max} --json")).ok().json();
        assert_eq!(json["content"], json!(numbered(lines)), "{max}");
        assert_eq!(json["metadata"]["truncated"], json!(true));
        assert_eq!(json["metadata"]["cut_by"], json!("max_bytes"));
        assert_eq!(json["metadata"]["next"]["command"], json!("bytes"));
    }
    for max in ["63", "64", "1M", "1kB"] {
        let document = sandbox.line(&format!("lines f --max-bytes {max}")).ok().document();
        assert!(!document.has("truncated") && !document.has("cut_by"), "{max} is enough");
        assert_eq!((document.content.as_str(), document.fact("eof")), (&*numbered(9), "true"));
    }
}

#[test]
fn bytes_stop_at_a_character_when_no_line_fits() {
    let text = "漢字かな交じり文がとても長い一行\nshort\n";
    let sandbox = Sandbox::with("f", text);
    for max in 4..48 {
        let fitting = max / 3 * 3;
        let document = sandbox.line(&format!("lines f --max-bytes {max}")).ok().document();
        assert_eq!(document.content, text[..fitting], "{max}");
        assert_eq!(document.fact("cut_by"), "max_bytes", "{max}");
        // `next` is the rest of the line, by its bytes.
        assert!(document.fact("next").starts_with(&format!("bytes {fitting}:")), "{document:?}");
    }
}

/// `bytes_scanned` of an answer.
fn scanned(metadata: &serde_json::Value) -> u64 {
    metadata["bytes_scanned"].as_u64().unwrap()
}

#[test]
fn a_line_is_not_read_to_its_end_for_its_first_bytes() {
    let sandbox = Sandbox::with("f", "x".repeat(8 << 20));
    for line in ["lines f 1", "lines f 1 -n", "ranges f 1 b5:9 1:3", "lines f 1:2 -C 3", "lines f :1000000"] {
        let json = sandbox.line(&format!("{line} --max-bytes 64 --json --no-index")).ok().json();
        let part = json.get("segments").map_or(&json, |segments| &segments[0]);
        let prefix = if line.ends_with("-n") { "     1→" } else { "" };
        assert_eq!(part["content"], json!(format!("{prefix}{}", "x".repeat(64 - prefix.len()))), "{line}");
        let facts = &part["metadata"];
        assert_eq!((&facts["truncated"], &facts["cut_by"]), (&json!(true), &json!("max_bytes")), "{line}");
        let end = 64 - prefix.len();
        assert_eq!(facts["next"], json!({"command": "bytes", "range": format!("{end}:+64")}), "{line}");
        // rread did not look for a second line.
        assert_eq!(json["metadata"]["total_lines"], json!(null), "{line}");
        assert!(scanned(&json["metadata"]) <= 64 << 10, "{line}: {json}");
    }
    // A hash needs the whole line.
    let hashed = sandbox.line("lines f 1 --hash --max-bytes 64 --raw --no-index");
    let whole = sandbox.line("lines f 1 --hash --raw --no-index").ok();
    assert_eq!(hashed.text()[..64], whole.text()[..64]);
}

#[test]
fn lines_that_a_budget_cuts_off_are_not_looked_for() {
    let sandbox = Sandbox::with("f", numbered(1_000_000));
    // The same beginning, in a file small enough to be read whole.
    sandbox.file("small", numbered(100_000));
    for range in ["1:900000", ":900000", "1:", "5:+800000", "7,3:900000", "60000:700000", "100:800000 -C 20"]
    {
        for budget in [
            "--max-bytes 100",
            "--max-tokens 40",
            "--max-lines 30",
            "--max-bytes 1000 --max-lines 9",
            "--max-bytes 4",
        ] {
            let answer = |file: &str, range: &str| {
                sandbox.line(&format!("lines {file} {range} {budget} --json --no-index")).ok().json()
            };
            let (large, small) = (answer("f", range), answer("small", range));
            let parts = |json: &serde_json::Value| match json.get("segments") {
                Some(segments) => segments.as_array().unwrap().clone(),
                None => vec![json.clone()],
            };
            for (a, b) in parts(&large).iter().zip(&parts(&small)) {
                assert_eq!(a["content"], b["content"], "{range} {budget}");
                for key in ["actual_range", "next", "truncated", "cut_by"] {
                    assert_eq!(a["metadata"][key], b["metadata"][key], "{key} of {range} {budget}");
                }
            }
            assert!(scanned(&large["metadata"]) < 1 << 20, "{range} {budget}: {}", large["metadata"]);
        }
    }
    // The error for a start past the end has the number of lines under any budget.
    let refused = sandbox.line("lines f 2000000:2000010 --max-bytes 10").refused(5);
    refused.says(contains("1000000 lines"));
    // If the file ends before the budget does, the totals are known.
    let json = sandbox.line("lines f 999999:2000000 --max-bytes 100 --json --no-index").ok().json();
    assert_eq!(json["metadata"]["total_lines"], json!(1_000_000));
    assert_eq!(json["metadata"]["truncated"], json!(false));
}

#[test]
fn the_environment_sets_a_budget() {
    let sandbox = Sandbox::with("f", numbered(9));
    let run = |line: &str, value: &str| sandbox.line_env(line, &[("RREAD_MAX_BYTES", value)]);
    assert_eq!(run("lines f", "14").ok().document().content, numbered(2));
    assert_eq!(
        run("lines f --max-bytes 21", "14").ok().document().content,
        numbered(3),
        "a flag overrules it"
    );
    assert_eq!(run("lines f", "1KiB").ok().document().content, numbered(9));
    assert_eq!(run("lines f", "").ok().document().content, numbered(9));
    run("lines f", "lots").refused(2).says(contains("RREAD_MAX_BYTES"));
    run("lines f", "-5").refused(2);
}

#[test]
fn lines_stop_after_so_many() {
    let sandbox = Sandbox::with("f", numbered(9));
    for (range, max, from, to, next) in [
        (":", 2, 1, 2, "lines 3:"),
        ("2:5", 2, 2, 3, "lines 4:+4"),
        ("-4:", 1, 6, 6, "lines 7:"),
        ("-4:-2", 1, 6, 6, "lines 7:+2"),
    ] {
        let line = format!("lines f {range} --max-lines {max}");
        let document = sandbox.line(&line).ok().document();
        assert_eq!(document.content, lines_of(&numbered(9), from, to), "{line}");
        assert_eq!((document.fact("truncated"), document.fact("cut_by")), ("true", "max_lines"), "{line}");
        assert_eq!(document.fact("next"), next, "{line}");
    }
    let all = sandbox.line("lines f 2:5 --max-lines 4").ok().document();
    assert!(!all.has("truncated"), "nothing was cut off");
    let document = sandbox.line("bytes f 3: --max-lines 1").ok().document();
    assert_eq!((document.content.as_str(), document.fact("cut_by")), ("e 1\n", "max_lines"));
    for value in ["0", "-1", "x", "1K"] {
        assert_eq!(sandbox.line(&format!("lines f --max-lines={value}")).refused(2).code, 2);
    }
}

#[test]
fn ranges_share_one_budget() {
    let sandbox = Sandbox::with("f", numbered(9));
    for (flags, expected) in [
        ("--max-bytes 21", ["line 1\nline 2\n", "line 5\n", ""]),
        ("--max-bytes 20", ["line 1\nline 2\n", "line 5", ""]),
        ("--max-lines 3", ["line 1\nline 2\n", "line 5\n", ""]),
        ("--max-lines 5", ["line 1\nline 2\n", "line 5\nline 6\n", "line 9\n"]),
        ("--max-bytes 1K", ["line 1\nline 2\n", "line 5\nline 6\n", "line 9\n"]),
    ] {
        let run = sandbox.line(&format!("ranges f 1:2 5:6 9 {flags}")).ok();
        let documents = run.documents();
        let contents: Vec<&str> = documents.iter().map(|d| d.content.as_str()).collect();
        assert_eq!(contents, expected, "{flags}");
        let whole = ["line 1\nline 2\n", "line 5\nline 6\n", "line 9\n"];
        for (document, whole) in documents.iter().zip(whole) {
            let cut = document.content != whole;
            assert_eq!(document.fact("truncated"), if cut { "true" } else { "" }, "{flags}: {document:?}");
            assert!(!cut || document.has("next"), "{flags}: {document:?}");
        }
        let json = sandbox.line(&format!("ranges f 1:2 5:6 9 {flags} --json")).ok().json();
        let cut =
            json["segments"].as_array().unwrap().iter().any(|s| s["metadata"]["truncated"] == json!(true));
        assert_eq!(json["metadata"]["truncated"], json!(cut), "{flags}");
    }
}

#[test]
fn long_lines_are_clipped_and_counted() {
    let sandbox = Sandbox::with("f", fixture_bytes("long-line.txt"));
    let document = sandbox.line("lines f --max-columns 12").ok().document();
    assert_eq!(document.content, "short before\nabcdefghijkl\nshort after\n");
    assert_eq!(document.fact("clipped_lines"), "1");
    assert_eq!((document.fact("truncated"), document.fact("cut_by")), ("true", "max_columns"));
    assert_eq!(document.fact("content_bytes"), document.content.len().to_string());
    let json = sandbox.line("lines f 1:2 --max-columns 5 --json").ok().json();
    assert_eq!(json["content"], json!("short\nabcde\n"));
    assert_eq!(json["metadata"]["clipped_lines"], json!(2));
    let wide = sandbox.line("lines f --max-columns 3000").ok().document();
    assert!(!wide.has("clipped_lines") && !wide.has("truncated"), "{wide:?}");
    // Columns are characters, and a line keeps its end.
    sandbox.file("g", "漢字かな\r\nñandú\nabc");
    assert_eq!(sandbox.line("lines g --max-columns 3 -ftext").text(), "漢字か\r\nñan\nabc");
    assert_eq!(
        sandbox.line("lines g --max-columns 2 -n -ftext").text(),
        "     1→漢字\r\n     2→ña\n     3→ab"
    );
    sandbox.line("lines f --max-columns=0").refused(2);
}

#[test]
fn formats_without_a_receipt_report_a_cut_on_standard_error() {
    let sandbox = Sandbox::with("f", numbered(9));
    for format in ["--raw", "-ftext"] {
        for (flags, content) in
            [("--max-lines 2", "line 1\nline 2\n"), ("--max-bytes 14", "line 1\nline 2\n")]
        {
            let run = sandbox.line(&format!("lines f {flags} {format}"));
            assert_eq!((run.code, run.text()), (0, content), "{run}");
            assert!(run.stderr.contains("lines 3:"), "how to go on: {run}");
        }
    }
}
