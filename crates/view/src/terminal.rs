//! The terminal: entering and leaving the full screen, keys, and drawing.

use std::fmt::Write as _;
use std::io::{self, Write};
use std::sync::Once;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::thread;
use std::time::Duration;

use crossterm::event::{Event as Input, poll, read};
use crossterm::terminal::{disable_raw_mode, enable_raw_mode, size, window_size};

use super::app::frame::ScreenFrame;
use super::worker::Event;
use rread_source::interrupt::Guard;
use rread_source::start_thread;
use rread_text::{Error, Result};

/// The other screen without automatic wrapping, where the wheel sends the keys of arrows.
const ENTER: &str = "\x1b[?1049h\x1b[?7l\x1b[?1007h\x1b[?25l\x1b[0m\x1b[2J";
const LEAVE: &str = "\x1b[0m\x1b[?25h\x1b[?1007l\x1b[?7h\x1b[?1049l";

/// A terminal that reports no size.
const USUAL: (usize, usize) = (80, 24);

/// After so long without a key, the thread that reads them looks whether the terminal is still there.
const LOOK: Duration = Duration::from_secs(2);

/// Keys that are handled together.
const TOGETHER: usize = 256;

/// Whether the terminal shows the viewer.
static IS_ENTERED: AtomicBool = AtomicBool::new(false);

static HOOK: Once = Once::new();

pub(crate) struct Terminal {
    /// The rows as they were drawn.
    drawn: ScreenFrame,
    is_fresh: bool,
    /// Undoes [`Terminal::show`] if a signal ends the program.
    _guard: Guard,
}

/// Terminals that cannot move the cursor, as terminfo names them.
#[cfg(unix)]
const UNABLE: [&str; 4] = ["", "dumb", "unknown", "emacs"];

/// Whether the terminal can show a full screen.
#[cfg(unix)]
pub(crate) fn is_able() -> bool {
    std::env::var("TERM").is_ok_and(|term| !UNABLE.contains(&term.as_str()))
}

#[cfg(not(unix))]
pub(crate) fn is_able() -> bool {
    true
}

impl Terminal {
    /// A terminal that still shows what it showed before.
    pub(crate) fn hidden() -> Self {
        // A panic is reported on the screen that the user sees afterwards.
        HOOK.call_once(|| {
            let report = std::panic::take_hook();
            std::panic::set_hook(Box::new(move |panic| {
                leave();
                report(panic);
            }));
        });
        Terminal { drawn: ScreenFrame::default(), is_fresh: true, _guard: Guard::new(leave) }
    }

    /// Enters the full screen.
    pub(crate) fn show(&self) -> Result<()> {
        enter().map_err(|cause| Error::read("cannot use the terminal", &cause))
    }

    pub(crate) fn is_shown(&self) -> bool {
        IS_ENTERED.load(Ordering::SeqCst)
    }

    /// Draws the whole screen the next time.
    pub(crate) fn forget(&mut self) {
        self.is_fresh = true;
    }

    /// Runs `outside` on the screen from which the viewer was started.
    pub(crate) fn outside<T>(&mut self, outside: impl FnOnce() -> T) -> T {
        leave();
        let result = outside();
        // If the terminal has gone, the thread that reads keys reports it.
        let _ = enter();
        self.forget();
        result
    }

    /// Writes what differs from the last frame.
    pub(crate) fn draw(&mut self, frame: ScreenFrame) -> io::Result<()> {
        let mut out = String::from("\x1b[?25l");
        if self.is_fresh {
            out.push_str("\x1b[0m\x1b[2J");
        }
        for (row, text) in frame.rows.iter().enumerate() {
            if self.is_fresh || self.drawn.rows.get(row) != Some(text) {
                let _ = write!(out, "\x1b[{};1H\x1b[K{text}", row + 1);
            }
        }
        if let Some((column, row)) = frame.cursor {
            let _ = write!(out, "\x1b[{};{}H\x1b[?25h", row + 1, column + 1);
        }
        if self.is_fresh || frame != self.drawn {
            write_all(out.as_bytes())?;
        }
        self.drawn = frame;
        self.is_fresh = false;
        Ok(())
    }

    /// Puts `text` on the clipboard of the user (OSC 52).
    pub(crate) fn copy(&self, text: &str) -> io::Result<()> {
        let coded = data_encoding::BASE64.encode(text.as_bytes());
        write_all(format!("\x1b]52;c;{coded}\x1b\\").as_bytes())
    }
}

impl Drop for Terminal {
    fn drop(&mut self) {
        leave();
    }
}

fn write_all(bytes: &[u8]) -> io::Result<()> {
    let mut out = io::stdout().lock();
    out.write_all(bytes)?;
    out.flush()
}

fn enter() -> io::Result<()> {
    enable_raw_mode()?;
    IS_ENTERED.store(true, Ordering::SeqCst);
    write_all(ENTER.as_bytes())
}

