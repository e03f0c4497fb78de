//! How a source may be opened.

#[cfg(feature = "cloud")]
use std::any::Any;
#[cfg(feature = "cloud")]
use std::collections::HashMap;
use std::fs::File;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
#[cfg(feature = "cloud")]
use std::sync::{Mutex, Weak};
use std::time::Duration;
use std::{fmt, io};

use crate::Source;
use crate::member_address::Nesting;
use crate::object::{Conditions, Traffic};
use rread_documents::sheets::Sheet;
use rread_text::Result;

/// Opens files for a server, so that none is opened by its path.
pub trait Opener: fmt::Debug + Send + Sync {
    /// Opens the regular file `path`; `None` for an address that rread may open itself.
    fn open(&self, path: &Path) -> Result<Option<File>>;
}

/// Opens a member of an archive that is open already.
pub trait OpensMember: fmt::Debug + Send + Sync {
    /// The bytes of the member, which the archive may compress.
    fn open(&self) -> Result<Box<dyn Source>>;

    /// The address without its prefix, and the archives around the member.
    fn place(&self) -> (PathBuf, Nesting);
}

/// Follows every read, to report progress and to cancel.
pub trait Watch: fmt::Debug + Send + Sync {
    /// Precedes a read; its error is that of the read.
    fn check(&self) -> io::Result<()>;

    /// Reports that a read returned so many bytes.
    fn report_read(&self, bytes: u64);
}

/// Headers of requests to web servers, each `NAME: VALUE`. Values may be secrets, which nothing prints.
#[derive(Clone, Default)]
pub struct HttpHeaders(Arc<[String]>);

impl HttpHeaders {
    /// The headers `texts`, which are not checked yet.
    pub fn new(texts: Vec<String>) -> Self {
        HttpHeaders(texts.into())
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Each header as it was given.
    pub fn texts(&self) -> impl Iterator<Item = &str> {
        self.0.iter().map(String::as_str)
    }

    /// The words of the values, none of which may be shown.
    pub fn words(&self) -> impl Iterator<Item = String> {
        let values = self.texts().filter_map(|text| text.split_once(':')).map(|(_, value)| value);
        values.flat_map(str::split_whitespace).map(str::to_owned)
    }
}

/// State that the requests for several objects share: connections, credentials and counts.
#[derive(Clone, Default)]
pub struct Session(Arc<Shared>);

#[derive(Default)]
struct Shared {
    /// Clients by name; only the module that makes them knows their types.
    #[cfg(feature = "cloud")]
    kept: Mutex<HashMap<String, Arc<dyn Any + Send + Sync>>>,
    requests: Arc<AtomicU64>,
    bytes: Arc<AtomicU64>,
    listings: AtomicU64,
}

/// A session, for what it keeps: a strong reference would keep the session and its connections for ever.
#[cfg(feature = "cloud")]
#[derive(Clone, Debug, Default)]
pub(crate) struct WeakSession(Weak<Shared>);

#[cfg(feature = "cloud")]
impl WeakSession {
    pub(crate) fn of(session: Option<&Session>) -> Self {
        session.map_or_else(WeakSession::default, |session| WeakSession(Arc::downgrade(&session.0)))
    }

    pub(crate) fn get(&self) -> Option<Session> {
        self.0.upgrade().map(Session)
    }
}

impl Session {
    /// The requests and bytes of all objects so far.
    pub fn traffic(&self) -> Traffic {
        let number = |counter: &AtomicU64| counter.load(Ordering::Relaxed);
        Traffic { requests: number(&self.0.requests), bytes_fetched: number(&self.0.bytes), held: 0 }
    }

    /// How many of the requests listed objects.
    pub fn listings(&self) -> u64 {
        self.0.listings.load(Ordering::Relaxed)
    }

    #[cfg(feature = "cloud")]
    pub(crate) fn note_listing(&self) {
        self.0.listings.fetch_add(1, Ordering::Relaxed);
    }

    /// The counters of requests and bytes.
    #[cfg(feature = "cloud")]
    pub(crate) fn counters(&self) -> [Arc<AtomicU64>; 2] {
        [Arc::clone(&self.0.requests), Arc::clone(&self.0.bytes)]
    }

