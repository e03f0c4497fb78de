//! The prefixes of numbered lines: the line number, or the number and the hash.

use std::collections::VecDeque;

use owo_colors::OwoColorize;

use super::types::{ContentOptions, Segment};
use rread_reader::reader::LongLine;
use rread_reader::{LineWalk, Reader};
use rread_text::hashline::LineHasher;
use rread_text::{Anchor, HashStyle, HashlineForm, Result, Units};

/// The label of every line, before its number or hash.
#[derive(Clone, Copy, Debug)]
pub struct LineLabel<'a> {
    /// The name of the file, with what separates it from the line.
    pub name: &'a [u8],
    /// The number of the line and a colon follow, unless a hashline does.
    pub numbers: bool,
}

pub(super) struct Prefix<'a> {
    options: &'a ContentOptions,
    label: Option<LineLabel<'a>>,
    /// `None` for measuring: every hash has the same length.
    hashes: Option<LineHashes<'a>>,
    text: Vec<u8>,
    made_for: Option<u64>,
}

impl<'a> Prefix<'a> {
    /// Without `read`, hashes are zero.
    pub(super) fn new(
        options: &'a ContentOptions,
        reader: &'a Reader,
        read: bool,
        label: Option<LineLabel<'a>>,
    ) -> Self {
        Prefix {
            options,
            label,
            hashes: options.hash.filter(|_| read).map(|form| LineHashes::new(form, reader)),
            text: Vec::new(),
            made_for: None,
        }
    }

    pub(super) fn begin(&mut self, segment: &Segment) -> Result<()> {
        self.made_for = None;
        self.hashes.as_mut().map_or(Ok(()), |hashes| hashes.begin(segment))
    }

    /// Hashes a block of the segment; `before_line` needs the hashes of the lines in it.
    pub(super) fn hash_block(&mut self, block: &[u8], at: u64) {
        if let Some(hashes) = &mut self.hashes {
            hashes.hash_block(block, at);
        }
    }

    pub(super) fn before_line(&mut self, line: u64) -> Result<&[u8]> {
        if self.made_for != Some(line) {
            self.text.clear();
            self.text.extend_from_slice(self.label.map_or(b"", |label| label.name));
            match self.options.hash {
                Some(form) => {
                    let hash = self.hashes.as_mut().map_or(Ok(0), |hashes| hashes.shown(line, form))?;
                    self.hashline(form, line, hash);
                }
                None if self.label.is_some_and(|label| label.numbers) => {
                    push_number(&mut self.text, line, 1);
                    self.text.push(b':');
                }
                None if self.options.number => self.begin_line(line),
                None => {}
            }
            self.made_for = Some(line);
        }
        Ok(&self.text)
    }

    fn begin_line(&mut self, line: u64) {
        let from = self.text.len();
        push_number(&mut self.text, line, 6);
        self.paint(from);
        self.text.extend("→".bytes());
    }

    fn hashline(&mut self, form: HashlineForm, line: u64, hash: u32) {
        let from = self.text.len();
        push_number(&mut self.text, line, 1);
        self.text.push(b'#');
        form.tag(hash).append_to(&mut self.text);
        self.paint(from);
        self.text.push(form.separator());
    }

    fn paint(&mut self, from: usize) {
        if self.options.color {
            let painted = String::from_utf8_lossy(&self.text[from..]).green().to_string();
            self.text.splice(from.., painted.bytes());
        }
    }
}

/// Appends `n`, right-aligned in `width` bytes. `write!` is too slow for every line.
pub fn push_number(text: &mut Vec<u8>, n: u64, width: usize) {
    let mut digits = [b' '; 20];
    let (mut at, mut rest) = (digits.len(), n);
    while at == digits.len() || rest > 0 {
        at -= 1;
        digits[at] = b'0' + u8::try_from(rest % 10).unwrap_or(0);
        rest /= 10;
    }
    text.extend_from_slice(&digits[at.min(digits.len() - width)..]);
}

struct LineHashes<'a> {
    reader: &'a Reader,
    walk: LineWalk<'a>,
    units: Units,
    style: HashStyle,
    hasher: LineHasher,
    at: u64,
    /// The start of the segment's first line, until that line ends.
    start: Option<u64>,
    /// The hashes of line `first` and of those after it that end in hashed blocks.
    known: VecDeque<u32>,
    first: u64,
}

impl<'a> LineHashes<'a> {
    fn new(form: HashlineForm, reader: &'a Reader) -> Self {
        let units = reader.units();
        let hasher = LineHasher::new(form.style, units);
        let walk = LineWalk::new(reader);
        let known = VecDeque::new();
        LineHashes { reader, walk, units, style: form.style, hasher, at: 0, start: None, known, first: 1 }
    }

    fn begin(&mut self, segment: &Segment) -> Result<()> {
        self.hasher.finish(false);
        self.known.clear();
        self.first = segment.line;
        self.start = None;
        if let Some(line) = self.reader.long_line_at(segment.start, self.style) {
            self.known.push_back(line.hash);
            self.at = line.next;
            return Ok(());
        }
        self.at = if segment.start > 0 { self.reader.line_start(segment.start)? } else { 0 };
        self.start = Some(self.at);
        Ok(())
    }

    /// Hashes the part of `block` after the last hashed byte, if the two touch.
    fn hash_block(&mut self, block: &[u8], at: u64) {
        let Some(hashed) = self.at.checked_sub(at).and_then(|n| usize::try_from(n).ok()) else { return };
        let whole = block.len().saturating_sub(hashed) / self.units.width() * self.units.width();
        let Some(mut rest) = block.get(hashed..hashed + whole) else { return };
        self.at += rest.len() as u64;
        while let Some(end) = self.units.after_first(rest) {
            let (line, left) = rest.split_at(end);
            self.start = None;
            self.known.push_back(self.hasher.whole(&line[..end - self.units.width()]));
            rest = left;
        }
        self.hasher.update(rest);
    }

    /// The hash of a line that is shown with it.
    fn shown(&mut self, line: u64, form: HashlineForm) -> Result<u32> {
        let hash = self.hash_of_line(line)?;
        self.reader.note_hash(Anchor { line, tag: form.tag(hash) });
        Ok(hash)
    }

    /// Line numbers must not descend from call to call.
    fn hash_of_line(&mut self, line: u64) -> Result<u32> {
        while self.first < line {
            if self.known.pop_front().is_none() {
                self.finish_line()?;
            }
            self.first += 1;
        }
        match self.known.front() {
            Some(hash) => Ok(*hash),
            None => {
                let hash = self.finish_line()?;
                self.known.push_back(hash);
                Ok(hash)
            }
        }
    }

    fn finish_line(&mut self) -> Result<u32> {
        let walked = self.walk.line(self.at, &mut |piece| self.hasher.update(piece))?;
        self.at = walked.next;
        let hash = self.hasher.finish(walked.terminated);
        if let Some(start) = self.start.take() {
            self.reader.remember(LongLine { start, next: walked.next, hash, style: self.style });
        }
        Ok(hash)
    }
}
