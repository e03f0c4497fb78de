//! `rread stat`: facts of a file at the same cost for every size; `--count` scans it.

use rread_testkit::sandbox::{Sandbox, fixture, fixture_bytes, numbered, yaml};
use serde_json::{Value, json};

fn stat(name: &str, flags: &[&str]) -> Value {
    let path = fixture(name);
    Sandbox::new().run([&["stat", path.to_str().unwrap(), "--json"], flags].concat()).ok().json()
}

#[test]
fn fixtures_are_what_they_are() {
    // Name, encoding, byte order mark, line ends, final newline.
    for (name, encoding, bom, newline, final_newline) in [
        ("service.log", json!("utf-8"), false, "lf", true),
        ("crlf.txt", json!("utf-8"), false, "crlf", true),
        ("mixed-newlines.txt", json!("utf-8"), false, "mixed", true),
        ("no-final-newline.txt", json!("utf-8"), false, "lf", false),
        ("only-newlines.txt", json!("utf-8"), false, "lf", true),
        ("multibyte.txt", json!("utf-8"), false, "lf", true),
        ("bom.txt", json!("utf-8"), true, "lf", true),
    ] {
        let facts = stat(name, &[]);
        assert_eq!((&facts["encoding"], &facts["bom"]), (&encoding, &json!(bom)), "{name}");
        assert_eq!(
            (&facts["newline"], &facts["final_newline"]),
            (&json!(newline), &json!(final_newline)),
            "{name}"
        );
        assert_eq!((&facts["binary"], &facts["kind"]), (&json!(false), &json!("text")), "{name}");
        assert_eq!(facts["total"], json!(fixture_bytes(name).len()), "{name}");
        assert!(facts["mime"].as_str().unwrap().starts_with("text/"), "{name}");
        for key in ["version", "modified", "mode", "index"] {
            assert!(facts[key].as_str().is_some_and(|text| !text.is_empty()), "{key} of {name}");
        }
        assert!(facts.get("total_lines").is_none(), "{name}");
    }
    assert_eq!(stat("latin1.txt", &[])["binary"], json!(false));
    assert_ne!(stat("latin1.txt", &[])["encoding"], json!("utf-8"));
    let wide = stat("utf16le.txt", &[]);
    assert_eq!(
        (&wide["encoding"], &wide["bom"], &wide["binary"]),
        (&json!("utf-16le"), &json!(true), &json!(false))
    );
    let empty = stat("empty.txt", &[]);
    assert_eq!(
        (&empty["total"], &empty["newline"], &empty["binary"]),
        (&json!(0), &json!("none"), &json!(false))
    );
}

#[test]
fn a_binary_file_has_facts_too() {
    let facts = stat("tiny.png", &[]);
    assert_eq!((&facts["binary"], &facts["mime"]), (&json!(true), &json!("image/png")));
    assert_eq!(facts["total"], json!(fixture_bytes("tiny.png").len()));
    let hint = facts["hint"].as_str().unwrap();
    // A backslash needs quotes.
    let named = hint.trim_end_matches('\'').ends_with("tiny.png");
    assert!(hint.starts_with("rread image ") && named, "{hint}");
    // Line feeds in a picture do not end lines.
    for key in ["newline", "final_newline", "lines", "estimated_lines", "encoding"] {
        assert!(facts.get(key).is_none(), "{key}: {facts}");
    }
    assert!(stat("tiny.png", &["--count"])["lines"].is_number());
    let sandbox = Sandbox::with("a.pdf", "%PDF-1.7\nplain\n");
    let facts = sandbox.line("stat a.pdf --json").ok().json();
    assert_eq!(facts["hint"], json!("pdftotext a.pdf - | rread lines - 1:20"));
    assert!(facts.get("newline").is_none(), "{facts}");
    let text = stat("service.log", &[]);
    assert!(text.get("hint").is_none() && text["newline"].is_string(), "{text}");
}

#[test]
fn wide_text_is_not_measured_with_the_wrong_ruler() {
    // Two lines with their newlines; counting bytes 0x0A would be wrong.
    for options in [&[][..], &["--count"]] {
        let facts = stat("utf16le.txt", options);
        assert_eq!((&facts["lines"], &facts["final_newline"]), (&json!(2), &json!(true)), "{facts}");
        assert_eq!((&facts["newline"], &facts["encoding_source"]), (&json!("lf"), &json!("bom")), "{facts}");
    }
}

