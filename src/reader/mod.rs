//! The one reader that every command uses: sizes, blocks and lines of a source, in constant memory.

pub mod backward;
mod damage;
pub mod edges;
mod encodings;
pub mod forward;
pub mod full_scan;
pub mod hashes;
mod indexed;
mod scan;

use std::io;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex};

use crate::buffer::Buffer;
use crate::encoding::{Choice, Decided, Encoding, Origin};
use crate::error::{Error, Kind, Result};
use crate::index::{self, Index};
use crate::newline::Units;
use crate::sniff::{self, Content, Sniffed};
use crate::source::access::Access;
use crate::source::{self, Change, Source, read_full, version::Version};

/// Sizes that decide how a source is read; tests make them tiny to put an edge into every file.
#[derive(Clone, Copy, Debug)]
pub struct Tuning {
    /// Bytes read at a time. 256 KiB stays in the second-level cache; more gains nothing.
    pub block: usize,
    /// Bytes scanned by one thread before others are started: some milliseconds of work.
    pub fan_out_after: u64,
    /// Files up to this many bytes are counted whole, since that costs next to nothing.
    pub small: u64,
}

impl Default for Tuning {
    fn default() -> Self {
        Tuning { block: 256 << 10, fan_out_after: 32 << 20, small: 1 << 20 }
    }
}

/// Where a line boundary lies.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Mark {
    /// Bytes before it.
    pub offset: u64,
    /// Lines before it, where that is known.
    pub lines: Option<u64>,
}

/// A source and what is known of it.
pub struct Reader {
    source: Box<dyn Source>,
    /// The name it was opened by, for hints.
    path: Option<PathBuf>,
    tuning: Tuning,
    sniffed: Sniffed,
    decided: Decided,
    scanned: AtomicU64,
    /// Bytes that have gone by for whatever reason, for those who watch.
    passed: Arc<AtomicU64>,
    /// Bytes that a stream has at least, as far as it was read.
    there: AtomicU64,
    index: Mutex<Option<Index>>,
    /// Newlines and a last line without one, as whoever wrote the bytes counted them.
    told_lines: Option<u64>,
    long_line: Mutex<Option<hashes::LongLine>>,
}

impl Reader {
    /// Opens the file at `path`, or standard input for `-`.
    pub fn open(path: &Path) -> Result<Self> {
        Reader::open_as(path, &Access::default())
    }

    /// Opens the file at `path`, or standard input for `-`, in the way that `access` says. The first bytes decide
    /// what encoding it is read in.
    pub fn open_as(path: &Path, access: &Access) -> Result<Self> {
        let source = source::open::open_as(path, access)?;
        let (mut reader, head) =
            Reader::with_head(source, Some(path), Tuning::default()).map_err(|error| error.at(path))?;
        if let Ok(decided) = Choice::Auto.decide(&head, reader.sniffed) {
            reader.decided = decided;
        }
        Ok(reader)
    }

    /// A reader of `source` as UTF-8, until [`Reader::read_as`] says otherwise.
    pub fn new(source: Box<dyn Source>, tuning: Tuning) -> Result<Self> {
        Reader::with_head(source, None, tuning).map(|(reader, _)| reader)
    }

    fn with_head(source: Box<dyn Source>, path: Option<&Path>, tuning: Tuning) -> Result<(Self, Vec<u8>)> {
        let decided =
            Decided { encoding: Encoding::Utf8, origin: Origin::Content, bom: false, unknown: false };
        let mut reader = Reader {
            source,
            path: path.map(Path::to_owned),
            tuning,
            sniffed: sniff::sniff(&[], true),
            decided,
            scanned: AtomicU64::new(0),
            passed: Arc::default(),
            there: AtomicU64::new(0),
            index: Mutex::new(None),
            told_lines: None,
            long_line: Mutex::new(None),
        };
        let head = reader.head()?;
        let whole = reader.known_size() == Some(head.len() as u64);
        reader.sniffed = sniff::sniff(&head, whole);
        // What the file is now is what later changes are measured by. Where that cannot be read, it has no version.
        let _ = reader.source.version();
        Ok((reader, head))
    }

