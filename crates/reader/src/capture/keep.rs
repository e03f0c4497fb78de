//! Writes a stream to disk in constant memory. It reads the stream to its end even after an error or the limit, so that
//! the writer of the stream is neither blocked nor killed.

use std::ffi::{OsStr, OsString};
use std::fs::{self, File};
use std::io::{self, BufWriter, PipeReader, PipeWriter, Read, Seek, SeekFrom, Write};
use std::path::Path;
use std::process::{Child, Command};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{SystemTime, UNIX_EPOCH};

use memchr::memrchr;

use super::record::{Ended, KeptTo, Record, SHOWN, Shown};
use super::session::Unfinished;
use crate::store;
use rread_source::memory::Buffer;
use rread_source::spool::read_when_ready;
use rread_source::{interrupt, limits};
use rread_text::screen::{acts, plain};
use rread_text::{Error, Result, call, newline};

const READ_BLOCK: usize = 256 << 10;

/// A longer line is shown in parts, unless a progress bar overwrites it.
const MAX_LINE: usize = if cfg!(test) { 64 } else { 1 << 20 };

/// Keeps the beginning of a stream, and counts all of it.
#[derive(Debug)]
pub struct Keeper {
    limit: u64,
    kept_to: KeptTo,
    passed: Arc<AtomicU64>,
}

/// The outcome of keeping a stream.
#[derive(Debug)]
pub struct Taken {
    /// The record, still without the command and how it ended.
    pub record: Record,
    /// Whether what is kept may have something to remove from the shown text.
    pub has_traces: bool,
    /// The error that ended reading.
    pub failed_read: Option<io::Error>,
    /// The error that ended writing.
    pub failed_write: Option<io::Error>,
}

impl Keeper {
    /// Keeps at most `limit` bytes; `state_limit` applies to all captures together.
    pub fn new(limit: u64, state_limit: u64) -> Self {
        let limits = [
            (limit, KeptTo::Limit),
            (state_limit, KeptTo::StateLimit),
            // Writing past this limit would kill rread by a signal.
            (limits::file_size().unwrap_or(u64::MAX), KeptTo::FileSizeLimit),
        ];
        let (limit, kept_to) = limits.into_iter().min_by_key(|(limit, _)| *limit).unwrap_or(limits[0]);
        Keeper { limit, kept_to, passed: Arc::default() }
    }

    /// The bytes read so far, for the progress display.
    pub fn bytes_read(&self) -> Arc<AtomicU64> {
        Arc::clone(&self.passed)
    }

    /// Reads `stream` to its end and writes what is kept to `unfinished`. Failures are in the result.
    pub fn take(&self, stream: &mut dyn Read, unfinished: &mut Unfinished) -> Taken {
        let mut taken =
            Taken { record: Record::default(), has_traces: false, failed_read: None, failed_write: None };
        let mut block = Buffer::new(READ_BLOCK);
        loop {
            match read_when_ready(stream, &mut block) {
                Ok(0) => break,
                Ok(got) => {
                    self.passed.fetch_add(got as u64, Ordering::Relaxed);
                    let kept = self.keep(&block[..got], &mut unfinished.output, &mut taken);
                    // More of the line may follow a carriage return at the end.
                    taken.has_traces |= acts(kept) || kept.ends_with(b"\r");
                }
                Err(cause) => {
                    taken.failed_read = Some(cause);
                    break;
                }
            }
        }
        if taken.record.kept < taken.record.produced && taken.failed_write.is_none() {
            taken.record.kept_to = Some(self.kept_to);
        }
        let since_1970 = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
        taken.record.taken = since_1970.as_secs();
        taken
    }

    /// Returns the part of `bytes` that is kept.
    fn keep<'b>(&self, bytes: &'b [u8], output: &mut File, taken: &mut Taken) -> &'b [u8] {
        let record = &mut taken.record;
        record.produced = record.produced.saturating_add(bytes.len() as u64);
        let room = usize::try_from(self.limit - record.kept).unwrap_or(usize::MAX);
        let bytes = &bytes[..bytes.len().min(room)];
        if bytes.is_empty() || taken.failed_write.is_some() {
            return &[];
        }
        if let Err(cause) = output.write_all(bytes) {
            taken.failed_write = Some(cause);
            return &[];
        }
        record.kept += bytes.len() as u64;
        record.newlines += newline::count(bytes);
        record.unterminated = !bytes.ends_with(b"\n");
        bytes
    }
}

impl Unfinished {
    /// Writes the shown text, of at most `room` bytes; `None` if it is the output itself.
    pub fn show(&mut self, room: u64) -> io::Result<Option<Shown>> {
        let path = self.path().with_file_name(SHOWN);
        let shown = self.write_shown(room);
        if !matches!(shown, Ok(Some(_))) {
            let _ = fs::remove_file(path);
        }
        shown
    }

    fn write_shown(&mut self, room: u64) -> io::Result<Option<Shown>> {
        let path = self.path().with_file_name(SHOWN);
        let file = interrupt::delay(|| store::create_new(&path))?;
        let mut shown = ShownWriter::new(BufWriter::new(file), room);
        self.output.seek(SeekFrom::Start(0))?;
        let mut block = Buffer::new(READ_BLOCK);
        loop {
            match self.output.read(&mut block) {
                Ok(0) => break,
                Ok(got) => shown.take(&block[..got])?,
                Err(cause) if cause.kind() == io::ErrorKind::Interrupted => {}
                Err(cause) => return Err(cause),
            }
        }
        shown.write_line()?;
        shown.out.flush()?;
        Ok(shown.differs.then_some(shown.shown))
    }
}

