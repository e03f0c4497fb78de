//! Bytes that are not UTF-8, byte order marks, binary files and their encodings.

use predicates::str::contains;
use rread_testkit::pack;
use rread_testkit::sandbox::{Run, Sandbox, fixture, fixture_bytes};
use serde_json::json;

fn on(name: &str, command: &str, flags: &[&str]) -> Run {
    let path = fixture(name);
    Sandbox::new().run([&[command, path.to_str().unwrap()], flags].concat())
}

/// Invalid text as the standard library shows it: one U+FFFD for every maximal subpart.
fn replaced(bytes: &[u8]) -> (String, usize) {
    let shown = String::from_utf8_lossy(bytes).into_owned();
    let count = shown.matches('\u{FFFD}').count();
    (shown, count)
}

#[test]
fn invalid_bytes_are_replaced_and_counted_everywhere_but_in_raw() {
    for name in ["invalid-utf8.txt", "late-invalid.txt"] {
        let bytes = fixture_bytes(name);
        let (shown, count) = replaced(&bytes);
        let first = std::str::from_utf8(&bytes).unwrap_err().valid_up_to();
        assert_eq!(on(name, "lines", &["--raw"]).ok().stdout, bytes, "{name}");
        assert_eq!(on(name, "lines", &["-f", "text", "--invalid", "replace"]).ok().text(), shown, "{name}");
        let document = on(name, "lines", &[]).ok().document();
        assert_eq!(document.content, shown, "{name}");
        assert_eq!(document.fact("invalid_utf8.count"), count.to_string(), "{name}");
        assert_eq!(document.fact("invalid_utf8.first_byte"), first.to_string(), "{name}");
        let json = on(name, "bytes", &["--json"]).ok().json();
        assert_eq!(json["content"], json!(shown), "{name}");
        assert_eq!(json["metadata"]["invalid_utf8"], json!({"count": count, "first_byte": first}), "{name}");
        let xml = on(name, "lines", &["--xml"]).ok();
        assert_eq!(xml.text().matches('\u{FFFD}').count(), count, "{name}");
    }
    // Lines before the first invalid byte do not report it.
    assert!(!on("late-invalid.txt", "lines", &["1:200"]).ok().document().has("invalid_utf8"));
}

#[test]
fn invalid_bytes_can_be_an_error() {
    for (name, at) in [("invalid-utf8.txt", 7), ("late-invalid.txt", 12_215)] {
        assert_eq!(std::str::from_utf8(&fixture_bytes(name)).unwrap_err().valid_up_to(), at);
        for format in ["frontmatter", "raw", "text", "xml"] {
            let run = on(name, "lines", &["--invalid", "error", "-f", format]).refused(6);
            assert!(run.stderr.contains(&format!("byte {at}")), "{run}");
        }
        let error = on(name, "bytes", &["--invalid", "error", "--json"]).refused_json(6);
        assert_eq!(error["kind"], json!("invalid_text"));
        assert!(error["error"].as_str().unwrap().contains(&at.to_string()));
    }
    on("late-invalid.txt", "lines", &["1:200", "--invalid", "error"]).ok();
    on("multibyte.txt", "lines", &["--invalid", "error"]).ok();
}

#[test]
fn invalid_bytes_can_be_escaped() {
    let run = on("invalid-utf8.txt", "lines", &["--invalid", "escape", "-f", "text"]).ok();
    let expected = "ok\nbad \\xff byte\ncut \\xe2\\x82 euro\nstray \\x80\\x80 tail\n\\xf0\\x9f\\x92 at a line's start\nend\n";
    assert_eq!(run.text(), expected);
    let document = on("invalid-utf8.txt", "lines", &["--invalid", "escape"]).ok().document();
    assert_eq!((document.content.as_str(), document.fact("invalid_utf8.count")), (expected, "5"));
}

