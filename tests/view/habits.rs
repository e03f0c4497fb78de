//! What people who know less type without thinking.

use rread_testkit::terminal::{lines, setup};

#[test]
fn keys_of_less_work_or_name_another_key() {
    let mut terminal = setup().size(100, 11).file("a", lines(300)).view("a");
    terminal.shows(&["line 1"]);
    for (keys, first) in [("50p", "line 157"), ("J", "line 158"), ("K", "line 157"), ("\x1bv", "line 147")] {
        terminal.send(keys).shows(&[first]);
    }
    for (keys, first) in [("\x1b ", "line 157"), ("\x1b>", "line 291"), ("\x1b<", "line 1")] {
        terminal.send(keys).shows(&[first]);
    }
    for (keys, answer) in [
        ("{", "{ is not a key: h lists the keys"),
        (":n\r", "'n' is not a line number"),
        ("\x1c", "^\\ is not a key: h lists the keys"),
        ("\x17", "^W is not a key: h lists the keys"),
        ("\x1b_", "ESC-_ is not a key: h lists the keys"),
        (":f\r", "a: lines 1-10"),
        (":x1\r", "'x1' is not a line number"),
        ("-q", "-q is not an option here: S wraps or cuts"),
        ("-S", "long lines are cut"),
        ("-S", "long lines wrap"),
        ("-n", "no line numbers"),
        ("-N", "line numbers; # again"),
        ("-n", "no line numbers"),
        ("-I", "searches ignore case, also that of the pattern"),
        ("-I", "searches respect case"),
        ("-U", "escape sequences and overstrikes are shown as text"),
        ("-R", "colours and overstrikes are shown as such"),
        ("Z", "ZZ quits"),
    ] {
        if keys.contains(":f") {
            for name in ["line numbers", "byte offsets", "hashes of lines", "no line numbers"] {
                terminal.send("#").says(name);
            }
        }
        terminal.send(keys).says(answer);
    }
    // After Z, another key is that key.
    terminal.send("j").shows(&["line 2"]);
    terminal.send("ZZ");
    assert_eq!(terminal.code(), 0);
    let mut terminal = setup().file("a", "x").view("a");
    terminal.shows(&["x"]).send(":q\r");
    assert_eq!(terminal.code(), 0);
}

#[test]
fn case_and_highlighting_are_switched() {
    let mut terminal = setup().file("a", lines(30) + "One NEEDLE\n").view("a");
    terminal.send("/needle\r").says("no match below").says("no matches");
    terminal.send("-i").says("searches ignore case");
    // The last search too.
    terminal.send("n").says("1 of 1");
    terminal.send("g/NEEDLE\r").says("1 of 1").send("g/NeEDLE\r").says("no match below");
    terminal.send("-I").says("also that of the pattern").send("n").says("1 of 1");
    terminal.send("g/needle\r").says("1 of 1").until("the match", |terminal| {
        (0..10).any(|row| terminal.is_reverse(row, 4) && !terminal.is_reverse(row, 3))
    });
    terminal.send("\x1bu").says("matches are not highlighted");
    terminal.until("no match", |terminal| (0..10).all(|row| !terminal.is_reverse(row, 4)));
    terminal.send("\x1bu").says("matches are highlighted");
    terminal.until("the match", |terminal| (0..10).any(|row| terminal.is_reverse(row, 4)));
    terminal.quit();
}

#[test]
fn a_place_with_a_plus_is_that_of_less() {
    let log: String =
        (0..300).map(|n| format!("line {n}{}\n", if n == 77 { " needle" } else { "" })).collect();
    for (words, first) in [
        ("+100 a", "line 99"),
        ("a +100", "line 99"),
        ("+100g a", "line 99"),
        ("+50% a", "line 1"),
        ("+/needle a", "line 77 needle"),
        ("+G a", "line 290"),
        ("+F a", "line 290"),
        ("- +100 < a", "line 99"),
        ("+100 < a", "line 99"),
    ] {
        let mut terminal = setup().file("a", &log).view(words);
        terminal.until(words, |terminal| terminal.rows()[0].starts_with(first));
        terminal.quit();
    }
    let mut terminal = setup().file("a", &log).view("+x a");
    assert_eq!(terminal.code(), 2);
    terminal
        .shows(&["rread: '+x' is not a line number or a percentage", "hint: rread view a 500000 (or 50%)"]);
    for (words, given) in [("a b", 2), ("a b a", 3), ("a 5 b", 3)] {
        let mut terminal = setup().size(120, 5).file("a", &log).file("b", "x").view(words);
        assert_eq!(terminal.code(), 2);
        let hint = "hint: rread view a (or --merge, for logs in the order of time)";
        terminal.shows(&[&format!("rread: rread view shows one file, and {given} were given"), hint]);
    }
    // A file of that name is that file.
    let mut terminal = setup().file("+100", "plus\n").view("+100");
    terminal.shows(&["plus"]).quit();
}

#[test]
fn options_of_less_are_accepted_or_refused() {
    for words in ["-j 10 a", "-x4 a", "--mouse a"] {
        let mut terminal = setup().size(200, 5).file("a", "x\n").view(words);
        assert_eq!(terminal.code(), 2, "{words}");
        terminal.until(words, |terminal| terminal.rows()[0].contains("rread view has no option -"));
    }
    for words in
        ["-R a", "-XRMKrsQqfLmn a", "-R -R --no-init a", "--RAW-CONTROL-CHARS --quit-on-intr --silent a"]
    {
        let mut terminal = setup().file("a", "x\n").view(words);
        terminal.shows(&["x", "~"]).quit();
    }
    let mut terminal = setup().file("a", "x\n").view("--chop-long-lines --LINE-NUMBERS a");
    terminal.shows(&["      1 x"]).quit();
}

