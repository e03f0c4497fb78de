//! On a terminal: colour, control characters shown, and the same format as in a pipe.

use std::fs::File;
use std::io::Read;
use std::process::{Command, Stdio};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};

use rread_testkit::sandbox::{AtHome, Sandbox, binary, numbered};
use rustix::pty::{OpenptFlags, grantpt, openpt, ptsname, unlockpt};

/// Output of the program on a terminal; `None` without pseudo terminals.
fn on_terminal(sandbox: &Sandbox, line: &str, env: &[(&str, &str)]) -> Option<String> {
    let Ok(master) = openpt(OpenptFlags::RDWR | OpenptFlags::NOCTTY) else {
        eprintln!("skipped: no pseudo terminal");
        return None;
    };
    grantpt(&master).ok()?;
    unlockpt(&master).ok()?;
    let name = ptsname(&master, Vec::new()).ok()?.into_string().ok()?;
    let slave = File::options().read(true).write(true).open(name).ok()?;
    let mut child = Command::new(binary());
    child.args(line.split_whitespace()).current_dir(sandbox.path("."));
    child.at_home(&sandbox.home());
    child.env("TERM", "xterm").envs(env.iter().copied());
    // Alone, the program looks for a person at the keyboard.
    let stdin = if line.is_empty() { slave.try_clone().ok()?.into() } else { Stdio::null() };
    let mut running = child.stdin(stdin).stdout(slave).stderr(Stdio::inherit()).spawn().unwrap();
    // The command holds an end that must close before reading ends.
    drop(child);
    let reader = std::thread::spawn(move || {
        let mut shown = Vec::new();
        // On Linux, the read of a closed terminal fails.
        let _ = File::from(master).read_to_end(&mut shown);
        shown
    });
    assert!(running.wait().unwrap().success(), "{line}");
    let shown = String::from_utf8(reader.join().unwrap()).unwrap();
    // The terminal driver sends a carriage return before every newline.
    Some(shown.replace("\r\n", "\n"))
}

#[test]
fn a_call_without_words_shows_what_to_type() {
    let sandbox = Sandbox::with("app.log", numbered(200));
    let Some(shown) = on_terminal(&sandbox, "", &[]) else { return };
    let examples: Vec<&str> = shown.lines().filter_map(|line| line.strip_prefix("  rread ")).collect();
    assert_eq!(examples.len(), 3, "{shown}");
    for example in examples {
        let call = example.split_once("   ").map_or(example, |(call, _)| call);
        assert!([0, 1].contains(&sandbox.line(call).code), "{call}");
    }
    // A pipe is not a person.
    assert_eq!(sandbox.line("").code, 2);
}

#[test]
fn colour_depends_on_the_terminal_and_the_format_does_not() {
    let sandbox = Sandbox::with("f", numbered(3));
    let plain = sandbox.line("lines f").ok();
    let painted = sandbox.line("lines f --color always").ok();
    for (line, env, expected) in [
        ("lines f", &[][..], painted.text()),
        ("lines f", &[("NO_COLOR", "1")], plain.text()),
        ("lines f", &[("NO_COLOR", "")], painted.text()),
        ("lines f", &[("TERM", "dumb")], plain.text()),
        ("lines f --color never", &[], plain.text()),
        ("lines f --color always", &[("NO_COLOR", "1")], painted.text()),
    ] {
        let Some(shown) = on_terminal(&sandbox, line, env) else { return };
        assert_eq!(shown, expected, "{line} {env:?}");
    }
    for format in ["raw", "text", "json", "xml"] {
        let line = format!("lines f -f {format}");
        let Some(shown) = on_terminal(&sandbox, &line, &[]) else { return };
        assert_eq!(shown, sandbox.line(&line).ok().text(), "{line}");
    }
}

