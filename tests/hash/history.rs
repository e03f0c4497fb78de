//! The whole loop: read with hashes, change the file, verify, take the fresh anchors, verify again.

use predicates::str::contains;
use rread_testkit::sandbox::{Run, Sandbox, numbered};
use serde_json::{Value, json};

const BEFORE: &str =
    "fn main() {\n    let a = 1;\n    let b = 2;\n\n    show(a + b);\n}\n\nfn other() {\n    work();\n}\n";

/// The anchor of its second line.
const BEFORE_ANCHOR: &str = "2#a2b14f";

fn hashlines(sandbox: &Sandbox) -> Vec<u8> {
    sandbox.line("lines f --hash -f text").ok().stdout
}

/// Verifies `anchors`, expects changes, and holds the answer to what it promises: every fresh anchor in it verifies.
fn changed(sandbox: &Sandbox, anchors: &[u8]) -> Value {
    let run = sandbox.piped("verify f --from - --json", anchors);
    assert_eq!(run.code, 1, "{run}");
    let error: Value = serde_json::from_str(&run.stderr).unwrap();
    assert_eq!((&error["kind"], &error["path"]), (&json!("mismatch"), &json!("f")), "{run}");
    let answer = run.json();
    let metadata = answer["metadata"].clone();
    sandbox.piped("verify f --from -", answer["content"].as_str().unwrap()).ok_or_empty(&answer);
    let mismatches = metadata["mismatches"].as_array().unwrap();
    let fresh: Vec<&str> = mismatches.iter().filter_map(|mismatch| mismatch["now"].as_str()).collect();
    if !fresh.is_empty() {
        sandbox.piped("verify f --from -", fresh.join("\n")).ok();
    }
    metadata
}

trait OrEmpty {
    fn ok_or_empty(self, answer: &Value);
}

impl OrEmpty for Run {
    /// Nothing to verify is not a success.
    fn ok_or_empty(self, answer: &Value) {
        if answer["content"] == "" { drop(self.refused(2)) } else { drop(self.ok()) }
    }
}

fn arrows(metadata: &Value) -> Vec<String> {
    let moved = metadata["mismatches"].as_array().unwrap().iter().filter(|m| m["status"] == "moved");
    let line = |anchor: &Value| anchor.as_str().unwrap().split('#').next().unwrap().to_owned();
    moved.map(|moved| format!("{}->{}", moved["line"], line(&moved["now"]))).collect()
}

#[test]
fn a_change_is_reported_with_all_that_the_next_try_needs() {
    let sandbox = Sandbox::with("f", BEFORE);
    let anchors = hashlines(&sandbox);
    let same = sandbox.piped("verify f --from - --json", &*anchors).ok().json();
    assert_eq!((&same["content"], &same["metadata"]["mismatches"]), (&json!(""), &json!([])));
    assert_eq!(same["metadata"]["checked"], 10);

    // An edit of one line.
    sandbox.file("f", BEFORE.replace("b = 2", "b = 3"));
    let metadata = changed(&sandbox, &anchors);
    assert_eq!(metadata["affected_ranges"], json!([{"start": 3, "end": 3}]));
    assert_eq!((metadata["mismatches"].as_array().unwrap().len(), arrows(&metadata).len()), (1, 0));

    // Two lines above.
    sandbox.file("f", format!("// one\n// two\n{BEFORE}"));
    let metadata = changed(&sandbox, &anchors);
    assert_eq!(arrows(&metadata).len(), 10, "{metadata}");
    assert_eq!(arrows(&metadata)[0], "1->3");

    // A line deleted.
    sandbox.file("f", BEFORE.replace("    let a = 1;\n", ""));
    let metadata = changed(&sandbox, &anchors);
    assert_eq!(arrows(&metadata), ["3->2", "4->3", "5->4", "6->5", "7->6", "8->7", "9->8", "10->9"]);
    let gone = json!({"anchor": BEFORE_ANCHOR, "line": 2, "status": "gone", "expected": &BEFORE_ANCHOR[2..], "actual": null});
    assert_eq!(metadata["mismatches"][0], gone);
    assert_eq!((&metadata["summary"], &metadata["total_lines"]), (&json!("8 moved, 1 gone"), &json!(9)));

    // A block moved to the front.
    let (first, second) = BEFORE.split_at(BEFORE.find("fn other").unwrap());
    sandbox.file("f", format!("{second}\n{first}"));
    let metadata = changed(&sandbox, &anchors);
    assert!(arrows(&metadata).contains(&"8->1".to_owned()), "{metadata}");
    assert!(arrows(&metadata).contains(&"1->5".to_owned()), "{metadata}");

    // Truncated, to nothing in the end.
    sandbox.file("f", "fn main() {\n    let a = 1;\n");
    assert_eq!(changed(&sandbox, &anchors)["affected_ranges"], json!([]));
    sandbox.file("f", "");
    assert_eq!(changed(&sandbox, &anchors)["total_lines"], 0);

    // Another way to end lines is not hashed, and so no change.
    sandbox.file("f", BEFORE.replace('\n', "\r\n"));
    sandbox.piped("verify f --from -", &*anchors).ok();
}

