//! Documents as sources of text: what is read of them, and what a hostile one can do.

pub mod archive;
pub mod books;
mod pdf;

mod cut;
mod glyphs;
mod hostile;
mod hostile_office;
mod html;
mod kinds;
mod notebook;
mod odt;
mod office;
mod pages;
mod workbooks;

use std::fs;
use std::path::PathBuf;
use std::process::{Command, Output, Stdio};

use rread_testkit::home::AtHome;
use serde_json::Value;
use tempfile::TempDir;

/// A directory with files, in which the program runs.
struct Lab(TempDir);

/// What the program wrote, and its exit code.
struct Run {
    code: Option<i32>,
    stdout: String,
    stderr: String,
}

impl Lab {
    fn new() -> Self {
        Lab(tempfile::tempdir().unwrap())
    }

    fn with(name: &str, bytes: &[u8]) -> Self {
        let lab = Lab::new();
        lab.write(name, bytes);
        lab
    }

    fn path(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    fn write(&self, name: &str, bytes: &[u8]) {
        fs::write(self.path(name), bytes).unwrap();
    }

    fn command(&self, words: &str) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_rread"));
        command.args(words.split(' ').filter(|word| !word.is_empty())).current_dir(self.0.path());
        command.at_home(self.0.path()).stdin(Stdio::null());
        command
    }

    fn run(&self, words: &str) -> Run {
        let Output { status, stdout, stderr } = self.command(words).output().unwrap();
        let text = |bytes| String::from_utf8(bytes).unwrap();
        Run { code: status.code(), stdout: text(stdout), stderr: text(stderr) }
    }

    /// The content of an answer that must succeed.
    fn text(&self, words: &str) -> String {
        let run = self.run(&format!("{words} -f text"));
        assert_eq!((run.code, run.stderr.as_str()), (Some(0), ""), "{words}: {}", run.stdout);
        run.stdout
    }

    fn json(&self, words: &str) -> Value {
        let run = self.run(&format!("{words} --json"));
        assert_eq!((run.code, run.stderr.as_str()), (Some(0), ""), "{words}: {}", run.stdout);
        serde_json::from_str(&run.stdout).unwrap()
    }
}
