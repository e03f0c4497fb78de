//! Where answers go: standard output without std's buffer, so that every failed write is reported, or memory.

use std::fs::File;
use std::io::{self, IsTerminal, Write};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use rread_source::stdio;
use rread_text::error::{Error, Result};

const BUFFER: usize = 64 << 10;

pub struct Out {
    target: Target,
    buffer: Vec<u8>,
    is_terminal: bool,
}

enum Target {
    Stdout(File),
    Memory(Memory),
}

/// An answer in memory; its clones share it.
#[derive(Clone, Debug, Default)]
pub(crate) struct Memory(Arc<Mutex<Vec<u8>>>);

impl Memory {
    /// Takes what was written.
    #[cfg(feature = "mcp")]
    pub(crate) fn take(&self) -> Vec<u8> {
        std::mem::take(&mut *self.0.lock().unwrap_or_else(PoisonError::into_inner))
    }

    fn extend(&self, bytes: &[u8]) {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).extend_from_slice(bytes);
    }
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
        Ok(Out { target: Target::Stdout(file), buffer: Vec::with_capacity(BUFFER), is_terminal })
    }

    pub(crate) fn memory(memory: &Memory) -> Self {
        Out { target: Target::Memory(memory.clone()), buffer: Vec::new(), is_terminal: false }
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

    pub(crate) fn flush(&mut self) -> Result<()> {
        self.write_through(&self.buffer)?;
        self.buffer.clear();
        Ok(())
    }

    fn write_through(&self, bytes: &[u8]) -> Result<()> {
        let file = match &self.target {
            Target::Stdout(file) => file,
            Target::Memory(memory) => {
                memory.extend(bytes);
                return Ok(());
            }
        };
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
        match &self.target {
            Target::Stdout(file) => Ok(Some(file)),
            Target::Memory(_) => Ok(None),
        }
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
