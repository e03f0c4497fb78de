//! What of the content reaches the terminal.

use rread_testkit::terminal::{Setup, Terminal, lines, peak, setup};

/// The escape sequences that were written, without what the viewer itself writes; and the control characters.
fn foreign(terminal: &Terminal) -> Vec<String> {
    let raw = terminal.raw();
    let text = String::from_utf8(raw).expect("only valid text is written");
    let mut found = Vec::new();
    let mut rest = &text[..];
    while let Some(at) = rest.find(char::is_control) {
        rest = &rest[at..];
        let own = [
            "\x1b[?1049h",
            "\x1b[?1049l",
            "\x1b[?7h",
            "\x1b[?7l",
            "\x1b[?1007h",
            "\x1b[?1007l",
            "\x1b[?25h",
            "\x1b[?25l",
            "\x1b[2J",
            "\x1b[K",
        ];
        if let Some(known) = own.iter().find(|known| rest.starts_with(**known)) {
            rest = &rest[known.len()..];
            continue;
        }
        let params = rest
            .strip_prefix("\x1b[")
            .map(|rest| rest.trim_start_matches(|c: char| c.is_ascii_digit() || c == ';'));
        match params {
            Some(after) if after.starts_with(['m', 'H']) => rest = &after[1..],
            _ => {
                found.push(rest.chars().take(8).collect());
                rest = &rest[1..];
            }
        }
    }
    found
}

#[test]
fn hostile_content_does_nothing_to_the_terminal() {
    let mut text =
        String::from("title \x1b]0;owned\x07.\nclip \x1b]52;c;eA==\x1b\\.\nclear \x1b[2J\x1b[H.\n")
            .into_bytes();
    text.extend_from_slice(b"c1 \x9b2J \x9d0;x\x07 \xc2\x9b2J \xc2\x90q\x1b\\.\n");
    text.extend_from_slice(b"reset \x1bc \x1b[?1049l \x1b[6n \x1bZ \x1b[c \x05.\n");
    text.extend_from_slice(b"cut \x1b[31\nnext \x1b\nshift \x0e\x0f\x08\x7f\r.\n");
    text.extend_from_slice("bidi \u{202e}evil\u{2066} \u{feff}\u{2028}.\n".as_bytes());
    text.extend_from_slice(b"dcs \x1bP1;2|x\x1b\\ \x1b_y\x1b\\ \x1b^z\x1b\\ \x1bX.\nlast\n");
    let mut terminal = setup().file("a\x1b]0;name\x07", text).size(100, 12).view("a*");
    terminal.shows(&[
        "title .",
        "clip .",
        "clear .",
        r"c1 \x9b2J \x9d0;x^G <U+009B>2J <U+0090>q^[\.",
        r"reset ^[c   ^[Z  ^E.",
        "cut ^[[31",
        "next ^[",
        "shift ^N^O^H^?^M.",
        "bidi <U+202E>evil<U+2066> <U+FEFF><U+2028>.",
        r"dcs ^[P1;2|x^[\ ^[_y^[\ ^[^z^[\ ^[X.",
        "last",
    ]);
    terminal
        .send("U")
        .until("escape sequences as text", |terminal| terminal.rows()[0] == "title ^[]0;owned^G.");
    terminal.send("/\x1b[31m\rG\x0c");
    terminal.quit();
    assert_eq!(foreign(&terminal), [""; 0]);
}

#[test]
fn colours_of_the_content_are_shown() {
    let text = "\x1b[31mred\x1b[m plain \x1b[1;48;5;20mbold\x1b[0m\n2026-11-23 ERROR failed\n";
    let raw = |setup: rread_testkit::terminal::Setup| {
        let mut terminal = setup.file("a", text).view("a");
        terminal.shows(&["red plain bold", "2026-11-23 ERROR failed"]);
        terminal.quit();
        String::from_utf8(terminal.raw()).unwrap()
    };
    let coloured = raw(setup());
    assert!(coloured.contains("\x1b[0;31mred\x1b[0m plain \x1b[0;1;48;5;20mbold"), "{coloured:?}");
    assert!(coloured.contains("\x1b[0;31m2026-11-23 ERROR failed"), "{coloured:?}");
    let plain = raw(setup().variable("NO_COLOR", "1"));
    assert!(
        plain.contains("red plain bold") && !plain.contains(";31m") && !plain.contains(";48;"),
        "{plain:?}"
    );
}

