//! The record of a capture: a small JSON file beside its bytes.

use std::fs::DirEntry;
use std::io::{self, Read, Write};
use std::path::{Path, PathBuf};
use std::process::ExitStatus;
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use serde::{Deserialize, Serialize};
use serde_json::json;

use super::Handle;
use crate::store;

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

/// The limit at which keeping stopped.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum KeptTo {
    /// The limit of one capture.
    Limit,
    /// The limit of all captures together.
    StateLimit,
    /// The limit on the size of files (`ulimit -f`).
    FileSizeLimit,
}

impl KeptTo {
    /// The word for receipts.
    pub fn name(self) -> &'static str {
        match self {
            KeptTo::Limit => "limit",
            KeptTo::StateLimit => "state_limit",
            KeptTo::FileSizeLimit => "file_size_limit",
        }
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
    {
        use rustix::process::Signal;
        let names = [
            (Signal::HUP, "SIGHUP"),
            (Signal::INT, "SIGINT"),
            (Signal::QUIT, "SIGQUIT"),
            (Signal::ILL, "SIGILL"),
            (Signal::TRAP, "SIGTRAP"),
            (Signal::ABORT, "SIGABRT"),
            (Signal::BUS, "SIGBUS"),
            (Signal::FPE, "SIGFPE"),
            (Signal::KILL, "SIGKILL"),
            (Signal::USR1, "SIGUSR1"),
            (Signal::SEGV, "SIGSEGV"),
            (Signal::USR2, "SIGUSR2"),
            (Signal::PIPE, "SIGPIPE"),
            (Signal::ALARM, "SIGALRM"),
            (Signal::TERM, "SIGTERM"),
            (Signal::XCPU, "SIGXCPU"),
            (Signal::XFSZ, "SIGXFSZ"),
            (Signal::SYS, "SIGSYS"),
        ];
        if let Some((_, name)) = names.iter().find(|(signal, _)| signal.as_raw() == number) {
            return (*name).to_owned();
        }
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
    /// Whether each line begins with its stream.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub marked: bool,
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
        let quoted = words.iter().map(|word| rread_text::quote::quoted_word(word));
        Some(quoted.collect::<Vec<_>>().join(" "))
    }

    /// The text of `record.json`.
    pub fn to_json(&self) -> String {
        json!(self).to_string()
    }

    /// `None` if `text` is not a record.
    pub fn from_json(text: &str) -> Option<Record> {
        serde_json::from_str(text).ok()
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
    Some(Capture { number, record: Record::from_json(&text)?, path: dir.join(OUTPUT) })
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

#[cfg(test)]
mod tests {
    use super::*;

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
            marked: true,
            produced: u64::MAX,
            ..none.clone()
        };
        let failed = Record { ended: Some(Ended::Status(-7)), ..none.clone() };
        for record in [none, all, failed] {
            assert_eq!(Record::from_json(&record.to_json()), Some(record));
        }
        let most = Record { newlines: u64::MAX, unterminated: true, ..Record::default() };
        assert_eq!(most.lines(Ansi::Strip), u64::MAX);
        for text in ["", "{}", "[]", "{\"kept\": -1}", "\u{0}"] {
            assert_eq!(Record::from_json(text), None, "{text}");
        }
    }

    #[test]
    fn exit_codes_are_those_of_shells() {
        let codes =
            [Ended::Status(0), Ended::Status(3), Ended::Signal(9), Ended::Status(256), Ended::Status(-1)];
        assert_eq!(codes.map(Ended::exit_code), [0, 3, 137, 255, 255]);
    }
}
