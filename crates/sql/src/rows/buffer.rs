//! Buffers rows until the query ends: in memory, then in a temporary file without a name.

use std::io::{self, Read, Seek, SeekFrom, Write};

use tempfile::SpooledTempFile;

use rread_source::buffer::Buffer;
use rread_text::error::{Error, Kind, Result};

const MEMORY: usize = 4 << 20;

const BLOCK: usize = 64 << 10;

pub struct RowBuffer(SpooledTempFile);

impl Default for RowBuffer {
    fn default() -> Self {
        RowBuffer(SpooledTempFile::new(MEMORY))
    }
}

impl RowBuffer {
    pub fn append(&mut self, rows: &[u8]) -> Result<()> {
        self.0.write_all(rows).map_err(|cause| {
            let folder = std::env::temp_dir();
            Error::new(Kind::Io, format!("cannot keep the rows in {}: {cause}", folder.display()))
                .hint("export TMPDIR=DIR")
        })
    }

    /// No piece splits a character.
    pub fn pieces(&mut self, append: &mut dyn FnMut(&str) -> Result<()>) -> Result<()> {
        let failed = |cause: io::Error| Error::read("cannot read back the rows", &cause);
        self.0.seek(SeekFrom::Start(0)).map_err(failed)?;
        let (mut block, mut kept) = (Buffer::new(BLOCK), 0);
        loop {
            let got = self.0.read(&mut block[kept..]).map_err(failed)?;
            let there = kept + got;
            let text = match std::str::from_utf8(&block[..there]) {
                Ok(text) => text,
                Err(cut) => std::str::from_utf8(&block[..cut.valid_up_to()]).unwrap_or_default(),
            };
            append(text)?;
            let used = text.len();
            block.copy_within(used..there, 0);
            kept = there - used;
            if got == 0 {
                return Ok(());
            }
        }
    }
}