#[test]
fn an_evident_encoding_is_used_and_said() {
    let document = on("latin1.txt", "lines", &["1"]).ok().document();
    assert!(document.content.starts_with("Le café est"), "{document:?}");
    assert_eq!((document.fact("encoding"), document.fact("encoding_source")), ("windows-1252", "guess"));
    assert_eq!(document.fact("encoding_hint"), "-E windows-1252");
    // The user's word wins: a label, or what becomes of invalid bytes.
    let read = on("latin1.txt", "lines", &["1", "-E", "utf-8"]).ok().document();
    assert!(read.content.starts_with("Le caf\u{FFFD} est"), "{read:?}");
    let read = on("latin1.txt", "lines", &["1", "--invalid", "escape"]).ok().document();
    assert!(read.content.starts_with("Le caf\\xe9 est"), "{read:?}");
    on("latin1.txt", "lines", &["1", "--invalid", "error"]).refused(6);
    // Without a receipt, standard error says it.
    let run = on("latin1.txt", "lines", &["1", "-f", "text"]);
    assert!(run.code == 0 && run.stderr.contains("read as windows-1252, a guess"), "{run}");
    let file = fixture("latin1.txt");
    let run = Sandbox::new().run(["search", "café", file.to_str().unwrap(), "-f", "text"]);
    assert_eq!((run.code, run.text()), (0, "1:Le café est à côté du théâtre.\n"), "{run}");
    assert!(run.stderr.contains("read as windows-1252, a guess"), "{run}");
    let sandbox = Sandbox::with("f", fixture_bytes("latin1.txt"));
    for line in
        ["follow f --timeout 100ms", "verify f 1#000000 -f text", "page f -f text", "ranges f 1 -f text"]
    {
        let run = sandbox.line(line);
        assert!(run.text().contains("café") && run.stderr.contains("read as windows-1252, a guess"), "{run}");
    }
    // One word is too little to go by.
    let sandbox = Sandbox::with("word", b"caf\xE9\n");
    let document = sandbox.line("lines word").ok().document();
    assert_eq!((document.content.as_str(), document.fact("encoding")), ("caf\u{FFFD}\n", "unknown-8bit"));
    assert!(!on("multibyte.txt", "lines", &["1"]).ok().document().has("encoding"));
    // Line numbers stay right.
    let third = fixture_bytes("latin1.txt").split_inclusive(|b| *b == b'\n').nth(2).unwrap().to_vec();
    assert_eq!(on("latin1.txt", "lines", &["3", "--raw"]).ok().stdout, third);
    // UTF-16 is recognised; its bytes never come out as UTF-8.
    let document = on("utf16le.txt", "lines", &["2"]).ok().document();
    assert_eq!((document.content.as_str(), document.fact("encoding_source")), ("text\n", "bom"));
}

#[test]
fn a_byte_order_mark_alone_is_an_empty_line() {
    for mark in [&b"\xEF\xBB\xBF"[..], b"\xFF\xFE", b"\xFE\xFF", b"\xFF\xFE\0\0"] {
        let sandbox = Sandbox::with("f", mark);
        let metadata = sandbox.line("lines f 1:3 --json").ok().json()["metadata"].clone();
        let range = json!({"start_line": 1, "end_line": 1, "start_byte": 0, "end_byte": mark.len()});
        assert_eq!((&metadata["actual_range"], &metadata["total_lines"]), (&range, &json!(1)));
        assert_eq!(sandbox.line("lines f -n -f text").ok().text(), "     1→");
        assert_eq!(sandbox.line("lines f -f text").ok().text(), "");
        assert_eq!(sandbox.line("lines f --raw").ok().stdout, mark);
    }
}

#[test]
fn a_byte_order_mark_is_left_out_and_reported() {
    let bytes = fixture_bytes("bom.txt");
    assert_eq!(on("bom.txt", "lines", &["1", "--raw"]).ok().stdout, "\u{FEFF}Grüße\n".as_bytes());
    let document = on("bom.txt", "lines", &["1"]).ok().document();
    assert_eq!((document.content.as_str(), document.fact("bom")), ("Grüße\n", "true"));
    // Offsets count the file's bytes.
    assert_eq!(document.fact("range"), "0-11");
    let json = on("bom.txt", "bytes", &["--json"]).ok().json();
    assert_eq!(json["content"].as_str().unwrap().as_bytes(), &bytes[3..]);
    assert_eq!(
        (&json["metadata"]["bom"], &json["metadata"]["file_size"]),
        (&json!(true), &json!(bytes.len()))
    );
    assert_eq!(on("bom.txt", "lines", &["-f", "text"]).ok().stdout, &bytes[3..]);
    // Inside a file, a byte order mark is a character.
    let sandbox = Sandbox::with("f", "a\u{FEFF}b\n");
    let document = sandbox.line("lines f").ok().document();
    assert_eq!((document.content.as_str(), document.has("bom")), ("a\u{FEFF}b\n", false));
}

