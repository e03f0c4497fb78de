//! Memory: every command and format on files larger than the address space.
//!
//! With `RREAD_THOROUGH`, the single line has 256 MiB; with `RREAD_DIFFERENTIAL`, a GiB.

use std::fs::File;
use std::io::{Read, Write};
use std::os::unix::fs::FileExt;
use std::process::{Child, Stdio};

use rread_testkit::sample::cases;
use rread_testkit::sandbox::{Sandbox, numbered};

use super::{run, shell};

/// Address space in KiB.
const LIMIT: u32 = 64 << 10;

fn limited(sandbox: &Sandbox, line: &str) -> (Option<i32>, Vec<u8>, String) {
    run(sandbox, &format!("ulimit -v {LIMIT}; exec $RREAD {line}"))
}

/// Checks that the answer to `line` has all of `expected`.
#[track_caller]
fn answers(sandbox: &Sandbox, line: &str, expected: &[&str]) {
    let (code, stdout, stderr) = limited(sandbox, line);
    assert_eq!((code, stderr.as_str()), (Some(0), ""), "{line}");
    let stdout = String::from_utf8(stdout).unwrap();
    assert!(stdout.len() < 20_000, "{line}: {} bytes", stdout.len());
    for part in expected {
        assert!(stdout.contains(part), "{line}: no {part} in {stdout}");
    }
}

/// Lines, a hole of more than 4 GiB, and lines again.
#[test]
#[cfg_attr(any(feature = "cloud", feature = "sql"), ignore = "the program alone takes more, unoptimised")]
fn a_sparse_file_of_several_gib_takes_no_memory() {
    let sandbox = Sandbox::new();
    let file = File::create(sandbox.path("f")).unwrap();
    let (head, tail) = (numbered(2000), "\nlast 1\nlast 2\n");
    let tail_at = (4 << 30) + 777;
    if file.write_all_at(tail.as_bytes(), tail_at).is_err() {
        return eprintln!("SKIPPED: this file system has no sparse files of that size");
    }
    file.write_all_at(head.as_bytes(), 0).unwrap();
    let size = tail_at + tail.len() as u64;
    let end = format!("\"file_size\":{size}");
    for line in ["lines f -2: --raw", "bytes f -14: --raw", "ranges f -2 -1 --raw", "lines f -2: -f text"] {
        let (code, stdout, stderr) = limited(&sandbox, line);
        let stdout = String::from_utf8_lossy(&stdout);
        assert_eq!((code, &*stdout, stderr.as_str()), (Some(0), "last 1\nlast 2\n", ""), "{line}");
    }
    answers(&sandbox, "lines f 1999:2000", &["\nline 1999\nline 2000\n", &format!("total: {size}")]);
    answers(&sandbox, "lines f 1999:2000 --xml", &["line 1999\nline 2000\n"]);
    answers(&sandbox, "bytes f 4294967296:+4 --encode hex --json", &["\"content\": \"00000000\"", &end]);
    answers(&sandbox, "page f 2 --json", &["\"page\":2", &end]);
    answers(&sandbox, "page f -1 --raw", &["\nlast 1\nlast 2\n"]);
    answers(&sandbox, "stat f --json", &[&format!("\"total\":{size}"), "\"kind\":\"text\""]);
    answers(&sandbox, "lines f -1 --metadata-only --json", &[&end]);
    let (code, stdout, _) = limited(&sandbox, "lines f 2000 --hash --raw");
    let anchor = String::from_utf8(stdout).unwrap();
    assert_eq!(code, Some(0));
    let anchor = anchor.split('|').next().unwrap();
    answers(&sandbox, &format!("verify f {anchor} --json"), &["\"mismatches\":[]"]);
    let (code, ..) = limited(&sandbox, "image f");
    assert!(code.is_some_and(|code| (2..=4).contains(&code)), "{code:?}");
    // A sample has no full scans, which take seconds.
    if cases(false, true) {
        return;
    }
    let counted = ["\"lines\":2003", "\"longest_line\":{\"line\":2001"];
    answers(&sandbox, "stat f --count --json", &counted);
    // Then answers from the index.
    let indexed = |line: &str, expected: &[&str]| {
        let script = format!(
            "export RREAD_INDEX=auto RREAD_CACHE_DIR=$PWD/cache; ulimit -v {LIMIT}; exec $RREAD {line} --json"
        );
        let (code, stdout, stderr) = run(&sandbox, &script);
        let stdout = String::from_utf8(stdout).unwrap();
        assert_eq!((code, stderr.as_str()), (Some(0), ""), "{line}");
        assert!(expected.iter().all(|part| stdout.contains(part)), "{line}: {stdout}");
    };
    indexed("index build f", &["2003"]);
    indexed("index show f", &["\"state\":\"fresh\"", "\"complete\":true"]);
    indexed("lines f 2002:2003 -n", &["  2002→last 1\\n", "\"index\":\"hit\""]);
    indexed(&format!("where f --byte {}", size - 1), &["\"line\":2003", "\"index\":\"hit\""]);
    indexed("where f --line 2003", &[&format!("\"byte\":{}", size - 7), "\"index\":\"hit\""]);
    indexed("lines f 2003 --hash", &["2003#", "|last 2"]);
}

