//! A command whose output is taken: standard output and standard error through one pipe, in the order they come.

use std::ffi::{OsStr, OsString};
use std::io::{self, PipeReader, PipeWriter};
use std::path::Path;
use std::process::{Child, Command};

use super::record::Ended;
use super::signals::Watch;
use crate::error::{Error, Result};
use crate::quote::quoted_word;

/// The exit code of shells for a command that is found and cannot be run.
const NOT_EXECUTABLE: u8 = 126;
/// The exit code of shells for a command that is not found.
const NOT_FOUND: u8 = 127;

/// Which streams of a command are taken.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Streams {
    /// Standard output and standard error.
    Both,
    /// Standard output; standard error goes where ours goes.
    Output,
}

/// A command on its way.
#[derive(Debug)]
pub(crate) struct Running {
    child: Child,
    watch: Watch,
    /// What it puts out; ends when nobody has its other end any more, so also not before what the command has
    /// left in the background has ended or turned away.
    pub output: PipeReader,
}

impl Running {
    /// Starts `program` with `args`. Its standard input is ours.
    ///
    /// # Errors
    /// `not_found`, `permission` and `io`, about the program, with the exit codes of a shell: 127 and 126.
    pub fn start(program: &OsStr, args: &[OsString], streams: Streams) -> Result<Running> {
        let failed = |cause: &io::Error| Error::read("cannot be started", cause).at(Path::new(program));
        let pipe = io::pipe().map_err(|cause| failed(&cause))?;
        Running::try_start(program, args, streams, pipe).map_err(|cause| {
            let error = match cause.kind() {
                io::ErrorKind::NotFound => failed(&cause).exiting(NOT_FOUND),
                // The system has no room for another process: that says nothing about the program.
                io::ErrorKind::WouldBlock | io::ErrorKind::OutOfMemory => failed(&cause),
                _ => failed(&cause).exiting(NOT_EXECUTABLE),
            };
            let line = program.to_string_lossy();
            if args.is_empty() && line.contains(' ') {
                return error.hint(format!("rread capture -- sh -c {}", quoted_word(&line)));
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
        let child = command.spawn()?;
        // Our own copies of its end are closed with `command`, or the end of the output would never come.
        drop(command);
        let watch = Watch::begin(Some(child.id()));
        Ok(Running { child, watch, output })
    }

    /// Waits for the command to end.
    ///
    /// # Errors
    /// `io`.
    pub fn wait(mut self) -> Result<Ended> {
        drop(self.watch);
        let waited = self.child.wait();
        waited.map(Ended::of).map_err(|cause| Error::read("cannot wait for the command", &cause))
    }
}

/// Takes care that Ctrl-C, which who writes to our standard input gets too, does not end this program before it has kept
/// what came.
pub(crate) fn outlive_interrupt() {
    // Without a command there is nothing that would have to be undone.
    drop(Watch::begin(None));
}
