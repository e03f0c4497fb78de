//! The limit on the size of files (`ulimit -f`), past which a write ends the whole program by a signal.

/// Whether there is such a limit.
#[cfg(unix)]
#[must_use]
pub fn is_file_size_limited() -> bool {
    rustix::process::getrlimit(rustix::process::Resource::Fsize).current.is_some()
}

/// Whether there is such a limit.
#[cfg(not(unix))]
#[must_use]
pub fn is_file_size_limited() -> bool {
    false
}
