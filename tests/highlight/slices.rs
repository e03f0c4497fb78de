//! A slice from the middle has the colours that its lines have in the whole file.

use std::fmt::Write;

use rread_testkit::sandbox::Sandbox;

use super::paint::{C, agreement, lines, painted, patiently, sources, visible};

/// The styles of lines `first..=last` of the whole painted `text`.
fn within(text: &str, first: usize, last: usize) -> String {
    // No colour crosses a line.
    text.split_inclusive('\n').skip(first - 1).take(last - first + 1).collect()
}

#[test]
fn near_the_start_of_a_file_every_slice_has_the_colours_of_the_whole() {
    let sandbox = Sandbox::new();
    let rust = "/* a\n * comment */\nfn a() -> &'static str {\n    r#\"\n raw \" text\n\n fn b() \n\"#\n}\n";
    let python =
        "def a():\n    \"\"\"\n    Docs with 'quotes.\n\ndef b(): pass\n    \"\"\"\n    return f\"{a!r}\"\n";
    let markdown = "# Title\n\n```rust\nfn a() {}\n\nlet b = 1;\n```\n\n*text* and `code`\n";
    for (name, text) in [("a.rs", rust), ("a.c", C), ("a.py", python), ("a.md", markdown)] {
        sandbox.file(name, text.repeat(3));
        let whole = lines(&sandbox, name.as_ref(), &[]);
        let count = text.repeat(3).lines().count();
        for first in 1..=count {
            let last = (first + 3).min(count);
            let expected = within(whole.text(), first, last);
            let slice = || lines(&sandbox, name.as_ref(), &[&format!("{first}:{last}")]).text().to_owned();
            assert_eq!(patiently(&expected, slice), expected, "{name} {first}");
        }
    }
}

#[test]
fn far_from_the_start_slices_have_the_colours_of_the_whole_file() {
    let sandbox = Sandbox::new();
    let mut text = String::new();
    // docs/highlight.md: a slice far from the start may take a string with an empty line for code.
    let is_code = |text: &String| !text.split("\n\n").any(|part| part.starts_with(char::is_uppercase));
    let files = sources().into_iter().map(|path| std::fs::read_to_string(path).unwrap());
    files.filter(is_code).take(40).for_each(|file| text += &file);
    assert!(text.len() > 150_000);
    sandbox.file("all.rs", &text);
    let whole = lines(&sandbox, "all.rs".as_ref(), &[]);
    let count = text.lines().count();
    let (mut all, mut same) = (0, 0);
    for first in (1..count - 20).step_by(count / 40) {
        let last = first + 19;
        let expected = within(whole.text(), first, last);
        let slice = || lines(&sandbox, "all.rs".as_ref(), &[&format!("{first}:{last}")]).text().to_owned();
        let slice = visible(&painted(&patiently(&expected, slice)));
        let found = agreement(&slice, &visible(&painted(&expected)), "all.rs".as_ref());
        (all, same) = (all + found.0, same + found.1);
    }
    assert!(all > 5000 && same * 1000 >= all * 990, "{same} of {all}");
}

#[test]
fn the_parser_starts_at_a_whole_line_and_passes_over_long_ones() {
    let sandbox = Sandbox::new();
    // What is read before a slice begins inside a string of one of a few long lines.
    let strings: String = (0..400).map(|n| format!("let a{n} = \"{}\";\n", "a b ".repeat(100))).collect();
    let long = format!("let a = \"{}\nfn main() {{}}\n", "x".repeat(20_000));
    for (text, line) in [(strings, 390), (long, 2)] {
        sandbox.file("a.rs", &text);
        let whole = lines(&sandbox, "a.rs".as_ref(), &[]);
        let expected = within(whole.text(), line, line);
        let slice = || lines(&sandbox, "a.rs".as_ref(), &[&format!("{line}:{line}")]).text().to_owned();
        assert_eq!(patiently(&expected, slice), expected, "{line}");
    }
}

#[test]
fn pages_and_ranges_go_on_where_the_last_slice_ended() {
    let sandbox = Sandbox::new();
    // One comment, longer than what is read before a slice.
    let mut text = "/* a long comment\n".to_owned();
    for n in 0..6000 {
        writeln!(text, "fn f{n}() {{ let a = {n}; }}").unwrap();
    }
    sandbox.file("a.rs", text + "*/\nfn main() {}\n");
    let whole = lines(&sandbox, "a.rs".as_ref(), &[]);
    let pages = sandbox.line("page a.rs --all --page-size 8K -f text --color always").ok();
    assert_eq!(pages.text(), whole.text());
    let ranges = sandbox.line("ranges a.rs 1:3000 3001:5900 5950:6003 -f text --color always").ok();
    let expected =
        [(1, 3000), (3001, 5900), (5950, 6003)].map(|(first, last)| within(whole.text(), first, last));
    assert_eq!(ranges.text(), expected.concat());
}

#[test]
fn a_page_that_begins_inside_a_line_has_its_colours() {
    let sandbox = Sandbox::with("a.rs", format!("let a = \"{}\"; let b = 1;\n", "text ".repeat(40)));
    let whole = visible(&painted(lines(&sandbox, "a.rs".as_ref(), &[]).text()));
    let pages = sandbox.line("page a.rs --all --page-size 64 -f text --color always").ok();
    assert_eq!(visible(&painted(pages.text())), whole);
}
