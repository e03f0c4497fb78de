//! Directories are searched as ripgrep searches them.

use std::fs;
use std::path::MAIN_SEPARATOR;

use predicates::prelude::PredicateBooleanExt;
use predicates::str::contains;
use rread_testkit::sandbox::{Sandbox, fixture_bytes, numbered};
use serde_json::json;

use super::slashed;

fn tree() -> Sandbox {
    let sandbox = Sandbox::new();
    for folder in ["d/.git", "d/sub", "d/.hidden"] {
        fs::create_dir_all(sandbox.path(folder)).unwrap();
    }
    sandbox.file("d/b.log", "needle b\n");
    sandbox.file("d/a.log", "needle a\nother\n");
    sandbox.file("d/sub/c.log", "x\nneedle c\n");
    sandbox.file("d/sub/skipped.tmp", "needle\n");
    sandbox.file("d/.hidden/h.log", "needle\n");
    sandbox.file("d/.gitignore", "*.tmp\n");
    sandbox.file("d/bin", b"needle\0\0\0\x01\x02");
    sandbox.file("d/none.log", "nothing\n");
    sandbox
}

#[test]
fn files_are_searched_in_the_order_of_their_paths() {
    let sandbox = tree();
    let expected = "d/a.log:1:needle a\nd/b.log:1:needle b\nd/sub/c.log:2:needle c\n";
    assert_eq!(slashed(&sandbox.line("search needle d -f text").ok()), expected);
    let names = slashed(&sandbox.line("search -l needle d --raw").ok());
    assert_eq!(names, "d/a.log\nd/b.log\nd/sub/c.log\n");
    let paths: Vec<String> = sandbox
        .line("search needle d")
        .ok()
        .documents()
        .iter()
        // The last receipt says what was left out.
        .filter_map(|document| Some(document.facts.get("path")?.replace('\\', "/")))
        .collect();
    assert_eq!(paths, ["d/a.log", "d/b.log", "d/sub/c.log"]);
    let json = sandbox.line("search needle d --json").ok().json();
    assert_eq!(json["metadata"]["files"].as_array().unwrap().len(), 3, "{json}");
    // A file that is named is searched whatever it is.
    assert_eq!(sandbox.line("search needle d/sub/skipped.tmp -f text").ok().text(), "1:needle\n");
}

#[test]
fn nothing_found_below_a_directory_is_exit_1() {
    let sandbox = tree();
    let run = sandbox.line("search zzz d -f text");
    assert_eq!((run.code, run.text()), (1, ""));
    fs::create_dir(sandbox.path("empty")).unwrap();
    sandbox.line("search zzz empty").refused(2);
}

#[cfg(unix)]
#[test]
fn a_name_with_a_newline_stays_on_its_line_in_a_receipt() {
    let sandbox = Sandbox::new();
    std::fs::create_dir(sandbox.path("logs")).unwrap();
    sandbox.file("logs/new\nline\x1b[2J", "needle\n");
    let receipt = sandbox.line("search -l needle logs").ok();
    assert!(receipt.text().contains("path: \"logs/new\\nline\\e[2J\"\n"), "{}", receipt.text());
    let xml = sandbox.line("search -l needle logs --xml").ok();
    assert!(!xml.text().contains("new\nline"), "{}", xml.text());
}

