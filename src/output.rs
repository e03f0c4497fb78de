//! Where answers go: standard output without std's buffer, so that every failed write is reported.

use std::fs::File;
use std::io::{self, IsTerminal, Write};
use std::path::Path;
use std::time::Duration;

use rread_source::stdio;
use rread_text::address;
use rread_text::error::{Error, Result, printable};

const BUFFER: usize = 64 << 10;

pub struct Out {
    /// `None` if nothing is written.
    target: Option<File>,
    buffer: Vec<u8>,
    is_terminal: bool,
}

impl Out {
    /// Fails if standard output was closed before the program started.
    pub(crate) fn stdout() -> Result<Self> {
        if stdio::stdout_was_closed() {
            return Err(Error::write(&io::Error::other("it is closed")));
        }
        let stdout = io::stdout();
        let is_terminal = stdout.is_terminal();
        let file = duplicate(&stdout).map_err(|cause| Error::write(&cause))?;
        Ok(Out { target: Some(file), buffer: Vec::with_capacity(BUFFER), is_terminal })
    }

    /// For an answer that a renderer collects.
    pub(crate) fn nowhere() -> Self {
        Out { target: None, buffer: Vec::new(), is_terminal: false }
    }

    pub(crate) fn is_terminal(&self) -> bool {
        self.is_terminal
    }

    pub(crate) fn write(&mut self, bytes: &[u8]) -> Result<()> {
        if self.buffer.len() + bytes.len() > BUFFER {
            self.flush()?;
            if bytes.len() >= BUFFER {
                return self.write_through(bytes);
            }
        }
        self.buffer.extend_from_slice(bytes);
        Ok(())
    }

    /// Shows where the text of a file begins, as `tail` does: on one line, without secrets.
    pub(crate) fn heading(&mut self, path: &Path, is_first: bool) -> Result<()> {
        let name = if path == Path::new("-") { "standard input".into() } else { address::shown(path) };
        let separator = if is_first { "" } else { "\n" };
        self.write(format!("{separator}==> {} <==\n", printable(&name)).as_bytes())
    }

    pub(crate) fn flush(&mut self) -> Result<()> {
        self.write_through(&self.buffer)?;
        self.buffer.clear();
        Ok(())
    }

    fn write_through(&self, bytes: &[u8]) -> Result<()> {
        let Some(file) = &self.target else { return Ok(()) };
        // A Windows console reads bytes in its code page; only std's handle converts UTF-8.
        if cfg!(windows) && self.is_terminal {
            let mut console = io::stdout().lock();
            return console
                .write_all(bytes)
                .and_then(|()| console.flush())
                .map_err(|cause| Error::write(&cause));
        }
        write_patiently(file, bytes)
    }

    /// The file that the kernel can copy to, after everything before is in it.
    pub(crate) fn direct(&mut self) -> Result<Option<&File>> {
        self.flush()?;
        Ok(self.target.as_ref())
    }
}

/// Writes everything, even to a non-blocking descriptor.
fn write_patiently(mut file: &File, mut bytes: &[u8]) -> Result<()> {
    while !bytes.is_empty() {
        match file.write(bytes) {
            Ok(0) => return Err(Error::write(&io::ErrorKind::WriteZero.into())),
            Ok(written) => bytes = &bytes[written..],
            Err(cause) if cause.kind() == io::ErrorKind::Interrupted => {}
            Err(cause) if cause.kind() == io::ErrorKind::WouldBlock => {
                std::thread::sleep(Duration::from_millis(1))
            }
            Err(cause) => return Err(Error::write(&cause)),
        }
    }
    Ok(())
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
