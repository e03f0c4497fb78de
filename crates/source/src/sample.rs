//! The sample of a file's bytes in its version, and what it says about a change.

use std::io;

use xxhash_rust::xxh3::Xxh3;

use super::version::{Change, FileVersion, Version};
use super::{Source, read_full};

const SAMPLE: u64 = 4096;

/// Hashes the first and the last 4 KiB of the first `size` bytes.
pub(crate) fn sample(source: &dyn Source, size: u64) -> io::Result<u64> {
    let mut buffer = [0u8; 4096];
    let mut hash = Xxh3::new();
    let mut add = |from: u64, to: u64| -> io::Result<()> {
        let wanted = usize::try_from(to - from).unwrap_or(buffer.len()).min(buffer.len());
        let got = read_full(source, &mut buffer[..wanted], from)?;
        hash.update(&buffer[..got]);
        Ok(())
    };
    add(0, size.min(SAMPLE))?;
    if size > SAMPLE {
        add(SAMPLE.max(size - SAMPLE), size)?;
    }
    Ok(hash.digest())
}

impl Version {
    /// How `source`, whose version is `now`, differs from this expected version.
    pub fn compare(&self, now: &Version, source: &dyn Source) -> io::Result<Option<Change>> {
        // An entity tag may look like the version of a file.
        if self.to_string() == now.to_string() {
            return Ok(None);
        }
        let (Version::File(then), Version::File(now)) = (self, now) else {
            return Ok(Some(Change::Replaced));
        };
        Ok(Some(if then.identity != now.identity {
            Change::Replaced
        } else if now.size < then.size {
            Change::Truncated
        } else if now.size > then.size
            && FileVersion::shorten_sample(sample(source, then.size)?) == then.sample
        {
            Change::Appended
        } else {
            Change::Rewritten
        }))
    }
}
