//! Keeps decoded text, so that the members of a compressed archive can be read again without another decoding.

use std::io::{self, Read};
use std::sync::Arc;

use crate::spool::Spool;
use crate::version::{Change, Version};
use crate::{Source, SourceInfo};

/// The source `decoded`, of which the first bytes are kept.
pub(super) struct Kept {
    decoded: Arc<dyn Source>,
    limit: u64,
    start: Spool,
}

impl Kept {
    /// Keeps up to `limit` bytes from the start.
    pub(super) fn new(decoded: Arc<dyn Source>, limit: u64) -> Self {
        let start = Spool::new(Box::new(Forward::new(Arc::clone(&decoded), limit)));
        Kept { decoded, limit, start }
    }
}

impl Source for Kept {
    fn read_at(&self, buffer: &mut [u8], offset: u64) -> io::Result<usize> {
        if offset >= self.limit {
            return self.decoded.read_at(buffer, offset);
        }
        // Where there is no room to keep bytes, each read decodes.
        self.start.read_at(buffer, offset).or_else(|_| self.decoded.read_at(buffer, offset))
    }

    fn size(&self) -> Option<u64> {
        self.decoded.size()
    }

    fn check(&self) -> io::Result<()> {
        self.decoded.check()
    }

    /// Without the decoder: reads on to a checksum would move it.
    fn info(&self) -> SourceInfo<'_> {
        SourceInfo { decoding: None, file: None, is_sequential: true, ..self.decoded.info() }
    }

    fn version(&self) -> io::Result<Option<Version>> {
        self.decoded.version()
    }

    fn changed(&self) -> io::Result<Option<Change>> {
        self.decoded.changed()
    }
}

/// A part of an archive as a source that keeps all of what it reads.
pub(super) struct KeptPart {
    part: Arc<dyn Source>,
    text: Spool,
}

impl KeptPart {
    pub(super) fn new(part: Arc<dyn Source>) -> Self {
        let text = Spool::new(Box::new(Forward::new(Arc::clone(&part), u64::MAX)));
        KeptPart { part, text }
    }
}

impl Source for KeptPart {
    fn read_at(&self, buffer: &mut [u8], offset: u64) -> io::Result<usize> {
        self.text.read_at(buffer, offset).or_else(|_| self.part.read_at(buffer, offset))
    }

    fn size(&self) -> Option<u64> {
        self.part.size()
    }

    fn check(&self) -> io::Result<()> {
        self.part.check()
    }

    fn info(&self) -> SourceInfo<'_> {
        SourceInfo { file: None, ..self.part.info() }
    }

    fn version(&self) -> io::Result<Option<Version>> {
        self.part.version()
    }

    fn changed(&self) -> io::Result<Option<Change>> {
        self.part.changed()
    }
}

/// Reads a source once, from its start to `end`.
struct Forward {
    source: Arc<dyn Source>,
    at: u64,
    end: u64,
}

impl Forward {
    fn new(source: Arc<dyn Source>, end: u64) -> Self {
        Forward { source, at: 0, end }
    }
}

impl Read for Forward {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let left = usize::try_from(self.end - self.at).unwrap_or(usize::MAX);
        let wanted = buffer.len().min(left);
        let got = self.source.read_at(&mut buffer[..wanted], self.at)?;
        self.at += got as u64;
        Ok(got)
    }
}

#[cfg(test)]
pub(super) mod tests {
    use std::sync::atomic::{AtomicU64, Ordering};

    use super::*;
    use crate::{MemorySource, read_full};

    /// Bytes, and how many of them were read.
    pub(in crate::archive) struct Counted {
        pub(in crate::archive) bytes: MemorySource,
        pub(in crate::archive) read: Arc<AtomicU64>,
    }

    impl Source for Counted {
        fn read_at(&self, buffer: &mut [u8], offset: u64) -> io::Result<usize> {
            let got = self.bytes.read_at(buffer, offset)?;
            self.read.fetch_add(got as u64, Ordering::Relaxed);
            Ok(got)
        }

        fn size(&self) -> Option<u64> {
            self.bytes.size()
        }
    }

    #[test]
    fn what_is_kept_is_read_once() {
        let bytes: Vec<u8> = (0..=255).cycle().take(300_000).collect();
        for limit in [0, 1, 65_536, 200_000, 300_000, 1 << 20] {
            let counted = Counted { bytes: MemorySource::new(bytes.clone()), read: Arc::default() };
            let counted = Arc::new(counted);
            let kept = Kept::new(Arc::clone(&counted) as Arc<dyn Source>, limit);
            let whole = || {
                let mut read = vec![0; bytes.len()];
                assert_eq!(read_full(&kept, &mut read, 0).unwrap(), bytes.len());
                assert!(read == bytes, "limit {limit}");
            };
            whole();
            whole();
            let after = (bytes.len() as u64).saturating_sub(limit);
            assert_eq!(counted.read.load(Ordering::Relaxed), bytes.len() as u64 + after, "limit {limit}");
        }
    }
}