#[test]
fn control_characters_do_not_act_on_a_terminal() {
    let sandbox = Sandbox::with("f", "a\tb \x1b[2J \x07 \u{9b}2J \x7f\nd\n");
    for format in ["frontmatter", "raw", "text", "json", "xml"] {
        let line = format!("lines f -f {format} --color never");
        let Some(shown) = on_terminal(&sandbox, &line, &[]) else { return };
        let acting = shown.chars().find(|c| c.is_control() && !['\n', '\t', '\r'].contains(c));
        assert_eq!(acting, None, "{format}: {shown:?}");
        assert!(shown.contains("2J"), "shown, not dropped: {shown:?}");
        let piped = sandbox.line(&format!("lines f -f {format}")).ok();
        if ["frontmatter", "raw", "text"].contains(&format) {
            assert!(piped.text().contains("\x1b[2J \x07 \u{9b}2J \x7f\n"), "untouched in a pipe: {piped}");
        }
    }
}

#[test]
fn names_do_not_act_on_a_terminal_either() {
    let name = "a\x1b[2J\x07\x7f\u{9b}2J";
    let sandbox = Sandbox::with(name, "one\ntwo\n");
    for format in ["frontmatter", "json", "xml"] {
        for command in ["lines FILE", "ranges FILE 1 b0:3", "stat FILE", "where FILE --line 1"] {
            let line = format!("{} -f {format} --color never", command.replace("FILE", name));
            let Some(shown) = on_terminal(&sandbox, &line, &[]) else { return };
            let acting = shown.chars().find(|c| c.is_control() && !['\n', '\r'].contains(c));
            assert_eq!(acting, None, "{line}: {shown:?}");
            assert!(shown.contains("2J"), "shown, not dropped: {shown:?}");
        }
    }
    let escaped = sandbox.run(["stat", name, "--json"]).ok();
    assert!(escaped.text().contains(r"a\u001b[2J\u0007\u007f\u009b2J"), "{escaped}");
    assert_eq!(escaped.json()["path"], name);
    let missing = sandbox.run(["stat", "\u{9b}2J", "--json"]);
    assert_eq!(missing.refused_json(3)["path"], "\u{9b}2J");
    assert!(missing.stderr.contains(r"\u009b2J"), "{missing}");
}

#[test]
fn content_bytes_is_true_on_a_terminal_too() {
    let sandbox = Sandbox::with("f", "\x1b[31mred\n");
    let Some(shown) = on_terminal(&sandbox, "lines f --color never", &[]) else { return };
    let documents = rread_testkit::sandbox::documents(shown.as_bytes(), true);
    assert_eq!(documents[0].content, "\\x1b[31mred\n");
}

/// A pseudo terminal: the end of the test, and the end of the program.
fn pseudo_terminal() -> Option<(File, File)> {
    let Ok(master) = openpt(OpenptFlags::RDWR | OpenptFlags::NOCTTY) else {
        eprintln!("skipped: no pseudo terminal");
        return None;
    };
    grantpt(&master).ok()?;
    unlockpt(&master).ok()?;
    let name = ptsname(&master, Vec::new()).ok()?.into_string().ok()?;
    Some((File::from(master), File::options().read(true).write(true).open(name).ok()?))
}

fn program(sandbox: &Sandbox, line: &str) -> Command {
    let mut child = Command::new(binary());
    child.args(line.split_whitespace()).current_dir(sandbox.path("."));
    child.at_home(&sandbox.home());
    child.env("TERM", "xterm").stdin(Stdio::null());
    child
}

#[test]
fn standard_input_on_a_terminal_is_help_and_no_hang() {
    let sandbox = Sandbox::with("f", numbered(3));
    for line in [
        "bytes - 0:4",
        "lines -",
        "lines - 1 --timeout 5s",
        "ranges - 1",
        "stat -",
        "stat --count -",
        "where - --line 1",
        "index build -",
        "ranges f --from -",
        "lines /dev/stdin",
    ] {
        let Some((_master, slave)) = pseudo_terminal() else { return };
        let output = program(&sandbox, line).stdin(slave).output().unwrap();
        let errors = String::from_utf8(output.stderr).unwrap();
        assert_eq!((output.status.code(), output.stdout.len()), (Some(2), 0), "{line}: {errors}");
        let mut said = errors.lines();
        assert!(said.next().unwrap().contains("standard input is a terminal"), "{line}: {errors}");
        assert!(said.next().unwrap().starts_with("hint: "), "{line}: {errors}");
        assert_eq!(said.next(), None, "{line}");
    }
}

