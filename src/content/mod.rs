//! The body of an answer: file bytes become content on their way to a sink, block by block.

mod copy;
mod encode;
mod prefix;
mod write;

use crate::error::Result;
use crate::hashline;
use crate::output::Out;
use crate::reader::Reader;
use crate::reader::full_scan::Invalid;

/// A segment of the file that goes into the content.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Segment {
    /// The first byte.
    pub start: u64,
    /// Past the last byte; `u64::MAX` for wherever a stream ends.
    pub end: u64,
    /// The number of the line that `start` lies in, when lines are to be numbered.
    pub line: u64,
}

impl Segment {
    /// Past the last byte, as far as is known by now.
    fn end_in(&self, reader: &Reader) -> u64 {
        match self.end {
            u64::MAX => reader.known_size().unwrap_or(u64::MAX),
            // Damage that was met since the segment was found ends it.
            end if reader.is_cut_short() => reader.known_size().map_or(end, |size| size.min(end)),
            end => end,
        }
    }

    /// Tells the source what will be read of it, as far as `budget` leaves that to be known.
    fn announce(&self, reader: &Reader, budget: Budget) {
        if budget.lines.is_none() {
            let end = self.start.saturating_add(budget.bytes.unwrap_or(u64::MAX)).min(self.end_in(reader));
            reader.source().advise(self.start..end);
        }
    }
}

/// What to do with bytes that are not valid in the file's encoding.
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
}

impl Encode {
    /// The word for it in receipts.
    pub fn name(self) -> &'static str {
        match self {
            Encode::Base64 => "base64",
            Encode::Hex => "hex",
        }
    }
}

/// How bytes become content.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ContentOptions {
    /// Keep the file's own bytes, invalid ones and the byte order mark included.
    pub raw: bool,
    /// What becomes of invalid bytes otherwise.
    pub invalid: InvalidBytes,
    /// Number the lines.
    pub number: bool,
    /// Number them as hashlines.
    pub hash: Option<hashline::Form>,
    /// Paint the line numbers.
    pub color: bool,
    /// Clip lines to so many characters.
    pub max_columns: Option<u64>,
    /// Show control characters instead of letting them act on a terminal.
    pub show_controls: bool,
    /// Encode instead of decoding.
    pub encode: Option<Encode>,
    /// Leave out the byte order mark at the start of the file.
    pub skip_bom: bool,
}

impl ContentOptions {
    /// Whether content and file bytes are the same.
    fn is_verbatim(&self) -> bool {
        self.raw && !self.works_on_lines() && self.invalid != InvalidBytes::Error && self.encode.is_none()
    }

    /// Whether lines have to be looked at one by one.
    fn works_on_lines(&self) -> bool {
        self.number || self.hash.is_some() || self.max_columns.is_some() || self.show_controls
    }
}

/// How much content there may be.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Budget {
    /// Bytes of content.
    pub bytes: Option<u64>,
    /// Lines, a begun one included.
    pub lines: Option<u64>,
}

impl Budget {
    /// What is left when `stats` has been taken.
    pub fn less(self, stats: &ContentStats) -> Self {
        Budget {
            bytes: self.bytes.map(|n| n.saturating_sub(stats.content_bytes)),
            lines: self.lines.map(|n| n.saturating_sub(stats.lines())),
        }
    }

    /// Whether there is a limit at all.
    pub(crate) fn is_limited(self) -> bool {
        self.bytes.is_some() || self.lines.is_some()
    }
}

/// Which budget ended the content.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CutBy {
    /// `--max-bytes`.
    Bytes,
    /// `--max-lines`.
    Lines,
}

/// What the content amounts to.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ContentStats {
    /// Bytes of content.
    pub content_bytes: u64,
    /// Newlines in it.
    pub newlines: u64,
    /// Whether it ends inside a line, or with a last line that has no newline.
    pub mid_line: bool,
    /// Past the last file byte that it stands for.
    pub end: u64,
    /// Invalid sequences among those bytes.
    pub invalid: Invalid,
    /// Lines that were clipped.
    pub clipped_lines: u64,
    /// Which budget ended it.
    pub cut: Option<CutBy>,
}

impl ContentStats {
    /// Lines, a begun one included.
    pub fn lines(&self) -> u64 {
        self.newlines + u64::from(self.mid_line)
    }
}

/// Where content goes.
pub trait Sink {
    /// Takes the next piece: valid UTF-8, and cut between characters, unless the options is raw.
    fn put(&mut self, content: &[u8]) -> Result<()>;

    /// Whether anybody looks at what is put, rather than at its length alone.
    fn is_read(&self) -> bool {
        true
    }
}

/// A sink that only lets itself be counted.
struct Counter;

impl Sink for Counter {
    fn put(&mut self, _: &[u8]) -> Result<()> {
        Ok(())
    }

    fn is_read(&self) -> bool {
        false
    }
}

/// Finds out what the content of `segments` amounts to under `budget`, without delivering it.
///
/// # Errors
/// Those of reading, and `invalid_text` where the options says so.
pub fn measure(
    reader: &Reader,
    segments: &[Segment],
    options: &ContentOptions,
    budget: Budget,
) -> Result<ContentStats> {
    match options.encode {
        Some(encode) => encode::write(reader, segments, encode, budget, &mut Counter),
        None => write::write(reader, segments, options, budget, &mut Counter),
    }
}

/// Delivers the content of `segments` to `sink`.
///
/// # Errors
/// Those of reading, of writing, and `invalid_text` where the options says so.
pub fn deliver(
    reader: &Reader,
    segments: &[Segment],
    options: &ContentOptions,
    sink: &mut dyn Sink,
) -> Result<ContentStats> {
    match options.encode {
        Some(encode) => encode::write(reader, segments, encode, Budget::default(), sink),
        None => write::write(reader, segments, options, Budget::default(), sink),
    }
}

/// Delivers to standard output as it is: the kernel copies where it can, and then there is no stats.
pub(crate) fn deliver_plain(
    reader: &Reader,
    segments: &[Segment],
    options: &ContentOptions,
    out: &mut Out,
) -> Result<Option<ContentStats>> {
    if options.is_verbatim() {
        segments.iter().try_for_each(|segment| copy::copy(reader, *segment, out))?;
        return Ok(None);
    }
    struct Plain<'a>(&'a mut Out);
    impl Sink for Plain<'_> {
        fn put(&mut self, content: &[u8]) -> Result<()> {
            self.0.write(content)
        }
    }
    deliver(reader, segments, options, &mut Plain(out)).map(Some)
}

/// Delivers `bytes` in base64.
pub fn base64(bytes: &[u8], sink: &mut dyn Sink) -> Result<()> {
    sink.put(data_encoding::BASE64.encode(bytes).as_bytes())
}

/// Bytes of buffer for `segments`: no more than the longest needs, since many slices are short.
fn buffer_size(reader: &Reader, segments: &[Segment]) -> usize {
    let longest = segments.iter().map(|segment| segment.end - segment.start).max().unwrap_or(0);
    usize::try_from(longest).unwrap_or(usize::MAX).clamp(12, reader.block().max(12))
}

/// The part of `segments` that lies before `end`.
pub fn before(segments: &[Segment], end: u64) -> Vec<Segment> {
    segments
        .iter()
        .map(|segment| Segment { end: segment.end.min(end.max(segment.start)), ..*segment })
        .collect()
}
