//! Following on a terminal: the colours of the file are shown, and nothing else of it acts.

use std::fs::OpenOptions;
use std::io::Write;

use rread_testkit::terminal::{Terminal, setup};

/// The beginning of a file that is followed.
const HEAD: &str =
    "\x1b[31mred\x1b[0m plain\n\x1b[2Jclear \x1b]0;t\x07 \x1b[1;38;5;200mwide\x1b[m\n\x1b[32mopen\nnext\n";

fn follow(words: &str, variables: &[(&'static str, &str)]) -> Terminal {
    let mut setup = setup().size(100, 20).file("a", HEAD);
    for (name, value) in variables {
        setup = setup.variable(name, *value);
    }
    setup.run(&format!("exec rread follow -n +1 a {words}"))
}

fn shows(terminal: &mut Terminal, text: &str) {
    terminal.until(text, |terminal| String::from_utf8_lossy(&terminal.raw()).contains(text));
}

fn append(terminal: &Terminal, text: &str) {
    let mut file = OpenOptions::new().append(true).open(terminal.path("a")).unwrap();
    file.write_all(text.as_bytes()).unwrap();
}

#[test]
fn colours_of_the_file_are_shown_and_other_sequences_are_text() {
    for (words, variables, coloured) in [
        ("", &[][..], true),
        ("--color always", &[("NO_COLOR", "1")][..], true),
        ("", &[("NO_COLOR", "1")][..], false),
        ("", &[("TERM", "dumb")][..], false),
        ("--color never", &[][..], false),
    ] {
        let mut terminal = follow(words, variables);
        shows(&mut terminal, "next");
        let raw = String::from_utf8(terminal.raw()).unwrap();
        assert_eq!(raw.contains("\x1b[31mred\x1b[0m plain"), coloured, "{words} {variables:?}: {raw:?}");
        assert_eq!(raw.contains("\x1b[1;38;5;200mwide"), coloured, "{raw:?}");
        assert_eq!(raw.contains(r"\x1b[31mred\x1b[0m plain"), !coloured, "{raw:?}");
        assert!(raw.contains(r"\x1b[2Jclear \x1b]0;t\x07"), "{raw:?}");
        // A line's colour ends with it.
        assert_eq!(
            raw.contains("open\x1b[0m\r\nnext") || raw.contains("open\r\n\x1b[0mnext"),
            coloured,
            "{raw:?}"
        );
    }
}

/// The beginning of a line is shown after a pause, wherever it is cut.
#[test]
fn a_line_that_comes_in_parts_keeps_its_colours() {
    let mut terminal = follow("", &[]);
    shows(&mut terminal, "next");
    for (part, shown) in
        [("a \x1b[3", "next\r\na "), ("2mgre", "\x1b[32mgre"), ("en\x1b", "en"), ("[1mbold", "\x1b[1mbold")]
    {
        append(&terminal, part);
        shows(&mut terminal, shown);
    }
    append(&terminal, " end\nplain\n");
    terminal.until("the last line", |terminal| terminal.rows().iter().any(|row| row == "plain"));
    let row = terminal.rows().iter().position(|row| row == "a greenbold end").expect("one line");
    let row = u16::try_from(row).unwrap();
    let look = |column: u16| terminal.cell(row, column, |cell| (cell.fgcolor(), cell.bold()));
    let green = vt100::Color::Idx(2);
    assert_eq!(look(0), (vt100::Color::Default, false));
    assert_eq!([look(2), look(5), look(6)], [(green, false); 3]);
    assert_eq!([look(7), look(12)], [(green, true); 2]);
    assert_eq!(
        terminal.cell(row + 1, 0, |cell| (cell.fgcolor(), cell.bold())),
        (vt100::Color::Default, false)
    );
}

#[test]
fn a_pipe_gets_the_bytes_of_the_file() {
    let mut terminal = setup()
        .size(100, 20)
        .file("a", HEAD)
        .run("rread follow -n +1 a --timeout 1ms | cmp - a && echo same");
    terminal.until("the end", |terminal| terminal.rows().iter().any(|row| row == "same"));
}
