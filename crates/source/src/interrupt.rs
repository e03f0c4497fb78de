//! Signals that end the program undo things first: an unfinished file, a line on a terminal. A capture outlives some.
//!
//! The program itself ends the process, by the function that it gives to [`end_with`]; without one, no signal is handled.

use std::collections::BTreeMap;
use std::io;
use std::process::{Child, Command};
use std::sync::{Mutex, MutexGuard, OnceLock, PoisonError};

pub use signals::watch;

static STATE: Mutex<State> = Mutex::new(State {
    undos: BTreeMap::new(),
    outlives_interrupt: false,
    has_command: false,
    command: None,
});

/// Ends the process after the signal; `is_second` is for the second Ctrl-C.
pub type End = fn(signal: i32, is_second: bool);

static END: OnceLock<End> = OnceLock::new();

/// Sets the function that ends the process after a signal, once.
pub fn end_with(end: End) {
    let _ = END.set(end);
}

// Only Unix has these signals.
#[cfg_attr(not(unix), allow(dead_code))]
struct State {
    /// Functions by the number of the guard.
    undos: BTreeMap<u64, Box<dyn FnOnce() + Send>>,
    /// Whether the program goes on after the first Ctrl-C.
    outlives_interrupt: bool,
    /// Whether SIGTERM and SIGHUP do not end the program: a command gets them while it runs.
    has_command: bool,
    /// The process ID of the command while it runs.
    command: Option<u32>,
}

/// While the state is locked, signals wait.
fn lock() -> MutexGuard<'static, State> {
    STATE.lock().unwrap_or_else(PoisonError::into_inner)
}

/// While this lives, a signal that ends the program undoes something first.
#[derive(Debug)]
pub struct Guard(u64);

impl Guard {
    /// Calls `undo` if a signal ends the program while this lives.
    pub fn new(undo: impl FnOnce() + Send + 'static) -> Self {
        watch();
        Guard::begin(&mut lock(), undo)
    }

    /// Guards what `make` makes, together with the function that undoes it, once [`watch`] has been called.
    pub fn make<T, U>(make: impl FnOnce() -> io::Result<(T, U)>) -> io::Result<(T, Self)>
    where
        U: FnOnce() + Send + 'static,
    {
        let mut state = lock();
        let (made, undo) = make()?;
        Ok((made, Guard::begin(&mut state, undo)))
    }

    fn begin(state: &mut State, undo: impl FnOnce() + Send + 'static) -> Self {
        let number = state.undos.last_key_value().map_or(0, |(last, _)| last + 1);
        state.undos.insert(number, Box::new(undo));
        Guard(number)
    }
}

impl Drop for Guard {
    fn drop(&mut self) {
        lock().undos.remove(&self.0);
    }
}

/// Runs `step`, which must neither overlap with undoing nor wait. Signals wait for its end.
pub fn delay<T>(step: impl FnOnce() -> T) -> T {
    let _state = lock();
    step()
}

/// Lets the program go on after the first Ctrl-C, which reaches the writer of standard input too.
pub fn outlive_interrupt() {
    watch();
    lock().outlives_interrupt = true;
}

/// Starts `command`, which gets SIGTERM and SIGHUP (`timeout`, `kill`) instead of the program, so that its output up to
/// then is kept. A terminal sends Ctrl-C to both: the program goes on after the first.
pub fn spawn(command: &mut Command) -> io::Result<Child> {
    let mut state = lock();
    let child = command.spawn()?;
    watch();
    (state.outlives_interrupt, state.has_command, state.command) = (true, true, Some(child.id()));
    Ok(child)
}

/// Precedes the wait for the command, after which its process ID may be reused.
pub fn stop_forwarding() {
    lock().command = None;
}

/// While this lives, nothing begins or is published.
pub struct Undone(#[allow(dead_code)] MutexGuard<'static, State>);

/// Undoes what is unfinished, for a program that ends the process next.
pub fn undo() -> Undone {
    Undone(undo_all(lock()))
}

fn undo_all(mut state: MutexGuard<'static, State>) -> MutexGuard<'static, State> {
    while let Some((_, undo)) = state.undos.pop_first() {
        undo();
    }
    state
}

#[cfg(unix)]
mod signals {
    use std::fs;
    use std::sync::Once;
    use std::thread;

    use rustix::process::{Pid, Signal, kill_process};
    use signal_hook::consts::{SIGHUP, SIGINT, SIGTERM};
    use signal_hook::iterator::Signals;

    use super::{END, End, lock, undo_all};

    static STARTED: Once = Once::new();

    /// Starts the thread that waits for signals, once. If that fails, signals end the program without undoing.
    pub fn watch() {
        let Some(end) = END.get().copied() else { return };
        STARTED.call_once(|| {
            let ignored = ignored_signals();
            let wanted =
                [SIGINT, SIGTERM, SIGHUP].into_iter().filter(|signal| ignored >> (signal - 1) & 1 == 0);
            let Ok(signals) = Signals::new(wanted) else { return };
            let _ = thread::Builder::new().name("signals".to_owned()).spawn(move || wait(signals, end));
        });
    }

    fn wait(mut signals: Signals, end: End) {
        let mut was_interrupted = false;
        for signal in signals.forever() {
            let state = lock();
            let is_second = signal == SIGINT && was_interrupted;
            was_interrupted |= signal == SIGINT;
            if signal == SIGINT && state.outlives_interrupt && !is_second {
                continue;
            }
            if signal != SIGINT && state.has_command {
                let command = state.command.and_then(|id| Pid::from_raw(id.try_into().ok()?));
                let signal = if signal == SIGHUP { Signal::HUP } else { Signal::TERM };
                let _ = command.map(|command| kill_process(command, signal));
                continue;
            }
            // The state stays locked, so that nothing begins or is published after this.
            let _state = undo_all(state);
            end(signal, is_second);
        }
    }

    /// The signals that the parent made us ignore, as `nohup` does: a handler would undo that. Only Linux reports them.
    fn ignored_signals() -> u64 {
        let status = fs::read_to_string("/proc/self/status").unwrap_or_default();
        let mask = status.lines().find_map(|line| line.strip_prefix("SigIgn:"));
        mask.and_then(|mask| u64::from_str_radix(mask.trim(), 16).ok()).unwrap_or(0)
    }
}

#[cfg(not(unix))]
mod signals {
    /// Does nothing: this system has no such signals.
    pub fn watch() {}
}