/// Leaves the full screen. May be called at any time, by any thread.
pub(crate) fn leave() {
    if IS_ENTERED.swap(false, Ordering::SeqCst) {
        let _ = write_all(LEAVE.as_bytes());
        let _ = disable_raw_mode();
    }
}

pub(crate) fn dimensions() -> (usize, usize) {
    match size() {
        Ok((columns, lines)) if columns > 0 && lines > 0 => (usize::from(columns), usize::from(lines)),
        _ => USUAL,
    }
}

/// Starts the thread that reads keys, and reports changes of the size `drawn`. It waits after each batch until it gets a
/// message: while another program has the terminal, it reads nothing.
pub(crate) fn read_keys(events: Sender<Event>, drawn: (usize, usize)) -> Result<Sender<()>> {
    let (done, next) = channel();
    let run = move || {
        if keys(&events, &next, drawn).is_err() {
            let _ = events.send(Event::NoTerminal);
        }
    };
    start_thread("keys", run).map(|()| done)
}

fn keys(events: &Sender<Event>, next: &Receiver<()>, mut drawn: (usize, usize)) -> io::Result<()> {
    // The first look installs what hears of a change of the size; a change before it is asked for.
    let mut has_keys = poll(Duration::ZERO)?;
    loop {
        let mut batch = Vec::new();
        while batch.len() < TOGETHER && has_keys {
            let input = read()?;
            if let Input::Resize(columns, lines) = input {
                drawn = (columns.into(), lines.into());
            }
            batch.push(input);
            has_keys = poll(Duration::ZERO)?;
        }
        let now = window_size()?;
        let is_sized = now.columns > 0 && now.rows > 0;
        if is_sized && drawn != (now.columns.into(), now.rows.into()) {
            drawn = (now.columns.into(), now.rows.into());
            batch.push(Input::Resize(now.columns, now.rows));
        }
        if batch.is_empty() {
            has_keys = poll(LOOK)?;
            continue;
        }
        if events.send(Event::Input(batch)).is_err() || next.recv().is_err() {
            return Ok(());
        }
    }
}

/// Whether a stop signal is one that the viewer has sent.
#[cfg(unix)]
static IS_STOPPING: AtomicBool = AtomicBool::new(false);

/// Signals that end a program if it does nothing; the others are those of the guard, or cannot be caught.
#[cfg(unix)]
const FATAL: [i32; 9] = {
    use signal_hook::consts::{
        SIGABRT, SIGALRM, SIGPROF, SIGSYS, SIGTRAP, SIGUSR1, SIGUSR2, SIGVTALRM, SIGXCPU,
    };
    [SIGABRT, SIGALRM, SIGPROF, SIGSYS, SIGTRAP, SIGUSR1, SIGUSR2, SIGVTALRM, SIGXCPU]
};

/// Leaves the terminal as it was when a signal ends or stops the process, and reports when it goes on. QUIT is ignored, as
/// in less.
#[cfg(unix)]
pub(crate) fn watch_signals(events: Sender<Event>) -> Result<()> {
    use signal_hook::consts::{SIGCONT, SIGQUIT, SIGTSTP};
    use signal_hook::iterator::Signals;
    use signal_hook::low_level::emulate_default_handler;
    let failed = |cause: io::Error| Error::read("cannot wait for signals", &cause);
    rread_source::limits::leave_abort();
    let mut signals = Signals::new(FATAL.into_iter().chain([SIGCONT, SIGQUIT, SIGTSTP])).map_err(failed)?;
    let run = move || {
        for signal in signals.forever() {
            let event = match signal {
                SIGQUIT => continue,
                SIGTSTP if IS_STOPPING.swap(false, Ordering::SeqCst) => continue,
                SIGTSTP => Event::Stopped,
                SIGCONT => Event::Continued,
                fatal => {
                    leave();
                    let _ = emulate_default_handler(fatal);
                    continue;
                }
            };
            if events.send(event).is_err() {
                return;
            }
        }
    };
    thread::Builder::new().name("signals".to_owned()).spawn(run).map(drop).map_err(failed)
}

#[cfg(not(unix))]
pub(crate) fn watch_signals(_: Sender<Event>) -> Result<()> {
    Ok(())
}

/// Stops the process and those that were started with it, as Ctrl-Z does elsewhere.
#[cfg(unix)]
pub(crate) fn suspend() {
    use rustix::process::{Signal, kill_current_process_group};
    IS_STOPPING.store(true, Ordering::SeqCst);
    if kill_current_process_group(Signal::TSTP).is_ok() {
        stop();
    }
}

#[cfg(not(unix))]
pub(crate) fn suspend() {}

/// Stops this process.
#[cfg(unix)]
pub(crate) fn stop() {
    let _ = signal_hook::low_level::emulate_default_handler(signal_hook::consts::SIGTSTP);
}

#[cfg(not(unix))]
pub(crate) fn stop() {}
