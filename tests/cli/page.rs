//! `rread page`: every walk by pages gives the file and the position in it.

use std::io::Write;
use std::process::{Command, Stdio};
use std::time::Duration;

use insta::assert_snapshot;
use predicates::str::contains;
use rread_testkit::sandbox::{AtHome, Sandbox, binary, documents, fixture_bytes, numbered};
use serde_json::json;

/// Lines of all lengths, some longer than a page, wide characters, and invalid UTF-8.
fn mixed() -> Vec<u8> {
    let mut text = numbered(200).into_bytes();
    text.extend("漢字😀é".repeat(700).as_bytes());
    text.extend(b"\n\xFF\x80 stray\n\n\n");
    text.extend(b"x".repeat(9000));
    text.extend(b"\r\nlast without an end");
    text
}

#[test]
fn following_next_gives_the_file() {
    let sandbox = Sandbox::with("f", mixed());
    let mut joined = Vec::new();
    let mut command = "page f".to_owned();
    let mut numbers = Vec::new();
    loop {
        let document = sandbox.line(&command).ok().document();
        numbers.push(document.fact("page").parse::<u64>().unwrap());
        assert_eq!(document.fact("pages"), "5");
        joined.extend(sandbox.line(&format!("{command} --raw")).ok().stdout);
        match document.fact("next") {
            "" => break,
            next => command = next.replace("page ", "page f "),
        }
        assert!(numbers.len() < 20, "{numbers:?}");
    }
    assert_eq!(joined, mixed());
    assert_eq!(numbers, [1, 2, 3, 4, 5]);
}

#[test]
fn the_number_may_be_an_option() {
    let sandbox = Sandbox::with("f", mixed());
    for number in ["2", "-1", "2:3", ":-2"] {
        let word = sandbox.line(&format!("page f {number}")).ok().stdout;
        assert_eq!(sandbox.line(&format!("page f --page {number}")).ok().stdout, word);
        assert_eq!(sandbox.line(&format!("page --page={number} f")).ok().stdout, word);
    }
    sandbox.line("page f 2 --page 3").refused(2).says(contains("given both as RANGES and as --page"));
    let wrong = sandbox.line("page f --page x").refused(2);
    wrong.says(contains("'x' is not a page number")).says(contains("hint: rread page f 1"));
    sandbox.line("page f --all --page 2").refused(2).says(contains("cannot be used with"));
    sandbox.line("page f --page 99").refused(5);
}

#[test]
fn all_pages_at_once_are_the_same_pages() {
    let sandbox = Sandbox::with("f", mixed());
    for size in ["4000", "333", "70", "1M"] {
        let all = format!("page f --all --page-size {size}");
        assert_eq!(sandbox.line(&format!("{all} --raw")).ok().stdout, mixed(), "{size}");
        let headers = sandbox.line(&all).ok().documents();
        let text = sandbox.line(&format!("{all} -f text")).ok().stdout;
        assert_eq!(headers.iter().map(|d| d.content.as_str()).collect::<String>().into_bytes(), text);
        let json = sandbox.line(&format!("{all} --json")).ok().json();
        let segments = json["segments"].as_array().unwrap();
        assert_eq!(segments.len(), headers.len());
        assert_eq!(json!(segments.len()), segments[0]["metadata"]["pages"]);
        for number in [1, segments.len() / 2 + 1, segments.len()] {
            let mut one = sandbox.line(&format!("page f {number} --page-size {size} --json")).ok().json();
            let mut same = segments[number - 1].clone();
            // One of several does not repeat what is said of the file.
            let of_file = ["file_size", "total_lines", "version", "index", "bytes_scanned"];
            for key in ["requested_range", "is_partial", "percent_of_file"].iter().chain(&of_file) {
                one["metadata"].as_object_mut().unwrap().remove(*key).unwrap();
                assert_eq!(
                    same["metadata"].as_object_mut().unwrap().remove(*key).is_some(),
                    *key == "requested_range"
                );
            }
            let is_last = one["metadata"]["eof"].as_bool().unwrap();
            same["metadata"].as_object_mut().unwrap().entry("eof").or_insert(json!(false));
            assert_eq!(is_last, number == segments.len());
            assert_eq!(one, same, "page {number} of {size}");
        }
    }
}

