//! A folder with files and a cache of its own, in which the program runs.

use std::ffi::OsString;
use std::fs;
use std::path::{Path, PathBuf};
use std::time::Duration;

use assert_cmd::Command;
use rread_reader::index::pages::EXTENSION;
use rread_reader::index::{MAX_BYTES, Policy};
use rread_reader::store::Store;
use serde_json::Value;
use tempfile::TempDir;

use crate::bulk::settle;
use crate::home::{AtHome, binary};

/// A working directory for the program, with the only cache it knows.
pub struct Lab {
    dir: TempDir,
    vars: Vec<(&'static str, OsString)>,
}

impl Lab {
    pub fn new() -> Self {
        let dir = tempfile::tempdir().unwrap();
        let cache = dir.path().join("cache").into_os_string();
        Lab { dir, vars: vec![("RREAD_CACHE_DIR", cache), ("RREAD_INDEX_MIN", "1".into())] }
    }

    /// A lab with one file that has not changed for some time.
    pub fn with(name: &str, content: impl AsRef<[u8]>) -> Self {
        let lab = Lab::new();
        lab.file(name, content);
        settle();
        lab
    }

    /// Sets an environment variable for all later runs.
    pub fn set(&mut self, name: &'static str, value: impl Into<OsString>) {
        self.vars.retain(|(other, _)| *other != name);
        self.vars.push((name, value.into()));
    }

    pub fn path(&self, name: &str) -> PathBuf {
        self.dir.path().join(name)
    }

    pub fn cache(&self) -> PathBuf {
        self.path("cache")
    }

    pub fn file(&self, name: &str, content: impl AsRef<[u8]>) {
        fs::write(self.path(name), content).unwrap();
    }

    /// The policy for a reader in this process that uses the same cache.
    pub fn policy(&self) -> Policy {
        Policy { store: Store::new(self.cache(), EXTENSION), write: true, min_size: 1, limit: MAX_BYTES }
    }

    /// The names in the cache, sorted.
    pub fn cached(&self) -> Vec<String> {
        let Ok(dir) = fs::read_dir(self.cache()) else { return Vec::new() };
        let mut names: Vec<String> =
            dir.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
        names.sort();
        names
    }

    /// The only index.
    #[track_caller]
    pub fn index(&self) -> PathBuf {
        let names = self.cached();
        assert!(names.len() == 1 && names[0].ends_with(".idx"), "{names:?}");
        self.cache().join(&names[0])
    }

    pub fn command(&self) -> Command {
        self.command_of(binary())
    }

    /// As [`Lab::run`] for another program, with at most two minutes.
    pub fn command_of(&self, program: &Path) -> Command {
        let mut command = Command::new(program);
        command.current_dir(self.dir.path()).timeout(Duration::from_secs(120)).write_stdin("");
        command.at_home(&self.path(".home"));
        command.envs(self.vars.iter().map(|(name, value)| (name, value)));
        command
    }

    /// Runs the program with words that have no blanks.
    pub fn line(&self, line: &str) -> Run {
        let mut command = self.command();
        command.args(line.split_whitespace());
        Run::of(&mut command)
    }

    /// The JSON answer to `line`; the run must succeed.
    #[track_caller]
    pub fn json(&self, line: &str) -> Value {
        self.line(&format!("{line} --json")).ok().json()
    }

    /// The outcome of the index for `line`, and the bytes scanned.
    #[track_caller]
    pub fn outcome(&self, line: &str) -> (String, u64) {
        let answer = self.json(line);
        let facts = answer.get("metadata").unwrap_or(&answer);
        (facts["index"].as_str().unwrap().to_owned(), facts["bytes_scanned"].as_u64().unwrap())
    }
}

/// The output of a run.
pub struct Run {
    what: String,
    pub code: Option<i32>,
    pub stdout: Vec<u8>,
    pub stderr: String,
}

impl Run {
    pub fn of(command: &mut Command) -> Self {
        let output = command.output().unwrap();
        // Without standard input, which may be long.
        let set = command.get_envs().filter_map(|(name, value)| Some((name, value?)));
        let set = set.collect::<Vec<_>>();
        let what = format!("{:?} {set:?}", command.get_args().collect::<Vec<_>>());
        let stderr = String::from_utf8_lossy(&output.stderr).into_owned();
        Run { what, code: output.status.code(), stdout: output.stdout, stderr }
    }

    /// The run, which must succeed with nothing on standard error.
    #[track_caller]
    pub fn ok(self) -> Self {
        assert_eq!((self.code, self.stderr.as_str()), (Some(0), ""), "{self}");
        self
    }

    #[track_caller]
    pub fn json(&self) -> Value {
        serde_json::from_slice(&self.stdout).unwrap_or_else(|e| panic!("{e}: {self}"))
    }
}

impl std::fmt::Display for Run {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let shown = String::from_utf8_lossy(&self.stdout[..self.stdout.len().min(500)]);
        write!(f, "\n{}\nexit {:?}\nstdout: {shown}\nstderr: {}", self.what, self.code, self.stderr)
    }
}
