//! The reader that every command uses: sizes, blocks and lines of a source, in constant memory.
//!
//! This file opens and reads, also damaged compressed files; every other file of the folder is named after what it adds to
//! [`Reader`].

pub mod encoding;
pub mod find_lines;
pub mod full_scan;
mod line_index;

use std::io;
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex};

use crate::index::{self, INDEX_BLOCK, Index};
use crate::kept_hashes::ShownHashes;
use rread_source::access::Access;
use rread_source::compressed::damage::Damage;
use rread_source::memory::Buffer;
use rread_source::version::Version;
use rread_source::{
    self as source, Change, Decoded, Decoding, Paged, Source, archive, lock, read_full, retried,
};
use rread_text::encoding::{Decided, Origin};
use rread_text::guess::Contradiction;
use rread_text::sniff::{self, Sniffed};
use rread_text::{
    Anchor, Choice, Content, Encoding, Error, HashStyle, Kind, Result, Units, call, counted, setting,
};

/// Sizes that decide how to read; tests make them tiny to put an edge into every file.
#[derive(Clone, Copy, Debug)]
pub struct Tuning {
    /// Bytes per read. 256 KiB stays in the second-level cache; more gains nothing.
    pub block: usize,
    /// Bytes that one thread scans before others start: some milliseconds of work.
    pub fan_out_after: u64,
    /// Files up to this many bytes are counted whole.
    pub small: u64,
}

impl Default for Tuning {
    fn default() -> Self {
        Tuning { block: 256 << 10, fan_out_after: 32 << 20, small: 1 << 20 }
    }
}

/// A line longer than the buffer of a walk, with its hash.
#[derive(Clone, Copy, Debug)]
pub struct LongLine {
    /// The offset of its first byte.
    pub start: u64,
    /// The offset of the next line.
    pub next: u64,
    /// The hash of the line.
    pub hash: u32,
    /// How it was hashed.
    pub style: HashStyle,
}

/// A source as text. Several threads may read it at once.
pub struct Reader {
    source: Box<dyn Source>,
    path: Option<PathBuf>,
    tuning: Tuning,
    /// The content that the first bytes show.
    pub sniffed: Sniffed,
    /// The encoding, and what decided it.
    pub decided: Decided,
    scanned: AtomicU64,
    /// Bytes read for any reason, for progress.
    passed: Arc<AtomicU64>,
    /// Bytes that a stream has at least.
    available: AtomicU64,
    index: Mutex<Option<Index>>,
    /// The lines that the writer of the bytes counted.
    trusted_lines: Option<u64>,
    /// Whether this is the text of a capture from which escape sequences were removed.
    pub is_stripped: bool,
    long_line: Mutex<Option<LongLine>>,
    shown_hashes: Mutex<ShownHashes>,
    contradiction: Mutex<Option<Contradiction>>,
    /// The place before which lines were counted last, and the newlines before it.
    counted: Mutex<(u64, u64)>,
}

impl Reader {
    /// Opens the file at `path`, or standard input for `-`.
    pub fn open(path: &Path) -> Result<Self> {
        Reader::open_as(path, &Access::default())
    }

    /// As [`Reader::open`], with `access`. The first bytes decide the encoding.
    pub fn open_as(path: &Path, access: &Access) -> Result<Self> {
        let source = source::open::open_as(path, access)?;
        let (mut reader, head) =
            Reader::with_head(source, Some(path), Tuning::default()).map_err(|error| error.at(path))?;
        if let Ok(decided) = reader.decide(Choice::Auto, &head) {
            reader.decided = decided;
        }
        Ok(reader)
    }

    /// A reader of `source` as UTF-8, until [`Reader::read_as`] sets another encoding.
    pub fn new(source: Box<dyn Source>, tuning: Tuning) -> Result<Self> {
        Reader::with_head(source, None, tuning).map(|(reader, _)| reader)
    }

    fn with_head(source: Box<dyn Source>, path: Option<&Path>, tuning: Tuning) -> Result<(Self, Vec<u8>)> {
        let decided = Decided::new(Encoding::Utf8, Origin::Content);
        let mut reader = Reader::bare(source, path, tuning, decided);
        let head = reader.head()?;
        let whole = reader.known_size() == Some(head.len() as u64);
        reader.sniffed = sniff::sniff(&head, whole);
        // Later changes are measured against this version; without it, the file has none.
        let _ = reader.source.version();
        Ok((reader, head))
    }

