//! Writes a stream to disk in constant memory. It reads the stream to its end even after an error or the limit, so that
//! the writer of the stream is neither blocked nor killed.

use std::fs;
use std::fs::File;
use std::io::{self, Read, Seek, SeekFrom, Write};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{SystemTime, UNIX_EPOCH};

use super::record::{KeptTo, Record, SHOWN, Shown};
use super::session::Unfinished;
use super::strip::{Filter, Traces};
use crate::store;
use rread_source::interrupt;
use rread_source::limits;
use rread_source::memory::Buffer;
use rread_source::spool::read_when_ready;
use rread_text::newline;

const READ_BLOCK: usize = 256 << 10;

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
        let mut traces = Traces::default();
        let mut block = Buffer::new(READ_BLOCK);
        loop {
            match read_when_ready(stream, &mut block) {
                Ok(0) => break,
                Ok(got) => {
                    self.passed.fetch_add(got as u64, Ordering::Relaxed);
                    traces.look(self.keep(&block[..got], &mut unfinished.output, &mut taken));
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
        taken.has_traces = traces.has_removed();
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
    pub fn show(&mut self, record: &Record, room: u64) -> io::Result<Option<Shown>> {
        let path = self.path().with_file_name(SHOWN);
        let shown = self.write_shown(record, room);
        if !matches!(shown, Ok(Some(_))) {
            let _ = fs::remove_file(path);
        }
        shown
    }

    fn write_shown(&mut self, record: &Record, room: u64) -> io::Result<Option<Shown>> {
        let path = self.path().with_file_name(SHOWN);
        let file = interrupt::delay(|| store::create_new(&path))?;
        let mut filter = Filter::new(file, room);
        self.output.seek(SeekFrom::Start(0))?;
        let mut block = Buffer::new(READ_BLOCK);
        loop {
            match self.output.read(&mut block) {
                Ok(0) => break,
                Ok(got) => filter.feed(&block[..got])?,
                Err(cause) if cause.kind() == io::ErrorKind::Interrupted => {}
                Err(cause) => return Err(cause),
            }
        }
        let (file, bytes, unterminated) = filter.finish()?;
        file.set_len(bytes)?;
        Ok((bytes != record.kept).then_some(Shown { bytes, unterminated }))
    }
}
