//! Undoes things when a signal ends the program: an unfinished file, a line on a terminal.

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, PoisonError};

type Undo = Box<dyn FnOnce() + Send>;

static PENDING: Mutex<BTreeMap<u64, Undo>> = Mutex::new(BTreeMap::new());

static OUTLIVES_INTERRUPT: AtomicBool = AtomicBool::new(false);

/// While this lives, a signal that ends the program undoes something first.
#[derive(Debug)]
pub(crate) struct Guard(u64);

impl Guard {
    pub(crate) fn new(undo: impl FnOnce() + Send + 'static) -> Self {
        watch::start();
        let mut pending = PENDING.lock().unwrap_or_else(PoisonError::into_inner);
        let number = pending.last_key_value().map_or(0, |(last, _)| last + 1);
        pending.insert(number, Box::new(undo));
        Guard(number)
    }

    /// As [`Guard::new`], for a program that outlives Ctrl-C: SIGINT neither ends it nor runs `undo`.
    pub(crate) fn despite_interrupt(undo: impl FnOnce() + Send + 'static) -> Self {
        OUTLIVES_INTERRUPT.store(true, Ordering::Relaxed);
        Guard::new(undo)
    }
}

impl Drop for Guard {
    fn drop(&mut self) {
        PENDING.lock().unwrap_or_else(PoisonError::into_inner).remove(&self.0);
    }
}

#[cfg(unix)]
mod watch {
    use std::fs;
    use std::sync::atomic::Ordering;
    use std::sync::{Once, PoisonError};
    use std::thread;

    use signal_hook::consts::{SIGHUP, SIGINT, SIGTERM};
    use signal_hook::iterator::Signals;
    use signal_hook::low_level::emulate_default_handler;

    use crate::interrupt::{OUTLIVES_INTERRUPT, PENDING};

    static STARTED: Once = Once::new();

    /// Starts the thread that waits for signals, once. If that fails, signals end the program without undoing.
    pub(super) fn start() {
        STARTED.call_once(|| {
            let ignored = ignored();
            let wanted =
                [SIGINT, SIGTERM, SIGHUP].into_iter().filter(|signal| ignored >> (signal - 1) & 1 == 0);
            let Ok(mut signals) = Signals::new(wanted) else { return };
            let wait = move || {
                let ends = |signal: &i32| *signal != SIGINT || !OUTLIVES_INTERRUPT.load(Ordering::Relaxed);
                if let Some(signal) = signals.forever().find(ends) {
                    // Keep the lock, so that no new guard begins.
                    let mut pending = PENDING.lock().unwrap_or_else(PoisonError::into_inner);
                    while let Some((_, undo)) = pending.pop_first() {
                        undo();
                    }
                    let _ = emulate_default_handler(signal);
                }
            };
            let _ = thread::Builder::new().name("signals".to_owned()).spawn(wait);
        });
    }

    /// The signals that the parent made us ignore, as `nohup` does: a handler would undo that. Only Linux reports them.
    fn ignored() -> u64 {
        let status = fs::read_to_string("/proc/self/status").unwrap_or_default();
        let mask = status.lines().find_map(|line| line.strip_prefix("SigIgn:"));
        mask.and_then(|mask| u64::from_str_radix(mask.trim(), 16).ok()).unwrap_or(0)
    }
}

#[cfg(not(unix))]
mod watch {
    pub(super) fn start() {}
}
