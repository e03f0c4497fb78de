//! `--merge`: the records of several logs as one text in the order of time.

use std::fmt::Write;

use rread_testkit::terminal::{Setup, Terminal, setup};

/// A record of `file`, `n` seconds after 06:00.
fn record(file: &str, n: usize) -> String {
    format!("2026-11-23T06:{:02}:{:02}Z {file} {n}", n / 60, n % 60)
}

/// Every other second of ten minutes in each of two files; some records of the second have a line more.
fn logs() -> (String, String) {
    let (mut a, mut b) = (String::new(), String::new());
    for n in (0..600).step_by(2) {
        writeln!(a, "{}", record("a", n)).unwrap();
        writeln!(b, "{}", record("b", n + 1)).unwrap();
        if n % 20 == 10 {
            writeln!(b, "\tmore").unwrap();
        }
    }
    (a, b)
}

fn both() -> Setup {
    let (a, b) = logs();
    setup().file("a.log", a).file("b.log", b).size(80, 11)
}

/// Waits for the first rows of the screen; the names of files have blanks before them.
fn begins(terminal: &mut Terminal, rows: &[&str]) {
    terminal.until(&rows.join("\n"), |terminal| {
        terminal.rows().iter().zip(rows).all(|(row, expected)| row.trim_start() == *expected)
    });
}

#[test]
fn records_stand_in_the_order_of_time_with_their_file_and_line() {
    let mut terminal = both().view("a.log b.log --merge");
    begins(
        &mut terminal,
        &[
            &format!("a.log:1 {}", record("a", 0)),
            &format!("b.log:1 {}", record("b", 1)),
            &format!("a.log:2 {}", record("a", 2)),
        ],
    );
    terminal.says("(2 files merged)").says("a.log:1 ");
    // A line without a time follows its record.
    terminal.send("/more\r");
    begins(&mut terminal, &["b.log:7         more", &format!("a.log:7 {}", record("a", 12))]);
    terminal.says("b.log:7 ");
    terminal.send("G").until("the end", |terminal| terminal.rows()[9].ends_with(&record("b", 599)));
    terminal.says("(END)");
    terminal.send("50%").until("the middle", |terminal| terminal.rows()[0].contains("06:05:0"));
    for (time, file, n) in [("06:05:30", "a", 330), ("06:05:31", "b", 331), ("2026-11-23T06:00:00", "a", 0)] {
        terminal.send(&format!("t{time}\r"));
        terminal.until(time, |terminal| terminal.rows()[0].ends_with(&record(file, n)));
    }
    terminal.send("t07:00\r").says("no record is at or after");
    // R merges what is there now.
    std::fs::write(terminal.path("b.log"), record("b", 1) + "\n").unwrap();
    terminal.send("RG").until("the new end", |terminal| terminal.rows()[8].ends_with(&record("a", 596)));
    // The command that prints the screen.
    terminal.send("g").says("a.log:1 ").send("y").says("rread ranges a.log:1-9 b.log:1 --merge");
    terminal.quit();
}

#[test]
fn the_names_of_files_can_be_left_out_and_line_numbers_shown() {
    let mut terminal = both().view("a.log b.log --merge --no-path");
    terminal.shows(&[&record("a", 0), &record("b", 1)]);
    terminal.send("#");
    begins(&mut terminal, &[&format!("a.log:1 {}", record("a", 0))]);
    terminal
        .send("#")
        .shows(&[&format!("      1 {}", record("a", 0)), &format!("      2 {}", record("b", 1))]);
    terminal.send("###").shows(&[&record("a", 0)]);
    // Filters leave the numbers of the files.
    terminal.send("#&b 1[0-9]1$\r");
    begins(
        &mut terminal,
        &[&format!("b.log:56 {}", record("b", 101)), &format!("b.log:61 {}", record("b", 111))],
    );
    terminal.says("filtered");
    terminal.quit();
    let mut terminal = both().view("a.log b.log --merge -N");
    terminal.shows(&[&format!("      1 {}", record("a", 0))]).quit();
}

#[test]
fn a_window_has_the_records_of_all_files_in_it() {
    let mut terminal = both().view("a.log b.log --merge --no-path --since 06:01 --until +3s");
    terminal.shows(&[&record("a", 60), &record("b", 61), &record("a", 62), "~"]).says("(END)");
    terminal.quit();
    // Times of day in this order are of one night.
    let mut terminal = both().view("a.log b.log --merge --no-path --since 06:09:58 --until 06:00:00");
    terminal.shows(&[&record("a", 598), &record("b", 599), "~"]).quit();
    let mut terminal = both().view("a.log b.log --merge --since 2026-11-23 --until 2026-11-22");
    assert_eq!(terminal.code(), 2);
}

#[test]
fn a_file_that_cannot_be_merged_is_a_note() {
    let setup = both().file("none.txt", "no times\n").size(120, 11);
    let mut terminal = setup.view("a.log none.txt gone.log b.log --merge --no-path");
    terminal.shows(&[&record("a", 0), &record("b", 1)]);
    terminal.says("none.txt: has no times").says("gone.log: cannot open");
    terminal.send("j").says("a.log, b.log (2 files merged)").quit();
    // None of them: the error is that of the first.
    let mut terminal = setup_alone().view("none.txt none.txt --merge");
    assert_eq!(terminal.code(), 6);
}

