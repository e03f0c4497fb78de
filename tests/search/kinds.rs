//! The same search in every kind of file has the same answer.

use std::fs;
use std::process::{Command, Stdio};

use rread_testkit::sandbox::{AtHome, Sandbox, binary, fixture, numbered};

fn text() -> String {
    numbered(3000).replace("line 77\n", "Zeile 77 größer\n")
}

fn expected() -> String {
    "77:Zeile 77 größer\n".to_owned()
}

#[test]
fn compressed_files() {
    let sandbox = Sandbox::with("t", text());
    for (program, suffix) in [("gzip", "gz"), ("zstd", "zst"), ("xz", "xz"), ("bzip2", "bz2"), ("lz4", "lz4")]
    {
        let Ok(output) = Command::new(program).arg("-c").arg(sandbox.path("t")).output() else {
            eprintln!("SKIPPED: {program} is not installed");
            continue;
        };
        sandbox.file(&format!("t.{suffix}"), output.stdout);
        let run = sandbox.line(&format!("search GRÖSSER|größer t.{suffix} -f text")).ok();
        assert_eq!(run.text(), expected(), "{suffix}");
        assert_eq!(
            sandbox.line(&format!("search line t.{suffix} --last 2 -f text")).ok().text(),
            "2999:line 2999\n3000:line 3000\n"
        );
    }
}

/// A pattern that names the carriage return sees it, whatever the line ends of the file are.
#[test]
fn carriage_returns() {
    let sandbox = Sandbox::with("win", "a\r\nb\r\n");
    sandbox.file("unix", "a\nb\n");
    sandbox.file("mixed", "a\nb\r\n");
    let utf16 = "a\r\nb\r\n".encode_utf16().flat_map(u16::to_le_bytes).collect::<Vec<u8>>();
    sandbox.file("wide", [&[0xFF, 0xFE][..], &utf16].concat());
    for (pattern, counts) in [
        (&["\\r"][..], [2, 0, 1, 2]),
        (&["\\r$"], [2, 0, 1, 2]),
        (&["b\\x0d"], [1, 0, 1, 1]),
        (&["[\\t\\r]"], [2, 0, 1, 2]),
        (&["^[^\\r]*$"], [0, 2, 1, 0]),
        (&["-F", "\r"], [2, 0, 1, 2]),
        (&["-v", "\\r"], [0, 2, 1, 0]),
        (&["b$"], [1, 1, 0, 1]),
        (&["-x", "b"], [1, 1, 0, 1]),
    ] {
        for (name, expected) in ["win", "unix", "mixed", "wide"].into_iter().zip(counts) {
            let args = ["search", "-c", "--raw"].iter().chain(pattern).chain([&name]);
            let run = sandbox.run(args);
            assert_eq!(run.text().trim(), expected.to_string(), "{pattern:?} in {name}: {}", run.stderr);
        }
    }
}

#[test]
fn encodings() {
    let utf16 = |text: &str| text.encode_utf16().flat_map(u16::to_le_bytes).collect::<Vec<u8>>();
    let sandbox = Sandbox::with("bom", [&[0xFF, 0xFE][..], &utf16(&text())].concat());
    sandbox.file("bare", utf16(&text()));
    sandbox.file("utf8", ["\u{FEFF}", &text()].concat());
    let latin: Vec<u8> = text().chars().map(|c| u8::try_from(u32::from(c)).unwrap()).collect();
    sandbox.file("latin", latin);
    for call in ["bom", "bare", "utf8", "latin -E windows-1252"] {
        assert_eq!(sandbox.line(&format!("search größer {call} -f text")).ok().text(), expected(), "{call}");
        let json = sandbox.line(&format!("search größer {call} --json")).ok().json();
        let found = &json["segments"][0]["metadata"]["matches"][0];
        let (start, end) = (found["start_byte"].as_u64().unwrap(), found["end_byte"].as_u64().unwrap());
        let name = call.split(' ').next().unwrap();
        let bytes = &fs::read(sandbox.path(name)).unwrap()
            [usize::try_from(start).unwrap()..usize::try_from(end).unwrap()];
        let shown = match name {
            "bom" | "bare" => String::from_utf16(
                &bytes.chunks(2).map(|b| u16::from_le_bytes([b[0], b[1]])).collect::<Vec<_>>(),
            )
            .unwrap(),
            "latin" => bytes.iter().map(|byte| char::from(*byte)).collect(),
            _ => String::from_utf8(bytes.to_vec()).unwrap(),
        };
        assert_eq!((shown.as_str(), found["column"].as_u64()), ("größer", Some(10)), "{call}");
    }
    // The mark is not a part of the first line.
    assert_eq!(sandbox.line("search ^line utf8 -m 1 -f text").ok().text(), "1:line 1\n");
}

