//! The version of a file or object: a word that can be kept and compared with a later one; the stamp and sample of a file.

use std::fs::{File, Metadata};
use std::str::FromStr;
use std::time::UNIX_EPOCH;
use std::{fmt, io};

use xxhash_rust::xxh3::Xxh3;

use rread_text::{Error, Sentence, call};

rread_text::words! { name,
    /// How a source changed since it was opened, or since an expected version.
    pub enum Change {
        /// The file has the same beginning and is longer.
        Appended = "appended",
        /// The file is shorter.
        Truncated = "truncated",
        /// Bytes within the former size differ.
        Rewritten = "rewritten",
        /// Another file has the name.
        Replaced = "replaced",
    }
}

/// The state of a file or object.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Version {
    /// A file: its size, its identity, its time and its ends.
    File(FileVersion),
    /// An object: its entity tag without the quotes.
    Tagged(String),
}

/// The state of a file in 16 characters, so hashes stand for most of it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FileVersion {
    /// The size in bytes.
    pub size: u64,
    /// A hash of device and inode.
    pub(super) identity: u64,
    /// A hash of the first and last 4 KiB: detects a rewrite of either end that leaves the time unchanged, and distinguishes an
    /// append from a rewrite that made the file longer.
    pub(super) sample: u64,
    /// A hash of the whole stamp and the whole sample.
    state: u64,
}

/// Characters of a version; more for a file of 3.5 TB or longer.
const LENGTH: usize = 16;
const IDENTITY_DIGITS: usize = 2;
const SAMPLE_DIGITS: usize = 3;

/// Letters and digits alone: programs divide receipts at `---`, and a double click selects one word.
const DIGITS: &[u8; 62] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789";
const BASE: u64 = DIGITS.len() as u64;

impl FileVersion {
    pub(super) fn new(stamp: &Stamp, sample: u64) -> Self {
        let mut hash = Xxh3::new();
        hash.update(&stamp.device.to_le_bytes());
        hash.update(&stamp.inode.to_le_bytes());
        let identity = hash.digest();
        hash.update(&stamp.modified.to_le_bytes());
        hash.update(&sample.to_le_bytes());
        FileVersion {
            size: stamp.size,
            identity: low(identity, IDENTITY_DIGITS),
            sample: Self::shorten_sample(sample),
            state: low(hash.digest(), state_digits(stamp.size)),
        }
    }

    /// The part of a sample that the version has.
    pub(super) fn shorten_sample(sample: u64) -> u64 {
        low(sample, SAMPLE_DIGITS)
    }

    /// A letter for the number of digits of the size, then the digits of size, identity, sample and state.
    fn write(&self) -> String {
        let count = size_digits(self.size);
        let mut text = String::with_capacity(LENGTH);
        text.push(char::from(b'a' + u8::try_from(count).unwrap_or(0)));
        let parts = [
            (self.size, count),
            (self.identity, IDENTITY_DIGITS),
            (self.sample, SAMPLE_DIGITS),
            (self.state, state_digits(self.size)),
        ];
        for (number, digits) in parts {
            let digit = |n| usize::try_from(number / power(n) % BASE).unwrap_or(0);
            text.extend((0..digits).rev().map(|n| char::from(DIGITS[digit(n)])));
        }
        text
    }

    /// `None` for what [`Self::write`] cannot have written.
    fn read(text: &str) -> Option<Self> {
        let (first, digits) = text.as_bytes().split_first()?;
        let count = usize::from(first.checked_sub(b'a')?);
        if count > size_digits(u64::MAX) || digits.len() < count + IDENTITY_DIGITS {
            return None;
        }
        let (size, rest) = digits.split_at(count);
        let (identity, rest) = rest.split_at(IDENTITY_DIGITS);
        let (sample, state) = rest.split_at_checked(SAMPLE_DIGITS)?;
        let [size, identity, sample, state] = [size, identity, sample, state].map(number);
        let version = FileVersion { size: size?, identity: identity?, sample: sample?, state: state? };
        (version.write() == text).then_some(version)
    }
}

/// `BASE` to the power `digits`, at most 10.
fn power(digits: usize) -> u64 {
    (0..digits).fold(1, |power, _| power * BASE)
}

fn low(hash: u64, digits: usize) -> u64 {
    hash % power(digits)
}

fn size_digits(size: u64) -> usize {
    let (mut digits, mut rest) = (0, size);
    while rest > 0 {
        (digits, rest) = (digits + 1, rest / BASE);
    }
    digits
}

/// The rest: 59 bits of an empty file, 29 of 1 GiB, at least 17.
fn state_digits(size: u64) -> usize {
    (LENGTH - 1 - IDENTITY_DIGITS - SAMPLE_DIGITS).saturating_sub(size_digits(size)).max(3)
}

fn number(digits: &[u8]) -> Option<u64> {
    digits.iter().try_fold(0u64, |number, digit| {
        let digit = DIGITS.iter().position(|known| known == digit)?;
        number.checked_mul(BASE)?.checked_add(digit as u64)
    })
}

impl Version {
    /// The version of the entity tag `tag`, quoted or not.
    pub(crate) fn of_tag(tag: &str) -> Self {
        Version::Tagged(tag.replacen('"', "", 1).trim_end_matches('"').to_owned())
    }

    /// The size of the file, which an entity tag does not contain.
    pub fn size(&self) -> Option<u64> {
        match self {
            Version::File(file) => Some(file.size),
            Version::Tagged(_) => None,
        }
    }

    /// How the file whose version is `now` differs from this expected version. `sample` hashes its ends as if it had that
    /// many bytes.
    pub fn compare(
        &self,
        now: &Version,
        sample: impl FnOnce(u64) -> io::Result<u64>,
    ) -> io::Result<Option<Change>> {
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
        } else if now.size > then.size && FileVersion::shorten_sample(sample(then.size)?) == then.sample {
            Change::Appended
        } else {
            Change::Rewritten
        }))
    }
}

