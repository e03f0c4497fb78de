//! Text whose lines end with a NUL: NULs and newlines change places, so that all that knows newlines reads it.

use std::io;

use crate::{Source, SourceInfo};

/// Puts newlines in the places of NULs, and NULs in those of newlines.
pub fn swap_ends(bytes: &mut [u8]) {
    for byte in bytes {
        *byte = match *byte {
            0 => b'\n',
            b'\n' => 0,
            other => other,
        };
    }
}

/// The bytes of another source, with NULs and newlines in each other's places.
pub(crate) struct SwappedSource(pub(crate) Box<dyn Source>);

impl Source for SwappedSource {
    fn read_at(&self, buffer: &mut [u8], offset: u64) -> io::Result<usize> {
        let got = self.0.read_at(buffer, offset)?;
        swap_ends(&mut buffer[..got]);
        Ok(got)
    }

    fn inner(&self) -> Option<&dyn Source> {
        Some(&*self.0)
    }

    fn info(&self) -> SourceInfo<'_> {
        // The kernel would copy the bytes of the file, and a decoder has other bytes than these.
        SourceInfo { file: None, decoding: None, is_sequential: true, ..self.0.info() }
    }
}
