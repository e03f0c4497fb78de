//! Where answers go: without std's buffer, so that every failed write is reported.

use std::fs::File;
use std::io::{self, IsTerminal, Write};
use std::path::Path;
use std::time::Duration;

use rread_source::swapped::swap_ends;
use rread_text::{Error, Result, address, printable};

/// The colors of source code on a terminal.
#[derive(Clone, Debug, Default)]
pub struct ThemeChoice {
    /// The name of a theme; empty for the colors of the terminal, which fit its background.
    pub name: String,
    pub has_true_color: bool,
}

const BUFFER: usize = 64 << 10;

pub struct Out {
    target: Target,
    buffer: Vec<u8>,
    pub is_terminal: bool,
    /// The last byte that was written is not the end of a line.
    is_in_line: bool,
    /// NULs end lines, and newlines are NULs.
    pub swaps_ends: bool,
}

enum Target {
    Nothing,
    File(File),
    /// A Windows console reads bytes in its code page; only std's handle converts UTF-8.
    Console(Box<dyn Write + Send>),
}

impl Out {
    /// Writes to `file`, which may be a terminal.
    pub fn new(file: File) -> Self {
        let is_terminal = file.is_terminal();
        Out { is_terminal, ..Out::to(Target::File(file)) }
    }

    pub fn console(console: Box<dyn Write + Send>) -> Self {
        Out { is_terminal: true, ..Out::to(Target::Console(console)) }
    }

    /// Discards what is written; the renderer keeps the answer in memory.
    pub fn nowhere() -> Self {
        Out::to(Target::Nothing)
    }

    fn to(target: Target) -> Self {
        let buffer = Vec::with_capacity(BUFFER);
        Out { target, buffer, is_terminal: false, is_in_line: false, swaps_ends: false }
    }

    pub fn write(&mut self, bytes: &[u8]) -> Result<()> {
        self.is_in_line = bytes.last().map_or(self.is_in_line, |last| *last != b'\n');
        if self.buffer.len() + bytes.len() > BUFFER {
            self.flush()?;
            if bytes.len() >= BUFFER && !self.swaps_ends {
                return self.target.write(bytes);
            }
        }
        self.buffer.extend_from_slice(bytes);
        Ok(())
    }

    /// Shows where the text of a file begins, as `tail` does: on one line, without secrets.
    pub fn heading(&mut self, path: &Path, is_first: bool) -> Result<()> {
        let name = if path == Path::new("-") { "standard input".into() } else { address::display(path) };
        let separator = if is_first { "" } else { "\n" };
        self.write(format!("{separator}==> {} <==\n", printable(&name)).as_bytes())
    }

    /// Writes a line of its own that is not content.
    pub fn dim_line(&mut self, text: &str, has_color: bool) -> Result<()> {
        let (dim, normal) = if has_color { ("\x1b[2m", "\x1b[22m") } else { ("", "") };
        let before = if self.is_in_line { "\n" } else { "" };
        self.write(format!("{before}{dim}{text}{normal}\n").as_bytes())
    }

    pub fn flush(&mut self) -> Result<()> {
        swap_ends(if self.swaps_ends { &mut self.buffer } else { &mut [] });
        self.target.write(&self.buffer)?;
        self.buffer.clear();
        Ok(())
    }

    /// The file that the kernel can copy to, after everything before is in it.
    pub fn direct(&mut self) -> Result<Option<&File>> {
        self.flush()?;
        Ok(if let Target::File(file) = &self.target { Some(file) } else { None })
    }
}

impl Target {
    fn write(&mut self, bytes: &[u8]) -> Result<()> {
        match self {
            Target::Nothing => Ok(()),
            Target::File(file) => write_patiently(file, bytes),
            Target::Console(console) => {
                console.write_all(bytes).and_then(|()| console.flush()).map_err(|cause| Error::write(&cause))
            }
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
