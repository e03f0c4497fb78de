//! The text of a compressed file as a source: decoded forward, and resumed at checkpoints.

mod bzip2;
mod checked_spans;
mod checkpoint;
mod compressed_input;
pub(crate) mod damage;
mod decode_error;
mod decoded_stream;
mod decoder;
mod decoder_state;
mod decoders;
mod deflate;
mod detect;
pub(crate) mod format;
mod gzip;
mod lz4;
mod seek_table;
mod window;
mod xz;
mod xz_index;
mod zlib;
mod zstd;

use std::fs::Metadata;
use std::io;
use std::ops::Range;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

pub use checkpoint::Checkpoints;
pub use damage::Damage;
pub use format::{CompressionFormat, KnownCompression};

use super::object::{Object, Traffic};
use super::version::Version;
use super::{Change, Source};
use decoded_stream::DecodedStream;

/// The text of a compressed source. Offsets and size are those of the text.
pub struct Compressed {
    raw: Arc<dyn Source>,
    format: CompressionFormat,
    is_salvaged: bool,
    stream: Mutex<DecodedStream>,
}

/// A measure of what decoding has shown: it changes when there is more for the index to keep.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct CheckpointStats {
    checkpoints: usize,
    has_end: bool,
    checked: u64,
}

impl Compressed {
    /// The text of `raw`.
    pub fn new(raw: Box<dyn Source>, format: CompressionFormat) -> io::Result<Self> {
        Compressed::opened(raw, format, false)
    }

    /// The text of `raw`; with `salvage`, it ends at the first damage.
    pub(crate) fn opened(raw: Box<dyn Source>, format: CompressionFormat, salvage: bool) -> io::Result<Self> {
        let raw: Arc<dyn Source> = raw.into();
        let stream = Mutex::new(DecodedStream::new(Arc::clone(&raw), format, salvage)?);
        Ok(Compressed { raw, format, is_salvaged: salvage, stream })
    }

    /// The first damage so far.
    pub fn damage(&self) -> Option<Damage> {
        self.stream().first_damage.clone()
    }

    /// Whether the user asked for the text before the first damage.
    pub(crate) fn is_salvaged(&self) -> bool {
        self.is_salvaged
    }

    /// From now on the text ends where damage begins, and reading there is not an error.
    pub(crate) fn end_at_damage(&self) {
        self.stream().ends_at_damage = true;
    }

    /// Whether the text ends at damage.
    pub(crate) fn is_cut_short(&self) -> bool {
        let stream = self.stream();
        stream.ends_at_damage && stream.first_damage.is_some()
    }

    /// Whether `span` agrees with its checksums. Reads on to them if they are near, but never waits for a stream.
    pub(crate) fn check_span(&self, span: Range<u64>) -> bool {
        self.stream().check_span(&span)
    }

    /// The compressed bytes.
    pub fn raw(&self) -> &dyn Source {
        &*self.raw
    }

    pub(crate) fn format(&self) -> CompressionFormat {
        self.format
    }

    /// The checkpoints so far.
    pub fn checkpoints(&self) -> Checkpoints {
        self.stream().checkpoints.clone()
    }

    pub(crate) fn checkpoint_stats(&self) -> CheckpointStats {
        let checkpoints = &self.stream().checkpoints;
        let checked = checkpoints.checked.length_from_start();
        if checkpoints.is_table() {
            return CheckpointStats { checked, ..CheckpointStats::default() };
        }
        CheckpointStats { checkpoints: checkpoints.len(), has_end: checkpoints.text_size.is_some(), checked }
    }

    /// Uses checkpoints of an earlier run, unless the file lists its own.
    pub fn set_checkpoints(&self, checkpoints: Checkpoints) {
        let mut stream = self.stream();
        if stream.checkpoints.is_table() {
            stream.checkpoints.checked = checkpoints.checked;
        } else {
            stream.checkpoints = checkpoints;
        }
    }

    /// Whether bytes follow the last member that belong to none.
    pub fn has_trailing_garbage(&self) -> bool {
        self.stream().checkpoints.garbage
    }

    fn stream(&self) -> MutexGuard<'_, DecodedStream> {
        self.stream.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Source for Compressed {
    fn read_at(&self, buffer: &mut [u8], offset: u64) -> io::Result<usize> {
        // A file fills the buffer; a stream returns the bytes that have come.
        let fill = self.raw.size().is_some();
        self.stream().read_at(buffer, offset, fill)
    }

    fn size(&self) -> Option<u64> {
        self.stream().size()
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
        // Re-reading decodes again; it is free only when the whole compressed file is cached.
        let is_whole = self.raw.size().is_some_and(|size| size <= traffic.held);
        Some(Traffic { held: if is_whole { u64::MAX } else { 0 }, ..traffic })
    }

    fn is_sequential(&self) -> bool {
        true
    }

    fn compressed(&self) -> Option<&Compressed> {
        Some(self)
    }
}
