//! Every command gives the same answer for an object on a real server as for a file.

use std::sync::LazyLock;

use rread_testkit::sandbox::{Run, Sandbox, numbered, words};
use serde_json::Value;

use super::content;
use super::servers::{self, Object, Store, Target};

/// Keys that only one kind of source has, or whose values differ.
const OF_THE_SOURCE: &[&str] = &[
    "path",
    "version",
    "modified",
    "mode",
    "index",
    "requests",
    "bytes_fetched",
    "etag",
    "content_type",
    "storage_class",
    "metadata_of_object",
    "bytes_scanned",
    // Contains the name of the file.
    "hint",
    "kind",
    "mime",
    // Known for an object only after its end was read.
    "final_newline",
];

/// Command lines; `FILE` stands for the file.
const COMMANDS: &[&str] = &[
    "bytes FILE",
    "bytes FILE 0:100",
    "bytes FILE -100:",
    "bytes FILE 37:+40,-9:,5:6",
    "bytes FILE 1MiB:+10",
    "bytes FILE 20:50 --encode base64",
    "lines FILE",
    "lines FILE 1:20",
    "lines FILE -20:",
    "lines FILE 500:510 -C 2 --header 1",
    "lines FILE -1 --hash",
    "lines FILE 900000",
    "ranges FILE 3 b5:+9 -2:",
    "page FILE",
    "page FILE 2 --page-size 100",
    "page FILE -1 --page-size 64",
    "where FILE --byte 30",
    "where FILE --line 3",
    "where FILE --line -1",
    "stat FILE",
    "stat FILE --count",
    "verify FILE 1#000000",
];

/// Texts by name, with difficult ends and edges.
fn texts() -> Vec<(&'static str, Vec<u8>)> {
    vec![
        ("empty.txt", Vec::new()),
        ("one.txt", b"x".to_vec()),
        ("newline.txt", b"\n".to_vec()),
        ("newlines.txt", b"\n".repeat(300)),
        ("crlf.txt", numbered(700).replace('\n', "\r\n").into_bytes()),
        ("open end.txt", numbered(1000).trim_end().as_bytes().to_vec()),
        ("öffnen 漢.txt", content::text(100_001)),
        ("giant.txt", [b"x".repeat(300_000), b"\nlast".to_vec()].concat()),
        ("invalid.txt", [&content::text(2000)[..], b"\xff\xc3", &content::text(2000)[..]].concat()),
        ("utf16.txt", numbered(200).encode_utf16().flat_map(u16::to_le_bytes).collect()),
        ("many.log", numbered(60_000).into_bytes()),
        ("binary.png", b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR".to_vec()),
    ]
}

/// `line` with `file` instead of FILE.
fn run(sandbox: &Sandbox, line: &str, file: &str, format: &str, env: &[(String, String)]) -> Run {
    let mut command = sandbox.command();
    command.args(words(line).into_iter().map(|word| if word == "FILE" { file } else { word }));
    command.args(["--format", format]).env("RREAD_CACHE_DIR", sandbox.path("cache"));
    command.envs(env.iter().map(|(name, value)| (name, value)));
    Run::of(&mut command)
}

/// `answer` without the keys of the source.
fn bare(mut answer: Value) -> Value {
    match &mut answer {
        Value::Object(members) => {
            members.retain(|name, _| !OF_THE_SOURCE.contains(&name.as_str()));
            members.values_mut().for_each(|value| *value = bare(value.take()));
        }
        Value::Array(items) => items.iter_mut().for_each(|item| *item = bare(item.take())),
        _ => {}
    }
    answer
}

/// A text, and the answers for it as a file to each of `COMMANDS`: raw if there is content, and JSON.
struct Local {
    name: &'static str,
    bytes: Vec<u8>,
    answers: Vec<(Option<Run>, Run)>,
}

/// Computed once for all servers.
static LOCAL: LazyLock<Vec<Local>> = LazyLock::new(|| {
    let sandbox = Sandbox::new();
    let local = |(name, bytes): (&'static str, Vec<u8>)| {
        sandbox.file(name, &bytes);
        let answers = |line: &&str| {
            let is_content =
                ["bytes", "lines", "ranges", "page"].iter().any(|command| line.starts_with(command));
            let raw = is_content.then(|| run(&sandbox, line, name, "raw", &[]));
            (raw, run(&sandbox, line, name, "json", &[]))
        };
        Local { name, bytes, answers: COMMANDS.iter().map(answers).collect() }
    };
    texts().into_iter().map(local).collect()
});

#[track_caller]
fn assert_same(sandbox: &Sandbox, local: &Local, target: &Target) {
    let ask = |line, format| run(sandbox, line, &target.url, format, &target.env);
    for (line, (raw, json)) in COMMANDS.iter().zip(&local.answers) {
        if let Some(local) = raw {
            let remote = ask(line, "raw");
            assert!(
                (remote.code, &remote.stdout) == (local.code, &local.stdout),
                "{remote}\nnot as\n{local}"
            );
        }
        let (remote, local) = (ask(line, "json"), json);
        assert_eq!(remote.code, local.code, "{remote}\nnot as\n{local}");
        if local.stderr.is_empty() {
            assert_eq!(bare(remote.json()), bare(local.json()), "{remote}\nnot as\n{local}");
        } else {
            let kind = |run: &Run| serde_json::from_str::<Value>(&run.stderr).unwrap()["kind"].take();
            assert_eq!(kind(&remote), kind(local), "{remote}\nnot as\n{local}");
        }
    }
}

fn same_on(store: Option<&'static dyn Store>) {
    let Some(store) = store else { return };
    let sandbox = Sandbox::new();
    for local in &*LOCAL {
        // Two of the stores share a server, which refuses a second owner of an object.
        let object = format!("same/{}/{}", store.name().len(), local.name);
        store.put(&Object::new(&object, &local.bytes));
        assert_same(&sandbox, local, &store.target(&object));
    }
}

#[test]
fn moto() {
    same_on(servers::moto().map(|store| store as &dyn Store));
}

#[test]
fn s3s() {
    same_on(servers::s3s().map(|store| store as &dyn Store));
}

#[test]
fn azurite() {
    same_on(servers::azurite().map(|store| store as &dyn Store));
}

#[test]
fn google() {
    same_on(servers::google().map(|store| store as &dyn Store));
}

#[test]
fn nginx() {
    same_on(servers::nginx().map(|store| store as &dyn Store));
}