#[test]
fn runs_of_lines_that_moved_alike_are_one_entry() {
    let text: Vec<String> = (1..=12).map(|n| format!("line {n}\n")).collect();
    let sandbox = Sandbox::with("f", text.concat());
    let anchors = hashlines(&sandbox);
    // Line 4 goes behind line 9, line 11 changes, and a line comes first: 1 to 3 move by one, 5 to 9 stay.
    let mut changed = text.clone();
    let fourth = changed.remove(3);
    changed.insert(8, fourth);
    changed[10] = "another\n".to_owned();
    changed.insert(0, "new\n".to_owned());
    sandbox.file("f", changed.concat());
    let run = sandbox.piped("verify f --from - -C 0", &*anchors);
    let document = run.document();
    assert_eq!(document.fact("summary"), "6 moved, 1 changed", "{run}");
    assert_eq!((document.fact("checked"), document.fact("unchanged")), ("12", "5"), "{run}");
    assert_eq!(document.fact("moved"), "1:3 -> 2:4", "{run}");
    let remaps =
        run.text().split("remaps:\n").nth(1).unwrap().lines().take_while(|line| line.starts_with("  "));
    let remaps: Vec<&str> = remaps.map(|line| line.trim().split('#').next().unwrap()).collect();
    assert_eq!(remaps, ["4", "10", "12"], "{run}");
    assert_eq!(run.text().matches("- anchor: ").count(), 1, "{run}");
    let json = sandbox.piped("verify f --from - --json", &*anchors).json()["metadata"].clone();
    assert_eq!(json["mismatches"].as_array().unwrap().len(), 7, "{json}");
    assert_eq!(json["remaps"].as_object().unwrap().len(), 6, "{json}");
}

#[test]
fn the_plain_answer_has_the_same_facts() {
    let sandbox = Sandbox::with("f", BEFORE);
    let anchors = hashlines(&sandbox);
    sandbox.file("f", format!("// one\n{BEFORE}"));
    let run = sandbox.piped("verify f --from -", &*anchors);
    assert_eq!(run.code, 1, "{run}");
    for said in ["unchanged: 0\n", "summary: 10 moved\n", "moved: 1:10 -> 2:11\n"] {
        assert!(run.text().contains(said), "{said}: {run}");
    }
    // Every fact stands once.
    assert!(!run.text().contains("remaps") && !run.text().contains("mismatches"), "{run}");
    let run = run.says(contains("rread: f: 10 of 10 anchors do not match: lines 1, 2, 3 and 7 more"));
    drop(run.complained());
    let xml = sandbox.piped("verify f --from - --xml", &*anchors);
    for said in [
        "<file_verification path=\"f\"",
        " summary=\"10 moved\"",
        " moved=\"1:10 -&gt; 2:11\"",
        "</file_verification>\n",
    ] {
        assert!(xml.text().contains(said), "{said}: {xml}");
    }
    let text = sandbox.piped("verify f --from - -f text", &*anchors);
    assert_eq!(text.text(), "", "no line has to be read again");
    let only = sandbox.piped("verify f --from - --metadata-only --json", &*anchors);
    assert!(only.json().get("content").is_none(), "{only}");
}

