//! Spill files of a query: temporary files without a name, so that nothing is left however the program ends.

use std::fs::File;
use std::io::{self, Write};
use std::pin::Pin;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use bytes::Bytes;
use datafusion::error::{DataFusionError, Result};
use datafusion::execution::{SpillFile, SpillWriter, TempFileFactory};
use futures::{Stream, stream};

use rread_source::file::read_at;
use rread_source::memory::Buffer;

const BLOCK: usize = 64 << 10;

/// Counts the bytes that all files of a query receive.
#[derive(Clone, Debug, Default)]
pub(crate) struct SpillFiles(Arc<AtomicU64>);

impl SpillFiles {
    pub fn written(&self) -> u64 {
        self.0.load(Ordering::Relaxed)
    }
}

impl TempFileFactory for SpillFiles {
    fn create_temp_file(&self, _: &str) -> Result<Arc<dyn SpillFile>> {
        let file = tempfile::tempfile().map_err(|cause| failed("cannot spill temporary data to", &cause))?;
        Ok(Arc::new(UnnamedFile { file: Arc::new(file), all: self.clone() }))
    }
}

fn failed(what: &str, cause: &io::Error) -> DataFusionError {
    let folder = std::env::temp_dir();
    DataFusionError::IoError(io::Error::new(cause.kind(), format!("{what} {}: {cause}", folder.display())))
}

#[derive(Clone)]
struct UnnamedFile {
    file: Arc<File>,
    all: SpillFiles,
}

impl SpillFile for UnnamedFile {
    fn size(&self) -> Option<u64> {
        self.file.metadata().ok().map(|metadata| metadata.len())
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
        Ok(Box::new(self.clone()))
    }
}

impl Write for UnnamedFile {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let written = (&*self.file).write(bytes)?;
        self.all.0.fetch_add(written as u64, Ordering::Relaxed);
        Ok(written)
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

impl SpillWriter for UnnamedFile {
    fn finish(&mut self) -> Result<()> {
        Ok(())
    }
}