/// Standard error on a terminal and standard output, while a stream trickles: until the terminal shows something, at
/// most for 1.6 seconds.
fn trickled(line: &str, dumb: bool) -> Option<(String, String)> {
    let sandbox = Sandbox::new();
    let (mut master, slave) = pseudo_terminal()?;
    let (pipe, mut writer) = std::io::pipe().unwrap();
    let mut command = program(&sandbox, line);
    command.stdin(pipe).stdout(Stdio::piped()).stderr(slave);
    if dumb {
        command.env("TERM", "dumb");
    }
    let child = command.spawn().unwrap();
    // The command holds ends that must close.
    drop(command);
    let has_shown = Arc::new(AtomicBool::new(false));
    let noticed = Arc::clone(&has_shown);
    let shown = std::thread::spawn(move || {
        let (mut shown, mut piece) = (Vec::new(), [0; 256]);
        while let Ok(got @ 1..) = master.read(&mut piece) {
            shown.extend_from_slice(&piece[..got]);
            noticed.store(true, Relaxed);
        }
        String::from_utf8_lossy(&shown).into_owned()
    });
    for n in 1..=40 {
        // The program may stop reading early.
        if std::io::Write::write_all(&mut writer, format!("line {n}\n").as_bytes()).is_err() {
            break;
        }
        if !has_shown.load(Relaxed) {
            std::thread::sleep(std::time::Duration::from_millis(40));
        }
    }
    drop(writer);
    let output = child.wait_with_output().unwrap();
    Some((shown.join().unwrap(), String::from_utf8(output.stdout).unwrap()))
}

#[test]
fn a_long_read_shows_progress_and_erases_it() {
    let lines = [
        ("lines - -1: --raw", "line 40\n"),
        ("lines - 39: --raw", "line 39\nline 40\n"),
        ("bytes - -3: --raw", "40\n"),
        ("ranges - -1 --raw", "line 40\n"),
        ("stat --count - --json", "\"lines\":40"),
        ("where - --line -1 --json", "\"line\":40"),
        // A message has its own line.
        ("lines - 900 --raw", ""),
    ];
    let runs = lines.map(|(line, expected)| (line, expected, std::thread::spawn(|| trickled(line, false))));
    let dumb = std::thread::spawn(|| trickled("lines - -1 --raw", true));
    for (line, expected, run) in runs {
        let Some((shown, stdout)) = run.join().unwrap() else { return };
        assert!(shown.contains("B read, ") && shown.contains("B/s"), "{line}: {shown:?}");
        assert!(stdout.contains(expected), "{line}: {stdout}");
        // Only a message comes after the line is erased.
        let (_, after) = shown.rsplit_once("B/s").unwrap();
        assert!(after.contains("\x1b[2K"), "{line}: {after:?}");
        assert_eq!(after.contains("beyond the end"), expected.is_empty(), "{line}: {after:?}");
    }
    let Some((shown, _)) = trickled("lines - 1 --raw", false) else { return };
    assert_eq!(shown, "", "what is over at once shows nothing");
    let Some((shown, _)) = dumb.join().unwrap() else { return };
    assert_eq!(shown, "", "nothing can be taken back on a dumb terminal");
}

#[test]
fn a_signal_erases_progress_too() {
    use rustix::process::{Pid, Signal, kill_process};
    use std::os::unix::process::ExitStatusExt;
    // Side by side: each waits a second for the progress.
    let runs = [Signal::INT, Signal::TERM].map(|signal| {
        std::thread::spawn(move || {
            let sandbox = Sandbox::new();
            let Some((mut master, slave)) = pseudo_terminal() else { return };
            let (pipe, mut writer) = std::io::pipe().unwrap();
            // Before the first line, there is no progress to show.
            std::io::Write::write_all(&mut writer, b"a line\n").unwrap();
            let mut command = program(&sandbox, "lines - -1: --raw");
            command.stdin(pipe).stdout(Stdio::null()).stderr(slave);
            let mut child = command.spawn().unwrap();
            drop(command);
            let mut shown = Vec::new();
            while !String::from_utf8_lossy(&shown).contains("B/s") {
                let mut piece = [0; 256];
                let got = master.read(&mut piece).unwrap();
                shown.extend_from_slice(&piece[..got]);
            }
            kill_process(Pid::from_child(&child), signal).unwrap();
            let status = child.wait().unwrap();
            assert_eq!(status.signal(), Some(signal.as_raw()), "{status}");
            let _ = master.read_to_end(&mut shown);
            let shown = String::from_utf8_lossy(&shown).into_owned();
            let (_, after) = shown.rsplit_once("B/s").unwrap();
            assert!(after.contains("\x1b[2K"), "{shown:?}");
        })
    });
    runs.into_iter().for_each(|run| run.join().unwrap());
}

