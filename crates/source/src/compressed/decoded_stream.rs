//! Decodes a source from the nearest checkpoint: keeps the last text in memory, collects checkpoints, notes damage.

mod checksums;
mod forks;

use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use xxhash_rust::xxh3::xxh3_64;

use super::checkpoint::{Checkpoint, Checkpoints, DecoderState, PROBE};
use super::damage::{CUT_OFF, Damage, DecodeError, Result};
use super::decoder::{Begins, Decoder, HEAD, RawInput, StepEnd};
use super::format::CompressionFormat;
use super::recognition::padding;
use crate::Source;
use rread_text::sentence::{is_plain_file, pipe_through};
use rread_text::{Error, Kind, call};

/// Bytes of text to keep before a read: more than the window of deflate, whose decoder keeps no copy of it.
const BEFORE: usize = 64 << 10;

/// Free bytes for one step of a decoder: more than the largest block of zstd.
const ROOM: usize = 256 << 10;

/// The reason for a seek table, an index or a declared size that contradicts the data.
const WRONG_TABLE: &str = "its table of blocks or its declared size is wrong";

pub(super) struct DecodedStream {
    pub(super) format: CompressionFormat,
    path: PathBuf,
    input: RawInput,
    decoder: Box<dyn Decoder>,
    in_member: bool,
    /// The text offset of `memory[0]`.
    start: u64,
    memory: Vec<u8>,
    filled: usize,
    /// Text before this offset may leave `memory`.
    kept_from: u64,
    /// The damage that stops the decoder.
    damage: Option<Damage>,
    /// The first damage of the file so far, wherever the decoder is.
    pub(super) first_damage: Option<Damage>,
    /// Whether the text ends at the first damage; otherwise reading there fails.
    pub(super) ends_at_damage: bool,
    /// The start of the text whose checksum comes later.
    unchecked_from: u64,
    /// No checksum after this offset could be compared.
    uncheckable_from: Option<u64>,
    /// The least text offset of the next checkpoint.
    no_checkpoint_before: u64,
    /// Whether a failed read left the decoder in an unknown state.
    is_lost: bool,
    pub(super) checkpoints: Checkpoints,
    /// The checkpoint that the decoder must pass, if others decode what comes after it.
    awaited: Option<Checkpoint>,
    /// Whether checkpoints are used.
    resumes: bool,
}

impl DecodedStream {
    /// With `salvage`, decodes from the front to the first damage: tables of a damaged file are not trusted.
    pub(super) fn new(
        raw: Arc<dyn Source>,
        format: CompressionFormat,
        path: &Path,
        salvage: bool,
    ) -> io::Result<Self> {
        let checkpoints = if salvage { None } else { format.table(&*raw) };
        let mut stream = DecodedStream::without_table(raw, format, path)?;
        (stream.ends_at_damage, stream.checkpoints) = (salvage, checkpoints.unwrap_or_default());
        Ok(stream)
    }

    fn without_table(raw: Arc<dyn Source>, format: CompressionFormat, path: &Path) -> io::Result<Self> {
        Ok(DecodedStream {
            decoder: format.decoder(&*raw)?,
            input: RawInput::new(raw),
            format,
            path: path.to_owned(),
            in_member: false,
            start: 0,
            memory: Vec::new(),
            filled: 0,
            kept_from: 0,
            damage: None,
            first_damage: None,
            ends_at_damage: false,
            unchecked_from: 0,
            uncheckable_from: None,
            no_checkpoint_before: 0,
            is_lost: false,
            checkpoints: Checkpoints::default(),
            awaited: None,
            resumes: true,
        })
    }

    pub(super) fn size(&self) -> Option<u64> {
        let cut = self.first_damage.as_ref().filter(|_| self.ends_at_damage).map(|damage| damage.text);
        cut.or(self.checkpoints.text_size)
    }

    fn end(&self) -> u64 {
        self.start + self.filled as u64
    }

