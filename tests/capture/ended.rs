//! Failed commands: rread exits with their code and also shows the last page.

use std::fs;

use serde_json::{Value, json};

use super::support::{Lab, seq, set_mode};

/// The exit code of a capture of `line`, with `options`.
#[track_caller]
fn code(lab: &Lab, options: &[&str], line: &str) -> i32 {
    lab.run(&[&["capture"], options, &["--", "sh", "-c", line]].concat()).code
}

#[test]
fn the_exit_code_is_that_of_the_command() {
    let lab = Lab::new();
    lab.shell("$RREAD capture -- sh -c 'exit 3' && echo DEPLOYED").refused(3, &["ended with exit status 3"]);
    for format in ["--json", "--xml", "--raw", "-ftext", "-ffrontmatter"] {
        for (line, expected) in [
            ("exit 3", 3),
            ("exit 255", 255),
            ("seq 3000; exit 1", 1),
            ("exit 0", 0),
            ("kill -9 $$", 137),
            ("seq 3000; kill -TERM $$", 143),
        ] {
            assert_eq!(code(&lab, &[format], line), expected, "{format}: {line}");
            assert_eq!(code(&lab, &[format, "--always-zero"], line), 0, "{format}: {line}");
        }
    }
}

#[test]
fn how_a_command_ended_is_reported() {
    let lab = Lab::new();
    let run = lab.run(&["capture", "--", "sh", "-c", "echo x; exit 3"]);
    assert_eq!((run.code, run.text().as_str()), (3, "x\n"));
    run.says(&["rread: sh: note: ended with exit status 3"]);
    assert_eq!(lab.capture(&[], "exit 3")["exit_status"], 3);
    let killed = lab.capture(&[], "seq 3000; kill -9 $$");
    assert_eq!((&killed["signal"], &killed["total_lines"]), (&json!("SIGKILL"), &json!(3000)));
    let run = lab.run(&["capture", "--raw", "--", "sh", "-c", "seq 3000; kill -9 $$"]);
    assert_eq!((run.code, run.text().as_str()), (137, &seq(3000)[..3998]));
    run.says(&[
        "rread: fd:2: note: the command was ended by SIGKILL. 13893 bytes of output are kept as fd:2",
    ]);
}

