//! The limit on the size of files (`ulimit -f`). A write past it ends the program by a signal, unless it is caught.

/// The limit in bytes, if there is one.
#[cfg(unix)]
pub fn file_size() -> Option<u64> {
    rustix::process::getrlimit(rustix::process::Resource::Fsize).current
}

/// Always `None`: this system has no such limit.
#[cfg(not(unix))]
pub fn file_size() -> Option<u64> {
    None
}

/// Whether there is a limit.
pub fn is_file_size_limited() -> bool {
    file_size().is_some()
}

/// Catches the signal, so that a write past the limit fails like one to a full disk.
#[cfg(unix)]
pub fn outlive() {
    if is_file_size_limited() {
        // If that fails, the signal ends the program. Commands that rread starts do not inherit the handler.
        let _ = signal_hook::flag::register(signal_hook::consts::SIGXFSZ, std::sync::Arc::default());
    }
}

/// Does nothing: this system has no such signal.
#[cfg(not(unix))]
pub fn outlive() {}
