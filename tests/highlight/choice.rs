//! Which language and which theme: by name, by content, by option, and what is refused.

use std::io::Write;

use rread_testkit::sandbox::Sandbox;

use super::paint::{lines, painted, visible};

const RUST: &str = "fn main() { let a = \"b\"; }\n";

/// The styles that rread gives to `RUST` as Rust.
fn rust() -> String {
    let sandbox = Sandbox::with("a.rs", RUST);
    let text = lines(&sandbox, "a.rs".as_ref(), &[]).text().to_owned();
    assert_ne!(text, RUST);
    text
}

#[test]
fn the_language_is_that_of_the_name_then_of_the_first_line() {
    let expected = rust();
    let sandbox = Sandbox::with("noname", RUST);
    let is_plain = |name: &str| lines(&sandbox, name.as_ref(), &[]).text() == RUST;
    assert!(is_plain("noname"));
    for name in ["b.rs", "b.RS", "b.rs.orig", "b.rs.1"] {
        sandbox.file(name, RUST);
        assert_eq!(lines(&sandbox, name.as_ref(), &[]).text(), expected, "{name}");
    }
    sandbox.file("a.txt", RUST);
    assert!(is_plain("a.txt"));
    for first in ["#!/usr/bin/env python3", "#!/bin/bash", "<?xml version=\"1.0\"?>", "/* -*- C++ -*- */"] {
        let text = format!("{first}\nint a = \"b\";\n");
        sandbox.file("noname", &text);
        let by_file = lines(&sandbox, "noname".as_ref(), &[]);
        assert_ne!(by_file.text(), text, "{first}");
        let piped = sandbox.piped("lines - -f text --color always", text).ok();
        assert_eq!(piped.text(), by_file.text(), "{first}");
    }
}

#[test]
fn compressed_files_and_other_encodings_have_the_same_colours() {
    let expected = rust();
    let sandbox = Sandbox::new();
    let zst = zstd::encode_all(RUST.as_bytes(), 1).unwrap();
    sandbox.file("a.rs.zst", zst);
    let mut gz = std::process::Command::new("gzip");
    let child = gz.arg("-c").stdin(std::process::Stdio::piped()).stdout(std::process::Stdio::piped()).spawn();
    if let Ok(mut child) = child {
        child.stdin.take().unwrap().write_all(RUST.as_bytes()).unwrap();
        sandbox.file("b.rs.gz", child.wait_with_output().unwrap().stdout);
        assert_eq!(lines(&sandbox, "b.rs.gz".as_ref(), &[]).text(), expected);
    }
    let wide: Vec<u8> = [0xFEFF].into_iter().chain(RUST.encode_utf16()).flat_map(u16::to_le_bytes).collect();
    sandbox.file("c.rs", wide);
    sandbox.file("d.rs", RUST.replace('\n', "\r\n"));
    assert_eq!(lines(&sandbox, "a.rs.zst".as_ref(), &[]).text(), expected);
    assert_eq!(lines(&sandbox, "c.rs".as_ref(), &[]).text(), expected);
    assert_eq!(lines(&sandbox, "d.rs".as_ref(), &[]).text(), expected.replace('\n', "\r\n"));
}

#[test]
fn the_option_names_a_language_by_name_or_extension() {
    let expected = rust();
    let sandbox = Sandbox::with("noname", RUST);
    for language in ["rust", "Rust", "rs", "RS"] {
        let run = lines(&sandbox, "noname".as_ref(), &["--highlight", language]);
        assert_eq!(run.text(), expected, "{language}");
        let piped = sandbox.line(&format!("lines noname -f text --highlight {language}")).ok();
        assert_eq!(piped.text(), RUST, "a pipe has no colours");
    }
    sandbox.file("a.rs", RUST);
    assert_eq!(lines(&sandbox, "a.rs".as_ref(), &["--highlight", "never"]).text(), RUST);
    assert_eq!(lines(&sandbox, "a.rs".as_ref(), &["--highlight", "auto"]).text(), expected);
}

#[test]
fn every_command_that_shows_text_has_the_colours() {
    let expected = rust();
    let sandbox = Sandbox::with("a.rs", RUST);
    for line in ["lines a.rs", "ranges a.rs 1", "page a.rs"] {
        let run = sandbox.line(&format!("{line} -f text --color always")).ok();
        assert_eq!(run.text(), expected, "{line}");
        let receipt = sandbox.line(&format!("{line} --color always")).ok();
        assert!(receipt.text().ends_with(&expected), "{receipt}");
        let length = format!("content_bytes\u{1b}[39m: {}\n", RUST.len());
        assert!(receipt.text().contains(&length), "colours do not count: {receipt}");
        for format in ["raw", "json", "xml"] {
            let with = sandbox.line(&format!("{line} -f {format} --color always")).ok();
            assert_eq!(with.text(), sandbox.line(&format!("{line} -f {format}")).ok().text(), "{line}");
        }
    }
    let bytes = sandbox.line("bytes a.rs -f text --color always").ok();
    assert_eq!(bytes.text(), RUST);
}

#[test]
fn a_wrong_name_is_refused_with_the_nearest() {
    let sandbox = Sandbox::with("a.rs", RUST);
    for (name, hint) in [
        ("ruts", "hint: did you mean --highlight rust?"),
        ("always", "hint: --color always colours in pipes too"),
        ("zzzzzzzz", "hint: write a name or a file name extension, such as rust, py or json"),
    ] {
        let run = sandbox.line(&format!("lines a.rs --highlight {name}")).refused(2);
        let error = format!("rread: --highlight is '{name}', which is not a language, auto or never\n");
        assert_eq!(run.stderr, format!("{error}{hint}\n"));
    }
    let run = sandbox.line_env("lines a.rs --color always", &[("RREAD_THEME", "githib")]).refused(2);
    assert!(
        run.stderr
            .contains("RREAD_THEME is 'githib', which is not a theme\nhint: export RREAD_THEME='GitHub'"),
        "{run}"
    );
    sandbox.line_env("lines a.rs", &[("RREAD_THEME", "githib")]).ok();
}

#[test]
fn a_theme_has_the_colours_that_the_terminal_can_show() {
    let sandbox = Sandbox::with("a.rs", RUST);
    let run = |env: &[(&str, &str)]| sandbox.line_env("lines a.rs -f text --color always", env).ok();
    let has = |run: &rread_testkit::sandbox::Run, code: &str| {
        visible(&painted(run.text()))
            .iter()
            .any(|(_, style)| style.iter().any(|known| known.starts_with(code)))
    };
    let true_color = run(&[("RREAD_THEME", "github"), ("COLORTERM", "truecolor")]);
    assert!(has(&true_color, "38;2;"), "{true_color}");
    let palette = run(&[("RREAD_THEME", "github")]);
    assert!(has(&palette, "38;5;") && !has(&palette, "38;2;"), "{palette}");
    let ansi = run(&[("COLORTERM", "truecolor")]);
    assert!(has(&ansi, "3") && !has(&ansi, "38;"), "{ansi}");
}
