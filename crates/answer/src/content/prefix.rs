//! The prefixes of lines (numbers, hashes and labels), and bytes in base64, hexadecimal or as a dump.

use std::collections::VecDeque;

use data_encoding::{BASE64, HEXLOWER};
use owo_colors::OwoColorize;

use super::types::{Budget, ContentOptions, ContentStats, CutBy, Encode, Segment, Sink, buffer_size};
use rread_reader::reader::LongLine;
use rread_reader::{LineWalk, Reader};
use rread_source::memory::Buffer;
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
        let whole = block.len().saturating_sub(hashed) / self.units.width * self.units.width;
        let Some(mut rest) = block.get(hashed..hashed + whole) else { return };
        self.at += rest.len() as u64;
        while let Some(end) = self.units.after_first(rest) {
            let (line, left) = rest.split_at(end);
            self.start = None;
            self.known.push_back(self.hasher.whole(&line[..end - self.units.width]));
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

/// Bytes that are encoded and written at once: their text fits into a cache.
const PIECE: usize = 12 << 10;

pub(super) struct EncodedWriter<'a> {
    pub(super) encode: Encode,
    pub(super) budget: Budget,
    pub(super) sink: &'a mut dyn Sink,
    pub(super) stats: ContentStats,
}

impl EncodedWriter<'_> {
    pub(super) fn write(mut self, reader: &Reader, segments: &[Segment]) -> Result<ContentStats> {
        let mut buffer = Buffer::default();
        // Only whole groups can be joined.
        let group = self.encode.group();
        let most = (buffer_size(reader, segments) / group).max(1) * group;
        for segment in segments {
            segment.advise(reader, self.budget);
            self.stats.end = segment.start;
            self.segment(reader, *segment, &mut buffer, most)?;
            if self.encode == Encode::Hexdump && self.stats.end > segment.start {
                self.end_dump()?;
            }
            if self.stats.cut.is_some() {
                break;
            }
        }
        Ok(self.stats)
    }

    fn segment(&mut self, reader: &Reader, segment: Segment, buffer: &mut Buffer, most: usize) -> Result<()> {
        let units = reader.units();
        let mut at = segment.start;
        while at < segment.end {
            let mut wanted = usize::try_from(segment.end - at).unwrap_or(usize::MAX).min(most);
            if let Some(room) = self.budget.characters() {
                let left = room.saturating_sub(self.stats.content_bytes);
                wanted = self.encode.fitting(at, wanted, left);
                if wanted == 0 {
                    let is_bytes = self.budget.bytes == Some(room);
                    self.stats.cut = Some(if is_bytes { CutBy::Bytes } else { CutBy::Tokens });
                    return Ok(());
                }
            }
            // Newlines are whole code units, so each read begins at the start of a unit.
            let from = units.floor(at);
            let lead = usize::try_from(at - from).unwrap_or(0);
            reader.read_exact(buffer.at(from, lead + wanted), from)?;
            if let Some(room) = self.budget.lines {
                if self.stats.newlines >= room {
                    self.stats.cut = Some(CutBy::Lines);
                    return Ok(());
                }
                let end = units.after_nth(&buffer[..lead + wanted], room - self.stats.newlines);
                wanted = end.map_or(wanted, |end| end - lead);
            }
            let (bytes, units_read) = (&buffer[lead..lead + wanted], &buffer[..lead + wanted]);
            self.encode(at, bytes)?;
            at += wanted as u64;
            self.stats.newlines += units.count(units_read);
            self.stats.mid_line = !units.ends_with(units_read, b'\n');
            self.stats.end = at;
        }
        Ok(())
    }

    fn encode(&mut self, at: u64, bytes: &[u8]) -> Result<()> {
        self.stats.content_bytes += self.encode.length(at, bytes.len());
        if !self.sink.is_read() {
            return Ok(());
        }
        let mut text = Vec::new();
        let offsets = (at..).step_by(PIECE);
        for (at, piece) in offsets.zip(bytes.chunks(PIECE)) {
            text.clear();
            match self.encode {
                Encode::Base64 => text.extend_from_slice(BASE64.encode(piece).as_bytes()),
                Encode::Hex => text.extend_from_slice(HEXLOWER.encode(piece).as_bytes()),
                Encode::Hexdump => append_rows(&mut text, at, piece),
            }
            self.sink.write(&text)?;
        }
        Ok(())
    }

    fn end_dump(&mut self) -> Result<()> {
        self.stats.content_bytes += end_length(self.stats.end);
        let mut text = Vec::new();
        append_offset(&mut text, self.stats.end);
        text.push(b'\n');
        self.sink.write(&text)
    }
}