    /// Reads at `offset` until `buffer` is full or the text ends. Without `fill`, it does not wait for more than some text.
    pub(super) fn read_at(&mut self, buffer: &mut [u8], offset: u64, fill: bool) -> io::Result<usize> {
        let left = self.size().map_or(u64::MAX, |size| size.saturating_sub(offset));
        let wanted = usize::try_from(left).unwrap_or(usize::MAX).min(buffer.len());
        if wanted == 0 {
            return Ok(0);
        }
        let buffer = &mut buffer[..wanted];
        self.go_to(offset)?;
        // Readers step back into text that they have read.
        self.kept_from = offset.saturating_sub(BEFORE as u64);
        self.make_room_for_read(offset, buffer.len());
        let mut got = 0;
        loop {
            got += self.copy(&mut buffer[got..], offset + got as u64);
            // The first of many members may be too short to recognise an encoding by.
            if got == buffer.len() || got > 0 && !fill && self.input.buffered() == 0 {
                return self.without_unchecked_end(offset, got);
            }
            match self.advance() {
                Ok(true) => {}
                Ok(false) => return Ok(got),
                Err(cause) => {
                    // Return bytes decoded before the error; report it on the next call.
                    got += self.copy(&mut buffer[got..], offset + got as u64);
                    if got == 0 {
                        let is_end = self.size().is_some_and(|size| offset >= size);
                        return if is_end { Ok(0) } else { Err(cause) };
                    }
                    return self.without_unchecked_end(offset, got);
                }
            }
        }
    }

    /// How many of `got` bytes at `offset` to return. A reader that knows the text size never reads past the last byte,
    /// so the checksum after that byte must be right first.
    fn without_unchecked_end(&mut self, offset: u64, got: usize) -> io::Result<usize> {
        let end = offset + got as u64;
        let is_end = self.checkpoints.declared_size() == Some(end) && !self.ends_at_damage;
        while is_end && self.in_member && self.end() == end {
            let Err(cause) = self.advance() else { continue };
            let Some(damage) = &mut self.damage else { return Err(cause) };
            damage.text = damage.text.min(end.saturating_sub(1));
            return if got > 1 { Ok(got - 1) } else { Err(damage.clone().into()) };
        }
        Ok(got)
    }

    fn copy(&self, buffer: &mut [u8], offset: u64) -> usize {
        let Some(from) = offset.checked_sub(self.start).and_then(|from| usize::try_from(from).ok()) else {
            return 0;
        };
        let there = self.memory.get(from..self.filled).unwrap_or_default();
        let count = there.len().min(buffer.len());
        buffer[..count].copy_from_slice(&there[..count]);
        count
    }

    fn go_to(&mut self, offset: u64) -> io::Result<()> {
        let checkpoint = self.checkpoints.before(offset).filter(|_| self.resumes);
        let nearer = checkpoint.is_some_and(|checkpoint| checkpoint.text_offset > self.end());
        if offset >= self.start && !nearer && !self.is_lost {
            return Ok(());
        }
        self.resume_at(checkpoint.cloned())
    }

    /// Starts a new decoder at `checkpoint`, or at the start of the file.
    fn resume_at(&mut self, checkpoint: Option<Checkpoint>) -> io::Result<()> {
        self.start_over()?;
        let Some(checkpoint) = checkpoint else { return Ok(()) };
        match self.resume(&checkpoint) {
            Ok(true) => self.begin_checking(),
            Err(error @ (DecodeError::Read(_) | DecodeError::Unsupported { .. })) => {
                return Err(self.note_error(error));
            }
            // The file or the index has changed since the checkpoint was made.
            Ok(false) | Err(DecodeError::Damage(_) | DecodeError::Checksum(..)) => {
                self.checkpoints.forget();
                self.start_over()?;
            }
        }
        Ok(())
    }

    fn start_over(&mut self) -> io::Result<()> {
        self.decoder = self.format.decoder(&*self.input.source)?;
        self.input.seek(0);
        (self.start, self.filled, self.in_member) = (0, 0, false);
        (self.damage, self.is_lost, self.unchecked_from) = (None, false, 0);
        Ok(())
    }

    /// Moves the decoder to `checkpoint`; false if the bytes there have changed.
    fn resume(&mut self, checkpoint: &Checkpoint) -> Result<bool> {
        self.input.seek(checkpoint.raw_offset);
        let next = self.input.peek(PROBE)?;
        let is_known = match checkpoint.probe {
            Some(probe) => xxh3_64(next) == probe,
            // The header of an .xz block has its own checksum.
            None => checkpoint.state.is_some() || self.format.begins_member(next) == Begins::Yes,
        };
        if !is_known {
            return Ok(false);
        }
        self.start = checkpoint.text_offset;
        let Some(state) = &checkpoint.state else { return Ok(true) };
        if let Some(window) = &checkpoint.window {
            let Ok(window) = window.text() else { return Ok(false) };
            self.start = checkpoint.text_offset.saturating_sub(window.len() as u64);
            self.filled = window.len();
            self.memory.resize(self.memory.len().max(self.filled + 2 * ROOM), 0);
            self.memory[..self.filled].copy_from_slice(&window);
        }
        self.in_member = true;
        self.decoder.resume(&mut self.input, state, &self.memory[..self.filled])?;
        Ok(true)
    }

