//! Segments, options, limits and counts of content, where it goes, and an estimate of its tokens.

use memchr::memchr;

use crate::output::Out;
use rread_reader::Reader;
use rread_reader::reader::full_scan::Invalid;
use rread_text::encoding::{MAX_CHAR, floor_char};
use rread_text::{HashlineForm, Result};

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

rread_text::words! { name,
    /// Encodings that show the exact bytes of any file.
    pub enum Encode {
        /// RFC 4648, section 4, with padding
        Base64 = "base64",
        /// Two lower-case digits for each byte
        Hex = "hex",
        /// Offset, 16 bytes in hex, and their characters in each row, as hexdump -v -C
        Hexdump = "hexdump",
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
    /// A NUL stands for a newline, and is shown so.
    pub null_data: bool,
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

    /// The limit that `line` would exceed.
    pub fn exceeded(self, line: &[u8]) -> Option<CutBy> {
        let tokens = usize::try_from(thirds(line)).unwrap_or(usize::MAX);
        let is_full = (self.lines == Some(0)).then_some(CutBy::Lines);
        is_full.or_else(|| self.exceeded_limit(&ContentStats::default(), line.len(), tokens))
    }

    pub fn is_limited(self) -> bool {
        self.bytes.is_some() || self.lines.is_some() || self.token_thirds.is_some()
    }
}

rread_text::words! { key,
    pub enum CutBy {
        Bytes = "max_bytes",
        Lines = "max_lines",
        Tokens = "max_tokens",
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
        self.token_thirds = self.token_thirds.map(|sum| sum + thirds(text));
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

/// Estimates are added up in thirds of a token, and rounded up at the end.
pub const THIRDS: u64 = 3;

/// The first byte of characters of four bytes below U+40000.
const LEAD: u8 = 0xF0;

/// The most pairs that a sum in a byte holds; a multiple of every vector width.
const BYTE_SUM: usize = 192;

/// The estimate of `text`, valid UTF-8, in thirds of a token: three bytes of UTF-8 are a token, and so is every CJK character.
///
/// CJK are Han, Hiragana, Katakana, Hangul, CJK punctuation and fullwidth forms: U+1100–11FF, U+2E80–A4CF, U+A960–A97F,
/// U+AC00–D7FF, U+F900–FAFF, U+FE30–FE4F, U+FF00–FFEF and U+20000–3FFFF. Below U+10000 a CJK character has three bytes, so
/// its bytes are a third of a token each, as all other bytes are. Only those of four bytes have to be found.
pub fn thirds(text: &[u8]) -> u64 {
    let bytes = text.len() as u64;
    // Most text has no such character.
    let Some(first) = memchr(LEAD, text) else { return bytes };
    // The compiler makes vector code of the sums: about 20 GB/s in the cache, whatever the text.
    let text = &text[first..];
    let seconds = text.get(1..).unwrap_or_default();
    let chunks = text.chunks(BYTE_SUM).zip(seconds.chunks(BYTE_SUM));
    let wide = |(first, second): (&u8, &u8)| u8::from(starts_wide(*first, *second));
    let sum = |first: &[u8], second: &[u8]| first.iter().zip(second).map(wide).sum::<u8>();
    let wide: u64 = chunks.map(|(first, second)| u64::from(sum(first, second))).sum();
    bytes - wide
}

/// The length of the longest beginning of `text` that is at most `room` thirds of a token and splits no character.
pub(super) fn fitting(text: &[u8], room: u64) -> usize {
    let (mut end, mut room) = (0, room);
    loop {
        let rest = &text[end..];
        // A byte is at most a third.
        let step = match floor_char(rest, usize::try_from(room).unwrap_or(usize::MAX)) {
            0 if room >= THIRDS && matches!(rest, [first, second, ..] if starts_wide(*first, *second)) => {
                MAX_CHAR
            }
            0 => return end,
            step => step,
        };
        room -= thirds(&rest[..step]);
        end += step;
    }
}

/// Whether a character that starts with these bytes is one of U+20000–3FFFF: four bytes, but one token.
fn starts_wide(first: u8, second: u8) -> bool {
    (first == LEAD) & (second >= 0xA0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_character_costs_what_the_documents_say() {
        for c in '\0'..=char::MAX {
            // Twice, so that the rounding shows whether it is two characters or their bytes.
            let text = format!("{c}{c}");
            assert_eq!(
                thirds(text.as_bytes()).div_ceil(THIRDS),
                rread_testkit::tokens::tokens(text.as_bytes()),
                "{c:?}"
            );
        }
    }

    #[test]
    fn the_longest_beginning_fits() {
        for text in ["a𠀀bc漢𠀀𠀀😀é", "𠀀𠀀𠀀𠀀𠀀𠀀𠀀𠀀𠀀𠀀", "😀𠀀😀𠀀abc", ""]
        {
            for room in 0..50 {
                let ends = text.char_indices().map(|(at, _)| at).chain([text.len()]);
                let expected = ends.filter(|end| thirds(&text.as_bytes()[..*end]) <= room).max();
                assert_eq!(Some(fitting(text.as_bytes(), room)), expected, "{text} in {room}");
            }
        }
    }
}