#[test]
fn files_without_content_are_one_line_each_beside_one_receipt() {
    let sandbox = tree();
    sandbox.file("a.log", "needle needle\nneedle\n");
    sandbox.file("b.log", "hay\n");
    let document = sandbox.line("search -c needle a.log b.log").ok().document();
    assert_eq!(document.content, "a.log: 2\nb.log: 0\n");
    for (key, value) in [("files", "2"), ("matches", "3"), ("matched_lines", "2"), ("content_bytes", "18")] {
        assert_eq!(document.fact(key), value, "{key}");
    }
    assert_eq!(sandbox.line("search -l needle a.log b.log").ok().document().content, "a.log\n");
    // One file, and a file of which more has to be said, have receipts of their own.
    assert_eq!(sandbox.line("search -c needle a.log").ok().document().fact("matched_lines"), "2");
    sandbox.file("cut.gz", &fixture_bytes("service.log.gz")[..5000]);
    let run = sandbox.line("search -c INFO a.log cut.gz");
    assert!(run.text().contains("path: cut.gz\n") && run.text().contains("\na.log: 0\n"), "{run}");
    // So has a file of which the encoding is guessed, or that cannot be opened by its name on one line.
    sandbox.file("odd", b"needle caf\xE9 d\xE9j\xE0 vu \xE0 la carte\n");
    let run = sandbox.line("search -c needle a.log odd").ok();
    assert!(
        run.text().contains("path: odd\n") && run.text().contains("encoding_guess: windows-1252\n"),
        "{run}"
    );
    std::fs::create_dir(sandbox.path("few")).unwrap();
    for n in 0..60 {
        sandbox.file(&format!("few/{n}.log"), if n < 7 { "needle\n" } else { "hay\n" });
    }
    // The files of a directory that have no line are not counted, searched ahead or not.
    assert_eq!(sandbox.line("search -c needle few").ok().document().fact("files"), "7");
    // A budget cuts between lines.
    let short = sandbox.line("search -c needle a.log b.log --max-bytes 64").ok().document();
    assert_eq!((short.content.as_str(), short.has("truncated")), ("a.log: 2\nb.log: 0\n", false));
}

/// Enough files that other threads look ahead, where there are several cores.
#[test]
fn a_directory_answers_as_its_matching_files_named_one_by_one() {
    let sandbox = Sandbox::new();
    fs::create_dir(sandbox.path("d")).unwrap();
    let wide = |text: &str| text.encode_utf16().flat_map(u16::to_le_bytes).collect::<Vec<u8>>();
    for n in 0..300 {
        let contents: Vec<u8> = match (n * 7) % 11 {
            0 | 1 => format!("line\nneedle {n}\nNeedle\n").into_bytes(),
            2 => b"needle\0\0\x01\x02\x03".to_vec(),
            3 => wide(&format!("\u{feff}line\nneedle {n}\n")),
            4 => wide("\u{feff}line\nnothing\n"),
            5 => Vec::new(),
            6 => format!("{}\nneedle without a newline", "x".repeat(300_000)).into_bytes(),
            _ => format!("nothing {n}\n").repeat(n).into_bytes(),
        };
        sandbox.file(&format!("d/{n:03}.log"), contents);
    }
    let all: Vec<String> = (0..300).map(|n| format!("d{MAIN_SEPARATOR}{n:03}.log")).collect();
    for words in ["needle", "-i needle", "-v needle", "-F -x Needle", "-m 1 line", "zzz"] {
        // The binary ones are an error, as they are named.
        let listed = sandbox.line(&format!("search -l {words} {} --raw", all.join(" ")));
        let matching: Vec<&str> = listed.text().lines().collect();
        for format in ["text", "raw", "frontmatter", "json", "xml"] {
            let below = sandbox.line(&format!("search {words} d -f {format}"));
            assert_eq!(below.code, i32::from(matching.is_empty()), "{words}");
            if matching.is_empty() {
                continue;
            }
            let named = sandbox.line(&format!("search {words} {} -f {format}", matching.join(" "))).ok();
            match format {
                "text" | "raw" => assert_eq!(below.stdout, named.stdout, "{words} -f {format}"),
                "json" => assert_eq!(below.json()["segments"], named.json()["segments"], "{words}"),
                // What was left out has a receipt of its own.
                "frontmatter" => assert!(below.stdout.starts_with(&named.stdout), "{words}"),
                _ => {}
            }
        }
    }
}

