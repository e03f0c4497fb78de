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
        ("!", "! is not a key: Ctrl-Z goes to the shell"),
        ("|", "| is not a key: y copies the command that prints the screen"),
        ("s", "s is not a key: y copies"),
        ("{", "{ is not a key: h lists the keys"),
        ("\x17", "^W is not a key: h lists the keys"),
        ("\x1b_", "ESC-_ is not a key: h lists the keys"),
        (":n\r", "rread view shows one file: q, then rread view OTHER"),
        (":e other\r", "rread view shows one file"),
        (":f\r", "a: lines 1-10"),
        (":x1\r", "'x1' is not a line number"),
        ("-x", "-x is not an option here: S wraps or cuts"),
        ("-S", "long lines are cut"),
        ("-S", "long lines wrap"),
        ("-N", "line numbers"),
        ("-N", "no line numbers"),
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
    terminal.send("/needle\r").says("1 of 1").until("the match", |terminal| {
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
    let mut terminal = setup().file("a", &log).file("b", "x").view("a b");
    assert_eq!(terminal.code(), 2);
    terminal.shows(&["rread: rread view shows one file, and 2 were given", "hint: rread view a"]);
    // A file of that name is that file.
    let mut terminal = setup().file("+100", "plus\n").view("+100");
    terminal.shows(&["plus"]).quit();
}

#[test]
fn options_of_less_are_refused_with_what_is_done_instead() {
    for (words, why, hint) in [
        ("-R a", "-R: colours are always shown", "hint: rread view a"),
        ("-FRX a", "-R: colours are always shown", "hint: rread view a"),
        ("-SR a", "-R: colours", "hint: rread view -S a"),
        ("-X a", "-X: the screen of the shell always comes back", "hint: rread view a"),
        ("-j 10 a", "-j: N before a key says how far it goes", "hint: rread view a"),
        ("-x4 a", "-x: tab stops are 8 columns apart", "hint: rread view a"),
        ("-M", "-M: the status line", "hint: rread view FILE"),
    ] {
        let mut terminal = setup().size(200, 5).file("a", "x\n").view(words);
        assert_eq!(terminal.code(), 2, "{words}");
        terminal.until(words, |terminal| terminal.rows()[1] == hint && terminal.rows()[0].contains(why));
    }
    let mut terminal = setup().file("a", "x\n").view("--chop-long-lines --LINE-NUMBERS a");
    terminal.shows(&["      1 x"]).quit();
}

#[test]
fn an_empty_file_says_so() {
    let mut terminal = setup().file("a", "").view("a");
    terminal.send("=").says("a is empty");
    terminal.quit();
}
