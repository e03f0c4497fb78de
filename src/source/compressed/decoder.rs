//! What the decoders of all formats have in common: members, steps, faults.

use std::io;
use std::sync::Arc;

use super::bzip2::Bzip2;
use super::compressed_input::CompressedInput;
use super::decoder_state::DecoderState;
use super::format::Format;
use super::gzip::Gzip;
use super::lz4::Lz4;
use super::xz::Xz;
use super::zlib::Zlib;
use super::zstd::Zstd;
use crate::source::Source;

/// What an input that ends inside a member is told.
pub(super) const CUT_OFF: &str = "it ends in the middle";

/// Why decoding cannot go on.
#[derive(Debug)]
pub(super) enum DecodeError {
    /// The compressed bytes cannot be read.
    Read(io::Error),
    /// They are not what they should be.
    Damage(String),
    /// A checksum does not agree with so many bytes of text before it.
    Checksum(String, u64),
}

impl From<io::Error> for DecodeError {
    fn from(cause: io::Error) -> Self {
        DecodeError::Read(cause)
    }
}

impl DecodeError {
    pub(super) fn damage(what: impl Into<String>) -> Self {
        DecodeError::Damage(what.into())
    }

    pub(super) fn checksum(what: impl Into<String>, text: u64) -> Self {
        DecodeError::Checksum(what.into(), text)
    }

    pub(super) fn cut_off() -> Self {
        DecodeError::damage(CUT_OFF)
    }
}

/// What a decoder has come to.
pub(super) struct Step {
    /// So many more bytes of text.
    pub(super) decoded: usize,
    /// What is behind them.
    pub(super) end: StepEnd,
}

/// What is behind the text that a decoder has given.
pub(super) enum StepEnd {
    /// More of it.
    More,
    /// A checkpoint where decoding can be taken up again.
    Checkpoint(DecoderState),
    /// The end of the member.
    End,
    /// Damage.
    Damage(String),
    /// A checksum that does not agree with so many bytes of text before it.
    Checksum(String, u64),
}

impl StepEnd {
    /// What is behind the text of a member whose trailer was checked.
    pub(super) fn after(trailer: Result<(), DecodeError>) -> Result<Self, DecodeError> {
        match trailer {
            Ok(()) => Ok(StepEnd::End),
            // The text before it is given all the same.
            Err(DecodeError::Damage(what)) => Ok(StepEnd::Damage(what)),
            Err(DecodeError::Checksum(what, text)) => Ok(StepEnd::Checksum(what, text)),
            Err(error) => Err(error),
        }
    }
}

/// Decodes the members (streams, frames) of one format, one after another.
pub(super) trait Decoder: Send {
    /// Where the compressed bytes come from.
    fn input(&mut self) -> &mut CompressedInput;

    /// Starts with the member that begins at the input's position.
    fn begin(&mut self) -> Result<(), DecodeError>;

    /// Takes up decoding inside a member, at the input's position, where `window` is the text before. Only what gave such a
    /// checkpoint is asked.
    fn resume(&mut self, _inside: &DecoderState, _window: &[u8]) -> Result<(), DecodeError> {
        self.begin()
    }

    /// Bytes of text before a checkpoint that are needed to take up decoding there.
    fn window(&self) -> usize {
        0
    }

    /// How many of the bytes given last wait for their checksum; none if there is no checksum to come, and `None` if it can
    /// no longer be compared.
    fn unchecked(&self) -> Option<u64> {
        Some(0)
    }

    /// Decodes into `text[at..]`, which is never empty; what lies before `at` is the text before. With `mark` it stops at the next
    /// checkpoint where it can be taken up again, if the format has such checkpoints inside members.
    fn decode(&mut self, text: &mut [u8], at: usize, mark: bool) -> Result<Step, DecodeError>;
}

/// The decoder of `format`, at the start of `source`.
pub(super) fn new(format: Format, source: Arc<dyn Source>) -> io::Result<Box<dyn Decoder>> {
    let input = CompressedInput::new(source);
    Ok(match format {
        Format::Gzip | Format::Bgzf => Box::new(Gzip::new(input)),
        Format::Zstd => Box::new(Zstd::new(input)?),
        Format::Xz => Box::new(Xz::new(input, false)),
        Format::Lzma => Box::new(Xz::new(input, true)),
        Format::Bzip2 => Box::new(Bzip2::new(input)),
        Format::Lz4 => Box::new(Lz4::new(input)),
        Format::Zlib => Box::new(Zlib::new(input)),
    })
}
