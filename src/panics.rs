//! Panics, which are bugs: one sentence for the user, and the end of the program, or a new start of a server.

use std::io::{self, Write};
#[cfg(feature = "cluster")]
use std::{process::Command, sync::OnceLock};

use rread_text::error::printable;

/// The exit code of an error in the program itself: `EX_SOFTWARE` of BSD's sysexits.h.
const INTERNAL_ERROR: i32 = 70;

/// The address of a server that starts again.
#[cfg(feature = "cluster")]
static SERVED: OnceLock<String> = OnceLock::new();

/// From now on, a panic in any thread ends the process with one sentence and exit code 70.
pub(crate) fn explain() {
    std::panic::set_hook(Box::new(|panic| {
        let what = panic.to_string().replace('\n', " ");
        let text = format!(
            "rread: internal error, a bug in rread: {}\nhint: rread --version, and report its output with this message and the command line\n",
            printable(&what)
        );
        let _ = io::stderr().write_all(text.as_bytes());
        #[cfg(feature = "cluster")]
        if let Some(address) = SERVED.get() {
            start_again(address);
        }
        std::process::exit(INTERNAL_ERROR);
    }));
}

/// From now on, a panic starts the program again with its own arguments, to listen on `address`: a client can send a plan
/// that the engine's decoder does not expect.
#[cfg(feature = "cluster")]
pub(crate) fn serve_on(address: String) {
    let _ = SERVED.set(address);
}

/// Returns only if the system cannot do it. The connections of this process end, and their clients go to other workers.
#[cfg(feature = "cluster")]
fn start_again(address: &str) {
    let Ok(program) = std::env::current_exe() else { return };
    let mut command = Command::new(program);
    // The last one counts of an option that is given twice. Port 0 was any free one.
    command.args(std::env::args_os().skip(1)).args(["--listen", address]);
    #[cfg(unix)]
    let _ = std::os::unix::process::CommandExt::exec(&mut command);
    #[cfg(not(unix))]
    drop(command);
}
