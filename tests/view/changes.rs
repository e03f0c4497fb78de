//! Files that change while they are viewed.

use std::fs::{self, File, OpenOptions};
use std::io::Write;

use rread_testkit::terminal::{Terminal, lines, setup};

fn append(terminal: &Terminal, text: &str) {
    let mut file = OpenOptions::new().append(true).open(terminal.path("a")).unwrap();
    file.write_all(text.as_bytes()).unwrap();
}

#[test]
fn what_is_appended_is_there_and_followed() {
    let mut terminal = setup().file("a", lines(20)).view("a");
    terminal.send("G").shows(&["line 11"]);
    append(&terminal, "line 21\nline 22\nhalf");
    terminal.says("%");
    terminal
        .send("G")
        .shows(&["line 14", "line 15"])
        .until("the half line", |terminal| terminal.rows()[9 - 1] == "line 22");
    append(&terminal, " and the rest\n");
    terminal.until("the whole line", |terminal| terminal.rows()[9] == "half and the rest");
    terminal.send("F").says("following");
    append(&terminal, "last\n");
    terminal.until("the new line", |terminal| terminal.rows()[9] == "last");
    terminal.send("k").until("no following", |terminal| !terminal.status().contains("following"));
    append(&terminal, "unseen\n");
    terminal.send("g").shows(&["line 1"]);
    terminal.quit();
}

#[test]
fn a_truncated_file_is_noted_and_shown_anew() {
    let mut terminal = setup().file("a", lines(2000)).view("a");
    terminal.send("G").shows(&["line 1991"]);
    File::create(terminal.path("a")).unwrap().write_all(lines(3).as_bytes()).unwrap();
    terminal.says("the file was").shows(&["line 1", "line 2", "line 3", "~"]);
    terminal.send("j");
    terminal.quit();
    let mut terminal = setup().file("a", lines(2000)).view("a");
    terminal.send("500j").shows(&["line 501"]);
    File::create(terminal.path("a")).unwrap();
    terminal.says("the file was truncated").shows(&["", ""]);
    terminal.send("G").send("g").send("50%").quit();
}

#[test]
fn a_replaced_file_is_noted_and_followed() {
    let mut terminal = setup().file("a", lines(50)).view("a");
    terminal.shows(&["line 1"]);
    fs::rename(terminal.path("a"), terminal.path("a.1")).unwrap();
    fs::write(terminal.path("a"), "new 1\nnew 2\n").unwrap();
    terminal.says("the file was replaced; R shows the new one").shows(&["line 1"]);
    terminal.send("R").shows(&["new 1", "new 2", "~"]);
    terminal.send("F").says("following");
    fs::rename(terminal.path("a"), terminal.path("a.2")).unwrap();
    fs::write(terminal.path("a"), "newer\n").unwrap();
    terminal.says("the file was replaced; this is the new one").shows(&["newer", "~"]);
    append(&terminal, "newest\n");
    terminal.shows(&["newer", "newest", "~"]);
    fs::remove_file(terminal.path("a")).unwrap();
    terminal.send("R").says("cannot open").shows(&["newer"]);
    fs::write(terminal.path("a"), "alone\n").unwrap();
    terminal.send("R").shows(&["alone", "~"]);
    terminal.quit();
}

#[test]
fn a_count_is_that_of_the_file_as_it_is_shown() {
    let mut terminal = setup().file("a", "INFO a\n").view("--follow a");
    terminal.shows(&["INFO a"]).send("/ERROR\r").says("no match below").says("no matches");
    append(&terminal, "ERROR b\n");
    terminal.says("of 1 ").until("no old answer", |terminal| !terminal.status().contains("no match"));
    append(&terminal, "ERR");
    terminal.shows(&["INFO a", "ERROR b", "ERR", "~"]).says("of 1 ");
    append(&terminal, "OR c\nx\n");
    terminal.says("of 2 ");
    for count in 3..8 {
        append(&terminal, "ERROR and more\n");
        terminal.says(&format!("of {count} "));
    }
    terminal.send("F").says("already following");
    File::create(terminal.path("a")).unwrap().write_all(b"ERROR\n").unwrap();
    terminal.shows(&["ERROR", "~"]).send("\x0c").says("of 1 ");
    terminal.quit();
    // The same for a stream that goes on.
    let late = "(echo ERROR; while [ ! -e go ]; do sleep 0.01; done; echo ERROR; sleep 100)";
    let mut terminal = setup().run(&format!("{late} | rread view -"));
    terminal.shows(&["ERROR"]).send("/ERROR\r").says("1 of 1+");
    fs::write(terminal.path("go"), "").unwrap();
    terminal.says("of 2+");
}
