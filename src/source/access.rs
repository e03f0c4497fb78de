//! How a source may be opened.

use std::time::Duration;

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
    pub retries: Option<u32>,
    pub anonymous: bool,
}
