//! Runs a command; its standard output and standard error share one pipe, which keeps their order.

use std::ffi::{OsStr, OsString};
use std::io::{self, PipeReader, PipeWriter};
use std::path::Path;
use std::process::{Child, Command};

use super::record::Ended;
use rread_source::interrupt;
use rread_text::error::{Error, Result};
use rread_text::sentence::call;

/// The exit code of shells for a command that cannot be run.
const NOT_EXECUTABLE: u8 = 126;
/// The exit code of shells for a command that is not found.
const NOT_FOUND: u8 = 127;

/// Which output of the command is kept.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Streams {
    /// Standard output and standard error.
    Both,
    /// Standard output; standard error is inherited.
    StdoutOnly,
}

/// A command that runs.
pub struct Running {
    child: Child,
    /// The output; it ends once every process has closed it, background processes included.
    pub output: PipeReader,
}

impl Running {
    /// Starts `program`, which inherits standard input. Errors have the exit codes of a shell, 127 and 126.
    pub fn start(program: &OsStr, args: &[OsString], streams: Streams) -> Result<Running> {
        let failed = |cause: &io::Error| Error::read("cannot be started", cause).at(Path::new(program));
        let pipe = io::pipe().map_err(|cause| failed(&cause))?;
        Running::try_start(program, args, streams, pipe).map_err(|cause| {
            let error = match cause.kind() {
                io::ErrorKind::NotFound => failed(&cause).exiting(NOT_FOUND),
                // The system cannot start another process; the program may be fine.
                io::ErrorKind::WouldBlock | io::ErrorKind::OutOfMemory => failed(&cause),
                _ => failed(&cause).exiting(NOT_EXECUTABLE),
            };
            let line = program.to_string_lossy();
            if args.is_empty() && line.contains(' ') {
                return error.hint(call("capture").word("--").word("sh").word("-c").word(line));
            }
            error
        })
    }

    fn try_start(
        program: &OsStr,
        args: &[OsString],
        streams: Streams,
        (output, input): (PipeReader, PipeWriter),
    ) -> io::Result<Running> {
        let mut command = Command::new(program);
        command.args(args);
        if streams == Streams::Both {
            command.stderr(input.try_clone()?);
        }
        command.stdout(input);
        // Dropping `command` closes its copies of the pipe's write end, without which the output does not end.
        Ok(Running { child: interrupt::spawn(&mut command)?, output })
    }

    /// Waits for the command, not for processes that it left behind.
    pub fn wait(mut self) -> Result<Ended> {
        interrupt::stop_forwarding();
        let waited = self.child.wait();
        waited.map(Ended::from_status).map_err(|cause| Error::read("cannot wait for the command", &cause))
    }
}