#[test]
fn a_count_is_exact() {
    for name in [
        "service.log",
        "crlf.txt",
        "mixed-newlines.txt",
        "no-final-newline.txt",
        "only-newlines.txt",
        "one-newline.txt",
        "empty.txt",
        "invalid-utf8.txt",
        "late-invalid.txt",
        "long-line.txt",
        "not-line-ends.txt",
    ] {
        let bytes = fixture_bytes(name);
        let lines: Vec<&[u8]> = bytes.split_inclusive(|b| *b == b'\n').collect();
        let crlf = lines.iter().filter(|line| line.ends_with(b"\r\n")).count();
        let lf = lines.iter().filter(|line| line.ends_with(b"\n")).count() - crlf;
        let facts = stat(name, &["--count"]);
        assert_eq!(facts["lines"], json!(lines.len()), "{name}");
        assert_eq!(facts["newlines"], json!({"lf": lf, "crlf": crlf}), "{name}");
        let invalid = String::from_utf8_lossy(&bytes).matches('\u{FFFD}').count();
        assert_eq!(facts["invalid_utf8"]["count"], json!(invalid), "{name}");
        if let Err(error) = std::str::from_utf8(&bytes) {
            assert_eq!(facts["invalid_utf8"]["first_byte"], json!(error.valid_up_to()), "{name}");
        }
        let bare = |line: &[u8]| line.len() - usize::from(line.ends_with(b"\n"));
        let longest = facts["longest_line"]["bytes"].as_u64().and_then(|n| usize::try_from(n).ok()).unwrap();
        let longest_bare = lines.iter().map(|line| bare(line)).max().unwrap_or(0);
        // The carriage return may count or not; the newline does not.
        assert!(longest == longest_bare || longest + 1 == longest_bare, "{name}: {longest}, {longest_bare}");
        assert!(facts.get("estimated_lines").is_none(), "{name}");
    }
    assert_eq!(stat("long-line.txt", &["--count"])["longest_line"], json!({"line": 2, "bytes": 3000}));
}

#[test]
fn a_count_has_the_nuls_and_control_characters() {
    let far = "x\n".repeat(200_000);
    let sandbox = Sandbox::with("t", format!("{far}a\0\0b\x01\x07\t\x08\x0c\x1b[1m\r\n{far}\0\x7f"));
    let wide = |text: &str| text.encode_utf16().flat_map(u16::to_be_bytes).collect::<Vec<_>>();
    sandbox.file("wide", wide("\u{FEFF}a\0\u{100}\u{1}b\u{2000}\n"));
    sandbox.file("clean", "a\tb\x1b[0m\r\n");
    let facts = |name: &str| sandbox.line(&format!("stat {name} --count --json")).ok().json();
    let found = facts("t");
    assert_eq!(found["nuls"], json!({"count": 3, "first_byte": 400_001}));
    assert_eq!(found["control_characters"], json!({"count": 3, "first_byte": 400_004}));
    let found = facts("wide");
    assert_eq!(found["nuls"], json!({"count": 1, "first_byte": 4}));
    assert_eq!(found["control_characters"], json!({"count": 1, "first_byte": 8}));
    for facts in [facts("clean"), sandbox.line("stat t --json").ok().json()] {
        assert!(facts.get("nuls").is_none() && facts.get("control_characters").is_none(), "{facts}");
    }
}

#[test]
fn without_a_count_lines_are_at_most_estimated() {
    let sandbox = Sandbox::with("f", numbered(100_000));
    let facts = sandbox.line("stat f --json").ok().json();
    assert!(facts.get("lines").is_none() && facts.get("total_lines").is_none(), "{facts}");
    for key in ["longest_line", "invalid_utf8", "newlines"] {
        assert!(facts.get(key).is_none(), "{key} takes a scan");
    }
    if let Some(estimate) = facts.get("estimated_lines") {
        let estimate = estimate.as_u64().unwrap();
        assert!((50_000..200_000).contains(&estimate), "{estimate}");
    }
    assert_eq!(sandbox.line("stat f --count --json").ok().json()["lines"], json!(100_000));
    assert!(facts["bytes_scanned"].as_u64().is_none_or(|n| n <= 64 << 10), "{facts}");
}

#[test]
fn every_format_has_the_same_facts() {
    let sandbox = Sandbox::with("f", numbered(9));
    let json = sandbox.line("stat f --count --json").ok().json();
    let front = sandbox.line("stat f --count").ok();
    let block = front.text().strip_prefix("---\n").unwrap().strip_suffix("\n---\n").unwrap();
    let facts = yaml(block);
    let xml = sandbox.line("stat f --count --xml").ok();
    for (key, value) in json.as_object().unwrap() {
        let shown = match value {
            Value::String(text) => text.clone(),
            Value::Object(map) => {
                for (inner, value) in map {
                    assert_eq!(facts[&format!("{key}.{inner}")], value.to_string(), "{key}.{inner}");
                }
                continue;
            }
            other => other.to_string(),
        };
        assert_eq!(facts.get(key), Some(&shown), "{key}");
        assert!(xml.text().contains(&format!(" {key}=\"{shown}\"")), "{key}: {xml}");
    }
}