/// Writes lines as a terminal shows them in the end.
struct ShownWriter<W> {
    out: W,
    /// The line, as far as it is not written.
    line: Vec<u8>,
    room: u64,
    shown: Shown,
    /// Whether the terminal shows something else than what came.
    differs: bool,
}

impl<W: Write> ShownWriter<W> {
    fn new(out: W, room: u64) -> Self {
        let shown = Shown { bytes: 0, unterminated: false };
        ShownWriter { out, line: Vec::new(), room, shown, differs: false }
    }

    fn take(&mut self, bytes: &[u8]) -> io::Result<()> {
        for part in bytes.split_inclusive(|byte| *byte == b'\n') {
            self.line.extend_from_slice(part);
            if part.ends_with(b"\n") || (self.line.len() > MAX_LINE && !self.overwrite()) {
                self.write_line()?;
            }
        }
        Ok(())
    }

    /// Forgets what a progress bar has overwritten up to its last carriage return; returns whether that makes room.
    fn overwrite(&mut self) -> bool {
        let Some(last) = memrchr(b'\r', &self.line) else { return false };
        let rest = self.line.split_off(last);
        if let Some(shown) = plain(&self.line) {
            self.differs = true;
            self.line = shown;
        }
        self.line.extend(rest);
        self.line.len() <= MAX_LINE / 2
    }

    fn write_line(&mut self) -> io::Result<()> {
        let plain = plain(&self.line);
        self.differs |= plain.is_some();
        let text = plain.as_deref().unwrap_or(&self.line);
        self.shown.bytes += text.len() as u64;
        self.shown.unterminated = text.last().map_or(self.shown.unterminated, |last| *last != b'\n');
        if self.shown.bytes > self.room {
            return Err(io::Error::new(io::ErrorKind::QuotaExceeded, "the limit leaves no room for it"));
        }
        self.out.write_all(text)?;
        self.line.clear();
        Ok(())
    }
}

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

#[cfg(test)]
mod tests {
    use super::*;

    fn shown_in(stored: &[u8], size: usize) -> (String, Shown) {
        let mut writer = ShownWriter::new(Vec::new(), u64::MAX);
        stored.chunks(size).for_each(|chunk| writer.take(chunk).unwrap());
        writer.write_line().unwrap();
        assert!(writer.differs || writer.out == stored);
        assert_eq!(writer.shown.bytes, writer.out.len() as u64);
        (writer.out.escape_ascii().to_string(), writer.shown)
    }

    #[test]
    fn lines_are_shown_as_a_terminal_shows_them() {
        for (stored, shown) in [
            // ls, grep, tput sgr0, a link, a title.
            ("\x1B[0m\x1B[01;34mdir\x1B[0m\n", "dir\n"),
            ("\x1B[01;31m\x1B[Kmatch\x1B[m\x1B[K in a line\n", "match in a line\n"),
            ("bold\x1B(B\x1B[m\n", "bold\n"),
            ("\x1B]8;;http://a/\x1B\\text\x1B]8;;\x1B\\\n", "text\n"),
            ("\x1B]0;title\x07$ \n", "$ \n"),
            // Progress: git, cargo, a spinner, padding, a pty.
            ("Counting:  50%\rCounting: 100%, done.\n", "Counting: 100%, done.\n"),
            ("   Building [==> ] 1/9\r\x1B[K   Compiling x\n", "   Compiling x\n"),
            ("progress 50%\r\x1B[K\r\n", "\r\n"),
            ("\x1B[2K\x1B[1Gstep 1\x1B[2K\x1B[1Gstep 2\n", "step 2\n"),
            ("|\x08/\x08-\x08done\n", "done\n"),
            // A shorter text overwrites as much as it is long.
            ("progress 50%\rdone\n", "doneress 50%\n"),
            // Ends of lines.
            ("a\r\nb\r\r\nc", "a\r\nb\r\nc"),
            // man.
            ("N\x08NA\x08AM\x08ME\x08E _\x08f_\x08i_\x08l_\x08e _\x08é\n", "NAME file é\n"),
            // Sequences without an end end with the line.
            ("\x1B]0;no end\nnext \x1B[3\nlast \x1B", "\nnext \nlast "),
        ] {
            for size in [1, 3, 1000] {
                let expected = shown.as_bytes().escape_ascii().to_string();
                let (got, kept) = shown_in(stored.as_bytes(), size);
                assert_eq!((got, kept.unterminated), (expected, !shown.ends_with('\n')), "{size}");
            }
        }
    }

    #[test]
    fn a_progress_bar_of_any_length_takes_the_room_of_a_line() {
        let mut writer = ShownWriter::new(Vec::new(), 40);
        for step in 0..10_000 {
            writer.take(format!("step {step:05} of many\r").as_bytes()).unwrap();
            assert!(writer.line.len() <= 2 * MAX_LINE);
        }
        writer.write_line().unwrap();
        assert_eq!(writer.out, b"step 09999 of many\r");
        let text = "x".repeat(10 * MAX_LINE);
        assert_eq!(shown_in(text.as_bytes(), 7).0, text);
        let mut writer = ShownWriter::new(Vec::new(), 40);
        assert!(writer.take(text.as_bytes()).is_err(), "there is no room");
    }
}
