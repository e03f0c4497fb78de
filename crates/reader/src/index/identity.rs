//! The identity of an indexed file, and when a saved index can be trusted.

use std::ffi::OsString;
use std::fs::{File, Metadata};
use std::path::Path;
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use xxhash_rust::xxh3::xxh3_64;

use rread_source::Source;
use rread_source::object::Object;
use rread_source::version::{Stamp, inode_changed};
use rread_text::Units;

/// The extension of the files that hold indexes.
pub const EXTENSION: &str = "idx";

/// Two changes within this time may have the same timestamp: kernels stamp files by timer ticks of 1 to 10 ms.
const TICK: Duration = Duration::from_millis(20);

/// The same for file systems that store whole or even seconds.
const COARSE_TICK: Duration = Duration::from_millis(2_100);

/// The value of [`Identity::changed`] for objects, which have no inode.
const OBJECT: i64 = i64::MIN;

/// A file or object at one time, as far as an index depends on it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Identity {
    /// Device, inode, size and modification time; for an object, hashes in their place.
    pub stamp: Stamp,
    /// The last change of the inode, in nanoseconds since 1970: no program can set it back. 0 on Windows.
    pub changed: i64,
    /// The creation of the inode, in nanoseconds since 1970, or 0. A reused inode is younger. 0 on Windows, where a file
    /// that has the name of a removed one gets its time of creation.
    pub born: i64,
    /// A hash of the name that opened it.
    pub name: u64,
    /// Whether it changed so recently that another change could have the same timestamp.
    pub racy: bool,
}

/// How a file is read: each view has an index of its own.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct View {
    /// Whether it is the text of compressed data.
    pub decompressed: bool,
    /// The units of its newlines.
    pub units: Units,
}

/// How far a saved index holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Trust {
    /// The file is as it was.
    Exact,
    /// The file has grown or was renamed; if a sample of blocks is unchanged, so are the others.
    Sampled,
    /// The file is another one, or was rewritten.
    No,
}

impl Identity {
    /// The identity of `source`, opened as `path`; `None` if nothing distinguishes it from others.
    pub fn of_source(source: &dyn Source, path: &Path) -> Option<Self> {
        match source.info().object {
            Some(object) => Identity::of_object(object, source),
            None => {
                let metadata = source.info().metadata?;
                let file = source.stored().info().file;
                let stamp =
                    file.map_or_else(|| Stamp::of(metadata), |(file, _)| Stamp::of_open(file, metadata));
                Some(Identity::with_name(stamp, metadata, name_hash(path)))
            }
        }
    }

    fn of_object(object: &Object, source: &dyn Source) -> Option<Self> {
        let tag = object.strong_etag()?;
        let url = url_hash(&object.url);
        let since = |time: SystemTime| time.duration_since(UNIX_EPOCH).ok();
        let modified = object.modified.and_then(since).map_or(0, |time| i128::from(time.as_secs()));
        let state = xxh3_64(format!("{tag}\n{}", object.endpoint).as_bytes()).max(1);
        let stamp = Stamp { device: url, inode: state, size: source.stored().size()?, modified };
        Some(Identity { stamp, changed: OBJECT, born: 0, name: url, racy: object.unverified.is_some() })
    }

    /// Whether this is an object.
    pub fn is_object(&self) -> bool {
        self.changed == OBJECT
    }

    /// The identity of the file `path`, whose metadata is `metadata`.
    pub fn of(metadata: &Metadata, path: &Path) -> Self {
        let opened = if cfg!(windows) { File::open(path).ok() } else { None };
        let stamp = opened.map_or_else(|| Stamp::of(metadata), |file| Stamp::of_open(&file, metadata));
        Identity::with_name(stamp, metadata, name_hash(path))
    }

    /// The identity of the same name, whose metadata is now `metadata`; of the same open file, where metadata has no inode.
    pub fn again(&self, metadata: &Metadata) -> Self {
        let mut stamp = Stamp::of(metadata);
        if stamp.inode == 0 {
            (stamp.device, stamp.inode) = (self.stamp.device, self.stamp.inode);
        }
        Identity::with_name(stamp, metadata, self.name)
    }

