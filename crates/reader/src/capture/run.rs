//! Runs a command; its standard output and standard error share one pipe, which keeps their order, unless lines are marked.

use std::ffi::{OsStr, OsString};
use std::io::{self, PipeReader, PipeWriter, Read};
use std::path::Path;
use std::process::{Child, Command};
use std::sync::mpsc::{Receiver, sync_channel};
use std::thread;

use memchr::memrchr;

use super::record::Ended;
use rread_source::interrupt;
use rread_source::spool::read_when_ready;
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
    /// Each line is marked with its stream.
    Marked,
    /// Standard output; standard error is inherited.
    StdoutOnly,
}

/// A command that runs.
pub struct Running {
    child: Child,
    /// The output; it ends once every process has closed it, background processes included.
    pub output: Box<dyn Read>,
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
        let output: Box<dyn Read> = match streams {
            Streams::StdoutOnly => Box::new(output),
            Streams::Both => {
                command.stderr(input.try_clone()?);
                Box::new(output)
            }
            Streams::Marked => {
                let (errors, input) = io::pipe()?;
                command.stderr(input);
                Box::new(Marked::new(output, errors)?)
            }
        };
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

/// The length of the marks of both streams.
pub(super) const MARK: usize = 5;

/// Bytes read at once.
const READ_BLOCK: usize = 64 << 10;
/// The longest line without its end that is held. A longer one is passed on; a line of the other stream can cut it.
const MAX_HELD: usize = 64 << 10;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Stream {
    Out,
    Err,
}

impl Stream {
    fn mark(self) -> &'static [u8] {
        match self {
            Stream::Out => b"out| ",
            Stream::Err => b"err| ",
        }
    }
}

/// Bytes of a stream in the order of arrival; none at its end.
type Arrived = (Stream, io::Result<Vec<u8>>);

/// Reads two pipes, each in its own thread, which waits until its last block is taken.
#[derive(Debug)]
pub(crate) struct Marked {
    arriving: Receiver<Arrived>,
    marker: Marker,
    /// How much of the marked lines is read.
    read: usize,
}

impl Marked {
    pub(crate) fn new(out: PipeReader, err: PipeReader) -> io::Result<Self> {
        let (sender, arriving) = sync_channel::<Arrived>(0);
        for (stream, mut pipe) in [(Stream::Out, out), (Stream::Err, err)] {
            let sender = sender.clone();
            let pass = move || {
                let mut block = vec![0; READ_BLOCK];
                loop {
                    let got = read_when_ready(&mut pipe, &mut block);
                    let is_end = !matches!(got, Ok(1..));
                    let sent = sender.send((stream, got.map(|got| block[..got].to_vec())));
                    if is_end || sent.is_err() {
                        break;
                    }
                }
            };
            thread::Builder::new().spawn(pass)?;
        }
        Ok(Marked { arriving, marker: Marker::default(), read: 0 })
    }
}

impl Read for Marked {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        while self.read == self.marker.lines.len() {
            self.marker.lines.clear();
            self.read = 0;
            // Without senders, both streams have ended.
            let Ok((stream, arrived)) = self.arriving.recv() else { return Ok(0) };
            self.marker.take(stream, &arrived?);
        }
        let got = (&self.marker.lines[self.read..]).read(buffer)?;
        self.read += got;
        Ok(got)
    }
}

#[derive(Debug, Default)]
struct Marker {
    /// The marked lines.
    lines: Vec<u8>,
    /// The lines of both streams that have not ended.
    held: [Vec<u8>; 2],
    /// The stream whose line is the last one in `lines` and has not ended.
    open: Option<Stream>,
}

impl Marker {
    /// Takes the next bytes of `stream`, or its end if there are none.
    fn take(&mut self, stream: Stream, bytes: &[u8]) {
        let mut ended = std::mem::take(&mut self.held[stream as usize]);
        ended.extend_from_slice(bytes);
        let mut rest = ended.split_off(memrchr(b'\n', &ended).map_or(0, |newline| newline + 1));
        for line in ended.split_inclusive(|byte| *byte == b'\n') {
            self.write(stream, line);
        }
        let is_passed = bytes.is_empty() || rest.len() > MAX_HELD || self.open == Some(stream);
        if is_passed && !rest.is_empty() {
            self.write(stream, &rest);
            rest.clear();
        }
        self.held[stream as usize] = rest;
    }

    fn write(&mut self, stream: Stream, line: &[u8]) {
        if self.open != Some(stream) {
            if self.open.is_some() {
                self.lines.push(b'\n');
            }
            self.lines.extend_from_slice(stream.mark());
        }
        self.lines.extend_from_slice(line);
        self.open = (!line.ends_with(b"\n")).then_some(stream);
    }
}
