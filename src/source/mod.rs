//! A source is bytes that can be read again from anywhere: the whole contract between a file and its reader.

pub mod compressed;
pub mod file;
pub mod limit;
pub mod object;
pub mod open;
mod pipe;
#[cfg(feature = "cloud")]
mod remote;
pub mod spool;
pub mod sqlite;
pub mod stamp;
pub mod standard;
pub mod timed;
pub mod version;

use std::fs::{File, Metadata};
use std::io;
use std::ops::Range;

use compressed::{Compressed, KnownCompression};
use object::{Object, Traffic};
use version::Version;

/// How a source differs from what it was when it was opened, or from an expected version.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Change {
    /// It grew and what was there still is.
    Appended,
    /// It is shorter.
    Truncated,
    /// Its bytes were written again, or may have been.
    Rewritten,
    /// It is another file under the same name.
    Replaced,
}

impl Change {
    /// The word for it in receipts and messages.
    pub fn name(self) -> &'static str {
        match self {
            Change::Appended => "appended",
            Change::Truncated => "truncated",
            Change::Rewritten => "rewritten",
            Change::Replaced => "replaced",
        }
    }
}

/// Bytes that can be read again from anywhere, by several threads at once.
///
/// Offsets count from the first byte of the source. The conformance suite in `tests/reader/suite.rs`
/// holds every implementation to this page.
pub trait Source: Send + Sync {
    /// Reads at least one byte at `offset` into `buffer`, as many as come at once.
    ///
    /// Returns 0 only for an empty buffer or when `offset` is at or past the end, so that reading past
    /// the end of a stream discovers where it ends.
    ///
    /// # Errors
    /// Those of the system; `Interrupted` may be retried.
    fn read_at(&self, buffer: &mut [u8], offset: u64) -> io::Result<usize>;

    /// The length in bytes, once it is known. It never changes after that: what is appended later
    /// does not belong to this source.
    fn size(&self) -> Option<u64>;

    /// The state of the file, if there is one that can be told from others.
    fn version(&self) -> io::Result<Option<Version>> {
        Ok(None)
    }

    /// What has happened to the file since it was opened.
    fn changed(&self) -> io::Result<Option<Change>> {
        Ok(None)
    }

    /// What the system said of the file when it was opened.
    fn metadata(&self) -> Option<&Metadata> {
        None
    }

    /// What the server says of the object, if this is one.
    fn object(&self) -> Option<&Object> {
        None
    }

    /// What was asked of a server so far, if there is one.
    fn traffic(&self) -> Option<Traffic> {
        None
    }

    /// Says that `range` is about to be read from front to back, so that what has to be fetched is fetched ahead, and
    /// nothing behind it.
    fn advise(&self, _range: Range<u64>) {}

    /// Whether one reader from front to back is served better than several at once.
    fn is_sequential(&self) -> bool {
        false
    }

    /// How these bytes are compressed, if it is known without looking at them.
    fn packing(&self) -> Option<KnownCompression> {
        None
    }

    /// This source, if it is the text of a compressed one.
    fn compressed(&self) -> Option<&Compressed> {
        None
    }

    /// The file whose bytes these are, and where in it they begin, for copies that the kernel can make alone.
    fn as_file(&self) -> Option<(&File, u64)> {
        None
    }
}

/// Reads at `offset` until `buffer` is full or the source ends; returns how many bytes came.
///
/// # Errors
/// The first failure that is not an interruption, and then nothing that came before it is lost: a
/// failure after some bytes is reported by the next call, at its own offset.
pub fn read_full(source: &dyn Source, buffer: &mut [u8], offset: u64) -> io::Result<usize> {
    let mut filled = 0;
    while filled < buffer.len() {
        match source.read_at(&mut buffer[filled..], offset.saturating_add(filled as u64)) {
            Ok(0) => break,
            Ok(n) => filled += n,
            Err(e) if e.kind() == io::ErrorKind::Interrupted => {}
            Err(_) if filled > 0 => break,
            Err(e) => return Err(e),
        }
    }
    Ok(filled)
}
