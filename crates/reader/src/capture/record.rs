//! Captures on disk: their handles, and the record of each, a small JSON file beside its bytes.

use std::ffi::OsStr;
use std::fmt;
use std::fs::DirEntry;
use std::io::{self, Read, Write};
use std::path::{Path, PathBuf};
use std::process::ExitStatus;
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use serde::{Deserialize, Serialize};
use serde_json::json;
use xxhash_rust::xxh3::xxh3_128;

use crate::store;
use rread_text::{Error, Result, Sentence, setting};

/// The file of the shown text, if there is one.
pub(super) const SHOWN: &str = "shown";

/// Which bytes of a capture are read.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Ansi {
    /// Without escape sequences, overwritten progress and overstrikes
    #[default]
    Strip,
    /// As they were written
    Keep,
}

/// Facts about the shown text.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Shown {
    /// The size in bytes.
    pub bytes: u64,
    /// Whether it ends without a newline.
    pub unterminated: bool,
}

rread_text::words! { name,
    /// The limit at which keeping stopped.
    #[derive(Serialize, Deserialize)]
    #[serde(rename_all = "snake_case")]
    pub enum KeptTo {
        /// The limit of one capture.
        Limit = "limit",
        /// The limit of all captures together.
        StateLimit = "state_limit",
        /// The limit on the size of files (`ulimit -f`).
        FileSizeLimit = "file_size_limit",
    }
}

/// How a command ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Ended {
    /// With this exit status.
    #[serde(rename = "exit_status")]
    Status(i32),
    /// By the signal with this number.
    #[serde(rename = "signal")]
    Signal(i32),
}

impl Ended {
    /// Without a status or a signal, a process failed with status 1.
    pub fn from_status(status: ExitStatus) -> Ended {
        #[cfg(unix)]
        if let Some(signal) = std::os::unix::process::ExitStatusExt::signal(&status) {
            return Ended::Signal(signal);
        }
        Ended::Status(status.code().unwrap_or(1))
    }

    /// Whether the command ended with status 0.
    pub fn is_success(self) -> bool {
        self == Ended::Status(0)
    }

    /// The exit code of a shell: 128 plus the signal number after a signal.
    pub fn exit_code(self) -> u8 {
        let code = match self {
            Ended::Status(code) => code,
            Ended::Signal(signal) => signal.saturating_add(128),
        };
        // A Windows status may exceed a byte; it must not become 0.
        u8::try_from(code).unwrap_or(u8::MAX)
    }
}

/// The name of a signal of this system, such as `SIGTERM`; `signal 99` for a number without a name.
pub fn signal_name(number: i32) -> String {
    #[cfg(unix)]
    if let Some(signal) = rustix::process::Signal::from_named_raw(number) {
        // The package writes a few names in full, in quotes.
        let name = format!("{signal:?}").replace('"', "").replace("Signal::", "SIG").replace("ALARM", "ALRM");
        return name.replace("ABORT", "ABRT").replace("CHILD", "CHLD").replace("POWER", "PWR");
    }
    format!("signal {number}")
}

/// The content of `record.json`: the facts about a capture.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Record {
    /// The name that the user gave it and no newer capture took.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub name: Option<String>,
    /// The command and its arguments, as lossy UTF-8; none for standard input.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub command: Option<Vec<String>>,
    /// How the command ended; `None` for standard input.
    #[serde(flatten)]
    pub ended: Option<Ended>,
    /// Bytes that the command wrote.
    pub produced: u64,
    /// Bytes kept, from the start.
    pub kept: u64,
    /// Newlines in the kept bytes.
    pub newlines: u64,
    /// Whether the kept bytes end without a newline.
    pub unterminated: bool,
    /// The shown text, if it is not the kept bytes.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub shown: Option<Shown>,
    /// The limit at which keeping stopped, if the bytes are not all.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub kept_to: Option<KeptTo>,
    /// Bytes per page, if not the default.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub page_size: Option<u64>,
    /// The end of the capture, in seconds since 1970.
    pub taken: u64,
}

impl Record {
    /// The end of the capture.
    pub fn time(&self) -> SystemTime {
        // Years after 9999 cannot be formatted.
        UNIX_EPOCH + Duration::from_secs(self.taken.min(253_402_300_799))
    }

    /// The bytes to read.
    pub fn size(&self, ansi: Ansi) -> u64 {
        self.text(ansi).bytes
    }

    /// The lines to read, if newlines are single bytes.
    pub fn lines(&self, ansi: Ansi) -> u64 {
        self.newlines.saturating_add(u64::from(self.text(ansi).unterminated))
    }

    fn text(&self, ansi: Ansi) -> Shown {
        let stored = Shown { bytes: self.kept, unterminated: self.unterminated };
        self.shown.filter(|_| ansi == Ansi::Strip).unwrap_or(stored)
    }

    /// Whether the text is not what is stored.
    pub fn is_stripped(&self, ansi: Ansi) -> bool {
        self.shown.is_some() && ansi == Ansi::Strip
    }

    /// The file to read of the capture whose bytes are in `output`.
    pub fn text_file(&self, output: &Path, ansi: Ansi) -> PathBuf {
        if self.is_stripped(ansi) { output.with_file_name(SHOWN) } else { output.to_owned() }
    }

    /// The bytes of the capture on disk.
    pub fn disk_size(&self) -> u64 {
        self.kept.saturating_add(self.shown.map_or(0, |shown| shown.bytes))
    }

