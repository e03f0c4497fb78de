//! Forwards signals to the command, so that its output up to then is kept.

/// Handles signals while a command runs.
///
/// A terminal sends Ctrl-C to the command as well, so only a second one ends rread. SIGTERM and SIGHUP (`timeout`,
/// `kill`) reach rread alone, so it forwards them.
#[cfg(unix)]
#[derive(Debug)]
pub(super) struct Watch {
    handle: Option<signal_hook::iterator::Handle>,
}

#[cfg(unix)]
impl Watch {
    /// Begins after the start of `child`, which must inherit the old signal handling. Without a command, SIGTERM ends
    /// rread.
    pub(super) fn begin(child: Option<u32>) -> Watch {
        use std::sync::Arc;
        use std::sync::atomic::AtomicBool;

        use rustix::process::{Pid, Signal, kill_process};
        use signal_hook::consts::{SIGHUP, SIGINT, SIGTERM};
        use signal_hook::flag;
        use signal_hook::iterator::Signals;

        let was_interrupted = Arc::new(AtomicBool::new(false));
        // If this fails, signals end rread as usual.
        let _ = flag::register_conditional_shutdown(SIGINT, 130, Arc::clone(&was_interrupted))
            .and_then(|_| flag::register(SIGINT, was_interrupted));
        let child = child.and_then(|id| i32::try_from(id).ok()).and_then(Pid::from_raw);
        let Some((child, mut signals)) =
            child.and_then(|child| Some((child, Signals::new([SIGTERM, SIGHUP]).ok()?)))
        else {
            return Watch { handle: None };
        };
        let handle = signals.handle();
        std::thread::spawn(move || {
            for signal in signals.forever() {
                let _ = kill_process(child, if signal == SIGHUP { Signal::HUP } else { Signal::TERM });
            }
        });
        Watch { handle: Some(handle) }
    }
}

#[cfg(unix)]
impl Drop for Watch {
    fn drop(&mut self) {
        // Must precede the wait for the command, after which its process id may be reused.
        if let Some(handle) = &self.handle {
            handle.close();
        }
    }
}

/// Without such signals, there is nothing to forward.
#[cfg(not(unix))]
#[derive(Debug)]
pub(super) struct Watch;

#[cfg(not(unix))]
impl Watch {
    pub(super) fn begin(_: Option<u32>) -> Watch {
        Watch
    }
}

/// The callers drop it on every platform.
#[cfg(not(unix))]
impl Drop for Watch {
    fn drop(&mut self) {}
}
