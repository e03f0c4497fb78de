//! Names of files that a shell could run: every hint is inert in every shell, and names the same file in each of them.

use std::collections::BTreeSet;
use std::ffi::{OsStr, OsString};
use std::fs;
use std::os::unix::ffi::{OsStrExt, OsStringExt};
use std::os::unix::fs::PermissionsExt;
use std::process::{Command, Stdio};

use rread_testkit::sandbox::Sandbox;

/// The words of each shell before the hint.
const SHELLS: [&[&str]; 6] = [
    &["dash", "-c"],
    &["bash", "-c"],
    &["busybox", "sh", "-c"],
    &["zsh", "-c"],
    &["ksh", "-c"],
    &["mksh", "-c"],
];

/// Commands whose answer has a hint or a `next` with the name, which stands in place of NAME.
const COMMANDS: [&str; 26] = [
    "lines NAME 99",
    "lines NAME 9:3",
    "lines NAME 1,2p",
    "lines NAME 1 2",
    "lines NAME --head 2",
    "lines NAME --since 10:00",
    "lines NAME 2:+1 -E klingon",
    "lines NAMEx",
    "lines NAME/x",
    "lines zip:NAME/x",
    "lines NAME --json --hash --max-bytes 4",
    "bytes NAME 2",
    "bytes NAME 1-2",
    "page NAME 9",
    "search zzz NAME",
    "search line NAME -m 1 -f json",
    "search -l -0 line NAME",
    "search ( NAME",
    "verify NAME 12",
    "where NAME --line 99",
    "image NAME",
    "ranges NAME",
    "sed -n 2p NAME",
    "head -n 2 NAME",
    "cat NAME",
    "tail -n 2 NAME",
];