    fn bare(source: Box<dyn Source>, path: Option<&Path>, tuning: Tuning, decided: Decided) -> Self {
        Reader {
            source,
            path: path.map(Path::to_owned),
            tuning,
            sniffed: sniff::sniff(&[], true),
            decided,
            scanned: AtomicU64::new(0),
            passed: Arc::default(),
            available: AtomicU64::new(0),
            index: Mutex::new(None),
            trusted_lines: None,
            is_stripped: false,
            long_line: Mutex::new(None),
            shown_hashes: Mutex::default(),
            contradiction: Mutex::default(),
            counted: Mutex::default(),
        }
    }

    /// A reader of `source`, whose encoding is known, without looking at its first bytes.
    pub fn of_text(source: Box<dyn Source>, encoding: Encoding) -> Self {
        Reader::bare(source, None, Tuning::default(), Decided::new(encoding, Origin::Option))
    }

    /// A reader of the same text for another thread, if `decoding` is the decoder of this one. It has no index.
    pub(crate) fn fork(&self, decoding: &dyn Decoding) -> Result<Self> {
        let source = decoding.fork().map_err(|cause| self.read_error(&cause, 0))?;
        let mut fork = Reader::bare(source, self.path.as_deref(), self.tuning, self.decided);
        (fork.sniffed, fork.passed) = (self.sniffed, self.bytes_read());
        Ok(fork)
    }

    /// The name that it was opened by.
    pub fn path(&self) -> Option<&Path> {
        self.path.as_deref()
    }

    /// The encoding in which the text is read.
    pub fn encoding(&self) -> Encoding {
        self.decided.encoding
    }

    /// The units of its newlines.
    pub fn units(&self) -> Units {
        self.decided.encoding.units()
    }

    /// Whether this is not text. An encoding that the user named makes it text.
    pub fn is_binary(&self) -> bool {
        self.sniffed.content == Content::Binary && self.decided.origin != Origin::Option
    }

    fn head(&self) -> Result<Vec<u8>> {
        let mut head = vec![0; sniff::SAMPLE];
        let mut got = self.read_front(&mut head)?;
        // Wait for 4 bytes (a BOM) or a full line, and for more while a stream does not look like text.
        let is_enough = |head: &[u8]| match self.known_size() {
            None if sniff::sniff(head, false).content == Content::Binary => false,
            _ => head.len() >= 4 || head.contains(&b'\n'),
        };
        while !is_enough(&head[..got]) {
            match self.read(&mut head[got..], got as u64) {
                // The end, or a full buffer. A failure is reported when something needs these bytes.
                Ok(0) | Err(_) => break,
                Ok(more) => got += more,
            }
        }
        head.truncate(got);
        Ok(head)
    }

    /// Reads the first bytes: none if the damage comes before any text; every later read reports it.
    pub fn read_front(&self, buffer: &mut [u8]) -> Result<usize> {
        match self.read(buffer, 0) {
            Err(_) if self.damage().is_some_and(|damage| damage.text == 0) => Ok(0),
            read => read,
        }
    }

