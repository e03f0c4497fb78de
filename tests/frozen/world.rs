//! The files that calls are about, and one program after the other among them.

use std::fs::{self, File};
use std::path::Path;
use std::process::{Command, Stdio};

use rread_testkit::home::AtHome;
use rread_testkit::rng::Rng;
use tempfile::TempDir;

use super::list::Call;
use crate::differential::texts::Text;
use crate::schema::calls;

pub struct World {
    folder: TempDir,
}

impl World {
    /// The files of the tests of the schema, and the random texts of `group`.
    pub fn new(group: &[Call]) -> Self {
        let folder = calls::files();
        for seed in group.iter().filter_map(|call| call.seed) {
            let path = folder.path().join(format!("text{seed}"));
            if !path.exists() {
                fs::write(path, Text::any(&mut Rng::new(seed), &[]).bytes).unwrap();
            }
        }
        World { folder }
    }

    /// What `program` answers to each call, one after the other, without indexes or captures of another program.
    pub fn run_all(&self, program: &Path, group: &[Call]) -> Vec<String> {
        for left in ["state", "cache", "saved", "home"] {
            let _ = fs::remove_dir_all(self.folder.path().join(left));
        }
        group.iter().map(|call| self.run(program, call)).collect()
    }

    /// Exit code, standard output and standard error of one call, without what differs between two runs.
    fn run(&self, program: &Path, call: &Call) -> String {
        let folder = self.folder.path();
        let mut command = Command::new(program);
        command
            .args(&call.words)
            .current_dir(folder)
            .at_home(&folder.join("home"))
            .env("RREAD_INDEX_MIN", "1MiB");
        command.env("RREAD_STATE_DIR", folder.join("state")).env("RREAD_CACHE_DIR", folder.join("cache"));
        command.envs(call.format.map(|format| ("RREAD_FORMAT", format)));
        let stdin = call.stdin.as_ref().map(|name| Stdio::from(File::open(folder.join(name)).unwrap()));
        let output = command.stdin(stdin.unwrap_or_else(Stdio::null)).output().unwrap();
        // Captures and indexes are made anew by each program.
        let has_own_files =
            call.words.iter().any(|word| word.contains("fd:") || word == "capture" || word == "index");
        let text = |bytes: &[u8]| {
            let sorted = sorted(bytes);
            steady(&sorted.escape_ascii().to_string().replace("\\n", "\n"), has_own_files)
        };
        let (answer, complaint) = (text(&output.stdout), text(&output.stderr));
        format!("{}\n{answer}\n-- standard error\n{complaint}", output.status)
    }
}

/// JSON with the members of its objects in the order of the alphabet: their order means nothing.
fn sorted(answer: &[u8]) -> Vec<u8> {
    fn sort(value: &mut serde_json::Value) {
        if let serde_json::Value::Object(members) = value {
            members.sort_keys();
            members.values_mut().for_each(sort);
        } else if let serde_json::Value::Array(items) = value {
            items.iter_mut().for_each(sort);
        }
    }
    match serde_json::from_slice::<serde_json::Value>(answer) {
        Ok(mut value) => {
            sort(&mut value);
            format!("{value:#}\n").into_bytes()
        }
        Err(_) => answer.to_vec(),
    }
}

/// `text` without what belongs to the run: times, and the versions of files that the run made.
fn steady(text: &str, has_own_files: bool) -> String {
    let is_part = |c: char| c.is_ascii_alphanumeric() || "-_:.".contains(c);
    let mut steady = String::with_capacity(text.len());
    let mut key = "";
    for word in text.split_inclusive(|c| !is_part(c)) {
        let (word, end) = word.split_at(word.trim_end_matches(|c| !is_part(c)).len());
        let digits = word.bytes().filter(u8::is_ascii_digit).count();
        let is_duration = digits > 0 && key == "milliseconds";
        let is_time = is_duration || digits >= 12 && word.contains('T') && word.contains(':');
        let is_version = has_own_files && key == "version" && word.len() >= 16;
        steady.push_str(if is_time {
            "TIME"
        } else if is_version {
            "VERSION"
        } else {
            word
        });
        steady.push_str(end);
        let name = word.trim_end_matches(':');
        key = if name.is_empty() { key } else { name };
    }
    steady
}
