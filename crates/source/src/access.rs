//! How a source may be opened.

use std::fmt;
use std::fs::File;
use std::io;
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use crate::Source;
use rread_documents::sheets::Sheet;
use rread_text::error::Result;

/// Opens files for a server, so that none is opened by its path.
pub trait Opener: fmt::Debug + Send + Sync {
    /// Opens the regular file `path`; `None` for an address that rread may open itself.
    fn open(&self, path: &Path) -> Result<Option<File>>;
}

/// Opens a member of an archive that is open already.
pub trait OpensMember: fmt::Debug + Send + Sync {
    /// The bytes of the member, which the archive may compress.
    fn open(&self) -> Result<Box<dyn Source>>;
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

impl fmt::Debug for HttpHeaders {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} headers", self.0.len())
    }
}

/// The options of opening a source.
#[derive(Clone, Debug, Default)]
pub struct Access {
    /// Without decompressing.
    pub raw: bool,
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
    /// Read only this sheet of a workbook, as a table.
    pub sheet: Option<Sheet>,
    /// Opens the files, instead of this crate.
    pub opener: Option<Arc<dyn Opener>>,
    /// The member that the name means, in an archive that is open.
    pub member: Option<Arc<dyn OpensMember>>,
    /// Follows every read.
    pub watch: Option<Arc<dyn Watch>>,
}