#[cfg(unix)]
#[test]
fn streams_and_captures() {
    let sandbox = Sandbox::with("t", text());
    assert_eq!(sandbox.piped("search größer -f text", text()).ok().text(), expected());
    assert_eq!(
        sandbox.piped("search größer - -C 1 -f text", text()).ok().text(),
        "76-line 76\n77:Zeile 77 größer\n78-line 78\n"
    );
    sandbox.line("capture -- cat t");
    assert_eq!(sandbox.line("search größer fd:1 -f text").ok().text(), expected());
    let fifo = sandbox.path("fifo");
    assert!(Command::new("mkfifo").arg(&fifo).status().unwrap().success());
    let writer = Command::new("sh").args(["-c", "cat t > fifo"]).current_dir(sandbox.path("")).spawn();
    assert_eq!(sandbox.line("search größer fifo --stream -f text").ok().text(), expected());
    writer.unwrap().wait().unwrap();
}

#[test]
fn a_match_is_shown_before_the_stream_ends() {
    use std::io::{BufRead, BufReader, Write};
    let sandbox = Sandbox::new();
    let mut command = Command::new(binary());
    command.args(["search", "ready", "--raw", "-m", "1"]).current_dir(sandbox.path(""));
    command.at_home(&sandbox.home());
    let mut child = command.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().unwrap();
    let mut input = child.stdin.take().unwrap();
    input.write_all(b"starting\nready\n").unwrap();
    let mut line = String::new();
    BufReader::new(child.stdout.take().unwrap()).read_line(&mut line).unwrap();
    assert_eq!(line, "ready\n");
    assert!(child.wait().unwrap().success());
}

#[test]
fn binary_files_are_refused_and_read_on_request() {
    let sandbox = Sandbox::with("bin", b"a\0b\nneedle\n\xff\n".repeat(20));
    sandbox.line("search needle bin").refused(4);
    assert_eq!(sandbox.line("search needle bin -a -c --raw").ok().text(), "20\n");
    sandbox.run(["search".into(), "PNG".into(), fixture("tiny.png").into_os_string()]).refused(4);
}

#[test]
fn damage_ends_the_search_with_what_comes_before() {
    let sandbox = Sandbox::with("t", text());
    let Ok(output) = Command::new("gzip").arg("-c").arg(sandbox.path("t")).output() else { return };
    let cut = &output.stdout[..output.stdout.len() / 2];
    sandbox.file("cut.gz", cut);
    for format in ["raw", "text", "json", "frontmatter", "xml"] {
        let run = sandbox.line(&format!("search größer cut.gz -f {format}"));
        assert_eq!(run.code, 3, "{run}");
        assert!(run.text().contains("Zeile 77"), "{run}");
        assert!(run.stderr.contains("damaged") || run.stderr.contains("ends"), "{run}");
    }
    sandbox.line("search größer cut.gz --salvage -f text").ok();
}

#[test]
fn an_index_is_learned_and_used() {
    let sandbox = Sandbox::with("t", text());
    let built = sandbox.line_env("search größer t --json", &[("RREAD_INDEX_MIN", "1")]).ok().json();
    assert_eq!(built["metadata"]["total_lines"], 3000, "{built}");
    let found = sandbox.line_env("lines t -1 --json", &[("RREAD_INDEX_MIN", "1")]).ok().json();
    assert_eq!(found["metadata"]["total_lines"], 3000);
}

