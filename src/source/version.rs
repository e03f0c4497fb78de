//! A file's state as a word that can be kept and compared: which file, how long, how old, and a sample of its bytes.

use std::fmt;
use std::io;
use std::str::FromStr;

use xxhash_rust::xxh3::Xxh3;

use super::stamp::Stamp;
use super::{Change, Source, read_full};
use crate::error::Error;

/// Bytes at each end of a file that go into a version.
const SAMPLE: u64 = 4096;

/// The state of a file or an object.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Version {
    /// The state of a file: five hexadecimal numbers joined by `-`, which are its device, inode, size,
    /// modification time in nanoseconds and a hash of its first and last 4 KiB.
    ///
    /// The hash notices a rewrite within the granularity of the file system's clock, or with the time
    /// set back, where it touches either end; and it tells an append from a rewrite that made the file longer.
    Stamped {
        /// What the system says of it.
        stamp: Stamp,
        /// The hash.
        sample: u32,
    },
    /// The state of an object: its entity tag without the quotes.
    Tagged(String),
}

impl Version {
    pub(super) fn new(stamp: Stamp, sample: u32) -> Self {
        Version::Stamped { stamp, sample }
    }

    /// The version that the entity tag `tag` is, quoted or not.
    pub(crate) fn of_tag(tag: &str) -> Self {
        Version::Tagged(tag.replacen('"', "", 1).trim_end_matches('"').to_owned())
    }

    /// Whether the sample of this version is `now`.
    pub(super) fn has_sample(&self, now: u32) -> bool {
        matches!(self, Version::Stamped { sample, .. } if *sample == now)
    }

    /// The size in bytes that the file had, where the version tells.
    pub fn size(&self) -> Option<u64> {
        match self {
            Version::Stamped { stamp, .. } => Some(stamp.size),
            Version::Tagged(_) => None,
        }
    }

    /// How `source`, whose version is `now`, differs from this expected version.
    pub fn compare(&self, now: &Version, source: &dyn Source) -> io::Result<Option<Change>> {
        if self == now {
            return Ok(None);
        }
        let (Version::Stamped { stamp: then, sample: sampled }, Version::Stamped { stamp: now, .. }) =
            (self, now)
        else {
            return Ok(Some(Change::Replaced));
        };
        Ok(Some(if (then.device, then.inode) != (now.device, now.inode) {
            Change::Replaced
        } else if now.size < then.size {
            Change::Truncated
        } else if now.size > then.size && sample(source, then.size)? == *sampled {
            Change::Appended
        } else {
            Change::Rewritten
        }))
    }
}

/// Hashes the first and the last 4 KiB of the first `size` bytes.
pub(super) fn sample(source: &dyn Source, size: u64) -> io::Result<u32> {
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
    let [a, b, c, d, ..] = hash.digest().to_le_bytes();
    Ok(u32::from_le_bytes([a, b, c, d]))
}

impl fmt::Display for Version {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Version::Stamped { stamp: Stamp { device, inode, size, modified }, sample } => {
                write!(f, "{device:x}-{inode:x}-{size:x}-{modified:x}-{sample:08x}")
            }
            Version::Tagged(tag) => f.write_str(tag),
        }
    }
}

impl FromStr for Version {
    type Err = Error;

    /// Whatever is not the version of a file is a tag.
    fn from_str(text: &str) -> Result<Self, Error> {
        if text.trim_matches('"').is_empty() {
            return Err(Error::usage("the version is empty: give the one that an earlier answer named"));
        }
        Ok(file(text).unwrap_or_else(|| Version::of_tag(text)))
    }
}

/// The version of a file that `text` is.
fn file(text: &str) -> Option<Version> {
    let parts: Vec<&str> = text.split('-').collect();
    let [device, inode, size, modified, sample] = parts[..] else { return None };
    let number = |part: &str| u64::from_str_radix(part, 16).ok();
    Some(Version::Stamped {
        stamp: Stamp {
            device: number(device)?,
            inode: number(inode)?,
            size: number(size)?,
            // Times before 1970 print as two's complement of 128 bits.
            #[allow(clippy::cast_possible_wrap)]
            modified: u128::from_str_radix(modified, 16).ok()? as i128,
        },
        sample: u32::from_str_radix(sample, 16).ok()?,
    })
}
