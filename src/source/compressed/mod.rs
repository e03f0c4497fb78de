//! The text of a compressed file as a source: decoded forward, remembered a little, taken up again anywhere.

mod bzip2;
mod decoder;
mod deflate;
mod feed;
pub mod format;
mod gzip;
pub mod inside;
mod lz4;
mod proven;
pub mod restart;
mod seek_table;
mod text;
mod window;
mod xz;
mod xz_index;
mod zlib;
mod zstd;

use std::fs::File;
use std::io::{self, Write};
use std::ops::Range;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use format::Format;
use restart::Restarts;
use text::Text;

use super::damage::Damage;
use super::file::FileSource;
use super::object::Traffic;
use super::version::{Change, Version};
use super::{Decoding, Learned, Source, SourceInfo};

/// The text of a compressed source. Offsets and size are those of the text.
pub struct Compressed {
    stored: Arc<dyn Source>,
    format: Format,
    salvaged: bool,
    text: Mutex<Text>,
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

    /// Where decoding can be taken up again, as far as that is known.
    pub fn restarts(&self) -> Restarts {
        self.text().restarts.clone()
    }

    /// Takes over what was learned of the same file before, unless the file tells by itself.
    pub fn set_restarts(&self, restarts: Restarts) {
        let mut text = self.text();
        if text.restarts.is_table() {
            text.restarts.proven = restarts.proven;
        } else {
            text.restarts = restarts;
        }
    }

    fn text(&self) -> MutexGuard<'_, Text> {
        self.text.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Decoding for Compressed {
    fn format(&self) -> &'static str {
        self.format.name()
    }

    fn input(&self) -> &dyn Source {
        &*self.stored
    }

    fn damage(&self) -> Option<Damage> {
        self.text().met.clone()
    }

    fn has_trailing_garbage(&self) -> bool {
        self.text().restarts.garbage
    }

    fn is_salvaged(&self) -> bool {
        self.salvaged
    }

    fn end_at_damage(&self) {
        self.text().ends_at_damage = true;
    }

    fn is_cut_short(&self) -> bool {
        let text = self.text();
        text.ends_at_damage && text.met.is_some()
    }

    fn prove(&self, span: Range<u64>) -> bool {
        self.text().prove(&span)
    }

    fn learned(&self) -> Learned {
        let text = self.text();
        let proven = text.restarts.proven.length_from_start();
        let has_end = text.restarts.text_size.is_some();
        match text.restarts.is_table() {
            true => Learned { proven, ..Learned::default() },
            false => Learned { checkpoints: text.restarts.len(), has_end, proven },
        }
    }

    fn save_checkpoints(&self, out: &mut dyn Write) -> io::Result<()> {
        self.restarts().write(out)
    }

    fn load_checkpoints(&self, file: File, offset: u64) -> bool {
        let restarts = FileSource::new(file).ok().and_then(|file| Restarts::read(file, offset));
        restarts.map(|restarts| self.set_restarts(restarts)).is_some()
    }

    fn forget_checkpoints(&self) {
        self.set_restarts(Restarts::default());
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

    fn info(&self) -> SourceInfo<'_> {
        let stored = self.stored.info();
        let traffic = stored.traffic.map(|traffic| {
            // Re-reading decodes again; it is free only when the whole compressed input is cached.
            let whole = self.stored.size().is_some_and(|size| size <= traffic.held);
            Traffic { held: if whole { u64::MAX } else { 0 }, ..traffic }
        });
        let decoding: Option<&dyn Decoding> = Some(self);
        SourceInfo { file: None, zlib_size: None, is_sequential: true, traffic, decoding, ..stored }
    }

    fn version(&self) -> io::Result<Option<Version>> {
        self.stored.version()
    }

    fn changed(&self) -> io::Result<Option<Change>> {
        self.stored.changed()
    }
}
