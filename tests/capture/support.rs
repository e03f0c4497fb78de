//! Runs the program in a temporary folder with its own state directory.

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

use rread_testkit::home::AtHome;
use rread_testkit::snapshot;
use serde_json::Value;
use tempfile::TempDir;

/// A temporary folder. The caller's environment does not reach the program.
pub struct Lab {
    dir: TempDir,
}

/// The result of a run.
#[derive(Debug)]
pub struct Run {
    pub code: i32,
    pub stdout: Vec<u8>,
    pub stderr: String,
}

impl Lab {
    pub fn new() -> Self {
        Lab { dir: tempfile::tempdir().unwrap() }
    }

    pub fn path(&self, name: &str) -> PathBuf {
        self.dir.path().join(name)
    }

    pub fn state(&self) -> PathBuf {
        self.path("state")
    }

    /// `program` with its state directory in this folder.
    pub fn program(&self, program: impl AsRef<Path>) -> Command {
        let mut command = Command::new(program.as_ref());
        command.at_home(&self.path("home"));
        command.current_dir(self.dir.path()).env("RREAD_STATE_DIR", self.state()).env("RREAD_INDEX", "off");
        command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
        command
    }

    pub fn command(&self, args: &[&str]) -> Command {
        let mut command = self.program(env!("CARGO_BIN_EXE_rread"));
        command.args(args);
        command
    }

    #[track_caller]
    pub fn run(&self, args: &[&str]) -> Run {
        Run::of(self.command(args).output().unwrap())
    }

    /// As [`Lab::run`] in a session.
    #[track_caller]
    pub fn run_in(&self, session: &str, args: &[&str]) -> Run {
        Run::of(self.command(args).env("RREAD_SESSION", session).output().unwrap())
    }

    /// Runs a shell line in which `$RREAD` is the program.
    #[track_caller]
    pub fn shell(&self, line: &str) -> Run {
        let mut command = self.program("sh");
        command.args(["-c", line]).env("RREAD", env!("CARGO_BIN_EXE_rread"));
        Run::of(command.output().unwrap())
    }

    /// Captures the shell line `line` with `options`; returns the metadata.
    #[track_caller]
    pub fn capture(&self, options: &[&str], line: &str) -> Value {
        let args = [&["capture", "--json", "--always-zero"], options, &["--", "sh", "-c", line]].concat();
        self.run(&args).ok().json()["metadata"].clone()
    }

    /// The bytes of a capture.
    #[track_caller]
    pub fn bytes(&self, fd: &str) -> Vec<u8> {
        self.run(&["bytes", fd, "--raw", "--text"]).ok().stdout
    }

    /// The handles of this session.
    #[track_caller]
    pub fn handles(&self) -> Vec<String> {
        let list = self.run(&["capture", "list", "--json"]).ok().json();
        let captures = list["captures"].as_array().unwrap();
        captures.iter().map(|capture| capture["fd"].as_str().unwrap().to_owned()).collect()
    }

    /// Everything in the state directory, by its path in it.
    pub fn kept(&self) -> Vec<String> {
        let mut found = Vec::new();
        collect(&self.state(), &self.state(), &mut found);
        found.sort();
        found
    }
}

fn collect(root: &Path, dir: &Path, found: &mut Vec<String>) {
    for entry in fs::read_dir(dir).into_iter().flatten().flatten() {
        found.push(entry.path().strip_prefix(root).unwrap().to_string_lossy().into_owned());
        if entry.path().is_dir() {
            collect(root, &entry.path(), found);
        }
    }
}

impl Run {
    #[track_caller]
    pub fn of(output: Output) -> Self {
        let stderr = String::from_utf8_lossy(&output.stderr).into_owned();
        let code = output.status.code().unwrap_or_else(|| panic!("killed: {stderr}"));
        assert!(!stderr.contains("panicked"), "{stderr}");
        Run { code, stdout: output.stdout, stderr }
    }

    #[track_caller]
    pub fn ok(self) -> Self {
        assert_eq!((self.code, self.stderr.as_str()), (0, ""), "{}", self.text());
        self
    }

    /// Checks the exit code, the empty standard output and these words on standard error.
    #[track_caller]
    pub fn refused(self, code: i32, words: &[&str]) -> Self {
        assert_eq!((self.code, self.text().as_str()), (code, ""), "{}", self.stderr);
        self.says(words)
    }

    #[track_caller]
    pub fn says(self, words: &[&str]) -> Self {
        words.iter().for_each(|word| assert!(self.stderr.contains(word), "no '{word}' in: {}", self.stderr));
        self
    }

    /// All that it wrote: see [`snapshot::of_run`].
    pub fn snapshot(&self) -> String {
        snapshot::of_run(&self.stdout, &self.stderr, self.code)
    }

    pub fn text(&self) -> String {
        String::from_utf8_lossy(&self.stdout).into_owned()
    }

    #[track_caller]
    pub fn json(&self) -> Value {
        serde_json::from_slice(&self.stdout).unwrap_or_else(|error| panic!("{error}: {}", self.text()))
    }
}

pub fn set_mode(path: &Path, mode: u32) {
    fs::set_permissions(path, fs::Permissions::from_mode(mode)).unwrap();
}

pub fn mode(path: &Path) -> u32 {
    path.metadata().unwrap().permissions().mode() & 0o7777
}

pub fn is_root() -> bool {
    rustix::process::geteuid().is_root()
}

/// The lines 1 to `count`, as `seq` writes them.
pub fn seq(count: u64) -> String {
    (1..=count).map(|n| format!("{n}\n")).collect()
}
