//! Errors as users read them: kind, sentence, hint, exit code.

use std::path::{Path, PathBuf};
use std::{fmt, io};

use serde::{Deserialize, Serialize};

use crate::address;
use crate::sentence::Sentence;

crate::words! { name,
    /// Names and exit codes of the kinds are part of the interface.
    #[derive(Deserialize, Serialize)]
    pub enum Kind {
        /// The command line is wrong.
        Usage = "usage",
        /// The range is not in the grammar, or it ends before it starts.
        InvalidRange = "invalid_range",
        /// There is no such file, member or object.
        NotFound = "not_found",
        /// The system or the server refuses access.
        Permission = "permission",
        /// The name is that of a directory.
        IsDirectory = "is_directory",
        /// The file is a device or a socket, which has no size and no end.
        SpecialFile = "special_file",
        /// The system failed to read.
        Io = "io",
        /// A server did not answer, or its answer is wrong.
        Network = "network",
        /// Another process holds the file and did not release it in time.
        Locked = "locked",
        /// The file is not text.
        Binary = "binary",
        /// The range starts past the end of the file.
        OutOfRange = "out_of_range",
        /// The text is not valid in its encoding, and an option makes that an error.
        InvalidText = "invalid_text",
        /// The file is not the expected version, or changed during the read.
        Changed = "changed",
        /// Lines do not match their anchors.
        Mismatch = "mismatch",
        /// No line matches the pattern.
        NoMatch = "no_match",
        /// The awaited text did not come in time.
        Timeout = "timeout",
        /// A query returns no rows.
        NoRows = "no_rows",
        /// The system failed to write.
        Write = "write",
        /// The reader of standard output closed the pipe, which is not a failure.
        BrokenPipe = "write",
    }
}

impl Kind {
    /// The exit code of the program, 0 to 8.
    pub fn exit_code(self) -> u8 {
        match self {
            Kind::BrokenPipe => 0,
            Kind::Mismatch | Kind::NoMatch | Kind::Timeout | Kind::NoRows => 1,
            Kind::Usage | Kind::InvalidRange => 2,
            Kind::Binary => 4,
            Kind::OutOfRange => 5,
            Kind::InvalidText => 6,
            Kind::Changed => 7,
            Kind::Write => 8,
            _ => 3,
        }
    }
}

/// A failure, with a command or words that help.
#[derive(Clone, Debug, Deserialize, Serialize)]
pub struct Error {
    /// The kind, which decides the exit code.
    pub kind: Kind,
    /// One sentence with the values that matter, without the name of the file.
    pub message: Sentence,
    /// The thing to do instead.
    pub hint: Option<Sentence>,
    /// The file that the message is about.
    pub path: Option<PathBuf>,
    /// The exit code, if it differs from that of the kind.
    pub exit: Option<u8>,
}

/// A result whose error is an [`Error`].
pub type Result<T> = std::result::Result<T, Error>;

impl Error {
    /// An error without a hint and without a file.
    pub fn new(kind: Kind, message: impl Into<Sentence>) -> Self {
        Error { kind, message: message.into(), hint: None, path: None, exit: None }
    }

    /// An error of the command line.
    pub fn usage(message: impl Into<Sentence>) -> Self {
        Error::new(Kind::Usage, message)
    }

    /// An error of a range.
    pub fn invalid_range(message: impl Into<Sentence>) -> Self {
        Error::new(Kind::InvalidRange, message)
    }

    /// A failed read; `what` begins the sentence, such as `cannot read at byte 4096`.
    pub fn read(what: &str, cause: &io::Error) -> Self {
        // A source put its own error into the cause: see `into_io`.
        if let Some(error) = cause.get_ref().and_then(|inner| inner.downcast_ref::<Error>()) {
            return error.clone();
        }
        let kind = match cause.kind() {
            io::ErrorKind::NotFound => Kind::NotFound,
            io::ErrorKind::PermissionDenied => Kind::Permission,
            io::ErrorKind::IsADirectory => Kind::IsDirectory,
            _ => Kind::Io,
        };
        let start = Sentence::from(format!("{what}: "));
        Error::new(
            kind,
            match cause.get_ref().and_then(|inner| inner.downcast_ref::<Cause>()) {
                Some(Cause(sentence)) => start.then(sentence.clone()),
                None => start.then(reason(cause)),
            },
        )
    }

