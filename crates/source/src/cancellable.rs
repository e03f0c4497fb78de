//! A source whose reads are followed, and fail once they are no longer wanted.

use std::io;
use std::ops::Range;
use std::sync::Arc;

use super::access::Watch;
use super::version::{Change, Version};
use super::{Source, SourceInfo};

pub(super) struct Watched {
    pub(super) source: Box<dyn Source>,
    pub(super) watch: Arc<dyn Watch>,
}

impl Source for Watched {
    fn read_at(&self, buffer: &mut [u8], offset: u64) -> io::Result<usize> {
        self.check()?;
        let got = self.source.read_at(buffer, offset)?;
        self.watch.report_read(got as u64);
        Ok(got)
    }

    fn size(&self) -> Option<u64> {
        self.source.size()
    }

    fn advise(&self, range: Range<u64>) {
        self.source.advise(range);
    }

    fn check(&self) -> io::Result<()> {
        self.watch.check()
    }

    fn info(&self) -> SourceInfo<'_> {
        self.source.info()
    }

    fn version(&self) -> io::Result<Option<Version>> {
        self.source.version()
    }

    fn changed(&self) -> io::Result<Option<Change>> {
        self.source.changed()
    }
}
