//! Standard input as the file, with keys from the terminal.

use rread_testkit::terminal::{lines, setup};

#[test]
fn a_stream_is_shown_as_it_comes() {
    let mut terminal = setup().run("(echo one; sleep 100) | rread view -; echo ended");
    terminal.shows(&["one", "~"]).says("and more comes");
    // Keys are answered while it waits.
    terminal.send("/one\r").says("1 of 1");
    terminal.send("q").until("the shell", |terminal| !terminal.is_full_screen());
}

#[test]
fn a_growing_stream_is_followed() {
    let setup = setup();
    let fifo = setup.folder.path().join("go");
    assert!(std::process::Command::new("mkfifo").arg(&fifo).status().unwrap().success());
    let mut terminal = setup.run("cat go | rread view --follow");
    std::thread::sleep(std::time::Duration::from_millis(100));
    let mut writer = std::fs::File::options().write(true).open(&fifo).unwrap();
    use std::io::Write;
    for upto in [5, 30, 300] {
        writer.write_all(lines(upto).as_bytes()).unwrap();
        let last = format!("line {upto}");
        terminal.until(&last, |terminal| {
            terminal.rows()[..10].iter().rev().find(|row| *row != "~") == Some(&last)
        });
    }
    terminal.says("following");
    terminal.send("g").shows(&["line 1", "line 2"]);
    writer.write_all(b"unseen\n").unwrap();
    drop(writer);
    terminal.until("the end", |terminal| !terminal.status().contains("more comes"));
    terminal.shows(&["line 1", "line 2"]);
    terminal.send("G").until("the last line", |terminal| terminal.rows()[9] == "unseen");
    terminal.quit();
}

#[test]
fn it_is_a_pager() {
    let mut terminal = setup().file("a", lines(30)).run("PAGER='rread view -'; cat a | $PAGER");
    terminal.shows(&["line 1"]);
    terminal.send("G").until("the end", |terminal| terminal.rows()[9] == "line 30");
    terminal.quit();
    let mut terminal = setup().run("seq 1000000 | rread view");
    terminal.send("G").until("the end", |terminal| terminal.rows()[9] == "1000000");
    terminal.send(":500000\r").shows(&["500000"]);
    terminal.send("/777777\r").shows(&["777777"]);
    terminal.quit();
}

#[test]
fn an_endless_stream_is_read_only_as_far_as_needed() {
    let mut terminal = setup().run("exec rread view - < <(yes)");
    terminal.shows(&["y", "y"]).says("and more comes");
    terminal.send("50j").says("lines 51-60");
    terminal.quit();
}

#[test]
fn a_place_that_a_stream_does_not_have_yet_is_waited_for() {
    let late = "(seq 100; while [ ! -e go ]; do sleep 0.01; done; seq 101 100000; sleep 100)";
    for (words, first) in [("+50000", "50000"), ("+/77777", "77777")] {
        let mut terminal = setup().run(&format!("{late} | rread view - {words}"));
        terminal.until("that it looks", |terminal| {
            let status = terminal.status();
            status.contains("searching") || status.contains("looking")
        });
        terminal.shows(&["1", "2"]).send("j").shows(&["2"]);
        std::fs::write(terminal.path("go"), "").unwrap();
        terminal.shows(&[first]);
        terminal.send("/x\r").says("searching").send("\x03");
        terminal.until("no search", |terminal| !terminal.status().contains("searching"));
        terminal.send("/99999\r").shows(&["99991"]).says("of 1+");
    }
    let log = "for n in 1 2 3; do echo 2026-11-23T06:0$n:00Z record $n; sleep 0.2; done";
    let mut terminal = setup().run(&format!("({log}; sleep 100) | rread view - --time 06:03"));
    terminal.until("the record", |terminal| terminal.rows()[..3].iter().any(|row| row.ends_with("record 3")));
    terminal.until("an end of looking", |terminal| !terminal.status().contains("looking"));
    let mut terminal = setup().run("(sleep 0.5; seq 100000) | rread view - 50%");
    terminal.until("the middle", |terminal| terminal.rows()[0].starts_with("509"));
    terminal.send("g/77777\r").says("1 of 1 ").send("/absent\r").says("no matches");
    terminal.send(":999999\r").says("line 999999 is beyond the end");
    terminal.quit();
}