#[test]
fn anchors_match_beside_colours() {
    let text = "start\n\x1b[33mcommit 1\x1b[m\n    commit inside\n\x1b[33mcommit \x1b[1m2\x1b[m\n";
    let mut terminal = setup().file("a", text).view("a");
    terminal.send("/^commit\r").says("1 of 2").send("n").says("2 of 2");
    terminal.send("g/2$\r").says("1 of 1");
    terminal.send("&^commit\r").shows(&["commit 1", "commit 2"]).send("y").says("-e '^commit' a");
    terminal.send("&\rgU/^commit\r").says("no matches");
    terminal.quit();
}

#[test]
fn searches_and_filters_see_what_the_screen_shows() {
    let text = "plain error here\n\x1b[31merr\x1b[0mor split\n\x1b[1mbold\x1b[0m: text\n\
        N\x08NA\x08AM\x08ME\x08E _\x08u_\x08n\x08n _\x08_ a\x08b \x08x\n\x1b]8;;http://x\x1b\\li\x1b[4mnk\x1b]8;;\x1b\\\nend\n";
    for line in ["exec rread view a", "cat a | rread view -"] {
        let mut terminal = setup().file("a", text).run(line);
        terminal.shows(&[
            "plain error here",
            "error split",
            "bold: text",
            "NAME un _ a^Hb ^Hx",
            "link",
            "end",
        ]);
        let attributes = |terminal: &Terminal, row: u16, column: u16| {
            terminal.cell(row, column, |cell| (cell.bold(), cell.underline()))
        };
        assert_eq!(attributes(&terminal, 3, 0), (true, false));
        assert_eq!(attributes(&terminal, 3, 5), (false, true));
        assert_eq!(attributes(&terminal, 3, 6), (true, true));
        for (pattern, first, last) in [
            ("error split", (1, 0), (1, 10)),
            ("bold: text", (2, 0), (2, 9)),
            ("NAME un", (3, 0), (3, 6)),
            ("^link$", (4, 0), (4, 3)),
            ("AM", (3, 1), (3, 2)),
        ] {
            terminal.send(&format!("g/{pattern}\r")).says("1 of 1");
            terminal.until(pattern, |terminal| {
                terminal.is_reverse(first.0, first.1) && terminal.is_reverse(last.0, last.1)
            });
            assert!(!terminal.is_reverse(last.0, last.1 + 1), "{pattern}");
        }
        terminal.send("g&ME u\r").until("the filter", |terminal| terminal.rows()[0].starts_with("NAME"));
        terminal.send("&\r").shows(&["plain error here"]);
        terminal.send("U").until("all characters", |terminal| terminal.rows()[3].starts_with("N^HNA^HA"));
        terminal.send("/NAME\r").says("no matches").send("/M.M\r").says("1 of 1");
        terminal.send("q");
    }
}

#[test]
fn wide_and_combined_characters_have_their_columns() {
    let text = "日本語|\ne\u{301}a\u{300}|\n🦀🦀|\na\tb|\r\nשלום|\n";
    let mut terminal = setup().file("a", text).view("a");
    terminal.shows(&["日本語|", "e\u{301}a\u{300}|", "🦀🦀|", "a       b|", "שלום|"]);
    terminal.quit();
}

