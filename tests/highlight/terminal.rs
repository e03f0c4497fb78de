//! On a real terminal: colours without an option, and content that cannot act.

use std::fs::File;
use std::io::Read;
use std::process::{Command, Stdio};

use rread_testkit::sandbox::{AtHome, Sandbox, binary};
use rustix::pty::{OpenptFlags, grantpt, openpt, ptsname, unlockpt};

use super::paint::{lines, painted};

/// Output of the program on a terminal; `None` without pseudo terminals.
fn on_terminal(sandbox: &Sandbox, line: &str, env: &[(&str, &str)]) -> Option<String> {
    let Ok(master) = openpt(OpenptFlags::RDWR | OpenptFlags::NOCTTY) else {
        eprintln!("SKIPPED: no pseudo terminal");
        return None;
    };
    grantpt(&master).ok()?;
    unlockpt(&master).ok()?;
    let name = ptsname(&master, Vec::new()).ok()?.into_string().ok()?;
    let slave = File::options().read(true).write(true).open(name).ok()?;
    let mut child = Command::new(binary());
    child.args(line.split_whitespace()).current_dir(sandbox.path(".")).at_home(&sandbox.home());
    child.env("TERM", "xterm").envs(env.iter().copied());
    let mut running = child.stdin(Stdio::null()).stdout(slave).stderr(Stdio::inherit()).spawn().unwrap();
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
fn a_terminal_has_colours_and_a_pipe_has_none() {
    let text = "fn main() { let a = \"b\"; }\n";
    let sandbox = Sandbox::with("a.rs", text);
    let colored = lines(&sandbox, "a.rs".as_ref(), &[]);
    assert_ne!(colored.text(), text);
    for (line, env, expected) in [
        ("lines a.rs -f text", &[][..], colored.text()),
        ("lines a.rs -f text --highlight rs", &[], colored.text()),
        ("lines a.rs -f text --highlight never", &[], text),
        ("lines a.rs -f text --color never", &[], text),
        ("lines a.rs -f text", &[("NO_COLOR", "1")], text),
        ("lines a.rs -f text", &[("TERM", "dumb")], text),
        ("lines a.rs --raw", &[], text),
        ("lines a.rs --raw --highlight rs", &[], text),
    ] {
        let Some(shown) = on_terminal(&sandbox, line, env) else { return };
        assert_eq!(shown, expected, "{line} {env:?}");
    }
    assert_eq!(sandbox.line("lines a.rs -f text").ok().text(), text);
    let Some(shown) = on_terminal(&sandbox, "lines a.rs", &[]) else { return };
    assert_eq!(shown, sandbox.line("lines a.rs --color always").ok().text());
}

#[test]
fn only_colours_of_rread_reach_the_terminal() {
    let hostile = "let a = \"\x1b[2J\x1b]0;title\x07\"; // \u{9b}31m \x1b[31m red \x1bc\n/* \x08\x08\x7f */ fn b() {}\r\n\x1b[0m\n\rover\n";
    let sandbox = Sandbox::new();
    for name in ["a.rs", "a.md", "a.sh", "a.json", "a.log", "a.csv", "a.html"] {
        sandbox.file(name, hostile);
        for line in
            ["lines NAME", "lines NAME -n", "page NAME", "ranges NAME 1 2:", "lines NAME --max-columns 12"]
        {
            let line = format!("{} -f text", line.replace("NAME", name));
            let Some(shown) = on_terminal(&sandbox, &line, &[]) else { return };
            let Some(plain) = on_terminal(&sandbox, &format!("{line} --color never"), &[]) else { return };
            // Panics at every escape sequence that is not a colour.
            let text: String = painted(&shown).iter().map(|(c, _)| *c).collect();
            assert_eq!(text, plain, "{line}");
            let acting = text.chars().find(|c| c.is_control() && !['\n', '\t', '\r'].contains(c));
            assert_eq!(acting, None, "{line}: {shown:?}");
            // A colour of the content would be one more than those of its language.
            assert!(!line.contains("a.rs") || text.contains("[31m") || line.contains("columns"), "{text:?}");
        }
    }
}