#[test]
fn several_files_are_answered_also_after_one_that_cannot_be() {
    let sandbox = Sandbox::with("a", numbered(1));
    sandbox.file("b", numbered(2));
    let json = sandbox.line("stat a b --json").ok().json();
    let paths: Vec<&Value> = json["files"].as_array().unwrap().iter().map(|file| &file["path"]).collect();
    assert_eq!(paths, ["a", "b"]);
    let run = sandbox.line("stat a missing b --json");
    assert_eq!(run.code, 3, "{run}");
    let files = run.json()["files"].as_array().unwrap().clone();
    assert_eq!(files.len(), 3);
    assert!(
        files[1]["error"].is_string() && files[0].get("error").is_none() && files[2].get("error").is_none()
    );
    let error: Value = serde_json::from_str(&run.stderr).unwrap();
    assert_eq!((&error["kind"], &error["path"]), (&json!("not_found"), &json!("missing")));
    let run = sandbox.line("stat a missing b");
    assert_eq!((run.code, run.text().matches("path: ").count()), (3, 3), "{run}");
    run.complained();
}

#[cfg(target_os = "linux")]
#[test]
fn size_costs_nothing() {
    use std::io::{Seek, SeekFrom, Write};
    let sandbox = Sandbox::with("f", numbered(2000));
    let size: u64 = 8 << 40;
    let mut file = std::fs::OpenOptions::new().write(true).open(sandbox.path("f")).unwrap();
    if file.set_len(size).is_err() {
        eprintln!("skipped: this file system has no files of 8 TiB");
        return;
    }
    file.seek(SeekFrom::Start(size - 9)).unwrap();
    file.write_all(b"\nthe end\n").unwrap();
    let facts = sandbox.line("stat f --json").ok().json();
    assert_eq!((&facts["total"], &facts["final_newline"]), (&json!(size), &json!(true)));
    assert_eq!(sandbox.line("lines f -1 --raw").ok().text(), "the end\n");
    assert_eq!(sandbox.line("bytes f -8: --raw").ok().text(), "the end\n");
    assert_eq!(sandbox.line("bytes f 8TiB: --json").ok().json()["metadata"]["eof"], json!(true));
    assert_eq!(sandbox.line("lines f 2000 --raw").ok().text(), "line 2000\n");
    sandbox.line("bytes f 9T:").refused(5);
    // Line 2001 never ends; one byte of it shows that the budget cut.
    for (line, next) in [
        ("lines f 1999: --max-lines 2", "lines 2001:"),
        ("lines f 1999:2500 --max-lines 2", "lines 2001:+502"),
        ("ranges f 1999: --max-lines 2 --header 1 --no-index", ""),
    ] {
        let document = sandbox.line(line).ok().document();
        let end = if next.is_empty() { "line 1999\n" } else { "line 2000\n" };
        assert!(document.content.ends_with(end), "{line}: {}", document.content);
        assert_eq!(document.fact("cut_by"), "max_lines", "{line}");
        assert!(next.is_empty() || document.fact("next") == next, "{line}: {}", document.fact("next"));
    }
}

#[test]
fn carriage_returns_alone_are_said_to_be_line_ends() {
    let sandbox = Sandbox::with("old.csv", "a;b\r1;2\r");
    sandbox.file("wide", "\u{feff}a\rb\r".encode_utf16().flat_map(u16::to_le_bytes).collect::<Vec<u8>>());
    sandbox.file("some", "a\rb\n");
    sandbox.file("none", "a");
    for (name, newline) in [("old.csv", "cr"), ("wide", "cr"), ("some", "lf"), ("none", "none")] {
        for options in ["", " --count"] {
            let facts = sandbox.line(&format!("stat {name}{options} --json")).ok().json();
            assert_eq!(facts["newline"], newline, "{name}{options}");
        }
    }
}

