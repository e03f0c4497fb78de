//! Runs the program in its own folder and parses its answers.

use std::collections::BTreeMap;
use std::ffi::OsStr;
use std::fs;
use std::path::PathBuf;
use std::time::Duration;

use assert_cmd::Command;
use predicates::Predicate;
use serde_json::Value;
use tempfile::TempDir;

use crate::home::root;
pub use crate::home::{AtHome, binary};
use crate::snapshot;

pub fn fixture(name: &str) -> PathBuf {
    root().join("fixtures").join(name)
}

pub fn fixture_bytes(name: &str) -> Vec<u8> {
    fs::read(fixture(name)).unwrap()
}

pub fn words(line: &str) -> Vec<&str> {
    line.split_whitespace().collect()
}

/// `line 1` to `line COUNT`, each with its newline.
pub fn numbered(count: usize) -> String {
    (1..=count).map(|n| format!("line {n}\n")).collect()
}

/// The lines `from..=to` of `text`, newlines included.
pub fn lines_of(text: &str, from: usize, to: usize) -> String {
    text.split_inclusive('\n').skip(from - 1).take((to + 1).saturating_sub(from)).collect()
}

/// The program's working directory, so that files have short names.
pub struct Sandbox {
    dir: TempDir,
}

impl Sandbox {
    pub fn new() -> Self {
        Sandbox { dir: tempfile::tempdir().unwrap() }
    }

    pub fn with(name: &str, content: impl AsRef<[u8]>) -> Self {
        let sandbox = Sandbox::new();
        sandbox.file(name, content);
        sandbox
    }

    pub fn file(&self, name: &str, content: impl AsRef<[u8]>) {
        fs::write(self.path(name), content).unwrap();
    }

    pub fn path(&self, name: &str) -> PathBuf {
        self.dir.path().join(name)
    }

    pub fn home(&self) -> PathBuf {
        self.path(".home")
    }

    /// The program without the variables of the caller that it reads. It has a minute, so that a hang fails.
    pub fn command(&self) -> Command {
        let mut command = Command::new(binary());
        command.current_dir(self.dir.path()).timeout(Duration::from_secs(60)).write_stdin("");
        command.at_home(&self.home());
        command
    }

    pub fn run<S: AsRef<OsStr>>(&self, args: impl IntoIterator<Item = S>) -> Run {
        let mut command = self.command();
        command.args(args);
        Run::of(&mut command)
    }

    /// [`Sandbox::run`] with words that have no blanks.
    pub fn line(&self, line: &str) -> Run {
        self.run(words(line))
    }

    pub fn piped(&self, line: &str, input: impl Into<Vec<u8>>) -> Run {
        let mut command = self.command();
        command.args(words(line)).write_stdin(input.into());
        Run::of(&mut command)
    }

    pub fn line_env(&self, line: &str, vars: &[(&str, &str)]) -> Run {
        let mut command = self.command();
        command.args(words(line)).envs(vars.iter().copied());
        Run::of(&mut command)
    }
}

pub struct Run {
    pub what: String,
    pub code: i32,
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
        let stderr = String::from_utf8(output.stderr).unwrap();
        let code = output.status.code().unwrap_or_else(|| panic!("{what}: killed: {stderr}"));
        let run = Run { what, code, stdout: output.stdout, stderr };
        assert!(!run.stderr.contains("panicked"), "{run}");
        run
    }

    /// Checks for exit code 0 and an empty standard error.
    #[track_caller]
    pub fn ok(self) -> Self {
        assert_eq!((self.code, self.stderr.as_str()), (0, ""), "{self}");
        self
    }

    /// Checks this exit code, an empty standard output, one sentence and at most one hint on standard error.
    #[track_caller]
    pub fn refused(self, code: i32) -> Self {
        assert_eq!(self.code, code, "{self}");
        assert_eq!(
            String::from_utf8_lossy(&self.stdout),
            "",
            "an error never reaches standard output: {self}"
        );
        self.complained()
    }

    /// Checks that standard error holds one sentence and at most one hint, and nothing else.
    #[track_caller]
    pub fn complained(self) -> Self {
        let mut lines = self.stderr.lines();
        assert!(lines.next().is_some_and(|first| first.starts_with("rread: ")), "{self}");
        assert!(lines.next().is_none_or(|second| second.starts_with("hint: ")), "{self}");
        assert!(lines.next().is_none(), "{self}");
        assert!(self.stderr.ends_with('\n'), "{self}");
        self
    }

    /// Checks an error in JSON, and returns it.
    #[track_caller]
    pub fn refused_json(&self, code: i32) -> Value {
        assert_eq!(self.code, code, "{self}");
        assert_eq!(
            String::from_utf8_lossy(&self.stdout),
            "",
            "an error never reaches standard output: {self}"
        );
        let error: Value = serde_json::from_str(&self.stderr).unwrap_or_else(|e| panic!("{e}: {self}"));
        for key in error.as_object().unwrap().keys() {
            assert!(
                ["error", "kind", "hint", "path", "path_base64"].contains(&key.as_str()),
                "{key}: {self}"
            );
        }
        assert!(error["error"].is_string() && error["kind"].is_string(), "{self}");
        error
    }

    /// All that it wrote: see [`snapshot::of_run`].
    pub fn snapshot(&self) -> String {
        snapshot::of_run(&self.stdout, &self.stderr, self.code)
    }

    #[track_caller]
    pub fn says(self, predicate: impl Predicate<str>) -> Self {
        assert!(predicate.eval(&self.stderr), "expected {predicate}: {self}");
        self
    }

    #[track_caller]
    pub fn text(&self) -> &str {
        std::str::from_utf8(&self.stdout).unwrap_or_else(|e| panic!("{e}: {self}"))
    }

    #[track_caller]
    pub fn json(&self) -> Value {
        serde_json::from_slice(&self.stdout).unwrap_or_else(|e| panic!("{e}: {self}"))
    }

    #[track_caller]
    pub fn documents(&self) -> Vec<Document> {
        documents(&self.stdout, true)
    }

    #[track_caller]
    pub fn document(&self) -> Document {
        let mut all = self.documents();
        assert_eq!(all.len(), 1, "{self}");
        all.remove(0)
    }
}

