//! Segments, options, limits and counts of content, and where it goes.

use super::tokens;
use crate::output::Out;
use rread_reader::reader::Reader;
use rread_reader::reader::full_scan::Invalid;
use rread_text::error::Result;
use rread_text::hashline::HashlineForm;

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
            let end =
                self.start.saturating_add(budget.characters().unwrap_or(u64::MAX)).min(self.end_in(reader));
            reader.source().advise(self.start..end);
        }
    }
}

/// Handling of bytes that are invalid in the encoding of the file.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
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
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
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
    /// Of control characters, colors and attributes act all the same; a line ends without them.
    pub keeps_colors: bool,
    pub encode: Option<Encode>,
    pub skip_bom: bool,
    /// Leave out the blanks at the end of lines.
    pub plain: bool,
    /// Estimate the tokens of the content even without a budget of tokens.
    pub estimates_tokens: bool,
}

impl ContentOptions {
    pub(super) fn is_verbatim(&self) -> bool {
        self.raw && !self.works_on_lines() && self.invalid != InvalidBytes::Error && self.encode.is_none()
    }

    pub(super) fn counts_tokens(&self, budget: Budget) -> bool {
        self.estimates_tokens || budget.token_thirds.is_some()
    }

    pub(super) fn works_on_lines(&self) -> bool {
        self.number || self.hash.is_some() || self.max_columns.is_some() || self.show_controls || self.plain
    }
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Budget {
    pub bytes: Option<u64>,
    /// Lines; a partial line counts.
    pub lines: Option<u64>,
    /// Thirds of estimated tokens, as `content/tokens.rs` counts them.
    pub token_thirds: Option<u64>,
}

impl Budget {
    pub fn less(self, stats: &ContentStats) -> Self {
        Budget {
            bytes: self.bytes.map(|n| n.saturating_sub(stats.content_bytes)),
            lines: self.lines.map(|n| n.saturating_sub(stats.lines())),
            token_thirds: self.token_thirds.map(|n| n.saturating_sub(stats.token_thirds.unwrap_or(0))),
        }
    }

    /// The most characters within the budget: each is at least one byte of content, and a third of a token.
    pub fn characters(self) -> Option<u64> {
        self.bytes.into_iter().chain(self.token_thirds).min()
    }

    /// The limit that `bytes` more of content, `thirds` of tokens, would exceed after `stats`.
    pub fn exceeded_limit(self, stats: &ContentStats, bytes: usize, thirds: usize) -> Option<CutBy> {
        let left = self.less(stats);
        if left.bytes.is_some_and(|room| bytes as u64 > room) {
            return Some(CutBy::Bytes);
        }
        left.token_thirds.is_some_and(|room| thirds as u64 > room).then_some(CutBy::Tokens)
    }

    pub fn is_limited(self) -> bool {
        self.bytes.is_some() || self.lines.is_some() || self.token_thirds.is_some()
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CutBy {
    Bytes,
    Lines,
    Tokens,
}

impl CutBy {
    pub fn setting(self) -> &'static str {
        match self {
            CutBy::Bytes => "max-bytes",
            CutBy::Lines => "max-lines",
            CutBy::Tokens => "max-tokens",
        }
    }
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
    /// The estimated tokens in thirds, as `content/tokens.rs` counts them; `None` if nobody asked.
    pub token_thirds: Option<u64>,
}

impl ContentStats {
    /// Lines; a partial line counts.
    pub fn lines(&self) -> u64 {
        self.newlines + u64::from(self.mid_line)
    }

    /// Adds the estimate of `text`, valid UTF-8, if it is asked for.
    pub fn count_tokens(&mut self, text: &[u8]) {
        self.token_thirds = self.token_thirds.map(|sum| sum + tokens::thirds(text));
    }
}

pub trait Sink {
    /// Writes the next piece. Without `raw`, it is valid UTF-8 that ends between characters.
    fn write(&mut self, content: &[u8]) -> Result<()>;

    /// Announces the segment that the next pieces come from.
    fn begin(&mut self, _: &Segment) -> Result<()> {
        Ok(())
    }

    /// Writes what comes before a line: its number, and its hash.
    fn prefix(&mut self, prefix: &[u8]) -> Result<()> {
        self.write(prefix)
    }

    /// Writes `shown` in the place of `text` of the file.
    fn replace(&mut self, _text: &[u8], shown: &[u8]) -> Result<()> {
        self.write(shown)
    }

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