#[test]
fn a_capture_shows_how_much_has_come() {
    let all: String = (1..=40).map(|n| format!("line {n}\n")).collect();
    let runs = [
        ("capture --raw", false, true),
        ("capture --raw -- cat", false, true),
        // Only the command writes to standard error.
        ("capture --raw --stdout-only -- cat", false, false),
        ("capture --raw", true, false),
    ]
    .map(|(line, dumb, shows)| (line, shows, std::thread::spawn(move || trickled(line, dumb))));
    for (line, shows, run) in runs {
        let Some((shown, stdout)) = run.join().unwrap() else { return };
        assert_eq!(stdout, all, "{line}");
        assert_eq!(shown.contains("B captured, "), shows, "{line}: {shown:?}");
        assert!(shows || shown.is_empty(), "{line}: {shown:?}");
    }
}

#[test]
fn a_long_read_says_nothing_in_a_pipe() {
    let sandbox = Sandbox::new();
    let (pipe, mut writer) = std::io::pipe().unwrap();
    let mut command = program(&sandbox, "lines - -1: --raw");
    let child = command.stdin(pipe).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    drop(command);
    for _ in 0..15 {
        std::io::Write::write_all(&mut writer, b"line\n").unwrap();
        std::thread::sleep(std::time::Duration::from_millis(100));
    }
    drop(writer);
    let output = child.wait_with_output().unwrap();
    assert_eq!((&output.stdout[..], &output.stderr[..]), (&b"line\n"[..], &b""[..]));
}

/// Keys and line numbers have colour, content never has.
#[test]
fn colour_is_for_keys_and_numbers() {
    let sandbox = Sandbox::with("f", numbered(3));
    let strip = |text: &str| {
        let mut plain = String::new();
        let mut rest = text;
        while let Some(at) = rest.find("\x1b[") {
            plain.push_str(&rest[..at]);
            let end = rest[at..].find('m').expect("only colours");
            rest = &rest[at + end + 1..];
        }
        plain + rest
    };
    for line in ["lines f -n", "lines f", "stat f", "where f --line 2", "ranges f 1 -1", "lines f -n --raw"] {
        let painted = sandbox.line(&format!("{line} --color always")).ok();
        let plain = sandbox.line(&format!("{line} --color never")).ok();
        // Colour codes are content and count as content.
        let without_count = |text: &str| {
            text.lines()
                .filter(|line| !line.contains("content_bytes"))
                .map(|line| format!("{line}\n"))
                .collect::<String>()
        };
        let (painted, plain) = (without_count(painted.text()), without_count(plain.text()));
        assert_eq!(strip(&painted), plain, "{line}");
        assert_ne!(painted, plain, "{line}");
        for (painted, plain) in painted.lines().zip(plain.lines()) {
            let is_content = plain.starts_with("line ") || plain == "---";
            assert_eq!(painted == plain, is_content, "{line}: {painted:?}");
            if plain.contains('→') {
                assert!(painted.ends_with(plain.split_once('→').unwrap().1), "{painted:?}");
            }
        }
    }
    for line in ["lines f -n --json", "lines f -n --xml"] {
        assert!(!sandbox.line(&format!("{line} --color always")).ok().text().contains('\x1b'), "{line}");
    }
}

/// Standard error on a terminal, with standard output elsewhere.
fn noted(sandbox: &Sandbox, line: &str) -> Option<(Vec<u8>, String)> {
    let (master, slave) = pseudo_terminal()?;
    let mut child = Command::new(binary());
    child.args(line.split_whitespace()).current_dir(sandbox.path(".")).env_remove("RREAD_FORMAT");
    child.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(slave);
    let running = child.spawn().unwrap();
    drop(child);
    let mut master = master;
    let reader = std::thread::spawn(move || {
        let mut shown = Vec::new();
        let _ = master.read_to_end(&mut shown);
        shown
    });
    let output = running.wait_with_output().unwrap();
    assert!(output.status.success(), "{line}");
    Some((output.stdout, String::from_utf8(reader.join().unwrap()).unwrap().replace("\r\n", "\n")))
}