/// The pattern of the single line; no format escapes it.
const PATTERN: &[u8] = b"one line that never ends, 0123456789 abcdefghijklmnopqrstuvwxyz; ";

/// Checks an answer with `size` bytes of the pattern and little before and after.
fn check_pattern(what: &str, mut child: Child, size: usize) {
    let mut stdout = child.stdout.take().unwrap();
    let mut buffer = vec![0; 1 << 20];
    let cycle = PATTERN.repeat((1 << 20) / PATTERN.len() + 3);
    let mut head = Vec::new();
    (&mut stdout).take(4096).read_to_end(&mut head).unwrap();
    let start = head.windows(PATTERN.len()).position(|part| part == PATTERN);
    let start = start.unwrap_or_else(|| panic!("{what}: {}", head.escape_ascii()));
    let mut matched = head.len() - start;
    assert!(head[start..] == cycle[..matched], "{what}: the beginning is not that of the line");
    let mut rest: Vec<u8> = Vec::new();
    loop {
        let got = stdout.read(&mut buffer).unwrap();
        if got == 0 {
            break;
        }
        let of_line = got.min(size - matched);
        let phase = matched % PATTERN.len();
        assert!(buffer[..of_line] == cycle[phase..phase + of_line], "{what}: not the line after {matched}");
        matched += of_line;
        rest.extend(&buffer[of_line..got]);
        assert!(rest.len() < 10_000, "{what}: more than the line");
    }
    let status = child.wait().unwrap();
    assert!(status.success() && matched == size, "{what}: {status}, {matched} of {size} bytes");
}

