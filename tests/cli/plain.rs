//! `--plain`: lines as a terminal shows them, at the places of the file.

use rread_testkit::sandbox::Sandbox;

/// What `command` shows of `text`, without receipts.
fn shown(text: impl AsRef<[u8]>, command: &str) -> String {
    Sandbox::with("log", text.as_ref()).line(&format!("{command} --plain --raw")).ok().text().to_owned()
}

#[test]
fn what_a_terminal_shows_in_the_end_is_shown() {
    for (text, expected) in [
        ("\x1b[1;31merror\x1b[0m: a\n", "error: a\n"),
        ("10%\r50%\r100%\r\n", "100%\r\n"),
        ("abc\x08\x08XY\n", "aXY\n"),
        ("Starting: \x1b[60G[FAILED]\nnext\n", "Starting: [FAILED]\nnext\n"),
        ("a\x1b[9Cb\x1b[9Cc\n", "a b c\n"),
        ("wrong\x1b[2K\rright\n", "right\n"),
        ("caf\u{e9}\x1b[K\n", "caf\u{e9}\n"),
        ("\x1b]0;title\x07text\n", "text\n"),
    ] {
        let squeezed = |text: String| {
            let words: Vec<&str> = text.split(' ').filter(|word| !word.is_empty()).collect();
            words.join(" ")
        };
        assert_eq!(squeezed(shown(text, "lines log")), expected, "{text:?}");
        assert_eq!(squeezed(shown(text, "page log")), expected, "{text:?}");
        assert_eq!(squeezed(shown(text, "search . log")), squeezed(shown(text, "lines log")), "{text:?}");
    }
}

#[test]
fn places_are_those_of_the_file() {
    let sandbox = Sandbox::with("log", "\x1b[1mone\x1b[0m\n\x1b[32mtwo\x1b[0m\nthree\n");
    let document = sandbox.line("lines log 2 --plain").ok().document();
    assert_eq!((document.fact("range"), document.content.as_str()), ("12-25", "two\n"));
    assert_eq!(sandbox.line("search ^two$ log --plain").ok().document().content, "2:two\n");
    assert_eq!(sandbox.line("search ^two$ log").code, 1);
}

/// Each part of a line that is too long to be shown is as it is stored, wherever the part begins.
#[test]
fn a_line_of_more_than_a_mebibyte_stays_as_it_is() {
    let long = "\x1b[1mab\x1b[0m".repeat((1 << 20) / 10 + 9);
    let text = format!("\x1b[1mfirst\x1b[0m\n{long}\n\x1b[1mlast\x1b[0m\n");
    let sandbox = Sandbox::with("log", &text);
    assert_eq!(sandbox.line("lines log --plain --raw").ok().text(), format!("first\n{long}\nlast\n"));
    for start in [100, 1 << 19, text.len() - 400] {
        let run = sandbox.line(&format!("bytes log {start}:+100 --plain --raw"));
        if run.code == 0 {
            assert_eq!(run.text(), &text[start..start + 100], "{start}");
        }
    }
}

/// Blanks are left out at the end of a line, not at that of a part: text follows there.
#[test]
fn blanks_before_text_stay() {
    let words: String = (0..2500).map(|n| format!("\x1b[1m{n:07}\x1b[0m ")).collect();
    let sandbox = Sandbox::with("log", format!("{words}\nlast\n"));
    let whole = sandbox.line("lines log --plain --raw").ok().text().to_owned();
    let part = |range: &str| sandbox.line(&format!("bytes log {range} --plain --raw")).ok().text().to_owned();
    for cut in [7, 8, 9, 1000, 1001, 19_999, 20_000, 30_000] {
        assert_eq!(part(&format!("0:{cut}")) + &part(&format!("{cut}:")), whole, "{cut}");
    }
    for budget in [100, 300, 3000, 3001] {
        let document = sandbox.line(&format!("lines log --plain --max-bytes {budget}")).ok().document();
        assert_eq!(document.content, whole[..budget], "{budget}");
    }
}

/// The blanks in the place of what was overwritten are more than a block.
#[test]
fn a_long_progress_bar_is_its_last_state() {
    for updates in [10, 28_000, 30_500, 60_000] {
        let bar: String = (1..=updates).map(|n| format!("p {n}%\r")).collect();
        assert_eq!(shown(format!("{bar}done\x1b[K\nok\n"), "lines log"), "done\nok\n", "{updates}");
    }
}

#[test]
fn text_of_wider_units_is_refused() {
    let text: Vec<u8> = "\u{feff}\x1b[1mone\x1b[0m\n".encode_utf16().flat_map(u16::to_le_bytes).collect();
    let sandbox = Sandbox::with("wide", text);
    sandbox.file("log", "\x1b[1mone\x1b[0m\n");
    let run = sandbox.line("lines wide --plain");
    assert_eq!(run.code, 6, "{run}");
    assert!(run.stderr.contains("is utf-16le, and --plain is for text of bytes"), "{run}");
    // The other files are shown all the same.
    for line in [
        "lines wide log --plain -f text",
        "search one wide log --plain -f text",
        "search one . --plain -f text",
    ] {
        let run = sandbox.line(line);
        assert!(run.text().contains("one\n") && !run.text().contains('\x1b'), "{line}: {run}");
        assert!(run.stderr.contains("--plain is for text of bytes") && run.code != 0, "{line}: {run}");
    }
}

/// Carriage returns before newlines are no reason to miss the end of a line.
#[test]
fn the_end_of_a_line_is_found_where_something_is_left_out() {
    let lines =
        ["a ok\x1b[0m", "b ok", "c \x1b[31mok", "d \x1b[31mok\x1b[0m", "e \x1b[31mx\x1b[0m ok", "f ok "];
    for end in ["\n", "\r\n"] {
        let sandbox = Sandbox::with("log", lines.map(|line| format!("{line}{end}")).concat());
        let count = |pattern: &str| {
            sandbox.run(["search", "-c", pattern, "log", "--plain", "--raw"]).text().to_owned()
        };
        assert_eq!((&*count("ok$"), &*count("ok $")), ("6\n", "0\n"), "{end:?}");
        let run = sandbox.run([
            "follow",
            "log",
            "-n",
            "+1",
            "--plain",
            "--until-match",
            "^d ok$",
            "--timeout",
            "5s",
        ]);
        assert_eq!(run.code, 0, "{run}");
    }
}

#[test]
fn followed_lines_are_shown_when_they_end() {
    let log = "\x1b[1mstart\x1b[0m\n10%\r50%\rready\n\x1b[31mlast\x1b[0m";
    let sandbox = Sandbox::with("log", log);
    let run = sandbox.line("follow log -n +1 --plain --until-match ^ready$ --timeout 5s");
    assert_eq!((run.code, run.text()), (0, "start\nready\n"), "{run}");
    let run = sandbox.piped("follow - --plain --raw", log);
    assert_eq!(run.ok().text(), "start\nready\nlast");
    let run = sandbox.piped("follow - --plain --json", log).ok();
    let first: serde_json::Value = serde_json::from_str(run.text().lines().next().unwrap()).unwrap();
    assert_eq!((&first["content"], &first["plain"]), (&"start\nready\n".into(), &true.into()), "{first}");
    assert_eq!(first["actual_range"]["end_byte"], log.rfind('\n').unwrap() as u64 + 1, "{first}");
}
