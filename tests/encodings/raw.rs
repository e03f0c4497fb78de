//! Raw output is the file's own bytes: ranges join to the file, and are never mistaken for the decoded text.

use std::process::Output;

use rread_testkit::decoded::{WIDE, encoded};

use super::program::Folder;

fn run(folder: &Folder, args: &[&str]) -> Output {
    folder.command(args).output().unwrap()
}

fn stderr(output: &Output) -> String {
    String::from_utf8_lossy(&output.stderr).into_owned()
}

const TEXT: &str = "Größe 漢字 😀\nñandú\n日本語の長い行\n";

#[test]
fn consecutive_raw_ranges_join_to_the_file() {
    let folder = Folder::new();
    for bytes in [TEXT.as_bytes().to_vec(), encoded(TEXT, WIDE[0])] {
        folder.file("f", &bytes);
        for size in 1..=7 {
            let ranges: Vec<String> =
                (0..bytes.len()).step_by(size).map(|start| format!("{start}:+{size}")).collect();
            let each: Vec<u8> =
                ranges.iter().flat_map(|range| folder.ok(&["bytes", "f", range, "--raw"])).collect();
            assert_eq!(each, bytes, "bytes by {size}");
            let prefixed: Vec<String> = ranges.iter().map(|range| format!("b{range}")).collect();
            let all = folder.ok(&["ranges", "f", &prefixed.join(","), "--raw"]);
            assert_eq!(all, bytes, "ranges by {size}");
        }
    }
}

#[test]
fn characters_are_kept_whole_where_that_is_requested_or_reported() {
    let folder = Folder::new();
    folder.file("f", TEXT.as_bytes());
    // Byte 3 is the second of ö.
    assert_eq!(folder.ok(&["bytes", "f", "0:3", "--raw"]), b"Gr\xC3");
    assert_eq!(folder.ok(&["bytes", "f", "0:3", "--raw", "--align", "expand"]), "Grö".as_bytes());
    assert_eq!(folder.ok(&["bytes", "f", "0:3", "--raw", "--align", "shrink"]), b"Gr");
    assert_eq!(folder.ok(&["bytes", "f", "0:3", "-f", "text"]), "Grö".as_bytes());
    assert_eq!(folder.json(&["bytes", "f", "0:3"])["content"], "Grö");
    assert_eq!(folder.ok(&["ranges", "f", "b0:3", "--raw", "--align", "expand"]), "Grö".as_bytes());
}

#[test]
fn raw_ranges_cut_by_a_budget_join_by_next() {
    let folder = Folder::new();
    folder.file("f", TEXT.as_bytes());
    for start in 0..12 {
        let (mut command, mut range) = ("bytes".to_owned(), format!("{start}:"));
        let mut joined = Vec::new();
        loop {
            let output = run(&folder, &[&command, "f", &range, "--raw", "--max-bytes", "5"]);
            assert!(output.status.success() && joined.len() < 100, "{}", stderr(&output));
            joined.extend_from_slice(&output.stdout);
            let told = stderr(&output);
            let Some((_, next)) = told.trim_end().split_once("next: ") else { break };
            let (next_command, next_range) = next.split_once(' ').unwrap();
            (command, range) = (next_command.to_owned(), next_range.to_owned());
        }
        assert_eq!(joined, &TEXT.as_bytes()[start..], "from {start}");
    }
}

#[test]
fn raw_with_an_encoding_is_refused_with_the_command_for_the_text() {
    let folder = Folder::new();
    folder.file("f", b"caf\xE9 au lait\n\xE0 la carte\n");
    for (args, hint) in [
        (&["lines", "f", "2"][..], "rread lines f 2 -E latin1 -f text"),
        (&["bytes", "f", "0:4"], "rread bytes f 0:4 -E latin1 -f text"),
        (&["ranges", "f", "2", "b0:4"], "rread ranges f 2,b0:4 -E latin1 -f text"),
        (&["page", "f"], "rread page f -E latin1 -f text"),
    ] {
        let (code, stderr) = folder.refused(&[args, &["-E", "latin1", "--raw"]].concat());
        assert!(code == 2 && stderr.ends_with(&format!("hint: {hint}\n")), "{stderr}");
        let words: Vec<&str> = hint.split(' ').skip(1).collect();
        let text = String::from_utf8(folder.ok(&words)).unwrap();
        assert!(text.contains('é') || text.contains('à'), "{text}");
    }
    let mut by_variable = folder.command(&["lines", "f", "-E", "latin1"]);
    let output = by_variable.env("RREAD_FORMAT", "raw").output().unwrap();
    assert_eq!(output.status.code(), Some(2), "{}", stderr(&output));
}

#[test]
fn raw_bytes_of_wide_text_come_with_a_note() {
    let folder = Folder::new();
    for encoding in WIDE {
        folder.file("f", &[encoding.mark(), &encoded(TEXT, encoding)].concat());
        for args in [&["lines", "f", "1"][..], &["bytes", "f", "0:8"], &["ranges", "f", "1", "2"]] {
            let output = run(&folder, &[args, &["--raw"]].concat());
            let note = format!("rread: f: note: raw output is {}; -f text writes UTF-8\n", encoding.name());
            assert_eq!(stderr(&output), note);
            for option in [&["-f", "text"][..], &["--raw", "--encode", "hex"], &[]] {
                assert_eq!(stderr(&run(&folder, &[args, option].concat())), "", "{option:?}");
            }
        }
    }
    for bytes in [TEXT.as_bytes(), b"caf\xE9 au lait\n"] {
        folder.file("f", bytes);
        assert_eq!(stderr(&run(&folder, &["lines", "f", "--raw"])), "");
    }
}

#[test]
fn an_encoding_beside_raw_decides_how_lines_are_found() {
    let folder = Folder::new();
    let wide = encoded("one\ntwo\nthree\n", WIDE[0]);
    folder.file("wide", &wide);
    folder.file("plain", b"one\ntwo\n");
    // The first byte of the unit that ends a line ends the line of UTF-8.
    let output = run(&folder, &["lines", "wide", "1", "--raw", "-E", "utf-8", "--text"]);
    assert_eq!((output.status.code(), output.stdout.last()), (Some(0), Some(&b'\n')), "{}", stderr(&output));
    assert!(wide.starts_with(&output.stdout));
    let output = run(&folder, &["lines", "plain", "1", "--raw", "-E", "utf-16le"]);
    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
    assert_eq!(output.stdout, b"one\ntwo\n");
    for args in [&["bytes", "plain", "0:2", "-E", "utf-16le"][..], &["lines", "wide", "1", "-E", "utf-16le"]]
    {
        assert_eq!(folder.refused(&[args, &["--raw"]].concat()).0, 2);
    }
}

#[test]
fn the_encoding_that_a_user_names_wins_with_a_note() {
    let folder = Folder::new();
    folder.file("f", b"plain text\nof two lines\n");
    for label in ["utf-16le", "utf-16be", "utf-32"] {
        let output = run(&folder, &["lines", "f", "-E", label, "-f", "text"]);
        assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
        assert!(stderr(&output).contains("looks like utf-8"), "{}", stderr(&output));
        let answer = folder.json(&["lines", "f", "-E", label]);
        assert_eq!(answer["metadata"]["notices"], serde_json::json!(["encoding_doubtful"]));
        assert_eq!(answer["metadata"]["encoding_source"], "option");
    }
    for label in ["utf-8", "latin1"] {
        assert_eq!(folder.json(&["lines", "f", "-E", label])["metadata"]["notices"], serde_json::Value::Null);
    }
}
