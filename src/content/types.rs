//! Segments, options, limits and counts of content, and where it goes.

use crate::error::Result;
use crate::hashline::HashlineForm;
use crate::output::Out;
use crate::reader::Reader;
use crate::reader::full_scan::Invalid;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Segment {
    pub start: u64,
    /// Past the last byte; `u64::MAX` for the end of a stream.
    pub end: u64,
    /// The line that contains `start`; used only for numbering.
    pub line: u64,
}

impl Segment {
    pub(super) fn end_in(&self, reader: &Reader) -> u64 {
        match self.end {
            u64::MAX => reader.known_size().unwrap_or(u64::MAX),
            // Reading may have found damage since the segment was located.
            end if reader.is_cut_short() => reader.known_size().map_or(end, |size| size.min(end)),
            end => end,
        }
    }

    /// Advises the source which bytes will be read; a line budget leaves that unknown.
    pub(super) fn advise(&self, reader: &Reader, budget: Budget) {
        if budget.lines.is_none() {
            let end = self.start.saturating_add(budget.bytes.unwrap_or(u64::MAX)).min(self.end_in(reader));
            reader.source().advise(self.start..end);
        }
    }
}

/// Handling of bytes that are invalid in the encoding of the file.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, clap::ValueEnum)]
pub enum InvalidBytes {
    /// Each invalid sequence becomes U+FFFD
    #[default]
    Replace,
    /// Refuse the text, with the offset of the first invalid byte
    Error,
    /// Each invalid byte becomes \xNN
    Escape,
}

/// Encodings that show the exact bytes of any file.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
pub enum Encode {
    /// RFC 4648, section 4, with padding
    Base64,
    /// Two lower-case digits for each byte
    Hex,
    /// Offset, 16 bytes in hex, and their characters in each row, as hexdump -v -C
    Hexdump,
}

impl Encode {
    pub fn name(self) -> &'static str {
        match self {
            Encode::Base64 => "base64",
            Encode::Hex => "hex",
            Encode::Hexdump => "hexdump",
        }
    }
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ContentOptions {
    /// Keep the bytes of the file, including invalid ones and the byte order mark.
    pub raw: bool,
    pub invalid: InvalidBytes,
    pub number: bool,
    pub hash: Option<HashlineForm>,
    pub color: bool,
    pub max_columns: Option<u64>,
    /// Show control characters instead of letting them act on a terminal.
    pub show_controls: bool,
    pub encode: Option<Encode>,
    pub skip_bom: bool,
}

impl ContentOptions {
    pub(super) fn is_verbatim(&self) -> bool {
        self.raw && !self.works_on_lines() && self.invalid != InvalidBytes::Error && self.encode.is_none()
    }

    pub(super) fn works_on_lines(&self) -> bool {
        self.number || self.hash.is_some() || self.max_columns.is_some() || self.show_controls
    }
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Budget {
    pub bytes: Option<u64>,
    /// Lines; a partial line counts.
    pub lines: Option<u64>,
}

impl Budget {
    pub fn less(self, stats: &ContentStats) -> Self {
        Budget {
            bytes: self.bytes.map(|n| n.saturating_sub(stats.content_bytes)),
            lines: self.lines.map(|n| n.saturating_sub(stats.lines())),
        }
    }

    pub(crate) fn is_limited(self) -> bool {
        self.bytes.is_some() || self.lines.is_some()
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CutBy {
    Bytes,
    Lines,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ContentStats {
    pub content_bytes: u64,
    pub newlines: u64,
    pub mid_line: bool,
    /// Past the last file byte of the content.
    pub end: u64,
    pub invalid: Invalid,
    pub clipped_lines: u64,
    pub cut: Option<CutBy>,
}

impl ContentStats {
    /// Lines; a partial line counts.
    pub fn lines(&self) -> u64 {
        self.newlines + u64::from(self.mid_line)
    }
}

pub trait Sink {
    /// Writes the next piece. Without `raw`, it is valid UTF-8 that ends between characters.
    fn write(&mut self, content: &[u8]) -> Result<()>;

    /// False if only the length of the content matters.
    fn is_read(&self) -> bool {
        true
    }
}

impl Sink for Out {
    fn write(&mut self, content: &[u8]) -> Result<()> {
        Out::write(self, content)
    }
}

impl Sink for Vec<u8> {
    fn write(&mut self, content: &[u8]) -> Result<()> {
        self.extend_from_slice(content);
        Ok(())
    }
}

/// No larger than the longest segment, because many slices are short.
pub(super) fn buffer_size(reader: &Reader, segments: &[Segment]) -> usize {
    let longest = segments.iter().map(|segment| segment.end - segment.start).max().unwrap_or(0);
    usize::try_from(longest).unwrap_or(usize::MAX).clamp(12, reader.block().max(12))
}
