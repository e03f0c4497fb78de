//! Any bytes at any offset: files, streams, compressed files, members of archives, documents, values of databases, objects.
//!
//! **A source knows no lines, no options and no commands.** [`Source`] is the whole contract between a file and its reader:
//! bytes that several threads can read again from any offset. [`open()`] makes one from a name, and unwraps what it finds:
//! the bytes of a compressed file or a document are its text.
//!
//! The main types: [`Source`], [`access::Access`] with the options of opening, [`SourceInfo`], [`Decoding`] for callers that
//! need checkpoints and damage, [`version::Version`] to notice that a file changed.
//!
//! ```
//! use rread_source::read_full;
//! # let folder = tempfile::tempdir()?;
//! # let path = folder.path().join("app.log");
//! # std::fs::write(&path, "one\ntwo\nthree\n")?;
//!
//! // The same for `app.log.gz`, `zip:logs.zip/app.log` or, with the feature `cloud`, `s3://bucket/app.log`.
//! let source = rread_source::open(&path)?;
//! let mut word = [0; 3];
//! assert_eq!(read_full(&*source, &mut word, 4)?, 3);
//! assert_eq!(&word, b"two");
//! assert_eq!(source.size(), Some(14));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! Each of the features `cloud`, `documents` and `sqlite` adds a kind of source. Without it, opening such a name is an error
//! that says which feature is missing. This crate prints nothing and ends nothing: notes go to the function that the program
//! gives to [`stdin::show_notes_with`].
//!
//! Modules, lowest first; each uses only those before it: [`memory`], [`version`], [`object`], [`member_metadata`],
//! [`member_address`], [`access`], [`limits`], [`interrupt`], [`swapped`], [`spelling`], [`mod@file`], [`spool`], `regular`,
//! `pipe`, [`stdin`], [`compressed`], [`archive`], `sqlite`, `remote`, `document`, `plain`, [`open`](mod@open),
//! [`members`], [`named_files`].

pub mod access;
pub mod archive;
pub mod compressed;
#[cfg(feature = "documents")]
pub mod document;
pub mod file;
pub mod interrupt;
pub mod limits;
pub mod member_address;
pub mod member_metadata;
pub mod members;
pub mod memory;
pub mod named_files;
pub mod object;
pub mod open;
mod pipe;
mod plain;
mod regular;
#[cfg(feature = "cloud")]
mod remote;
pub mod spelling;
pub mod spool;
#[cfg(feature = "sqlite")]
pub mod sqlite;
pub mod stdin;
pub mod swapped;
pub mod version;

/// The SQLite that databases are read with, for tests that write some.
#[cfg(feature = "sqlite")]
#[doc(hidden)]
pub use rusqlite;

use std::fs::{File, Metadata};
use std::io::{self, Write};
use std::ops::Range;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::thread;

use compressed::damage::{CheckedSpans, Damage};
use member_metadata::Recorded;
pub use memory::MemorySource;
use object::{Object, Traffic};
pub use open::{open, open_as};
use rread_documents::protocol::Notice;
use rread_documents::sheets::Workbook;
use rread_text::{Error, Result};
pub use version::Change;
use version::Version;

/// Bytes that can be read by several threads at once. The conformance suite in `tests/support/src/suite.rs` holds every
/// implementation to this page.
pub trait Source: Send + Sync {
    /// Reads at least one byte at `offset`, as many as come at once. Returns 0 only for an empty buffer, or at or past
    /// the end: that is how the end of a stream is found. `Interrupted` may be retried.
    fn read_at(&self, buffer: &mut [u8], offset: u64) -> io::Result<usize>;

    /// The source of which this is another form: it answers whatever this one does not.
    fn inner(&self) -> Option<&dyn Source> {
        None
    }

    /// The length, once it is known. It never changes after that: bytes appended later do not belong to this source.
    fn size(&self) -> Option<u64> {
        self.inner().and_then(Source::size)
    }

    /// Announces a read of `range` from front to back, so that read-ahead fetches it and nothing after it.
    fn advise(&self, range: Range<u64>) {
        if let Some(inner) = self.inner() {
            inner.advise(range);
        }
    }

    /// Fails once nobody wants what is read. Decoders ask between steps: little input may be much text.
    fn check(&self) -> io::Result<()> {
        self.inner().map_or(Ok(()), Source::check)
    }

