//! Decoding under way: the last of the text, the checkpoints passed, the damage met.

mod checksums;
mod memory;

use std::io;
use std::sync::Arc;

use xxhash_rust::xxh3::xxh3_64;

use super::checkpoint::{Checkpoint, Checkpoints, PROBE};
use super::decoder::{self, DecodeError, Decoder, StepEnd};
use super::decoder_state::DecoderState;
use super::format::Format;
use super::{Damage, seek_table, xz_index};
use crate::source::Source;

/// The least of it, and how much of what comes before a read is wanted: more than the window of deflate, whose decoder has no
/// other memory of the text.
const BEFORE: usize = 64 << 10;

/// Room for what a decoder gives at a time: the largest block of zstd, and more.
const ROOM: usize = 256 << 10;

/// What a file that names checkpoints or a size that are not so is told.
const WRONG_TABLE: &str = "what is said of its size, or of the checkpoints of its parts, is wrong";

/// Bytes that are looked at between members.
const HEAD: usize = 32;

/// A decoder and what it has given.
pub(super) struct DecodedStream {
    raw: Arc<dyn Source>,
    format: Format,
    decoder: Box<dyn Decoder>,
    /// Whether the decoder stands inside a member.
    in_member: bool,
    /// The offset of `memory[0]` in the text.
    start: u64,
    memory: Vec<u8>,
    /// How much of `memory` is text.
    filled: usize,
    /// DecodedStream before this offset need not stay there.
    wanted: u64,
    /// What the decoder stands at, and cannot go past.
    damage: Option<Damage>,
    /// The first damage that was met, wherever the decoder is now.
    pub(super) met: Option<Damage>,
    /// Whether the text ends where the damage begins, rather than that reading there fails.
    pub(super) ends_at_damage: bool,
    /// Where the text begins whose checksum is still to come.
    unchecked_from: u64,
    /// From where on the checksums could not be compared.
    uncheckable_from: Option<u64>,
    /// No checkpoint is looked for before this offset of the text.
    not_before: u64,
    /// Whether a failed read has left the decoder nobody knows where.
    is_lost: bool,
    pub(super) checkpoints: Checkpoints,
}

impl DecodedStream {
    /// The text of `raw`; to be `salvaged`, it is read from the front to the first damage, whatever its tables say.
    pub(super) fn new(raw: Arc<dyn Source>, format: Format, salvaged: bool) -> io::Result<Self> {
        let checkpoints = match format {
            _ if salvaged => None,
            // What cannot be read at the end is of no concern to who wants the beginning.
            Format::Zstd => seek_table::read(&*raw).ok().flatten(),
            Format::Xz => xz_index::read(&*raw).ok().flatten(),
            Format::Zlib => raw.packing().map(|packing| Checkpoints::of_size(packing.text_size)),
            _ => None,
        };
        Ok(DecodedStream {
            decoder: decoder::new(format, Arc::clone(&raw))?,
            raw,
            format,
            in_member: false,
            start: 0,
            memory: Vec::new(),
            filled: 0,
            wanted: 0,
            damage: None,
            met: None,
            ends_at_damage: salvaged,
            unchecked_from: 0,
            uncheckable_from: None,
            not_before: 0,
            is_lost: false,
            checkpoints: checkpoints.unwrap_or_default(),
        })
    }

    /// The length of the text, once it is known.
    pub(super) fn size(&self) -> Option<u64> {
        let cut = self.met.as_ref().filter(|_| self.ends_at_damage).map(|damage| damage.text);
        cut.or(self.checkpoints.text_size)
    }

    /// The offset behind the text decoded last.
    fn end(&self) -> u64 {
        self.start + self.filled as u64
    }

    /// Reads at `offset` of the text until `buffer` is full or the text ends; without `all`, no further than what has
    /// come of the compressed bytes.
    pub(super) fn read_at(&mut self, buffer: &mut [u8], offset: u64, all: bool) -> io::Result<usize> {
        let left = self.size().map_or(u64::MAX, |size| size.saturating_sub(offset));
        let wanted = usize::try_from(left).unwrap_or(usize::MAX).min(buffer.len());
        let buffer = &mut buffer[..wanted];
        if buffer.is_empty() {
            return Ok(0);
        }
        self.go_to(offset)?;
        // Readers step back into what they were given.
        self.wanted = offset.saturating_sub(BEFORE as u64);
        self.make_way(offset, buffer.len());
        let mut got = 0;
        loop {
            got += self.copy(&mut buffer[got..], offset + got as u64);
            // The first of many members may be tiny: it alone does not tell what kind of text this is.
            if got == buffer.len() || got > 0 && !all && self.decoder.input().there() == 0 {
                return self.verified(offset, got);
            }
            match self.advance() {
                Ok(true) => {}
                Ok(false) => return Ok(got),
                Err(cause) => {
                    // What came before it comes first, and may have come with it.
                    got += self.copy(&mut buffer[got..], offset + got as u64);
                    if got == 0 {
                        let is_end = self.size().is_some_and(|size| offset >= size);
                        return if is_end { Ok(0) } else { Err(cause) };
                    }
                    return self.verified(offset, got);
                }
            }
        }
    }

