//! Signals end the program at once and leave no files.

use std::fs;
use std::io::{self, Write};
use std::os::unix::process::ExitStatusExt;
use std::process::Stdio;
use std::thread::sleep;
use std::time::{Duration, Instant};

use rread_testkit::sandbox::Sandbox;
use rustix::process::{Pid, Signal, kill_process};

use super::shell;

#[test]
fn a_wait_for_a_stream_ends_at_once_and_leaves_nothing() {
    let sandbox = Sandbox::new();
    for signal in [Signal::INT, Signal::TERM, Signal::HUP] {
        for line in ["lines - -1:", "lines - -1: --json --timeout 1h", "stat - --count"] {
            fs::create_dir_all(sandbox.path("tmp")).unwrap();
            let (pipe, mut writer) = io::pipe().unwrap();
            let mut command = shell(&sandbox, &format!("exec $RREAD {line}"));
            let mut child = command
                .env("TMPDIR", sandbox.path("tmp"))
                .stdin(pipe)
                .stdout(Stdio::null())
                .stderr(Stdio::null())
                .spawn()
                .unwrap();
            // More than fits in memory, so that there is a temporary file.
            writer.write_all(&b"a line\n".repeat(1 << 20)).unwrap();
            sleep(Duration::from_millis(50));
            let since = Instant::now();
            kill_process(Pid::from_child(&child), signal).unwrap();
            let status = child.wait().unwrap();
            assert_eq!(status.signal(), Some(signal.as_raw()), "{line}: {status}");
            assert!(since.elapsed() < Duration::from_secs(10), "{line}: {:?}", since.elapsed());
            assert_eq!(fs::read_dir(sandbox.path("tmp")).unwrap().count(), 0, "{line}");
            drop(writer);
        }
    }
}

/// A stopped program continues.
#[test]
fn a_stopped_run_goes_on() {
    let sandbox = Sandbox::new();
    let (pipe, mut writer) = io::pipe().unwrap();
    let mut command = shell(&sandbox, "exec $RREAD lines - -1: --raw");
    let child = command.stdin(pipe).stdout(Stdio::piped()).spawn().unwrap();
    drop(command);
    for line in ["one\n", "two\n", "three\n"] {
        kill_process(Pid::from_child(&child), Signal::STOP).unwrap();
        writer.write_all(line.as_bytes()).unwrap();
        sleep(Duration::from_millis(5));
        kill_process(Pid::from_child(&child), Signal::CONT).unwrap();
    }
    drop(writer);
    let output = child.wait_with_output().unwrap();
    assert_eq!((output.status.code(), output.stdout.as_slice()), (Some(0), &b"three\n"[..]));
}
