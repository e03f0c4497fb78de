//! The decoded stream of a file: UTF-8 from front to back, whatever the encoding of the file.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use super::text::TextStream;
use crate::encoding::{LONGEST, Run, TextDecoder};
use crate::error::Result;
use crate::reader::Reader;

const REPLACEMENT: &[u8] = "\u{FFFD}".as_bytes();

/// Shared by all readers of one file.
#[derive(Debug)]
pub struct ScanStats {
    bytes: AtomicU64,
    invalid: AtomicU64,
    first_invalid: AtomicU64,
}

impl Default for ScanStats {
    fn default() -> Self {
        ScanStats {
            bytes: AtomicU64::new(0),
            invalid: AtomicU64::new(0),
            first_invalid: AtomicU64::new(u64::MAX),
        }
    }
}

impl ScanStats {
    /// Repeated reads count again.
    pub fn bytes(&self) -> u64 {
        self.bytes.load(Ordering::Relaxed)
    }

    /// The number of invalid sequences, and the offset of the first one.
    pub fn invalid(&self) -> Option<(u64, u64)> {
        let count = self.invalid.load(Ordering::Relaxed);
        (count > 0).then(|| (count, self.first_invalid.load(Ordering::Relaxed)))
    }

    pub(super) fn note_bytes(&self, count: usize) {
        self.bytes.fetch_add(count as u64, Ordering::Relaxed);
    }

    fn note_invalid(&self, at: u64) {
        self.invalid.fetch_add(1, Ordering::Relaxed);
        self.first_invalid.fetch_min(at, Ordering::Relaxed);
    }
}

pub(crate) struct DecodedStream {
    reader: Arc<Reader>,
    stats: Arc<ScanStats>,
    decoder: TextDecoder,
    /// Bytes that were read but not decoded: part of a character.
    rest: Vec<u8>,
    /// The offset of `rest` in the file.
    at: u64,
}

impl DecodedStream {
    /// `all` announces that the whole stream will be read.
    pub fn new(reader: &Arc<Reader>, stats: &Arc<ScanStats>, all: bool) -> Self {
        let mark = if reader.decided().bom { reader.encoding().mark().len() as u64 } else { 0 };
        if all {
            reader.source().advise(mark..reader.known_size().unwrap_or(u64::MAX));
        }
        DecodedStream {
            reader: Arc::clone(reader),
            stats: Arc::clone(stats),
            decoder: TextDecoder::new(reader.encoding()),
            rest: Vec::new(),
            at: mark,
        }
    }

    /// At the end of the file, a partial character is invalid.
    fn decode(&mut self, at_end: bool, into: &mut Vec<u8>) {
        let mut used = 0;
        while let Some(run) = self.decoder.next_run(&self.rest[used..], self.at + used as u64) {
            match run {
                Run::Text(text) => {
                    into.extend_from_slice(text.utf8);
                    used += text.source.len();
                }
                Run::Cut(bytes) if !at_end && bytes.len() < LONGEST => break,
                Run::Invalid(bytes) | Run::Cut(bytes) => {
                    into.extend_from_slice(REPLACEMENT);
                    self.stats.note_invalid(self.at + used as u64);
                    used += bytes.len();
                }
            }
        }
        self.rest.drain(..used);
        self.at += used as u64;
    }
}

impl TextStream for DecodedStream {
    fn read(&mut self, buffer: &mut Vec<u8>) -> Result<bool> {
        let before = buffer.len();
        loop {
            let kept = self.rest.len();
            self.rest.resize(kept + self.reader.block(), 0);
            let got = self.reader.read(&mut self.rest[kept..], self.at + kept as u64);
            self.rest.truncate(kept + got.as_ref().map_or(0, |got| *got));
            let got = got?;
            self.stats.note_bytes(got);
            self.decode(got == 0, buffer);
            if buffer.len() > before || got == 0 {
                return Ok(buffer.len() > before);
            }
        }
    }
}
