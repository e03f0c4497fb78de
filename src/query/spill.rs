//! Spill files of a query: temporary files without a name, so that nothing is left however the program ends.

use std::fs::File;
use std::io::{self, Write};
use std::pin::Pin;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use bytes::Bytes;
use datafusion::common::DataFusionError;
use datafusion::execution::{SpillFile, SpillWriter, TempFileFactory};
use futures::Stream;
use futures::stream;

use crate::buffer::Buffer;
use crate::source::file::read_at;

type Result<T> = std::result::Result<T, DataFusionError>;

const BLOCK: usize = 64 << 10;

#[derive(Debug, Default)]
pub(crate) struct SpillFiles {
    written: Arc<AtomicU64>,
}

impl SpillFiles {
    pub fn written(&self) -> Arc<AtomicU64> {
        Arc::clone(&self.written)
    }
}

impl TempFileFactory for SpillFiles {
    fn create_temp_file(&self, _: &str) -> Result<Arc<dyn SpillFile>> {
        let file = tempfile::tempfile().map_err(|cause| failed("cannot spill temporary data to", &cause))?;
        Ok(Arc::new(UnnamedFile {
            file: Arc::new(file),
            size: Arc::new(AtomicU64::new(0)),
            all: Arc::clone(&self.written),
        }))
    }
}

fn failed(what: &str, cause: &io::Error) -> DataFusionError {
    let folder = std::env::temp_dir();
    DataFusionError::IoError(io::Error::new(cause.kind(), format!("{what} {}: {cause}", folder.display())))
}

struct UnnamedFile {
    file: Arc<File>,
    size: Arc<AtomicU64>,
    all: Arc<AtomicU64>,
}

impl SpillFile for UnnamedFile {
    fn size(&self) -> Option<u64> {
        Some(self.size.load(Ordering::Acquire))
    }

    fn read_stream(&self) -> Result<Pin<Box<dyn Stream<Item = Result<Bytes>> + Send>>> {
        let file = Arc::clone(&self.file);
        // Block instead of using another thread: the data is in the page cache, and the allocator would keep most
        // of the memory of a query per thread.
        let blocks = stream::try_unfold((file, 0), |(file, at)| async move {
            let mut block = Buffer::default();
            let got = read_at(&file, block.at(at, BLOCK), at)
                .map_err(|cause| failed("cannot read temporary data back from", &cause))?;
            block.truncate(got);
            Ok((got > 0).then(|| (Bytes::from_owner(block), (file, at + got as u64))))
        });
        Ok(Box::pin(blocks))
    }

    fn open_writer(&self) -> Result<Box<dyn SpillWriter>> {
        Ok(Box::new(SpillFileWriter {
            file: Arc::clone(&self.file),
            size: Arc::clone(&self.size),
            all: Arc::clone(&self.all),
        }))
    }
}

struct SpillFileWriter {
    file: Arc<File>,
    size: Arc<AtomicU64>,
    all: Arc<AtomicU64>,
}

impl Write for SpillFileWriter {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let written = (&*self.file).write(bytes)?;
        self.size.fetch_add(written as u64, Ordering::Release);
        self.all.fetch_add(written as u64, Ordering::Relaxed);
        Ok(written)
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

impl SpillWriter for SpillFileWriter {
    fn finish(&mut self) -> Result<()> {
        Ok(())
    }
}
