//! Any stream made re-readable: kept in memory while it is short, then in an unnamed temporary file; and streams with a
//! timeout.

use std::fs::File;
use std::io::{self, Cursor, Read, Seek, SeekFrom, Write};
use std::sync::mpsc::{Receiver, RecvTimeoutError, sync_channel};
use std::sync::{Arc, Mutex};
use std::thread::{self, sleep};
use std::time::Duration;

use super::Source;
use super::file::read_at;
use super::memory::Buffer;
use crate::lock;
use rread_text::error::Cause;
use rread_text::{Error, Sentence, counted, setting};

/// Bytes kept in memory before a temporary file takes over.
const MEMORY: usize = 4 << 20;

pub(super) const READ_BLOCK: usize = 64 << 10;

/// The longest pause between polls of a stream that is not ready.
const MAX_PAUSE: Duration = Duration::from_millis(20);

/// A stream that is read only as far as needed, and can be read again from any earlier offset. Clones read the same stream.
#[derive(Clone)]
pub struct Spool {
    /// Locked while the stream is waited for. The state is not: what has come can be read meanwhile.
    stream: Arc<Mutex<Stream>>,
    state: Arc<Mutex<SpoolState>>,
}

struct Stream {
    stream: Box<dyn Read + Send>,
    block: Buffer,
}

struct SpoolState {
    memory_limit: usize,
    memory: Vec<u8>,
    /// Everything, once it no longer fits in memory.
    file: Option<File>,
    drawn: u64,
    ended: bool,
    /// The first failure: data after it would not follow the data before it.
    failed: Option<io::Error>,
}

impl Spool {
    /// A stream that takes to a temporary file after 4 MiB.
    pub fn new(stream: Box<dyn Read + Send>) -> Self {
        Spool::with_memory(stream, MEMORY)
    }

    /// A stream that takes to a temporary file after `memory_limit` bytes.
    pub fn with_memory(stream: Box<dyn Read + Send>, memory_limit: usize) -> Self {
        let state =
            SpoolState { memory_limit, memory: Vec::new(), file: None, drawn: 0, ended: false, failed: None };
        let stream = Stream { stream, block: Buffer::new(READ_BLOCK) };
        Spool { stream: Arc::new(Mutex::new(stream)), state: Arc::new(Mutex::new(state)) }
    }

    /// Reads on until something after `offset` has come.
    fn draw(&self, offset: u64) -> io::Result<()> {
        let mut stream = lock(&self.stream);
        let Stream { stream, block } = &mut *stream;
        while lock(&self.state).lacks(offset)? {
            let read = read_when_ready(&mut **stream, block);
            lock(&self.state).take(read, block)?;
        }
        Ok(())
    }
}

/// Copies `cause`, also the words inside it: every later read reports it again.
fn copy_error(cause: &io::Error) -> io::Error {
    let inner = cause.get_ref();
    if let Some(error) = inner.and_then(|inner| inner.downcast_ref::<Error>()) {
        return error.clone().into_io();
    }
    match inner.and_then(|inner| inner.downcast_ref::<Cause>()) {
        Some(words) => io::Error::new(cause.kind(), words.clone()),
        None => io::Error::new(cause.kind(), cause.to_string()),
    }
}

impl SpoolState {
    /// Whether the stream must be read for what is at `offset`.
    fn lacks(&self, offset: u64) -> io::Result<bool> {
        match &self.failed {
            _ if self.ended || self.drawn > offset => Ok(false),
            Some(cause) => Err(copy_error(cause)),
            None => Ok(true),
        }
    }

    fn take(&mut self, read: io::Result<usize>, block: &[u8]) -> io::Result<()> {
        let kept = read.and_then(|got| self.keep(&block[..got]).map_err(no_room).map(|()| got));
        let got = kept.inspect_err(|cause| self.failed = Some(copy_error(cause)))?;
        self.drawn += got as u64;
        self.ended = got == 0;
        Ok(())
    }

    fn keep(&mut self, bytes: &[u8]) -> io::Result<()> {
        if self.file.is_none() && self.memory.len() + bytes.len() > self.memory_limit {
            let mut file = tempfile::tempfile()?;
            file.write_all(&self.memory)?;
            self.memory = Vec::new();
            self.file = Some(file);
        }
        let Some(file) = &mut self.file else {
            self.memory.extend_from_slice(bytes);
            return Ok(());
        };
        // On Windows a read at an offset moves the position of the next write.
        file.seek(SeekFrom::Start(self.drawn))?;
        file.write_all(bytes)
    }
}

