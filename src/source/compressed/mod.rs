//! The text of a compressed file as a source: decoded forward, remembered a little, taken up again anywhere.

mod bzip2;
pub mod checkpoint;
mod decoder;
pub mod decoder_state;
mod deflate;
mod feed;
pub mod format;
mod gzip;
mod lz4;
mod proven;
mod seek_table;
mod text;
mod window;
mod xz;
mod xz_index;
mod zlib;
mod zstd;

use std::fmt;
use std::fs::Metadata;
use std::io;
use std::ops::Range;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use checkpoint::Checkpoints;
use format::Format;
use text::Text;

use super::object::{Object, Traffic};
use super::version::Version;
use super::{Change, Source};

/// The compressed bytes are not what they should be. An [`io::Error`] of a read has this inside.
#[derive(Clone, Debug)]
pub struct Damage {
    /// The format they should be in.
    pub format: Format,
    /// Their offset in the compressed file.
    pub input: u64,
    /// The text before them, in bytes: all that can be decoded.
    pub text: u64,
    /// How much of that text comes before what did not agree with its checksum; all of it where no checksum came.
    pub unsound: u64,
    /// What is wrong.
    pub what: String,
}

impl fmt::Display for Damage {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Damage { format, input, what, .. } = self;
        write!(f, "the {} data is damaged at or before byte {input} of the file: {what}", format.name())
    }
}

impl std::error::Error for Damage {}

/// How the bytes of a source are compressed, where whoever keeps them has written it down beside them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Packing {
    /// The format.
    pub format: Format,
    /// The length of the text in bytes.
    pub text_size: u64,
}

/// The text of a compressed source. Offsets and size are those of the text.
pub struct Compressed {
    stored: Arc<dyn Source>,
    format: Format,
    salvaged: bool,
    text: Mutex<Text>,
}

/// What was learned of a text, so that it can be told whether more has been.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Learned {
    places: usize,
    has_end: bool,
    proven: u64,
}

impl Compressed {
    /// The text of `stored`, which is compressed in `format`.
    pub fn new(stored: Box<dyn Source>, format: Format) -> io::Result<Self> {
        Compressed::opened(stored, format, false)
    }

    /// The same; to be `salvaged`, the text ends where the first damage is.
    pub fn opened(stored: Box<dyn Source>, format: Format, salvaged: bool) -> io::Result<Self> {
        let stored: Arc<dyn Source> = stored.into();
        let text = Mutex::new(Text::new(Arc::clone(&stored), format, salvaged)?);
        Ok(Compressed { stored, format, salvaged, text })
    }

    /// The first damage that was met so far.
    pub fn damage(&self) -> Option<Damage> {
        self.text().met.clone()
    }

    /// Whether the text is to end where the first damage is.
    pub(crate) fn is_salvaged(&self) -> bool {
        self.salvaged
    }

    /// From now on the text ends where damage begins, and reading there is not an error.
    pub(crate) fn end_at_damage(&self) {
        self.text().ends_at_damage = true;
    }

    /// Whether the size is that of the text before damage.
    pub(crate) fn is_cut_short(&self) -> bool {
        let text = self.text();
        text.ends_at_damage && text.met.is_some()
    }

    /// Whether the text of `span` agrees with its checksums. Reads on to them if they are near, and never waits for a stream.
    pub(crate) fn prove(&self, span: Range<u64>) -> bool {
        self.text().prove(&span)
    }

    /// The bytes as they are stored.
    pub fn stored(&self) -> &dyn Source {
        &*self.stored
    }

    /// How they are compressed.
    pub fn format(&self) -> Format {
        self.format
    }

    /// Where decoding can be taken up again, as far as that is known.
    pub fn checkpoints(&self) -> Checkpoints {
        self.text().checkpoints.clone()
    }

    /// How many such places there are, whether the end is known, and how much of the text agreed with its checksums.
    pub fn learned(&self) -> Learned {
        let text = self.text();
        let proven = text.checkpoints.proven.length_from_start();
        let has_end = text.checkpoints.text_size.is_some();
        match text.checkpoints.is_table() {
            true => Learned { proven, ..Learned::default() },
            false => Learned { places: text.checkpoints.len(), has_end, proven },
        }
    }

    /// Takes over what was learned of the same file before, unless the file tells by itself.
    pub fn set_checkpoints(&self, checkpoints: Checkpoints) {
        let mut text = self.text();
        if text.checkpoints.is_table() {
            text.checkpoints.proven = checkpoints.proven;
        } else {
            text.checkpoints = checkpoints;
        }
    }

    /// Whether bytes follow behind the last member that belong to none.
    pub fn has_trailing_garbage(&self) -> bool {
        self.text().checkpoints.garbage
    }

    fn text(&self) -> MutexGuard<'_, Text> {
        self.text.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Source for Compressed {
    fn read_at(&self, buffer: &mut [u8], offset: u64) -> io::Result<usize> {
        // Of a stream, what is there; of a file, all that was asked.
        let all = self.stored.size().is_some();
        self.text().read_at(buffer, offset, all)
    }

    fn size(&self) -> Option<u64> {
        self.text().size()
    }

    fn version(&self) -> io::Result<Option<Version>> {
        self.stored.version()
    }

    fn changed(&self) -> io::Result<Option<Change>> {
        self.stored.changed()
    }

    fn metadata(&self) -> Option<&Metadata> {
        self.stored.metadata()
    }

    fn object(&self) -> Option<&Object> {
        self.stored.object()
    }

    fn traffic(&self) -> Option<Traffic> {
        let traffic = self.stored.traffic()?;
        // Text is decoded again from as far back as need be: only what is held whole costs nothing more.
        let whole = self.stored.size().is_some_and(|size| size <= traffic.held);
        Some(Traffic { held: if whole { u64::MAX } else { 0 }, ..traffic })
    }

    fn is_sequential(&self) -> bool {
        true
    }

    fn compressed(&self) -> Option<&Compressed> {
        Some(self)
    }
}
