//! How a source may be opened.

use std::time::Duration;

/// The options for opening a source.
#[derive(Clone, Debug, Default)]
pub struct Access {
    /// Read compressed files without decompressing them.
    pub raw: bool,
    /// Let a damaged compressed file end at its first damage.
    pub salvage: bool,
    /// Read named pipes and character devices as streams. Opening a pipe waits for a writer.
    pub stream: bool,
    /// How long a stream or a server may be silent. By default a stream may be forever, a server for half a minute.
    pub timeout: Option<Duration>,
    /// How often to repeat a failed request.
    pub retries: Option<u32>,
    /// Read object stores without credentials.
    pub anonymous: bool,
}
