//! A file as UTF-8 from front to back, whatever its encoding, and what a query read of it.

use std::fmt;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

use super::text::TextStream;
use rread_reader::Reader;
use rread_text::encoding::MAX_CHARACTER;
use rread_text::{Encoding, Result, Run, TextDecoder};

const REPLACEMENT: &[u8] = "\u{FFFD}".as_bytes();

pub(crate) struct TableFile {
    pub reader: Arc<Reader>,
    bytes: AtomicU64,
    invalid: Mutex<Option<(u64, u64)>>,
}

impl fmt::Debug for TableFile {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("TableFile")
    }
}

impl TableFile {
    pub fn new(reader: &Arc<Reader>) -> Arc<Self> {
        let reader = Arc::clone(reader);
        Arc::new(TableFile { reader, bytes: AtomicU64::new(0), invalid: Mutex::default() })
    }

    /// Repeated reads count again.
    pub fn bytes(&self) -> u64 {
        self.bytes.load(Ordering::Relaxed)
    }

    /// The number of invalid sequences, and the offset of the first one.
    pub fn invalid(&self) -> Option<(u64, u64)> {
        *self.invalid.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub(super) fn note_bytes(&self, count: usize) {
        self.bytes.fetch_add(count as u64, Ordering::Relaxed);
    }

    pub(super) fn note_invalid(&self, at: u64) {
        let mut invalid = self.invalid.lock().unwrap_or_else(PoisonError::into_inner);
        let (count, first) = invalid.get_or_insert((0, at));
        *count += 1;
        *first = at.min(*first);
    }
}

pub(crate) struct DecodedStream {
    file: Arc<TableFile>,
    decoder: TextDecoder,
    /// Bytes that were read but not decoded: part of a character.
    rest: Vec<u8>,
    /// The offset of `rest` in the file.
    at: u64,
    begin: u64,
    /// Whether every byte so far is that of the file.
    is_verbatim: bool,
    /// Bytes of a read.
    block: usize,
}

impl DecodedStream {
    pub fn new(file: &Arc<TableFile>, all: bool) -> Self {
        let reader = &file.reader;
        let mark = if reader.decided().bom { reader.encoding().mark().len() as u64 } else { 0 };
        if all {
            reader.source().advise(mark..reader.known_size().unwrap_or(u64::MAX));
        }
        let decoder = TextDecoder::new(reader.encoding());
        let is_verbatim = reader.encoding() == Encoding::Utf8;
        DecodedStream {
            file: Arc::clone(file),
            decoder,
            rest: Vec::new(),
            at: mark,
            begin: mark,
            is_verbatim,
            block: reader.block(),
        }
    }

    /// The beginning, of which about `size` bytes are needed.
    pub fn beginning(file: &Arc<TableFile>, size: usize) -> Self {
        let whole = DecodedStream::new(file, false);
        // A unit of UTF-32 has four bytes.
        DecodedStream { block: whole.block.min(size.next_multiple_of(4)), ..whole }
    }

    /// At the end of the file, a partial character is invalid.
    fn decode(&mut self, at_end: bool, into: &mut Vec<u8>) {
        self.decoder.ends(at_end);
        let note = |at| {
            self.is_verbatim = false;
            self.file.note_invalid(at);
        };
        let used = decode(&mut self.decoder, &self.rest, self.at, at_end, into, note);
        self.rest.drain(..used);
        self.at += used as u64;
    }
}

/// Appends the text of `bytes`, which begin at `at` in the file, and passes the offsets of invalid sequences. Returns how many
/// bytes were used: before the end of the file, a partial character is not.
pub(crate) fn decode(
    decoder: &mut TextDecoder,
    bytes: &[u8],
    at: u64,
    at_end: bool,
    into: &mut Vec<u8>,
    mut note: impl FnMut(u64),
) -> usize {
    let mut used = 0;
    while let Some(run) = decoder.next_run(&bytes[used..], at + used as u64) {
        match run {
            Run::Text(text) => {
                into.extend_from_slice(text.utf8);
                used += text.source.len();
            }
            Run::Cut(bytes) if !at_end && bytes.len() < MAX_CHARACTER => break,
            Run::Invalid(bytes) | Run::Cut(bytes) => {
                into.extend_from_slice(REPLACEMENT);
                note(at + used as u64);
                used += bytes.len();
            }
        }
    }
    used
}

impl TextStream for DecodedStream {
    fn begins_at(&self) -> Option<u64> {
        self.is_verbatim.then_some(self.begin)
    }

    fn read(&mut self, buffer: &mut Vec<u8>) -> Result<bool> {
        let before = buffer.len();
        loop {
            let kept = self.rest.len();
            self.rest.resize(kept + self.block, 0);
            let got = self.file.reader.read(&mut self.rest[kept..], self.at + kept as u64);
            self.rest.truncate(kept + got.as_ref().map_or(0, |got| *got));
            let got = got?;
            self.file.note_bytes(got);
            self.decode(got == 0, buffer);
            if buffer.len() > before || got == 0 {
                return Ok(buffer.len() > before);
            }
        }
    }
}
