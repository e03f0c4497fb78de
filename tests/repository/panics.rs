//! An internal error is one sentence and its own exit code, not a trace.

use std::env;
use std::process::Command;
use std::thread;

/// Set in the process that is to panic, to where.
const PANIC_IN: &str = "RREAD_TEST_PANIC_IN";

#[test]
fn a_panic_is_a_sentence_and_exit_code_70() {
    if let Some(place) = env::var_os(PANIC_IN) {
        rread::prepare();
        if place == "thread" {
            let _ = thread::spawn(|| panic!("first\nsecond")).join();
        }
        panic!("first\nsecond");
    }
    for place in ["here", "thread"] {
        let mut command = Command::new(env::current_exe().unwrap());
        command.args([
            "--exact",
            "repository::panics::a_panic_is_a_sentence_and_exit_code_70",
            "--nocapture",
        ]);
        let output = command.env(PANIC_IN, place).env("RUST_BACKTRACE", "1").output().unwrap();
        let stderr = String::from_utf8(output.stderr).unwrap();
        assert_eq!(output.status.code(), Some(70), "{place}: {stderr}");
        let lines: Vec<&str> = stderr.lines().collect();
        let [sentence, hint] = lines[..] else { panic!("{place}: {stderr}") };
        assert!(sentence.starts_with("rread: internal error"), "{sentence}");
        assert!(sentence.contains("panics.rs") && sentence.ends_with("first second"), "{sentence}");
        assert!(hint.starts_with("hint: rread --version"), "{hint}");
    }
}