impl Encode {
    /// The bytes of the file that are encoded together.
    fn group(self) -> usize {
        match self {
            Encode::Base64 => 3,
            Encode::Hex => 1,
            Encode::Hexdump => ROW,
        }
    }

    /// Encoded length of `bytes` input bytes at offset `at`.
    fn length(self, at: u64, bytes: usize) -> u64 {
        match self {
            Encode::Base64 => BASE64.encode_len(bytes) as u64,
            Encode::Hex => HEXLOWER.encode_len(bytes) as u64,
            Encode::Hexdump => rows(at, bytes).map(|(at, bytes)| row_length(at, bytes)).sum(),
        }
    }

    /// How many of `bytes` bytes at `at` make whole groups of at most `room` bytes of content.
    fn fitting(self, at: u64, bytes: usize, room: u64) -> usize {
        let groups = |width| usize::try_from(room / width).unwrap_or(usize::MAX);
        match self {
            Encode::Base64 => bytes.min(groups(4).saturating_mul(3)),
            Encode::Hex => bytes.min(groups(2)),
            Encode::Hexdump => fitting_rows(at, bytes, room),
        }
    }
}

/// Bytes in a row.
const ROW: usize = 16;

const OFFSET_DIGITS: u32 = 8;

/// Past the offset: two blanks, the cells of the bytes in two groups, and the bar before their characters.
const BLANK: [u8; 53] = *b"                                                    |";

/// The column of the first cell in a row.
const CELLS: usize = 2;

const HEX: [[u8; 2]; 256] = {
    let digits = b"0123456789abcdef";
    let mut table = [[0; 2]; 256];
    let mut byte = 0;
    while byte < 256 {
        table[byte] = [digits[byte >> 4], digits[byte & 15]];
        byte += 1;
    }
    table
};

fn offset_digits(offset: u64) -> u32 {
    offset.checked_ilog2().map_or(1, |bits| bits / 4 + 1).max(OFFSET_DIGITS)
}

/// The length of the line that ends a dump.
fn end_length(end: u64) -> u64 {
    u64::from(offset_digits(end)) + 1
}

fn row_length(at: u64, bytes: usize) -> u64 {
    u64::from(offset_digits(at)) + (BLANK.len() + bytes + b"|\n".len()) as u64
}

/// The offset and the number of bytes of every row.
fn rows(at: u64, bytes: usize) -> impl Iterator<Item = (u64, usize)> {
    (0..bytes).step_by(ROW).map(move |from| (at + from as u64, ROW.min(bytes - from)))
}

/// How many of `bytes` bytes fit into `room` with whole rows and the line at the end.
fn fitting_rows(at: u64, bytes: usize, room: u64) -> usize {
    let (mut used, mut fitting) = (0, 0);
    for (at, bytes) in rows(at, bytes) {
        used += row_length(at, bytes);
        if used + end_length(at + bytes as u64) > room {
            break;
        }
        fitting += bytes;
    }
    fitting
}

/// Appends the rows of `bytes`, which are at `at`.
fn append_rows(text: &mut Vec<u8>, at: u64, bytes: &[u8]) {
    for ((at, _), row) in rows(at, bytes.len()).zip(bytes.chunks(ROW)) {
        append_offset(text, at);
        let mut blank = BLANK;
        for (index, byte) in row.iter().enumerate() {
            let cell = CELLS + 3 * index + usize::from(index >= ROW / 2);
            blank[cell..cell + 2].copy_from_slice(&HEX[usize::from(*byte)]);
        }
        text.extend_from_slice(&blank);
        text.extend(row.iter().map(|byte| if matches!(byte, b' '..=b'~') { *byte } else { b'.' }));
        text.extend_from_slice(b"|\n");
    }
}

fn append_offset(text: &mut Vec<u8>, offset: u64) {
    let digits = offset.to_be_bytes().map(|byte| HEX[usize::from(byte)]);
    let skipped = digits.as_flattened().len() - offset_digits(offset) as usize;
    text.extend_from_slice(&digits.as_flattened()[skipped..]);
}
