//! The outcomes of all calls: of fixed lists, of files with a past, of captures, and of names that are not UTF-8.

use std::fs;
use std::path::Path;

use super::calls::{self, Outcome, run_line};
#[cfg(unix)]
use super::calls::{rread, run};
#[cfg(unix)]
use super::captures;
use super::{compressed, images, indexes, verifying};

pub fn outcomes(folder: &Path) -> Vec<Outcome> {
    let lines =
        calls::COMMANDS.iter().chain(compressed::COMMANDS).chain(verifying::COMMANDS).chain(images::COMMANDS);
    let mut outcomes: Vec<Outcome> = lines.map(|line| run_line(folder, line)).collect();
    outcomes.extend(indexes::histories(folder));
    #[cfg(unix)]
    outcomes.extend(captures::sessions(folder));
    #[cfg(unix)]
    outcomes.extend(odd_paths(folder));
    outcomes
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
