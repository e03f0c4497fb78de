//! The hashes of lines that were shown, kept so that a later run can say what has changed since.
//!
//! A file of the store has the anchors of one version of one file, one a line in ascending order, after that version.
//! It has no text, and no name: the names of both are in hashes in its own.

use std::collections::BTreeMap;
use std::ffi::{OsStr, OsString};
use std::io::{self, Read, Write};
use std::path::{Path, PathBuf};

use rread_text::Anchor;
use xxhash_rust::xxh3::xxh3_64;

use crate::store;
use crate::store::Store;

/// The most anchors of one version of a file: some hundred screens of lines.
pub const MAX_ANCHORS: usize = 1 << 16;

/// The most bytes of all kept hashes together.
pub const MAX_BYTES: u64 = 16 << 20;

/// The longest line of a stored file: a number of 20 digits and a hash of 8, or a version.
const MAX_LINE: u64 = 2048;

/// The anchors that an answer showed, or the fact that they are too many to be kept.
#[derive(Debug, Default)]
pub struct ShownHashes {
    pub(crate) anchors: Vec<Anchor>,
    are_too_many: bool,
}

impl ShownHashes {
    /// Notes that a line was shown with its hash.
    pub fn note(&mut self, anchor: Anchor) {
        if self.anchors.len() == MAX_ANCHORS {
            *self = ShownHashes { anchors: Vec::new(), are_too_many: true };
        }
        if !self.are_too_many {
            self.anchors.push(anchor);
        }
    }
}

/// The kept hashes of all files.
#[derive(Clone, Debug)]
pub struct KeptHashes {
    /// The store of the files.
    pub store: Store,
}

impl KeptHashes {
    /// The hashes in `dir`, which need not exist yet.
    pub fn new(dir: PathBuf) -> Self {
        KeptHashes { store: Store::new(dir, "hashes") }
    }

    /// Adds `anchors`, which may have any order, to those of this version of the file; a line has the anchor that was
    /// shown last.
    ///
    /// # Errors
    ///
    /// The cause, if the store cannot be written.
    pub fn keep(&self, file: &Path, version: &str, anchors: Vec<Anchor>) -> io::Result<()> {
        let mut new = self.store.create()?;
        // Another answer may add to the same file meanwhile. The lock ends with the file that holds it.
        let lock = store::open_or_create(&self.store.dir.join("lock"))?;
        lock.lock()?;
        let shown = self.of(file, version).into_iter().chain(anchors);
        let by_line: BTreeMap<u64, Anchor> = shown.map(|anchor| (anchor.line, anchor)).collect();
        let lines = by_line.values().take(MAX_ANCHORS).map(|anchor| format!("{anchor}\n"));
        let lines: String = lines.collect();
        let text = format!("{version}\n{lines}{:016x}\n", xxh3_64(lines.as_bytes()));
        new.file().write_all(text.as_bytes())?;
        self.store.publish(new, &name(file, version), MAX_BYTES).map(drop)
    }

    /// The anchors of this version of the file, ascending; none if no hash was kept, or if the file is damaged.
    pub fn of(&self, file: &Path, version: &str) -> Vec<Anchor> {
        let Some((found, anchors)) = self.read(&name(file, version)) else { return Vec::new() };
        if found == version { anchors } else { Vec::new() }
    }

    /// The version and the anchors of a stored file; `None` if it is not whole.
    fn read(&self, name: &OsStr) -> Option<(String, Vec<Anchor>)> {
        let stored = self.store.open(name).ok()?;
        let mut text = String::new();
        // Whatever else is in the directory may be of any length.
        stored.take((MAX_ANCHORS as u64).saturating_mul(32) + MAX_LINE).read_to_string(&mut text).ok()?;
        let (version, rest) = text.split_once('\n')?;
        let (lines, sum) =
            rest.strip_suffix('\n')?.rsplit_once('\n').map_or(("", rest.trim_end()), |found| found);
        let lines = if lines.is_empty() { String::new() } else { format!("{lines}\n") };
        let is_whole = sum == format!("{:016x}", xxh3_64(lines.as_bytes()));
        let anchors: Option<Vec<Anchor>> = lines.lines().map(|line| line.parse().ok()).collect();
        anchors.filter(|_| is_whole).map(|anchors| (version.to_owned(), anchors))
    }

