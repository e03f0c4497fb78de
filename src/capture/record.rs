//! The record of a capture: a small JSON file beside its bytes.

use std::process::ExitStatus;
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use serde_json::{Map, Value, json};

/// The limit that cut the output.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum KeptTo {
    /// The limit of one capture.
    Limit,
    /// The limit of all captures together.
    StateLimit,
    /// The limit on the size of files (`ulimit -f`).
    FileSizeLimit,
}

impl KeptTo {
    const ALL: [KeptTo; 3] = [KeptTo::Limit, KeptTo::StateLimit, KeptTo::FileSizeLimit];

    /// The name in receipts.
    pub fn name(self) -> &'static str {
        match self {
            KeptTo::Limit => "limit",
            KeptTo::StateLimit => "state_limit",
            KeptTo::FileSizeLimit => "file_size_limit",
        }
    }
}

/// How a command ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ended {
    /// With an exit status.
    Status(i32),
    /// By a signal.
    Signal(i32),
}

impl Ended {
    /// Without a status or a signal, a process failed with status 1.
    pub fn from_status(status: ExitStatus) -> Ended {
        match (status.code(), signal(status)) {
            (Some(code), _) => Ended::Status(code),
            (None, Some(signal)) => Ended::Signal(signal),
            (None, None) => Ended::Status(1),
        }
    }

    pub(crate) fn is_success(self) -> bool {
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

#[cfg(unix)]
fn signal(status: ExitStatus) -> Option<i32> {
    std::os::unix::process::ExitStatusExt::signal(&status)
}

#[cfg(not(unix))]
fn signal(_: ExitStatus) -> Option<i32> {
    None
}

pub(crate) fn signal_name(number: i32) -> String {
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

/// The facts about a capture.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Record {
    /// The name from `--name`.
    pub name: Option<String>,
    /// The command and its arguments, as lossy UTF-8; none for standard input.
    pub command: Option<Vec<String>>,
    /// How the command ended.
    pub ended: Option<Ended>,
    /// Bytes that the command wrote.
    pub produced: u64,
    /// Bytes kept, from the start.
    pub kept: u64,
    /// Newlines in the kept bytes.
    pub newlines: u64,
    /// Whether the kept bytes end without a newline.
    pub unterminated: bool,
    /// The limit that cut the output.
    pub kept_to: Option<KeptTo>,
    /// Bytes per page, if not the default.
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

    /// The kept lines, if newlines are single bytes.
    pub fn lines(&self) -> u64 {
        self.newlines.saturating_add(u64::from(self.unterminated))
    }

    /// The command, quoted for a shell.
    pub fn command_line(&self) -> Option<String> {
        let words = self.command.as_ref()?;
        let quoted = words.iter().map(|word| crate::quote::quoted_word(word));
        Some(quoted.collect::<Vec<_>>().join(" "))
    }

    /// The contents of `record.json`.
    pub fn to_json(&self) -> String {
        let mut map = Map::new();
        let mut put = |key: &str, value: Value| drop(map.insert(key.to_owned(), value));
        if let Some(name) = &self.name {
            put("name", json!(name));
        }
        if let Some(command) = &self.command {
            put("command", json!(command));
        }
        match self.ended {
            Some(Ended::Status(status)) => put("exit_status", json!(status)),
            Some(Ended::Signal(signal)) => put("signal", json!(signal)),
            None => {}
        }
        put("produced", json!(self.produced));
        put("kept", json!(self.kept));
        put("newlines", json!(self.newlines));
        put("unterminated", json!(self.unterminated));
        if let Some(kept_to) = self.kept_to {
            put("kept_to", json!(kept_to.name()));
        }
        if let Some(size) = self.page_size {
            put("page_size", json!(size));
        }
        put("taken", json!(self.taken));
        Value::Object(map).to_string()
    }

    /// `None` if `text` is not a record.
    pub fn from_json(text: &str) -> Option<Record> {
        let value: Value = serde_json::from_str(text).ok()?;
        let number = |key: &str| value.get(key).and_then(Value::as_u64);
        let small = |key: &str| value.get(key).and_then(Value::as_i64).and_then(|n| i32::try_from(n).ok());
        let text = |key: &str| value.get(key).and_then(Value::as_str).map(str::to_owned);
        let words = |words: &Vec<Value>| words.iter().map(|word| word.as_str().map(str::to_owned)).collect();
        let status = small("exit_status").map(Ended::Status);
        Some(Record {
            name: text("name"),
            command: value.get("command").and_then(Value::as_array).and_then(words),
            ended: status.or_else(|| small("signal").map(Ended::Signal)),
            produced: number("produced")?,
            kept: number("kept")?,
            newlines: number("newlines")?,
            unterminated: value.get("unterminated")?.as_bool()?,
            kept_to: text("kept_to").and_then(|name| KeptTo::ALL.into_iter().find(|why| why.name() == name)),
            page_size: number("page_size"),
            taken: number("taken")?,
        })
    }
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
            produced: u64::MAX,
            ..none.clone()
        };
        let failed = Record { ended: Some(Ended::Status(-7)), ..none.clone() };
        for record in [none, all, failed] {
            assert_eq!(Record::from_json(&record.to_json()), Some(record));
        }
        let most = Record { newlines: u64::MAX, unterminated: true, ..Record::default() };
        assert_eq!(most.lines(), u64::MAX);
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