fn setup_alone() -> Setup {
    setup().file("none.txt", "no times\n").size(120, 5)
}

#[test]
fn every_kind_of_input_is_merged() {
    let (_, b) = logs();
    let wide: Vec<u8> = format!("\u{feff}{b}").encode_utf16().flat_map(u16::to_le_bytes).collect();
    let expected = |terminal: &mut Terminal, name: &str| {
        begins(terminal, &[&format!("a.log:1 {}", record("a", 0)), &format!("{name}:1 {}", record("b", 1))]);
        terminal.send("G").until("the end", |terminal| terminal.rows()[9].ends_with(&record("b", 599)));
        terminal
            .send("t06:05:31\r")
            .until("the time", |terminal| terminal.rows()[0].ends_with(&record("b", 331)));
        terminal.quit();
    };
    expected(&mut both().run("gzip b.log && exec rread view a.log b.log.gz --merge"), "b.log.gz");
    expected(&mut both().run("exec rread view a.log - --merge < <(cat b.log)"), "-");
    expected(&mut both().file("w.log", wide).view("a.log w.log --merge"), "w.log");
    let carriage = b.replace('\n', "\r\n");
    expected(&mut both().file("c.log", carriage.trim_end()).view("a.log c.log --merge"), "c.log");
}

#[test]
fn zones_are_those_of_the_files() {
    let setup = setup().size(80, 6);
    let setup = setup.file("a.log", "2026-11-23 06:00:00 a\n2026-11-23 06:00:02 c\n");
    let setup = setup.file("b.log", "2026-11-23 15:00:01 b\n2026-11-23 15:00:03 d\n");
    let mut terminal = setup.view("a.log b.log --merge --tz UTC --tz b.log=Asia/Tokyo");
    begins(
        &mut terminal,
        &["a.log:1 2026-11-23 06:00:00 a", "b.log:1 2026-11-23 15:00:01 b", "a.log:2 2026-11-23 06:00:02 c"],
    );
    terminal.send("t06:00:03\r").says("(END)");
    terminal.send("gy").says("rread ranges a.log:1-2 b.log:1-2 --merge --tz UTC --tz b.log=Asia/Tokyo");
    terminal.quit();
}

#[test]
fn without_a_terminal_it_copies_as_lines_does() {
    let mut terminal = both().run(
        "rread lines a.log b.log --merge -f text > lines; rread view a.log b.log --merge | cmp - lines && echo same;
         rread lines a.log b.log --merge -f text --no-path > bare; rread view a.log b.log --merge --no-path | cmp - bare && echo same;
         echo none > none; rread view a.log none --merge 2> err | tail -1; echo ${PIPESTATUS[0]}",
    );
    terminal.shows(&["same", "same", &format!("a.log:300:{}", record("a", 598)), "6"]);
}

#[test]
fn a_place_begins_the_view() {
    for (words, row) in [
        ("a.log b.log +/a.152$ --merge --no-path", record("a", 152)),
        ("a.log b.log --merge --no-path -p 'b 77$'", record("b", 77)),
        ("a.log b.log 3 --merge --no-path", record("a", 2)),
    ] {
        let mut terminal = both().view(words);
        terminal.until(words, |terminal| terminal.rows()[0] == row);
        terminal.quit();
    }
    for (words, error) in [
        ("--merge", "rread: --merge needs files"),
        ("a.log b.log --merge --follow", "rread: --merge cannot be used with --follow"),
        ("a.log b.log +F --merge", "rread: merged files are not followed in the viewer"),
        (
            "a.log b.log --merge --tz c.log=UTC",
            "rread: --tz has the zone of 'c.log', which is not one of the files",
        ),
        ("a.log --no-path", "rread: "),
    ] {
        let mut terminal = both().view(words);
        assert_eq!(terminal.code(), 2, "{words}");
        terminal.until(words, |terminal| terminal.rows()[0].starts_with(error));
    }
}

/// Much more text than is kept in memory, in short records of files that alternate.
#[test]
fn places_are_known_in_a_long_text() {
    let lines = |second: usize| (0..40_000).map(|n| record_of(2 * n + second)).collect::<String>();
    let mut terminal =
        setup().size(80, 6).file("a.log", lines(0)).file("b.log", lines(1)).view("a.log b.log --merge");
    terminal.send("G").until("the end", |terminal| {
        terminal.rows()[4].ends_with(&format!("b.log:40000 {}", record_of(79_999).trim_end()))
    });
    terminal.send("t2026-11-23T16:40:00\r").until("the time", |terminal| {
        terminal.rows()[0].ends_with(&format!("a.log:30001 {}", record_of(60_000).trim_end()))
    });
    terminal.send(":40000\r").until("the line", |terminal| {
        terminal.rows()[0].ends_with(&format!("b.log:20000 {}", record_of(39_999).trim_end()))
    });
    terminal.quit();
}

fn record_of(n: usize) -> String {
    format!("2026-11-23T{:02}:{:02}:{:02}Z record\n", n / 3600, n / 60 % 60, n % 60)
}
