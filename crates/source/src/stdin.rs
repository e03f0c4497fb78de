//! Standard input: a regular file from its current position, anything else as a stream, never a terminal; and standard streams
//! that were closed when the program started.

use std::fs::{File, Metadata};
use std::io::{self, IsTerminal, Seek};
use std::path::Path;
use std::sync::OnceLock;
use std::sync::atomic::{AtomicBool, Ordering};

use super::access::Access;
use super::spool::Spool;
use super::{Source, pipe, regular};
use rread_text::{Error, Kind, Result, Sentence, address, shell};

fn hint() -> Sentence {
    shell("COMMAND").piped_to_lines("1:20")
}

/// Opens standard input. Reads of a regular file do not move its position, which other processes may share.
pub(super) fn open(access: &Access) -> Result<Box<dyn Source>> {
    let mut file = stream()?;
    if metadata(&file)?.is_some_and(|metadata| metadata.is_file()) {
        let base = file.stream_position().map_err(read_error)?;
        return regular::open(file, base);
    }
    if let Some(stream) = STREAM.get() {
        return Ok(Box::new(stream.clone()));
    }
    let stream = pipe::spool(move || Ok(file), access).map_err(read_error)?;
    Ok(Box::new(STREAM.get_or_init(|| stream).clone()))
}

/// The stream, once it is open. The archive that it may be reads it again from its start.
static STREAM: OnceLock<Spool> = OnceLock::new();

/// A duplicate of the descriptor: std's own handle reports some failures as the end.
pub fn stream() -> Result<File> {
    let stdin = io::stdin();
    if stdin.is_terminal() {
        return Err(Error::usage("standard input is a terminal: there is nothing to read")
            .hint(Sentence::from("pipe something in: ").then(hint())));
    }
    if stdin_was_closed() {
        return Err(Error::new(Kind::Io, "standard input is closed").hint(hint()));
    }
    let file = duplicate(&stdin).map_err(read_error)?;
    if !is_readable(&file) {
        return Err(Error::new(Kind::Io, "standard input is open for writing only").hint(hint()));
    }
    if metadata(&file)?.is_some_and(|metadata| metadata.is_dir()) {
        return Err(Error::new(Kind::IsDirectory, "standard input is a directory").hint(hint()));
    }
    Ok(file)
}

fn read_error(cause: io::Error) -> Error {
    Error::read("cannot read standard input", &cause)
}

/// Windows may have none for a pipe.
fn metadata(file: &File) -> Result<Option<Metadata>> {
    match file.metadata() {
        Err(_) if cfg!(windows) => Ok(None),
        Err(cause) => Err(read_error(cause)),
        Ok(metadata) => Ok(Some(metadata)),
    }
}

/// Whether `a` and `b` name the same stream, such as `-` and `/dev/stdin`: only one of them can read it.
pub fn is_one_stream(a: &Path, b: &Path) -> bool {
    let identity = |path: &Path| {
        let metadata = if path == Path::new("-") {
            duplicate(&io::stdin()).and_then(|file| file.metadata())
        } else {
            path.metadata()
        };
        metadata.ok().and_then(|metadata| pipe::identity(&metadata))
    };
    identity(a).is_some_and(|a| identity(b) == Some(a))
}

/// Whether `path` is a name of standard input. A regular file is opened by its name, from its start.
pub(super) fn is_named(path: &Path, metadata: &Metadata) -> bool {
    let names = ["/dev/stdin", "/dev/fd/0", "/proc/self/fd/0"];
    cfg!(unix)
        && !metadata.is_file()
        && !metadata.is_dir()
        && names.iter().any(|name| path == Path::new(name))
}

#[cfg(unix)]
fn duplicate(stdin: &io::Stdin) -> io::Result<File> {
    use std::os::fd::AsFd;
    Ok(stdin.as_fd().try_clone_to_owned()?.into())
}

#[cfg(windows)]
fn duplicate(stdin: &io::Stdin) -> io::Result<File> {
    use std::os::windows::io::AsHandle;
    Ok(stdin.as_handle().try_clone_to_owned()?.into())
}

#[cfg(unix)]
fn is_readable(file: &File) -> bool {
    use rustix::fs::{OFlags, fcntl_getfl};
    fcntl_getfl(file).is_ok_and(|flags| flags & OFlags::RWMODE != OFlags::WRONLY)
}

/// The first read reports it.
#[cfg(not(unix))]
fn is_readable(_: &File) -> bool {
    true
}

static SHOW: OnceLock<fn(Option<&Path>, &str)> = OnceLock::new();

/// Sets the function that shows notes, once; many are about one file. Without it, notes are dropped: this crate prints nothing.
pub fn show_notes_with(show: fn(Option<&Path>, &str)) {
    let _ = SHOW.set(show);
}

/// Passes on a note about the file at `path`, for answers without a receipt.
pub fn warn(path: &Path, note: &str) {
    show(Some(path), note);
}

/// As [`warn`], for a note about several files.
pub fn note(note: &str) {
    show(None, note);
}

fn show(path: Option<&Path>, note: &str) {
    if let Some(show) = SHOW.get() {
        show(path, &address::hide_in(note));
    }
}

static INPUT_CLOSED: AtomicBool = AtomicBool::new(false);
static OUTPUT_CLOSED: AtomicBool = AtomicBool::new(false);

/// Rust opens `/dev/null` in place of closed streams before `main` (rust-lang/rust#88825): output would vanish with success,
/// and input would look empty. So this runs before `main` does.
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
