//! The directories in which rread keeps files, and their state.

use std::env;
use std::io;
use std::path::{Path, PathBuf};

use super::{Problems, removal};
use crate::args::environment::{kept_hashes, policy, session, set_variables, state_limit};
use rread_answer::receipt::DirectoryInfo;
use rread_reader::index::Policy;
use rread_reader::index::pages::read_header;
use rread_reader::kept_hashes;
use rread_reader::store::{Store, may_create_in};
use rread_text::error::{Error, Kind, counted};

/// More damaged files than these are removed with all others.
const MOST_NAMED: usize = 3;

/// The directories. What is wrong with a variable is a problem already.
pub(super) fn all(problems: &mut Problems) -> Vec<DirectoryInfo> {
    let indexes = match policy() {
        Ok(Some(policy)) => self::indexes(&policy, problems),
        Ok(None) if set_variables().get("RREAD_INDEX").is_some_and(|value| value == "off") => {
            vec![absent("indexes", "off"), absent("hashes", "off")]
        }
        Ok(None) => {
            let error = Error::usage("there is no directory for indexes: this user has no home directory");
            problems.add(&error.hint("export RREAD_CACHE_DIR=DIR"));
            vec![absent("indexes", "unusable"), absent("hashes", "unusable")]
        }
        Err(_) => vec![absent("indexes", "unusable"), absent("hashes", "unusable")],
    };
    indexes.into_iter().chain([captures(problems), temporary(problems)]).collect()
}

fn absent(holds: &'static str, state: &'static str) -> DirectoryInfo {
    DirectoryInfo { holds, directory: None, state, files: None, bytes: None, limit: None, damaged: None }
}

fn shown(dir: &Path) -> Option<String> {
    Some(dir.to_string_lossy().into_owned())
}

/// The indexes, and the hashes beside them.
fn indexes(policy: &Policy, problems: &mut Problems) -> Vec<DirectoryInfo> {
    let damaged: Vec<PathBuf> = policy
        .store
        .entries()
        .unwrap_or_default()
        .into_iter()
        .map(|entry| entry.path)
        .filter(|path| {
            let name = path.file_name().unwrap_or_default();
            policy.store.open(name).and_then(read_header).is_err()
        })
        .collect();
    if !damaged.is_empty() {
        let count = counted(damaged.len() as u64, "file");
        let message = format!("has {count} that cannot be read as line indexes, and are not used");
        let all = || "rread index clear --all".to_owned();
        let hint = if damaged.len() > MOST_NAMED { all() } else { removal(&damaged) };
        problems.add(&Error::new(Kind::Io, message).at(policy.store.dir()).hint(hint));
    }
    let mut indexes = store("indexes", &policy.store, policy.write, problems);
    indexes.limit = Some(policy.limit);
    indexes.damaged = (!damaged.is_empty()).then_some(damaged.len() as u64);
    let kept = kept_hashes().ok().flatten().map(|(kept, write)| {
        // They are below the indexes, and have the same problem.
        if indexes.state == "unusable" {
            return DirectoryInfo { directory: shown(kept.store().dir()), ..absent("hashes", "unusable") };
        }
        let hashes = store("hashes", kept.store(), write, problems);
        DirectoryInfo { limit: Some(kept_hashes::MAX_BYTES), ..hashes }
    });
    [Some(indexes), kept].into_iter().flatten().collect()
}

fn store(holds: &'static str, store: &Store, is_written: bool, problems: &mut Problems) -> DirectoryInfo {
    let entries = store.entries();
    let files: Vec<u64> = entries.iter().flatten().map(|entry| entry.size).collect();
    let usable = entries.and_then(|_| store.is_usable());
    let state = state(usable, store.dir(), "RREAD_CACHE_DIR", is_written, problems);
    let bytes = files.iter().fold(0u64, |sum, size| sum.saturating_add(*size));
    let (files, bytes) = (Some(files.len() as u64), Some(bytes));
    DirectoryInfo { holds, directory: shown(store.dir()), state, files, bytes, limit: None, damaged: None }
}

/// The state of a directory that exists, or does not, or cannot be used.
fn state(
    usable: io::Result<bool>,
    dir: &Path,
    variable: &str,
    is_written: bool,
    problems: &mut Problems,
) -> &'static str {
    match usable {
        Ok(_) if !is_written => "read_only",
        Ok(true) => "writable",
        Ok(false) => "absent",
        Err(_) if !is_written => "read_only",
        Err(cause) => {
            let error = Error::writing("cannot be written", &cause).at(dir);
            problems.add(&error.hint(format!("export {variable}=DIR, a directory that is yours alone")));
            "unusable"
        }
    }
}

fn captures(problems: &mut Problems) -> DirectoryInfo {
    let Some(session) = problems.note(session()) else { return absent("captures", "unusable") };
    let root = session.root();
    let state = state(session.is_usable(), root, "RREAD_STATE_DIR", true, problems);
    let kept = session.kept().ok();
    DirectoryInfo {
        directory: shown(root),
        files: kept.map(|(files, _)| files),
        bytes: kept.map(|(_, bytes)| bytes),
        limit: state_limit().ok(),
        ..absent("captures", state)
    }
}

fn temporary(problems: &mut Problems) -> DirectoryInfo {
    let dir = env::temp_dir();
    let usable = may_create_in(&dir).map(|()| true);
    let state = state(usable, &dir, "TMPDIR", true, problems);
    DirectoryInfo { directory: shown(&dir), ..absent("temporary_files", state) }
}
