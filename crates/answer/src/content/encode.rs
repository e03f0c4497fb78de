//! Writes file bytes as base64, as hex, or as a hex dump: the rows that `hexdump -v -C` prints.

use data_encoding::{BASE64, HEXLOWER};

use super::types::{Budget, ContentStats, CutBy, Encode, Segment, Sink, buffer_size};
use rread_reader::Reader;
use rread_source::memory::Buffer;
use rread_text::Result;

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
            Encode::Hexdump => dump_length(at, bytes),
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

fn dump_length(at: u64, bytes: usize) -> u64 {
    rows(at, bytes).map(|(at, bytes)| row_length(at, bytes)).sum()
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
