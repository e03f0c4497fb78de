//! Colours: those of rg, on a terminal or with `--color always`, in text and frontmatter alone.

use std::fs::File;
use std::io::Read;
use std::process::{Command, Stdio};

use rread_testkit::sandbox::{AtHome, Sandbox, binary};
use rustix::pty::{OpenptFlags, grantpt, openpt, ptsname, unlockpt};

use super::number;

const RED: &str = "\x1b[1m\x1b[31m";

/// Output of the program on a terminal; `None` without pseudo terminals.
pub(super) fn on_terminal(sandbox: &Sandbox, args: &[&str], env: &[(&str, &str)]) -> Option<String> {
    let Ok(master) = openpt(OpenptFlags::RDWR | OpenptFlags::NOCTTY) else {
        eprintln!("skipped: no pseudo terminal");
        return None;
    };
    grantpt(&master).ok()?;
    unlockpt(&master).ok()?;
    let name = ptsname(&master, Vec::new()).ok()?.into_string().ok()?;
    let slave = File::options().read(true).write(true).open(name).ok()?;
    let mut child = Command::new(binary());
    child.args(args).current_dir(sandbox.path(".")).at_home(&sandbox.home());
    child.env("TERM", "xterm").envs(env.iter().copied());
    let mut running = child.stdin(Stdio::null()).stdout(slave).stderr(Stdio::inherit()).spawn().unwrap();
    // The command holds an end that must close before reading ends.
    drop(child);
    let mut shown = Vec::new();
    // On Linux, the read of a closed terminal fails.
    let _ = File::from(master).read_to_end(&mut shown);
    assert!(running.wait().unwrap().success(), "{args:?}");
    // The terminal driver sends a carriage return before every newline.
    Some(String::from_utf8(shown).unwrap().replace("\r\n", "\n"))
}

/// What the program writes into a pipe with `--color always`, with short marks: `<match>`, `{number}`, `[path]`.
fn marked(sandbox: &Sandbox, args: &[&str]) -> String {
    // A clipped line is a note on standard error.
    let run = sandbox.run(args.iter().copied().chain(["-f", "text", "--color", "always"]));
    assert_eq!(run.code, 0, "{run}");
    let mut marked = String::new();
    let mut close = "";
    let mut rest = run.text();
    while let Some(at) = rest.find('\x1b') {
        marked += &rest[..at];
        rest = &rest[at..];
        for (code, open, end) in
            [(RED, "<", ">"), ("\x1b[32m", "{", "}"), ("\x1b[35m", "[", "]"), ("\x1b[0m", close, "")]
        {
            if let Some(after) = rest.strip_prefix(code) {
                (rest, close) = (after, end);
                marked += open;
                break;
            }
        }
    }
    assert_eq!(close, "", "every colour ends: {run}");
    marked + rest
}

fn without_colors(text: &str) -> String {
    let mut plain = String::new();
    for piece in text.split('\x1b') {
        let is_first = plain.is_empty() && text.starts_with(piece);
        plain += if is_first { piece } else { piece.split_once('m').unwrap().1 };
    }
    plain
}

#[test]
fn a_terminal_shows_the_colours_of_rg() {
    let sandbox = Sandbox::with("f", "one\ntwo two\nthree\n");
    let painted = format!(
        "\x1b[32m1\x1b[0m-one\n\x1b[32m2\x1b[0m:{RED}two\x1b[0m {RED}two\x1b[0m\n\x1b[32m3\x1b[0m-three\n"
    );
    let text = ["search", "two", "f", "-C1", "-f", "text"];
    let plain = without_colors(&painted);
    for (options, env, expected) in [
        (&[][..], &[][..], &painted),
        (&[], &[("NO_COLOR", "1")], &plain),
        (&[], &[("TERM", "dumb")], &plain),
        (&["--color", "never"], &[], &plain),
        (&["--color", "always"], &[("NO_COLOR", "1")], &painted),
    ] {
        let args = [&text, options].concat();
        let Some(shown) = on_terminal(&sandbox, &args, env) else { return };
        assert_eq!(&shown, expected, "{args:?} {env:?}");
    }
    let Some(shown) = on_terminal(&sandbox, &["search", "two", "f", "-C1"], &[]) else { return };
    assert!(shown.ends_with(&format!("---\n{painted}")), "{shown:?}");
    for format in ["json", "xml", "raw"] {
        let args = ["search", "two", "f", "-f", format];
        let Some(shown) = on_terminal(&sandbox, &args, &[]) else { return };
        let always = sandbox.run([&args[..], &["--color", "always"]].concat()).ok();
        assert!(!shown.contains('\x1b') && !always.text().contains('\x1b'), "{format}: {shown:?} {always}");
    }
    assert_eq!(sandbox.run(text).ok().text(), plain, "a pipe has no colours");
}