/// Numbers before keys, and what less does.
#[test]
fn numbers_mean_what_they_mean_in_less() {
    let text: String =
        (1..=2000).map(|n| format!("line {n}{}\n", if n % 97 == 0 { " ERROR" } else { "" })).collect();
    let mut terminal = setup().file("a", text).view("a");
    terminal.shows(&["line 1"]);
    for (keys, first) in [
        ("3/ERROR\r", "line 291 ERROR"),
        ("g/ERROR\r5n", "line 582 ERROR"),
        ("2N", "line 388 ERROR"),
        ("2000G2?ERROR\r", "line 1843 ERROR"),
        ("2n", "line 1649 ERROR"),
        ("gg99/ERROR\r", "line 1"),
        ("12.5%", "line 275"),
        (":12.5%\r", "line 275"),
        ("g3d", "line 4"),
        ("d", "line 7"),
        ("u", "line 4"),
        ("\x04", "line 7"),
        ("5u", "line 2"),
        ("d", "line 7"),
        ("g3z", "line 4"),
        ("z", "line 7"),
        ("f", "line 10"),
        ("b", "line 7"),
        ("5f", "line 12"),
        (" ", "line 15"),
        ("1000P", "line 123"),
        ("2.9j", "line 125"),
    ] {
        terminal.send(keys).shows(&[first]);
    }
    terminal.quit();
    let mut terminal = setup().file("a", lines(2000)).view("a 12.5%");
    terminal.shows(&["line 275"]).quit();
    let long = "0123456789".repeat(20) + "end";
    let mut terminal = setup().file("a", long + "\n").view("-S a");
    for (keys, first) in [
        ("10\x1b[C", "0123"),
        ("\x1b[C", "0123"),
        ("5\x1b[C", "5678"),
        ("\x1b[D", "0123"),
        ("\x1b[1;5C", "3456"),
        ("\x1b[1;5D", "0123"),
        ("\x1b}", "3456"),
        ("\x1b{", "0123"),
    ] {
        terminal.send(keys).until(keys, |terminal| terminal.rows()[0].starts_with(first));
    }
    terminal.send("\x1b}").until("the end", |terminal| terminal.rows()[0].ends_with("end"));
    terminal.quit();
}

/// Keys before a pattern, and the line to which less goes.
#[test]
fn modifiers_of_searches_are_those_of_less() {
    let line = |n: usize| {
        if n.is_multiple_of(10) { format!("bar 5 info {n}\n") } else { format!("info (bar 5) {n}\n") }
    };
    let mut text: String = (1..=300).map(line).collect();
    text += "plain line\n";
    text.extend((1..=20).map(|n| format!("info z {n}\n")));
    let mut terminal = setup().file("a", text).view("a");
    for (keys, first) in [
        ("/!info\r", "plain line"),
        ("g/\x0einfo\r", "plain line"),
        ("G?!info\r", "plain line"),
        ("g/\x12(bar 5)\r", "info (bar 5) 1"),
        ("n", "info (bar 5) 2"),
        ("/\x12bar 5)\r", "info (bar 5) 2"),
        ("/plain\r", "plain line"),
        ("/\x17bar 5 info\r", "bar 5 info 10"),
        ("3n", "bar 5 info 40"),
        ("N", "bar 5 info 30"),
        ("3N", "bar 5 info 300"),
        ("n", "bar 5 info 10"),
        ("G/@plain\r", "plain line"),
        ("G/\x06bar\r", "info (bar 5) 1"),
        ("?@plain\r", "plain line"),
        ("g/*plain\r", "plain line"),
        ("g/\x05plain\r", "plain line"),
        ("g/\x0bplain\r", "info (bar 5) 1"),
        ("n", "plain line"),
        ("g/\x16!info\r", "info (bar 5) 1"),
        ("g&5 info\r", "bar 5 info 10"),
        ("&0$\r", "bar 5 info 10"),
        ("&!info 1\r", "bar 5 info 20"),
        ("/00$\r", "bar 5 info 200"),
        ("/info\r", "bar 5 info 200"),
        // No further: the last line stays at the bottom.
        ("2n", "bar 5 info 210"),
        ("N", "bar 5 info 210"),
        ("&\r", "bar 5 info 210"),
        ("g&\x12(bar\r", "info (bar 5) 1"),
    ] {
        terminal.send(keys).shows(&[first]);
    }
    terminal.send("y").says("rread search -F -e '(bar' a --in b");
    // Matches in lines that are not shown do not count.
    terminal.send("&\rg/info 1\r").says("1 of 11").send("&00$\r").says("of 1 ");
    terminal.send("&\r").says("of 11");
    terminal.quit();
    let mut terminal =
        setup().file("a", "info\nplain\n".to_owned() + &"info\n".repeat(20)).view("'+/!info' a");
    terminal.shows(&["plain"]).quit();
}

#[test]
fn the_text_of_a_prompt_is_edited() {
    let mut terminal = setup().file("a", lines(100)).view("a");
    terminal.send("/ine 7").says("/ine 7").send("\x1b[H").send("l").says("/line 7").send("\x1b[F1\r");
    terminal.shows(&["line 71"]);
    terminal.send("/\x1b[A").says("/line 71").send("\x1b[D\x7f8\r").shows(&["line 81"]);
    terminal.quit();
}

#[test]
fn an_empty_file_says_so() {
    let mut terminal = setup().file("a", "").view("a");
    terminal.send("=").says("a is empty");
    terminal.quit();
}
