//! What can go wrong, in the user's words: one closed set of kinds, a sentence, a hint, an exit code.

use std::fmt;
use std::io;
use std::path::{Path, PathBuf};

use crate::address;

/// The kinds of failure that callers can tell apart. Names and exit codes are part of the interface.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// The command line does not make sense.
    Usage,
    /// A range whose text or order is wrong, whatever the file holds.
    InvalidRange,
    /// No such file.
    NotFound,
    /// The file may not be read by this user.
    Permission,
    /// The path is a directory.
    IsDirectory,
    /// The path is a FIFO, a socket or a device.
    SpecialFile,
    /// Reading failed.
    Io,
    /// A server did not answer, or not as it should.
    Network,
    /// Somebody else holds the file and did not let go in time.
    Locked,
    /// The file is binary and nothing was said about how to show it.
    Binary,
    /// The range begins past the end of the file.
    OutOfRange,
    /// The text is not valid in its encoding, and that was to be an error.
    InvalidText,
    /// The file is not, or did not stay, the version that was expected.
    Changed,
    /// Lines are not what their anchors say: a clean no.
    Mismatch,
    /// A query has no row.
    NoRows,
    /// Standard output or another file cannot be written.
    Write,
    /// Standard output was a pipe and its reader went away: no failure at all.
    BrokenPipe,
}

impl Kind {
    /// The word used in JSON errors.
    pub fn name(self) -> &'static str {
        match self {
            Kind::Usage => "usage",
            Kind::InvalidRange => "invalid_range",
            Kind::NotFound => "not_found",
            Kind::Permission => "permission",
            Kind::IsDirectory => "is_directory",
            Kind::SpecialFile => "special_file",
            Kind::Io => "io",
            Kind::Network => "network",
            Kind::Locked => "locked",
            Kind::Binary => "binary",
            Kind::OutOfRange => "out_of_range",
            Kind::InvalidText => "invalid_text",
            Kind::Changed => "changed",
            Kind::Mismatch => "mismatch",
            Kind::NoRows => "no_rows",
            Kind::Write | Kind::BrokenPipe => "write",
        }
    }

    /// The process exit code, 0 to 8.
    pub fn exit_code(self) -> u8 {
        match self {
            Kind::BrokenPipe => 0,
            Kind::Mismatch | Kind::NoRows => 1,
            Kind::Usage | Kind::InvalidRange => 2,
            Kind::NotFound
            | Kind::Permission
            | Kind::IsDirectory
            | Kind::SpecialFile
            | Kind::Io
            | Kind::Network
            | Kind::Locked => 3,
            Kind::Binary => 4,
            Kind::OutOfRange => 5,
            Kind::InvalidText => 6,
            Kind::Changed => 7,
            Kind::Write => 8,
        }
    }
}

/// A failure as the user will read it.
#[derive(Clone, Debug)]
pub struct Error {
    /// Which of the kinds.
    pub kind: Kind,
    /// One sentence with the number asked and the number there; the file's name is not in it.
    pub message: String,
    /// What to type instead.
    pub hint: Option<String>,
    /// The file it is about.
    pub path: Option<PathBuf>,
    /// The exit code, where that is not the one of its kind.
    pub exit: Option<u8>,
}

/// Results whose failure a user can read.
pub type Result<T> = std::result::Result<T, Error>;

impl Error {
    /// A failure of `kind`, told by `message`.
    pub fn new(kind: Kind, message: impl Into<String>) -> Self {
        Error { kind, message: message.into(), hint: None, path: None, exit: None }
    }

    /// A command line that does not make sense.
    pub fn usage(message: impl Into<String>) -> Self {
        Error::new(Kind::Usage, message)
    }

    /// A range that cannot be, whatever the file holds.
    pub fn invalid_range(message: impl Into<String>) -> Self {
        Error::new(Kind::InvalidRange, message)
    }

    /// A failed read; `what` says what was being done, such as `cannot read at byte 4096`.
    pub fn read(what: &str, cause: &io::Error) -> Self {
        // A source that can tell more has said all in its own words.
        if let Some(error) = cause.get_ref().and_then(|inner| inner.downcast_ref::<Error>()) {
            return error.clone();
        }
        let kind = match cause.kind() {
            io::ErrorKind::NotFound => Kind::NotFound,
            io::ErrorKind::PermissionDenied => Kind::Permission,
            io::ErrorKind::IsADirectory => Kind::IsDirectory,
            _ => Kind::Io,
        };
        Error::new(kind, format!("{what}: {}", reason(cause)))
    }

    /// A failed write to standard output.
    pub fn write(cause: &io::Error) -> Self {
        if cause.kind() == io::ErrorKind::BrokenPipe {
            return Error::new(Kind::BrokenPipe, "the reader of the pipe went away");
        }
        Error::new(Kind::Write, format!("cannot write to standard output: {}", reason(cause)))
    }

    /// A failed write to a file; `what` says what was being done.
    pub fn writing(what: &str, cause: &io::Error) -> Self {
        Error::new(Kind::Write, format!("{what}: {}", reason(cause)))
    }

    /// The failure of a source that can tell more than the system: [`Error::read`] takes it out again.
    pub(crate) fn into_io(self) -> io::Error {
        let kind = match self.kind {
            Kind::NotFound => io::ErrorKind::NotFound,
            Kind::Permission => io::ErrorKind::PermissionDenied,
            _ => io::ErrorKind::Other,
        };
        io::Error::new(kind, self)
    }

    /// The same failure with something to type.
    pub fn hint(mut self, hint: impl Into<String>) -> Self {
        self.hint = Some(hint.into());
        self
    }

    /// The same failure with this exit code, unless it has one of its own already.
    pub(crate) fn exiting(mut self, code: u8) -> Self {
        self.exit.get_or_insert(code);
        self
    }

    /// The exit code of the process that ends with it.
    pub fn exit_code(&self) -> u8 {
        self.exit.unwrap_or(self.kind.exit_code())
    }

    /// The same failure, about `path`.
    pub fn at(mut self, path: &Path) -> Self {
        self.path = Some(path.to_owned());
        self
    }

    /// The same failure, about `path` unless it names another file, or is about standard output.
    pub fn about(self, path: &Path) -> Self {
        match self.kind {
            Kind::Write | Kind::BrokenPipe => self,
            _ if self.path.is_some() => self,
            _ => self.at(path),
        }
    }
}

/// The system's own words, without Rust's `(os error 5)`.
fn reason(cause: &io::Error) -> String {
    let text = cause.to_string();
    match text.find(" (os error ") {
        Some(cut) => text[..cut].to_owned(),
        None => text,
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(path) = &self.path {
            write!(f, "{}: ", printable(&address::shown(path)))?;
        }
        f.write_str(&printable(&self.message))
    }
}

impl std::error::Error for Error {}

/// `text` on one line and without control characters, for messages that end up on a terminal.
pub(crate) fn printable(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        if c.is_control() { out.extend(c.escape_default()) } else { out.push(c) }
    }
    out
}

/// `count` and its noun, in the plural unless there is one: `1 line`, `412 lines`.
pub fn counted(count: u64, noun: &str) -> String {
    format!("{count} {noun}{}", if count == 1 { "" } else { "s" })
}
