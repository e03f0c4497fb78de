//! The text of a compressed file as a source: decoded forward, and resumed at checkpoints.

mod checkpoint;
pub mod damage;
mod decoded_stream;
mod decoder;
pub(crate) mod format;
pub mod recognition;

use std::fs::File;
use std::io::{self, Write};
use std::ops::Range;
use std::path::Path;
use std::sync::{Arc, Mutex};

pub use checkpoint::Checkpoints;
pub use format::CompressionFormat;

use super::file::FileSource;
use super::object::Traffic;
use super::version::{Change, Version};
use super::{CheckpointStats, Decoded, Decoding, Source, SourceInfo, TrailingGarbage};
use crate::lock;
use damage::Damage;
use decoded_stream::DecodedStream;

/// The text of a compressed source. Offsets and size are those of the text.
pub struct Compressed {
    raw: Arc<dyn Source>,
    is_salvaged: bool,
    stream: Mutex<DecodedStream>,
}

impl Compressed {
    /// The text of `raw`, for tests.
    pub fn new(raw: Box<dyn Source>, format: CompressionFormat) -> io::Result<Self> {
        Compressed::open(raw, format, Path::new("FILE"), false)
    }

    /// The text of `raw`, which is the file `path`; with `salvage`, it ends at the first damage.
    pub(crate) fn open(
        raw: Box<dyn Source>,
        format: CompressionFormat,
        path: &Path,
        salvage: bool,
    ) -> io::Result<Self> {
        let raw: Arc<dyn Source> = raw.into();
        let stream = Mutex::new(DecodedStream::new(Arc::clone(&raw), format, path, salvage)?);
        Ok(Compressed { raw, is_salvaged: salvage, stream })
    }

    /// A copy of the checkpoints so far.
    pub fn checkpoints(&self) -> Checkpoints {
        lock(&self.stream).checkpoints.clone()
    }

    /// Uses checkpoints of an earlier run, unless the file lists its own.
    pub fn set_checkpoints(&self, checkpoints: Checkpoints) {
        let mut stream = lock(&self.stream);
        if stream.checkpoints.is_table {
            stream.checkpoints.checked = checkpoints.checked;
        } else {
            stream.checkpoints = checkpoints;
        }
    }
}

/// The text of `source`, which is the file `path`, if it is compressed.
pub(crate) fn decompress(source: Box<dyn Source>, path: &Path, salvage: bool) -> io::Result<Box<dyn Source>> {
    // An archive may compress a file that was compressed already; unwrap both layers.
    let source = unpack(source, path, salvage)?;
    Ok(match CompressionFormat::of_file(&*source, path)? {
        Some(format) => Box::new(Compressed::open(source, format, path, salvage)?),
        None => source,
    })
}

/// The bytes of `source` as they were before an archive compressed them.
pub(crate) fn unpack(source: Box<dyn Source>, path: &Path, salvage: bool) -> io::Result<Box<dyn Source>> {
    Ok(match source.info().contained {
        Some(_) => Box::new(Compressed::open(source, CompressionFormat::Deflate, path, salvage)?),
        None => source,
    })
}

impl Decoding for Compressed {
    fn format(&self) -> &'static str {
        lock(&self.stream).format.name()
    }

    fn input(&self) -> &dyn Source {
        &*self.raw
    }

    fn damage(&self) -> Option<Damage> {
        lock(&self.stream).first_damage.clone()
    }

    fn trailing_garbage(&self) -> Option<TrailingGarbage> {
        let start_byte = lock(&self.stream).checkpoints.garbage?;
        let compression = recognition::format_at(self.input(), start_byte);
        Some(TrailingGarbage { start_byte, compression })
    }

    fn is_salvaged(&self) -> bool {
        self.is_salvaged
    }

    fn end_at_damage(&self) {
        lock(&self.stream).ends_at_damage = true;
    }

    fn is_cut_short(&self) -> bool {
        let stream = lock(&self.stream);
        stream.ends_at_damage && stream.first_damage.is_some()
    }

    fn check_span(&self, span: Range<u64>) -> bool {
        lock(&self.stream).check_span(&span)
    }

    fn checkpoint_stats(&self) -> CheckpointStats {
        let checkpoints = &lock(&self.stream).checkpoints;
        let checked = checkpoints.checked.length_from_start();
        if checkpoints.is_table {
            return CheckpointStats { checked, ..CheckpointStats::default() };
        }
        CheckpointStats { checkpoints: checkpoints.len(), has_end: checkpoints.text_size.is_some(), checked }
    }

    fn save_checkpoints(&self, out: &mut dyn Write) -> io::Result<()> {
        self.checkpoints().write(out)
    }

    fn load_checkpoints(&self, file: File, offset: u64) -> bool {
        let checkpoints = FileSource::new(file).ok().and_then(|file| Checkpoints::read(file, offset));
        checkpoints.map(|checkpoints| self.set_checkpoints(checkpoints)).is_some()
    }

    fn forget_checkpoints(&self) {
        self.set_checkpoints(Checkpoints::default());
    }

    fn starts(&self, apart: u64) -> Vec<u64> {
        let raw = self.raw.info();
        // One read after another is faster there.
        let is_one_way = raw.is_sequential || raw.object.is_some() || self.raw.size().is_none();
        if is_one_way || self.is_salvaged { Vec::new() } else { lock(&self.stream).starts(apart) }
    }

    fn fork(&self) -> io::Result<Box<dyn Source>> {
        let stream = Mutex::new(lock(&self.stream).fork()?);
        Ok(Box::new(Compressed { raw: Arc::clone(&self.raw), is_salvaged: false, stream }))
    }

    fn await_checkpoint(&self, text_offset: Option<u64>) {
        lock(&self.stream).await_checkpoint(text_offset);
    }

    fn decoded(&self) -> Decoded {
        lock(&self.stream).decoded()
    }

    fn distrust_checkpoints(&self) {
        lock(&self.stream).distrust_checkpoints();
    }

    fn adopt(&self, decoded: &Decoded) {
        lock(&self.stream).adopt(decoded);
    }
}

impl Source for Compressed {
    fn read_at(&self, buffer: &mut [u8], offset: u64) -> io::Result<usize> {
        // A file fills the buffer; a stream returns the bytes that have come.
        let fill = self.raw.size().is_some();
        lock(&self.stream).read_at(buffer, offset, fill)
    }

    fn size(&self) -> Option<u64> {
        lock(&self.stream).size()
    }

    fn info(&self) -> SourceInfo<'_> {
        let raw = self.raw.info();
        let traffic = raw.traffic.map(|traffic| {
            // Re-reading decodes again; it is free only when the whole compressed file is cached.
            let is_whole = self.raw.size().is_some_and(|size| size <= traffic.held);
            Traffic { held: if is_whole { u64::MAX } else { 0 }, ..traffic }
        });
        let decoding: Option<&dyn Decoding> = Some(self);
        SourceInfo { file: None, contained: None, is_sequential: true, traffic, decoding, ..raw }
    }

    fn version(&self) -> io::Result<Option<Version>> {
        self.raw.version()
    }

    fn changed(&self) -> io::Result<Option<Change>> {
        self.raw.changed()
    }
}
