//! How a source may be opened.

use std::fmt;
use std::fs::File;
use std::io;
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use rread_documents::sheets::Sheet;
use rread_text::error::Result;

/// Opens files for a server, so that none is opened by its path.
pub trait Opener: fmt::Debug + Send + Sync {
    /// Opens the regular file `path`; `None` for an address that rread may open itself.
    fn open(&self, path: &Path) -> Result<Option<File>>;
}

/// Follows every read, to report progress and to cancel.
pub trait Watch: fmt::Debug + Send + Sync {
    /// Precedes a read; its error is that of the read.
    fn check(&self) -> io::Result<()>;

    /// Reports that a read returned so many bytes.
    fn report_read(&self, bytes: u64);
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
    /// Read only this sheet of a workbook, as a table.
    pub sheet: Option<Sheet>,
    /// Opens the files, instead of this crate.
    pub opener: Option<Arc<dyn Opener>>,
    /// Follows every read.
    pub watch: Option<Arc<dyn Watch>>,
}
