//! Text as a terminal leaves it, line by line: without escape sequences, overwritten progress and overstrikes.

use std::io::{self, Read, Seek, SeekFrom, Write};

use memchr::{memchr_iter, memchr2, memchr3, memrchr};

const BACKSPACE: u8 = 0x08;
const BELL: u8 = 0x07;
const ESCAPE: u8 = 0x1B;

/// Bytes of text held before they are written. Tests have many edges.
const WRITE_BLOCK: usize = if cfg!(test) { 16 } else { 256 << 10 };
/// Bytes read back at once.
const RECALLED: u64 = if cfg!(test) { 5 } else { 4 << 10 };

/// Looks for bytes that a [`Filter`] could remove. Most output has none.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Traces {
    found: bool,
    after_return: bool,
}

impl Traces {
    pub(super) fn look(&mut self, bytes: &[u8]) {
        let Some(first) = bytes.first().filter(|_| !self.found) else { return };
        let overwrites = |at: usize| bytes.get(at + 1).is_some_and(|next| *next != b'\n');
        self.found = self.after_return && *first != b'\n'
            || memchr2(ESCAPE, BACKSPACE, bytes).is_some()
            || memchr_iter(b'\r', bytes).any(overwrites);
        self.after_return = bytes.ends_with(b"\r");
    }

    pub(super) fn has_removed(self) -> bool {
        self.found || self.after_return
    }
}

/// Removes escape sequences (ECMA-48), text that a carriage return overwrites, and characters before a backspace. All
/// newlines stay, so that line numbers stay. Escape sequences end at a newline at the latest.
#[derive(Debug)]
pub(super) struct Filter<F> {
    lines: Lines<F>,
    sequence: Sequence,
    cursor: Column,
}

#[derive(Clone, Copy, Debug)]
enum Sequence {
    None,
    /// After ESC.
    Begun,
    /// After ESC and intermediate bytes, as in `ESC ( B`.
    Designation,
    /// After `ESC [`.
    Control(Parameters),
    /// OSC, DCS, SOS, PM or APC. ESC ends it, as the first byte of the string terminator; BEL ends only OSC.
    String {
        is_osc: bool,
    },
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Parameters {
    None,
    /// One digit.
    One(u8),
    Other,
}

/// The position of the next character.
#[derive(Clone, Copy, Debug, Default)]
enum Column {
    /// After the line.
    #[default]
    End,
    /// This many characters before the end.
    Back(u64),
    /// To the first column, by a carriage return or by an escape sequence.
    Start { is_return: bool },
}

impl<F: Read + Write + Seek> Filter<F> {
    /// Writes text of at most `room` bytes to `file`.
    pub(super) fn new(file: F, room: u64) -> Self {
        let lines = Lines { file, held: Vec::new(), written: 0, start: 0, room };
        Filter { lines, sequence: Sequence::None, cursor: Column::End }
    }

    pub(super) fn feed(&mut self, mut bytes: &[u8]) -> io::Result<()> {
        while let Some(first) = bytes.first() {
            if !matches!(self.sequence, Sequence::None) {
                bytes = &bytes[usize::from(self.go_on(*first)?)..];
                continue;
            }
            let at = memchr3(ESCAPE, b'\r', BACKSPACE, bytes).unwrap_or(bytes.len());
            self.write(&bytes[..at])?;
            let Some(special) = bytes.get(at) else { break };
            match (*special, self.cursor) {
                (b'\r', _) => self.cursor = Column::Start { is_return: true },
                (BACKSPACE, Column::Start { .. }) => {}
                (BACKSPACE, Column::Back(count)) => self.cursor = Column::Back(count.saturating_add(1)),
                (BACKSPACE, Column::End) => self.cursor = Column::Back(1),
                _ => self.sequence = Sequence::Begun,
            }
            bytes = &bytes[at + 1..];
        }
        Ok(())
    }

    /// Returns the size of the text, and whether it ends without a newline.
    pub(super) fn finish(mut self) -> io::Result<(F, u64, bool)> {
        self.lines.recall(1)?;
        let unterminated = self.lines.held.last().is_some_and(|last| *last != b'\n');
        self.lines.flush()?;
        Ok((self.lines.file, self.lines.written, unterminated))
    }

    /// Takes the next byte of an escape sequence; false if the byte ends the sequence and is text.
    fn go_on(&mut self, byte: u8) -> io::Result<bool> {
        let (next, is_taken) = match (self.sequence, byte) {
            (_, ESCAPE) => (Sequence::Begun, true),
            (Sequence::Begun, b'[') => (Sequence::Control(Parameters::None), true),
            (Sequence::Begun, b']') => (Sequence::String { is_osc: true }, true),
            (Sequence::Begun, b'P' | b'X' | b'^' | b'_') => (Sequence::String { is_osc: false }, true),
            (Sequence::Begun | Sequence::Designation, b' '..=b'/') => (Sequence::Designation, true),
            (Sequence::Begun | Sequence::Designation, b'0'..=b'~') => (Sequence::None, true),
            (Sequence::Control(before), b' '..=b'?') => (Sequence::Control(before.and(byte)), true),
            (Sequence::Control(parameters), b'@'..=b'~') => {
                self.control(parameters, byte)?;
                (Sequence::None, true)
            }
            (Sequence::String { is_osc: true }, BELL) => (Sequence::None, true),
            (string @ Sequence::String { .. }, _) if byte != b'\n' => (string, true),
            _ => (Sequence::None, false),
        };
        self.sequence = next;
        Ok(is_taken)
    }