#[test]
fn binary_files_are_refused_with_a_hint() {
    for (command, range) in [("lines", "1"), ("bytes", "0:10"), ("ranges", "1")] {
        let run = on("tiny.png", command, &[range]).refused(4);
        let told =
            "Binary files are not supported. File detected as image/png. Use --text to read it anyway,";
        let run = run.says(contains(told));
        let hint = run.stderr.lines().nth(1).unwrap();
        assert!(hint.contains("--encode") || hint.contains("image"), "{run}");
        let error = on("tiny.png", command, &[range, "--json"]).refused_json(4);
        assert_eq!(error["kind"], json!("binary"));
        on("tiny.png", command, &[range, "--raw"]).refused(4);
    }
    let sandbox = Sandbox::new();
    for (name, content) in [
        ("zero", &b"text with\0a NUL\n"[..]),
        ("elf", b"\x7fELF\x02\x01\x01\0\0\0\0\0\0\0\0\0"),
        ("pdf", b"%PDF-1.7\n1 0 obj\n<< /Type /Catalog >>\nendobj\n"),
    ] {
        sandbox.file(name, content);
        sandbox.run(["lines", name]).refused(4);
        assert_eq!(sandbox.run(["lines", name, "--text", "--raw"]).ok().stdout, content);
    }
    sandbox.run(["lines", "pdf"]).refused(4).says(contains("application/pdf"));
}

#[test]
fn a_hint_for_a_compressed_binary_file_can_be_typed() {
    let sandbox = Sandbox::new();
    let binary = [&b"\x01\0\x02"[..], &[0xFE; 9000]].concat();
    for pack in pack::all() {
        let name = pack.file_name();
        sandbox.file(&name, pack.of(&binary));
        let hint = format!("rread bytes {name} 0:256 --encode hexdump");
        assert_eq!(sandbox.run(["lines", &name, "--json"]).refused_json(4)["hint"], json!(hint), "{pack:?}");
        assert_eq!(sandbox.run(["stat", &name, "--json"]).ok().json()["hint"], json!(hint), "{pack:?}");
        sandbox.line(&hint["rread ".len()..]).ok();
    }
}

#[test]
fn text_that_looks_like_a_binary_is_text() {
    let sandbox = Sandbox::new();
    for start in ["BMW arrived", "MZ says hi", "PK fire", "GIF89a is a format"] {
        sandbox.file("f", format!("{start}\nand so on\n"));
        assert_eq!(sandbox.line("lines f 1 --raw").ok().text(), format!("{start}\n"));
    }
    // The edge of the first 8 KiB cuts a character.
    for padding in 8188..=8192 {
        let text = format!("{}漢字\n", "a".repeat(padding));
        sandbox.file("f", &text);
        assert_eq!(sandbox.line("lines f --raw").ok().text(), text, "{padding}");
    }
    assert_eq!(
        on("control-characters.txt", "lines", &["--raw"]).ok().stdout,
        fixture_bytes("control-characters.txt"),
        "in a pipe, control characters are untouched"
    );
    let json = on("control-characters.txt", "lines", &["--json"]).ok();
    assert_eq!(json.json()["content"].as_str().unwrap().as_bytes(), fixture_bytes("control-characters.txt"));
}

#[test]
fn encoded_output_is_the_exact_bytes_of_any_file() {
    for name in ["tiny.png", "multibyte.txt", "latin1.txt", "bom.txt", "empty.txt", "late-invalid.txt"] {
        let bytes = fixture_bytes(name);
        for (start, end) in [(0, bytes.len()), (1, bytes.len().min(12)), (0, bytes.len().min(2))] {
            let (start, end) = (start.min(end), end);
            let range = format!("{start}:{end}");
            let slice = &bytes[start..end];
            let hex: String = slice.iter().map(|b| format!("{b:02x}")).collect();
            let base64 = data_encoding::BASE64.encode(slice);
            for (code, expected) in [("hex", &hex), ("base64", &base64)] {
                let document = on(name, "bytes", &[&range, "--encode", code]).ok().document();
                assert_eq!(&document.content, expected, "{name} {range} {code}");
                assert_eq!(document.fact("range"), range.replace(':', "-"), "{name}: nothing is aligned");
                let json = on(name, "bytes", &[&range, "--encode", code, "--json"]).ok().json();
                assert_eq!(json["content"], json!(expected), "{name} {range} {code}");
            }
        }
    }
    assert_eq!(on("crlf.txt", "lines", &["3", "--encode", "hex", "--raw"]).ok().text(), "0d0a");
}