impl std::fmt::Display for Run {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let shown = &self.stdout[..self.stdout.len().min(2000)];
        let stdout = String::from_utf8_lossy(shown);
        write!(f, "\n{}\nexit {}\nstdout: {stdout}\nstderr: {}", self.what, self.code, self.stderr)
    }
}

/// One envelope of a frontmatter answer and its content.
#[derive(Debug)]
pub struct Document {
    pub facts: BTreeMap<String, String>,
    pub content: String,
}

impl Document {
    /// The value of `key`, empty if it is not there.
    pub fn fact(&self, key: &str) -> &str {
        self.facts.get(key).map_or("", String::as_str)
    }

    pub fn has(&self, key: &str) -> bool {
        self.facts.contains_key(key)
    }
}

/// Splits a frontmatter answer by its `---` lines and `content_bytes` alone, as a caller would.
#[track_caller]
pub fn documents(answer: &[u8], with_content: bool) -> Vec<Document> {
    let mut rest = answer;
    let mut found = Vec::new();
    while !rest.is_empty() {
        let block = rest.strip_prefix(b"---\n").unwrap_or_else(|| panic!("no envelope at {rest:?}"));
        let end = block.windows(5).position(|w| w == b"\n---\n").expect("the envelope has no end");
        let facts = yaml(std::str::from_utf8(&block[..end]).unwrap());
        rest = &block[end + 5..];
        let count = facts["content_bytes"].parse::<usize>().unwrap();
        let taken = if with_content { count } else { 0 };
        assert!(rest.len() >= taken, "content_bytes is {taken}, but {} are left", rest.len());
        let (content, after) = rest.split_at(taken);
        found.push(Document { facts, content: std::str::from_utf8(content).unwrap().to_owned() });
        rest = after;
    }
    found
}

/// Keys and values of a flat YAML map; inner maps as `outer.inner`, items of lists joined.
pub fn yaml(text: &str) -> BTreeMap<String, String> {
    let mut facts: BTreeMap<String, String> = BTreeMap::new();
    let mut outer = String::new();
    for line in text.lines() {
        let inner = line.trim_start();
        let nested = inner.len() < line.len() || inner.starts_with("- ");
        match inner.split_once(": ").or_else(|| Some((inner.strip_suffix(':')?, ""))) {
            Some((key, value)) if nested => {
                facts.insert(format!("{outer}.{key}"), unquoted(value));
            }
            Some((key, value)) => {
                outer = key.to_owned();
                assert!(facts.insert(outer.clone(), unquoted(value)).is_none(), "{key} twice in {text}");
            }
            None => facts.get_mut(&outer).unwrap().push_str(inner.trim_start_matches("- ")),
        }
    }
    facts
}

fn unquoted(value: &str) -> String {
    if value.starts_with('"') {
        return serde_json::from_str(value).unwrap_or_else(|e| panic!("{e}: {value}"));
    }
    match value.strip_prefix('\'').and_then(|value| value.strip_suffix('\'')) {
        Some(value) => value.replace("''", "'"),
        None => value.to_owned(),
    }
}