    /// How much of `got` bytes at `offset` can be given. Where the file itself has told how long its text is, nobody reads on
    /// behind the last byte: so what follows that, its checksum above all, has to be right before it is given.
    fn verified(&mut self, offset: u64, got: usize) -> io::Result<usize> {
        let end = offset + got as u64;
        let is_end = self.checkpoints.is_told && self.size() == Some(end) && !self.ends_at_damage;
        while is_end && self.in_member && self.end() == end {
            let Err(cause) = self.advance() else { continue };
            let Some(damage) = &mut self.damage else { return Err(cause) };
            damage.text = damage.text.min(end.saturating_sub(1));
            return if got > 1 {
                Ok(got - 1)
            } else {
                Err(io::Error::new(io::ErrorKind::InvalidData, damage.clone()))
            };
        }
        Ok(got)
    }

    /// Copies what is in memory of the text from `offset` on.
    fn copy(&self, buffer: &mut [u8], offset: u64) -> usize {
        let Some(from) = offset.checked_sub(self.start).and_then(|from| usize::try_from(from).ok()) else {
            return 0;
        };
        let there = self.memory.get(from..self.filled).unwrap_or_default();
        let count = there.len().min(buffer.len());
        buffer[..count].copy_from_slice(&there[..count]);
        count
    }

    /// Makes sure that decoding on will come to `offset`, from as near as possible.
    fn go_to(&mut self, offset: u64) -> io::Result<()> {
        let checkpoint = self.checkpoints.before(offset);
        let nearer = checkpoint.is_some_and(|checkpoint| checkpoint.text > self.end());
        if offset >= self.start && !nearer && !self.is_lost {
            return Ok(());
        }
        let checkpoint = checkpoint.cloned();
        self.resume_at(checkpoint)
    }

    /// Sets a new decoder to `checkpoint`, or to the start.
    fn resume_at(&mut self, checkpoint: Option<Checkpoint>) -> io::Result<()> {
        self.begin_anew()?;
        let Some(checkpoint) = checkpoint else { return Ok(()) };
        match self.resume(&checkpoint) {
            Ok(true) => {
                self.begin_checking();
                Ok(())
            }
            Err(error @ DecodeError::Read(_)) => Err(self.note_error(error)),
            // The file is not what it was when this was learned, or what was kept is not.
            Ok(false) | Err(DecodeError::Damage(_) | DecodeError::Checksum(..)) => {
                self.checkpoints.forget();
                self.begin_anew()
            }
        }
    }

    /// Sets a new decoder to the start of the file.
    fn begin_anew(&mut self) -> io::Result<()> {
        self.decoder = decoder::new(self.format, Arc::clone(&self.raw))?;
        (self.start, self.filled, self.in_member) = (0, 0, false);
        (self.damage, self.is_lost, self.unchecked_from) = (None, false, 0);
        Ok(())
    }

    /// Sets the decoder to `checkpoint`; false if what follows there is not what it was.
    fn resume(&mut self, checkpoint: &Checkpoint) -> Result<bool, DecodeError> {
        let input = self.decoder.input();
        input.seek(checkpoint.input);
        let follows = input.peek(PROBE)?;
        let is_known = match checkpoint.probe {
            Some(probe) => xxh3_64(follows) == probe,
            // The header of a block has a checksum of its own.
            None => checkpoint.state.is_some() || self.format.goes_on(follows),
        };
        if !is_known {
            return Ok(false);
        }
        self.start = checkpoint.text;
        let Some(state) = &checkpoint.state else { return Ok(true) };
        if let Some(window) = &checkpoint.window {
            let Ok(window) = window.text() else { return Ok(false) };
            self.start = checkpoint.text.saturating_sub(window.len() as u64);
            self.filled = window.len();
            self.memory.resize(self.memory.len().max(self.filled + 2 * ROOM), 0);
            self.memory[..self.filled].copy_from_slice(&window);
        }
        self.in_member = true;
        self.decoder.resume(state, &self.memory[..self.filled])?;
        Ok(true)
    }

    /// Decodes a little more; false at the end of the text.
    fn advance(&mut self) -> io::Result<bool> {
        if let Some(damage) = &self.damage {
            return Err(io::Error::new(io::ErrorKind::InvalidData, damage.clone()));
        }
        let result = if self.in_member { self.decode().map(|()| true) } else { self.next_member() };
        result.map_err(|error| self.note_error(error))
    }