    /// The versions of the file that hashes were kept of, the last used first.
    pub fn versions(&self, file: &Path) -> Vec<String> {
        let stem = stem(file);
        let mut entries = self.store.entries().unwrap_or_default();
        entries.retain(|entry| {
            let name = entry.path.file_name().unwrap_or_default().to_string_lossy();
            name.starts_with(&stem)
        });
        entries.sort_by_key(|entry| std::cmp::Reverse(entry.used));
        let version = |path: &Path| Some(self.read(path.file_name()?)?.0);
        entries.iter().filter_map(|entry| version(&entry.path)).collect()
    }
}

fn stem(file: &Path) -> String {
    format!("{:016x}-", xxh3_64(file.as_os_str().as_encoded_bytes()))
}

fn name(file: &Path, version: &str) -> OsString {
    format!("{}{:016x}.hashes", stem(file), xxh3_64(version.as_bytes())).into()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn anchors(lines: std::ops::Range<u64>) -> Vec<Anchor> {
        lines.map(|line| format!("{line}#{:06x}", line * 7).parse().unwrap()).collect()
    }

    #[test]
    fn slices_of_a_version_come_together_and_versions_stay_apart() {
        let dir = tempfile::tempdir().unwrap();
        let kept = KeptHashes::new(dir.path().join("hashes"));
        let (file, other) = (Path::new("/a/b"), Path::new("/a/c"));
        assert!(kept.of(file, "v1").is_empty() && kept.versions(file).is_empty());
        kept.keep(file, "v1", anchors(5..9)).unwrap();
        kept.keep(file, "v1", anchors(1..7)).unwrap();
        kept.keep(file, "v2", anchors(3..4)).unwrap();
        kept.keep(other, "v1", anchors(30..31)).unwrap();
        assert_eq!(kept.of(file, "v1"), anchors(1..9));
        assert_eq!(kept.of(file, "v2"), anchors(3..4));
        assert_eq!(kept.of(other, "v1"), anchors(30..31));
        assert!(kept.of(other, "v2").is_empty());
        let mut versions = kept.versions(file);
        versions.sort();
        assert_eq!(versions, ["v1", "v2"]);
    }

    #[test]
    fn what_is_no_file_of_hashes_has_none() {
        let dir = tempfile::tempdir().unwrap();
        let kept = KeptHashes::new(dir.path().join("hashes"));
        let file = Path::new("f");
        kept.keep(file, "v", anchors(1..3)).unwrap();
        let stored = kept.store.dir.join(name(file, "v"));
        let whole = std::fs::read_to_string(&stored).unwrap();
        assert_eq!(kept.of(file, "v").len(), 2);
        let cut = |end: usize| whole[..end].to_owned();
        let odd = ["", "w\n1#aaaaaa\n", "v\n\u{0}", "v\n"].map(str::to_owned);
        for text in odd.into_iter().chain((0..whole.len()).map(cut)).chain([whole.replacen('1', "2", 1)]) {
            std::fs::write(&stored, &text).unwrap();
            assert!(kept.of(file, "v").is_empty() && kept.versions(file).is_empty(), "{text:?}");
        }
    }

    #[test]
    fn answers_at_the_same_time_lose_nothing() {
        let dir = tempfile::tempdir().unwrap();
        let kept = KeptHashes::new(dir.path().join("hashes"));
        std::thread::scope(|scope| {
            for n in 0..16 {
                let kept = kept.clone();
                scope.spawn(move || kept.keep(Path::new("f"), "v", anchors(n * 5 + 1..n * 5 + 6)).unwrap());
            }
        });
        assert_eq!(kept.of(Path::new("f"), "v"), anchors(1..81));
    }
}
