//! Decoding under way: the last of the text, the places passed, the damage met.

mod prove;
mod room;

use std::io;
use std::sync::Arc;

use xxhash_rust::xxh3::xxh3_64;

use super::decoder::{self, Decoder, Fault, Then};
use super::format::Format;
use super::inside::Inside;
use super::restart::{PROBE, Restart, Restarts};
use super::{seek_table, xz_index};
use crate::source::Source;
use crate::source::damage::Damage;

/// The least of it, and how much of what comes before a read is wanted: more than the window of deflate, whose decoder has no
/// other memory of the text.
const BEFORE: usize = 64 << 10;

/// Room for what a decoder gives at a time: the largest block of zstd, and more.
const ROOM: usize = 256 << 10;

/// What a file that names places or a size that are not so is told.
const WRONG_TABLE: &str = "what is said of its size, or of the places of its parts, is wrong";

/// Bytes that are looked at between members.
const HEAD: usize = 32;

/// A decoder and what it has given.
pub(super) struct Text {
    stored: Arc<dyn Source>,
    format: Format,
    decoder: Box<dyn Decoder>,
    /// Whether the decoder stands inside a member.
    inside: bool,
    /// The offset of `memory[0]` in the text.
    start: u64,
    memory: Vec<u8>,
    /// How much of `memory` is text.
    filled: usize,
    /// Text before this offset need not stay there.
    wanted: u64,
    /// What the decoder stands at, and cannot go past.
    damage: Option<Damage>,
    /// The first damage that was met, wherever the decoder is now.
    pub(super) met: Option<Damage>,
    /// Whether the text ends where the damage begins, rather than that reading there fails.
    pub(super) ends_at_damage: bool,
    /// Where the text begins whose checksum is still to come.
    unproven: u64,
    /// From where on the checksums could not be compared.
    no_proof_from: Option<u64>,
    /// No place is looked for before this offset of the text.
    not_before: u64,
    /// Whether a failed read has left the decoder nobody knows where.
    is_lost: bool,
    pub(super) restarts: Restarts,
}

impl Text {
    /// The text of `stored`; to be `salvaged`, it is read from the front to the first damage, whatever its tables say.
    pub(super) fn new(stored: Arc<dyn Source>, format: Format, salvaged: bool) -> io::Result<Self> {
        let restarts = match format {
            _ if salvaged => None,
            // What cannot be read at the end is of no concern to who wants the beginning.
            Format::Zstd => seek_table::read(&*stored).ok().flatten(),
            Format::Xz => xz_index::read(&*stored).ok().flatten(),
            Format::Zlib => stored.info().zlib_size.map(Restarts::of_size),
            _ => None,
        };
        Ok(Text {
            decoder: decoder::new(format, Arc::clone(&stored))?,
            stored,
            format,
            inside: false,
            start: 0,
            memory: Vec::new(),
            filled: 0,
            wanted: 0,
            damage: None,
            met: None,
            ends_at_damage: salvaged,
            unproven: 0,
            no_proof_from: None,
            not_before: 0,
            is_lost: false,
            restarts: restarts.unwrap_or_default(),
        })
    }

