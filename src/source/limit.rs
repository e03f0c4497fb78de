//! The limit on the size of files (`ulimit -f`), past which a write ends the whole program by a signal, unless somebody takes it.

/// The limit in bytes, if there is one.
#[cfg(unix)]
pub fn file_size() -> Option<u64> {
    rustix::process::getrlimit(rustix::process::Resource::Fsize).current
}

/// The limit in bytes, if there is one.
#[cfg(not(unix))]
pub fn file_size() -> Option<u64> {
    None
}

/// Whether there is such a limit.
pub(crate) fn is_file_size_limited() -> bool {
    file_size().is_some()
}

/// Has a write past the limit fail, as one to a full disk does, in place of the signal that ends the program.
#[cfg(unix)]
pub(crate) fn outlive() {
    if is_file_size_limited() {
        // Where that fails, the signal does what it always did. A command that is started has it as it was.
        let _ = signal_hook::flag::register(signal_hook::consts::SIGXFSZ, std::sync::Arc::default());
    }
}

/// There is no such limit here.
#[cfg(not(unix))]
pub(crate) fn outlive() {}
