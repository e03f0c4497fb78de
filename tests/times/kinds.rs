//! The same window in every kind of file.

use std::process::Command;

use rread_testkit::sandbox::Sandbox;

use super::commands::{log, records};

const WINDOW: &str = "--since 06:01 --until 06:05 --tz UTC";

#[test]
fn compressed_files() {
    let sandbox = Sandbox::with("t", log());
    for (program, suffix) in [("gzip", "gz"), ("zstd", "zst"), ("xz", "xz")] {
        let Ok(output) = Command::new(program).arg("-c").arg(sandbox.path("t")).output() else {
            eprintln!("SKIPPED: {program} is not installed");
            continue;
        };
        sandbox.file(&format!("t.{suffix}"), output.stdout);
        let run = sandbox.line(&format!("lines t.{suffix} {WINDOW} --raw")).ok();
        assert_eq!(run.text(), records("06:01:00", "06:05:00"), "{suffix}");
        let json = sandbox.line(&format!("lines t.{suffix} {WINDOW} --json")).ok().json();
        assert_eq!(json["content"], records("06:01:00", "06:05:00").as_str(), "{suffix}");
    }
}

#[test]
fn encodings() {
    let text = log().replace("INFO", "größer");
    let sandbox = Sandbox::new();
    let le: Vec<u8> = text.encode_utf16().flat_map(u16::to_le_bytes).collect();
    let be: Vec<u8> = text.encode_utf16().flat_map(u16::to_be_bytes).collect();
    sandbox.file("bom", [&[0xFF, 0xFE][..], &le].concat());
    sandbox.file("bare", &le);
    sandbox.file("be", [&[0xFE, 0xFF][..], &be].concat());
    sandbox.file("wide", text.chars().flat_map(|c| u32::from(c).to_le_bytes()).collect::<Vec<u8>>());
    sandbox.file("utf8", ["\u{FEFF}", &text].concat());
    sandbox.file("latin", text.chars().map(|c| u8::try_from(u32::from(c)).unwrap()).collect::<Vec<u8>>());
    let expected = records("06:01:00", "06:05:00").replace("INFO", "größer");
    for call in ["bom", "bare", "be", "wide -E utf-32le", "utf8", "latin -E windows-1252"] {
        let run = sandbox.line(&format!("lines {call} {WINDOW} -f text")).ok();
        assert_eq!(run.text(), expected, "{call}");
    }
    let run = sandbox.line("lines bom --until 06:00:01 --tz UTC -f text").ok();
    assert_eq!(run.text(), records("06:00:00", "06:00:01").replace("INFO", "größer"));
}

#[test]
fn a_pipe_and_a_capture() {
    let sandbox = Sandbox::with("t", log());
    let run = sandbox.piped(&format!("lines - {WINDOW} --raw"), log()).ok();
    assert_eq!(run.text(), records("06:01:00", "06:05:00"));
    sandbox.line("capture -- cat t").ok();
    let run = sandbox.line(&format!("lines fd:1 {WINDOW} --raw")).ok();
    assert_eq!(run.text(), records("06:01:00", "06:05:00"));
    let run = sandbox.line(&format!("search -c request fd:1 {WINDOW} --raw")).ok();
    assert_eq!(run.text(), "240\n");
}

/// A quiet night, a busy morning, and a timeout in each.
fn app_log() -> String {
    let record = |n: u32| {
        let word = if n % 500 == 77 { "upstream TimeOut" } else { "request" };
        format!("2026-11-23 {:02}:{:02}:00 INFO {word} {n} größer\n", 2 + n / 60, n % 60)
    };
    (0..900).map(record).collect()
}

#[test]
fn what_happened_around_the_first_timeout_after_six() {
    let sandbox = Sandbox::with("app.log", app_log());
    let ask = |file: &str| {
        sandbox.line(&format!("search -i timeout {file} --since 06:00 -m 1 -C 3")).ok().document().content
    };
    let answer = ask("app.log");
    let expected: Vec<String> = app_log()
        .lines()
        .enumerate()
        .skip(574)
        .take(7)
        .map(|(at, line)| format!("{}{}{line}\n", at + 1, if at == 577 { ':' } else { '-' }))
        .collect();
    assert_eq!(answer, expected.concat());
    let gzip = rread_testkit::pack::gzip(app_log().as_bytes(), 6);
    sandbox.file("app.log.gz", gzip);
    let utf16 = app_log().encode_utf16().flat_map(u16::to_le_bytes).collect::<Vec<u8>>();
    sandbox.file("utf16.log", [&[0xFF, 0xFE][..], &utf16].concat());
    sandbox.line("capture -- cat app.log").ok();
    for file in ["app.log.gz", "utf16.log", "fd:1"] {
        assert_eq!(ask(file), answer, "{file}");
    }
}
