//! What a long read shows on standard error, if that is a terminal: never in a pipe, gone before the answer comes.

use std::env;
use std::ffi::OsStr;
use std::io::{self, IsTerminal};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::mpsc::{RecvTimeoutError, Sender, channel};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

use indicatif::{BinaryBytes, ProgressBar, ProgressStyle};

use crate::reader::Reader;

/// What takes less is over before anybody wonders.
const QUIET: Duration = Duration::from_secs(1);

/// How often the line is drawn.
const TICK: Duration = Duration::from_millis(100);

/// A line that says how much has been read, for as long as this lives.
pub(super) struct Progress {
    /// Nothing is ever sent: that this is dropped ends the thread.
    stop: Option<Sender<()>>,
    ticker: Option<JoinHandle<()>>,
}

impl Progress {
    /// Watches `reader`: from the second second on, if standard error is a terminal.
    pub(super) fn watch(reader: &Reader) -> Self {
        Progress::count(reader.passed(), reader.known_size(), "read")
    }

    /// Watches the number `passed` of bytes, of `size` where that is known; `done` says what was done with them.
    pub(super) fn count(passed: Arc<AtomicU64>, size: Option<u64>, done: &'static str) -> Self {
        if !is_watched() {
            return Progress { stop: None, ticker: None };
        }
        let (stop, stopped) = channel::<()>();
        let tick = move || {
            let started = Instant::now();
            let from = passed.load(Ordering::Relaxed);
            let mut bar = None;
            let mut pause = QUIET;
            while stopped.recv_timeout(pause) == Err(RecvTimeoutError::Timeout) {
                let bar = bar.get_or_insert_with(|| styled(ProgressBar::no_length(), "{msg}"));
                let read = passed.load(Ordering::Relaxed).saturating_sub(from);
                bar.set_message(line(read, size, done, started.elapsed()));
                pause = TICK;
            }
            if let Some(bar) = bar {
                bar.finish_and_clear();
            }
        };
        // Where there is no thread to be had, nothing is shown.
        let ticker = thread::Builder::new().name("progress".to_owned()).spawn(tick).ok();
        Progress { stop: Some(stop), ticker }
    }
}

impl Drop for Progress {
    fn drop(&mut self) {
        drop(self.stop.take());
        if let Some(ticker) = self.ticker.take() {
            let _ = ticker.join();
        }
    }
}

/// A bar for a scan of `size` bytes, on a terminal only.
pub(super) fn bar(size: Option<u64>) -> Option<ProgressBar> {
    let size = size.filter(|_| is_watched())?;
    Some(styled(ProgressBar::new(size), "{bar:40} {bytes}/{total_bytes} {bytes_per_sec} {eta}"))
}

/// Whether somebody looks at standard error, on a terminal where a line can be taken back.
fn is_watched() -> bool {
    io::stderr().is_terminal() && env::var_os("TERM").is_none_or(|term| term != OsStr::new("dumb"))
}

fn styled(bar: ProgressBar, template: &str) -> ProgressBar {
    bar.with_style(ProgressStyle::with_template(template).unwrap_or_else(|_| ProgressStyle::default_bar()))
}

/// How much was read of how much, and how fast.
fn line(read: u64, size: Option<u64>, done: &str, took: Duration) -> String {
    let size = size.map_or(String::new(), |size| format!(" of {}", BinaryBytes(size)));
    let nanoseconds = took.as_nanos().max(1);
    let rate = u64::try_from(u128::from(read) * 1_000_000_000 / nanoseconds).unwrap_or(u64::MAX);
    format!("{} {done}{size}, {}/s", BinaryBytes(read), BinaryBytes(rate))
}
