//! Standard input that is a file: read from its offset, left at its offset, otherwise like a named file.

use std::fs::{self, File, OpenOptions};
use std::io::{Seek, SeekFrom};
use std::process::{Command, Stdio};

use rread_testkit::sandbox::{AtHome, Sandbox, binary, words};
use serde_json::{Value, json};

fn run(sandbox: &Sandbox, line: &str, file: impl Into<Stdio>) -> (Option<i32>, Vec<u8>, String) {
    let mut command = Command::new(binary());
    command.args(words(line)).current_dir(sandbox.path(".")).stdin(file);
    command.at_home(&sandbox.home());
    command.env("RREAD_CACHE_DIR", sandbox.path("cache")).env("RREAD_INDEX_MIN", "100000");
    let output = command.output().unwrap();
    (output.status.code(), output.stdout, String::from_utf8(output.stderr).unwrap())
}

/// Runs with the file `name` at `offset`, which must not move.
fn from(sandbox: &Sandbox, line: &str, name: &str, offset: u64) -> (Option<i32>, Vec<u8>, String) {
    let mut file = File::open(sandbox.path(name)).unwrap();
    file.seek(SeekFrom::Start(offset)).unwrap();
    let result = run(sandbox, line, file.try_clone().unwrap());
    assert_eq!(file.stream_position().unwrap(), offset, "{line} moved it");
    result
}

/// An answer without the keys in which a part of a file and its copy differ.
fn comparable(answer: &[u8]) -> Value {
    fn strip(value: &mut Value) {
        match value {
            Value::Object(map) => {
                for key in ["path", "version", "modified", "hint"] {
                    map.remove(key);
                }
                map.values_mut().for_each(strip);
            }
            Value::Array(items) => items.iter_mut().for_each(strip),
            _ => {}
        }
    }
    let mut value = serde_json::from_slice(answer).unwrap_or(json!(null));
    strip(&mut value);
    value
}

const REQUESTS: [&str; 16] = [
    "lines FILE",
    "lines FILE 1:3",
    "lines FILE -2: -n",
    "lines FILE 4:+2 -C 1 --header 1",
    "lines FILE 900",
    "bytes FILE",
    "bytes FILE 3:20",
    "bytes FILE -7:",
    "bytes FILE 1:2 --align none --encode hex",
    "bytes FILE 5000:",
    "ranges FILE 2 b0:5 -1 b-3:",
    "stat FILE",
    "stat FILE --count",
    "where FILE --byte 5",
    "where FILE --line -1",
    "lines FILE 2:3 --metadata-only",
];

#[test]
fn every_command_reads_from_the_offset_on() {
    let text = "één\nzwei 漢字\r\n\nfour 😀 4\nfive\nsix \u{feff}\nseven\n8";
    let sandbox = Sandbox::with("whole", text);
    let size = text.len() as u64;
    for offset in [0, 1, 2, 3, 5, 14, 17, size - 1, size, size + 1, size + 5000] {
        let rest = &text.as_bytes()[usize::try_from(offset.min(size)).unwrap()..];
        sandbox.file("rest", rest);
        for request in REQUESTS {
            let line = format!("{request} --json");
            let (code, stdout, stderr) = from(&sandbox, &line.replace("FILE", "-"), "whole", offset);
            let named = sandbox.line(&line.replace("FILE", "rest"));
            assert_eq!(code, Some(named.code), "{line} from {offset}: {stderr}");
            assert_eq!(comparable(&stdout), comparable(&named.stdout), "{line} from {offset}");
            assert_eq!(comparable(stderr.as_bytes()), comparable(named.stderr.as_bytes()), "{line}");
        }
        for request in ["lines - 2:3", "bytes - 1:9", "ranges - 1 b2:4"] {
            let named = sandbox.line(&format!("{} --raw", request.replace('-', "rest")));
            let (_, stdout, _) = from(&sandbox, &format!("{request} --raw"), "whole", offset);
            assert_eq!(stdout, named.stdout, "{request} --raw from {offset}");
        }
    }
}

#[test]
fn long_copies_begin_at_the_offset_too() {
    let bytes: Vec<u8> = (0..2_000_003u32).map(|n| b'a' + u8::try_from(n % 23).unwrap()).collect();
    let sandbox = Sandbox::with("f", &bytes);
    let (_, piped, _) = from(&sandbox, "bytes - 100:1900000 --raw", "f", 77_777);
    assert!(piped == bytes[77_877..1_977_777], "to a pipe");
    let mut input = File::open(sandbox.path("f")).unwrap();
    input.seek(SeekFrom::Start(77_777)).unwrap();
    let mut command = Command::new(binary());
    command.at_home(&sandbox.home()).args(["bytes", "-", "100:1900000", "--raw"]).stdin(input);
    let status = command.stdout(File::create(sandbox.path("out")).unwrap()).status().unwrap();
    assert!(status.success());
    assert!(fs::read(sandbox.path("out")).unwrap() == bytes[77_877..1_977_777], "to a file");
}