#[test]
fn a_search_that_finds_nothing_says_in_which_encoding_it_searched() {
    let sandbox = Sandbox::with(
        "f",
        "caf\u{e9} \u{e0} la carte, d\u{e9}j\u{e0} vu\n".chars().map(|c| c as u8).collect::<Vec<u8>>(),
    );
    sandbox
        .file("wide", "\u{feff}caf\u{e9}\n".encode_utf16().flat_map(u16::to_le_bytes).collect::<Vec<u8>>());
    let run = sandbox.run(["search", "é", "f", "-f", "text"]).refused(1);
    assert!(run.stderr.contains("may be windows-1252\nhint: rread search é f -E windows-1252\n"), "{run}");
    sandbox.run(["search", "é", "f", "-E", "windows-1252"]).ok();
    let run = sandbox.run(["search", "x", "wide"]);
    assert!(run.stderr.contains("no line matches 'x' in the text read as utf-16le\n"), "{run}");
    sandbox.file("plain", "x\n");
    let run = sandbox.run(["search", "é", "plain", "f", "-f", "text"]).refused(1);
    assert!(
        run.stderr.contains("no line matches 'é'; f was searched in the text read as UTF-8, but"),
        "{run}"
    );
    // All encodings agree on these, and nothing else can be typed.
    let run = sandbox.run(["search", "zzz", "f", "-f", "text"]);
    assert_eq!((run.code, run.stderr.as_str()), (1, ""));
}

#[test]
fn the_options_of_grep_for_directories_are_noted() {
    let sandbox = Sandbox::with("f", "NEEDLE\n");
    for (line, said) in [
        ("search -rn NEEDLE . -f text", "-r n writes n in the place of each match"),
        ("search -rni NEEDLE . --json", "-r ni writes ni"),
        ("search -r -n NEEDLE . -f text", "-r -n writes -n"),
        ("search -rin NEEDLE f f", "-r in writes in"),
    ] {
        assert!(sandbox.line(line).stderr.contains(said), "{line}");
    }
    for line in ["search -n NEEDLE .", "search -rn NEEDLE f", "search -r other NEEDLE ."] {
        sandbox.line(line).ok();
    }
}

#[test]
fn a_file_in_another_encoding_is_not_passed_over_in_silence() {
    let sandbox = Sandbox::new();
    std::fs::create_dir(sandbox.path("docs")).unwrap();
    // With fewer than 16 files and with more, of which other threads look ahead.
    for count in [5, 40] {
        for n in 0..count {
            sandbox.file(&format!("docs/d{n:02}.txt"), format!("Datei\nGröße: {n}\n"));
        }
        sandbox.file("docs/d03.txt", b"Datei\nGr\xF6\xDFe: 3, f\xFCr alle\n");
        for format in ["-f text", "--raw", "--brief", "-c", "-l"] {
            let run = sandbox.line(&format!("search Größe docs {format}"));
            let said =
                "d03.txt may be in another encoding than UTF-8, so matches may be missing; rread search";
            assert!(run.code == 0 && run.stderr.contains(said), "{run}");
            assert!(run.stderr.contains("-E windows-1252"), "{run}");
        }
        sandbox.line("search Datei docs -f text").ok();
        sandbox.line("search Größe docs -f text --no-messages").ok();
    }
}

#[test]
fn a_number_of_matches_from_the_end_is_last() {
    let sandbox = Sandbox::with("f", numbered(20));
    for (line, hint) in [
        ("search line f -m -1", "hint: rread search line f --last=1\n"),
        ("search line f -m=-3 -f text", "hint: rread search line f --last=3 -f text\n"),
        ("search line f --max-count -2", "hint: rread search line f --last=2\n"),
    ] {
        assert!(sandbox.line(line).refused(2).stderr.ends_with(hint), "{line}");
    }
}

#[test]
fn a_path_below_a_file_has_a_command() {
    let sandbox = Sandbox::with("f.txt", numbered(5));
    let mut tar = Command::new("tar");
    let packed = tar.args(["-cf", "a.tar", "f.txt"]).current_dir(sandbox.path("")).status();
    if !packed.is_ok_and(|status| status.success()) {
        return eprintln!("SKIPPED: tar is not installed");
    }
    for (line, hint) in [
        ("lines f.txt/x 2", "rread lines f.txt 2"),
        ("bytes f.txt/x/y 0:4", "rread bytes f.txt 0:4"),
        ("search line a.tar/f.txt -c", "rread search line tar:a.tar/f.txt -c"),
        ("page a.tar/f.txt 1", "rread page tar:a.tar/f.txt 1"),
        ("lines a.tar/f.txt:2", "rread lines tar:a.tar/f.txt 2"),
    ] {
        let run = sandbox.line(line).refused(3);
        assert!(run.stderr.ends_with(&format!("hint: {hint}\n")), "{run}");
        sandbox.line(hint.strip_prefix("rread ").unwrap()).ok();
    }
}