#[test]
fn other_encodings_and_compressed_files_are_text() {
    let utf16: Vec<u8> = "\u{feff}zwölf\nÄpfel\n".encode_utf16().flat_map(u16::to_le_bytes).collect();
    let mut terminal = setup().file("a", utf16).view("a");
    terminal.shows(&["zwölf", "Äpfel", "~"]).send("/pf\r").says("1 of 1");
    terminal.quit();
    let mut terminal = setup().file("a", lines(20_000)).run("gzip a && exec rread view a.gz");
    terminal.shows(&["line 1", "line 2"]);
    terminal.send("G").shows(&["line 19991"]).says("(END)");
    terminal.send("50%").until("the middle", |terminal| terminal.rows()[0].starts_with("line 10"));
    terminal.send(":12345\r").shows(&["line 12345"]).says("lines 12345-12354");
    terminal.quit();
    let mut terminal = setup().file("a", lines(100_000)).run("gzip a && exec rread view a.gz 70%");
    terminal.until("a place that is not decoded yet", |terminal| terminal.rows()[0].starts_with("line 7"));
    terminal.quit();
}

#[test]
fn a_capture_is_shown_by_its_handle() {
    let mut terminal = setup().run("rread capture --direct 0 -- seq 100 >/dev/null; exec rread view fd:1");
    terminal.shows(&["1", "2"]).says("fd:1");
    terminal.send("v").says("an editor can open only a file of the disk");
    terminal.quit();
}

/// A file of four tebibytes, if the file system can have one.
fn sparse(setup: Setup) -> Option<Setup> {
    use std::os::unix::fs::FileExt;
    let file = std::fs::File::create(setup.folder.path().join("sparse")).unwrap();
    file.set_len(4 << 40).ok()?;
    file.write_all_at(b"first\n", 0).unwrap();
    file.write_all_at(b"\nmiddle\n", 2 << 40).unwrap();
    file.write_all_at(b"\nlast\n", (4 << 40) - 6).unwrap();
    Some(setup)
}

fn takes_little_memory(terminal: &Terminal) {
    if cfg!(target_os = "linux") {
        let peak = peak(terminal.process());
        assert!(peak <= 32 << 10, "{peak} KiB");
    }
}

#[test]
fn any_place_of_four_tebibytes_comes_at_once() {
    let Some(setup) = sparse(setup()) else { return };
    let mut terminal = setup.view("sparse");
    terminal.shows(&["first"]);
    terminal.send("G").until("the end", |terminal| terminal.rows()[9] == "last");
    terminal.send("50%").until("the middle", |terminal| terminal.rows()[1].starts_with("^@"));
    // A search that takes minutes leaves the keys alone, and ends when it is told.
    terminal.send("/absent\r").says("searching");
    terminal.send("G").until("the end", |terminal| terminal.rows()[9] == "last");
    terminal.send("g").shows(&["first"]);
    terminal.send("\x03").until("no search", |terminal| !terminal.status().contains("searching"));
    takes_little_memory(&terminal);
    terminal.quit();
}

#[test]
fn a_line_of_megabytes_is_searched_inside() {
    let mut text = "x".repeat(3 << 20);
    text.insert_str(2 << 20, "needle");
    text.insert_str(1 << 20, "needle");
    let mut terminal = setup().file("a", text + "\nafter\n").view("a");
    terminal
        .send("/needle\r")
        .says("1 of 1")
        .until("the first", |terminal| terminal.rows()[0].contains("needle"));
    terminal.says("33%");
    terminal.send("n").says("67%").until("the second", |terminal| terminal.rows()[0].contains("needle"));
    terminal.send("n").says("no match below");
    terminal.send("N").says("33%").until("the first again", |terminal| terminal.rows()[0].contains("needle"));
    terminal.send("G").until("the end", |terminal| terminal.rows()[9] == "after");
    terminal.quit();
}