#[test]
fn its_version_can_be_expected() {
    let sandbox = Sandbox::with("f", "one\ntwo\nthree\n");
    let (_, stdout, _) = from(&sandbox, "lines - --json", "f", 4);
    let answer: Value = serde_json::from_slice(&stdout).unwrap();
    let version = answer["metadata"]["version"].as_str().unwrap().to_owned();
    let line = format!("lines - 1 --raw --expect {version}");
    assert_eq!(from(&sandbox, &line, "f", 4).1, b"two\n");
    // Another part of the file is another text.
    assert_eq!(from(&sandbox, &line, "f", 8).0, Some(7));
    sandbox.file("f", "one\nTwo\nthree\n");
    assert_eq!(from(&sandbox, &line, "f", 4).0, Some(7));
}

#[test]
fn an_index_is_of_the_whole_file_or_none() {
    let text: String = (1..=40_000).map(|n| format!("line {n}\n")).collect();
    let sandbox = Sandbox::with("f", &text);
    std::thread::sleep(std::time::Duration::from_millis(50));
    let index = |stdout: &[u8]| {
        let answer: Value = serde_json::from_slice(stdout).unwrap();
        (
            answer["content"].as_str().unwrap().to_owned(),
            answer["metadata"]["index"].as_str().unwrap().to_owned(),
        )
    };
    let expected = |line: &str, index: &str| (format!("{line}\n"), index.to_owned());
    let (_, stdout, _) = from(&sandbox, "lines - 39000 --json", "f", 7);
    assert_eq!(index(&stdout), expected("line 39001", "none"));
    // Only some systems name the file of standard input.
    if !cfg!(target_os = "linux") {
        return;
    }
    let (_, stdout, _) = from(&sandbox, "lines - 39000 --json", "f", 0);
    assert_eq!(index(&stdout), expected("line 39000", "built"));
    let (_, stdout, _) = from(&sandbox, "lines - 38000 --json", "f", 0);
    assert_eq!(index(&stdout), expected("line 38000", "hit"));
    let (_, stdout, _) = run(&sandbox, "lines f 38000 --json", Stdio::null());
    assert_eq!(index(&stdout), expected("line 38000", "hit"));
    let (_, stdout, _) = from(&sandbox, "lines - 38000 --json", "f", 7);
    assert_eq!(index(&stdout), expected("line 38001", "none"));
}

#[test]
fn unreadable_standard_input_is_reported() {
    let sandbox = Sandbox::new();
    let writing = || OpenOptions::new().create(true).append(true).open(sandbox.path("out")).unwrap();
    for command in ["lines -", "bytes -", "ranges - 1", "stat -", "where - --line 1"] {
        for (file, kind, word) in [
            (File::open(sandbox.path(".")).unwrap(), "is_directory", "directory"),
            (writing(), "io", "for writing only"),
        ] {
            let (code, stdout, stderr) = run(&sandbox, &format!("{command} --json"), file);
            assert_eq!((code, stdout.len()), (Some(3), 0), "{command}: {stderr}");
            let error: Value = serde_json::from_str(&stderr).unwrap();
            assert_eq!(error["kind"], json!(kind), "{command}");
            assert!(error["error"].as_str().unwrap().contains(word), "{stderr}");
        }
    }
}

#[test]
fn pseudo_files_are_seen_through_here_too() {
    for name in ["/proc/version", "/sys/kernel/mm/transparent_hugepage/enabled"] {
        let Ok(text) = fs::read(name) else {
            eprintln!("skipped: there is no {name}");
            continue;
        };
        let sandbox = Sandbox::new();
        let (code, stdout, _) = run(&sandbox, "lines - --raw", File::open(name).unwrap());
        assert_eq!((code, &stdout), (Some(0), &text), "{name}");
        let mut file = File::open(name).unwrap();
        file.seek(SeekFrom::Start(5)).unwrap();
        let (code, stdout, _) = run(&sandbox, "bytes - 0:4 --raw", file);
        assert_eq!((code, &stdout[..]), (Some(0), &text[5..9]), "{name}");
    }
    if let Ok(memory) = File::open("/proc/self/mem") {
        let (code, _, stderr) = run(&Sandbox::new(), "lines - 1", memory);
        assert_eq!(code, Some(3), "a failed read is not an empty file: {stderr}");
    }
}
