//! Programs that run beside the test, and waiting for what they print.

use std::fs::{self, File, OpenOptions};
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, ExitStatus, Stdio};
use std::time::{Duration, Instant};

use rread_testkit::home::AtHome;
use tempfile::TempDir;

/// Longer than anything takes on a busy machine.
const PATIENCE: Duration = Duration::from_secs(60);

pub fn until(what: &str, mut is_done: impl FnMut() -> bool) {
    let started = Instant::now();
    while !is_done() {
        assert!(started.elapsed() < PATIENCE, "waited in vain: {what}");
        std::thread::sleep(Duration::from_millis(2));
    }
}

pub struct Folder(pub TempDir);

impl Folder {
    pub fn new() -> Self {
        Folder(tempfile::tempdir().unwrap())
    }

    pub fn with(name: &str, content: impl AsRef<[u8]>) -> Self {
        let folder = Folder::new();
        fs::write(folder.path(name), content).unwrap();
        folder
    }

    pub fn path(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    pub fn append(&self, name: &str, text: impl AsRef<[u8]>) {
        let mut file = OpenOptions::new().append(true).create(true).open(self.path(name)).unwrap();
        file.write_all(text.as_ref()).unwrap();
    }

    pub fn rename(&self, from: &str, to: &str) {
        fs::rename(self.path(from), self.path(to)).unwrap();
    }

    fn start(&self, mut command: Command, stdin: Stdio) -> Follower {
        let out = tempfile::NamedTempFile::new().unwrap();
        let err = tempfile::NamedTempFile::new().unwrap();
        command.current_dir(self.0.path()).stdin(stdin).at_home(&self.path(".home"));
        command.stdout(out.reopen().unwrap()).stderr(err.reopen().unwrap());
        Follower { child: command.spawn().unwrap(), out, err }
    }

    pub fn rread(&self, line: &str) -> Follower {
        self.rread_from(line, Stdio::null())
    }

    pub fn rread_from(&self, line: &str, stdin: Stdio) -> Follower {
        let mut command = Command::new(env!("CARGO_BIN_EXE_rread"));
        command.arg("follow").args(line.split(' '));
        self.start(command, stdin)
    }

    pub fn tail(&self, line: &str) -> Follower {
        let mut command = Command::new("tail");
        command.args(line.split(' '));
        self.start(command, Stdio::null())
    }
}

/// A running program; it is killed at the end.
pub struct Follower {
    pub child: Child,
    out: tempfile::NamedTempFile,
    err: tempfile::NamedTempFile,
}

impl Follower {
    pub fn bytes(&self) -> Vec<u8> {
        fs::read(self.out.path()).unwrap()
    }

    pub fn output(&self) -> &Path {
        self.out.path()
    }

    pub fn text(&self) -> String {
        String::from_utf8_lossy(&self.bytes()).into_owned()
    }

    pub fn notes(&self) -> String {
        fs::read_to_string(self.err.path()).unwrap()
    }

    pub fn shows(&self, text: &str) {
        let started = Instant::now();
        while !self.text().contains(text) {
            // A program that was killed has another state than one that waits.
            let state =
                || fs::read_to_string(format!("/proc/{}/status", self.child.id())).unwrap_or_default();
            assert!(
                started.elapsed() < PATIENCE,
                "waited in vain for {text:?} in {:?} {:?}: {}",
                self.text(),
                self.notes(),
                state()
            );
            std::thread::sleep(Duration::from_millis(2));
        }
    }

    pub fn is_noted(&self, note: &str) {
        until(&format!("the note {note:?}"), || self.notes().contains(note));
    }

    pub fn ends(&mut self) -> ExitStatus {
        let mut status = None;
        until("the end", || {
            status = self.child.try_wait().unwrap();
            status.is_some()
        });
        status.unwrap()
    }

    pub fn code(&mut self) -> i32 {
        self.ends().code().unwrap()
    }
}

impl Drop for Follower {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

pub fn lines(from: usize, to: usize) -> String {
    (from..=to).map(|n| format!("line {n}\n")).collect()
}

/// A pipe from the test to standard input.
pub fn pipe() -> (File, Stdio) {
    let (reader, writer) = rustix::pipe::pipe_with(rustix::pipe::PipeFlags::CLOEXEC).unwrap();
    (File::from(writer), Stdio::from(reader))
}