    /// The control sequences with which programs rewrite a line.
    fn control(&mut self, parameters: Parameters, last: u8) -> io::Result<()> {
        match (last, parameters, self.cursor) {
            // To column 1.
            (b'G', Parameters::None | Parameters::One(b'0' | b'1'), Column::End | Column::Back(_)) => {
                self.cursor = Column::Start { is_return: false };
            }
            // Erases the line, or what is right of the cursor.
            (b'K' | b'J', Parameters::One(b'2'), _)
            | (b'K' | b'J', Parameters::None | Parameters::One(b'0'), Column::Start { .. }) => {
                self.lines.clear()?;
                self.cursor = Column::End;
            }
            (b'K' | b'J', Parameters::None | Parameters::One(b'0'), Column::Back(count)) => {
                self.lines.pop(count)?;
                self.cursor = Column::End;
            }
            _ => {}
        }
        Ok(())
    }

    fn write(&mut self, text: &[u8]) -> io::Result<()> {
        let Some(first) = text.first() else { return Ok(()) };
        match (std::mem::take(&mut self.cursor), *first) {
            (Column::Start { is_return: true }, b'\n') => self.lines.push(b"\r")?,
            (Column::End, _) | (_, b'\n') => {}
            (Column::Start { .. }, _) => self.lines.clear()?,
            (Column::Back(count), _) => self.lines.pop(count)?,
        }
        self.lines.push(text)
    }
}

impl Parameters {
    fn and(self, byte: u8) -> Self {
        match self {
            Parameters::None if byte.is_ascii_digit() => Parameters::One(byte),
            _ => Parameters::Other,
        }
    }
}

/// Lines on their way to a file. The last one can be shortened even if a part of it is written: a progress bar of any
/// length takes constant memory.
#[derive(Debug)]
struct Lines<F> {
    file: F,
    /// The end of the text.
    held: Vec<u8>,
    /// Bytes of text before `held`. The position in the file; old bytes may follow there.
    written: u64,
    /// The position to which the last line can be shortened.
    start: u64,
    room: u64,
}

impl<F: Read + Write + Seek> Lines<F> {
    fn end(&self) -> u64 {
        self.written + self.held.len() as u64
    }

    fn push(&mut self, text: &[u8]) -> io::Result<()> {
        if let Some(newline) = memrchr(b'\n', text) {
            self.start = self.end() + newline as u64 + 1;
        }
        self.held.extend_from_slice(text);
        if self.held.len() < WRITE_BLOCK { Ok(()) } else { self.flush() }
    }

    fn flush(&mut self) -> io::Result<()> {
        if self.end() > self.room {
            return Err(io::Error::new(io::ErrorKind::QuotaExceeded, "the limit leaves no room for it"));
        }
        self.file.write_all(&self.held)?;
        self.written = self.end();
        self.held.clear();
        Ok(())
    }

    /// Empties the last line.
    fn clear(&mut self) -> io::Result<()> {
        match self.start.checked_sub(self.written) {
            Some(kept) => self.held.truncate(usize::try_from(kept).unwrap_or(usize::MAX)),
            None => {
                self.held.clear();
                self.seek(self.start)?;
            }
        }
        Ok(())
    }

    /// Removes the last `count` characters of the last line.
    fn pop(&mut self, count: u64) -> io::Result<()> {
        for _ in 0..count {
            let Some(most) = self.end().checked_sub(self.start).filter(|most| *most > 0) else { break };
            // The longest character of UTF-8.
            self.recall(4)?;
            let length = last_character(&self.held).min(usize::try_from(most).unwrap_or(usize::MAX));
            self.held.truncate(self.held.len() - length);
        }
        Ok(())
    }

    /// Holds at least the last `least` bytes of the text, if it has so many.
    fn recall(&mut self, least: usize) -> io::Result<()> {
        if self.held.len() >= least || self.written == 0 {
            return Ok(());
        }
        let size = RECALLED.min(self.written);
        self.seek(self.written - size)?;
        let mut text = Vec::new();
        Read::by_ref(&mut self.file).take(size).read_to_end(&mut text)?;
        text.append(&mut self.held);
        self.held = text;
        self.seek(self.written)
    }

    fn seek(&mut self, position: u64) -> io::Result<()> {
        self.written = position;
        self.file.seek(SeekFrom::Start(position)).map(drop)
    }
}

/// The length of the last character; an invalid byte counts as one.
fn last_character(text: &[u8]) -> usize {
    let is_one = |length: &usize| {
        let last = text.len().checked_sub(*length).map(|at| &text[at..]);
        last.is_some_and(|last| std::str::from_utf8(last).is_ok_and(|last| last.chars().count() == 1))
    };
    (2..=4).find(is_one).unwrap_or(1)
}

#[cfg(test)]
#[path = "strip_tests.rs"]
mod tests;