    /// Remembers where the decoder can go no further.
    fn note_error(&mut self, error: DecodeError) -> io::Error {
        let (what, unsound) = match error {
            DecodeError::Read(cause) => {
                self.is_lost = true;
                return cause;
            }
            DecodeError::Damage(what) if self.is_at_block_end() && what != decoder::CUT_OFF => {
                (what, self.end().saturating_sub(self.unchecked_from))
            }
            DecodeError::Damage(what) => (what, 0),
            DecodeError::Checksum(what, text) => (what, text),
        };
        // What was left out unseen may have led past the end.
        let input = self.decoder.input().position().min(self.raw.size().unwrap_or(u64::MAX));
        let text = self.end();
        let damage = Damage { format: self.format, input, text, unsound: text.saturating_sub(unsound), what };
        self.damage = Some(damage.clone());
        if self.met.as_ref().is_none_or(|met| text < met.text) {
            self.met = Some(damage.clone());
        }
        io::Error::new(io::ErrorKind::InvalidData, damage)
    }

    /// Whether all text of a block of .xz has come, so that what follows is its checksum.
    fn is_at_block_end(&self) -> bool {
        let end = self.end();
        let is_place =
            self.checkpoints.before(end).is_some_and(|checkpoint| checkpoint.text == end && end > 0);
        self.format == Format::Xz
            && self.checkpoints.is_table()
            && (is_place || self.checkpoints.text_size == Some(end))
    }

    fn decode(&mut self) -> Result<(), DecodeError> {
        self.make_room();
        // No further than to where a checkpoint is due, or it would be passed.
        let (end, window) = (self.end(), self.decoder.window());
        let due = self.checkpoints.due_at(window).max(self.not_before).saturating_sub(end);
        let room = match usize::try_from(due) {
            Ok(0) | Err(_) => self.memory.len(),
            Ok(left) => self.memory.len().min(self.filled.saturating_add(left)),
        };
        let step = self.decoder.decode(&mut self.memory[..room], self.filled, due == 0)?;
        self.filled += step.decoded;
        if let Some(size) =
            self.checkpoints.text_size.filter(|size| self.checkpoints.is_told && *size < self.end())
        {
            self.filled = usize::try_from(size.saturating_sub(self.start)).unwrap_or(0);
            return Err(DecodeError::damage(WRONG_TABLE));
        }
        self.note_checked();
        match step.end {
            StepEnd::More => Ok(()),
            StepEnd::Checkpoint(state) => self.note_checkpoint(Some(state)),
            StepEnd::End => {
                self.in_member = false;
                Ok(())
            }
            StepEnd::Damage(what) => Err(DecodeError::Damage(what)),
            StepEnd::Checksum(what, text) => Err(DecodeError::Checksum(what, text)),
        }
    }

    /// Starts with the next member; false if there is none.
    fn next_member(&mut self) -> Result<bool, DecodeError> {
        loop {
            let format = self.format;
            let input = self.decoder.input();
            let position = input.position();
            let head = input.peek(HEAD)?;
            if self.checkpoints.is_table()
                && self
                    .checkpoints
                    .text_at(position)
                    .is_some_and(|text| text != self.start + self.filled as u64)
            {
                return Err(DecodeError::damage(WRONG_TABLE));
            }
            if head.is_empty() {
                // Of a skippable frame at the end, all has to be there.
                if self.raw.size().is_some_and(|size| input.position() > size) {
                    return Err(DecodeError::cut_off());
                }
                break;
            }
            if let Some(size) = format.skippable(head) {
                input.skip(size);
                continue;
            }
            let padding = format.padding(head);
            if padding > 0 {
                input.consume(padding);
                continue;
            }
            if !format.goes_on(head) {
                if format.is_cut_off(head) {
                    return Err(DecodeError::cut_off());
                }
                if input.position() > 0 || self.start + self.filled as u64 > 0 {
                    self.checkpoints.garbage = true;
                    break;
                }
            }
            if self.checkpoints.is_due(self.end(), 0) {
                self.note_checkpoint(None)?;
            }
            self.decoder.begin()?;
            self.in_member = true;
            return Ok(true);
        }
        if self.checkpoints.is_told && self.checkpoints.text_size != Some(self.end()) {
            return Err(DecodeError::damage(WRONG_TABLE));
        }
        self.checkpoints.text_size = Some(self.end());
        Ok(false)
    }

    fn note_checkpoint(&mut self, state: Option<DecoderState>) -> Result<(), DecodeError> {
        let text = self.end();
        let window = match state {
            None => None,
            Some(_) if self.start > 0 && self.filled < self.decoder.window() => {
                self.not_before = text.saturating_add(self.decoder.window() as u64);
                return Ok(());
            }
            Some(_) => {
                let from = self.filled.saturating_sub(self.decoder.window());
                match self.checkpoints.keep_window(&self.memory[from..self.filled]) {
                    Ok(window) => Some(window),
                    Err(_) => {
                        self.checkpoints.give_up();
                        return Ok(());
                    }
                }
            }
        };
        let compressed = self.decoder.input();
        let input = compressed.position();
        let probe = Some(xxh3_64(compressed.peek(PROBE)?));
        self.checkpoints.add(Checkpoint { text, input, state, window, probe });
        Ok(())
    }
}
