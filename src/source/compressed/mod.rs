//! The text of a compressed file as a source: decoded forward, remembered a little, taken up again anywhere.

mod bzip2;
mod checked_spans;
pub mod checkpoint;
mod compressed_input;
mod decoded_stream;
mod decoder;
pub mod decoder_state;
mod deflate;
pub mod format;
mod gzip;
mod lz4;
mod seek_table;
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
use decoded_stream::DecodedStream;
use format::Format;

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
pub struct KnownCompression {
    /// The format.
    pub format: Format,
    /// The length of the text in bytes.
    pub text_size: u64,
}

/// The text of a compressed source. Offsets and size are those of the text.
pub struct Compressed {
    raw: Arc<dyn Source>,
    format: Format,
    salvaged: bool,
    text: Mutex<DecodedStream>,
}

/// What was learned of a text, so that it can be told whether more has been.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct CheckpointStats {
    checkpoints: usize,
    has_end: bool,
    checked: u64,
}

impl Compressed {
    /// The text of `raw`, which is compressed in `format`.
    pub fn new(raw: Box<dyn Source>, format: Format) -> io::Result<Self> {
        Compressed::opened(raw, format, false)
    }

    /// The same; to be `salvaged`, the text ends where the first damage is.
    pub fn opened(raw: Box<dyn Source>, format: Format, salvaged: bool) -> io::Result<Self> {
        let raw: Arc<dyn Source> = raw.into();
        let text = Mutex::new(DecodedStream::new(Arc::clone(&raw), format, salvaged)?);
        Ok(Compressed { raw, format, salvaged, text })
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
    pub(crate) fn check_span(&self, span: Range<u64>) -> bool {
        self.text().check_span(&span)
    }

    /// The bytes as they are stored.
    pub fn raw(&self) -> &dyn Source {
        &*self.raw
    }

    /// How they are compressed.
    pub fn format(&self) -> Format {
        self.format
    }

    /// Where decoding can be taken up again, as far as that is known.
    pub fn checkpoints(&self) -> Checkpoints {
        self.text().checkpoints.clone()
    }

    /// How many such checkpoints there are, whether the end is known, and how much of the text agreed with its checksums.
    pub fn checkpoint_stats(&self) -> CheckpointStats {
        let text = self.text();
        let checked = text.checkpoints.checked.length_from_start();
        let has_end = text.checkpoints.text_size.is_some();
        match text.checkpoints.is_table() {
            true => CheckpointStats { checked, ..CheckpointStats::default() },
            false => CheckpointStats { checkpoints: text.checkpoints.len(), has_end, checked },
        }
    }

    /// Takes over what was learned of the same file before, unless the file tells by itself.
    pub fn set_checkpoints(&self, checkpoints: Checkpoints) {
        let mut text = self.text();
        if text.checkpoints.is_table() {
            text.checkpoints.checked = checkpoints.checked;
        } else {
            text.checkpoints = checkpoints;
        }
    }

    /// Whether bytes follow behind the last member that belong to none.
    pub fn has_trailing_garbage(&self) -> bool {
        self.text().checkpoints.garbage
    }

    fn text(&self) -> MutexGuard<'_, DecodedStream> {
        self.text.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Source for Compressed {
    fn read_at(&self, buffer: &mut [u8], offset: u64) -> io::Result<usize> {
        // Of a stream, what is there; of a file, all that was asked.
        let all = self.raw.size().is_some();
        self.text().read_at(buffer, offset, all)
    }

    fn size(&self) -> Option<u64> {
        self.text().size()
    }

    fn version(&self) -> io::Result<Option<Version>> {
        self.raw.version()
    }

    fn changed(&self) -> io::Result<Option<Change>> {
        self.raw.changed()
    }

    fn metadata(&self) -> Option<&Metadata> {
        self.raw.metadata()
    }

    fn object(&self) -> Option<&Object> {
        self.raw.object()
    }

    fn traffic(&self) -> Option<Traffic> {
        let traffic = self.raw.traffic()?;
        // DecodedStream is decoded again from as far back as need be: only what is held whole costs nothing more.
        let whole = self.raw.size().is_some_and(|size| size <= traffic.held);
        Some(Traffic { held: if whole { u64::MAX } else { 0 }, ..traffic })
    }

    fn is_sequential(&self) -> bool {
        true
    }

    fn compressed(&self) -> Option<&Compressed> {
        Some(self)
    }
}
