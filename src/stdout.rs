//! Standard output without std's buffer, so that every failed write is reported.

use std::fs::File;
use std::io::{self, IsTerminal};

use rread_answer::output::Out;
use rread_source::stdio;
use rread_text::error::{Error, Result};

/// Fails if standard output was closed before the program started.
pub(crate) fn stdout() -> Result<Out> {
    if stdio::stdout_was_closed() {
        return Err(Error::write(&io::Error::other("it is closed")));
    }
    if cfg!(windows) && io::stdout().is_terminal() {
        return Ok(Out::console(Box::new(io::stdout())));
    }
    duplicate(&io::stdout()).map(Out::new).map_err(|cause| Error::write(&cause))
}

#[cfg(unix)]
fn duplicate(stdout: &io::Stdout) -> io::Result<File> {
    use std::os::fd::AsFd;
    Ok(stdout.as_fd().try_clone_to_owned()?.into())
}

#[cfg(windows)]
fn duplicate(stdout: &io::Stdout) -> io::Result<File> {
    use std::os::windows::io::AsHandle;
    Ok(stdout.as_handle().try_clone_to_owned()?.into())
}