    /// The command, quoted for a shell.
    pub fn command_line(&self) -> Option<String> {
        let words = self.command.as_ref()?;
        let quoted = words.iter().map(|word| rread_text::sentence::quoted_word(word));
        Some(quoted.collect::<Vec<_>>().join(" "))
    }

    /// The text of `record.json`.
    pub fn to_json(&self) -> String {
        json!(self).to_string()
    }
}

pub(super) const OUTPUT: &str = "output";
pub(super) const RECORD: &str = "record.json";

/// A complete capture on disk.
#[derive(Clone, Debug)]
pub struct Capture {
    /// The number, from 1.
    pub number: u64,
    /// Its record.
    pub record: Record,
    /// The stored bytes.
    pub path: PathBuf,
}

impl Capture {
    /// The handle with its number.
    pub fn handle(&self) -> Handle {
        Handle::Number(self.number)
    }

    /// The file to read.
    pub fn text(&self, ansi: Ansi) -> PathBuf {
        self.record.text_file(&self.path, ansi)
    }

    pub(super) fn is_named(&self, handle: &Handle) -> bool {
        match handle {
            Handle::Number(number) => self.number == *number,
            Handle::Name(name) => self.record.name.as_ref() == Some(name),
        }
    }
}

/// The oldest first.
pub(super) fn captures_in(dir: &Path) -> io::Result<Vec<Capture>> {
    let entries = store::entries(dir)?;
    let mut captures: Vec<_> =
        entries.iter().filter_map(|entry| capture_in(dir, number_of(entry)?)).collect();
    captures.sort_by_key(|capture| capture.number);
    Ok(captures)
}

/// The capture `number` of the session in `dir`, if it is complete and belongs to this user.
pub(super) fn capture_in(dir: &Path, number: u64) -> Option<Capture> {
    let dir = dir.join(number.to_string());
    store::check_dir(&dir).ok()?;
    let mut text = String::new();
    // Far more than a valid record has.
    store::open(&dir.join(RECORD)).ok()?.take(1 << 20).read_to_string(&mut text).ok()?;
    Some(Capture { number, record: serde_json::from_str(&text).ok()?, path: dir.join(OUTPUT) })
}

pub(super) fn number_of(entry: &DirEntry) -> Option<u64> {
    let name = entry.file_name();
    let number = name.to_str()?.parse::<u64>().ok()?;
    (name.to_str() == Some(&number.to_string())).then_some(number)
}

/// Removes `name` from the captures below `number`; the caller holds the lock. Failures do no harm: of two captures with
/// one name, the larger number counts.
pub(super) fn take_from_older(dir: &Path, name: &str, number: u64) {
    for mut capture in captures_in(dir).unwrap_or_default() {
        if capture.number < number && capture.record.name.as_deref() == Some(name) {
            capture.record.name = None;
            let _ = replace_record(&dir.join(capture.number.to_string()), &capture.record.to_json());
        }
    }
}

fn replace_record(dir: &Path, json: &str) -> io::Result<()> {
    let mut file = tempfile::NamedTempFile::new_in(dir)?;
    file.write_all(json.as_bytes())?;
    file.persist(dir.join(RECORD))?;
    Ok(())
}

pub(super) const PREFIX: &str = "fd:";

pub(super) const MAX_NAME: usize = 64;

/// The longest readable directory name of a session, in bytes; file systems allow 255.
pub(super) const MAX_DIRECTORY: usize = 200;

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

pub(super) fn is_name(text: &str) -> bool {
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
mod tests {
    use super::*;

    #[cfg(unix)]
    #[test]
    fn signals_have_the_names_of_the_system() {
        let names = [1, 6, 9, 14, 15, 99].map(signal_name);
        assert_eq!(names, ["SIGHUP", "SIGABRT", "SIGKILL", "SIGALRM", "SIGTERM", "signal 99"]);
    }

    #[test]
    fn a_record_is_read_as_written() {
        let none = Record { produced: 9, kept: 9, newlines: 1, taken: 1_700_000_000, ..Record::default() };
        let all = Record {
            name: Some("build".to_owned()),
            command: Some(vec!["sh".to_owned(), "-c".to_owned(), "echo \"\u{1b}\n\"".to_owned()]),
            ended: Some(Ended::Signal(9)),
            unterminated: true,
            kept_to: Some(KeptTo::StateLimit),
            page_size: Some(100),
            shown: Some(Shown { bytes: 7, unterminated: false }),
            produced: u64::MAX,
            ..none.clone()
        };
        let failed = Record { ended: Some(Ended::Status(-7)), ..none.clone() };
        for record in [none, all, failed] {
            assert_eq!(serde_json::from_str::<Record>(&record.to_json()).unwrap(), record);
        }
        let most = Record { newlines: u64::MAX, unterminated: true, ..Record::default() };
        assert_eq!(most.lines(Ansi::Strip), u64::MAX);
        for text in ["", "{}", "[]", "{\"kept\": -1}", "\u{0}"] {
            assert!(serde_json::from_str::<Record>(text).is_err(), "{text}");
        }
    }

    #[test]
    fn exit_codes_are_those_of_shells() {
        let codes =
            [Ended::Status(0), Ended::Status(3), Ended::Signal(9), Ended::Status(256), Ended::Status(-1)];
        assert_eq!(codes.map(Ended::exit_code), [0, 3, 137, 255, 255]);
    }
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
