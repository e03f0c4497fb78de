//! Any stream made re-readable: kept in memory while it is short, then in an unnamed temporary file.

use std::fs::File;
use std::io::{self, Read, Seek, SeekFrom, Write};
use std::sync::{Mutex, PoisonError};
use std::thread::sleep;
use std::time::Duration;

use super::Source;
use super::file::read_at;
use crate::buffer::Buffer;
use crate::error::Error;

/// Bytes kept in memory before a temporary file takes over.
const MEMORY: usize = 4 << 20;

pub(super) const BLOCK: usize = 64 << 10;

/// The longest pause between polls of a stream that is not ready.
const LONGEST_PAUSE: Duration = Duration::from_millis(20);

/// A stream that is read only as far as needed, and can be read again from any earlier offset.
pub struct Spool {
    state: Mutex<SpoolState>,
}

struct SpoolState {
    stream: Box<dyn Read + Send>,
    memory_limit: usize,
    memory: Vec<u8>,
    /// Everything, once it no longer fits in memory.
    file: Option<File>,
    drawn: u64,
    ended: bool,
    /// The first failure: data after it would not follow the data before it.
    failed: Option<io::Error>,
    block: Buffer,
}

impl Spool {
    pub fn new(stream: Box<dyn Read + Send>) -> Self {
        Spool::with_memory(stream, MEMORY)
    }

    pub fn with_memory(stream: Box<dyn Read + Send>, memory_limit: usize) -> Self {
        let state = SpoolState {
            stream,
            memory_limit,
            memory: Vec::new(),
            file: None,
            drawn: 0,
            ended: false,
            failed: None,
            block: Buffer::new(BLOCK),
        };
        Spool { state: Mutex::new(state) }
    }
}

/// Copies `cause`, also the error of this crate inside it: every later read reports it again.
fn copied(cause: &io::Error) -> io::Error {
    match cause.get_ref().and_then(|inner| inner.downcast_ref::<Error>()) {
        Some(error) => error.clone().into_io(),
        None => io::Error::new(cause.kind(), cause.to_string()),
    }
}

impl SpoolState {
    fn draw(&mut self) -> io::Result<()> {
        if let Some(cause) = &self.failed {
            return Err(copied(cause));
        }
        let drawn = read_when_ready(&mut *self.stream, &mut self.block)
            .and_then(|got| self.keep(got).map_err(no_room).map(|()| got));
        let got = drawn.inspect_err(|cause| self.failed = Some(copied(cause)))?;
        self.drawn += got as u64;
        self.ended = got == 0;
        Ok(())
    }

    fn keep(&mut self, got: usize) -> io::Result<()> {
        let bytes = &self.block[..got];
        if self.file.is_none() && self.memory.len() + got > self.memory_limit {
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
pub(crate) fn read_when_ready(stream: &mut dyn Read, buffer: &mut [u8]) -> io::Result<usize> {
    let mut pause = Duration::from_millis(1);
    loop {
        match stream.read(buffer) {
            Err(e) if e.kind() == io::ErrorKind::WouldBlock => {
                sleep(pause);
                pause = (pause * 2).min(LONGEST_PAUSE);
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
        let mut state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        while !state.ended && state.drawn <= offset {
            state.draw()?;
        }
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
        let state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        state.ended.then_some(state.drawn)
    }
}
