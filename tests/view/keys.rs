//! Every key, on files of a few lines.

use rread_testkit::terminal::{LINES, Terminal, lines, setup, ten};

fn at(terminal: &mut Terminal, first: usize) {
    let rows = ten(first);
    let rows: Vec<&str> = rows.iter().map(String::as_str).collect();
    terminal.shows(&rows);
}

#[test]
fn movements_are_those_of_less() {
    let mut terminal = setup().file("a", lines(200)).view("a");
    at(&mut terminal, 1);
    for (keys, first) in [
        ("j", 2),
        ("\r", 3),
        ("\x1b[B", 4),
        ("\x1bOB", 5),
        ("k", 4),
        ("\x1b[A", 3),
        ("f", 13),
        (" ", 23),
        ("\x1b[6~", 33),
        ("b", 23),
        ("\x1b[5~", 13),
        ("d", 18),
        ("u", 13),
        ("7j", 20),
        ("3k", 17),
        ("G", 191),
        ("j", 191),
        ("g", 1),
        ("k", 1),
        ("50G", 50),
        ("100g", 100),
        (":150\r", 150),
        ("50%", 107),
        (":25%\r", 55),
        ("\x1b[H", 1),
        ("\x1b[F", 191),
        ("1000000j", 191),
        ("1000000k", 1),
        ("\x06", 11),
        ("\x02", 1),
        ("\x04", 6),
        ("\x15", 1),
        ("jjjjjkk", 4),
    ] {
        terminal.send(keys);
        at(&mut terminal, first);
    }
    terminal.quit();
}

#[test]
fn a_search_shows_its_matches_and_counts_them() {
    let text = lines(300).replace("line 77\n", "line 77 needle\n").replace("line 150\n", "a needle needle\n");
    let text = text.replace("line 222\n", "needle of line 222\n");
    let mut terminal = setup().file("a", text).view("a");
    terminal.send("/need[l]e\r").says("1 of 3").shows(&["line 77 needle", "line 78"]);
    assert!(terminal.is_reverse(0, 8) && terminal.is_reverse(0, 13));
    assert!(!terminal.is_reverse(0, 7) && !terminal.is_reverse(0, 14));
    terminal.send("n").says("2 of 3").shows(&["a needle needle"]);
    terminal.send("n").says("3 of 3").shows(&["needle of line 222"]);
    terminal.send("n").says("no match below");
    terminal.send("N").says("2 of 3").shows(&["a needle needle"]);
    terminal.send("g?needle\r").says("no match above");
    terminal.send("G?needle\r").says("3 of 3").shows(&["needle of line 222"]);
    terminal.send("n").says("2 of 3").shows(&["a needle needle"]);
    terminal.send("N").says("3 of 3").shows(&["needle of line 222"]);
    terminal.send("/(\r").says("the pattern '(' is not valid at character 1: unclosed group");
    terminal.send("/absent\r").says("no matches");
    terminal.quit();
}

#[test]
fn a_filter_leaves_the_lines_that_match() {
    let mut terminal = setup().file("a", lines(300)).view("a");
    terminal.send("&7$\r").shows(&["line 7", "line 17", "line 27"]).says("filtered");
    terminal.send("j").shows(&["line 17"]);
    terminal.send("G").shows(&["line 207", "line 217"]);
    terminal.send("k").shows(&["line 197", "line 207"]);
    terminal.send("50%").shows(&["line 157"]);
    terminal.send("&\r").shows(&["line 157", "line 158"]);
    terminal.send("g&![1-8]\r").shows(&["line 9", "line 90", "line 99"]).says("filtered");
    terminal.send("y").says("rread search -v -e '[1-8]' a --in b");
    terminal.send("&\r");
    terminal.send("&absent\r").shows(&["", ""]);
    terminal.send("&\r").until("lines again", |terminal| terminal.rows()[0].starts_with("line "));
    terminal.quit();
}

#[test]
fn lines_have_their_numbers() {
    let mut terminal = setup().file("a", "short\n".repeat(5) + &"x".repeat(100) + "\nlast\n").view("-N a");
    terminal.shows(&["      1 short", "      2 short"]);
    terminal.until("a number for the long line", |terminal| terminal.rows()[5].starts_with("      6 xxx"));
    assert_eq!(terminal.rows()[6], format!("        {}", "x".repeat(48)));
    assert_eq!(terminal.rows()[7], "      7 last");
    terminal.says("lines 1-7 of 7  (END)");
    terminal.send("###").shows(&["short"]);
    terminal.quit();
}

#[test]
fn numbers_are_counted_wherever_the_screen_is() {
    let mut terminal = setup().file("a", lines(200_000)).view("a");
    terminal.send("#50%").until("the number of the line shown", |terminal| {
        let row = &terminal.rows()[0];
        let words: Vec<&str> = row.split_whitespace().collect();
        words.len() == 3 && words[0] == words[2] && words[1] == "line"
    });
    terminal.says("of 200000");
    terminal.send(":123456\r").shows(&[" 123456 line 123456"]);
    terminal.send("G").shows(&[" 199991 line 199991"]);
    terminal.send(":999999\r").says("line 999999 is beyond the end of the file (200000 lines)");
    terminal.quit();
}

