//! `--encode hexdump`: the rows of `hexdump -v -C`, budgets and `next`.

use std::fs::File;
use std::path::Path;
use std::process::Command;

use rread_testkit::sandbox::{Sandbox, fixture, fixture_bytes};

/// The output of another program; `None` if it is not installed.
fn other(program: &str, args: &[&str], file: &Path) -> Option<String> {
    let Ok(output) = Command::new(program).args(args).arg(file).output() else {
        eprintln!("skipped: {program} is not installed");
        return None;
    };
    assert!(output.status.success(), "{program}: {output:?}");
    Some(String::from_utf8(output.stdout).unwrap())
}

fn hexdump(file: &Path, start: u64, count: u64) -> Option<String> {
    other("hexdump", &["-v", "-C", "-s", &start.to_string(), "-n", &count.to_string()], file)
}

#[test]
fn a_dump_is_that_of_hexdump() {
    let sandbox = Sandbox::new();
    let all: Vec<u8> = (0..=255).chain([0; 100]).collect();
    sandbox.file("all", &all);
    let files = ["tiny.png", "multibyte.txt", "latin1.txt", "utf16le.txt"].map(fixture);
    for path in files.iter().filter(|path| path.exists()).chain([&sandbox.path("all")]) {
        let size = path.metadata().unwrap().len();
        for (start, count) in [(0, size), (0, 16), (5, 40), (16, 16), (17, 1), (3, 8), (size - 1, 1)] {
            let count = count.min(size - start);
            let Some(expected) = hexdump(path, start, count) else { return };
            let range = format!("{start}:+{count}");
            for format in ["--raw", "--format=text", "--format=frontmatter", "--json"] {
                let run = sandbox.run(["bytes", path.to_str().unwrap(), &range, "--encode=hexdump", format]);
                let content = match format {
                    "--json" => run.ok().json()["content"].as_str().unwrap().to_owned(),
                    "--format=frontmatter" => run.ok().document().content,
                    _ => run.ok().text().to_owned(),
                };
                assert_eq!(content, expected, "{} {range} {format}", path.display());
            }
        }
    }
}

#[test]
fn offsets_past_4_gib_have_more_digits() {
    let sandbox = Sandbox::new();
    File::create(sandbox.path("large")).unwrap().set_len(5 << 30).unwrap();
    let start = (1 << 32) - 16;
    let range = format!("{start}:+40");
    let run = sandbox.run(["bytes", "large", &range, "--encode", "hexdump"]).ok();
    assert_eq!(run.document().fact("content_bytes"), run.document().content.len().to_string());
    let Some(expected) = hexdump(&sandbox.path("large"), start, 40) else { return };
    assert_eq!(run.document().content, expected);
}

#[test]
fn a_budget_and_next_lose_no_row() {
    let sandbox = Sandbox::with("f", fixture_bytes("tiny.png"));
    let size = fixture_bytes("tiny.png").len();
    let whole = sandbox.line("bytes f --encode hexdump --raw").ok().text().to_owned();
    let rows = |dump: &str| dump.lines().filter(|row| row.contains('|')).map(str::to_owned).collect();
    let expected: Vec<String> = rows(&whole);
    assert_eq!(expected.len(), size.div_ceil(16));
    let (mut range, mut found) = ("0:".to_owned(), Vec::new());
    for _ in 0..size {
        let run = sandbox.run(["bytes", "f", &range, "--encode=hexdump", "--max-bytes=200"]).ok();
        let document = run.document();
        assert!(document.content.len() <= 200, "{document:?}");
        let more: Vec<String> = rows(&document.content);
        found.extend(more);
        match document.fact("next").strip_prefix("bytes ") {
            Some(next) => next.clone_into(&mut range),
            None => break,
        }
    }
    assert_eq!(found, expected);
    for room in 104..270 {
        let run = sandbox.line(&format!("bytes f --encode hexdump --max-bytes {room}")).ok();
        let length = run.document().content.len();
        assert!(length <= room && length + 79 > room, "{room}: {run}");
    }
    let run = sandbox.line("bytes f --encode hexdump --max-bytes 103").refused(2);
    assert!(run.to_string().contains("--max-bytes 104"), "{run}");
    let measured = sandbox.line("bytes f --encode hexdump --metadata-only --json").ok().json();
    assert_eq!(measured["metadata"]["content_bytes"], whole.len());
    let several = sandbox.line("ranges f b0:5 b32:+16 --encode hexdump -f text").ok();
    assert_eq!(several.text().lines().count(), 4, "each dump ends with its offset: {several}");
}

#[test]
fn a_stream_and_lines_have_the_offsets_of_the_input() {
    let sandbox = Sandbox::with("f", "first\nsecond\n");
    let dump = "00000006  73 65 63 6f 6e 64 0a                              |second.|\n0000000d\n";
    assert_eq!(sandbox.line("lines f 2 --encode hexdump --raw").ok().text(), dump);
    assert_eq!(sandbox.piped("bytes - 6: --encode hexdump --raw", "first\nsecond\n").ok().text(), dump);
    assert_eq!(sandbox.line("bytes f 3:3 --encode hexdump --raw").ok().text(), "");
}