/// Calls of tools, with the name as JSON in place of NAME.
const CALLS: [(&str, &str); 8] = [
    ("read", r#"{"path": NAME, "lines": "99"}"#),
    ("read", r#"{"path": NAME, "max_bytes": 8}"#),
    ("read", r#"{"path": [NAME, "x"]}"#),
    ("search", r#"{"path": NAME, "pattern": "line", "max_count": 1}"#),
    ("search", r#"{"path": NAME, "pattern": "("}"#),
    ("stat", r#"{"path": NAME, "patterns": 9, "near": 1}"#),
    ("verify", r#"{"path": NAME, "anchors": ["1"]}"#),
    ("image", r#"{"path": NAME}"#),
];

/// Payloads after every control character, at both ends, and beside signs of printf and of each shell.
fn names() -> Vec<Vec<u8>> {
    let payload = b"'$(>PWN) `>PWN` ;>PWN; #";
    let mut names = Vec::new();
    for byte in (1..=255).step_by(7).chain([1, 7, 10, 13, 27, 127, 128, 255]) {
        names.push([b"a", &[byte], &payload[..]].concat());
    }
    for start in [
        "-", "=", "~", "%s%n", "\\", "!", "\u{202E}", "\u{A0}", "\u{200B}", "\u{1}", "$'\\'", "\"", "{a,b}",
        "*",
    ] {
        names.push([start.as_bytes(), payload].concat());
        names.push([payload, start.as_bytes()].concat());
        names.push([start.as_bytes(), b"\x01007"].concat());
    }
    names.push(b"ends\n".to_vec());
    names.retain(|name| !name.contains(&b'/'));
    names
}

/// The hints and the commands to go on with, of an answer in text or JSON.
fn hints(printed: &[u8]) -> BTreeSet<String> {
    let text = String::from_utf8_lossy(printed);
    let lines = text
        .lines()
        .filter_map(|line| line.strip_prefix("hint: ").or(line.split_once("| next: ").map(|(_, next)| next)));
    let lines = lines.map(str::to_owned);
    let json = serde_json::from_str::<serde_json::Value>(&text).ok();
    let members = json.iter().flat_map(|answer| {
        let words = [&answer["hint"], &answer["metadata"]["next"]["command"], &answer["metadata"]["next"]];
        words.into_iter().filter_map(|word| word.as_str().map(str::to_owned)).collect::<Vec<_>>()
    });
    lines.chain(members).collect()
}

/// What each call of `rread` was given when `shell` runs `hint`.
fn given(sandbox: &Sandbox, shell: &[&str], hint: &str) -> Option<Vec<Vec<u8>>> {
    let out = sandbox.path(".out");
    let _ = fs::remove_file(&out);
    let path = format!("{}:{}", sandbox.path(".bin").display(), std::env::var("PATH").unwrap());
    let mut command = Command::new(shell[0]);
    command.args(&shell[1..]).arg(hint).current_dir(sandbox.path("")).env("PATH", path).env("OUT", &out);
    command.stdin(Stdio::null()).output().ok()?;
    let words = fs::read(&out).unwrap_or_default();
    Some(words.split(|byte| *byte == 0).map(<[u8]>::to_vec).collect())
}

#[test]
fn a_hint_is_inert_and_names_the_same_file_in_every_shell() {
    let sandbox = Sandbox::new();
    fs::create_dir(sandbox.path(".bin")).unwrap();
    sandbox.file(".bin/rread", "#!/bin/sh\nprintf '%s\\0' \"$@\" >> \"$OUT\"\n");
    fs::set_permissions(sandbox.path(".bin/rread"), fs::Permissions::from_mode(0o755)).unwrap();
    let shells: Vec<&[&str]> =
        SHELLS.into_iter().filter(|shell| given(&sandbox, shell, "rread x").is_some()).collect();
    if shells.len() < SHELLS.len() {
        eprintln!("SKIPPED: some of {SHELLS:?} are not installed");
    }
    let (mut tried, mut exact) = (0, 0);
    for (n, name) in names().into_iter().enumerate() {
        let path = sandbox.path("").join(OsStr::from_bytes(&name));
        fs::write(&path, "line 1\nline 2\nline 3\n").unwrap();
        // Each name with a part of the commands: all of them together take minutes.
        let commands = COMMANDS.iter().skip(n % 5).step_by(5).map(|line| {
            let args = line.split(' ').map(|word| {
                let parts: Vec<&[u8]> = word.split("NAME").map(str::as_bytes).collect();
                OsString::from_vec(parts.join(&name[..]))
            });
            ((*line).to_owned(), args.collect::<Vec<_>>())
        });
        let as_json = String::from_utf8(name.clone()).map(|name| serde_json::Value::from(name).to_string());
        let calls = as_json.iter().flat_map(|name| {
            CALLS.iter().map(move |(tool, arguments)| {
                let words = ["call".to_owned(), (*tool).to_owned(), arguments.replace("NAME", name)];
                (words.join(" "), words.map(OsString::from).to_vec())
            })
        });
        for (line, args) in commands.chain(calls.skip(n % 8).step_by(8)) {
            let run = sandbox.run(args);
            for hint in hints(run.stderr.as_bytes()).union(&hints(&run.stdout)) {
                let said: Vec<_> = shells.iter().map(|shell| given(&sandbox, shell, hint).unwrap()).collect();
                assert!(!sandbox.path("PWN").exists(), "{line}, {}: {hint}", name.escape_ascii());
                for (shell, words) in shells.iter().zip(&said) {
                    assert_eq!(words, &said[0], "{shell:?}, {line}, {}: {hint}", name.escape_ascii());
                }
                tried += 1;
                if hint.starts_with("rread ") && hint.contains("$(printf") {
                    let has_name = |word: &Vec<u8>| word.windows(name.len()).any(|part| part == &name[..]);
                    assert!(said[0].iter().any(has_name), "{line}, {}: {hint}", name.escape_ascii());
                    exact += 1;
                }
            }
        }
        fs::remove_file(&path).unwrap();
    }
    assert!(tried > 200 && exact > 80, "{tried} hints, {exact} with such a name");
}
