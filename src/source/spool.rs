//! Any stream made re-readable: kept in memory while it is short, then in an unnamed temporary file.

use std::fs::File;
use std::io::{self, Read, Write};
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use super::Source;
use super::file::FileSource;

/// Bytes kept in memory before a temporary file takes over.
const MEMORY: usize = 4 << 20;

/// Bytes asked of the stream at a time.
const BLOCK: usize = 64 << 10;

/// A stream that is drawn only as far as it is read, and can be read again from anywhere before that.
pub struct Spool {
    state: Mutex<State>,
}

struct State {
    stream: Box<dyn Read + Send>,
    memory_limit: usize,
    memory: Vec<u8>,
    /// Everything, once it no longer fits in memory.
    file: Option<File>,
    drawn: u64,
    ended: bool,
    block: Vec<u8>,
}

impl Spool {
    /// Spools `stream`.
    #[must_use]
    pub fn new(stream: Box<dyn Read + Send>) -> Self {
        Spool::with_memory(stream, MEMORY)
    }

    /// Spools `stream`, keeping at most `memory_limit` bytes in memory.
    #[must_use]
    pub fn with_memory(stream: Box<dyn Read + Send>, memory_limit: usize) -> Self {
        let state = State {
            stream,
            memory_limit,
            memory: Vec::new(),
            file: None,
            drawn: 0,
            ended: false,
            block: vec![0; BLOCK],
        };
        Spool { state: Mutex::new(state) }
    }
}

impl State {
    /// Takes one more block from the stream.
    fn draw(&mut self) -> io::Result<()> {
        let got = match self.stream.read(&mut self.block) {
            Ok(got) => got,
            // A stream that somebody set non-blocking: nothing there yet.
            Err(e) if e.kind() == io::ErrorKind::WouldBlock => {
                std::thread::sleep(Duration::from_millis(1));
                return Ok(());
            }
            Err(e) if e.kind() == io::ErrorKind::Interrupted => return Ok(()),
            Err(e) => return Err(e),
        };
        let bytes = &self.block[..got];
        if self.file.is_none() && self.memory.len() + got > self.memory_limit {
            let mut file = tempfile::tempfile().map_err(no_room)?;
            file.write_all(&self.memory).map_err(no_room)?;
            self.memory = Vec::new();
            self.file = Some(file);
        }
        match &mut self.file {
            Some(file) => file.write_all(bytes).map_err(no_room)?,
            None => self.memory.extend_from_slice(bytes),
        }
        self.drawn += got as u64;
        self.ended = got == 0;
        Ok(())
    }
}

/// Says what it is that failed: the stream itself was read well.
fn no_room(cause: io::Error) -> io::Error {
    let folder = std::env::temp_dir();
    io::Error::new(cause.kind(), format!("cannot keep it in {}: {cause}", folder.display()))
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
            // The clone shares the descriptor and is read at offsets only.
            Some(file) => FileSource::new(file.try_clone()?)?.read_at(&mut buffer[..wanted], offset),
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