    /// The length of the text, once it is known.
    pub(super) fn size(&self) -> Option<u64> {
        let cut = self.met.as_ref().filter(|_| self.ends_at_damage).map(|damage| damage.text);
        cut.or(self.restarts.text_size)
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
            if got == buffer.len() || got > 0 && !all && self.decoder.feed().there() == 0 {
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
        let is_end = self.restarts.is_told && self.size() == Some(end) && !self.ends_at_damage;
        while is_end && self.inside && self.end() == end {
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
        let place = self.restarts.before(offset);
        let nearer = place.is_some_and(|place| place.text > self.end());
        if offset >= self.start && !nearer && !self.is_lost {
            return Ok(());
        }
        let place = place.cloned();
        self.take_up(place)
    }

    /// Sets a new decoder to `place`, or to the start.
    fn take_up(&mut self, place: Option<Restart>) -> io::Result<()> {
        self.begin_anew()?;
        let Some(place) = place else { return Ok(()) };
        match self.resume(&place) {
            Ok(true) => {
                self.begin_proof();
                Ok(())
            }
            Err(fault @ Fault::Read(_)) => Err(self.note_fault(fault)),
            // The file is not what it was when this was learned, or what was kept is not.
            Ok(false) | Err(Fault::Damage(_) | Fault::Checksum(..)) => {
                self.restarts.forget();
                self.begin_anew()
            }
        }
    }

    /// Sets a new decoder to the start of the file.
    fn begin_anew(&mut self) -> io::Result<()> {
        self.decoder = decoder::new(self.format, Arc::clone(&self.stored))?;
        (self.start, self.filled, self.inside) = (0, 0, false);
        (self.damage, self.is_lost, self.unproven) = (None, false, 0);
        Ok(())
    }

    /// Sets the decoder to `place`; false if what follows there is not what it was.
    fn resume(&mut self, place: &Restart) -> Result<bool, Fault> {
        let feed = self.decoder.feed();
        feed.seek(place.input);
        let follows = feed.peek(PROBE)?;
        let is_known = match place.probe {
            Some(probe) => xxh3_64(follows) == probe,
            // The header of a block has a checksum of its own.
            None => place.inside.is_some() || self.format.goes_on(follows),
        };
        if !is_known {
            return Ok(false);
        }
        self.start = place.text;
        let Some(inside) = &place.inside else { return Ok(true) };
        if let Some(window) = &place.window {
            let Ok(window) = window.text() else { return Ok(false) };
            self.start = place.text.saturating_sub(window.len() as u64);
            self.filled = window.len();
            self.memory.resize(self.memory.len().max(self.filled + 2 * ROOM), 0);
            self.memory[..self.filled].copy_from_slice(&window);
        }
        self.inside = true;
        self.decoder.resume(inside, &self.memory[..self.filled])?;
        Ok(true)
    }

    /// Decodes a little more; false at the end of the text.
    fn advance(&mut self) -> io::Result<bool> {
        if let Some(damage) = &self.damage {
            return Err(io::Error::new(io::ErrorKind::InvalidData, damage.clone()));
        }
        let result = if self.inside { self.decode().map(|()| true) } else { self.next_member() };
        result.map_err(|fault| self.note_fault(fault))
    }

    /// Remembers where the decoder can go no further.
    fn note_fault(&mut self, fault: Fault) -> io::Error {
        let (what, unsound) = match fault {
            Fault::Read(cause) => {
                self.is_lost = true;
                return cause;
            }
            Fault::Damage(what) if self.is_at_block_end() && what != decoder::CUT_OFF => {
                (what, self.end().saturating_sub(self.unproven))
            }
            Fault::Damage(what) => (what, 0),
            Fault::Checksum(what, text) => (what, text),
        };
        // What was left out unseen may have led past the end.
        let input = self.decoder.feed().position().min(self.stored.size().unwrap_or(u64::MAX));
        let text = self.end();
        let damage =
            Damage { format: self.format.name(), input, text, unsound: text.saturating_sub(unsound), what };
        self.damage = Some(damage.clone());
        if self.met.as_ref().is_none_or(|met| text < met.text) {
            self.met = Some(damage.clone());
        }
        io::Error::new(io::ErrorKind::InvalidData, damage)
    }

    /// Whether all text of a block of .xz has come, so that what follows is its checksum.
    fn is_at_block_end(&self) -> bool {
        let end = self.end();
        let is_place = self.restarts.before(end).is_some_and(|place| place.text == end && end > 0);
        self.format == Format::Xz
            && self.restarts.is_table()
            && (is_place || self.restarts.text_size == Some(end))
    }

    fn decode(&mut self) -> Result<(), Fault> {
        self.make_room();
        // No further than to where a place is due, or it would be passed.
        let (end, window) = (self.end(), self.decoder.window());
        let due = self.restarts.due_at(window).max(self.not_before).saturating_sub(end);
        let room = match usize::try_from(due) {
            Ok(0) | Err(_) => self.memory.len(),
            Ok(left) => self.memory.len().min(self.filled.saturating_add(left)),
        };
        let step = self.decoder.decode(&mut self.memory[..room], self.filled, due == 0)?;
        self.filled += step.given;
        if let Some(size) = self.restarts.text_size.filter(|size| self.restarts.is_told && *size < self.end())
        {
            self.filled = usize::try_from(size.saturating_sub(self.start)).unwrap_or(0);
            return Err(Fault::damage(WRONG_TABLE));
        }
        self.note_proven();
        match step.then {
            Then::More => Ok(()),
            Then::Place(inside) => self.note_place(Some(inside)),
            Then::End => {
                self.inside = false;
                Ok(())
            }
            Then::Damage(what) => Err(Fault::Damage(what)),
            Then::Checksum(what, text) => Err(Fault::Checksum(what, text)),
        }
    }

    /// Starts with the next member; false if there is none.
    fn next_member(&mut self) -> Result<bool, Fault> {
        loop {
            let format = self.format;
            let feed = self.decoder.feed();
            let position = feed.position();
            let head = feed.peek(HEAD)?;
            if self.restarts.is_table()
                && self.restarts.text_at(position).is_some_and(|text| text != self.start + self.filled as u64)
            {
                return Err(Fault::damage(WRONG_TABLE));
            }
            if head.is_empty() {
                // Of a skippable frame at the end, all has to be there.
                if self.stored.size().is_some_and(|size| feed.position() > size) {
                    return Err(Fault::cut_off());
                }
                break;
            }
            if let Some(size) = format.skippable(head) {
                feed.skip(size);
                continue;
            }
            let padding = format.padding(head);
            if padding > 0 {
                feed.consume(padding);
                continue;
            }
            if !format.goes_on(head) {
                if format.is_cut_off(head) {
                    return Err(Fault::cut_off());
                }
                if feed.position() > 0 || self.start + self.filled as u64 > 0 {
                    self.restarts.garbage = true;
                    break;
                }
            }
            if self.restarts.is_due(self.end(), 0) {
                self.note_place(None)?;
            }
            self.decoder.begin()?;
            self.inside = true;
            return Ok(true);
        }
        if self.restarts.is_told && self.restarts.text_size != Some(self.end()) {
            return Err(Fault::damage(WRONG_TABLE));
        }
        self.restarts.text_size = Some(self.end());
        Ok(false)
    }

    fn note_place(&mut self, inside: Option<Inside>) -> Result<(), Fault> {
        let text = self.end();
        let window = match inside {
            None => None,
            Some(_) if self.start > 0 && self.filled < self.decoder.window() => {
                self.not_before = text.saturating_add(self.decoder.window() as u64);
                return Ok(());
            }
            Some(_) => {
                let from = self.filled.saturating_sub(self.decoder.window());
                match self.restarts.keep_window(&self.memory[from..self.filled]) {
                    Ok(window) => Some(window),
                    Err(_) => {
                        self.restarts.give_up();
                        return Ok(());
                    }
                }
            }
        };
        let feed = self.decoder.feed();
        let input = feed.position();
        let probe = Some(xxh3_64(feed.peek(PROBE)?));
        self.restarts.add(Restart { text, input, inside, window, probe });
        Ok(())
    }
}
