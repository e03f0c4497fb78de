//! Detects standard streams that were closed when the program started, and passes notes on to the program.
//!
//! Rust opens `/dev/null` in place of closed streams before `main` (rust-lang/rust#88825): output would vanish with
//! success, and input would look empty. So this runs before `main` does.

use std::path::Path;
use std::sync::OnceLock;
use std::sync::atomic::{AtomicBool, Ordering};

use rread_text::address;
use rread_text::error::printable;

static SHOW: OnceLock<fn(&str)> = OnceLock::new();

/// Sets the function that shows notes to people, once. Without one, notes are dropped: this crate prints nothing.
pub fn show_notes_with(show: fn(&str)) {
    let _ = SHOW.set(show);
}

/// Passes on a note about the file at `path`, for answers without a receipt.
pub fn warn(path: &Path, note: &str) {
    show(&format!("{}: note: {}", printable(&address::display(path)), address::hide_in(note)));
}

/// As [`warn`], for a note about several files.
pub fn note(note: &str) {
    show(&format!("note: {}", address::hide_in(note)));
}

fn show(note: &str) {
    if let Some(show) = SHOW.get() {
        show(note);
    }
}

static INPUT_CLOSED: AtomicBool = AtomicBool::new(false);
static OUTPUT_CLOSED: AtomicBool = AtomicBool::new(false);

#[cfg(unix)]
#[ctor::ctor]
fn look() {
    let is_open = |fd| rustix::io::fcntl_getfd(fd).is_ok();
    INPUT_CLOSED.store(!is_open(rustix::stdio::stdin()), Ordering::Relaxed);
    OUTPUT_CLOSED.store(!is_open(rustix::stdio::stdout()), Ordering::Relaxed);
}

/// Whether standard input was closed when the program started.
pub fn stdin_was_closed() -> bool {
    INPUT_CLOSED.load(Ordering::Relaxed)
}

/// Whether standard input is a pipe, a file or a socket, so that it has data of its own.
pub fn stdin_has_data() -> bool {
    #[cfg(unix)]
    {
        use std::os::unix::fs::FileTypeExt;
        let stdin = std::fs::metadata("/dev/stdin").map(|stdin| stdin.file_type());
        stdin.is_ok_and(|kind| kind.is_file() || kind.is_fifo() || kind.is_socket())
    }
    #[cfg(not(unix))]
    {
        use std::io::IsTerminal;
        !std::io::stdin().is_terminal()
    }
}

/// Whether standard output was closed when the program started.
pub fn stdout_was_closed() -> bool {
    OUTPUT_CLOSED.load(Ordering::Relaxed)
}