    /// A failed write to standard output. A pipe that its reader closed is [`Kind::BrokenPipe`].
    pub fn write(cause: &io::Error) -> Self {
        // Windows has this code too for a pipe without a reader.
        const ERROR_PIPE_NOT_CONNECTED: i32 = 233;
        let is_disconnected = cfg!(windows) && cause.raw_os_error() == Some(ERROR_PIPE_NOT_CONNECTED);
        if cause.kind() == io::ErrorKind::BrokenPipe || is_disconnected {
            return Error::new(Kind::BrokenPipe, "the reader closed the pipe");
        }
        Error::new(Kind::Write, format!("cannot write to standard output: {}", reason(cause)))
    }

    /// A failed write to somewhere else; `what` begins the sentence, such as `cannot write to capture:3`.
    pub fn writing(what: &str, cause: &io::Error) -> Self {
        Error::new(Kind::Write, format!("{what}: {}", reason(cause)))
    }

    /// Wraps the error of a source, which knows more than the system; [`Error::read`] unwraps it.
    pub fn into_io(self) -> io::Error {
        let kind = match self.kind {
            Kind::NotFound => io::ErrorKind::NotFound,
            Kind::Permission => io::ErrorKind::PermissionDenied,
            _ => io::ErrorKind::Other,
        };
        io::Error::new(kind, self)
    }

    /// Sets what to do instead.
    pub fn hint(mut self, hint: impl Into<Sentence>) -> Self {
        self.hint = Some(hint.into());
        self
    }

    /// Sets the exit code, unless the error has one of its own.
    pub fn exiting(mut self, code: u8) -> Self {
        self.exit.get_or_insert(code);
        self
    }

    /// The exit code of the program.
    pub fn exit_code(&self) -> u8 {
        self.exit.unwrap_or(self.kind.exit_code())
    }

    /// The file, and `message`, the words of an interface for the message.
    pub fn on_one_line(&self, message: &str) -> String {
        let name = self.path.as_ref().map(|path| format!("{}: ", printable(&address::display(path))));
        name.unwrap_or_default() + &printable(message)
    }

    /// Attaches the file, also if another one is attached.
    pub fn at(mut self, path: &Path) -> Self {
        self.path = Some(path.to_owned());
        self
    }

    /// Attaches the file, unless the error names a file or is about standard output.
    pub fn about(self, path: &Path) -> Self {
        let is_final = self.path.is_some() || matches!(self.kind, Kind::Write | Kind::BrokenPipe);
        if is_final { self } else { self.at(path) }
    }
}

/// A sentence inside an error of the system; [`Error::read`] takes it out.
#[derive(Clone, Debug)]
pub struct Cause(pub Sentence);

impl fmt::Display for Cause {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0.plain())
    }
}

impl std::error::Error for Cause {}

/// The message of the system, without Rust's `(os error 5)`.
pub fn reason(cause: &io::Error) -> String {
    let mut text = cause.to_string();
    text.truncate(text.find(" (os error ").unwrap_or(text.len()));
    text
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.on_one_line(&self.message.plain()))
    }
}

impl std::error::Error for Error {}

/// `text` on one line, with control characters escaped, for terminals.
pub fn printable(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        if c.is_control() { out.extend(c.escape_default()) } else { out.push(c) }
    }
    out
}

/// `1 line`, `412 lines`.
pub fn counted(count: u64, noun: &str) -> String {
    format!("{count} {noun}{}", if count == 1 { "" } else { "s" })
}

/// `a, b or c`, with `conjunction` before the last of `names`.
pub fn listed(names: &[String], conjunction: &str) -> String {
    match names.split_last() {
        Some((last, [])) => last.clone(),
        Some((last, others)) => format!("{} {conjunction} {last}", others.join(", ")),
        None => String::new(),
    }
}
