//! Faults of the system around the program: calls that fail, limits, full disks, locks, signals, streams in odd states.
//! The answer is right, or the exit code is that of the failure.
#![cfg(target_os = "linux")]

mod held;
mod injected;
mod limits;
mod memory;
mod signals;
mod streams;

use std::process::Command;

use rread_testkit::sandbox::{AtHome, Sandbox, binary};

/// A shell in the folder of `sandbox` that runs `script`, in which `$RREAD` is the program.
fn shell(sandbox: &Sandbox, script: &str) -> Command {
    let mut command = Command::new("sh");
    command.args(["-c", script]).current_dir(sandbox.path(".")).at_home(&sandbox.home());
    command.env("RREAD", binary()).env("RREAD_INDEX", "off").env("RREAD_STATE_DIR", sandbox.path("state"));
    command
}

/// Exit code, standard output and standard error of `script`.
#[track_caller]
fn run(sandbox: &Sandbox, script: &str) -> (Option<i32>, Vec<u8>, String) {
    let output = shell(sandbox, script).output().unwrap();
    (output.status.code(), output.stdout, String::from_utf8(output.stderr).unwrap())
}

/// Whether a tool of that name can be started; prints it if not.
fn is_there(tool: &str) -> bool {
    let is_there = Command::new(tool).arg("--version").output().is_ok();
    if !is_there {
        eprintln!("SKIPPED: {tool} is missing");
    }
    is_there
}