#[test]
fn a_command_that_cannot_start_makes_no_capture() {
    let lab = Lab::new();
    fs::write(lab.path("text"), "no program").unwrap();
    fs::write(lab.path("program"), "no program").unwrap();
    set_mode(&lab.path("program"), 0o755);
    let missing = "rread: ./missing: cannot be started: No such file";
    lab.run(&["capture", "--", "./missing"]).refused(127, &[missing]);
    lab.run(&["capture", "--always-zero", "--", "./missing"]).refused(127, &[missing]);
    lab.run(&["capture", "--json", "--", "./missing"]).refused(127, &[r#""kind":"not_found""#]);
    lab.run(&["capture", "--", "./text"]).refused(126, &["cannot be started: Permission denied"]);
    lab.run(&["capture", "--", "./program"]).refused(126, &["cannot be started: Exec format error"]);
    lab.run(&["capture", "--", "."]).refused(126, &["cannot be started"]);
    lab.run(&["capture", "--", "echo a | cat"])
        .refused(127, &["hint: rread capture -- sh -c 'echo a | cat'\n"]);
    assert_eq!(lab.handles(), [""; 0]);
}

#[test]
fn a_failure_of_rread_differs_from_one_of_the_command() {
    let lab = Lab::new();
    lab.run(&["capture", "--name", "7", "--", "true"]).refused(125, &["'7' is not a capture name"]);
    lab.run(&["capture", "--page-size", "3", "--", "true"]).refused(125, &["too small for a page"]);
    lab.run(&["capture", "--frob", "--", "true"]).refused(125, &["--frob"]);
    lab.shell("$RREAD capture -- true >&-").refused(125, &["standard output"]);
    if std::path::Path::new("/dev/full").exists() {
        lab.shell("$RREAD capture -- echo x >/dev/full").refused(125, &["cannot write"]);
    }
    // Without a command the usual codes hold.
    lab.run(&["capture", "--name", "7"]).refused(2, &["'7' is not a capture name"]);
    lab.shell("echo x | $RREAD capture --always-zero").ok();
}

#[test]
fn a_closed_pipe_does_not_hide_a_failed_command() {
    let lab = Lab::new();
    let line = "{ $RREAD capture --page-size 1M -- sh -c 'seq 200000; exit 7'; echo $? >code; } | head -n 1";
    lab.shell(line).ok();
    assert_eq!(fs::read_to_string(lab.path("code")).unwrap(), "7\n");
}

/// The answer in JSON to a capture that fails after 3000 lines.
#[track_caller]
fn failing(lab: &Lab, options: &[&str]) -> Value {
    let line = ["--json", "--always-zero", "--", "sh", "-c", "seq 3000; exit 1"];
    lab.run(&[&["capture"], options, &line].concat()).ok().json()
}

#[test]
fn a_failed_command_also_shows_the_last_page() {
    let lab = Lab::new();
    let answer = failing(&lab, &[]);
    let metadata = &answer["metadata"];
    let last = &metadata["last_page"];
    let text = answer["last_page"].as_str().unwrap();
    assert_eq!(text, lab.run(&["page", "fd:1", "4", "--raw"]).ok().text());
    assert_eq!((&last["page"], &last["content_bytes"]), (&json!(4), &json!(text.len())));
    assert_eq!((&last["end_line"], &last["end_byte"]), (&json!(3000), &json!(13_893)));
    let lines = format!("{}:{}", last["start_line"], last["end_line"]);
    assert_eq!(text, lab.run(&["lines", "fd:1", &lines, "--raw"]).ok().text());
    let message = metadata["message"].as_str().unwrap();
    assert!(message.contains("This is page 1; go on with: rread page fd:1 2"), "{message}");
    let run = lab.run(&["capture", "--", "sh", "-c", "seq 3000; exit 1"]);
    let plain = run.text();
    let block = format!(
        "---\nfd: fd:2\npage: 4\nlines: {}-3000\nrange: {}-13893\ncontent_bytes: {}\n---\n{text}",
        last["start_line"],
        last["start_byte"],
        text.len()
    );
    assert!(plain.ends_with(&block), "{plain}");
    let xml = lab.run(&["capture", "--xml", "--", "sh", "-c", "seq 3000; exit 1"]).text();
    assert!(xml.contains("</preview>\n<last_page page=\"4\" lines=\""), "{xml}");
    assert!(xml.ends_with(&format!(">{text}</last_page>\n</fd_result>\n")), "{xml}");
    // A success needs none, and one page is all there is.
    let fine = lab.run(&["capture", "--json", "--", "seq", "3000"]).ok().json();
    assert_eq!((fine.get("last_page"), fine["metadata"].get("last_page")), (None, None));
    let one = failing(&lab, &["--page-size", "1M"]);
    assert_eq!((one.get("last_page"), &one["metadata"]["truncated"]), (None, &json!(false)));
    let receipt = failing(&lab, &["--metadata-only"]);
    assert_eq!((receipt.get("last_page"), receipt["metadata"].get("last_page")), (None, None));
}

#[test]
fn a_brief_receipt_has_the_handle_the_status_and_the_rest_to_read() {
    let lab = Lab::new();
    let line = ["--brief", "--metadata-only", "--", "sh", "-c", "seq 3000; exit 1"];
    let run = lab.run(&[&["capture"][..], &line].concat());
    let expected = "---\nfd: fd:1\nexit_status: 1\ntruncated: true\nlines: 1-1021\ntotal_lines: 3000\nnext: page 2\n---\n";
    assert_eq!((run.code, run.text().as_str()), (1, expected));
    let both = lab.run(&["capture", "--brief", "--", "sh", "-c", "seq 3000; exit 1"]).text();
    // Both pages have their lengths, so that they can be told apart.
    assert_eq!(both.matches("\ncontent_bytes: ").count(), 2, "{both}");
    assert!(both.contains("\n---\nfd: fd:2\npage: 4\nlines: ") && both.ends_with("\n3000\n"), "{both}");
    let brief = failing(&lab, &["--brief"]);
    assert_eq!(brief["last_page"], failing(&lab, &[])["last_page"]);
    assert_eq!(brief["metadata"]["next"], json!({"command": "page", "range": "2"}));
    assert_eq!((brief["metadata"].get("message"), brief["metadata"].get("version")), (None, None));
}

#[test]
fn a_budget_bounds_both_pages_together_and_leaves_the_end() {
    let lab = Lab::new();
    for budget in [8_u64, 9, 20, 100, 1001, 4000, 7999, 8000, 20_000] {
        let answer = failing(&lab, &["--max-bytes", &budget.to_string()]);
        let [first, last] = ["content", "last_page"].map(|key| answer[key].as_str().unwrap_or_default());
        assert!((first.len() + last.len()) as u64 <= budget, "{budget}: {first} {last}");
        assert!(last.ends_with("3000\n") || budget < 20, "{budget}: {last}");
        assert!(seq(3000).starts_with(first) && seq(3000).ends_with(last), "{budget}");
        let next = &answer["metadata"]["next"];
        if next["command"] == "bytes" {
            assert!(next["range"].as_str().unwrap().starts_with(&format!("{}:", first.len())), "{next}");
        }
    }
    for lines in [1, 2, 3, 10, 5000] {
        let answer = failing(&lab, &["--max-lines", &lines.to_string()]);
        let [first, last] = ["content", "last_page"].map(|key| answer[key].as_str().unwrap_or_default());
        assert!(first.lines().count() + last.lines().count() <= lines, "{lines}: {first} {last}");
        assert!(lines == 1 || last.ends_with("\n3000\n") || last == "3000\n", "{lines}: {last}");
    }
    let line = "yes 0123456789 | head -n 3000; exit 1";
    let clipped = lab.run(&["capture", "--max-columns", "5", "--json", "--", "sh", "-c", line]).json();
    let last = &clipped["metadata"]["last_page"];
    assert_eq!(last["clipped_lines"], clipped["last_page"].as_str().unwrap().lines().count());
}

#[test]
fn the_last_page_of_odd_text_is_what_page_shows() {
    let lab = Lab::new();
    for script in [
        "yes | tr -d '\\n' | head -c 20000",
        "yes 'größer 漢字' | tr -d '\\n' | head -c 20001",
        "seq 3000; printf 'no end'",
        "seq 3000; printf '\\377\\376\\n'",
    ] {
        let line = format!("{script}; exit 1");
        let answer = lab.run(&["capture", "--json", "--", "sh", "-c", &line]).json();
        let fd = answer["metadata"]["fd"].as_str().unwrap();
        let page = lab.run(&["page", fd, "-1", "--json"]).ok().json();
        assert_eq!(answer["last_page"], page["content"], "{script}");
        let (last, actual) = (&answer["metadata"]["last_page"], &page["metadata"]["actual_range"]);
        for key in ["start_line", "end_line", "start_byte", "end_byte"] {
            assert_eq!(last[key], actual[key], "{script}: {key}");
        }
    }
}