#[test]
#[cfg_attr(any(feature = "cloud", feature = "sql"), ignore = "the program alone takes more, unoptimised")]
fn a_single_line_takes_no_memory() {
    let sandbox = Sandbox::new();
    let size: usize =
        if std::env::var_os("RREAD_DIFFERENTIAL").is_some() { 1 << 30 } else { cases(256, 80) << 20 };
    let mut file = File::create(sandbox.path("f")).unwrap();
    let block = PATTERN.repeat((4 << 20) / PATTERN.len());
    let mut left = size;
    while left > 0 {
        let part = left.min(block.len());
        file.write_all(&block[..part]).unwrap();
        left -= part;
    }
    let whole = |line: &str| {
        let script = format!("ulimit -v {LIMIT}; exec $RREAD {line}");
        let child = shell(&sandbox, &script).stdout(Stdio::piped()).spawn().unwrap();
        check_pattern(line, child, size);
    };
    for line in [
        "lines f --raw",
        "lines f 1",
        "lines f 1 --json",
        "lines f -1: --xml",
        "bytes f -f text",
        "lines f 1 -n -f text",
        "lines f 1 --hash -f text",
        "ranges f 1 --json --invalid escape",
        "lines - -1: --raw < f",
    ] {
        whole(line);
    }
    let piped = format!("cat f | (ulimit -v {LIMIT}; exec $RREAD lines - --raw)");
    check_pattern("a pipe", shell(&sandbox, &piped).stdout(Stdio::piped()).spawn().unwrap(), size);
    let last = size - 1;
    answers(&sandbox, "lines f 1 --max-bytes 100 --raw 2>/dev/null", &[]);
    answers(&sandbox, "lines f 1 --max-columns 8 -f text 2>/dev/null", &["one line"]);
    answers(&sandbox, "lines f 1 --metadata-only --json", &[&format!("\"content_bytes\":{size}")]);
    answers(&sandbox, &format!("bytes f {last}: --encode base64 --json"), &["\"eof\":true"]);
    answers(&sandbox, "page f -1 --json", &[&format!("\"end_byte\":{size}"), "\"continued\":true"]);
    answers(
        &sandbox,
        &format!("where f --byte {last} --json"),
        &["\"line\":1", &format!("\"column\":{size}")],
    );
    answers(&sandbox, "where f --line -1 --json", &[&format!("\"range\":\"0-{size}\"")]);
    answers(
        &sandbox,
        "stat f --count --json",
        &[&format!("\"longest_line\":{{\"line\":1,\"bytes\":{size}}}")],
    );
    let (code, hashed, _) =
        run(&sandbox, &format!("ulimit -v {LIMIT}; $RREAD lines f 1 --hash --raw | head -c 9"));
    assert_eq!(code, Some(0));
    let anchor = String::from_utf8(hashed).unwrap();
    let anchor = anchor.split('|').next().unwrap();
    answers(&sandbox, &format!("verify f {anchor} --json"), &["\"mismatches\":[]"]);
    let captured = format!("\"bytes_kept\":{size}");
    answers(&sandbox, "capture --metadata-only --json < f", &[&captured]);
    answers(&sandbox, "page fd:1 3 --json", &["\"page\":3"]);
}

/// With every limit, the answer is right or refused.
#[test]
fn refused_memory_is_a_sentence_and_exit_code_3() {
    let sandbox = Sandbox::new();
    let text = numbered(200_000);
    sandbox.file("f", &text);
    let right: String =
        text.lines().filter(|line| line.contains('9')).map(|line| format!("{line}\n")).collect();
    let search = |limit: u64| {
        let line = format!("ulimit -v {limit}; unset RUST_BACKTRACE; $RREAD search 9 f --raw; exit $?");
        run(&sandbox, &line)
    };
    // How much the program itself needs depends on how it was built.
    let (mut too_small, mut enough) = (1u64 << 10, 4u64 << 20);
    while enough - too_small > 64 {
        let limit = too_small.midpoint(enough);
        if search(limit).0 == Some(0) { enough = limit } else { too_small = limit }
    }
    let mut refused = 0;
    for limit in (1..cases(48u64, 24)).map(|step| enough + 128 - step * 64) {
        let (code, stdout, stderr) = search(limit);
        match code {
            Some(0) => assert_eq!(String::from_utf8_lossy(&stdout), right),
            Some(3) => {
                refused += 1;
                assert!(right.as_bytes().starts_with(&stdout), "{limit}");
                let first = stderr.lines().next().unwrap_or_default();
                assert!(first.contains("memory") || first.contains("thread"), "{limit}: {stderr}");
            }
            // There is no room for the program itself, or for the sentence.
            _ => assert!(matches!(code, Some(126 | 127 | 134 | 137 | 139)), "{limit}: {code:?} {stderr}"),
        }
    }
    assert!(refused > 0);
}
