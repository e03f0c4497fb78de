//! What becomes of a capture when somebody wants it to end: the command is told, and what it has put out is kept.

/// Looks after signals while a command runs.
///
/// A terminal sends Ctrl-C to the command as well, so it is left to that; only a second one ends this program. The request
/// to terminate (`timeout`, `kill`) comes to this program alone, and is handed on.
#[cfg(unix)]
#[derive(Debug)]
pub(super) struct Watch {
    handle: Option<signal_hook::iterator::Handle>,
}

#[cfg(unix)]
impl Watch {
    /// Begins once the command `child` has been started, so that it is started with signals as they were. Without a command,
    /// what writes to standard input gets Ctrl-C, and a request to terminate ends this program.
    pub(super) fn begin(child: Option<u32>) -> Watch {
        use std::sync::Arc;
        use std::sync::atomic::AtomicBool;

        use rustix::process::{Pid, Signal, kill_process};
        use signal_hook::consts::{SIGHUP, SIGINT, SIGTERM};
        use signal_hook::flag;
        use signal_hook::iterator::Signals;

        let was_interrupted = Arc::new(AtomicBool::new(false));
        // Where this fails, signals end the program as they would have.
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
        // Before the command is waited for: its number may then be that of another process.
        if let Some(handle) = &self.handle {
            handle.close();
        }
    }
}

/// Where there are no such signals there is nothing to look after.
#[cfg(not(unix))]
#[derive(Debug)]
pub(super) struct Watch;

#[cfg(not(unix))]
impl Watch {
    pub(super) fn begin(_: Option<u32>) -> Watch {
        Watch
    }
}

/// It is dropped at the same places as the other one.
#[cfg(not(unix))]
impl Drop for Watch {
    fn drop(&mut self) {}
}
