//! A view that ends at a time, and what stands before the lines.

use rread_testkit::terminal::setup;

/// One record a second from 06:00:00 on.
fn log() -> String {
    (0..600).map(|n| format!("2026-11-23T06:{:02}:{:02}Z INFO {n}\n", n / 60, n % 60)).collect()
}

fn record(n: usize) -> String {
    format!("2026-11-23T06:{:02}:{:02}Z INFO {n}", n / 60, n % 60)
}

#[test]
fn a_view_ends_at_the_time_that_until_names() {
    let mut terminal = setup().file("a", log()).view("a --since 06:03 --until 06:04:10 -N");
    terminal.shows(&[&format!("    181 {}", record(180))]).says("of 600");
    terminal.send("G").shows(&[&format!("    241 {}", record(240))]).says("(END at 06:04:10)");
    for keys in ["j", "f", ":500\r", "100%", "100000j"] {
        terminal.send("g").shows(&[&format!("      1 {}", record(0))]);
        terminal.send(keys);
        if keys != "j" && keys != "f" {
            terminal.shows(&[&format!("    241 {}", record(240))]);
        }
    }
    terminal.send("g/INFO 2[0-9]*9$\r").says("of 6");
    terminal.send("/INFO 250\r").says("no match below");
    terminal.send("&INFO 2.9$\r").until("the last match", |terminal| {
        terminal.rows()[4].ends_with("INFO 249") && terminal.rows()[5] == "~"
    });
    terminal.quit();
    // Of a compressed log too; a time that counts from the first one.
    let mut terminal =
        setup().file("a", log()).run("gzip a && exec rread view a.gz --since 06:03 --until +1m");
    terminal.shows(&[&record(180)]).send("G").shows(&[&record(230)]).says("(END at +1m)");
    terminal.quit();
}

#[test]
fn a_window_is_refused_where_there_is_none() {
    let mut terminal = setup().size(120, 5).run("exec rread view - --until 06:00 < <(seq 10)");
    assert_eq!(terminal.code(), 2);
    terminal.shows(&["rread: -: --until needs a file whose end is known, and a stream may go on"]);
    let mut terminal = setup().size(120, 5).file("a", "no times\n").view("a --until 06:00");
    assert_eq!(terminal.code(), 6);
}

#[test]
fn a_window_grows_with_the_file() {
    let mut terminal = setup().file("a", &log()[..29 * 100]).view("a --until 06:09");
    terminal.send("G").until("the end", |terminal| terminal.status().contains("(END at 06:09)"));
    std::fs::write(terminal.path("a"), log()).unwrap();
    terminal.until("the new end", |terminal| !terminal.status().contains("END"));
    terminal.send("G").shows(&[&record(530)]).says("(END at 06:09)");
    terminal.quit();
}

#[test]
fn offsets_and_hashes_stand_before_lines() {
    let text = format!("\u{feff}one\r\n{}\ntwo\nlast", "x".repeat(40_000));
    let mut terminal = setup().size(60, 1000).file("a", &text).run(
        "rread lines a --hash --raw --max-columns 4; rread where a --line 3 --json; exec rread view a -N -S",
    );
    terminal.until("the viewer", |terminal| terminal.is_full_screen());
    terminal.shows(&["      1 one"]).says("of 4");
    terminal.send("#").shows(&["      0 one", &format!("      8 {}>", "x".repeat(51))]);
    terminal.until("offsets", |terminal| {
        let rows = terminal.rows();
        rows[2] == "  40009 two" && rows[3] == "  40013 last"
    });
    let shell = String::from_utf8(terminal.raw()).unwrap();
    let hash = |line: &str| {
        let at = shell.find(line).unwrap_or_else(|| panic!("{line} in {shell}"));
        shell[at..at + line.len() + 6].to_owned()
    };
    let (first, third, last) = (hash("1#"), hash("3#"), hash("4#"));
    terminal.send("#").until("hashes", |terminal| {
        let rows = terminal.rows();
        rows[0].trim_start() == format!("{first} one")
            && rows[2].trim_start() == format!("{third} two")
            && rows[3].trim_start() == format!("{last} last")
            && rows[1].trim_start().starts_with("2 x")
    });
    terminal.send("#").shows(&["one"]);
    // If lines wrap, the long one has a piece that begins at a multiple of 16 KiB.
    terminal
        .send("w#")
        .shows(&["      1 one"])
        .send("#")
        .until("the piece", |terminal| terminal.rows().iter().any(|row| row.starts_with("  32768 x")));
    terminal.quit();
}