#[test]
fn a_budget_bounds_the_lines_and_says_how_to_go_on() {
    let sandbox = Sandbox::with("f", numbered(50));
    let call = "verify f 3#aaaaaa 20#bbbbbb 40#cccccc -C 1 --json";
    let all = sandbox.line(call).json();
    let all = all["content"].as_str().unwrap();
    assert_eq!(all.lines().count(), 9);
    for (budget, lines, next) in [
        ("--max-lines 1", 1, "3:4,19:21,39:41"),
        ("--max-lines 3", 3, "19:21,39:41"),
        ("--max-lines 8", 8, "41:41"),
        ("--max-bytes 100", 5, "21:21,39:41"),
        ("--max-bytes 20K", 9, ""),
    ] {
        let run = sandbox.line(&format!("{call} {budget}"));
        let answer = run.json();
        let expected: String = all.split_inclusive('\n').take(lines).collect();
        assert_eq!(answer["content"], expected, "{run}");
        let metadata = &answer["metadata"];
        assert_eq!(metadata["truncated"], !next.is_empty(), "{run}");
        assert_eq!(metadata["next"]["range"].as_str().unwrap_or(""), next, "{run}");
        if !next.is_empty() {
            let rest = sandbox.run(["lines", "f", next, "--hash", "-f", "text"]).ok();
            assert_eq!(expected + rest.text(), all);
        }
    }
    let text = sandbox.line("verify f 3#aaaaaa -f text --max-lines 1");
    assert!(text.stderr.contains("cut by --max-lines; next: lines 2:5"), "{text}");
}

#[test]
fn invalid_anchors_are_refused_with_the_expected_form() {
    let sandbox = Sandbox::with("f", numbered(5));
    for anchor in ["12", "0#a1b2c3", "12#xyz", "a1b2c3", "99999999999999999999#a1b2c3", "-3#a1b2c3"] {
        sandbox.run(["verify", "f", anchor]).refused(2);
    }
    sandbox.line("verify f 12").refused(2).says(contains("look like 12#a1b2c3\nhint: rread lines f --hash"));
    sandbox.line("verify f").refused(2);
    sandbox.piped("verify f --from -", "\n \n").refused(2).says(contains("no anchor"));
    sandbox.piped("verify f --from -", "1#a1b2c3\nnonsense\n").refused(2).says(contains("'nonsense'"));
    sandbox.line("verify f 1#a1b2c3 --from -").refused(2);
    sandbox.line("verify - --from -").refused(2);
    sandbox.line("verify f 1#a1b2c3 --encode hex").refused(2).says(contains("--encode"));
    sandbox.line("verify g 1#a1b2c3").refused(3);
    sandbox.line("verify f --from missing").refused(3);
    sandbox.line("verify f 1#a1b2c3 --expect dNJkAAAAAAAAAAAA").refused(7);
    let far = sandbox.line("verify f 18446744073709551615#a1b2c3 --json");
    assert_eq!((far.code, &far.json()["metadata"]["total_lines"]), (1, &json!(5)), "{far}");
    let mixed = sandbox.line("verify f 5#ZR 1#a1b2 5#ZR 1#a1b2c3d4 --json -C 0").json();
    assert_eq!(
        (&mixed["metadata"]["checked"], mixed["metadata"]["mismatches"].as_array().unwrap().len()),
        (&json!(3), 3)
    );
}
