//! Formats: frontmatter, JSON, raw, text and XML; numbers, context, headers, colour, receipts without content.

use insta::assert_snapshot;
use predicates::str::contains;
use rread_testkit::sample::cases;
use rread_testkit::sandbox::{AtHome, Sandbox, documents, fixture, fixture_bytes, lines_of, numbered};
use serde_json::json;

#[test]
fn a_fact_is_one_line_whatever_the_name() {
    let sandbox = Sandbox::new();
    let long = "words of a name ".repeat(12);
    let names = ["new\nline", "\nfirst", "\ttab\nsecond", "two\n\nlines\n", long.trim(), &long];
    for name in names.into_iter().filter(|name| std::fs::write(sandbox.path(name), "x\n").is_ok()) {
        let run = sandbox.run(["lines", name]).ok();
        let answer = String::from_utf8(run.stdout.clone()).unwrap();
        let facts = answer.split("---\n").nth(1).unwrap();
        let said = facts.lines().next().unwrap().strip_prefix("path: ").unwrap();
        // JSON reads the double-quoted strings of this YAML.
        let said = if said.starts_with('"') { serde_json::from_str(said).unwrap() } else { said.to_owned() };
        assert_eq!(said.trim_matches('\''), name, "{run}");
        for line in facts.lines() {
            let key = line.split(": ").next().unwrap();
            assert!(key.bytes().all(|b| b.is_ascii_lowercase() || b == b'_'), "{line:?}: {run}");
        }
    }
}

/// The content of a long slice is counted while JSON writes it; `--metadata-only` counts it beforehand.
#[test]
fn the_receipt_of_a_long_slice_in_json_is_that_of_a_measured_one() {
    let sandbox = Sandbox::new();
    let text = numbered(150_000);
    sandbox.file("lf", &text);
    sandbox.file("unterminated", text.trim_end());
    sandbox.file("crlf", text.replace('\n', "\r\n"));
    sandbox.file(
        "invalid",
        text.replace("99", "\u{1}")
            .into_bytes()
            .iter()
            .map(|b| if *b == 1 { 0xFF } else { *b })
            .collect::<Vec<_>>(),
    );
    let wide: Vec<u8> = format!("\u{FEFF}{text}").encode_utf16().flat_map(u16::to_le_bytes).collect();
    sandbox.file("utf16", wide);
    sandbox.file("giant", format!("{}\nshort\n", "é".repeat(1 << 20)));
    let asked = ["", "100:", ":140000", "-140000:", "5:+140000", "5:+140000 -n", "2:900000"];
    for (n, name) in ["lf", "unterminated", "crlf", "invalid", "utf16", "giant"].into_iter().enumerate() {
        let lines = asked.map(|range| format!("lines {name} {range}")).into_iter().chain([
            format!("bytes {name}"),
            format!("bytes {name} 7:1200001"),
            format!("bytes {name} -1100001:"),
        ]);
        // In a sample, every file has a third of the requests.
        for line in lines.skip(cases(0, n % 3)).step_by(cases(1, 3)) {
            let measured = sandbox.line(&format!("{line} --json --metadata-only --no-index"));
            if !measured.stderr.is_empty() {
                // The giant line has no line 100.
                continue;
            }
            let counted = sandbox.line(&format!("{line} --json --no-index")).ok().json();
            let mut measured = measured.json()["metadata"].clone();
            // Nobody asked the other call for it.
            assert!(measured.as_object_mut().unwrap().remove("estimated_tokens").is_some(), "{line}");
            assert_eq!(counted["metadata"], measured, "{line}");
            let content = counted["content"].as_str().unwrap();
            assert_eq!(counted["metadata"]["content_bytes"], content.len(), "{line}");
            let range = &counted["metadata"]["actual_range"];
            if let (Some(first), Some(last)) = (range["start_line"].as_u64(), range["end_line"].as_u64()) {
                assert_eq!(content.lines().count() as u64, last + 1 - first, "{line}");
            }
        }
    }
}

