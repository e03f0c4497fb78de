//! What the decoders of all formats have in common: members, steps, faults.

use std::io;
use std::sync::Arc;

use super::bzip2::Bzip2;
use super::decoder_state::DecoderState;
use super::feed::Feed;
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
pub(super) enum Fault {
    /// The compressed bytes cannot be read.
    Read(io::Error),
    /// They are not what they should be.
    Damage(String),
    /// A checksum does not agree with so many bytes of text before it.
    Checksum(String, u64),
}

impl From<io::Error> for Fault {
    fn from(cause: io::Error) -> Self {
        Fault::Read(cause)
    }
}

impl Fault {
    pub(super) fn damage(what: impl Into<String>) -> Self {
        Fault::Damage(what.into())
    }

    pub(super) fn checksum(what: impl Into<String>, text: u64) -> Self {
        Fault::Checksum(what.into(), text)
    }

    pub(super) fn cut_off() -> Self {
        Fault::damage(CUT_OFF)
    }
}

/// What a decoder has come to.
pub(super) struct Step {
    /// So many more bytes of text.
    pub(super) given: usize,
    /// What is behind them.
    pub(super) then: Then,
}

/// What is behind the text that a decoder has given.
pub(super) enum Then {
    /// More of it.
    More,
    /// A place where decoding can be taken up again.
    Place(DecoderState),
    /// The end of the member.
    End,
    /// Damage.
    Damage(String),
    /// A checksum that does not agree with so many bytes of text before it.
    Checksum(String, u64),
}

impl Then {
    /// What is behind the text of a member whose trailer was checked.
    pub(super) fn after(trailer: Result<(), Fault>) -> Result<Self, Fault> {
        match trailer {
            Ok(()) => Ok(Then::End),
            // The text before it is given all the same.
            Err(Fault::Damage(what)) => Ok(Then::Damage(what)),
            Err(Fault::Checksum(what, text)) => Ok(Then::Checksum(what, text)),
            Err(fault) => Err(fault),
        }
    }
}

/// Decodes the members (streams, frames) of one format, one after another.
pub(super) trait Decoder: Send {
    /// Where the compressed bytes come from.
    fn feed(&mut self) -> &mut Feed;

    /// Starts with the member that begins at the feed's position.
    fn begin(&mut self) -> Result<(), Fault>;

    /// Takes up decoding inside a member, at the feed's position, where `window` is the text before. Only what gave such a
    /// place is asked.
    fn resume(&mut self, _inside: &DecoderState, _window: &[u8]) -> Result<(), Fault> {
        self.begin()
    }

    /// Bytes of text before a place that are needed to take up decoding there.
    fn window(&self) -> usize {
        0
    }

    /// How many of the bytes given last wait for their checksum; none if there is no checksum to come, and `None` if it can
    /// no longer be compared.
    fn unchecked(&self) -> Option<u64> {
        Some(0)
    }

    /// Decodes into `text[at..]`, which is never empty; what lies before `at` is the text before. With `mark` it stops at the next
    /// place where it can be taken up again, if the format has such places inside members.
    fn decode(&mut self, text: &mut [u8], at: usize, mark: bool) -> Result<Step, Fault>;
}

/// The decoder of `format`, at the start of `source`.
pub(super) fn new(format: Format, source: Arc<dyn Source>) -> io::Result<Box<dyn Decoder>> {
    let feed = Feed::new(source);
    Ok(match format {
        Format::Gzip | Format::Bgzf => Box::new(Gzip::new(feed)),
        Format::Zstd => Box::new(Zstd::new(feed)?),
        Format::Xz => Box::new(Xz::new(feed, false)),
        Format::Lzma => Box::new(Xz::new(feed, true)),
        Format::Bzip2 => Box::new(Bzip2::new(feed)),
        Format::Lz4 => Box::new(Lz4::new(feed)),
        Format::Zlib => Box::new(Zlib::new(feed)),
    })
}