#[test]
fn the_kinds_of_lines_are_listed() {
    let sandbox = Sandbox::new();
    let mut log = String::new();
    for number in 0..40 {
        log += &format!("2026-11-23T06:{number:02}:00Z INFO user {number} came from 10.0.0.{number}\n");
        if number % 4 == 0 {
            log +=
                &format!("2026-11-23T06:{number:02}:01Z WARN slow \"query {number}\"\n  at line {number}\n");
        }
    }
    log += "2026-11-23T06:50:00Z ERROR out of memory\n";
    sandbox.file("app.log", log.as_bytes());
    let facts = sandbox.run(["stat", "app.log", "--patterns", "10", "--json"]).ok().json();
    assert_eq!((&facts["kinds"], &facts["lines"]), (&json!(4), &json!(61)));
    let kind = |count, line, first, last, pattern: &str| {
        json!({"count": count, "first_line": line, "first_time": format!("2026-11-23T06:{first}+00:00"),
            "last_time": format!("2026-11-23T06:{last}+00:00"), "pattern": pattern})
    };
    let mut patterns = facts["patterns"].clone();
    for pattern in patterns.as_array_mut().unwrap() {
        pattern.as_object_mut().unwrap().remove("first_byte");
    }
    assert_eq!(
        patterns,
        json!([
            kind(40, 1, "00:00", "39:00", "<time> INFO user <n> came from <ip>"),
            kind(10, 2, "00:01", "36:01", "<time> WARN slow \"<s>\""),
            kind(10, 3, "00:01", "36:01", "  at line <n>"),
            kind(1, 61, "50:00", "50:00", "<time> ERROR out of memory"),
        ])
    );
    // The most frequent, and the rarest after a gap.
    let two = sandbox.run(["stat", "app.log", "--patterns", "2", "-f", "text"]).ok().text().to_owned();
    assert_eq!(
        two,
        "       40 line 1  2026-11-23T06:00:00+00:00..2026-11-23T06:39:00+00:00  <time> INFO user <n> came from <ip>\n--\n        \
         1 line 61 2026-11-23T06:50:00+00:00..2026-11-23T06:50:00+00:00  <time> ERROR out of memory\n"
    );
    let one = sandbox.run(["stat", "app.log", "--patterns", "1", "--since", "06:38", "--json"]).ok().json();
    assert_eq!(one["patterns"][0]["count"], json!(2));
    assert_eq!(one["patterns"][0]["first_line"], json!(59));
    assert_eq!(one["kinds"], json!(2));
}

#[test]
fn kinds_of_several_files_have_headings_and_a_receipt_each() {
    let sandbox = Sandbox::new();
    sandbox.file("a", b"x 1\nx 2\n");
    sandbox.file("b", b"");
    let text = sandbox.run(["stat", "a", "b", "--patterns", "5", "-f", "text"]).ok().text().to_owned();
    assert_eq!(text, "==> a <==\n        2 line 1  x <n>\n\n==> b <==\n");
    let front = sandbox.run(["stat", "a", "b", "--patterns", "5"]).ok().text().to_owned();
    assert!(
        front.contains("kinds: 1\ncontent_bytes: 24\n") && front.contains("kinds: 0\ncontent_bytes: 0\n"),
        "{front}"
    );
    let piped = sandbox.piped("stat - --patterns 5 --json", b"x 1\ny\nx 3").ok().json();
    assert_eq!((&piped["kinds"], &piped["lines"]), (&json!(2), &json!(3)));
}

#[test]
fn an_unreadable_file_does_not_hide_the_kinds_of_others() {
    let sandbox = Sandbox::with("a", "x 1\nx 2\n");
    let run = sandbox.line("stat missing a --patterns 5 -f text");
    assert_eq!((run.code, run.text()), (3, "==> a <==\n        2 line 1  x <n>\n"));
    assert!(run.stderr.contains("missing"), "{run}");
    sandbox.line("stat a --patterns 5 --max-lines 2").refused(2);
}

#[test]
fn a_damaged_log_has_the_command_for_the_kinds_before_the_damage() {
    let sandbox = Sandbox::new();
    let log = fixture_bytes("service.log.gz");
    sandbox.file("cut.gz", &log[..log.len() / 2]);
    let refused = sandbox.line("stat cut.gz --patterns 3").refused(3);
    let hint = "rread stat cut.gz --patterns 3 --salvage";
    assert!(refused.stderr.ends_with(&format!("hint: {hint}\n")), "{refused}");
    let salvaged = sandbox.line("stat cut.gz --patterns 3 --salvage --json").ok().json();
    assert!(salvaged["patterns"][0]["count"].as_u64().unwrap() > 1, "{salvaged}");
}

#[test]
fn the_number_of_kinds_is_not_the_file() {
    let sandbox = Sandbox::new();
    sandbox.file("app.log", b"x\n");
    let refused = sandbox.line("stat --patterns app.log").refused(2).snapshot();
    assert!(refused.contains("--patterns: 'app.log' is not a whole number"), "{refused}");
    assert!(refused.contains("hint: rread stat --patterns 10 app.log"), "{refused}");
}