#[test]
fn ranges_that_are_easily_mistaken_get_a_note() {
    let sandbox = Sandbox::with("f", numbered(100));
    for (range, note) in [
        ("-20", "-20 is one line; -20: is the last 20 lines"),
        ("10,20", "10,20 is two lines; 10:20 is the lines from 10 to 20"),
        ("1:-1", "1:-1 leaves out the last line; 1: goes to the end"),
        ("-20:", ""),
        ("10:20", ""),
    ] {
        for command in ["lines", "ranges"] {
            let line = format!("{command} f {range} --raw");
            let Some((content, shown)) = noted(&sandbox, &line) else { return };
            let expected = if note.is_empty() { String::new() } else { format!("rread: f: note: {note}\n") };
            assert_eq!(shown, expected, "{line}");
            // In a pipe there is no note, and the answer is the same.
            assert_eq!(content, sandbox.line(&line).ok().stdout, "{line}");
        }
    }
    // Two words are two ranges.
    let Some((_, shown)) = noted(&sandbox, "ranges f 10 20 --raw") else { return };
    assert_eq!(shown, "");
}

/// Output and errors of the program on one terminal.
fn all_on_terminal(sandbox: &Sandbox, line: &str) -> Option<String> {
    let call = format!("{} {line}", binary().display());
    let mut child = Command::new("script");
    child.args(["-qec", &call, "/dev/null"]).current_dir(sandbox.path(".")).stdin(Stdio::null());
    child.at_home(&sandbox.home());
    let Ok(run) = child.env("TERM", "xterm").env("NO_COLOR", "1").output() else {
        eprintln!("skipped: no program 'script'");
        return None;
    };
    Some(String::from_utf8(run.stdout).unwrap().replace("\r\n", "\n"))
}

#[test]
fn text_on_a_terminal_ends_with_its_place() {
    let sandbox = Sandbox::with("a.log", numbered(200));
    sandbox.file("open.txt", "no newline");
    sandbox.file("b c.log", numbered(9));
    for (line, place) in [
        ("lines a.log 3:4", "a.log: lines 3-4 of 200; next: rread lines a.log 5:+2"),
        ("lines a.log -1:", "a.log: line 200 of 200"),
        ("lines open.txt", "open.txt: line 1 of 1"),
        ("lines 'b c.log' 1", "b c.log: line 1 of 9; next: rread lines 'b c.log' 2:+1"),
        ("bytes open.txt 0:2 --encode hex", "open.txt: bytes 0-2 of 10; next: rread bytes open.txt 2:+2"),
        ("page a.log 1 --page-size 100", "a.log: page 1; next: rread page a.log 2 --page-size 100"),
        ("search 1 a.log -m 2", "a.log: matching lines shown: 2; next: rread search -m 2 1 a.log --in 11:"),
        ("search -F 20 a.log", "a.log: matching lines shown: 3 of 3"),
    ] {
        let Some(shown) = all_on_terminal(&sandbox, &format!("{line} -f text")) else { return };
        assert_eq!(shown.lines().last(), Some(place), "{line}: {shown}");
        // The command after "next" runs.
        if let Some((_, next)) = place.split_once("next: rread ") {
            let shown = all_on_terminal(&sandbox, &format!("{next} -f text")).unwrap();
            assert!(
                !shown.contains("rread: ") && shown.contains(".log: ") || place.contains("open"),
                "{shown}"
            );
        }
        // What another program reads has no such line.
        let piped = sandbox.line(&format!("{line} -f text"));
        assert!(!String::from_utf8_lossy(&piped.stdout).contains(place) && !piped.stderr.contains(place));
    }
    for line in [
        "lines a.log open.txt 1 -f text",
        "ranges a.log 1 3 -f text",
        "search zzz a.log -f text",
        "lines a.log 1 --raw",
    ] {
        let Some(shown) = all_on_terminal(&sandbox, line) else { return };
        assert!(!shown.contains("next: rread") && !shown.contains(" of 200"), "{line}: {shown}");
    }
}
