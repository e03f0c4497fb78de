//! What names a capture: `fd:3`, or `fd:build` for the newest that was called so; and the directory of a session.

use std::ffi::OsStr;
use std::fmt;
use std::path::Path;

use xxhash_rust::xxh3::xxh3_128;

use crate::error::{Error, Result};

/// What handles begin with.
const PREFIX: &str = "fd:";

/// The longest name of a capture, in bytes.
const LONGEST_NAME: usize = 64;

/// The longest readable part of the name of a session's directory, in bytes; file systems take 255.
const LONGEST_DIRECTORY: usize = 200;

/// A handle as it was typed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Handle {
    /// `fd:3`, from 1.
    Number(u64),
    /// `fd:build`.
    Name(String),
}

impl Handle {
    /// The handle that `path` is: of its form, and no file of that very name. `./fd:1` is always a file.
    pub fn of(path: &Path) -> Option<Handle> {
        let handle = path.to_str().and_then(Handle::parse)?;
        // A literal name wins over any special reading of it.
        path.symlink_metadata().is_err().then_some(handle)
    }

    /// Takes `text` for a handle, if it has the form of one.
    pub fn parse(text: &str) -> Option<Handle> {
        let rest = text.strip_prefix(PREFIX)?;
        match rest.parse() {
            Ok(number) if number > 0 && rest == format!("{number}") => Some(Handle::Number(number)),
            _ if is_name(rest) => Some(Handle::Name(rest.to_owned())),
            _ => None,
        }
    }

    /// The handle that `FILE:RANGES` begins with, and where its ranges begin; neither may be a file's name.
    pub(crate) fn before_ranges(file: &str) -> Option<(&str, &str)> {
        let colon = PREFIX.len() + file.strip_prefix(PREFIX)?.find(':')?;
        let (name, ranges) = (&file[..colon], &file[colon + 1..]);
        Handle::of(Path::new(name)).map(|_| (name, ranges))
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

/// The name of a capture: letters, digits and `_`, `-`, `.`, a letter or `_` first, so that it is no number, no range
/// and no path.
///
/// # Errors
/// `usage` for anything else.
pub(crate) fn check_name(name: &str) -> Result<()> {
    if is_name(name) {
        return Ok(());
    }
    let message = format!("'{name}' is not a name of a capture");
    Err(Error::usage(message)
        .hint("up to 64 letters, digits, '_', '-' and '.', beginning with a letter: --name build-1"))
}

fn is_name(text: &str) -> bool {
    let is_of_name = |b: u8| b.is_ascii_alphanumeric() || b"_-.".contains(&b);
    text.len() <= LONGEST_NAME
        && text.bytes().next().is_some_and(|b| b.is_ascii_alphabetic() || b == b'_')
        && text.bytes().all(is_of_name)
}

/// The directory of the session called `name`: no two names have the same one, also where capitals do not count, and no
/// name leads out of it. Names too long for a directory are told apart by 128 bits of XXH3.
pub(super) fn directory(name: Option<&OsStr>) -> String {
    let Some(name) = name.filter(|name| !name.is_empty()) else { return "session".to_owned() };
    let bytes = name.as_encoded_bytes();
    let mut directory = "session-".to_owned();
    for byte in bytes {
        match byte {
            b'a'..=b'z' | b'0'..=b'9' | b'-' | b'_' => directory.push(char::from(*byte)),
            _ => directory.push_str(&format!("%{byte:02x}")),
        }
        if directory.len() > LONGEST_DIRECTORY {
            return format!("long-session-{:032x}", xxh3_128(bytes));
        }
    }
    directory
}

#[cfg(test)]
mod tests {
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
    fn ranges_stand_behind_a_handle() {
        assert_eq!(Handle::before_ranges("fd:1:10-20"), Some(("fd:1", "10-20")));
        assert_eq!(Handle::before_ranges("fd:build:1:2"), Some(("fd:build", "1:2")));
        for text in ["fd:1", "fd::1", "fd:a/b:1", "fd:1x:1", "x:1:2"] {
            assert_eq!(Handle::before_ranges(text), None, "{text}");
        }
    }

    #[test]
    fn every_session_has_a_directory_of_its_own_that_is_one_name() {
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
