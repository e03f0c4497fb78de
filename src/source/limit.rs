//! The limit on the size of files (`ulimit -f`), past which a write ends the whole program by a signal.

/// The limit in bytes, if there is one.
#[cfg(unix)]
#[must_use]
pub fn file_size() -> Option<u64> {
    rustix::process::getrlimit(rustix::process::Resource::Fsize).current
}

/// The limit in bytes, if there is one.
#[cfg(not(unix))]
#[must_use]
pub fn file_size() -> Option<u64> {
    None
}

/// Whether there is such a limit.
#[must_use]
pub fn is_file_size_limited() -> bool {
    file_size().is_some()
}