#[test]
fn a_stream_without_an_end_is_read_no_further_after_ctrl_c() {
    let mut terminal = setup().run("exec rread view - < <(yes)");
    terminal.send("/absent\r").says("searching");
    terminal.send("\x03").until("no search", |terminal| !terminal.status().contains("searching"));
    let size = |terminal: &mut rread_testkit::terminal::Terminal| {
        terminal.send("k").until("no answer", |terminal| !terminal.status().contains(" bytes 0-"));
        terminal.send("=").says(" bytes 0-");
        let status = terminal.status();
        let (_, size) = status.split_once(" of ").unwrap();
        size.split(' ').next().unwrap().to_owned()
    };
    std::thread::sleep(std::time::Duration::from_millis(300));
    let before = size(&mut terminal);
    std::thread::sleep(std::time::Duration::from_millis(300));
    assert_eq!(size(&mut terminal), before);
    terminal.quit();
}

/// What git, man and journalctl write to their pager, with the variables that they set.
#[test]
fn it_is_the_pager_of_other_programs() {
    let commits = "git init -q . && for n in $(seq 30); do git -c user.name=a -c user.email=a@b commit -q --allow-empty \
        -m \"change $n\"; done; ";
    let log = "exec git -c color.ui=always log --format='%C(yellow)commit%C(reset) %s'";
    let has_git = std::process::Command::new("git").arg("--version").output().is_ok();
    if has_git {
        for variable in ["PAGER", "GIT_PAGER"] {
            let mut terminal = setup().run(&format!("{commits} export {variable}='rread view'; {log}"));
            terminal.shows(&["commit change 30", "commit change 29"]);
            assert_eq!(terminal.colour(0, 0), vt100::Color::Idx(3));
            terminal.send("/commit change 7\r").says("1 of 1").shows(&["commit change 10"]);
            terminal.send("q");
            assert_eq!(terminal.code(), 0);
            // git sets LESS=FRX: what one screen shows is printed.
            let mut terminal = setup().run(&format!("{commits} export {variable}='rread view'; {log} -1"));
            assert_eq!(terminal.code(), 0);
            terminal.shows(&["commit change 30", ""]);
        }
    } else {
        eprintln!("SKIPPED: git is missing");
    }
    let page = "NAME_(1)\n\nN\x08NA\x08AM\x08ME\x08E\n       _\x08f_\x08i_\x08l_\x08e is read\n".to_owned()
        + &"text\n".repeat(30);
    let mut terminal = setup().file("page", page).run("cat page | LESS=-ix8RmPm rread view -s");
    terminal.shows(&["NAME_(1)", "", "NAME", "       file is read"]);
    assert!(terminal.cell(2, 0, |cell| cell.bold()) && terminal.cell(3, 7, |cell| cell.underline()));
    terminal.send("/name$\r").says("1 of 1").shows(&["NAME"]).quit();
    let journal = "for n in $(seq 300); do printf '\\033[0;1;31mNov 25 host unit[1]: %0100d %s\\033[0m\\n' 0 line$n; done";
    let mut terminal = setup().run(&format!("({journal}) | LESS=FRSXMK rread view"));
    terminal.until("a cut line", |terminal| {
        terminal.rows()[0].starts_with("Nov 25 host") && terminal.rows()[0].ends_with("0>")
    });
    assert_eq!(terminal.colour(1, 0), vt100::Color::Idx(1));
    terminal
        .send("G")
        .says("291-300")
        .send("/line29\\d$\r")
        .until("the end of the lines", |terminal| terminal.rows()[0].ends_with("line291"));
    terminal.quit();
}
