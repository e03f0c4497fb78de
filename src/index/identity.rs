//! Which file an index is about, and when it may be believed.

use std::ffi::OsString;
use std::fs::Metadata;
use std::path::Path;
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use xxhash_rust::xxh3::xxh3_64;

use crate::newline::Units;
use crate::source::Source;
use crate::source::object::Object;
use crate::source::stamp::{Stamp, inode_changed};

/// Changes within this time of each other may carry the same time stamp: kernels stamp files by their
/// timer tick, 1 to 10 ms.
const TICK: Duration = Duration::from_millis(20);

/// The same for file systems that keep whole seconds, or every other.
const COARSE_TICK: Duration = Duration::from_millis(2_100);

/// What stands for the time at which the inode of an object changed.
const OBJECT: i64 = i64::MIN;

/// A file and its state.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Identity {
    /// Device, inode, size and modification time.
    pub stamp: Stamp,
    /// When the inode changed last, in nanoseconds since 1970: nobody can set it back.
    pub changed: i64,
    /// When the inode was made, in nanoseconds since 1970; 0 where that is not known. An inode that was used
    /// again is younger.
    pub born: i64,
    /// A hash of the name under which it was opened.
    pub name: u64,
    /// Whether it was changed so short a time ago that another change could bear the same time.
    pub racy: bool,
}

/// What of a file is read: its bytes, or what they stand for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct View {
    /// Whether it is the text that is compressed in the file.
    pub decompressed: bool,
    /// The units that lines end by.
    pub units: Units,
}

/// How far an index can be believed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Trust {
    /// The file is as it was.
    Exact,
    /// The file has grown or was renamed; if some of its blocks are as they were, so are the others.
    Sampled,
    /// Not at all.
    No,
}

impl Identity {
    /// The identity of what `source` reads, which was opened as `path`; none where it cannot be told from others.
    pub fn of_source(source: &dyn Source, path: &Path) -> Option<Self> {
        match source.info().object {
            Some(object) => Identity::of_object(object, source),
            None => source.info().metadata.map(|metadata| Identity::of(metadata, path)),
        }
    }

    /// The identity of an object, which is its URL, who was asked for it, and its tag: with another it is another object.
    fn of_object(object: &Object, source: &dyn Source) -> Option<Self> {
        let tag = object.strong_etag()?;
        let url = url_hash(&object.url);
        let since = |time: SystemTime| time.duration_since(UNIX_EPOCH).ok();
        let modified = object.modified.and_then(since).map_or(0, |time| i128::from(time.as_secs()));
        let state = xxh3_64(format!("{tag}\n{}", object.place).as_bytes()).max(1);
        let stamp = Stamp { device: url, inode: state, size: source.stored().size()?, modified };
        Some(Identity { stamp, changed: OBJECT, born: 0, name: url, racy: object.unverified })
    }

    /// Whether this is an object, every request for which demands that it is as it was.
    pub fn is_object(&self) -> bool {
        self.changed == OBJECT
    }

    /// The identity of the file at `path`, whose metadata was taken from the open file.
    pub fn of(metadata: &Metadata, path: &Path) -> Self {
        let canonical = path.canonicalize().unwrap_or_else(|_| path.to_owned());
        Identity::named(metadata, xxh3_64(canonical.as_os_str().as_encoded_bytes()))
    }

    /// The identity of the same open file, later.
    pub fn again(&self, metadata: &Metadata) -> Self {
        Identity::named(metadata, self.name)
    }

    fn named(metadata: &Metadata, name: u64) -> Self {
        let mut identity = Identity {
            stamp: Stamp::of(metadata),
            changed: inode_changed(metadata),
            born: metadata.created().map_or(0, nanoseconds),
            name,
            racy: false,
        };
        identity.racy = !identity.is_settled(nanoseconds(SystemTime::now()));
        identity
    }

    /// Whether, at `now`, a further change would get a different time stamp. Any change sets the time of the
    /// inode, and that to the time of the change; so a time in the future is as good as one in the past.
    fn is_settled(&self, now: i64) -> bool {
        let modified = i64::try_from(self.stamp.modified).unwrap_or(i64::MAX);
        let last = if self.changed == 0 { modified } else { self.changed };
        let is_coarse = last % 1_000_000_000 == 0;
        let tick = if is_coarse { COARSE_TICK } else { TICK };
        u128::from(now.abs_diff(last)) > tick.as_nanos()
    }

    /// How long to wait until the file, if it is left alone, is no longer racy; `None` if that is too long.
    pub fn pause(&self) -> Option<Duration> {
        (self.racy && self.changed % 1_000_000_000 != 0).then_some(TICK + Duration::from_millis(1))
    }

    /// Whether both are the same inode, whatever its state.
    pub fn is_same_file(&self, other: &Identity) -> bool {
        let key = |identity: &Identity| (identity.stamp.device, identity.stamp.inode, identity.born);
        key(self) == key(other)
    }

    /// How far what was learned of the file when it was in this state holds for its state `now`.
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
            // Renaming changes the inode. Without another name, this is content with its time set back.
            (true, false, false) => Trust::Sampled,
            _ => Trust::No,
        }
    }

    /// The name of the index file: the same for every name of the file, another for every way to read it.
    pub fn file_name(&self, view: View) -> OsString {
        let text = if view.decompressed { "-text" } else { "" };
        let units = view.units.name().map_or(String::new(), |name| format!("-{name}"));
        format!("{}{text}{units}.idx", self.file_stem()).into()
    }

    /// What the names of all indexes of the file begin with; `-` or `.` follows.
    pub fn file_stem(&self) -> String {
        format!("{:x}-{:x}", self.stamp.device, self.stamp.inode)
    }
}

/// What the names of all indexes of the object at `url` begin with; `-` follows.
pub fn object_stem(url: &str) -> String {
    format!("{:x}", url_hash(url))
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
    fn a_state_is_settled_once_no_change_can_bear_its_time() {
        let second = 1_000_000_000;
        let identity = |changed: i64, modified: i64| Identity {
            stamp: Stamp { device: 1, inode: 2, size: 3, modified: i128::from(modified) },
            changed,
            born: 0,
            name: 4,
            racy: false,
        };
        // A time in whole seconds may be that of a file system that keeps no finer ones.
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
