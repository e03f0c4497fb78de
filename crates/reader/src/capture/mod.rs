//! Captures: the output of a command, or standard input, kept as a file with a handle.
//!
//! The state directory holds one directory per session, with one per capture: `output`, the bytes, `record.json`, and,
//! if it differs from the bytes, the text `shown`.
//! A capture gets its number in one step, by a rename, once it is complete.

mod keep;
mod record;
mod run;
mod save;
mod session;
mod strip;

use std::ffi::OsStr;
use std::fmt;
use std::path::Path;

use xxhash_rust::xxh3::xxh3_128;

use rread_text::error::{Error, Result};
use rread_text::sentence::{Sentence, setting};

pub use keep::{Keeper, Taken};
pub use record::Capture;
pub use record::{Ansi, Ended, KeptTo, Record, Shown, signal_name};
pub use run::{Running, Streams};
pub use save::{Mode, save};
pub use session::{Dropped, Session, Unfinished};

const PREFIX: &str = "fd:";

const MAX_NAME: usize = 64;

/// The longest readable directory name of a session, in bytes; file systems allow 255.
const MAX_DIRECTORY: usize = 200;

/// The name of a capture.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Handle {
    /// `fd:3`, from 1.
    Number(u64),
    /// `fd:build`.
    Name(String),
}

impl Handle {
    /// Reads `path` as a handle, unless a file has that name. `./fd:1` is always a file.
    pub fn from_path(path: &Path) -> Option<Handle> {
        let handle = path.to_str().and_then(Handle::parse)?;
        path.symlink_metadata().is_err().then_some(handle)
    }

    /// Reads `text` as a handle, even if a file has that name.
    pub fn parse(text: &str) -> Option<Handle> {
        let rest = text.strip_prefix(PREFIX)?;
        match rest.parse() {
            Ok(number) if number > 0 && rest == format!("{number}") => Some(Handle::Number(number)),
            _ if is_name(rest) => Some(Handle::Name(rest.to_owned())),
            _ => None,
        }
    }

    /// Splits `fd:N:RANGES` into handle and ranges, unless a file has the name of the handle.
    pub fn before_ranges(file: &str) -> Option<(&str, &str)> {
        let colon = PREFIX.len() + file.strip_prefix(PREFIX)?.find(':')?;
        let (name, ranges) = (&file[..colon], &file[colon + 1..]);
        Handle::from_path(Path::new(name)).map(|_| (name, ranges))
    }
}

impl fmt::Display for Handle {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Handle::Number(number) => write!(f, "{PREFIX}{number}"),
            Handle::Name(name) => write!(f, "{PREFIX}{name}"),
        }
    }
}

/// Refuses names that could be a number, a range or a path.
pub fn check_name(name: &str) -> Result<()> {
    if is_name(name) {
        return Ok(());
    }
    let message = format!("'{name}' is not a capture name");
    Err(Error::usage(message).hint(
        Sentence::from("up to 64 letters, digits, '_', '-' and '.', beginning with a letter: ")
            .then(setting("name"))
            .then(" build-1"),
    ))
}

fn is_name(text: &str) -> bool {
    let is_of_name = |b: u8| b.is_ascii_alphanumeric() || b"_-.".contains(&b);
    text.len() <= MAX_NAME
        && text.bytes().next().is_some_and(|b| b.is_ascii_alphabetic() || b == b'_')
        && text.bytes().all(is_of_name)
}

/// The directory of the session `name`. Different names have different directories, even if the file system ignores
/// case, and none leads elsewhere. A name that is too long is hashed.
pub(super) fn directory(name: Option<&OsStr>) -> String {
    let Some(name) = name.filter(|name| !name.is_empty()) else { return "session".to_owned() };
    let bytes = name.as_encoded_bytes();
    let mut directory = "session-".to_owned();
    for byte in bytes {
        match byte {
            b'a'..=b'z' | b'0'..=b'9' | b'-' | b'_' => directory.push(char::from(*byte)),
            _ => directory.push_str(&format!("%{byte:02x}")),
        }
        if directory.len() > MAX_DIRECTORY {
            return format!("long-session-{:032x}", xxh3_128(bytes));
        }
    }
    directory
}

#[cfg(test)]
mod handle_tests {
    use std::collections::BTreeSet;

    use super::*;

    #[test]
    fn handles_have_one_form() {
        assert_eq!(Handle::parse("fd:1"), Some(Handle::Number(1)));
        assert_eq!(Handle::parse("fd:18446744073709551615"), Some(Handle::Number(u64::MAX)));
        assert_eq!(Handle::parse("fd:build-1.log"), Some(Handle::Name("build-1.log".to_owned())));
        let long = format!("fd:{}", "a".repeat(65));
        let none =
            ["fd:", "fd:0", "fd:01", "fd:+1", "fd:-1", "fd:1a", "fd:..", "fd:a/b", "fd:a:1", "fd: 1", "FD:1"];
        for text in none.into_iter().chain(["fd:18446744073709551616", "./fd:1", "fd1", "fd:ü", &long]) {
            assert_eq!(Handle::parse(text), None, "{text}");
        }
    }

    #[test]
    fn ranges_follow_a_handle() {
        assert_eq!(Handle::before_ranges("fd:1:10-20"), Some(("fd:1", "10-20")));
        assert_eq!(Handle::before_ranges("fd:build:1:2"), Some(("fd:build", "1:2")));
        for text in ["fd:1", "fd::1", "fd:a/b:1", "fd:1x:1", "x:1:2"] {
            assert_eq!(Handle::before_ranges(text), None, "{text}");
        }
    }

    #[test]
    fn every_session_has_its_own_directory() {
        let long = ["x".repeat(300), "x".repeat(301), "/".repeat(4096)];
        let names =
            [".", "..", "/", "../..", "a", "A", "a/b", "a%2fb", "%", "ü", "-", "\n", "session", "a b"];
        let names: Vec<&str> = names.into_iter().chain(long.iter().map(String::as_str)).collect();
        let directories: BTreeSet<String> = names
            .iter()
            .map(|name| directory(Some(OsStr::new(name))))
            .chain([directory(None)])
            .map(|directory| directory.to_lowercase())
            .collect();
        assert_eq!(directories.len(), names.len() + 1, "{directories:?}");
        for directory in directories {
            assert!(directory.len() < 255 && directory.bytes().all(|b| b.is_ascii_graphic() && b != b'/'));
            assert!(!directory.starts_with('.'), "{directory}");
        }
        assert_eq!(directory(Some(OsStr::new(""))), directory(None));
    }
}