    /// The value that is kept under `name`.
    #[cfg(feature = "cloud")]
    pub(crate) fn known<T: Send + Sync + 'static>(&self, name: &str) -> Option<Arc<T>> {
        let kept = crate::lock(&self.0.kept);
        Arc::clone(kept.get(name)?).downcast().ok()
    }

    /// The value that is kept under `name`; the first caller makes it.
    #[cfg(feature = "cloud")]
    pub(crate) fn kept<T: Send + Sync + 'static>(
        &self,
        name: String,
        make: impl FnOnce() -> Result<Arc<T>>,
    ) -> Result<Arc<T>> {
        let mut kept = crate::lock(&self.0.kept);
        if let Some(known) = kept.get(&name).and_then(|known| Arc::clone(known).downcast().ok()) {
            return Ok(known);
        }
        let made = make()?;
        kept.insert(name, Arc::clone(&made) as Arc<dyn Any + Send + Sync>);
        Ok(made)
    }
}

rread_text::opaque!(HttpHeaders, Session);

/// Whether text is read as a terminal shows it in the end.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Plain {
    /// As it is stored.
    #[default]
    Never,
    /// As a terminal shows it.
    Always,
    /// As a terminal shows it if the first bytes have what a terminal acts on.
    IfItActs,
}

/// The options of opening a source.
#[derive(Clone, Debug, Default)]
pub struct Access {
    /// Read the stored bytes, without decompressing.
    pub raw: bool,
    /// Whether to read what a terminal shows of the text in the end.
    pub plain: Plain,
    /// Read newlines for NULs, and NULs for newlines: lines end with a NUL.
    pub null_data: bool,
    /// Let a damaged compressed file end at its first damage.
    pub salvage: bool,
    /// Read named pipes and character devices as streams. Opening a pipe waits for a writer.
    pub stream: bool,
    /// How long a stream or a server may be silent. By default a stream may be forever, a server for half a minute.
    pub timeout: Option<Duration>,
    /// How often to repeat a request that failed; `None` for the default of the store.
    pub retries: Option<u32>,
    /// Send requests without credentials.
    pub anonymous: bool,
    /// Headers of requests to web servers. A host that another one redirects to does not get them.
    pub http_headers: HttpHeaders,
    /// Shared by the requests for several objects; without it, each object has its own.
    pub session: Option<Session>,
    /// The label of the charset in which a page is stored.
    pub encoding: Option<String>,
    /// Read only this sheet of a workbook, as a table.
    pub sheet: Option<Sheet>,
    /// Opens the files, instead of this crate.
    pub opener: Option<Arc<dyn Opener>>,
    /// The member that the name means, in an archive that is open.
    pub member: Option<Arc<dyn OpensMember>>,
    /// Follows every read.
    pub watch: Option<Arc<dyn Watch>>,
}

impl Access {
    /// The options for the archive that has the text: `--no-decompress`, the sheet and `--plain` are about the text.
    pub(crate) fn of_archive(&self) -> Self {
        Access { raw: false, sheet: None, plain: Plain::Never, null_data: false, ..self.clone() }
    }
}

/// How names are understood.
#[derive(Clone, Copy)]
pub struct Naming<'a> {
    /// A directory or a prefix means the files below it with one of these endings, possibly before that of a compressed
    /// file. Without endings, a prefix means all objects below it.
    pub endings: &'a [&'a str],
    /// The options for requests to stores.
    pub access: &'a Access,
    /// Conditions on directories `key=value`.
    pub conditions: Option<&'a dyn Conditions>,
    /// Whether a prefix without endings means hidden objects too.
    pub hidden: bool,
}

pub(super) struct Watched {
    pub(super) source: Box<dyn Source>,
    pub(super) watch: Arc<dyn Watch>,
}

impl Source for Watched {
    fn read_at(&self, buffer: &mut [u8], offset: u64) -> io::Result<usize> {
        self.check()?;
        let got = self.source.read_at(buffer, offset)?;
        self.watch.report_read(got as u64);
        Ok(got)
    }

    fn inner(&self) -> Option<&dyn Source> {
        Some(&*self.source)
    }

    fn check(&self) -> io::Result<()> {
        self.watch.check()
    }
}
