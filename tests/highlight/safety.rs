//! Content cannot act on the terminal or hold up rread, whatever it is and whatever language it is said to be in.

use std::time::{Duration, Instant};

use rread_testkit::sandbox::Sandbox;

use super::paint::{lines, painted};

fn text_of(painted: &[(char, Vec<String>)]) -> String {
    painted.iter().map(|(c, _)| *c).collect()
}

#[test]
fn without_its_colours_the_content_is_what_it_was() {
    let sandbox = Sandbox::new();
    let pieces = [
        "fn a() {", "\"", "/*", "*/", "'", "\n", "\r\n", "\t", "\u{7}", "é", "\u{200b}", "{{", "#", "\n\n",
        "x = 1;",
    ];
    let mut state = 7u64;
    for round in 0..16 {
        let mut text = String::new();
        for _ in 0..60 {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            text += pieces[usize::try_from(state >> 33).unwrap() % pieces.len()];
        }
        sandbox.file("a", &text);
        let language = ["rust", "c", "py", "md", "sh", "json", "ini", "html"][round % 8];
        for options in
            [&[][..], &["-n"], &["--hash"], &["--max-columns", "7"], &["3:9"], &["2:4,6:", "--header", "1"]]
        {
            let options: Vec<&str> = options.iter().copied().chain(["--highlight", language]).collect();
            let mut words = vec!["lines", "a", "-f", "text"];
            words.extend(&options);
            let plain = sandbox.run(&words);
            if plain.code != 0 {
                continue;
            }
            let colored = sandbox.run(words.iter().chain(&["--color", "always"]));
            assert_eq!(text_of(&painted(colored.text())), plain.text(), "{language} {options:?} {text:?}");
        }
    }
}

#[test]
fn invalid_bytes_and_long_lines_are_shown_as_without_colours() {
    let sandbox = Sandbox::new();
    let long = format!("let s = \"{}\";", "x".repeat(40_000));
    let text = [
        b"let a = \"\xff\xfe\";\n".as_slice(),
        long.as_bytes(),
        b"\nlet b = 1;\n/* ",
        "é".repeat(9000).as_bytes(),
    ]
    .concat();
    sandbox.file("a.rs", &text);
    for options in
        [&[][..], &["-n"], &["--max-columns", "20"], &["--invalid", "escape"], &["--max-bytes", "30000"]]
    {
        let plain = sandbox.run(["lines", "a.rs", "-f", "text"].iter().chain(options));
        let colored = sandbox.run(["lines", "a.rs", "-f", "text", "--color", "always"].iter().chain(options));
        assert_eq!(text_of(&painted(colored.text())), plain.text(), "{options:?}");
    }
    // The line after a long one is coloured.
    let colored = lines(&sandbox, "a.rs".as_ref(), &["3"]);
    let whole = lines(&sandbox, "a.rs".as_ref(), &["--invalid", "replace"]);
    assert!(colored.text().contains("\u{1b}["), "{colored}");
    assert!(whole.text().contains(colored.text()), "{colored}");
}

#[test]
fn what_is_hidden_by_max_columns_counts_for_the_next_line() {
    let sandbox = Sandbox::with("a.rs", "let a = 1; /* begins\nlet b = 2;\n*/ let c = 3;\n");
    let whole = lines(&sandbox, "a.rs".as_ref(), &["2"]);
    let mut command = sandbox.command();
    command.args(["lines", "a.rs", "--max-columns", "10", "-f", "text", "--color", "always"]);
    let clipped = rread_testkit::sandbox::Run::of(&mut command);
    assert_eq!(clipped.text().lines().nth(1), whole.text().lines().next(), "{clipped}");
}

#[test]
fn a_line_that_takes_the_parser_minutes_is_written_at_once() {
    // 54 s for a line of half the length, in a release build.
    let sandbox = Sandbox::with("a.ini", format!("[a]\nb = 1\n{}\nc = 2\n", " ".repeat(4000)));
    for line in ["lines a.ini", "lines a.ini 4", "ranges a.ini 1 4 2 3 1"] {
        let begun = Instant::now();
        let colored = sandbox.line(&format!("{line} -f text --color always")).ok();
        assert!(begun.elapsed() < Duration::from_secs(5), "{line}: {:?}", begun.elapsed());
        let plain = sandbox.line(&format!("{line} -f text")).ok();
        assert_eq!(text_of(&painted(colored.text())), plain.text(), "{line}");
    }
}