/// Reads from `stream`; waits even if it is non-blocking.
pub fn read_when_ready(stream: &mut dyn Read, buffer: &mut [u8]) -> io::Result<usize> {
    let mut pause = Duration::from_millis(1);
    loop {
        match stream.read(buffer) {
            Err(e) if e.kind() == io::ErrorKind::WouldBlock => {
                sleep(pause);
                pause = (pause * 2).min(MAX_PAUSE);
            }
            Err(e) if e.kind() == io::ErrorKind::Interrupted => {}
            result => return result,
        }
    }
}

/// Blames the temporary directory: the stream itself was read well.
fn no_room(cause: io::Error) -> io::Error {
    let folder = std::env::temp_dir();
    io::Error::other(format!("cannot keep it in {}: {cause}", folder.display()))
}

impl Source for Spool {
    fn read_at(&self, buffer: &mut [u8], offset: u64) -> io::Result<usize> {
        if buffer.is_empty() {
            return Ok(0);
        }
        if lock(&self.state).lacks(offset)? {
            self.draw(offset)?;
        }
        let state = lock(&self.state);
        let there = usize::try_from(state.drawn.saturating_sub(offset)).unwrap_or(usize::MAX);
        let wanted = buffer.len().min(there);
        if wanted == 0 {
            return Ok(0);
        }
        match &state.file {
            Some(file) => read_at(file, &mut buffer[..wanted], offset),
            None => {
                let start = usize::try_from(offset).map_err(io::Error::other)?;
                buffer[..wanted].copy_from_slice(&state.memory[start..start + wanted]);
                Ok(wanted)
            }
        }
    }

    fn size(&self) -> Option<u64> {
        let state = lock(&self.state);
        state.ended.then_some(state.drawn)
    }
}

/// A stream whose reads fail after a timeout. It reads at most one block ahead.
pub struct TimedStream {
    blocks: Receiver<io::Result<Vec<u8>>>,
    block: Cursor<Vec<u8>>,
    timeout: Duration,
    came: u64,
    over: bool,
}

impl TimedStream {
    /// Opens a stream by `open`, and waits at most `timeout` for that and for every block.
    pub fn start<R: Read>(
        open: impl FnOnce() -> io::Result<R> + Send + 'static,
        timeout: Duration,
    ) -> io::Result<Self> {
        // A channel without a buffer leaves unread data in the stream.
        let (sender, blocks) = sync_channel(0);
        let read = move || {
            let mut buffer = Buffer::new(READ_BLOCK);
            // An empty block reports that the stream is open.
            let (mut next, mut stream) = match open() {
                Ok(stream) => (Ok(Vec::new()), Some(stream)),
                Err(cause) => (Err(cause), None),
            };
            while sender.send(next).is_ok()
                && let Some(open) = &mut stream
            {
                next = match read_when_ready(open, &mut buffer) {
                    Ok(0) => return,
                    Ok(got) => Ok(buffer[..got].to_vec()),
                    Err(cause) => {
                        stream = None;
                        Err(cause)
                    }
                };
            }
        };
        thread::Builder::new().name("stream".to_owned()).spawn(read)?;
        let mut timed = TimedStream { blocks, block: Cursor::default(), timeout, came: 0, over: false };
        timed.wait()?;
        Ok(timed)
    }

    fn wait(&mut self) -> io::Result<()> {
        match self.blocks.recv_timeout(self.timeout) {
            Ok(block) => {
                self.block = Cursor::new(block?);
                self.came += self.block.get_ref().len() as u64;
            }
            Err(RecvTimeoutError::Disconnected) => self.over = true,
            Err(RecvTimeoutError::Timeout) => {
                let (waited, came) = (humantime::format_duration(self.timeout), counted(self.came, "byte"));
                let message = Sentence::from(format!("no data for {waited}, after {came} ("));
                let cause = Cause(message.then(setting("timeout")).then(")"));
                return Err(io::Error::new(io::ErrorKind::TimedOut, cause));
            }
        }
        Ok(())
    }
}

impl Read for TimedStream {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        if self.block.position() == self.block.get_ref().len() as u64 && !self.over {
            self.wait()?;
        }
        self.block.read(buffer)
    }
}
