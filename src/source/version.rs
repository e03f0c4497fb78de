//! A file's state as a word that can be kept and compared: which file, how long, how old, and a sample of its bytes.

use std::fmt;
use std::str::FromStr;

use super::stamp::Stamp;
use crate::error::Error;

/// How a source differs from what it was when it was opened, or from an expected version.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Change {
    /// It grew and what was there still is.
    Appended,
    /// It is shorter.
    Truncated,
    /// Its bytes were written again, or may have been.
    Rewritten,
    /// It is another file under the same name.
    Replaced,
}

impl Change {
    /// The word for it in receipts and messages.
    pub fn name(self) -> &'static str {
        match self {
            Change::Appended => "appended",
            Change::Truncated => "truncated",
            Change::Rewritten => "rewritten",
            Change::Replaced => "replaced",
        }
    }
}

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