    fn advance(&mut self) -> io::Result<bool> {
        if let Some(damage) = &self.damage {
            return Err(damage.clone().into());
        }
        let result = if self.in_member { self.decode().map(|()| true) } else { self.next_member() };
        result.map_err(|error| self.note_error(error))
    }

    /// Notes damage, and turns the error into one for the reader.
    fn note_error(&mut self, error: DecodeError) -> io::Error {
        let (what, unsound) = match error {
            DecodeError::Read(cause) => match Damage::of(&cause) {
                // The compressed data is in a damaged archive or compressed file.
                Some(around) => (around.what.clone(), 0),
                None => {
                    self.is_lost = true;
                    return cause;
                }
            },
            DecodeError::Unsupported { message, filter } => {
                self.is_lost = true;
                let is_plain = is_plain_file(&self.path);
                let read = call("bytes").file(&self.path).on("raw").on("no-decompress");
                let hint = filter.map(|filter| pipe_through(&self.path, filter, is_plain, read));
                return Error { hint, ..Error::new(Kind::Io, message) }.into_io();
            }
            DecodeError::Damage(what) if self.is_at_block_end() && what != CUT_OFF => {
                (what, self.end().saturating_sub(self.unchecked_from))
            }
            DecodeError::Damage(what) => (what, 0),
            DecodeError::Checksum(what, text) => (what, text),
        };
        // A skipped frame may have moved the position past the end.
        let input = self.input.position().min(self.input.source.size().unwrap_or(u64::MAX));
        let text = self.end();
        let damage =
            Damage { format: self.format.name(), input, text, unsound: text.saturating_sub(unsound), what };
        self.damage = Some(damage.clone());
        if self.first_damage.as_ref().is_none_or(|first| text < first.text) {
            self.first_damage = Some(damage.clone());
        }
        damage.into()
    }

    /// Whether an .xz block ends here, so that its checksum comes next.
    fn is_at_block_end(&self) -> bool {
        let end = self.end();
        let begins = |checkpoint: &Checkpoint| checkpoint.text_offset == end && end > 0;
        self.format == CompressionFormat::Xz
            && self.checkpoints.is_table
            && (self.checkpoints.before(end).is_some_and(begins) || self.checkpoints.text_size == Some(end))
    }

    fn decode(&mut self) -> Result<()> {
        self.input.source.check().map_err(DecodeError::Read)?;
        self.make_room();
        self.meet_at_position();
        // Stop at the offset where the next checkpoint is due.
        let (end, window) = (self.end(), self.decoder.window());
        let due = self.checkpoints.due_at(window).max(self.no_checkpoint_before).saturating_sub(end);
        let room = match usize::try_from(due) {
            Ok(0) | Err(_) => self.memory.len(),
            Ok(left) => self.memory.len().min(self.filled.saturating_add(left)),
        };
        let mark = due == 0 || self.awaits_state();
        let step = self.decoder.decode(&mut self.input, &mut self.memory[..room], self.filled, mark)?;
        self.filled += step.decoded;
        if let Some(size) = self.checkpoints.declared_size().filter(|size| *size < self.end()) {
            self.filled = usize::try_from(size.saturating_sub(self.start)).unwrap_or(0);
            return Err(DecodeError::damage(WRONG_TABLE));
        }
        self.note_checked();
        match step.end {
            StepEnd::More => Ok(()),
            StepEnd::Checkpoint(state) => {
                self.meet_state(state);
                if due == 0 { self.note_checkpoint(Some(state)) } else { Ok(()) }
            }
            StepEnd::EndOfMember => {
                self.in_member = false;
                Ok(())
            }
            StepEnd::Failed(error) => Err(error),
        }
    }

