//! Limits of the system: on the size of files (`ulimit -f`), on memory (`ulimit -v`), and the number of processors.

use std::sync::LazyLock;
use std::thread::available_parallelism;
use std::time::Duration;

/// The exit code in the place of SIGABRT, after Rust said in one sentence how much memory was refused: that of what cannot
/// be read.
pub const REFUSED_MEMORY: i32 = 3;

/// The limit on the size of files in bytes, if there is one.
pub fn file_size() -> Option<u64> {
    #[cfg(unix)]
    return rustix::process::getrlimit(rustix::process::Resource::Fsize).current;
    #[cfg(not(unix))]
    None
}

/// Whether the size of files is limited.
pub fn is_file_size_limited() -> bool {
    file_size().is_some()
}

/// The processors that this process may use, at least 1.
pub fn processors() -> usize {
    // The system answers by three files of /proc and /sys, which takes longer than to open a file of a table.
    static COUNT: LazyLock<usize> = LazyLock::new(|| available_parallelism().map_or(1, usize::from));
    *COUNT
}

/// Allows as many open files as the system lets this process have; returns how many.
pub fn raise_descriptors() -> u64 {
    /// macOS refuses more, and nothing needs more.
    const MOST: u64 = 10_240;
    #[cfg(unix)]
    {
        use rustix::process::{Resource, Rlimit, getrlimit, setrlimit};
        let Rlimit { current, maximum } = getrlimit(Resource::Nofile);
        let most = maximum.unwrap_or(MOST).min(MOST);
        if current.is_some_and(|current| current < most) {
            let _ = setrlimit(Resource::Nofile, Rlimit { current: Some(most), maximum });
        }
        getrlimit(Resource::Nofile).current.unwrap_or(MOST).min(MOST)
    }
    #[cfg(not(unix))]
    MOST
}

/// Calls `end` once the process has more in memory than a query with `memory` bytes may take.
pub fn watch_memory(memory: u64, end: impl Fn() + Send + 'static) {
    const PAUSE: Duration = Duration::from_millis(4);
    let most = most_resident(memory);
    let watch = move || {
        while resident().is_some_and(|bytes| bytes <= most) {
            std::thread::sleep(PAUSE);
        }
        if resident().is_some() {
            end();
        }
    };
    // Without the thread, the limits of the engine remain.
    let _ = std::thread::Builder::new().name("memory".to_owned()).spawn(watch);
}

/// The most memory of a process with a query of `memory` bytes, less what may be taken until the next look.
pub fn most_resident(memory: u64) -> u64 {
    /// The memory of a query without large values, in the program and beside that which the engine counts.
    const LEAST: u64 = 256 << 20;
    const MARGIN: u64 = 24 << 20;
    memory.saturating_mul(4).max(LEAST) - MARGIN
}

/// The memory of this process that is not on disk. Only Linux says it.
pub fn resident() -> Option<u64> {
    if !cfg!(target_os = "linux") {
        return None;
    }
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:")?.strip_suffix("kB"))?;
    Some(line.trim().parse::<u64>().ok()? << 10)
}

#[cfg(unix)]
pub use signals::*;

#[cfg(unix)]
mod signals {
    use std::sync::{Arc, LazyLock, atomic::AtomicBool, atomic::Ordering};

    use signal_hook::consts::{SIGABRT, SIGXFSZ};
    use signal_hook::flag;

    static IS_CAUGHT: LazyLock<Arc<AtomicBool>> = LazyLock::new(|| Arc::new(AtomicBool::new(true)));

    /// Catches the signals of limits, for a program: a write past the limit of a file fails like one to a full disk, and
    /// refused memory ends the program with [`super::REFUSED_MEMORY`], because shells report a signal as a crash.
    pub fn outlive() {
        // If that fails, the signals end the program. Commands that rread starts do not inherit the handlers.
        if super::is_file_size_limited() {
            let _ = flag::register(SIGXFSZ, Arc::default());
        }
        let _ = flag::register_conditional_shutdown(SIGABRT, super::REFUSED_MEMORY, Arc::clone(&IS_CAUGHT));
    }

    /// Leaves SIGABRT to whoever catches it from now on.
    pub fn leave_abort() {
        IS_CAUGHT.store(false, Ordering::SeqCst);
    }
}
