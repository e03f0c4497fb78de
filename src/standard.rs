//! Standard output without std's buffer, failures on standard error, and the end of the process for one that any thread finds.

use std::fs::File;
use std::io::{self, IsTerminal, Write};
use std::path::Path;

use rread_answer::{Format, Out, format, receipt, wording};
use rread_reader::Handle;
use rread_source::stdin;
use rread_text::address::display;
use rread_text::{Error, Result, printable};

/// Reports a failure on standard error; ignores that this may fail too.
pub(crate) fn complain(error: &Error, format: Format) {
    // Without a receipt, a search that finds nothing is silent, as in grep, unless another reading of the file may have it.
    let is_silent =
        error.kind == rread_text::error::Kind::NoMatch && !format.has_receipt() && error.hint.is_none();
    if error.kind == rread_text::error::Kind::BrokenPipe || is_silent {
        return;
    }
    let handle = error.path.as_deref().and_then(Handle::from_path);
    let text = match (format, handle) {
        (Format::Json, _) => format!("{}\n", receipt::error_json(error)),
        (Format::Xml, Some(handle)) => format::capture_error(&handle.to_string(), error),
        _ => {
            let hint = wording::hint(error).map(|hint| format!("hint: {}\n", printable(&hint)));
            format!("rread: {}\n{}", wording::line(error), hint.unwrap_or_default())
        }
    };
    let _ = io::stderr().write_all(text.as_bytes());
}

/// Shows a note on standard error; ignores that this may fail.
pub(crate) fn note(path: Option<&Path>, note: &str) {
    let name = path.map_or(String::new(), |path| format!("{}: ", printable(&display(path))));
    let _ = io::stderr().write_all(format!("rread: {name}note: {note}\n").as_bytes());
}

/// The same for a program that reads only JSON.
pub(crate) fn note_as_json(path: Option<&Path>, note: &str) {
    let _ = io::stderr().write_all(format!("{}\n", receipt::note_json(path, note)).as_bytes());
}

/// Reports an error and ends the process, from any thread.
#[cfg(feature = "sql")]
pub(crate) fn end_with(error: &Error, format: Format) {
    complain(error, format);
    let _undone = rread_source::interrupt::undo();
    std::process::exit(error.exit_code().into())
}

/// The exit code of an error in the program itself: `EX_SOFTWARE` of BSD's sysexits.h.
const INTERNAL_ERROR: i32 = 70;

/// From now on, a panic in any thread ends the process with one sentence and exit code 70.
pub(crate) fn explain_panics() {
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

/// Standard output whose lines end with a NUL, unless people read it.
pub(crate) fn null_data() -> Result<Out> {
    let mut out = stdout()?;
    out.swaps_ends = !out.is_terminal;
    Ok(out)
}

/// Fails if standard output was closed before the program started.
pub(crate) fn stdout() -> Result<Out> {
    if stdin::stdout_was_closed() {
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