    /// Facts about the source that need no read.
    fn info(&self) -> SourceInfo<'_> {
        self.inner().map(Source::info).unwrap_or_default()
    }

    /// The version of the file or object, which a later one can be compared with; `None` for a stream.
    fn version(&self) -> io::Result<Option<Version>> {
        self.inner().map_or(Ok(None), Source::version)
    }

    /// Asks the system what happened to the file since it was opened.
    fn changed(&self) -> io::Result<Option<Change>> {
        self.inner().map_or(Ok(None), Source::changed)
    }
}

/// Facts about a source, without a read. Absent facts are unknown or do not apply.
#[derive(Clone, Copy, Default)]
pub struct SourceInfo<'a> {
    /// The metadata of the file, as it was opened.
    pub metadata: Option<&'a Metadata>,
    /// The file with exactly these bytes, and the offset of the first, so that the kernel can copy them.
    pub file: Option<(&'a File, u64)>,
    /// The headers of the object.
    pub object: Option<&'a Object>,
    /// The requests made for the object so far.
    pub traffic: Option<Traffic>,
    /// Whether one reader from front to back is faster than several at once.
    pub is_sequential: bool,
    /// The record of the container of these bytes about their text, which it compressed with deflate.
    pub contained: Option<Contained>,
    /// The time and the permissions of the file with these bytes in its archive.
    pub recorded: Option<Recorded>,
    /// Whether the archive of these bytes has several members of their name.
    pub has_duplicates: bool,
    /// Whether the container has a checksum of these bytes that nothing compares.
    pub has_unread_checksum: bool,
    /// Whether this is what a terminal shows of the text in the end.
    pub is_plain: bool,
    /// The decoder, if the source is decoded text.
    pub decoding: Option<&'a dyn Decoding>,
    /// The stored member of an archive with these bytes, for callers that need its damage.
    pub stored_member: Option<&'a dyn Decoding>,
}

/// The text of deflate data (RFC 1951, without a wrapper) in a container, as the container records it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Contained {
    /// The number of bytes of the text.
    pub text_size: u64,
    /// The CRC-32 of the text.
    pub crc: u32,
}

/// The bytes after compressed data that belong to none of it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TrailingGarbage {
    /// The offset in the compressed file.
    pub start_byte: u64,
    /// The compressed format that begins there.
    pub compression: Option<&'static str>,
}

/// The decoder of a source, for callers that need damage, checksums and checkpoints. A decoder without them has the
/// methods that are given here.
pub trait Decoding {
    /// The word for receipts, such as `gzip`.
    fn format(&self) -> &'static str;

    /// The raw input.
    fn input(&self) -> &dyn Source;

    /// The input as a document. Another version of this program may lay out its text in another way.
    fn document(&self) -> Option<&dyn Paged> {
        None
    }

    /// The first damage that this decoder met.
    fn damage(&self) -> Option<Damage> {
        None
    }

    /// The bytes after the compressed data that belong to none of it.
    fn trailing_garbage(&self) -> Option<TrailingGarbage> {
        None
    }

    /// Whether the source was opened to end at its first damage.
    fn is_salvaged(&self) -> bool {
        false
    }

    /// Ends the source where damage begins from now on; reading there is then not an error.
    fn end_at_damage(&self) {}

    /// Whether the source ends at damage.
    fn is_cut_short(&self) -> bool {
        false
    }

    /// Whether `span` agrees with its checksums. Reads on to them if they are near, and never waits for a stream.
    fn check_span(&self, _span: Range<u64>) -> bool {
        true
    }

    /// The number of checkpoints, and what else there is to keep.
    fn checkpoint_stats(&self) -> CheckpointStats {
        CheckpointStats::default()
    }

    /// Writes the checkpoints, for [`Decoding::load_checkpoints`].
    fn save_checkpoints(&self, _out: &mut dyn Write) -> io::Result<()> {
        Ok(())
    }

    /// Adopts the checkpoints at `offset` of `file`; false if they are damaged.
    fn load_checkpoints(&self, _file: File, _offset: u64) -> bool {
        false
    }

    /// Removes all checkpoints, because they may be of other bytes.
    fn forget_checkpoints(&self) {}

    /// Text offsets where decoders on other threads may start, at least `apart` bytes apart; the start of the text is
    /// not among them.
    fn starts(&self, _apart: u64) -> Vec<u64> {
        Vec::new()
    }