    /// Skips padding and skippable frames and starts the next member; false at the end.
    fn next_member(&mut self) -> Result<bool> {
        loop {
            let (format, end) = (self.format, self.end());
            let input = &mut self.input;
            let position = input.position();
            let head = input.peek(HEAD)?;
            let listed = self.checkpoints.text_offset_of(position).filter(|_| self.checkpoints.is_table);
            if listed.is_some_and(|listed| listed != end) {
                return Err(DecodeError::damage(WRONG_TABLE));
            }
            if head.is_empty() {
                // The file ends inside a skippable frame.
                if self.input.source.size().is_some_and(|size| position > size) {
                    return Err(DecodeError::cut_off());
                }
                break;
            }
            if let Some(size) = format.skippable(head) {
                input.skip(size);
                continue;
            }
            // The first member of some formats may begin with a zero.
            let zeros = if position > 0 { padding(head) } else { 0 };
            if zeros > 0 {
                input.consume(zeros);
                continue;
            }
            if format.begins_member(head) != Begins::Yes {
                if format.is_cut_off(head) {
                    return Err(DecodeError::cut_off());
                }
                if input.position() > 0 || end > 0 {
                    self.checkpoints.garbage = Some(position);
                    break;
                }
            }
            if end >= self.checkpoints.due_at(0) {
                self.note_checkpoint(None)?;
            }
            self.meet_at_position();
            self.decoder.begin(&mut self.input)?;
            self.in_member = true;
            return Ok(true);
        }
        if self.checkpoints.declared_size().is_some_and(|size| size != self.end()) {
            return Err(DecodeError::damage(WRONG_TABLE));
        }
        self.checkpoints.text_size = Some(self.end());
        Ok(false)
    }

    /// Adds a checkpoint here, with its window if decoding would continue from `state`.
    fn note_checkpoint(&mut self, state: Option<DecoderState>) -> Result<()> {
        let (text_offset, needed) = (self.end(), self.decoder.window());
        let mut window = None;
        if state.is_some() {
            if self.start > 0 && self.filled < needed {
                self.no_checkpoint_before = text_offset.saturating_add(needed as u64);
                return Ok(());
            }
            let from = self.filled.saturating_sub(needed);
            window = self.checkpoints.store_window(&self.memory[from..self.filled]);
            if window.is_none() {
                return Ok(());
            }
        }
        let raw_offset = self.input.position();
        let probe = Some(xxh3_64(self.input.peek(PROBE)?));
        self.checkpoints.add(Checkpoint { text_offset, raw_offset, state, window, probe });
        Ok(())
    }

    pub(super) fn make_room(&mut self) {
        if self.memory.is_empty() {
            // Most requests read only the first lines.
            self.memory = vec![0; 2 * ROOM];
        }
        if self.memory.len() - self.filled < ROOM {
            self.drop_old_text();
        }
    }

    /// Makes room for a read of `length` bytes at `offset`, while there is little text to move.
    pub(super) fn make_room_for_read(&mut self, offset: u64, length: usize) {
        let there = usize::try_from(self.end().saturating_sub(offset)).unwrap_or(usize::MAX);
        let needed = length.saturating_sub(there).saturating_add(ROOM);
        if self.memory.len() >= MEMORY && self.memory.len() - self.filled < needed && there < KEPT / 2 {
            self.drop_old_text();
        }
    }

    /// Grows memory, or else keeps only its last text: enough to step back, and for the next checkpoint's window.
    fn drop_old_text(&mut self) {
        let since = |from: u64| usize::try_from(self.end().saturating_sub(from)).unwrap_or(usize::MAX);
        let window = self.decoder.window();
        let needed = since(self.checkpoints.due_at(window).saturating_sub(window as u64)).min(window);
        let kept = since(self.kept_from).clamp(BEFORE, KEPT).max(needed).min(self.filled);
        let most = MEMORY.max(kept + 2 * ROOM);
        if self.memory.len() < most {
            self.memory.resize(most.min(self.memory.len() * 2), 0);
            return;
        }
        self.memory.copy_within(self.filled - kept..self.filled, 0);
        self.start += (self.filled - kept) as u64;
        self.filled = kept;
        // Shrink again after a large window, to stay in the processor's cache.
        self.memory.truncate(most);
    }
}

/// Bytes of memory for text: a step back within them is free.
const MEMORY: usize = 1 << 20;

/// The most text that stays when memory is full: more than a reader has just read.
const KEPT: usize = 384 << 10;
