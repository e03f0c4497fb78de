//! The standard streams: were they open when the program was started? And notes on standard error.
//!
//! Rust opens `/dev/null` in the place of closed ones before `main`: everything written would vanish with success,
//! and everything read would be empty (rust-lang/rust#88825). So this looks before that.

use std::io::{self, Write};
use std::path::Path;

use crate::address;
use crate::error::printable;

/// Writes a note about the file at `path` to standard error: what an answer without a receipt cannot say.
pub(crate) fn warn(path: &Path, note: &str) {
    let path = address::shown(path);
    let _ = io::stderr().write_all(format!("rread: {}: note: {note}\n", printable(&path)).as_bytes());
}

/// A standard stream.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Stream {
    /// Standard input.
    Input,
    /// Standard output.
    Output,
}

/// Whether `stream` was closed when the program was started.
pub(crate) fn was_closed(stream: Stream) -> bool {
    at_start::was_closed(stream)
}

#[cfg(unix)]
mod at_start {
    use std::sync::atomic::{AtomicBool, Ordering};

    use crate::stdio::Stream;

    static INPUT_CLOSED: AtomicBool = AtomicBool::new(false);
    static OUTPUT_CLOSED: AtomicBool = AtomicBool::new(false);

    #[ctor::ctor]
    fn look() {
        let is_open = |fd| rustix::io::fcntl_getfd(fd).is_ok();
        INPUT_CLOSED.store(!is_open(rustix::stdio::stdin()), Ordering::Relaxed);
        OUTPUT_CLOSED.store(!is_open(rustix::stdio::stdout()), Ordering::Relaxed);
    }

    pub(super) fn was_closed(stream: Stream) -> bool {
        match stream {
            Stream::Input => INPUT_CLOSED.load(Ordering::Relaxed),
            Stream::Output => OUTPUT_CLOSED.load(Ordering::Relaxed),
        }
    }
}

#[cfg(not(unix))]
mod at_start {
    pub(super) fn was_closed(_: crate::stdio::Stream) -> bool {
        false
    }
}