    /// The same text, decoded independently of this source, for another thread. Called only if there are starts.
    fn fork(&self) -> io::Result<Box<dyn Source>> {
        Err(io::ErrorKind::Unsupported.into())
    }

    /// Watches from now on whether this decoder passes the checkpoint at `text_offset`, where another one starts.
    fn await_checkpoint(&self, _text_offset: Option<u64>) {}

    /// Decodes on to the awaited checkpoint, and reports what this decoder found so far.
    fn decoded(&self) -> Decoded {
        Decoded { has_arrived: true, damage: None, checked: CheckedSpans::default() }
    }

    /// Decodes in order from now on, and resumes at no checkpoint.
    fn distrust_checkpoints(&self) {}

    /// Adopts what a fork found.
    fn adopt(&self, _decoded: &Decoded) {}
}

/// The start of a page of a document.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PageStart {
    /// The number of the page, from 1.
    pub number: u64,
    /// The offset of its text.
    pub start: u64,
}

/// A document and its own pages.
pub trait Paged {
    /// The media type of the document itself.
    fn mime(&self) -> &'static str;

    /// Whether it has pages of its own.
    fn has_pages(&self) -> bool;

    /// The number of pages, once the decoder has said it.
    fn count(&self) -> Option<u64>;

    /// The text of the page `number`, from 1; `None` past the last page. Decodes up to its end.
    fn span(&self, number: u64) -> io::Result<Option<Range<u64>>>;

    /// The page that has the byte `offset` of the text that was decoded so far; `None` without pages.
    fn page_of(&self, offset: u64) -> Option<PageStart>;

    /// Whether the pages are sheets or tables: a line with `#` and the name, then rows, the first with the names of columns.
    fn has_sheets(&self) -> bool;

    /// Pages decoded so far that are pictures without text.
    fn pictures(&self) -> u64;

    /// Parts that the document may have and the text decoded so far does not, each with its name.
    fn notices(&self) -> Vec<(Notice, String)>;

    /// The workbook of which only one sheet is read, once its text has begun.
    fn workbook(&self) -> Option<Workbook>;

    /// The sheet `index` of the same workbook.
    fn sheet(&self, index: usize) -> Box<dyn Source>;
}

/// Facts that a decoder found.
#[derive(Clone, Debug)]
pub struct Decoded {
    /// Whether it reached the awaited checkpoint in the recorded state.
    pub has_arrived: bool,
    /// The first damage that it met.
    pub damage: Option<Damage>,
    /// The text that agrees with its checksums.
    pub checked: CheckedSpans,
}

/// A measure of what decoding has shown: it changes when there is more for the index to keep.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct CheckpointStats {
    /// The number of checkpoints.
    pub checkpoints: usize,
    /// Whether the size of the text is known.
    pub has_end: bool,
    /// How many bytes from the start agreed with their checksums.
    pub checked: u64,
}

impl<'a> dyn Source + 'a {
    /// The bytes as they are stored: the compressed input of a decoder, this source otherwise.
    pub fn stored(&self) -> &(dyn Source + '_) {
        self.info().decoding.map_or(self, Decoding::input)
    }
}

/// Locks `mutex`, also after a panic of another thread: what it has is whole between two calls.
pub fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Starts a thread that nobody waits for.
pub fn start_thread(name: &str, run: impl FnOnce() + Send + 'static) -> Result<()> {
    let started = thread::Builder::new().name(name.to_owned()).spawn(run);
    started.map(drop).map_err(|cause| Error::read("cannot start a thread", &cause))
}

/// Reads again while a signal interrupts it.
pub fn retried(mut read: impl FnMut() -> io::Result<usize>) -> io::Result<usize> {
    loop {
        match read() {
            Err(cause) if cause.kind() == io::ErrorKind::Interrupted => {}
            result => return result,
        }
    }
}

/// Reads at `offset` until `buffer` is full or the source ends. The next call reports a failure after some bytes.
pub fn read_full(source: &dyn Source, buffer: &mut [u8], offset: u64) -> io::Result<usize> {
    let mut filled = 0;
    while filled < buffer.len() {
        match retried(|| source.read_at(&mut buffer[filled..], offset.saturating_add(filled as u64))) {
            Ok(0) => break,
            Ok(n) => filled += n,
            Err(_) if filled > 0 => break,
            Err(e) => return Err(e),
        }
    }
    Ok(filled)
}