#[test]
fn documents_are_separable_whatever_they_hold() {
    let sandbox = Sandbox::new();
    let tricky = "---\ncontent_bytes: 3\n---\n---\npath: x\nrange: 0-1\n---\nend without a newline";
    sandbox.file("tricky", tricky);
    for name in ["frontmatter-lookalike.md", "service.log", "multibyte.txt", "crlf.txt", "only-newlines.txt"]
    {
        sandbox.file(name, fixture_bytes(name));
    }
    for name in [
        "tricky",
        "frontmatter-lookalike.md",
        "multibyte.txt",
        "crlf.txt",
        "only-newlines.txt",
        "service.log",
    ] {
        let text = String::from_utf8(std::fs::read(sandbox.path(name)).unwrap()).unwrap();
        let count = text.split_inclusive('\n').count();
        let list: Vec<String> =
            (1..=count).flat_map(|n| [format!("{n}"), format!("{n}:+2"), format!("b{n}:+1")]).collect();
        let run = sandbox.run(["ranges", name, &list.join(",")]).ok();
        let found = run.documents();
        assert_eq!(found.len(), 3 * count, "{name}");
        for (index, document) in found.iter().enumerate() {
            assert_eq!(document.fact("path"), name);
            let n = index / 3 + 1;
            match index % 3 {
                0 => assert_eq!(document.content, lines_of(&text, n, n), "{name} {n}"),
                1 => assert_eq!(document.content, lines_of(&text, n, n + 1), "{name} {n}"),
                _ => assert_eq!(document.content.is_empty(), n >= text.len(), "{name} b{n}"),
            }
        }
    }
}

#[test]
fn the_example_of_the_frontmatter_format_holds() {
    // 10,240 lines in 1,024,000 bytes, of which lines 100 to 120 are bytes 5,120 to 6,400.
    let mut text = String::new();
    for (lines, bytes) in [(99_u64, 5120), (21, 1280), (10_120, 1_017_600)] {
        for line in 0..lines {
            let length = bytes * (line + 1) / lines - bytes * line / lines;
            text.push_str(&format!("{}\n", "x".repeat(usize::try_from(length - 1).unwrap())));
        }
    }
    assert_eq!(text.len(), 1_024_000);
    let sandbox = Sandbox::with("app.log", &text);
    let document = sandbox.line("lines app.log 100:120").ok().document();
    for (key, value) in [
        ("path", "app.log"),
        ("lines", "100-120"),
        ("range", "5120-6400"),
        ("total", "1024000"),
        ("content_bytes", "1280"),
        ("next", "lines 121:+21"),
    ] {
        assert_eq!(document.fact(key), value, "{key}");
    }
    // A total is exact or left out.
    assert!(["", "10240"].contains(&document.fact("total_lines")));
    for key in
        ["requested", "adjusted", "encoding", "invalid_utf8", "truncated", "clipped_lines", "eof", "notices"]
    {
        assert!(!document.has(key), "{key} has nothing to say");
    }
    assert_eq!(document.content, text[5120..6400]);
}

