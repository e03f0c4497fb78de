//! On a terminal: colour, control characters shown, and the same format as in a pipe.

use std::fs::File;
use std::io::Read;
use std::process::{Command, Stdio};

use rustix::pty::{OpenptFlags, grantpt, openpt, ptsname, unlockpt};

use crate::support::{Sandbox, binary, numbered};

/// What the program shows on a terminal; `None` where there is none to be had.
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
    for name in ["RREAD_FORMAT", "RREAD_MAX_BYTES", "NO_COLOR"] {
        child.env_remove(name);
    }
    child.env("TERM", "xterm").envs(env.iter().copied());
    let mut running = child.stdin(Stdio::null()).stdout(slave).stderr(Stdio::inherit()).spawn().unwrap();
    // It holds our end of what must be closed before reading ends.
    drop(child);
    let reader = std::thread::spawn(move || {
        let mut shown = Vec::new();
        // The read that finds the terminal closed fails on Linux; what came before it counts.
        let _ = File::from(master).read_to_end(&mut shown);
        shown
    });
    assert!(running.wait().unwrap().success(), "{line}");
    let shown = String::from_utf8(reader.join().unwrap()).unwrap();
    // The terminal driver sends a carriage return before every newline.
    Some(shown.replace("\r\n", "\n"))
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
fn content_bytes_is_true_on_a_terminal_too() {
    let sandbox = Sandbox::with("f", "\x1b[31mred\n");
    let Some(shown) = on_terminal(&sandbox, "lines f --color never", &[]) else { return };
    let documents = crate::support::documents(shown.as_bytes(), true);
    assert_eq!(documents[0].content, "\\x1b[31mred\n");
}
