//! The shown text of a capture: a second file beside its bytes, only if something can be removed from them.

use std::fs;
use std::io::{self, Read, Seek, SeekFrom};

use super::marks::MARK;
use super::record::{Record, SHOWN, Shown};
use super::session::Unfinished;
use super::strip::Filter;
use crate::private;
use rread_source::interrupt;
use rread_source::memory::Buffer;

const BLOCK: usize = 256 << 10;

impl Unfinished {
    /// Writes the shown text, of at most `room` bytes; `None` if it is the output itself.
    pub fn show(&mut self, record: &Record, room: u64) -> io::Result<Option<Shown>> {
        let path = self.path().with_file_name(SHOWN);
        let shown = self.write_shown(record, room);
        if !matches!(shown, Ok(Some(_))) {
            let _ = fs::remove_file(path);
        }
        shown
    }

    fn write_shown(&mut self, record: &Record, room: u64) -> io::Result<Option<Shown>> {
        let path = self.path().with_file_name(SHOWN);
        let file = interrupt::delay(|| private::create_new(&path))?;
        let mark = if record.marked { MARK } else { 0 };
        let mut filter = Filter::new(file, mark, room);
        self.output.seek(SeekFrom::Start(0))?;
        let mut block = Buffer::new(BLOCK);
        loop {
            match self.output.read(&mut block) {
                Ok(0) => break,
                Ok(got) => filter.feed(&block[..got])?,
                Err(cause) if cause.kind() == io::ErrorKind::Interrupted => {}
                Err(cause) => return Err(cause),
            }
        }
        let (file, bytes, unterminated) = filter.finish()?;
        file.set_len(bytes)?;
        Ok((bytes != record.kept).then_some(Shown { bytes, unterminated }))
    }
}
