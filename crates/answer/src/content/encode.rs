//! Writes file bytes as base64, as hex, or as a hex dump.

use data_encoding::{BASE64, HEXLOWER};

use super::hexdump;
use super::types::{Budget, ContentStats, CutBy, Encode, Segment, Sink, buffer_size};
use rread_reader::reader::Reader;
use rread_source::memory::Buffer;
use rread_text::error::Result;

/// Bytes that are encoded and written at once: their text fits into a cache.
const PIECE: usize = 12 << 10;

pub(super) struct EncodedWriter<'a> {
    pub(super) encode: Encode,
    /// Whether a dump has colors, which count for no budget.
    pub(super) color: bool,
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
                Encode::Hexdump => hexdump::append(&mut text, at, piece, self.color),
            }
            self.sink.write(&text)?;
        }
        Ok(())
    }

    fn end_dump(&mut self) -> Result<()> {
        self.stats.content_bytes += hexdump::end_length(self.stats.end);
        let mut text = Vec::new();
        hexdump::append_end(&mut text, self.stats.end, self.color);
        self.sink.write(&text)
    }
}

impl Encode {
    /// The bytes of the file that are encoded together.
    fn group(self) -> usize {
        match self {
            Encode::Base64 => 3,
            Encode::Hex => 1,
            Encode::Hexdump => hexdump::ROW,
        }
    }

    /// Encoded length of `bytes` input bytes at offset `at`.
    fn length(self, at: u64, bytes: usize) -> u64 {
        match self {
            Encode::Base64 => BASE64.encode_len(bytes) as u64,
            Encode::Hex => HEXLOWER.encode_len(bytes) as u64,
            Encode::Hexdump => hexdump::length(at, bytes),
        }
    }

    /// How many of `bytes` bytes at `at` make whole groups of at most `room` bytes of content.
    fn fitting(self, at: u64, bytes: usize, room: u64) -> usize {
        let groups = |width| usize::try_from(room / width).unwrap_or(usize::MAX);
        match self {
            Encode::Base64 => bytes.min(groups(4).saturating_mul(3)),
            Encode::Hex => bytes.min(groups(2)),
            Encode::Hexdump => hexdump::fitting(at, bytes, room),
        }
    }
}