    /// What the first bytes say of the content.
    pub fn sniffed(&self) -> Sniffed {
        self.sniffed
    }

    /// The encoding that the text is read in.
    pub fn decided(&self) -> Decided {
        self.decided
    }

    /// The same, without how it was found.
    pub fn encoding(&self) -> Encoding {
        self.decided.encoding
    }

    /// The code units of the encoding.
    pub fn units(&self) -> Units {
        self.decided.encoding.units()
    }

    /// Whether this is no text, unless it was named in which encoding it is.
    pub fn is_binary(&self) -> bool {
        self.sniffed.content == Content::Binary && self.decided.origin != Origin::Option
    }

    fn head(&self) -> Result<Vec<u8>> {
        let mut head = vec![0; sniff::SAMPLE];
        let mut got = self.read_front(&mut head)?;
        // What is there of a stream; but a mark of four bytes may come in pieces, a line is worth answering, and what does
        // not look like text so far may turn out to be.
        let is_enough = |head: &[u8]| match self.known_size() {
            None if sniff::sniff(head, false).content == Content::Binary => false,
            _ => head.len() >= 4 || head.contains(&b'\n'),
        };
        while !is_enough(&head[..got]) {
            match self.read(&mut head[got..], got as u64) {
                // The end, or no room for more; whoever needs what cannot be read will hear of it.
                Ok(0) | Err(_) => break,
                Ok(more) => got += more,
            }
        }
        head.truncate(got);
        Ok(head)
    }

    /// Reads the first bytes: none if no text comes before the damage, which every later read reports.
    pub(crate) fn read_front(&self, buffer: &mut [u8]) -> Result<usize> {
        match self.read(buffer, 0) {
            Err(_) if self.damage().is_some_and(|damage| damage.text == 0) => Ok(0),
            read => read,
        }
    }

