//! The outcomes of all calls: of fixed lists, of files with a past, of captures, and of names that are not UTF-8.

#[cfg(unix)]
use std::fs;
use std::path::Path;
use std::sync::OnceLock;
use std::thread;

use super::calls::{self, Outcome, files, run_line};
#[cfg(unix)]
use super::calls::{rread, run};
#[cfg(unix)]
use super::captures;
use super::{compressed, images, indexes, verifying};

/// Groups of calls; no group needs the files that another leaves.
const GROUPS: &[fn(&Path) -> Vec<Outcome>] = &[
    |folder| run_all(folder, calls::COMMANDS),
    |folder| run_all(folder, compressed::COMMANDS),
    |folder| run_all(folder, verifying::COMMANDS),
    |folder| run_all(folder, images::COMMANDS),
    indexes::histories,
    followed,
    #[cfg(unix)]
    captures::sessions,
    #[cfg(unix)]
    odd_paths,
];

/// Runs all calls at the first use; every group has its own files.
pub fn outcomes() -> &'static [Outcome] {
    static OUTCOMES: OnceLock<Vec<Outcome>> = OnceLock::new();
    OUTCOMES.get_or_init(|| {
        thread::scope(|scope| {
            let run = |group: &'static fn(&Path) -> Vec<Outcome>| scope.spawn(|| group(files().path()));
            let runs: Vec<_> = GROUPS.iter().map(run).collect();
            runs.into_iter().flat_map(|run| run.join().unwrap()).collect()
        })
    })
}

fn run_all(folder: &Path, lines: &[&str]) -> Vec<Outcome> {
    lines.iter().map(|line| run_line(folder, line)).collect()
}

/// The records of `follow`, which are one document each.
fn followed(folder: &Path) -> Vec<Outcome> {
    let calls = ["absent.log app.log --json --timeout 300ms", "times.log --json --until 06:02 --tz UTC"];
    let text: String = calls
        .iter()
        .map(|call| {
            let mut command = calls::rread(folder);
            let output = command.arg("follow").args(call.split(' ')).output().unwrap();
            String::from_utf8(output.stdout).unwrap()
        })
        .collect();
    let outcome = |line: &str| Outcome {
        call: "follow --json".to_owned(),
        code: 0,
        answer: Some(serde_json::from_str(line).unwrap()),
        error: None,
    };
    text.lines().map(outcome).collect()
}

/// Answers and errors about files whose names are not UTF-8.
#[cfg(unix)]
fn odd_paths(folder: &Path) -> Vec<Outcome> {
    use std::ffi::OsStr;
    use std::os::unix::ffi::OsStrExt;
    let name = OsStr::from_bytes(b"odd\xFFname");
    if fs::write(folder.join(name), "one\ntwo\n").is_err() {
        eprintln!("skipped: this file system takes no names that are not UTF-8");
        return Vec::new();
    }
    let calls: [&[&str]; 9] = [
        &["lines"],
        &["ranges", "1", "9"],
        &["stat"],
        &["stat", "app.log"],
        &["bytes", "99:"],
        &["lines", "0"],
        &["where", "--line", "2"],
        &["where", "--byte", "2"],
        &["index show"],
    ];
    let call = |words: &&[&str]| {
        let mut command = rread(folder);
        command.args(words[0].split(' ')).arg(name).args(&words[1..]).arg("--json");
        run(&format!("{words:?} of odd\\xFFname"), command, b"")
    };
    calls.iter().map(call).collect()
}
