//! Follows growing files: what was appended, across rotation and truncation.
//!
//! [`tail`] is the state of one file, [`Held`] keeps the beginning of a line until it ends, and [`watch`] waits for changes
//! without polling where the system reports them and has the threads that wait for anything else.

pub mod tail;
pub mod watch;

use std::time::Instant;

use crate::reader::encoding::not_plain;
use rread_text::encoding::Evidence;
use rread_text::sniff::{self, SAMPLE};
use rread_text::{Choice, Encoding, Result, Run, Sentence, TextDecoder, screen, setting};

/// The beginnings of lines that all files together may hold.
const MAX_HELD: usize = 64 << 20;

/// Byte order marks of UTF-8, UTF-16 and UTF-32.
const MARKS: [&[u8]; 4] = [b"\xEF\xBB\xBF", b"\xFE\xFF", b"\xFF\xFE\0\0", b"\0\0\xFE\xFF"];

/// Memory that a file keeps without need.
const MAX_KEPT: usize = 16 << 10;

/// A line longer than this is passed on in parts.
pub fn longest_held(files: usize) -> usize {
    (MAX_HELD / files.max(1)).clamp(4 << 10, 1 << 20)
}

/// The end of what was read of one file.
pub struct Held {
    /// The bytes, in the encoding of the file.
    pub bytes: Vec<u8>,
    /// The offset of the first byte in the file.
    pub at: u64,
    /// How many of the bytes were written: a line may be tested for a match after its beginning was shown.
    pub shown: usize,
    /// When bytes came that were not written.
    pub since: Option<Instant>,
    pub(crate) encoding: Option<Encoding>,
    /// The number of the line of the first byte that was not written.
    pub line: Option<u64>,
}

impl Held {
    /// Nothing held yet; `line` is the number of the next line, if known.
    pub fn new(encoding: Option<Encoding>, line: Option<u64>) -> Self {
        Held { bytes: Vec::new(), at: 0, shown: 0, since: None, encoding, line }
    }

    /// Adds `bytes`, which lie at `at` in the file; returns the length of the whole lines.
    /// If they are many, the memory comes from `spare`.
    pub fn add(
        &mut self,
        bytes: &[u8],
        at: u64,
        choice: Choice,
        longest: usize,
        spare: &mut Vec<u8>,
    ) -> usize {
        if self.bytes.is_empty() {
            self.at = at;
        }
        if self.bytes.capacity() < self.bytes.len() + bytes.len() && spare.capacity() > self.bytes.capacity()
        {
            spare.clear();
            spare.extend_from_slice(&self.bytes);
            std::mem::swap(&mut self.bytes, spare);
        }
        self.bytes.extend_from_slice(bytes);
        if self.encoding.is_none() && MARKS.iter().any(|mark| mark.starts_with(&self.bytes)) {
            // The rest of a byte order mark may follow.
            return 0;
        }
        let units = self.decide(choice).units();
        // The head of the file decides its alignment, so a block starts with a whole unit.
        let whole = units.after_last(&self.bytes).unwrap_or(0);
        if self.bytes.len() - whole <= longest {
            return whole;
        }
        match self.whole_characters() {
            // Even if no character ends: memory is bounded.
            end if end <= self.shown => self.bytes.len(),
            end => end,
        }
    }

    /// The encoding, which the first bytes show if nothing else does.
    pub fn decide(&mut self, choice: Choice) -> Encoding {
        let head = &self.bytes[..self.bytes.len().min(SAMPLE)];
        // The first lines that come are too few to guess from.
        let choice = if choice == Choice::Auto { Choice::Certain } else { choice };
        let decide = || {
            choice
                .decide(head, sniff::sniff(head, false), &Evidence::default())
                .map_or(Encoding::Utf8, |it| it.encoding)
        };
        *self.encoding.get_or_insert_with(decide)
    }

    /// Makes the lines in the first `whole` bytes those that a terminal shows in the end, at the same places.
    ///
    /// # Errors
    ///
    /// Text of units of several bytes, of which that is not known.
    pub fn as_shown(&mut self, whole: usize) -> Result<()> {
        if whole > 0 && self.encoding().units().width > 1 {
            return Err(not_plain(self.encoding()).hint(Sentence::from("leave out ").then(setting("plain"))));
        }
        if screen::acts(&self.bytes[..whole]) {
            let mut at = 0;
            for line in self.bytes[..whole].to_vec().split_inclusive(|byte| *byte == b'\n') {
                if let Some(shown) = screen::padded_line(line) {
                    self.bytes[at..at + line.len()].copy_from_slice(&shown);
                }
                at += line.len();
            }
        }
        Ok(())
    }

    /// Gives the memory of a block back to the other files.
    pub fn give_back(&mut self, spare: &mut Vec<u8>) {
        if self.bytes.len() <= MAX_KEPT && self.bytes.capacity() > MAX_KEPT {
            let rest = self.bytes.clone();
            *spare = std::mem::replace(&mut self.bytes, rest);
        }
    }

    /// The encoding; UTF-8 until it is known.
    pub fn encoding(&self) -> Encoding {
        self.encoding.unwrap_or_default()
    }

    /// The length up to the last whole character, as far as the encoding shows it.
    pub fn whole_characters(&self) -> usize {
        let len = self.bytes.len();
        match self.encoding {
            None => 0,
            Some(Encoding::Utf8) => {
                let lead = (1..=len.min(3)).find(|back| self.bytes[len - back] & 0xC0 != 0x80);
                let is_cut = |back: &usize| match self.bytes[len - back] {
                    0xC2..=0xDF => *back < 2,
                    0xE0..=0xEF => *back < 3,
                    0xF0..=0xF4 => *back < 4,
                    _ => false,
                };
                len - lead.filter(is_cut).unwrap_or(0)
            }
            // Decoding cannot resume inside a line.
            Some(encoding) if encoding.has_state() => encoding.units().after_last(&self.bytes).unwrap_or(0),
            Some(encoding) => {
                let mut decoder = TextDecoder::new(encoding);
                let mut end = self.shown;
                loop {
                    match decoder.next_run(&self.bytes[end..], 0) {
                        Some(Run::Text(text)) => end += text.source.len(),
                        Some(Run::Invalid(bytes)) => end += bytes.len(),
                        Some(Run::Cut(_)) | None => return end,
                    }
                }
            }
        }
    }

    /// Leaves out the first `len` bytes, none of which was shown.
    pub fn skip(&mut self, len: usize) {
        let newlines = self.encoding().units().count(&self.bytes[..len]);
        self.line = self.line.map(|line| line + newlines);
        self.drop_front(len);
    }

    /// Removes the first `len` bytes.
    pub fn drop_front(&mut self, len: usize) {
        self.bytes.drain(..len);
        self.at += len as u64;
        self.shown = self.shown.saturating_sub(len);
    }
}