    /// The media type of the text, or of the document that has it.
    pub fn mime(&self) -> Result<&'static str> {
        if let Some(document) = self.document() {
            return Ok(document.mime());
        }
        let content = if self.is_binary() { Content::Binary } else { Content::Utf8 };
        Ok(archive::mime(self.source(), &self.head()?, content))
    }

    /// The source, whose offsets are those of the text.
    pub fn source(&self) -> &dyn Source {
        &*self.source
    }

    /// The raw source: the compressed bytes of a compressed file.
    pub fn stored(&self) -> &dyn Source {
        self.source.stored()
    }

    /// Bytes read so far to find things, not to write them.
    pub fn scanned(&self) -> u64 {
        self.scanned.load(Ordering::Relaxed)
    }

    /// Bytes read so far for any reason, for a progress display on another thread.
    pub fn bytes_read(&self) -> Arc<AtomicU64> {
        Arc::clone(&self.passed)
    }

    /// The bytes of one read.
    pub fn block(&self) -> usize {
        self.tuning.block.next_multiple_of(self.units().width)
    }

    /// The size in bytes, if known without reading.
    pub fn known_size(&self) -> Option<u64> {
        self.source.size()
    }

    /// The size in bytes; reads a stream to its end.
    pub fn size(&self) -> Result<u64> {
        self.reach(u64::MAX)
    }

    /// `offset`, or the size if that is smaller. Reads a stream only so far.
    pub fn reach(&self, offset: u64) -> Result<u64> {
        if let Some(size) = self.known_size() {
            return Ok(offset.min(size));
        }
        if let (Some(last), Some(_)) = (offset.checked_sub(1), self.source.info().decoding) {
            // Decoding resumes at the nearest checkpoint.
            self.read(&mut [0], last)?;
        }
        // Read in order: a failure gets its offset, and progress moves.
        let mut at = self.available.load(Ordering::Relaxed);
        let mut buffer = Buffer::default();
        while at < offset && self.known_size().is_none() {
            let wanted = usize::try_from(offset - at).unwrap_or(usize::MAX).min(index::INDEX_BLOCK);
            match self.read(buffer.at(at, wanted), at)? {
                0 => break,
                got => at += got as u64,
            }
        }
        Ok(self.known_size().map_or(offset, |size| offset.min(size)))
    }

    /// The version of the file or object; `None` for a stream.
    pub fn version(&self) -> Result<Option<Version>> {
        self.source.version().map_err(|cause| Error::read("cannot read its first or last bytes", &cause))
    }

    /// The change of the file since it was opened; `None` also if the system does not answer.
    pub fn changed(&self) -> Option<Change> {
        self.source.changed().ok().flatten()
    }

    /// Why a change could go unnoticed.
    pub fn unverified(&self) -> Option<&'static str> {
        self.source.info().object.and_then(|object| object.unverified)
    }

    /// Reads at `offset`; 0 only at the end of the source. Short if a fault follows.
    pub fn read(&self, buffer: &mut [u8], offset: u64) -> Result<usize> {
        let got = self.fill(buffer, offset).map_err(|cause| self.read_error(&cause, offset))?;
        self.passed.fetch_add(got as u64, Ordering::Relaxed);
        self.available.fetch_max(offset.saturating_add(got as u64), Ordering::Relaxed);
        match self.known_size() {
            Some(size) if got == 0 && offset < size && !buffer.is_empty() => Err(Error::new(
                Kind::Changed,
                format!("shrank while it was read: it had {size} bytes when it was opened and now ends at byte {offset} or before"),
            )
            .hint("run the same command again")),
            _ => Ok(got),
        }
    }

    /// A stream returns what has arrived, so that its first lines do not wait for its last.
    fn fill(&self, buffer: &mut [u8], offset: u64) -> io::Result<usize> {
        if self.known_size().is_some() {
            return read_full(&*self.source, buffer, offset);
        }
        retried(|| self.source.read_at(buffer, offset))
    }

    /// As [`Reader::read`], but never ends inside a code unit. `buffer` holds whole units and `offset` starts one.
    pub(crate) fn read_units(&self, buffer: &mut [u8], offset: u64) -> Result<usize> {
        let got = self.read(buffer, offset)?;
        let whole = got.next_multiple_of(self.units().width).min(buffer.len());
        let rest = &mut buffer[got..whole];
        Ok(got + self.read_at_least(rest.len(), rest, offset + got as u64)?)
    }

    /// As [`Reader::read`], but ends short of `least` bytes only at the end of the source.
    pub fn read_at_least(&self, least: usize, buffer: &mut [u8], offset: u64) -> Result<usize> {
        let mut got = 0;
        while got < least {
            match self.read(&mut buffer[got..], offset.saturating_add(got as u64))? {
                0 => break,
                more => got += more,
            }
        }
        Ok(got)
    }

    /// Reads at `offset` until `buffer` is full.
    ///
    /// # Errors
    ///
    /// [`Kind::Changed`] if the source ends before.
    pub fn read_exact(&self, buffer: &mut [u8], offset: u64) -> Result<()> {
        let got = self.read_at_least(buffer.len(), buffer, offset)?;
        if got < buffer.len() { self.must_go_on(0, offset + got as u64) } else { Ok(()) }
    }

    /// The bytes of a short span, which are held in memory.
    ///
    /// # Errors
    ///
    /// [`Kind::Changed`] if the source ends before.
    pub fn read_span(&self, span: Range<u64>) -> Result<Vec<u8>> {
        let mut bytes = vec![0; usize::try_from(span.end.saturating_sub(span.start)).unwrap_or(0)];
        self.read_exact(&mut bytes, span.start)?;
        Ok(bytes)
    }

    /// Refuses an empty read where the size promised more.
    pub fn must_go_on(&self, got: usize, offset: u64) -> Result<()> {
        if got > 0 {
            return Ok(());
        }
        Err(Error::new(Kind::Changed, format!("shrank while it was read: it now ends at byte {offset}")))
    }

    /// The error for a file whose bytes changed within its size.
    pub fn rewritten_error(&self) -> Error {
        Error::new(Kind::Changed, "was rewritten while it was read").hint("run the same command again")
    }

    /// Adds to [`Reader::scanned`].
    pub fn note_scanned(&self, bytes: u64) {
        self.scanned.fetch_add(bytes, Ordering::Relaxed);
    }

    /// Notes that a line was shown with its hash.
    pub fn note_hash(&self, anchor: Anchor) {
        lock(&self.shown_hashes).note(anchor);
    }

    /// The anchors that were shown since the last call; none if they are too many to be kept.
    pub fn take_hashes(&self) -> Vec<Anchor> {
        let mut shown = lock(&self.shown_hashes);
        std::mem::take(&mut *shown).anchors
    }

    /// The decoder, if the source is decoded text.
    pub fn decoding(&self) -> Option<&dyn Decoding> {
        self.source.info().decoding
    }

    /// The source as a document with pages of its own.
    pub fn document(&self) -> Option<&dyn Paged> {
        self.decoding().and_then(Decoding::document)
    }

    /// The bytes of page `number` of the document; `None` past its last page.
    pub(crate) fn page_of_document(&self, number: u64) -> Result<Option<Range<u64>>> {
        let span = self.document().map_or(Ok(None), |document| document.span(number));
        span.map_err(|cause| match cause.get_ref().and_then(|inner| inner.downcast_ref::<Damage>()) {
            Some(damage) => {
                let message = format!("page {number} cannot be read: {damage}").into();
                Error { message, ..self.damage_error(damage) }
            }
            None => Error::read("cannot read that page", &cause),
        })
    }

    /// What may be damaged: the decoder, or the stored member of an archive.
    fn damageable(&self) -> Option<&dyn Decoding> {
        let info = self.source.info();
        info.decoding.or(info.stored_member)
    }

    /// The first damage that a read met.
    pub fn damage(&self) -> Option<Damage> {
        self.damageable().and_then(Decoding::damage)
    }

    /// Whether the source was opened to end at its first damage.
    pub fn is_salvaged(&self) -> bool {
        self.damageable().is_some_and(Decoding::is_salvaged)
    }

    /// The offsets at which decoders on other threads may start, at least `apart` bytes apart; none while there is something to teach
    /// the index, whose blocks come in order.
    pub(crate) fn starts_of_decoders(&self, apart: u64) -> Vec<u64> {
        let is_learning = self.learns()
            && self
                .known_size()
                .is_none_or(|size| size.saturating_sub(self.indexed_bytes()) >= INDEX_BLOCK as u64);
        let width = self.units().width as u64;
        let mut starts = match self.decoding() {
            Some(decoding) if !is_learning => decoding.starts(apart),
            _ => Vec::new(),
        };
        starts.retain(|start| start.is_multiple_of(width));
        starts
    }

    /// Adopts what another decoder of this text found.
    pub(crate) fn adopt(&self, decoded: &Decoded) {
        let Some(decoding) = self.decoding() else { return };
        decoding.adopt(decoded);
        if !decoded.has_arrived && decoded.damage.is_none() {
            self.forget_index();
            decoding.distrust_checkpoints();
        }
    }

    /// From now on, the first damage counts as the end of the text and is not an error.
    pub fn end_at_damage(&self) {
        if let Some(decoding) = self.damageable() {
            decoding.end_at_damage();
        }
    }

    /// Whether the known size is only that of the text before damage.
    pub fn is_cut_short(&self) -> bool {
        self.damageable().is_some_and(Decoding::is_cut_short)
    }

    /// The size for receipts: unknown if damage hides the end.
    pub fn reported_size(&self) -> Option<u64> {
        self.known_size().filter(|_| self.has_true_end())
    }

    /// Whether the end of the text is that of the file: no read met damage, or damage counts as the end.
    pub fn has_true_end(&self) -> bool {
        self.is_salvaged() || self.damage().is_none()
    }

    /// Whether the text of `span` agrees with its checksums. Reads on to nearby checksums.
    pub fn checksums_match(&self, span: Range<u64>) -> bool {
        self.damageable().is_none_or(|decoding| decoding.check_span(span))
    }

    pub(super) fn read_error(&self, cause: &io::Error, offset: u64) -> Error {
        let damage = cause.get_ref().and_then(|inner| inner.downcast_ref::<Damage>());
        match damage {
            Some(_) if self.changed().is_some_and(|change| change != Change::Appended) => {
                self.rewritten_error()
            }
            None if offset == u64::MAX - 1 => Error::read("cannot read to its end", cause),
            None => Error::read(&format!("cannot read at byte {offset}"), cause),
            // The decoder checks the last checksum before it returns the last byte.
            Some(damage) => self.damage_error(&self.damage().unwrap_or_else(|| damage.clone())),
        }
    }

    /// The error of a read that needs bytes after `damage`.
    pub fn damage_error(&self, damage: &Damage) -> Error {
        let before = counted(damage.text, "byte");
        let error = Error::new(Kind::Io, format!("{damage}; {before} of text come before the damage"));
        match (damage.text, &self.path) {
            (1.., Some(path)) => error.hint(call("lines").file(path).word("-20:").on("salvage")),
            _ => error.hint(setting("no-decompress").then(" reads the stored bytes as they are")),
        }
    }
}
