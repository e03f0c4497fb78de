//! Syntax colours, which come after the text.

use std::process::Command;

use assert_cmd::cargo::cargo_bin;
use rread_testkit::terminal::{AtHome, COLUMNS, Terminal, setup};
use vt100::Color;

/// Source code in which lines look different after what comes before them.
fn source(functions: usize) -> String {
    let function = |n: usize| {
        format!(
            "/* about {n}\n   let it = \"be\";\n*/\nfn number_{n}() -> u32 {{\n    let ERROR = \"{n}\"; // {n}\n    {n}\n}}\n\n"
        )
    };
    (0..functions).map(function).collect()
}

/// The colour of each character of the first ten rows.
fn colours(terminal: &Terminal) -> Vec<Vec<Color>> {
    (0..10).map(|row| (0..COLUMNS).map(|column| terminal.colour(row, column)).collect()).collect()
}

/// As `lines` colours ten lines from this one on.
fn expected(terminal: &Terminal, first: usize) -> Vec<Vec<Color>> {
    let mut command = Command::new(cargo_bin!("rread"));
    command.at_home(&terminal.path(".home"));
    let range = format!("{first}:+10");
    command.current_dir(terminal.folder.path()).env("TERM", "xterm-256color");
    let output = command.args(["lines", "a.rs", &range, "-f", "text", "--color", "always"]).output().unwrap();
    let text = String::from_utf8(output.stdout).unwrap().replace('\n', "\r\n");
    let mut parser = vt100::Parser::new(11.try_into().unwrap(), COLUMNS.try_into().unwrap(), 0);
    parser.process(text.as_bytes());
    let of = |row, column| parser.screen().cell(row, column).unwrap().fgcolor();
    let has_text = |row, column| parser.screen().cell(row, column).unwrap().contents().trim() != "";
    (0..10)
        .map(|row| {
            (0..COLUMNS)
                .map(|column| if has_text(row, column) { of(row, column) } else { Color::Default })
                .collect()
        })
        .collect()
}

fn are_as_in_lines(terminal: &mut Terminal, first: usize) {
    terminal.until("the colours of lines", |terminal| {
        // On a busy machine, `lines` may give up its colours.
        let expected = expected(terminal, first);
        let (rows, shown) = (terminal.rows(), colours(terminal));
        // Blanks have a colour too, which nobody sees.
        let is_blank = |row: usize, column: usize| rows[row].chars().nth(column).is_none_or(|c| c == ' ');
        let is_same = |row: usize, column: usize| shown[row][column] == expected[row][column];
        let has_colours = expected.iter().flatten().any(|colour| *colour != Color::Default);
        let all = (0..10).flat_map(|row| (0..usize::from(COLUMNS)).map(move |column| (row, column)));
        has_colours && all.into_iter().all(|(row, column)| is_blank(row, column) || is_same(row, column))
    });
}

#[test]
fn source_code_has_the_colours_of_lines() {
    let mut terminal = setup().file("a.rs", source(300)).view("a.rs");
    are_as_in_lines(&mut terminal, 1);
    for (keys, first) in [
        ("G", 2391),
        ("200k", 2191),
        ("g", 1),
        ("j", 2),
        ("f", 12),
        (":1003\r", 1003),
        ("b", 993),
        ("7k", 986),
    ] {
        terminal.send(keys);
        are_as_in_lines(&mut terminal, first);
    }
    terminal.quit();
}

#[test]
fn the_text_comes_before_its_colours() {
    let mut terminal = setup().file("a.rs", "fn main() {}\n").view("a.rs");
    terminal.until("colours", |terminal| terminal.colour(0, 0) != Color::Default);
    terminal.quit();
    let raw = String::from_utf8(terminal.raw()).unwrap();
    let plain = raw.find("fn main() {}").expect("the plain line");
    assert!(plain < raw.find("main\x1b[").unwrap(), "{raw:?}");
}

#[test]
fn a_key_and_an_option_switch_them_off() {
    let mut terminal = setup().file("a.rs", source(9)).view("--highlight never a.rs");
    terminal.shows(&["/* about 0"]).send("C").says("syntax colours");
    are_as_in_lines(&mut terminal, 1);
    terminal
        .send("C")
        .says("no syntax colours")
        .until("no colours", |terminal| colours(terminal)[0].iter().all(|colour| *colour == Color::Default));
    terminal.quit();
    let mut terminal = setup().file("a.rs", source(9)).variable("NO_COLOR", "1").view("a.rs");
    terminal.shows(&["/* about 0"]).send("C").says("there are no colours: NO_COLOR is set");
    terminal.quit();
    assert!(!String::from_utf8(terminal.raw()).unwrap().contains("\x1b[0;3"));
    let mut terminal = setup().file("noname", "fn main() {}\n").view("--highlight rs noname");
    terminal.until("colours", |terminal| terminal.colour(0, 0) != Color::Default);
    terminal.quit();
    let mut terminal = setup().file("a.rs", source(9)).variable("RREAD_THEME", "GitHib").view("a.rs");
    terminal.says("RREAD_THEME is 'GitHib', which is not a theme");
    terminal.quit();
}

#[test]
fn levels_are_seen_in_logs_and_records() {
    let red = Color::Idx(1);
    let mut terminal = setup().file("a.log", "2026-11-23 ERROR failed \"x\" 12\n").view("a.log");
    terminal.until("the level", |terminal| (0..30).all(|column| terminal.colour(0, column) == red));
    terminal.quit();
    let text = "{\"level\":\"error\",\"n\":1}\n{\"level\":\"info\",\"n\":1}\n";
    let mut terminal = setup().file("a.jsonl", text).view("a.jsonl");
    terminal.until("syntax", |terminal| {
        (0..20).all(|column| terminal.colour(0, column) == red)
            && (0..20).any(|column| !matches!(terminal.colour(1, column), Color::Default))
    });
    terminal.quit();
}

/// The INI syntax takes minutes for this line.
#[test]
fn a_line_that_is_slow_to_parse_delays_no_key() {
    let text = format!("[a]\nb = 1\n{}\n", " ".repeat(4000)) + &"c = 2\n".repeat(100);
    let mut terminal = setup().file("a.ini", text).view("-S a.ini");
    terminal.shows(&["[a]", "b = 1"]);
    terminal.send("G").says("(END)").send("g").shows(&["[a]", "b = 1"]);
    terminal.quit();
}

#[test]
fn parts_of_long_lines_and_filtered_lines_are_plain() {
    let text = format!("let a = \"{}\";\nfn main() {{}}\n", "x".repeat(40_000));
    let mut terminal = setup().file("a.rs", text).view("-S a.rs");
    terminal.until("colours after the long line", |terminal| {
        let row = terminal.rows().iter().position(|row| row.starts_with("fn main"));
        row.is_some_and(|row| terminal.colour(u16::try_from(row).unwrap(), 0) != Color::Default)
    });
    assert_eq!(terminal.colour(0, 0), Color::Default);
    terminal.send("&main\r").shows(&["fn main() {}"]).says("filtered");
    assert_eq!(terminal.colour(0, 0), Color::Default);
    terminal.quit();
}
