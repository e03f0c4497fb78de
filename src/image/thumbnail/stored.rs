//! A reader as `Read` and `Seek`, for the image decoders.

use std::io::{self, Read, Seek, SeekFrom};

use crate::reader::Reader;

pub(super) struct Stored<'a> {
    pub(super) reader: &'a Reader,
    pub(super) size: u64,
    pub(super) at: u64,
}

impl Read for Stored<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let got = self.reader.read(buffer, self.at).map_err(io::Error::other)?;
        self.at += got as u64;
        Ok(got)
    }
}

impl Seek for Stored<'_> {
    fn seek(&mut self, to: SeekFrom) -> io::Result<u64> {
        let at = match to {
            SeekFrom::Start(at) => Some(at),
            SeekFrom::End(by) => self.size.checked_add_signed(by),
            SeekFrom::Current(by) => self.at.checked_add_signed(by),
        };
        self.at = at.ok_or(io::ErrorKind::InvalidInput)?;
        Ok(self.at)
    }
}
