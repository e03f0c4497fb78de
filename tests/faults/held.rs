//! Files that others lock, rename or write during the read.

use std::fs::{self, File, OpenOptions};
use std::io::{BufRead, BufReader, Read, Write};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use rread_testkit::sandbox::{Sandbox, numbered};
use rustix::fs::{FlockOperation, flock};

use super::{is_there, run, shell};

/// Holds a write lease on `f` until its standard input ends, or releases it shortly after another process opens the file.
const LEASE: &str = "
import fcntl, os, signal, sys, time
file = os.open('f', os.O_RDWR)
def release(*_):
    time.sleep(0.1)
    fcntl.fcntl(file, fcntl.F_SETLEASE, fcntl.F_UNLCK)
signal.signal(signal.SIGIO, release if sys.argv[1] == 'release' else signal.SIG_IGN)
fcntl.fcntl(file, fcntl.F_SETLEASE, fcntl.F_WRLCK)
print('held', flush=True)
sys.stdin.read()
";

fn lease(sandbox: &Sandbox, kind: &str) -> Option<Child> {
    let mut command = Command::new("python3");
    command.args(["-c", LEASE, kind]).current_dir(sandbox.path("."));
    let mut child = command.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().unwrap();
    let mut line = String::new();
    BufReader::new(child.stdout.as_mut().unwrap()).read_line(&mut line).unwrap();
    if line != "held\n" {
        let _ = child.wait();
        eprintln!("SKIPPED: this file system has no leases");
        return None;
    }
    Some(child)
}

/// Without a timeout, opening a file under a lease takes up to 45 seconds.
#[test]
fn a_lease_that_is_not_given_up_is_reported_within_seconds() {
    if !is_there("python3") {
        return;
    }
    let sandbox = Sandbox::with("f", numbered(9));
    let Some(mut holder) = lease(&sandbox, "keep") else { return };
    let since = Instant::now();
    let error = sandbox.line("lines f 1 --json").refused_json(3);
    assert_eq!(error["kind"], "locked");
    assert!(since.elapsed() < Duration::from_secs(15), "{:?}", since.elapsed());
    drop(holder.stdin.take());
    holder.wait().unwrap();
    let Some(mut holder) = lease(&sandbox, "release") else { return };
    assert_eq!(sandbox.line("lines f 1 --raw").ok().text(), "line 1\n");
    drop(holder.stdin.take());
    holder.wait().unwrap();
}

#[test]
fn advisory_locks_are_ignored() {
    let sandbox = Sandbox::with("f", numbered(9));
    let file = OpenOptions::new().write(true).open(sandbox.path("f")).unwrap();
    flock(&file, FlockOperation::LockExclusive).unwrap();
    for (line, expected) in [("lines f 2 --raw", "line 2\n"), ("bytes f -2: --raw", "9\n")] {
        assert_eq!(sandbox.line(line).ok().text(), expected, "{line}");
    }
    sandbox.line("stat f --count").ok();
}

/// A started answer of several MiB that waits for its reader.
fn begun(sandbox: &Sandbox) -> (Child, Vec<u8>) {
    let mut child = shell(sandbox, "exec $RREAD lines f --raw").stdout(Stdio::piped()).spawn().unwrap();
    let mut first = vec![0];
    child.stdout.as_mut().unwrap().read_exact(&mut first).unwrap();
    (child, first)
}

/// Reads the rest of a started answer, which must be all of `text`.
fn ends_with_all((mut child, mut content): (Child, Vec<u8>), text: &str) {
    child.stdout.take().unwrap().read_to_end(&mut content).unwrap();
    assert!(child.wait().unwrap().success());
    assert!(content == text.as_bytes(), "{} bytes", content.len());
}

#[test]
fn a_log_that_is_rotated_is_read_to_its_end() {
    let text = numbered(900_000);
    let sandbox = Sandbox::with("f", &text);
    let begun = begun(&sandbox);
    fs::rename(sandbox.path("f"), sandbox.path("f.1")).unwrap();
    sandbox.file("f", "of the next day\n");
    ends_with_all(begun, &text);
}

#[test]
fn a_file_that_is_removed_is_read_to_its_end() {
    let text = numbered(900_000);
    let sandbox = Sandbox::with("f", &text);
    let begun = begun(&sandbox);
    fs::remove_file(sandbox.path("f")).unwrap();
    ends_with_all(begun, &text);
}

#[test]
fn a_file_that_is_appended_to_itself_is_doubled() {
    let text = numbered(200_000);
    for options in ["lines f --raw", "bytes f --raw", "lines f 1: -f text"] {
        let sandbox = Sandbox::with("f", &text);
        let (code, _, stderr) = run(&sandbox, &format!("exec $RREAD {options} >> f"));
        assert_eq!(code, Some(0), "{options}: {stderr}");
        assert!(fs::read_to_string(sandbox.path("f")).unwrap() == text.repeat(2), "{options}");
    }
}

#[test]
fn a_writer_who_never_stops_is_not_followed() {
    let sandbox = Sandbox::with("f", numbered(1000));
    let mut writer = shell(&sandbox, "exec yes 'one more line' >> f");
    let mut writer = writer.spawn().unwrap();
    let results: Vec<_> = ["lines f --raw", "lines f 1:3 --raw", "stat f --count", "lines f -3: --json"]
        .iter()
        .map(|line| sandbox.line(line))
        .collect();
    writer.kill().unwrap();
    writer.wait().unwrap();
    for run in &results {
        assert_eq!(run.code, 0, "{run}");
    }
    let all = String::from_utf8_lossy(&results[0].stdout).into_owned();
    let written = fs::read(sandbox.path("f")).unwrap();
    assert!(written.starts_with(all.as_bytes()) && all.starts_with(&numbered(1000)));
    assert_eq!(results[1].text(), numbered(3));
}

#[test]
fn the_size_at_the_start_is_the_size_of_the_answer() {
    let sandbox = Sandbox::with("f", numbered(900_000));
    let begun = begun(&sandbox);
    let mut file = File::options().append(true).open(sandbox.path("f")).unwrap();
    file.write_all(b"after the end\n").unwrap();
    ends_with_all(begun, &numbered(900_000));
}