#[test]
fn a_directory_without_a_match_has_a_whole_document_and_a_silent_search_has_none() {
    let sandbox = tree();
    for options in
        ["qqq", "-c qqq", "-l qqq", "-o qqq", "-v ^", "-U qqq", "--last 2 qqq", "--brief qqq", "--stats qqq"]
    {
        let run = sandbox.line(&format!("search --json {options} d"));
        let answer: serde_json::Value = serde_json::from_str(run.text()).unwrap();
        assert_eq!((run.code, &answer["segments"]), (1, &serde_json::json!([])), "{options}: {run}");
    }
    assert!(sandbox.line("search qqq d --xml").text().contains("</file_contents>"));
    for (pattern, code) in [("needle", 0), ("qqq", 1)] {
        for place in ["d", "d/a.log"] {
            let code = if pattern == "needle" { 0 } else { code };
            let run = sandbox.line(&format!("search -q --json {pattern} {place}"));
            assert_eq!((run.code, run.text()), (code, ""), "{pattern} {place}");
        }
    }
}

/// A match may lie behind the damage, so its absence is no answer.
#[test]
fn damage_is_reported_where_nothing_was_found() {
    let sandbox = tree();
    let packed = rread_testkit::pack::Pack::Gzip.of(numbered(5000).as_bytes());
    sandbox.file("d/cut.gz", &packed[..packed.len() / 2]);
    for pattern in ["needle", "qqq"] {
        for format in ["frontmatter", "json", "xml", "text", "raw"] {
            let run = sandbox.line(&format!("search {pattern} d -f {format}"));
            assert_eq!(run.code, 3, "{run}");
            run.says(contains("damaged"));
        }
        for option in ["-l", "-c"] {
            let run = sandbox.line(&format!("search {option} {pattern} d"));
            assert_eq!(run.code, 3, "{run}");
            run.says(contains("damaged"));
        }
    }
    sandbox.line("search -q qqq d/cut.gz").refused(3).says(contains("damaged"));
    sandbox.line("search -q qqq d").refused(3).says(contains("damaged"));
    // What was found was found.
    for files in ["d/a.log d/cut.gz", "d/cut.gz d/a.log", "d", "missing d/a.log", "d/a.log missing"] {
        let run = sandbox.line(&format!("search -q needle {files}"));
        assert_eq!((run.code, run.text(), &run.stderr[..]), (0, "", ""), "{files}");
    }
    sandbox.line("search -q qqq missing d/a.log").refused(3).says(contains("missing: cannot open"));
    assert_eq!(sandbox.line("search -q line.5$ d/cut.gz").code, 0);
    let unknown = sandbox.line("search qqq d/cut.gz").documents().remove(0);
    assert!(!unknown.has("total_lines"));
}

/// Makes `p` unreadable; false where nobody is kept from reading, as root is not.
#[cfg(unix)]
fn close(sandbox: &Sandbox, name: &str) -> bool {
    use std::os::unix::fs::PermissionsExt;
    fs::set_permissions(sandbox.path(name), fs::Permissions::from_mode(0o0)).unwrap();
    fs::read(sandbox.path(name)).is_err()
}

#[test]
fn what_was_not_read_is_never_without_a_match() {
    let sandbox = tree();
    sandbox.file("d/large.txt", "x\n".repeat(3000));
    for pattern in ["needle", "zzz"] {
        let run = sandbox.line(&format!("search {pattern} d --json --max-filesize 5K"));
        let answer: serde_json::Value = serde_json::from_str(run.text()).unwrap();
        let left_out = &answer["metadata"]["left_out"];
        for (key, count) in [("binary", 1), ("too_large", 1), ("hidden", 3), ("ignored", 1)] {
            assert_eq!(left_out[key], count, "{pattern} {key}: {run}");
        }
        assert_eq!(run.code, i32::from(pattern == "zzz"));
        // Text has a note, and a receipt has a document of its own.
        let text = sandbox.line(&format!("search {pattern} d -f text"));
        text.says(contains("not searched: 1 binary file").count(usize::from(pattern == "zzz")));
        let receipt = sandbox.line(&format!("search {pattern} d"));
        assert!(receipt.text().contains("left_out:"), "{receipt}");
        let counts = sandbox.line(&format!("search -c {pattern} d"));
        assert!(counts.text().contains("left_out:"), "{counts}");
        sandbox.line(&format!("search {pattern} d -f text --no-messages")).says(contains("note").not());
    }
    fs::create_dir(sandbox.path("none")).unwrap();
    sandbox.file("none/.hidden", "needle\n");
    sandbox.line("search needle none").refused(2).says(contains("none: the directory has no file to search"));
    let silent = sandbox.line("search needle none --no-messages");
    assert_eq!((silent.code, silent.stderr.as_str()), (2, ""), "{silent}");
    let run = sandbox.line("search zzz d --json");
    run.says(contains("no line matches 'zzz'; not searched: 1 binary file"));
    fs::create_dir(sandbox.path("only")).unwrap();
    sandbox.file("only/x.bin", b"needle\0\0\0\x01\x02");
    let run = sandbox.line("search needle only --json");
    assert_eq!((run.code, &run.json()["metadata"]["left_out"]["binary"]), (1, &json!(1)), "{run}");
    run.says(contains("no file was searched"));
}

