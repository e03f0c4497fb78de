//! The version of a file or object: a word that can be kept and compared with a later one.

use std::fmt;
use std::str::FromStr;

use super::stamp::Stamp;
use crate::error::Error;

/// How a source changed since it was opened, or since an expected version.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Change {
    Appended,
    Truncated,
    Rewritten,
    Replaced,
}

impl Change {
    pub fn name(self) -> &'static str {
        match self {
            Change::Appended => "appended",
            Change::Truncated => "truncated",
            Change::Rewritten => "rewritten",
            Change::Replaced => "replaced",
        }
    }
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Version {
    /// A file. The hash of its first and last 4 KiB detects a rewrite of either end that leaves the time unchanged, and
    /// distinguishes an append from a rewrite that made the file longer.
    Stamped { stamp: Stamp, sample: u32 },
    /// An object: its entity tag without the quotes.
    Tagged(String),
}

impl Version {
    /// The version of the entity tag `tag`, quoted or not.
    pub(crate) fn of_tag(tag: &str) -> Self {
        Version::Tagged(tag.replacen('"', "", 1).trim_end_matches('"').to_owned())
    }

    /// The size of the file, which an entity tag does not contain.
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

    /// Anything but the version of a file is an entity tag.
    fn from_str(text: &str) -> Result<Self, Error> {
        if text.trim_matches('"').is_empty() {
            return Err(Error::usage("the version is empty: type the one that 'rread stat FILE' prints"));
        }
        Ok(file(text).unwrap_or_else(|| Version::of_tag(text)))
    }
}

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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_empty_version_is_an_error_that_says_what_to_type() {
        for text in ["", "\"\""] {
            let error = text.parse::<Version>().unwrap_err();
            assert_eq!(error.message, "the version is empty: type the one that 'rread stat FILE' prints");
        }
    }
}
