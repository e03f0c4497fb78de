//! The terminal before, after and around the viewer: sizes, signals, other programs.

use std::os::unix::fs::PermissionsExt;
use std::process::Command;

use assert_cmd::cargo::cargo_bin;
use rread_testkit::home::AtHome;
use rread_testkit::terminal::{Terminal, lines, setup};
use rustix::process::{Pid, Signal, kill_process};

/// Whether the terminal echoes, as it does for a shell.
fn echoes(terminal: &Terminal) -> bool {
    let state = terminal.master().get_termios().unwrap();
    format!("{:?}", state.local_flags).contains("ECHO ")
        || format!("{:?}", state.local_flags).split(['|', '(', ')', ' ']).any(|flag| flag == "ECHO")
}

#[test]
fn any_size_of_the_terminal_will_do() {
    let mut terminal = setup().file("a", lines(300) + &"x".repeat(200) + "\n").view("-N a");
    terminal.shows(&["      1 line 1"]);
    for (columns, rows) in [(1, 1), (2, 1), (1, 2), (9, 3), (200, 50), (20, 2), (60, 11)] {
        terminal.resize(columns, rows);
        for keys in ["j", "G", "/9\r", "h", "q", "g", "#", "w", "50%", ":1\x03", "#", "##", "w"] {
            terminal.send(keys);
        }
    }
    terminal.send("g").shows(&["      1 line 1", "      2 line 2"]);
    terminal.quit();
    for (columns, rows) in [(1, 1), (3, 2)] {
        let mut terminal = setup().size(columns, rows).file("a", "x\n").view("a");
        terminal.until("x", |terminal| terminal.rows()[0].starts_with('x'));
        terminal.quit();
    }
}

/// Terminals move and drop rows when their size changes: what was drawn before counts for nothing.
#[test]
fn a_change_of_the_size_draws_the_whole_screen() {
    let mut terminal = setup().file("a", lines(300)).view("a");
    terminal.shows(&["line 1"]);
    let draws = |terminal: &Terminal| String::from_utf8_lossy(&terminal.raw()).matches("\x1b[2J").count();
    for rows in [7, 11, 3] {
        let before = draws(&terminal);
        terminal.resize(60, rows);
        terminal.until("a whole screen", |terminal| draws(terminal) > before);
    }
    terminal.quit();
}

#[test]
fn signals_restore_the_terminal() {
    for (number, sent) in [(15, Signal::TERM), (2, Signal::INT), (1, Signal::HUP)] {
        let mut terminal =
            setup().file("a", lines(50)).run("rread view a; echo \"ended with $?\"; exec sleep 60");
        terminal.shows(&["line 1"]);
        assert!(terminal.is_full_screen() && !echoes(&terminal));
        let group = terminal.master().process_group_leader().unwrap();
        let children =
            std::fs::read_to_string(format!("/proc/{group}/task/{group}/children")).unwrap_or_default();
        let child: i32 = children.trim().parse().unwrap_or(group);
        kill_process(Pid::from_raw(child).unwrap(), sent).unwrap();
        let end = format!("ended with {}", 128 + number);
        terminal.until(&end, |terminal| terminal.rows().iter().any(|row| row.contains(&end)));
        assert!(!terminal.is_full_screen() && echoes(&terminal));
    }
    // Those that end a program without a handler, too; QUIT is ignored.
    for sent in [Signal::USR1, Signal::ALARM, Signal::XCPU, Signal::TSTP, Signal::QUIT] {
        let mut terminal = setup().file("a", lines(50)).run("rread view a; echo ended; exec sleep 60");
        terminal.shows(&["line 1"]);
        let group = terminal.master().process_group_leader().unwrap();
        let children =
            std::fs::read_to_string(format!("/proc/{group}/task/{group}/children")).unwrap_or_default();
        let child = Pid::from_raw(children.trim().parse().unwrap_or(group)).unwrap();
        terminal.send("j").shows(&["line 2"]);
        kill_process(child, sent).unwrap();
        if sent == Signal::QUIT {
            terminal.send("j").shows(&["line 3"]).send("q");
        } else if sent == Signal::TSTP {
            terminal.until("the usual screen", |terminal| !terminal.is_full_screen() && echoes(terminal));
            kill_process(child, Signal::CONT).unwrap();
            terminal.until("full screen", Terminal::is_full_screen).send("j").shows(&["line 3"]).send("q");
        }
        terminal.until("the usual screen", |terminal| !terminal.is_full_screen() && echoes(terminal));
        terminal.until("the end", |terminal| terminal.rows().iter().any(|row| row.contains("ended")));
    }
}

