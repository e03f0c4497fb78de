//! JSON lines, as they are and folded.

use rread_testkit::terminal::{Setup, Terminal, setup};

/// Records of a service, and a line of something else.
fn log(count: usize) -> String {
    let levels = ["info", "error", "debug"];
    let record = |n: usize| {
        let level = levels[n % 3];
        format!(
            "{{\"level\":\"{level}\",\"ts\":\"06:01:{n:02}\",\"msg\":\"job {n}\",\"user\":\"u{n}\",\"took\":\"{n} ms\"}}\n"
        )
    };
    let mut log: Vec<String> = (0..count).map(record).collect();
    log.insert(2.min(count), "panic: plain text\n".to_owned());
    log.concat()
}

fn folded(setup: Setup, words: &str) -> Terminal {
    let mut terminal = setup.view(words);
    terminal.says("o shows each JSON line as time, level and message").send("o");
    terminal.says("JSON lines: time, level and message first");
    terminal
}

#[test]
fn a_key_shows_records_as_lines_of_a_log() {
    let mut terminal = folded(setup().file("a", log(50)), "a");
    let rows = [
        "06:01:00 info job 0 user=u0 took=\"0 ms\"",
        "06:01:01 error job 1 user=u1 took=\"1 ms\"",
        "panic: plain text",
        "06:01:02 debug job 2 user=u2 took=\"2 ms\"",
    ];
    terminal.shows(&rows);
    let raw = String::from_utf8(terminal.raw()).unwrap();
    assert!(raw.contains("\x1b[0;31m06:01:01 error job 1\x1b[0;2m user=u1"), "{raw:?}");
    assert!(raw.contains("06:01:00 info job 0\x1b[0;2m user=u0"), "{raw:?}");
    // Movements, numbers and the copied command are those of the lines of the file.
    terminal.send("#").until("numbers", |terminal| terminal.rows()[2].ends_with("3 panic: plain text"));
    terminal
        .send("###G")
        .until("the end", |terminal| terminal.rows()[9].starts_with("06:01:49 error job 49"));
    terminal.send("kkma").says("mark a");
    terminal.send("g").shows(&rows);
    terminal.send("'a").until("the mark", |terminal| terminal.rows()[9].starts_with("06:01:47 debug job 47"));
    terminal.send(":7\r").until("line 7", |terminal| terminal.rows()[0].starts_with("06:01:05 debug job 5"));
    terminal.send("y").says("rread lines a 7:16");
    terminal
        .send("o")
        .until("the lines as they are", |terminal| terminal.rows()[0].starts_with("{\"level\""));
    terminal.quit();
}

#[test]
fn searches_and_filters_read_the_lines_of_the_file() {
    let mut terminal = folded(setup().file("a", log(50)), "-S a");
    terminal
        .send("/\"user\":\"u3[0-9]\r")
        .says("1 of 10")
        .until("the match", |terminal| terminal.rows()[0] == "06:01:30 info job 30 user=u30 took=\"30 ms\"");
    // `user` and `u30`, but not what the fold leaves out or adds.
    let reverse: String =
        (0..40).map(|column| if terminal.is_reverse(0, column) { '#' } else { '.' }).collect();
    assert_eq!(reverse, format!("{}####.###{}", ".".repeat(21), ".".repeat(11)));
    terminal.send("/user=\r").says("no matches");
    terminal.send("&job 4[0-9]\r").shows(&[
        "06:01:40 error job 40 user=u40 took=\"40 ms\"",
        "06:01:41 debug job 41 user=u41 took=\"41 ms\"",
    ]);
    terminal.send("#").until("the numbers", |terminal| terminal.rows()[0].starts_with("     42 06:01:40"));
    terminal.send("###&\r").until("the screen", |terminal| !terminal.status().contains("filtered"));
    // The match scrolls into view.
    terminal.send("20\x1b[C").until("scrolled", |terminal| terminal.rows()[1].starts_with("1 user=u41"));
    terminal.quit();
}

#[test]
fn records_wrap_and_long_ones_stay_as_they_are() {
    let long = format!("{{\"msg\":\"{}\"}}\n", "x".repeat(20_000));
    let wide = format!("{{\"z\":\"{}\",\"msg\":\"m\"}}\n", "z".repeat(130));
    let mut terminal = setup().file("a", wide + "{\"msg\":\"next\"}\n" + &long + "last\n").view("--fold a");
    let z = "z".repeat(60);
    terminal.shows(&[&format!("m z={}", "z".repeat(56)), &z, &"z".repeat(14), "next"]);
    terminal.until("the long line", |terminal| terminal.rows()[4].starts_with("{\"msg\":\"xxxx"));
    terminal.send("j").shows(&[&z, &"z".repeat(14), "next"]);
    // The line that is at the top stays there.
    terminal.send("o").until("as they are", |terminal| terminal.rows()[0].starts_with("{\"z\":\"zzz"));
    terminal.send("o").until("folded", |terminal| terminal.rows()[0].starts_with("m z=zzz"));
    terminal.quit();
}

#[test]
fn the_key_is_named_once_and_for_records_alone() {
    let mut terminal = setup().file("a", log(50)).view("a");
    terminal
        .says("o shows")
        .send("j")
        .until("the name of the file", |terminal| terminal.status().starts_with("a "));
    terminal.send("g").says("a ");
    terminal.quit();
    for text in ["{\n  \"msg\": 1\n}\n", "{\"a\":1}\n{\"b\":2}\n", "text {}\n", "\n\n"] {
        let mut terminal = setup().file("a", text).view("a");
        terminal.says("(END)");
        assert!(terminal.status().starts_with("a "), "{text:?}: {}", terminal.status());
        terminal.quit();
    }
}