#[test]
fn a_line_answer_in_json_has_lines_and_bytes() {
    let sandbox = Sandbox::with("f", numbered(412));
    let run = sandbox.line("lines f 100:102 --json").ok();
    assert!(run.stdout.starts_with(b"{\"content\""), "the content comes first: {run}");
    assert_snapshot!(run.snapshot(), @r#"
    {
      "content": "line 100\nline 101\nline 102\n",
      "metadata": {
        "path": "f",
        "file_size": 3600,
        "total_lines": 412,
        "requested_range": {
          "start_line": 100,
          "end_line": 102
        },
        "actual_range": {
          "start_line": 100,
          "end_line": 102,
          "start_byte": 783,
          "end_byte": 810
        },
        "is_partial": true,
        "percent_of_file": 0.75,
        "content_bytes": 27,
        "truncated": false,
        "eof": false,
        "next": {
          "command": "lines",
          "range": "103:+3"
        },
        "version": "…",
        "index": "none",
        "bytes_scanned": 3600
      }
    }
    "#);
}

#[test]
fn raw_and_text_are_content_and_nothing_else() {
    let text = String::from_utf8(fixture_bytes("service.log")).unwrap();
    let sandbox = Sandbox::with("f", &text);
    for (range, from, to) in [("1:3", 1, 3), ("250:+100", 250, 349), ("-1", 500, 500), (":", 1, 500)] {
        for format in ["--raw", "--format=raw", "--format=text", "-ftext"] {
            let run = sandbox.run(["lines", "f", range, format]).ok();
            assert_eq!(run.text(), lines_of(&text, from, to), "{range} {format}");
        }
    }
    // Large enough for the kernel to copy into a pipe and a file.
    let large = text.repeat(120);
    sandbox.file("large", &large);
    let expected = &large.as_bytes()[12_345..6_000_000];
    let args = ["bytes", "large", "12345:6000000", "--raw", "--align", "none"];
    assert!(sandbox.run(args).ok().stdout == expected, "into a pipe");
    let target = std::fs::File::create(sandbox.path("target")).unwrap();
    let status = std::process::Command::new(rread_testkit::sandbox::binary())
        .args(args)
        .at_home(&sandbox.home())
        .current_dir(sandbox.path("."))
        .stdout(target)
        .status();
    assert!(status.unwrap().success());
    assert!(std::fs::read(sandbox.path("target")).unwrap() == expected, "into a file");
}

fn xml_content(xml: &str) -> String {
    let start = xml.find("<file_content ").unwrap();
    let open = start + xml[start..].find('>').unwrap() + 1;
    let close = xml.rfind("</file_content>").unwrap();
    let inside = &xml[open..close];
    assert!(!inside.contains(['<', '>', '\r']), "not escaped: {inside}");
    let text = inside.replace("&lt;", "<").replace("&gt;", ">").replace("&quot;", "\"");
    text.replace("&#13;", "\r").replace("&apos;", "'").replace("&amp;", "&")
}

#[test]
fn xml_has_the_same_facts_as_attributes() {
    let sandbox = Sandbox::new();
    for name in ["needs-escaping.txt", "crlf.txt", "multibyte.txt", "frontmatter-lookalike.md", "service.log"]
    {
        let path = fixture(name);
        let xml = sandbox.run(["lines", path.to_str().unwrap(), "--xml"]).ok();
        assert_eq!(xml_content(xml.text()).as_bytes(), fixture_bytes(name), "{name}");
    }
    // Windows has no quotes in names.
    let name = if cfg!(windows) { "a & b.txt" } else { "a & b \"c\".txt" };
    sandbox.file(name, numbered(9));
    let args = ["lines", name, "2:3"];
    let xml = sandbox.run([&args[..], &["--xml"]].concat()).ok();
    let facts = sandbox.run(args).ok().document().facts;
    let escaped = name.replace('&', "&amp;").replace('"', "&quot;");
    assert!(xml.text().contains(&format!("path=\"{escaped}\"")), "{xml}");
    for (key, value) in facts.iter().filter(|(key, _)| *key != "path") {
        assert!(xml.text().contains(&format!(" {key}=\"{value}\"")), "{key}: {xml}");
    }
    let several = sandbox.run(["lines", name, "1,3", "-f", "xml"]).ok();
    assert_eq!(several.text().matches("<file_content ").count(), 2, "{several}");
    assert_eq!(several.text().matches("</file_content>").count(), 2, "{several}");
}

#[test]
fn the_environment_sets_the_default_format() {
    let sandbox = Sandbox::with("f", numbered(9));
    for (format, flag) in [
        ("json", "--json"),
        ("raw", "--raw"),
        ("xml", "--xml"),
        ("text", "-ftext"),
        ("frontmatter", "-ffrontmatter"),
    ] {
        let by_flag = sandbox.line(&format!("lines f 2:3 {flag}")).ok();
        let by_variable = sandbox.line_env("lines f 2:3", &[("RREAD_FORMAT", format)]).ok();
        assert_eq!(by_flag.text(), by_variable.text(), "{format}");
        let overruled = sandbox.line_env("lines f 2:3 --raw", &[("RREAD_FORMAT", format)]).ok();
        assert_eq!(overruled.text(), "line 2\nline 3\n", "a flag overrules the variable");
    }
    sandbox.line_env("lines f", &[("RREAD_FORMAT", "yaml")]).refused(2).says(contains("RREAD_FORMAT"));
    sandbox.line_env("lines f", &[("RREAD_FORMAT", "")]).ok().document();
    // Errors follow the format, also that of the environment.
    sandbox.line_env("lines f 99", &[("RREAD_FORMAT", "json")]).refused_json(5);
    sandbox.line_env("lines f --frob", &[("RREAD_FORMAT", "json")]).refused_json(2);
    sandbox.line_env("lines f 99 --raw", &[("RREAD_FORMAT", "json")]).refused(5);
    sandbox.line_env("lines f --frob --raw", &[("RREAD_FORMAT", "json")]).refused(2);
    sandbox.line_env("lines f --frob --xml", &[("RREAD_FORMAT", "json")]).refused(2);
    for line in ["lines f --raw --json", "lines f -f xml --raw", "lines f -f yaml"] {
        let run = sandbox.line(line);
        assert_eq!((run.code, run.stdout.len()), (2, 0), "{run}");
    }
}

#[test]
fn lines_are_numbered_on_demand() {
    let sandbox = Sandbox::with("f", numbered(1_000_100));
    for (range, expected) in [
        ("9:10", "     9→line 9\n    10→line 10\n"),
        ("999999:+2", "999999→line 999999\n1000000→line 1000000\n"),
        ("-1", "1000100→line 1000100\n"),
    ] {
        let document = sandbox.run(["lines", "f", "-n", range]).ok().document();
        assert_eq!(document.content, expected, "{range}");
        let json = sandbox.run(["lines", "f", range, "--number", "--json"]).ok().json();
        assert_eq!(json["content"], json!(expected), "{range}");
        assert_eq!(sandbox.run(["lines", "f", range, "-n", "-ftext"]).ok().text(), expected, "{range}");
    }
    sandbox.file("g", "a\r\n\r\nlast");
    assert_eq!(sandbox.line("lines g -n -ftext").ok().text(), "     1→a\r\n     2→\r\n     3→last");
    assert_eq!(sandbox.line("bytes g 3:6 -n -ftext").ok().text(), "     2→\r\n     3→l");
}

#[test]
fn context_widens_every_line_range() {
    let text = numbered(50);
    let sandbox = Sandbox::with("f", &text);
    for (range, flags, from, to) in [
        ("20", "-C 3", 17, 23),
        ("20:22", "--context 2", 18, 24),
        ("20", "-A 2", 20, 22),
        ("20", "-B 2", 18, 20),
        ("20", "-A 1 -B 4", 16, 21),
        ("20", "--after-context 1 --before-context=1", 19, 21),
        ("20", "-C 5 -A 1", 15, 21),
        ("20", "-C5", 15, 25),
        ("2", "-C 10", 1, 12),
        ("49", "-C 10", 39, 50),
        ("-1", "-C 2", 48, 50),
        ("-10:-5", "-C 2", 39, 47),
        ("-50", "-C 2", 1, 3),
    ] {
        let run = sandbox.line(&format!("lines f {range} {flags} --json")).ok().json();
        assert_eq!(run["content"], json!(lines_of(&text, from, to)), "{range} {flags}");
        let actual = &run["metadata"]["actual_range"];
        assert_eq!(
            (&actual["start_line"], &actual["end_line"]),
            (&json!(from), &json!(to)),
            "{range} {flags}"
        );
    }
    let documents = sandbox.line("ranges f 10 30 b0:6 -C 1").ok().documents();
    let contents: Vec<&str> = documents.iter().map(|d| d.content.as_str()).collect();
    assert_eq!(contents, ["line 9\nline 10\nline 11\n", "line 29\nline 30\nline 31\n", "line 1"]);
    sandbox.line("lines f 99 -C 60").refused(5);
    sandbox.line("lines f 9 -C x").refused(2);
}

#[test]
fn the_header_goes_before_the_slice_and_is_reported() {
    let text = String::from_utf8(fixture_bytes("data.csv")).unwrap();
    let sandbox = Sandbox::with("data.csv", &text);
    let header = lines_of(&text, 1, 1);
    assert_snapshot!(sandbox.line("lines data.csv 8:+2 --header 1").ok().snapshot(), @r#"
    ---
    path: data.csv
    lines: 8-9
    range: 154-209
    total: 303
    total_lines: 13
    header_lines: 1
    content_bytes: 75
    version: …
    next: lines 10:+2
    ---
    id,name,city,amount
    7,"Knuth, Don",Stanford,2.56
    8,Margaret,Boston,1969.07
    "#);
    let json = sandbox.line("lines data.csv -1 --header 1 --json").ok().json();
    assert_eq!(json["content"], json!(header.clone() + &lines_of(&text, 13, 13)));
    assert_eq!(json["metadata"]["header_lines"], json!(1));
    // Header lines in the slice are not repeated.
    for range in ["1:3", ":", "1"] {
        let expected = sandbox.run(["lines", "data.csv", range, "-ftext"]).ok();
        let run = sandbox.run(["lines", "data.csv", range, "--header", "1", "-ftext"]).ok();
        assert_eq!(run.text(), expected.text(), "{range}");
    }
    assert_eq!(sandbox.line("lines data.csv 2 --header 3 -ftext").ok().text(), lines_of(&text, 1, 2));
    let numbered = sandbox.line("lines data.csv 9 --header 1 -n -ftext").ok();
    assert!(numbered.text().starts_with("     1→id,name"), "{numbered}");
    assert!(numbered.text().contains("\n     9→8,"), "{numbered}");
    let raw = sandbox.line("lines data.csv 4,9 --header 1 --raw").ok();
    assert_eq!(
        raw.text(),
        [&header, &lines_of(&text, 4, 4), &header, &lines_of(&text, 9, 9)].map(String::as_str).concat()
    );
}

#[test]
fn a_receipt_comes_without_its_content() {
    let sandbox = Sandbox::with("f", numbered(412));
    for line in [
        "lines f 100:120",
        "bytes f 5:3000",
        "lines f",
        "lines f 9 -n",
        "lines f --max-bytes 100",
        "lines f 413:",
    ] {
        let mut full = sandbox.line(&format!("{line} --json")).ok().json();
        let mut receipt = sandbox.line(&format!("{line} --json --metadata-only")).ok().json();
        assert!(receipt.get("content").is_none(), "{line}");
        // Nobody asked the other call for it.
        assert!(receipt["metadata"].as_object_mut().unwrap().remove("estimated_tokens").is_some(), "{line}");
        full.as_object_mut().unwrap().remove("content");
        assert_eq!(receipt, full, "{line}");
        let with = sandbox.line(line).ok().document();
        let mut without = documents(&sandbox.line(&format!("{line} --metadata-only")).ok().stdout, false);
        assert!(without[0].facts.remove("estimated_tokens").is_some(), "{line}");
        assert_eq!(without[0].facts, with.facts, "{line}");
    }
    let several = sandbox.line("ranges f 1 2 --metadata-only").ok();
    assert_eq!(documents(&several.stdout, false).len(), 2);
    assert!(sandbox.line("lines f 1 --xml --metadata-only").ok().text().trim_end().ends_with("/>"));
    sandbox.line("lines f --raw --metadata-only").refused(2);
    sandbox.line("lines f 900 --metadata-only").refused(5);
}

#[test]
fn colour_comes_only_on_request() {
    let sandbox = Sandbox::with("f", numbered(3));
    let plain = sandbox.line("lines f -n").ok();
    assert!(!plain.text().contains('\x1b'));
    assert_eq!(sandbox.line("lines f -n --color never").ok().text(), plain.text());
    assert_eq!(sandbox.line("lines f -n --color auto").ok().text(), plain.text(), "this is a pipe");
    let painted = sandbox.line("lines f --color always").ok();
    assert!(painted.text().contains('\x1b'));
    let strip = |text: &str| {
        let mut parts = text.split('\x1b');
        let first = parts.next().unwrap().to_owned();
        parts.fold(first, |all, part| all + &part[part.find('m').unwrap() + 1..])
    };
    assert_eq!(strip(painted.text()), sandbox.line("lines f").ok().text());
    // The option wins over the environment.
    let asked = sandbox.line_env("lines f --color always", &[("NO_COLOR", "1")]).ok();
    assert_eq!(asked.text(), painted.text());
    // JSON and XML have no colour.
    for format in ["json", "raw", "xml", "text"] {
        let run = sandbox.line(&format!("lines f --color always -f {format}")).ok();
        assert!(!run.text().contains('\x1b'), "{run}");
    }
    assert!(!sandbox.line("lines f 9 --color never").refused(5).stderr.contains('\x1b'));
}
