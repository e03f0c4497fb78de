//! Panics, which are bugs: one sentence for the user, and the end of the program.

use std::io::{self, Write};

use rread_text::error::printable;

/// The exit code of an error in the program itself: `EX_SOFTWARE` of BSD's sysexits.h.
const INTERNAL_ERROR: i32 = 70;

/// From now on, a panic in any thread ends the process with one sentence and exit code 70.
pub(crate) fn explain() {
    std::panic::set_hook(Box::new(|panic| {
        let what = panic.to_string().replace('\n', " ");
        let text = format!(
            "rread: internal error, a bug in rread: {}\nhint: rread --version, and report its output with this message and the command line\n",
            printable(&what)
        );
        let _ = io::stderr().write_all(text.as_bytes());
        std::process::exit(INTERNAL_ERROR);
    }));
}