/// Pieces begin at multiples of 16 KiB.
#[test]
fn a_match_that_two_pieces_share_is_found_and_shown() {
    let mut text = vec![b'x'; 5 << 14];
    for (piece, before) in [(1, 3), (2, 6), (3, 1), (4, 0)] {
        let start = (piece << 14) - before;
        text[start..start + 6].copy_from_slice(b"needle");
    }
    let mut terminal = setup().file("a", [&text[..], b"\nafter\n"].concat()).view("a");
    let shows = |terminal: &mut Terminal, first: &str, second: &str, column: u16| {
        terminal.until(first, |terminal| {
            terminal.rows()[0].ends_with(first) && terminal.rows()[1].starts_with(second)
        });
        let is_needle = |row, column| terminal.is_reverse(row, column);
        let head = u16::try_from(first.len()).unwrap();
        assert!((column..column + head).all(|column| is_needle(0, column)), "{first}");
        assert!((0..6 - head).all(|column| is_needle(1, column)) && !is_needle(1, 6 - head), "{second}");
        assert!(column == 0 || !is_needle(0, column - 1));
    };
    // A piece has 273 rows of 60 columns, and one of 4.
    terminal.send("/needle\r").says("1 of 1");
    shows(&mut terminal, "nee", "dlex", 1);
    terminal.send("n").until("a match that ends with the piece", |terminal| terminal.rows()[1] == "edle");
    terminal.send("n");
    shows(&mut terminal, "n", "eedlex", 3);
    terminal
        .send("n")
        .until("one that begins with a piece", |terminal| terminal.rows()[0].starts_with("needlex"));
    terminal.send("n").says("no match below");
    terminal.send("N");
    shows(&mut terminal, "n", "eedlex", 3);
    terminal.send("N").until("the second", |terminal| terminal.rows()[1] == "edle").send("N");
    shows(&mut terminal, "nee", "dlex", 1);
    terminal.send("N").says("no match above");
    // The edges of pieces are not those of the line or of words.
    terminal.send("n").until("the second", |terminal| terminal.rows()[1] == "edle").send("n");
    shows(&mut terminal, "n", "eedlex", 3);
    terminal.send("/^eedle\r").says("no match below");
    assert!(!terminal.is_reverse(1, 0));
    terminal.quit();
}

/// After the last column of a row, xterm and tmux wait with the wrap, and erasing to its end erases that column.
#[test]
fn a_row_is_erased_before_it_is_written() {
    let mut terminal = setup().file("a", "0123456789".repeat(50) + "\nlast\n").view("a");
    terminal.until("the text", |terminal| terminal.rows()[0].starts_with("0123456789"));
    terminal.send("G");
    terminal.until("the end", |terminal| terminal.rows().iter().any(|row| row.ends_with("(END)")));
    terminal.quit();
    let written = String::from_utf8(terminal.raw()).unwrap();
    assert!(written.contains("H\x1b[K"), "{written:?}");
    for (at, _) in written.match_indices("\x1b[K") {
        assert!(written[..at].ends_with('H'), "{:?}", &written[at.saturating_sub(20)..at + 3]);
    }
}

#[test]
fn hostile_json_does_nothing_to_the_terminal() {
    let text = concat!(
        r#"{"msg":"title \u001b]0;owned\u0007.","level":"\u001b[2J","k\u001b[31m":"\u009b2J"}"#,
        "\n",
        r#"{"time":"\u0000\b\r\u009d0;x","event":"\u001b[31mred\u001b[m \u202eevil \u001bc","a":["\u001bZ"]}"#,
        "\n{\"msg\":\"raw \x1b[6n\"}\n{\"msg\":\"\u{202e}\u{9b}\",\"b\":\"\u{2066}\"}\n"
    );
    let mut terminal = setup().file("a", text).size(100, 12).view("--fold a");
    terminal.shows(&[
        r#" title . "k\u001b[31m"="\u009b2J""#,
        r#"^@^H^M<U+009D>0;x red <U+202E>evil ^[c a=["\u001bZ"]"#,
        r#"{"msg":"raw "}"#,
        "<U+202E><U+009B> b=<U+2066>",
    ]);
    terminal.send("U").until("escape sequences as text", |terminal| {
        terminal.rows()[0].starts_with("^[[2J title ^[]0;owned^G.")
            && terminal.rows()[1].contains("^[[31mred")
    });
    terminal.quit();
    assert_eq!(foreign(&terminal), [""; 0]);
}
