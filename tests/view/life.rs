//! The terminal before, after and around the viewer: sizes, signals, other programs.

use std::os::unix::fs::PermissionsExt;
use std::process::{Command, Stdio};

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
fn without_a_terminal_it_says_what_to_type() {
    for (words, stdin, code, hint) in [
        (&["view", "a b"][..], Stdio::null(), 2, "hint: rread lines 'a b'"),
        (&["view", "-", "1x"], Stdio::null(), 2, "hint: COMMAND | rread view - 500000 (or 50%)"),
    ] {
        let folder = tempfile::tempdir().unwrap();
        let output = Command::new(cargo_bin!("rread"))
            .at_home(folder.path())
            .args(words)
            .stdin(stdin)
            .current_dir(&folder)
            .output()
            .unwrap();
        let error = String::from_utf8(output.stderr).unwrap();
        assert_eq!(output.status.code(), Some(code), "{error}");
        assert!(error.contains(hint) && output.stdout.is_empty(), "{error}");
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