#[cfg(unix)]
#[cfg(unix)]
#[test]
fn links_that_are_not_followed_are_counted() {
    let sandbox = Sandbox::new();
    fs::create_dir(sandbox.path("real")).unwrap();
    sandbox.file("real/a.log", "needle\n");
    sandbox.file("real/b.log", "needle\n");
    fs::create_dir(sandbox.path("links")).unwrap();
    std::os::unix::fs::symlink("../real/a.log", sandbox.path("links/a.log")).unwrap();
    std::os::unix::fs::symlink("../real", sandbox.path("links/all")).unwrap();
    std::os::unix::fs::symlink("links", sandbox.path("named")).unwrap();
    for folder in ["links", "named"] {
        let run = sandbox.line(&format!("search needle {folder}")).refused(2);
        run.says(contains("no file to search: the files are 2 symbolic links (-L)"));
        assert_eq!(
            sandbox.line(&format!("search -L -c needle {folder} -f text")).ok().text().lines().count(),
            3
        );
    }
    sandbox.file("links/c.log", "needle\n");
    let run = sandbox.line("search needle links --json").ok();
    assert_eq!(run.json()["metadata"]["left_out"], json!({"links": 2}), "{run}");
}

#[test]
fn a_file_below_a_directory_that_cannot_be_read_is_exit_3() {
    let sandbox = Sandbox::new();
    fs::create_dir(sandbox.path("p")).unwrap();
    std::os::unix::fs::symlink("nowhere", sandbox.path("p/link")).unwrap();
    for format in ["text", "raw", "json", "frontmatter", "xml"] {
        let run = sandbox.line(&format!("search needle p -L -f {format}"));
        assert_eq!(run.code, 3, "{run}");
        run.says(contains("p/link"));
    }
    sandbox.file("p/secret.txt", "needle\n");
    if close(&sandbox, "p/secret.txt") {
        let run = sandbox.line("search needle p --json");
        assert_eq!(run.code, 3, "{run}");
        assert!(run.text().contains("\"left_out\":{\"unreadable\":[\"p/secret.txt\"]}"), "{run}");
        sandbox.line("search needle p --no-messages").says(contains("secret").not());
    }
}

#[test]
fn a_named_directory_that_ignores_itself_says_so() {
    let sandbox = tree();
    fs::create_dir(sandbox.path("d/venv")).unwrap();
    sandbox.file("d/venv/.gitignore", "*\n");
    sandbox.file("d/venv/lib.py", "needle\n");
    let alone = sandbox.line("search needle d/venv").refused(2);
    alone.says(contains("rread search --no-ignore needle d/venv"));
    let beside = sandbox.line("search needle d/a.log d/venv -f text");
    beside
        .says(contains("d/venv: note: all files in the directory are left out").and(contains("--no-ignore")));
    assert_eq!(
        sandbox.line("search needle --no-ignore d/venv -f text").ok().text(),
        "d/venv/lib.py:1:needle\n"
    );
}
