//! The n-th system call of a kind fails, for every n until a run makes fewer; alone, and with all later ones.

use std::fs;
use std::path::{Path, PathBuf};

use rread_testkit::sample::cases;
use rread_testkit::sandbox::{Sandbox, numbered};

use super::{is_there, run};

/// A run in which some call failed.
struct Injected {
    was_reached: bool,
    code: Option<i32>,
    stdout: Vec<u8>,
    stderr: String,
}

/// Runs `line` with `fault` injected into calls that concern `path`, or into any calls; standard output is a file.
fn inject(sandbox: &Sandbox, line: &str, fault: &str, path: Option<&Path>) -> Injected {
    let path = path.map_or(String::new(), |path| format!("-P '{}'", path.display()));
    let script =
        format!("exec timeout -k 1 60 strace -f -qq -o trace {path} -e 'inject={fault}' $RREAD {line} > out");
    let (code, _, stderr) = run(sandbox, &script);
    let trace = fs::read(sandbox.path("trace")).unwrap_or_default();
    let was_reached = String::from_utf8_lossy(&trace).contains("(INJECTED)");
    Injected { was_reached, code, stdout: fs::read(sandbox.path("out")).unwrap(), stderr }
}

/// Whether strace works here; a system may forbid tracing.
fn can_inject(sandbox: &Sandbox) -> bool {
    if !is_there("strace") {
        return false;
    }
    let run = inject(sandbox, "lines missing", "openat:error=EIO:when=1", None);
    let can = !run.stderr.contains("strace:");
    if !can {
        eprintln!("SKIPPED: no calls can be made to fail here: {}", run.stderr);
    }
    can
}

/// An answer without its costs, which repeated reads increase.
fn essence(answer: &[u8]) -> Vec<u8> {
    let word = b"bytes_scanned";
    let Some(at) = answer.windows(word.len()).position(|part| part == word) else { return answer.to_vec() };
    let (before, after) = answer.split_at(at + word.len());
    let is_number = |byte: &u8| byte.is_ascii_digit() || b"\": ".contains(byte);
    [before, &after[after.iter().take_while(|byte| is_number(byte)).count()..]].concat()
}

/// For every n and mode: the answer is `expected`, or the exit code is one of `codes` and the output is a prefix of the
/// right content.
fn enumerate(
    sandbox: &Sandbox,
    line: &str,
    fault: &str,
    path: Option<&Path>,
    expected: &[u8],
    codes: &[i32],
) {
    // Endless interruptions would be a hang, not a failure.
    let modes = if fault.contains("EINTR") { vec![""] } else { modes(line.len() + fault.len()).collect() };
    for mode in modes {
        for n in 1.. {
            let fault = format!("{fault}:when={n}{mode}");
            let run = inject(sandbox, line, &fault, path);
            let case = format!("{line}, {fault}: {:?} {}", run.code, run.stderr);
            if run.code == Some(0) {
                assert!(essence(&run.stdout) == essence(expected), "{case}: {}", run.stdout.escape_ascii());
            }
            if !run.was_reached {
                assert_eq!(run.code, Some(0), "{case}");
                break;
            }
            assert!(n < 300, "{case}: it does not end");
            if run.code == Some(0) {
                continue;
            }
            assert!(run.code.is_some_and(|code| codes.contains(&code)), "{case}");
            assert!(run.stderr.contains("rread: ") || run.stderr.contains("\"error\""), "{case}");
            let is_prefix = expected.starts_with(&run.stdout);
            // JSON reports costs as it goes; callers trust only a whole document.
            let is_no_document = || serde_json::from_slice::<serde_json::Value>(&run.stdout).is_err();
            assert!(is_prefix || (line.contains("--json") && is_no_document()), "{case}");
        }
    }
}

const REQUESTS: [&str; 7] = [
    "lines f 2:3 --raw",
    "lines f -2: --raw",
    "bytes f 7:300000 --raw",
    "lines f 20000,-1 --json --no-index",
    "page f 2 --raw",
    "where f --line 30000 --raw",
    "stat f --count --raw",
];

/// The answer to `line` without faults.
fn healthy(sandbox: &Sandbox, line: &str) -> Vec<u8> {
    let (code, stdout, stderr) = run(sandbox, &format!("$RREAD {line}"));
    assert_eq!((code, stderr.as_str()), (Some(0), ""), "{line}");
    stdout
}

const READING: &str =
    "openat,statx,fstat,newfstatat,lseek,read,pread64,preadv,splice,sendfile,copy_file_range";

/// Every request, with `fault` in the calls that read the file.
fn ask_all(sandbox: &Sandbox, fault: &str, codes: &[i32]) {
    let path = sandbox.path("f");
    for line in REQUESTS {
        enumerate(sandbox, line, fault, Some(&path), &healthy(sandbox, line), codes);
    }
}

#[test]
fn any_call_that_reads_may_fail() {
    let sandbox = Sandbox::with("f", numbered(50_000));
    if can_inject(&sandbox) {
        ask_all(&sandbox, &format!("{READING}:error=EIO"), &[3, 7]);
    }
}

#[test]
fn calls_that_were_interrupted_are_made_again() {
    let sandbox = Sandbox::with("f", numbered(50_000));
    if !can_inject(&sandbox) {
        return;
    }
    ask_all(&sandbox, "openat,read,pread64,splice,sendfile:error=EINTR", &[]);
    let out = sandbox.path("out");
    for line in ["lines f --raw", "lines f --json --no-index"] {
        let expected = healthy(&sandbox, line);
        for error in ["EINTR", "EAGAIN"] {
            let fault = format!("write,writev,sendfile:error={error}");
            // Once each: after endless interruptions, only waiting is left.
            for n in 1..6 {
                let fault = format!("{fault}:when={n}");
                let run = inject(&sandbox, line, &fault, Some(&out));
                assert_eq!((run.code, run.stderr.as_str()), (Some(0), ""), "{line}, {fault}");
                assert!(run.stdout == expected, "{line}, {fault}");
            }
        }
    }
}