/// Set in the process that shows the viewer and panics.
const PANIC_IN: &str = "RREAD_TEST_PANIC_IN";

#[test]
fn a_panic_leaves_the_terminal_as_it_was() {
    let test = "view::life::a_panic_leaves_the_terminal_as_it_was";
    if let Some(folder) = std::env::var_os(PANIC_IN) {
        rread::prepare();
        std::thread::spawn(move || {
            while !std::path::Path::new(&folder).join("go").exists() {
                std::thread::sleep(std::time::Duration::from_millis(5));
            }
            panic!("first\nsecond");
        });
        rread::run(["rread", "view", "a"].into_iter().map(Into::into));
        return;
    }
    let setup = setup().size(200, 11).file("a", lines(50));
    let folder = setup.folder.path().to_str().unwrap().to_owned();
    let program = std::env::current_exe().unwrap();
    let line =
        format!("{} --exact {test} --nocapture; echo \"ended with $?\"; exec sleep 60", program.display());
    let mut terminal = setup.variable(PANIC_IN, folder).variable("RUST_BACKTRACE", "1").run(&line);
    terminal.shows(&["line 1", "line 2"]);
    assert!(terminal.is_full_screen() && !echoes(&terminal));
    std::fs::write(terminal.path("go"), "").unwrap();
    terminal.until("the end", |terminal| terminal.rows().iter().any(|row| row == "ended with 70"));
    assert!(!terminal.is_full_screen() && echoes(&terminal));
    let rows = terminal.rows();
    let at = rows.iter().position(|row| row.starts_with("rread: internal error, a bug in rread")).unwrap();
    assert!(rows[at].contains("life.rs") && rows[at].ends_with("first second"), "{rows:?}");
    assert!(rows[at + 1].starts_with("hint: rread --version") && rows[at + 2] == "ended with 70", "{rows:?}");
}

#[test]
fn it_ends_when_the_terminal_goes_away() {
    let mut terminal = setup().file("a", lines(50)).view("a");
    terminal.shows(&["line 1"]);
    terminal.close();
    terminal.code();
}

#[test]
fn ctrl_z_goes_to_the_shell_and_back() {
    let mut terminal = setup().file("a", lines(50)).run("PS1='shell> ' exec bash --norc -i");
    terminal.until("the shell", |terminal| terminal.rows().iter().any(|row| row.contains("shell>")));
    terminal.send("rread view a\r").shows(&["line 1"]).send("3j").shows(&["line 4"]);
    terminal.send("\x1a").until("the shell", |terminal| !terminal.is_full_screen());
    terminal.until("that it stopped", |terminal| terminal.rows().join(" ").contains("Stopped"));
    terminal.send("fg\r").until("full screen", Terminal::is_full_screen).shows(&["line 4", "line 5"]);
    terminal.send("j").shows(&["line 5"]);
    terminal.send("q").until("the shell", |terminal| !terminal.is_full_screen());
    terminal.send("exit\r");
    terminal.code();
}

