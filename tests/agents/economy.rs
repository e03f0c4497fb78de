//! What receipts cost: bytes beside the content and the path, which agents pay for with every call.

use rread_testkit::receipts::{CALLS, Calls, KINDS};
use rread_testkit::sandbox::{Run, Sandbox, binary};
use serde_json::Value;

fn sandbox() -> Sandbox {
    let text: String = (1..=10_240)
        .map(|n| format!("{n:05} a line of a log that has a hundred bytes {:<51}\n", ""))
        .collect();
    Sandbox::with("app.log", text)
}

/// The bytes of the receipts in frontmatter, without the line of the path.
fn beside_path(run: &Run) -> usize {
    let content: usize = run.documents().iter().map(|document| document.content.len()).sum();
    let paths: usize =
        run.text().lines().filter(|line| line.starts_with("path: ")).map(|line| line.len() + 1).sum();
    run.stdout.len() - content - paths
}

#[test]
fn receipts_keep_to_their_cost() {
    let sandbox = sandbox();
    // Bytes in frontmatter, in JSON beside the content, and in frontmatter with --brief.
    for (line, most, most_json, most_brief) in [
        ("lines app.log 100:120", 144, 480, 62),
        ("lines app.log -20:", 150, 480, 50),
        ("bytes app.log 4096:+512", 126, 620, 50),
        ("page app.log 3", 155, 520, 60),
        ("ranges app.log 5 100:120 b0:512 -3: 900:+5", 450, 1_240, 380),
        ("search -m 3 0042 app.log", 185, 1_000, 90),
    ] {
        let run = sandbox.line(line).ok();
        assert!(beside_path(&run) <= most, "{line}: {} bytes\n{run}", beside_path(&run));
        let json = sandbox.line(&format!("{line} --json")).ok();
        let cost = json.stdout.len() - content_of(&json.json());
        assert!(cost <= most_json, "{line}: {cost} bytes of JSON\n{json}");
        let brief = sandbox.line(&format!("{line} --brief")).ok();
        let text = String::from_utf8_lossy(&brief.stdout).into_owned();
        let receipt: usize =
            brief.stdout.len() - run.documents().iter().map(|it| it.content.len()).sum::<usize>();
        assert!(receipt <= most_brief, "{line}: {receipt} bytes\n{text}");
    }
}

/// The bytes of all contents, as JSON writes them.
fn content_of(answer: &Value) -> usize {
    let whole = std::slice::from_ref(answer);
    let parts = answer["segments"].as_array().map_or(whole, Vec::as_slice);
    parts.iter().map(|part| part["content"].to_string().len()).sum()
}

#[test]
fn thirty_calls_keep_to_their_cost() {
    let calls = Calls::new();
    let mut over = Vec::new();
    for (call, most) in CALLS {
        let costs = KINDS.map(|kind| calls.receipt(binary(), call, kind).map_or(0, |receipt| receipt.len()));
        if costs.iter().zip(most).any(|(cost, most)| *cost > most) {
            over.push(format!("{call}: {costs:?}, at most {most:?}"));
        }
    }
    assert!(over.is_empty(), "bytes in frontmatter, in JSON and with --brief:\n{}", over.join("\n"));
}

#[test]
fn what_is_true_of_the_file_is_said_once() {
    let sandbox = sandbox();
    let ranges: Vec<String> = (1..=50).map(|n| format!("{}", n * 100)).collect();
    for format in ["", "--json", "--xml"] {
        let run = sandbox.line(&format!("ranges app.log {} {format}", ranges.join(" "))).ok();
        let text = run.text();
        assert_eq!(text.matches("version").count(), 1, "{run}");
        let totals = text.matches("total_lines").count();
        assert!(totals <= 2, "{format}: total_lines {totals} times");
    }
    // Files that alternate are each said again, so that no receipt stands for another file.
    sandbox.file("b.log", "1\n2\n3\n");
    let documents = sandbox.line("ranges app.log:1 b.log:1 app.log:2").ok().documents();
    let totals: Vec<&str> = documents.iter().map(|document| document.fact("total_lines")).collect();
    assert_eq!(totals, ["10240", "3", "10240"]);
}

#[test]
fn a_brief_receipt_says_how_to_go_on_and_what_is_wrong() {
    let sandbox = sandbox();
    let brief = |line: &str| sandbox.line(&format!("{line} --brief --json")).json();
    let metadata = brief("lines app.log 5:7")["metadata"].clone();
    assert_eq!(
        metadata,
        serde_json::json!({"total_lines": 10_240, "actual_range": {"start_line": 5, "end_line": 7},
            "truncated": false, "next": {"command": "lines", "range": "8:+3"}})
    );
    let cut = brief("lines app.log 5:7 --max-lines 1");
    assert_eq!(
        (&cut["metadata"]["cut_by"], &cut["metadata"]["truncated"]),
        (&"max_lines".into(), &true.into())
    );
    sandbox.file("bad", b"a\xFFb\n");
    assert_eq!(brief("lines bad")["metadata"]["invalid_utf8"]["count"], 1);
    let failed = sandbox.line("ranges app.log 1 99999 --brief --json");
    assert_eq!((failed.code, &failed.json()["segments"][1]["kind"]), (5, &"out_of_range".into()), "{failed}");
    let mismatch = sandbox.line("verify app.log 3#000000 --brief --json");
    assert_eq!(mismatch.json()["metadata"]["summary"], "1 changed");
    assert_eq!(mismatch.json()["metadata"].get("version"), None);
    // Lines that moved are among the new anchors alone.
    let anchors = sandbox.line("lines app.log 5:6 --hash -f text").ok().text().to_owned();
    let anchors: Vec<&str> = anchors.lines().filter_map(|line| line.split('|').next()).collect();
    let text = std::fs::read_to_string(sandbox.path("app.log")).unwrap();
    sandbox.file("app.log", format!("new\n{text}").replace("00006 a", "00006 another"));
    let verify = format!("verify app.log {}", anchors.join(" "));
    for format in ["--json", "--json --brief"] {
        let receipt = sandbox.line(&format!("{verify} {format}")).json()["metadata"].clone();
        assert_eq!(receipt["remaps"].as_object().unwrap().len(), 1, "{receipt}");
        let listed = receipt["mismatches"].as_array().unwrap().len();
        assert_eq!(listed, if format == "--json" { 2 } else { 1 }, "{receipt}");
    }
    let text = sandbox.line(&format!("{verify} --brief")).text().to_owned();
    assert_eq!(text.matches("status: moved").count(), 0, "{text}");
    // Where several lines moved is said in a line.
    let anchors = sandbox.line("lines app.log 50:60 --hash -f text").ok().text().to_owned();
    let anchors: Vec<&str> = anchors.lines().filter_map(|line| line.split('|').next()).collect();
    let text = std::fs::read_to_string(sandbox.path("app.log")).unwrap();
    sandbox.file("app.log", format!("new\n{text}"));
    let text = sandbox.line(&format!("verify app.log {} --brief", anchors.join(" "))).text().to_owned();
    assert!(text.contains("\nmoved: 50:60 -> 51:61\n"), "{text}");
}
