//! A command whose output is taken: standard output and standard error through one pipe, in the order they come.

use std::ffi::{OsStr, OsString};
use std::io::{self, PipeReader};
use std::path::Path;
use std::process::{Child, Command};

use super::record::Ended;
use super::signals::Watch;
use crate::error::{Error, Result};

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
pub struct Running {
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
    /// `not_found`, `permission` and `io`, about the program.
    pub fn start(program: &OsStr, args: &[OsString], streams: Streams) -> Result<Running> {
        let started = Running::try_start(program, args, streams);
        started.map_err(|cause| {
            let error = Error::read("cannot be started", &cause).at(Path::new(program));
            if args.is_empty() && program.to_string_lossy().contains(' ') {
                return error.hint("rread capture -- sh -c 'COMMAND LINE'");
            }
            error
        })
    }

    fn try_start(program: &OsStr, args: &[OsString], streams: Streams) -> io::Result<Running> {
        let (output, input) = io::pipe()?;
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
pub fn outlive_interrupt() {
    // Without a command there is nothing that would have to be undone.
    drop(Watch::begin(None));
}