#[test]
fn an_editor_opens_the_file_at_the_line() {
    let setup = setup()
        .file("a", lines(50))
        .file("editor", "#!/bin/sh\necho \"$@\" > edited\nread key\necho $key >> edited\n");
    let editor = setup.folder.path().join("editor");
    std::fs::set_permissions(&editor, PermissionsExt::from_mode(0o755)).unwrap();
    let mut terminal = setup.variable("EDITOR", editor.to_str().unwrap()).view("a");
    terminal.shows(&["line 1"]).says("lines 1-10");
    terminal
        .send("5j")
        .says("lines 6-15")
        .send("v")
        .until("the editor", |terminal| !terminal.is_full_screen());
    // The keys are those of the editor.
    terminal.send("jkq\r").until("full screen", Terminal::is_full_screen).shows(&["line 6"]);
    assert_eq!(std::fs::read_to_string(terminal.path("edited")).unwrap(), "+6 a\njkq\n");
    terminal.quit();
}

#[test]
fn without_a_terminal_it_copies_the_text() {
    let folder = tempfile::tempdir().unwrap();
    let text = lines(50_000) + "\x1b[31mred\x1b[m N\x08N \u{9b}\0\nhalf";
    std::fs::write(folder.path().join("a"), &text).unwrap();
    let log: String = (0..60).map(|n| format!("2026-11-23T06:{n:02}:00Z {n}\n")).collect();
    std::fs::write(folder.path().join("log"), &log).unwrap();
    assert!(Command::new("gzip").args(["-k", "a"]).current_dir(&folder).status().unwrap().success());
    let window = log.lines().skip(5).take(3).map(|line| format!("{line}\n")).collect::<String>();
    for (words, code, expected, error) in [
        (&["view", "a"][..], 0, &text[..], ""),
        (&["view", "a.gz", "+G"], 0, &text, ""),
        (&["view", "-NS", "-p", "x", "a"], 0, &text, ""),
        (&["view", "log", "--since", "06:05", "--until", "06:08", "--tz", "UTC"], 0, &window, ""),
        (&["view"], 0, &text, ""),
        (&["view", "absent"], 3, "", "cannot open"),
        (&["view", "-", "1x"], 2, "", "hint: COMMAND | rread view - 500000 (or 50%)"),
    ] {
        let output = Command::new(cargo_bin!("rread"))
            .at_home(folder.path())
            .args(words)
            .stdin(std::fs::File::open(folder.path().join("a")).unwrap())
            .current_dir(&folder)
            .output()
            .unwrap();
        let errors = String::from_utf8(output.stderr).unwrap();
        assert_eq!(output.status.code(), Some(code), "{words:?}: {errors}");
        assert!(errors.contains(error), "{words:?}: {errors}");
        assert!(output.stdout == expected.as_bytes(), "{words:?}");
    }
}

#[test]
fn a_terminal_that_cannot_move_its_cursor_gets_the_text() {
    for line in [
        "TERM=dumb rread view a",
        "TERM= rread view a",
        "unset TERM; rread view a",
        "TERM=dumb; cat a | rread view -",
    ] {
        let mut terminal = setup().size(100, 11).file("a", "one\ntwo\n").run(line);
        assert_eq!(terminal.code(), 0, "{line}");
        let note = if line.contains('|') { "rread: -: note" } else { "rread: a: note" };
        terminal.until(line, |terminal| {
            let rows = terminal.rows();
            rows[0].starts_with(note) && rows[1..3] == ["one", "two"]
        });
        assert!(!String::from_utf8_lossy(&terminal.raw()).contains('\x1b'), "{line}");
    }
}

