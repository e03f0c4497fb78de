//! The progress of a long read, on a terminal at standard error; it disappears before the answer.

use std::env;
use std::io::{self, IsTerminal};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::mpsc::{RecvTimeoutError, Sender, channel};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

use indicatif::{BinaryBytes, ProgressBar, ProgressStyle};

use rread_reader::Reader;
use rread_source::interrupt::Guard;

const QUIET: Duration = Duration::from_secs(1);

const TICK: Duration = Duration::from_millis(100);

pub(crate) struct Progress {
    /// Carries no messages: dropping it ends the thread.
    stop: Option<Sender<()>>,
    ticker: Option<JoinHandle<()>>,
}

impl Progress {
    pub(crate) fn watch(reader: &Reader) -> Self {
        let size = reader.known_size();
        let draw = move |bar: &ProgressBar, read, took| bar.set_message(line(read, size, "read", took));
        Progress::show(reader.bytes_read(), draw, true)
    }

    /// Shows how much of several files was read: `read` gives the stored bytes, those of all files if they are known, the
    /// files that are done, and all files.
    #[cfg(feature = "sql")]
    pub(crate) fn files(
        bytes: Arc<AtomicU64>,
        read: impl Fn() -> (u64, Option<u64>, [u64; 2]) + Send + 'static,
    ) -> Self {
        let draw = move |bar: &ProgressBar, _, took| {
            let (bytes, total, [done, files]) = read();
            bar.set_message(of_files(bytes, total, done, files, took));
        };
        Progress::show(bytes, draw, true)
    }

    /// Shows how much output was captured. A signal does not end a capture, so the line needs no guard.
    pub(crate) fn capture(passed: Arc<AtomicU64>) -> Self {
        let draw = |bar: &ProgressBar, read, took| bar.set_message(line(read, None, "captured", took));
        Progress::show(passed, draw, false)
    }

    fn show(
        passed: Arc<AtomicU64>,
        draw: impl Fn(&ProgressBar, u64, Duration) + Send + 'static,
        is_guarded: bool,
    ) -> Self {
        // A dumb terminal cannot erase a line.
        if !io::stderr().is_terminal() || env::var_os("TERM").is_some_and(|term| term == "dumb") {
            return Progress { stop: None, ticker: None };
        }
        let (stop, stopped) = channel::<()>();
        let tick = move || {
            let started = Instant::now();
            let from = passed.load(Ordering::Relaxed);
            let mut shown = None;
            let mut pause = QUIET;
            while stopped.recv_timeout(pause) == Err(RecvTimeoutError::Timeout) {
                let (bar, _) = shown.get_or_insert_with(|| {
                    let style = ProgressStyle::with_template("{msg}");
                    let style = style.unwrap_or_else(|_| ProgressStyle::default_bar());
                    let bar = ProgressBar::no_length().with_style(style);
                    let cleared = bar.clone();
                    // A signal clears the bar before it ends the program.
                    let guard = is_guarded.then(|| Guard::new(move || cleared.finish_and_clear()));
                    (bar, guard)
                });
                let read = passed.load(Ordering::Relaxed).saturating_sub(from);
                draw(bar, read, started.elapsed());
                pause = TICK;
            }
            if let Some((bar, _)) = shown {
                bar.finish_and_clear();
            }
        };
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

/// `50 MiB read of 200 MiB (25 %), 12 of 40 files, 70 MiB/s`
#[cfg(feature = "sql")]
fn of_files(bytes: u64, total: Option<u64>, done: u64, files: u64, took: Duration) -> String {
    let share = |total: u64| u128::from(bytes.min(total)) * 100 / u128::from(total.max(1));
    let part = total.map_or(String::new(), |total| format!(" ({} %)", share(total)));
    let line = line(bytes, total, "read", took);
    let (read, rate) = line.rsplit_once(", ").unwrap_or((&line, ""));
    // Their beginnings are looked at before they are counted.
    let files = if files == 0 { String::new() } else { format!(", {done} of {files} files") };
    format!("{read}{part}{files}, {rate}")
}

/// `1.5 MiB read of 2.0 GiB, 700 MiB/s`; `done` is `read` or `captured`.
fn line(read: u64, size: Option<u64>, done: &str, took: Duration) -> String {
    let size = size.map_or(String::new(), |size| format!(" of {}", BinaryBytes(size)));
    let nanoseconds = took.as_nanos().max(1);
    let rate = u64::try_from(u128::from(read) * 1_000_000_000 / nanoseconds).unwrap_or(u64::MAX);
    format!("{} {done}{size}, {}/s", BinaryBytes(read), BinaryBytes(rate))
}

#[cfg(all(test, feature = "sql"))]
mod tests {
    use super::*;

    #[test]
    fn the_progress_of_files_is_never_more_than_all() {
        let second = Duration::from_secs(1);
        for (bytes, total, expected) in [
            (0, Some(2048), "0 B read of 2.00 KiB (0 %), 1 of 3 files, 0 B/s"),
            (1024, Some(2048), "1.00 KiB read of 2.00 KiB (50 %), 1 of 3 files, 1.00 KiB/s"),
            (2048, Some(2048), "2.00 KiB read of 2.00 KiB (100 %), 1 of 3 files, 2.00 KiB/s"),
            (2047, Some(2048), "2.00 KiB read of 2.00 KiB (99 %), 1 of 3 files, 2.00 KiB/s"),
            (1024, None, "1.00 KiB read, 1 of 3 files, 1.00 KiB/s"),
        ] {
            assert_eq!(of_files(bytes, total, 1, 3, second), expected);
        }
    }
}