#[test]
fn control_characters_beside_a_match_do_not_act_on_a_terminal() {
    let sandbox = Sandbox::with("f", "\x1b[2J\x07 hit\x1b[31m \u{9b}2J\n");
    let args = ["search", "hit.", "f", "-f", "text"];
    let Some(shown) = on_terminal(&sandbox, &args, &[]) else { return };
    assert_eq!(
        shown,
        format!("\x1b[32m1\x1b[0m:\\x1b[2J\\x07 {RED}hit\\x1b\x1b[0m[31m \\u{{9b}}2J\n"),
        "the match has the escape character"
    );
}

#[test]
fn highlights_are_at_the_matches() {
    let sandbox = Sandbox::new();
    sandbox.file("f", "Foo bar foo\nnone\n");
    sandbox.file("crlf", "foo\r\nbar\n");
    sandbox.file("bad", b"a\xe2\x82b\xffc \xc3\xa9\n");
    let utf16: Vec<u8> =
        "\u{feff}foo é foo\nx foo\n".encode_utf16().flat_map(|unit| unit.to_le_bytes()).collect();
    sandbox.file("wide", utf16);
    sandbox.file("long", format!("{}needle{}\n", "é".repeat(3000), "x".repeat(3000)));
    for (line, expected) in [
        ("foo f", "{1}:Foo bar <foo>\n"),
        ("-i foo f", "{1}:<Foo> bar <foo>\n"),
        ("-e foo -e bar -e non f", "{1}:Foo <bar> <foo>\n{2}:<non>e\n"),
        ("-v foo f", "{2}:none\n"),
        ("-v foo f -C1", "{1}-Foo bar foo\n{2}:none\n"),
        ("x* f -m1", "{1}:Foo bar foo\n"),
        ("foo f f", "[f]:{1}:Foo bar <foo>\n[f]:{1}:Foo bar <foo>\n"),
        ("-c foo f f", "[f]:1\n[f]:1\n"),
        ("-l foo f f", "[f]\n[f]\n"),
        ("foo. crlf", "{1}:<foo>\r\n"),
        ("foo wide", "{1}:<foo> é <foo>\n{2}:x <foo>\n"),
        ("b bad", "{1}:a\u{fffd}<b>\u{fffd}c é\n"),
        (r"(?-u:\xff) bad", "{1}:a\u{fffd}b<\u{fffd}>c é\n"),
        (r"(?-u:\x82) bad", "{1}:a<\u{fffd}>b\u{fffd}c é\n"),
        (r"(?-u:\xa9) bad", "{1}:a\u{fffd}b\u{fffd}c <é>\n"),
        (r"(?-u:[\x80-\xff]) bad", "{1}:a<\u{fffd}>b<\u{fffd}>c <é>\n"),
        ("needle long --max-columns 9", "{1}:…ééé<needle>…\n"),
        ("needlex+ long --max-columns 9", "{1}:…ééé<needle>…\n"),
    ] {
        let args: Vec<&str> = ["search"].into_iter().chain(line.split(' ')).collect();
        assert_eq!(marked(&sandbox, &args), expected, "{line}");
        let plain = sandbox.run(args.iter().copied().chain(["-f", "text"]));
        let colored = sandbox.run(args.iter().copied().chain(["-f", "text", "--color", "always"]));
        assert_eq!(without_colors(colored.text()), plain.text(), "{line}: colours change nothing else");
    }
}

#[test]
fn hashlines_have_highlights_after_the_hash() {
    let sandbox = Sandbox::with("f", "\u{feff}foo 1 foo\nno\n1\n");
    for pattern in ["foo", "1", "^"] {
        let plain = sandbox.run(["search", pattern, "f", "--hash", "-f", "text"]).ok();
        let painted = sandbox.run(["search", pattern, "f", "--hash", "-f", "text", "--color", "always"]).ok();
        assert_eq!(without_colors(painted.text()), plain.text());
        assert!(painted.text().starts_with("\x1b[32m1#"), "{painted}");
    }
    let painted = sandbox.run(["search", "foo", "f", "--hash", "-f", "text", "--color", "always"]).ok();
    let end = format!("|{RED}foo\x1b[0m 1 {RED}foo\x1b[0m\n");
    assert!(painted.text().ends_with(&end), "{painted}");
}

#[test]
fn receipts_count_colours_and_budgets_hold() {
    let text: String = (1..=40).map(|n| format!("aaaaaaaaaa {n}\n")).collect();
    let sandbox = Sandbox::with("f", text);
    for budget in [64, 65, 80, 100, 150, 400, 100_000] {
        let most = budget.to_string();
        for pattern in ["a", "a+", "9$"] {
            let args = ["search", pattern, "f", "-C1", "--max-bytes", &most, "--color", "always"];
            let run = sandbox.run(args).ok();
            let (head, content) = run.text().split_once("\n---\n").unwrap();
            let documents = rread_testkit::sandbox::documents(
                without_colors(&format!("{head}\n---\n")).as_bytes(),
                false,
            );
            assert_eq!(number(&documents[0], "content_bytes"), content.len() as u64, "{run}");
            assert!(content.len() <= budget && !content.is_empty(), "{run}");
        }
    }
}