#[test]
fn any_call_that_writes_may_fail() {
    let sandbox = Sandbox::with("f", numbered(50_000));
    if !can_inject(&sandbox) {
        return;
    }
    let out = sandbox.path("out");
    for line in
        ["lines f --raw", "lines f 2:3 --raw", "lines f --json", "stat f --raw", "lines f 1:9000 -n -f text"]
    {
        let expected = healthy(&sandbox, line);
        for error in ["ENOSPC", "EIO"] {
            let fault = format!("write,writev,sendfile:error={error}");
            enumerate(&sandbox, line, &fault, Some(&out), &expected, &[8]);
        }
    }
}

/// The file of the index in the cache beside the file.
fn index_of(sandbox: &Sandbox) -> Option<PathBuf> {
    let entries = fs::read_dir(sandbox.path("cache")).ok()?;
    entries.map(|entry| entry.unwrap().path()).find(|path| path.extension().is_some_and(|e| e == "idx"))
}

/// The n-th call alone, and with all later calls; in a sample, one of both in turn.
fn modes(turn: usize) -> impl Iterator<Item = &'static str> {
    ["", "+"].into_iter().skip(cases(0, turn % 2)).take(cases(2, 1))
}

/// A failure to make, keep or read an index never changes the answer.
#[test]
fn any_call_that_makes_or_reads_an_index_may_fail() {
    let sandbox = Sandbox::with("f", numbered(50_000));
    if !can_inject(&sandbox) {
        return;
    }
    std::thread::sleep(std::time::Duration::from_millis(50));
    let line = "lines f 40000 --raw";
    let expected = b"line 40000\n";
    let indexed = |line: &str, fault: &str, path: Option<&Path>| {
        let path = path.map_or(String::new(), |path| format!("-P '{}'", path.display()));
        let script = format!(
            "export RREAD_INDEX=auto RREAD_INDEX_MIN=1 RREAD_CACHE_DIR=$PWD/cache
             exec timeout -k 1 60 strace -f -qq -o trace {path} -e 'inject={fault}' $RREAD {line} > out"
        );
        let (code, _, stderr) = run(&sandbox, &script);
        let trace = fs::read_to_string(sandbox.path("trace")).unwrap_or_default();
        (trace.contains("(INJECTED)"), code, fs::read(sandbox.path("out")).unwrap(), stderr)
    };
    let making = "mkdir,fchmod,chmod,ftruncate,fsync,fdatasync,rename,renameat,renameat2,link,linkat,flock,getdents64,pwrite64";
    let kinds = [(making, "EIO"), (making, "ENOSPC"), ("write", "ENOSPC"), ("write", "EIO")];
    for (turn, (calls, error)) in kinds.into_iter().enumerate() {
        for mode in modes(turn) {
            for n in 1.. {
                let _ = fs::remove_dir_all(sandbox.path("cache"));
                let fault = format!("{calls}:error={error}:when={n}{mode}");
                let (was_reached, code, stdout, stderr) = indexed(line, &fault, None);
                // The write of the answer is among these calls.
                let is_right = code == Some(0) && stdout == expected;
                let is_reported = calls == "write" && code == Some(8) && stdout.is_empty();
                assert!(is_right || is_reported, "{fault}: {code:?} {stderr}");
                // Leftover files do no harm.
                let (_, code, stdout, stderr) = indexed(line, "getpid:error=EIO", None);
                assert!(code == Some(0) && stdout == expected, "after {fault}: {stderr}");
                if !was_reached {
                    break;
                }
                assert!(n < 300, "{fault}: it does not end");
            }
        }
    }
    let index = index_of(&sandbox).unwrap();
    for (turn, error) in ["EIO", "EACCES"].into_iter().enumerate() {
        for mode in modes(turn) {
            for n in 1.. {
                let fault = format!("{READING},mmap:error={error}:when={n}{mode}");
                let (was_reached, code, stdout, stderr) = indexed(line, &fault, Some(&index));
                assert!(
                    code == Some(0) && stdout == expected && stderr.is_empty(),
                    "{fault}: {code:?} {stderr}"
                );
                if !was_reached {
                    break;
                }
                assert!(n < 300, "{fault}: it does not end");
            }
        }
    }
}

/// rread works without threads.
#[test]
fn no_thread_is_needed() {
    let sandbox = Sandbox::with("f", b"fifteen bytes..\n".repeat(5 << 20));
    if !can_inject(&sandbox) {
        return;
    }
    for line in ["lines f 5000000 --raw", "where f --line 5000000 --raw"] {
        let expected = healthy(&sandbox, line);
        for when in ["when=1", "when=2", "when=1+"] {
            let run = inject(&sandbox, line, &format!("clone,clone3:error=EAGAIN:{when}"), None);
            assert_eq!((run.code, run.stderr.as_str()), (Some(0), ""), "{line}, {when}");
            assert!(essence(&run.stdout) == essence(&expected), "{line}, {when}");
            let has_threads = std::thread::available_parallelism().is_ok_and(|cores| cores.get() > 1);
            assert!(run.was_reached || !has_threads, "{line}, {when}");
        }
    }
}