    fn with_name(stamp: Stamp, metadata: &Metadata, name: u64) -> Self {
        let born = if cfg!(windows) { 0 } else { metadata.created().map_or(0, nanoseconds) };
        let mut identity = Identity { stamp, changed: inode_changed(metadata), born, name, racy: false };
        identity.racy = !identity.is_settled(nanoseconds(SystemTime::now()));
        identity
    }

    /// Whether another change at `now` would get a different timestamp, which may also lie in the future.
    fn is_settled(&self, now: i64) -> bool {
        let last = self.last_change();
        let is_coarse = last % 1_000_000_000 == 0;
        let tick = if is_coarse { COARSE_TICK } else { TICK };
        u128::from(now.abs_diff(last)) > tick.as_nanos()
    }

    /// Whether a program that restores the modification time can hide a rewrite of the same size.
    pub fn can_be_set_back(&self) -> bool {
        self.changed == 0
    }

    /// The time of the last change that the system recorded.
    pub(super) fn last_change(&self) -> i64 {
        let modified = i64::try_from(self.stamp.modified).unwrap_or(i64::MAX);
        if self.can_be_set_back() { modified } else { self.changed }
    }

    /// The wait until an unchanged file is no longer racy; `None` if that is too long.
    pub fn pause(&self) -> Option<Duration> {
        (self.racy && self.last_change() % 1_000_000_000 != 0).then_some(TICK + Duration::from_millis(1))
    }

    /// Whether both are the same file, perhaps with other content.
    pub fn is_same_file(&self, other: &Identity) -> bool {
        let key = |identity: &Identity| (identity.stamp.device, identity.stamp.inode, identity.born);
        key(self) == key(other)
    }

    /// How far an index of this state of the file holds for its state `now`.
    pub fn trust(&self, now: &Identity) -> Trust {
        let (then_size, now_size) = (self.stamp.size, now.stamp.size);
        if !self.is_same_file(now) || now_size < then_size {
            return Trust::No;
        }
        if now_size > then_size {
            return Trust::Sampled;
        }
        let same_time = self.stamp.modified == now.stamp.modified;
        match (same_time && !self.racy, self.changed == now.changed, self.name == now.name) {
            (true, true, _) => Trust::Exact,
            // A rename sets ctime. With the same name, assume a rewrite with mtime restored.
            (true, false, false) => Trust::Sampled,
            _ => Trust::No,
        }
    }

    /// The name of the index file: one for all names of the file, another for each view.
    pub fn file_name(&self, view: View) -> OsString {
        let text = if view.decompressed { "-text" } else { "" };
        let units = view.units.name().map_or(String::new(), |name| format!("-{name}"));
        format!("{}{text}{units}.{EXTENSION}", self.file_stem()).into()
    }

    /// The prefix of all index names of the file; `-` or `.` follows.
    pub fn file_stem(&self) -> String {
        format!("{:x}-{:x}", self.stamp.device, self.stamp.inode)
    }
}

/// The prefix of all index names of the object at `url`.
pub fn object_stem(url: &str) -> String {
    format!("{:x}", url_hash(url))
}

fn name_hash(path: &Path) -> u64 {
    let canonical = path.canonicalize().unwrap_or_else(|_| path.to_owned());
    xxh3_64(canonical.as_os_str().as_encoded_bytes())
}

fn url_hash(url: &str) -> u64 {
    xxh3_64(url.as_bytes())
}

fn nanoseconds(time: SystemTime) -> i64 {
    let after = time.duration_since(UNIX_EPOCH).unwrap_or_default();
    i64::try_from(after.as_nanos()).unwrap_or(i64::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_state_is_settled_when_no_change_can_have_its_timestamp() {
        let second = 1_000_000_000;
        let identity = |changed: i64, modified: i64| Identity {
            stamp: Stamp { device: 1, inode: 2, size: 3, modified: i128::from(modified) },
            changed,
            born: 0,
            name: 4,
            racy: false,
        };
        // A time in whole seconds may come from a file system without finer ones.
        for (last, tick) in [(second * 5 + 1, 20_000_000), (second * 5, 2_100_000_000)] {
            for (changed, modified) in [(last, second * 77), (0, last)] {
                let settled = |now: i64| identity(changed, modified).is_settled(now);
                assert!(
                    !settled(last) && !settled(last + tick) && !settled(last - tick),
                    "{changed} {modified}"
                );
                assert!(settled(last + tick + 1) && settled(last - tick - 1), "{changed} {modified}");
            }
        }
    }
}
