//! Memory that the system refuses, as below `ulimit -v`. Rust then says in one sentence how much it asked for, and aborts.

#[cfg(unix)]
use std::sync::{Arc, LazyLock, atomic::AtomicBool, atomic::Ordering};

/// The exit code in the place of SIGABRT: that of what cannot be read.
pub const EXIT: i32 = 3;

#[cfg(unix)]
static IS_CAUGHT: LazyLock<Arc<AtomicBool>> = LazyLock::new(|| Arc::new(AtomicBool::new(true)));

/// Ends the program with [`EXIT`] where it would abort: shells report a signal as a crash.
#[cfg(unix)]
pub fn outlive() {
    // If that fails, the signal ends the program, as it did.
    let _ = signal_hook::flag::register_conditional_shutdown(
        signal_hook::consts::SIGABRT,
        EXIT,
        Arc::clone(&IS_CAUGHT),
    );
}

/// Leaves the signal to whoever catches it from now on.
#[cfg(unix)]
pub fn leave_signal() {
    IS_CAUGHT.store(false, Ordering::SeqCst);
}

/// Does nothing: this system has no such signal.
#[cfg(not(unix))]
pub fn outlive() {}

/// Does nothing: this system has no such signal.
#[cfg(not(unix))]
pub fn leave_signal() {}