#[test]
fn receipts_say_where_a_page_begins_and_ends() {
    let sandbox = Sandbox::with("f", "one\ntwo\nthree three three\nfour\n");
    assert_snapshot!(sandbox.line("page f --all --page-size 10").ok().snapshot(), @r"
    ---
    path: f
    page: 1
    pages: 4
    lines: 1-2
    range: 0-8
    total: 31
    total_lines: 4
    content_bytes: 8
    version: …
    next: page 2 --page-size 10
    ---
    one
    two
    ---
    path: f
    page: 2
    pages: 4
    lines: 3-3
    range: 8-20
    content_bytes: 12
    truncated: true
    next: page 3 --page-size 10
    ---
    three three ---
    path: f
    page: 3
    pages: 4
    continued: true
    lines: 3-3
    range: 20-26
    content_bytes: 6
    next: page 4 --page-size 10
    ---
    three
    ---
    path: f
    page: 4
    pages: 4
    lines: 4-4
    range: 26-31
    content_bytes: 5
    eof: true
    ---
    four
    ");
    assert_snapshot!(sandbox.line("page f 2 --page-size 10").ok().snapshot(), @r"
    ---
    path: f
    page: 2
    pages: 4
    lines: 3-3
    range: 8-20
    total: 31
    total_lines: 4
    content_bytes: 12
    truncated: true
    version: …
    next: page 3 --page-size 10
    ---
    three three ⏎
    ");
    assert_snapshot!(sandbox.line("page f -1 --page-size 10 --json").ok().snapshot(), @r#"
    {
      "content": "four\n",
      "metadata": {
        "path": "f",
        "file_size": 31,
        "total_lines": 4,
        "requested_range": {
          "page": -1,
          "page_size": 10
        },
        "actual_range": {
          "start_line": 4,
          "end_line": 4,
          "start_byte": 26,
          "end_byte": 31
        },
        "page": 4,
        "pages": 4,
        "continued": false,
        "is_partial": true,
        "percent_of_file": 16.129,
        "content_bytes": 5,
        "truncated": false,
        "eof": true,
        "version": "…",
        "index": "none",
        "bytes_scanned": 41
      }
    }
    "#);
}

#[test]
fn numbered_pages_go_on_counting() {
    let sandbox = Sandbox::with("f", mixed());
    let pages: u64 = sandbox.line("page f --page-size 500").ok().document().fact("pages").parse().unwrap();
    for format in ["--raw", "-f text", ""] {
        let all = sandbox.line(&format!("page f --all --page-size 500 -n {format}")).ok().stdout;
        let page = |n| sandbox.line(&format!("page f {n} --page-size 500 -n {format}")).ok().stdout;
        assert!(String::from_utf8_lossy(&all).contains("   200→line 200\n"));
        if format.is_empty() {
            // The receipts of several pages say only once what is true of the file.
            let all = sandbox.line("page f --all --page-size 500 -n").ok().documents();
            assert_eq!(all.len() as u64, pages);
            for (n, document) in (1..).zip(&all) {
                let one = sandbox.line(&format!("page f {n} --page-size 500 -n")).ok().document();
                assert_eq!(document.content, one.content, "page {n}");
                let once = |key: &&String| !["total", "total_lines", "version"].contains(&key.as_str());
                for key in one.facts.keys().filter(once) {
                    assert_eq!(document.facts.get(key), one.facts.get(key), "page {n}: {key}");
                }
            }
        } else {
            assert!(all == (1..=pages).flat_map(page).collect::<Vec<u8>>(), "{format}");
        }
    }
}

#[test]
fn a_budget_inside_a_page_goes_on_by_bytes() {
    let sandbox = Sandbox::with("f", numbered(1000));
    let cut = sandbox.line("page f 2 --max-lines 3 --json").ok().json();
    assert_eq!(cut["metadata"]["cut_by"], "max_lines");
    assert_eq!(cut["metadata"]["next"]["command"], "bytes");
    let range = cut["metadata"]["next"]["range"].as_str().unwrap();
    let rest = sandbox.line(&format!("bytes f {range} --raw")).ok().stdout;
    let whole = sandbox.line("page f 2 --raw").ok().stdout;
    // The rest of the page, and more up to the size of a page.
    let joined = [cut["content"].as_str().unwrap().as_bytes(), &rest].concat();
    assert!(range.ends_with(":+4000") && joined.starts_with(&whole), "{range}");
    // Pages after the cut are neither delivered nor listed.
    let all = sandbox.line("page f --all --max-bytes 6000").ok().documents();
    assert_eq!(all.len(), 2);
    assert_eq!((all[1].fact("cut_by"), all[1].fact("requested")), ("max_bytes", "page 2"));
    let note = sandbox.line("page f --all --max-bytes 6000 --raw");
    assert_eq!(note.code, 0);
    assert!(note.stderr.contains("cut by --max-bytes; next: bytes "), "{note}");
}

#[test]
fn pages_that_cannot_be_are_refused() {
    let sandbox = Sandbox::with("f", numbered(1000));
    sandbox.line("page f 0").refused(2).says(contains("page 0 does not exist"));
    sandbox.line("page f 4").refused(5).says(contains("page 4 is beyond the end of the file (3 pages)"));
    sandbox.line("page f 4").refused(5).says(contains("hint: rread page f -1\n"));
    sandbox.line("page f 90 --page-size 100").refused(5).says(contains("rread page f -1 --page-size 100"));
    sandbox.line("page f -4").refused(5).says(contains("(3 pages)"));
    sandbox.line("page f two").refused(2).says(contains("'two' is not a page number"));
    sandbox.line("page f 99999999999999999999").refused(2).says(contains("64 bits"));
    sandbox
        .line("page f --page-size 3")
        .refused(2)
        .says(contains("3 is too small for a page: it must be at least 4 bytes"));
    sandbox.line("page f 2 --all").refused(2);
    sandbox.file("empty", "");
    assert_eq!(sandbox.line("page empty").ok().document().fact("pages"), "1");
    sandbox.line("page empty 2").refused(5).says(contains("(1 page)"));
    sandbox
        .file("picture", fixture_bytes("crlf.txt").iter().map(|b| b ^ 0x80).chain([0]).collect::<Vec<u8>>());
    sandbox.line("page picture").refused(4);
    sandbox.line("page picture --encode hex").ok();
}

#[test]
fn a_stream_is_read_as_far_as_its_page() {
    let sandbox = Sandbox::new();
    let page = sandbox.piped("page - 2 --page-size 20", numbered(100)).ok().document();
    assert_eq!((page.content.as_str(), page.has("pages")), ("line 3\nline 4\nline 5\n", false));
    let last = sandbox.piped("page - -1 --page-size 20", numbered(100)).ok().document();
    assert_eq!((last.content.as_str(), last.fact("pages")), ("line 99\nline 100\n", "40"));
    sandbox.piped("page - 41 --page-size 20", numbered(100)).refused(5).says(contains("(40 pages)"));
    // The last page is at the end, unknown when the first was answered.
    let all = sandbox.piped("page - --all --page-size 20 --json", numbered(100)).ok().json();
    let last = &all["segments"][39]["metadata"];
    assert_eq!((&last["eof"], &all["metadata"]["file_size"]), (&json!(true), &json!(numbered(100).len())));
    let all = sandbox.piped("page - --all --page-size 20", numbered(100)).ok().documents();
    assert_eq!((all.len(), all[39].fact("eof"), all[38].has("eof")), (40, "true", false));
    // An endless stream: rread reads one page and closes the pipe.
    let mut child = Command::new(binary())
        .at_home(&sandbox.home())
        .args(["page", "-", "3", "--raw"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let mut pipe = child.stdin.take().unwrap();
    let writer = std::thread::spawn(move || while pipe.write_all(&b"y\n".repeat(4096)).is_ok() {});
    let output = child.wait_with_output().unwrap();
    assert_eq!(output.stdout, b"y\n".repeat(2000));
    let started = std::time::Instant::now();
    writer.join().unwrap();
    assert!(started.elapsed() < Duration::from_secs(10));
}

#[test]
fn compressed_text_has_the_pages_of_its_text() {
    let sandbox = Sandbox::with("f.gz", fixture_bytes("service.log.gz"));
    sandbox.file("f", fixture_bytes("service.log"));
    for number in [1, 2, 7, 14] {
        let content = |file: &str| sandbox.line(&format!("page {file} {number} --raw")).ok().stdout;
        assert_eq!(content("f.gz"), content("f"), "{number}");
    }
    assert_eq!(sandbox.line("page f.gz -1").ok().document().fact("pages"), "14");
}

#[test]
fn a_receipt_alone_costs_no_content() {
    let sandbox = Sandbox::with("f", numbered(1000));
    let run = sandbox.line("page f --all --metadata-only").ok();
    let bytes: u64 =
        documents(&run.stdout, false).iter().map(|d| d.fact("content_bytes").parse::<u64>().unwrap()).sum();
    assert_eq!(bytes, numbered(1000).len() as u64);
}