    /// The media type, from the first bytes.
    pub fn mime(&self) -> Result<&'static str> {
        let content = if self.is_binary() { Content::Binary } else { Content::Utf8 };
        Ok(sniff::mime(&self.head()?, content))
    }

    /// The source itself, for copies that the kernel can make alone.
    pub fn source(&self) -> &dyn Source {
        &*self.source
    }

    /// The source as it is stored: the compressed bytes, where this one is their text.
    pub fn stored(&self) -> &dyn Source {
        self.source.stored()
    }

    /// Bytes read so far to find things, not to deliver them.
    pub fn scanned(&self) -> u64 {
        self.scanned.load(Ordering::Relaxed)
    }

    /// A counter of the bytes that have gone by, for a thread that watches a long read.
    pub fn passed(&self) -> Arc<AtomicU64> {
        Arc::clone(&self.passed)
    }

    /// Bytes to read at a time.
    pub fn block(&self) -> usize {
        self.tuning.block.next_multiple_of(self.units().width())
    }

    /// The size in bytes, if it is known without reading on.
    pub fn known_size(&self) -> Option<u64> {
        self.source.size()
    }

    /// The size in bytes; a stream is read to its end for it.
    pub fn size(&self) -> Result<u64> {
        self.reach(u64::MAX)
    }

    /// `offset`, or the size where the source is shorter. A stream is read only so far.
    pub fn reach(&self, offset: u64) -> Result<u64> {
        if let Some(size) = self.known_size() {
            return Ok(offset.min(size));
        }
        if let (Some(last), Some(_)) = (offset.checked_sub(1), self.source.info().decoding) {
            // Decoding is taken up at the place that is nearest.
            self.read(&mut [0], last)?;
        }
        // In order, so that a failure is told where it is, and whoever watches sees it go on.
        let mut at = self.there.load(Ordering::Relaxed);
        let mut buffer = Buffer::default();
        while at < offset && self.known_size().is_none() {
            let wanted = usize::try_from(offset - at).unwrap_or(usize::MAX).min(index::BLOCK);
            match self.read(buffer.at(at, wanted), at)? {
                0 => break,
                got => at += got as u64,
            }
        }
        Ok(self.known_size().map_or(offset, |size| offset.min(size)))
    }

    /// The file's version, if it has one.
    pub fn version(&self) -> Result<Option<Version>> {
        self.source.version().map_err(|cause| Error::read("cannot read its first or last bytes", &cause))
    }

    /// What has happened to the file since it was opened. Not being able to ask is no answer.
    pub fn changed(&self) -> Option<Change> {
        self.source.changed().ok().flatten()
    }

    /// Whether a change since it was opened could go unnoticed, for want of anything that the server says of it.
    pub fn is_unverified(&self) -> bool {
        self.source.info().object.is_some_and(|object| object.unverified)
    }

    /// Reads at `offset`; 0 only at the end of the source. Short when a fault lies behind what came.
    ///
    /// # Errors
    /// `io` with the offset, and `changed` when the source ends before its size.
    pub fn read(&self, buffer: &mut [u8], offset: u64) -> Result<usize> {
        let got = self.fill(buffer, offset).map_err(|cause| self.failed(&cause, offset))?;
        self.passed.fetch_add(got as u64, Ordering::Relaxed);
        self.there.fetch_max(offset.saturating_add(got as u64), Ordering::Relaxed);
        match self.known_size() {
            Some(size) if got == 0 && offset < size && !buffer.is_empty() => Err(Error::new(
                Kind::Changed,
                format!("shrank while it was read: it had {size} bytes when it was opened and now ends at byte {offset} or before"),
            )
            .hint("run the same command again")),
            _ => Ok(got),
        }
    }

    /// A stream gives what is there, so that its first lines are answered before its last are written.
    fn fill(&self, buffer: &mut [u8], offset: u64) -> io::Result<usize> {
        if self.known_size().is_some() {
            return read_full(&*self.source, buffer, offset);
        }
        loop {
            match self.source.read_at(buffer, offset) {
                Err(cause) if cause.kind() == io::ErrorKind::Interrupted => {}
                result => return result,
            }
        }
    }

    /// As [`Reader::read`], and goes on to the end of a code unit that came in part. `buffer` has room for
    /// whole units and `offset` is the start of one.
    pub(super) fn read_units(&self, buffer: &mut [u8], offset: u64) -> Result<usize> {
        let mut got = self.read(buffer, offset)?;
        let whole = got.next_multiple_of(self.units().width()).min(buffer.len());
        while got < whole {
            match self.read(&mut buffer[got..whole], offset + got as u64)? {
                0 => break,
                more => got += more,
            }
        }
        Ok(got)
    }

    /// Reads all of `buffer` at `offset`; the caller knows that so much is there.
    pub fn read_exact(&self, buffer: &mut [u8], offset: u64) -> Result<()> {
        let mut filled = 0;
        while filled < buffer.len() {
            match self.read(&mut buffer[filled..], offset + filled as u64)? {
                0 => self.must_go_on(0, offset + filled as u64)?,
                more => filled += more,
            }
        }
        Ok(())
    }

    /// Refuses the end of the source where its size promised more.
    ///
    /// # Errors
    /// `changed`, if `got` is 0.
    pub(crate) fn must_go_on(&self, got: usize, offset: u64) -> Result<()> {
        if got > 0 {
            return Ok(());
        }
        Err(Error::new(Kind::Changed, format!("shrank while it was read: it now ends at byte {offset}")))
    }

    /// The error for bytes that are not what they were a moment ago.
    pub fn rewritten(&self) -> Error {
        Error::new(Kind::Changed, "was rewritten while it was read").hint("run the same command again")
    }

    fn note_scanned(&self, bytes: u64) {
        self.scanned.fetch_add(bytes, Ordering::Relaxed);
    }
}