#[test]
fn a_file_that_one_screen_shows_is_printed() {
    for line in [
        "exec rread view -F a",
        "cat a | rread view -F",
        "cat a | LESS=FRX rread view -",
        "cat a | RREAD_VIEW='-F -S' LESS=N rread view",
        "(sleep 1; cat a) | rread view -F",
    ] {
        let text = "one\n\x1b[31mtwo\x1b[m\n".to_owned() + &"x".repeat(70) + "\n";
        let run = || {
            let mut terminal = setup().file("a", &text).run(line);
            assert_eq!(terminal.code(), 0, "{line}");
            terminal
        };
        let was_full = |terminal: &Terminal| String::from_utf8_lossy(&terminal.raw()).contains("1049");
        let mut terminal = run();
        // On a busy machine, the file may take longer than what is waited for.
        for _ in 0..20 {
            if was_full(&terminal) == line.contains("sleep") {
                break;
            }
            terminal = run();
        }
        let long = if line.contains("-S") { format!("{}>", "x".repeat(59)) } else { "x".repeat(60) };
        terminal.shows(&["one", "two", &long]);
        assert_eq!(terminal.colour(1, 0), vt100::Color::Idx(1), "{line}");
        assert_eq!(was_full(&terminal), line.contains("sleep"), "{line}");
        assert_eq!(
            terminal.rows().iter().any(|row| row.contains("--follow")),
            line.contains("-F a"),
            "{line}"
        );
    }
    // More than a screen, and what may still become more.
    for line in ["exec rread view -F a", "cat a | rread view -F", "(echo line 1; sleep 100) | rread view -F"]
    {
        let mut terminal = setup().file("a", lines(11)).run(line);
        terminal.shows(&["line 1"]).until("full screen", Terminal::is_full_screen).send("q");
        terminal.until("the usual screen", |terminal| !terminal.is_full_screen());
    }
    // Somebody who types is reading.
    let mut terminal = setup().run("(echo line 1; while [ ! -e go ]; do sleep 0.01; done) | rread view -F");
    terminal.until("full screen", Terminal::is_full_screen).send("=").says("lines 1-1");
    std::fs::write(terminal.path("go"), "").unwrap();
    terminal.send("\x0c").says("(END)");
    assert!(terminal.is_full_screen());
    terminal.quit();
    let mut terminal = setup().variable("RREAD_VIEW", "-x").file("a", "x\n").view("a");
    assert_eq!(terminal.code(), 2);
    terminal.shows(&["rread: RREAD_VIEW is '-x', and rread view takes no such opti"]);
    let mut terminal = setup().variable("LESS", "-N -S").file("a", lines(30)).view("a");
    terminal.shows(&["      1 line 1"]).quit();
    let mut terminal = setup().variable("LESS", "-N").file("a", lines(30)).view("-n a");
    terminal.shows(&["line 1"]).quit();
}

#[test]
fn the_place_comes_first_on_the_status_line() {
    let folder = "a/path/of/about/27";
    for name in ["chars.txt", "日本語日本語日本語日本語.txt"] {
        let setup = setup().size(60, 8);
        std::fs::create_dir_all(setup.folder.path().join(folder)).unwrap();
        std::fs::write(setup.folder.path().join(folder).join(name), lines(2000)).unwrap();
        let mut terminal = setup.view(&format!("{folder}/{name}"));
        terminal.send("50%").says("lines 10");
        for columns in (4..=70).rev().step_by(3) {
            terminal.resize(columns, 8);
            terminal.until(&format!("the place in {columns} columns"), |terminal| {
                terminal.status().contains("50%")
            });
        }
        terminal.resize(20, 3);
        terminal.send("/line 1500\r").says("1 of 1  7").quit();
    }
}

#[test]
fn a_file_that_cannot_be_opened_is_reported_on_the_shells_screen() {
    let mut terminal = setup().view("absent");
    assert_eq!(terminal.code(), 3);
    terminal.until("the error", |terminal| terminal.rows()[0].starts_with("rread: absent: cannot open"));
    assert!(!String::from_utf8_lossy(&terminal.raw()).contains("1049"));
}

#[test]
fn it_ends_without_a_terminal_even_if_hangups_are_ignored() {
    let mut terminal = setup().file("a", lines(50)).run("trap '' HUP; exec rread view a");
    terminal.shows(&["line 1"]);
    terminal.close();
    terminal.code();
}