impl fmt::Display for Version {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Version::File(file) => f.write_str(&file.write()),
            Version::Tagged(tag) => f.write_str(tag),
        }
    }
}

impl FromStr for Version {
    type Err = Error;

    /// Anything but the version of a file is an entity tag.
    fn from_str(text: &str) -> Result<Self, Error> {
        if text.trim_matches('"').is_empty() {
            let message = Sentence::from("the version is empty: type the one that '");
            return Err(Error::usage(message.then(call("stat").file("FILE")).then("' prints")));
        }
        Ok(FileVersion::read(text).map_or_else(|| Version::of_tag(text), Version::File))
    }
}

/// A file at one time, for comparison with another time.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Stamp {
    /// The device, or the serial number of the volume.
    pub device: u64,
    /// The inode, or the file index of Windows; 0 if it is unknown.
    pub inode: u64,
    /// The size in bytes.
    pub size: u64,
    /// Nanoseconds since 1970.
    pub modified: i128,
}

impl Stamp {
    /// The stamp of a file with this metadata, which has neither device nor inode on Windows.
    pub fn of(metadata: &Metadata) -> Self {
        let modified = metadata.modified().map_or(0, |time| match time.duration_since(UNIX_EPOCH) {
            Ok(after) => i128::try_from(after.as_nanos()).unwrap_or(i128::MAX),
            Err(before) => -i128::try_from(before.duration().as_nanos()).unwrap_or(i128::MAX),
        });
        let (device, inode) = identity(metadata);
        Stamp { device, inode, size: metadata.len(), modified }
    }

    /// As [`Stamp::of`], of an open file: Windows gives its volume and file index too.
    pub fn of_open(file: &File, metadata: &Metadata) -> Self {
        let (device, inode) = identity_of_open(file, metadata);
        Stamp { device, inode, ..Stamp::of(metadata) }
    }
}

#[cfg(unix)]
fn identity(metadata: &Metadata) -> (u64, u64) {
    use std::os::unix::fs::MetadataExt;
    (metadata.dev(), metadata.ino())
}

#[cfg(not(unix))]
fn identity(_: &Metadata) -> (u64, u64) {
    (0, 0)
}

#[cfg(not(windows))]
fn identity_of_open(_: &File, metadata: &Metadata) -> (u64, u64) {
    identity(metadata)
}

#[cfg(windows)]
fn identity_of_open(file: &File, _: &Metadata) -> (u64, u64) {
    winapi_util::file::information(file)
        .map_or((0, 0), |info| (info.volume_serial_number(), info.file_index()))
}

/// The last change of the inode, in nanoseconds since 1970. Unlike the modification time, nobody can set it.
#[cfg(unix)]
pub fn inode_changed(metadata: &Metadata) -> i64 {
    use std::os::unix::fs::MetadataExt;
    metadata.ctime().saturating_mul(1_000_000_000).saturating_add(metadata.ctime_nsec())
}

/// Always 0: programs can set every time that this system records.
#[cfg(not(unix))]
pub fn inode_changed(_: &Metadata) -> i64 {
    0
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_empty_version_is_an_error_that_says_what_to_type() {
        for text in ["", "\"\""] {
            let error = text.parse::<Version>().unwrap_err();
            assert_eq!(error.to_string(), "the version is empty: type the one that 'stat FILE' prints");
        }
    }

    #[test]
    fn a_version_has_16_characters_and_is_read_back() {
        let powers = (0..=10).map(|digits| u128::from(power(digits)));
        for power in (0..=64u32).map(|bits| 1u128 << bits).chain(powers) {
            for size in [power - 1, power].map(|size| u64::try_from(size).unwrap_or(u64::MAX)) {
                let stamp = Stamp { device: 7, inode: 9, size, modified: -1 };
                let version = Version::File(FileVersion::new(&stamp, u64::MAX / 3));
                let text = version.to_string();
                let length = 16 + size_digits(size).saturating_sub(7);
                assert_eq!((text.len(), text.parse().ok()), (length, Some(version.clone())), "{size}");
                assert_eq!(version.size(), Some(size));
                assert!(text.starts_with(|first: char| first.is_ascii_lowercase()), "{text}");
                assert!(text.bytes().all(|byte| byte.is_ascii_alphanumeric()), "{text}");
            }
        }
    }

    #[test]
    fn every_part_of_a_stamp_is_in_the_version() {
        let stamp = Stamp { device: 1, inode: 2, size: 1 << 42, modified: 4 };
        let version = |stamp: &Stamp, sample| Version::File(FileVersion::new(stamp, sample)).to_string();
        let all = [
            version(&stamp, 5),
            version(&Stamp { device: 2, ..stamp }, 5),
            version(&Stamp { inode: 3, ..stamp }, 5),
            version(&Stamp { size: stamp.size + 1, ..stamp }, 5),
            version(&Stamp { modified: 5, ..stamp }, 5),
            version(&stamp, 5 | 1 << 40),
        ];
        for (n, one) in all.iter().enumerate() {
            assert!(!all[..n].contains(one), "{n}: {all:?}");
        }
    }

    #[test]
    fn what_no_file_has_is_an_entity_tag() {
        for text in [
            "z",
            "aAAAAAAAAAAAAAA",
            "aAAAAAAAAAAAAAAAA",
            "bAAAAAAAAAAAAAAA",
            "m\u{e9}",
            "lAAAAAAAAAAAAAAA",
            "b+AAAAAAAAAAAAAA",
        ] {
            assert_eq!(text.parse::<Version>().unwrap(), Version::Tagged(text.to_owned()));
        }
    }
}
