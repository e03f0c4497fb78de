//! Opens regular files, and corrects the sizes of those that the system makes up.

use std::fs::{File, Metadata};
use std::io;

use crate::file::FileSource;
use crate::spool::Spool;
use crate::{Source, read_full};
use rread_text::sniff::SAMPLE;
use rread_text::{Error, Result};

pub(super) fn open(file: File, base: u64) -> Result<Box<dyn Source>> {
    let metadata = file.metadata().map_err(|e| Error::read("cannot open", &e))?;
    with_metadata(file, metadata, base)
}

/// As [`open`], with the metadata of the open file.
pub(super) fn with_metadata(file: File, metadata: Metadata, base: u64) -> Result<Box<dyn Source>> {
    let source = FileSource::with_metadata(file, metadata);
    true_length(source, base).map_err(|e| Error::read("cannot read at byte 0", &e))
}

/// Corrects the sizes of pseudo files: `/proc` claims 0, `/sys` a page.
fn true_length(source: FileSource, base: u64) -> io::Result<Box<dyn Source>> {
    let claimed = source.size().unwrap_or(0);
    let source = source.starting_at(base).remembering_its_head();
    if claimed == 0 {
        let file = source.into_file();
        let probe = FileSource::new(file.try_clone()?)?.with_size(1);
        let mut byte = [0; 1];
        if read_full(&probe, &mut byte, 0)? == 0 {
            return Ok(Box::new(FileSource::new(file)?.with_size(0)));
        }
        // A log may have grown since its size was read.
        if file.metadata()?.len() > 0 {
            return true_length(FileSource::new(file)?, base);
        }
        // The offset of the descriptor is `base`.
        return Ok(Box::new(Spool::new(Box::new(file))));
    }
    if claimed <= SAMPLE as u64 {
        let size = source.size().unwrap_or(0);
        let mut head = [0; SAMPLE];
        let mut got = 0;
        while (got as u64) < size {
            match read_full(&source, &mut head[got..], got as u64) {
                Ok(0) => return Ok(Box::new(source.with_size(got as u64))),
                Ok(more) => got += more,
                // A bad sector is not the end: a later read reports it.
                Err(_) => break,
            }
        }
    }
    Ok(Box::new(source))
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::io::Write;

    #[test]
    fn a_file_that_grows_while_it_is_opened_is_no_pseudo_file() {
        let file = tempfile::NamedTempFile::new().unwrap();
        let metadata = file.as_file().metadata().unwrap();
        file.as_file().write_all(b"half").unwrap();
        let source = with_metadata(file.reopen().unwrap(), metadata, 0).unwrap();
        assert!(source.info().file.is_some());
        assert_eq!(source.size(), Some(4));
    }
}