#[test]
fn filtered_lines_have_their_numbers() {
    let mut terminal = setup().file("a", lines(200_000)).view("-N a");
    let is_numbered = |terminal: &Terminal| {
        terminal.rows()[..10].iter().all(|row| {
            let words: Vec<&str> = row.split_whitespace().collect();
            words.len() == 3 && words[0] == words[2] && words[1] == "line"
        })
    };
    terminal.send("&77$\r").shows(&["     77 line 77", "    177 line 177"]).says("lines 77-977 of 200000");
    for (keys, row) in [("50%", 0), ("k", 1), ("f", 0), ("G", 9), ("ggj", 0)] {
        let before = terminal.rows()[row].clone();
        terminal.send(keys).until(keys, |terminal| terminal.rows()[row] != before && is_numbered(terminal));
    }
    terminal.send("###").shows(&["line 177"]).send("=").says("lines 177-1077");
    terminal.send("&\r").shows(&["line 177", "line 178"]);
    terminal.send("&absent\r#").says("filtered");
    terminal.quit();
}

#[test]
fn long_lines_wrap_or_scroll() {
    let long = format!("{}{}", "0123456789".repeat(12), "end");
    let mut terminal = setup().file("a", format!("{long}\nnext\n")).view("a");
    let row = "0123456789".repeat(6);
    terminal.shows(&[&row, &row, "end", "next"]);
    let cut = format!("{}>", &row[..59]);
    terminal.send("w").shows(&[&cut, "next"]);
    terminal.send("\x1b[C").shows(&[&cut, ""]);
    terminal.send("\x1b[C\x1b[C\x1b[C").shows(&["end"]);
    terminal.send("\x1b[D").shows(&[&(("0123456789".repeat(3)) + "end")]);
    terminal.send("^").shows(&[&cut, "next"]);
    terminal.send("/end\r").until("the match", |terminal| terminal.rows()[0].ends_with("end"));
    assert!(!terminal.rows()[0].starts_with("0123456789".repeat(5).as_str()));
    terminal.send("w").shows(&[&row, &row, "end"]);
    terminal.quit();
}

#[test]
fn marks_return_to_their_places() {
    let mut terminal = setup().file("a", lines(200)).view("a");
    terminal.send("10j");
    at(&mut terminal, 11);
    terminal.send("ma").says("mark a");
    terminal.send("G");
    at(&mut terminal, 191);
    terminal.send("'a");
    at(&mut terminal, 11);
    terminal.send("''");
    at(&mut terminal, 191);
    terminal.send("'b").says("there is no mark b");
    terminal.quit();
}

#[test]
fn a_time_is_gone_to() {
    let log: String =
        (0..600).map(|n| format!("2026-11-23T06:{:02}:{:02}Z INFO {n}\n", n / 60, n % 60)).collect();
    let mut terminal = setup().file("a.log", log).view("a.log");
    terminal.send("t06:03:07\r").shows(&["2026-11-23T06:03:07Z INFO 187"]);
    terminal.send("t07:00\r").says("no record is at or after 2026-11-23T07:00:00");
    terminal.send("tnonsense\r").says("nonsense");
    terminal.quit();
    let mut terminal = setup().file("a", lines(20)).view("a");
    terminal.send("t06:00\r").says("has no times that rread recognises");
    terminal.quit();
}

#[test]
fn the_command_that_prints_the_screen_is_copied() {
    let mut terminal = setup().file("a b", lines(50)).view("'a b'");
    terminal.says("lines 1-10").send("5jy").says("rread lines 'a b' 6:15");
    let coded = data_encoding::BASE64.encode(b"rread lines 'a b' 6:15");
    assert!(String::from_utf8_lossy(&terminal.raw()).contains(&format!("\x1b]52;c;{coded}\x1b\\")));
    terminal.send("&7\r").shows(&["line 7", "line 17"]);
    terminal.send("y").says("rread search -e 7 'a b' --in b");
    terminal.quit();
}

#[test]
fn the_help_lists_the_keys() {
    let mut terminal = setup().file("a", lines(50)).view("a");
    terminal.send("h").until("help", |terminal| terminal.rows()[0].starts_with("Keys of rread view"));
    terminal.send("G").shows(&["line 1"]);
    terminal.send("hf").until("more help", |terminal| !terminal.rows()[0].starts_with("Keys"));
    terminal.send("q").shows(&["line 1"]);
    terminal.send("V").says("h lists the keys");
    terminal.quit();
}

#[test]
fn a_place_is_given_on_the_command_line() {
    for (words, first) in [
        ("a 100", 100),
        ("a:120", 120),
        ("a 50%", 107),
        ("-p 'line 77$' a", 77),
        ("-i -p 'LINE 5' a", 0),
        ("-i -p 'line 5' a", 5),
        ("--follow a", 191),
    ] {
        let mut terminal = setup().file("a", lines(200)).view(words);
        if first == 0 {
            terminal.says("no match");
        } else {
            at(&mut terminal, first);
        }
        terminal.quit();
    }
}

#[test]
fn the_screen_has_a_status_line() {
    let mut terminal = setup().file("a", lines(200)).view("a");
    terminal.says("lines 1-10  4%");
    assert_eq!(terminal.rows().len(), usize::from(LINES));
    terminal.send("=").says("a: lines 1-10, bytes 0-71 of 1692  4%");
    terminal.send("12").says(":12");
    terminal.send("\x1b").says("a ");
    terminal.quit();
}
