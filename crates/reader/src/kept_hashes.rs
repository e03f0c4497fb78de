//! The hashes of lines that were shown, kept so that a later run can say what has changed since.
//!
//! A file of the store has the anchors of one version of one file, one a line in ascending order, after that version.
//! It has no text, and no name: the names of both are in hashes in its own.

use std::collections::BTreeMap;
use std::ffi::OsString;
use std::io::{self, BufRead, BufReader, Read, Write};
use std::path::{Path, PathBuf};

use rread_text::hashline::Anchor;
use xxhash_rust::xxh3::xxh3_64;

use crate::store::Store;

/// The most anchors of one version of a file: some hundred screens of lines.
pub const MOST: usize = 1 << 16;

/// The most bytes of all kept hashes together.
const LIMIT: u64 = 16 << 20;

/// The longest line of a stored file: a number of 20 digits and a hash of 8, or a version.
const LONGEST: u64 = 2048;

/// The anchors that an answer showed, or the fact that they are too many to be kept.
#[derive(Debug, Default)]
pub struct ShownHashes {
    anchors: Vec<Anchor>,
    are_too_many: bool,
}

impl ShownHashes {
    /// Notes that a line was shown with its hash.
    pub fn note(&mut self, anchor: Anchor) {
        if self.anchors.len() == MOST {
            *self = ShownHashes { anchors: Vec::new(), are_too_many: true };
        }
        if !self.are_too_many {
            self.anchors.push(anchor);
        }
    }

    /// All of them; none if they are more than [`MOST`].
    pub fn into_anchors(self) -> Vec<Anchor> {
        self.anchors
    }
}

/// The kept hashes of all files.
#[derive(Clone, Debug)]
pub struct KeptHashes {
    store: Store,
}

impl KeptHashes {
    /// The hashes in `dir`, which need not exist yet.
    pub fn new(dir: PathBuf) -> Self {
        KeptHashes { store: Store::new(dir, "hashes") }
    }

    /// The store of the files.
    pub fn store(&self) -> &Store {
        &self.store
    }

    /// Adds `anchors`, which may have any order, to those of this version of the file; a line has the anchor that was
    /// shown last.
    ///
    /// # Errors
    ///
    /// The cause, if the store cannot be written.
    pub fn keep(&self, file: &Path, version: &str, anchors: Vec<Anchor>) -> io::Result<()> {
        let shown = self.of(file, version).into_iter().chain(anchors);
        let by_line: BTreeMap<u64, Anchor> = shown.map(|anchor| (anchor.line, anchor)).collect();
        let lines = by_line.values().take(MOST).map(|anchor| format!("{anchor}\n"));
        let text: String = std::iter::once(format!("{version}\n")).chain(lines).collect();
        let mut new = self.store.create()?;
        new.file().write_all(text.as_bytes())?;
        self.store.publish(new, &name(file, version), LIMIT).map(drop)
    }

    /// The anchors of this version of the file, ascending; none if no hash was kept.
    pub fn of(&self, file: &Path, version: &str) -> Vec<Anchor> {
        let Ok(stored) = self.store.open(&name(file, version)) else { return Vec::new() };
        // Whatever else is in the directory may be of any length.
        let mut lines = BufReader::new(stored.take((MOST as u64).saturating_mul(32) + LONGEST)).lines();
        if lines.next().is_none_or(|first| first.ok().as_deref() != Some(version)) {
            return Vec::new();
        }
        lines.map_while(|line| line.ok()?.parse().ok()).collect()
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
        let version = |path: &Path| {
            let stored = self.store.open(path.file_name()?).ok()?;
            BufReader::new(stored.take(LONGEST)).lines().next()?.ok()
        };
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
        let stored = kept.store().dir().join(name(file, "v"));
        for (text, count) in
            [("", 0), ("w\n1#aaaaaa\n", 0), ("v\n1#aaaaaa\ngarbage\n2#aaaaaa\n", 1), ("v\n\u{0}", 0)]
        {
            std::fs::write(&stored, text).unwrap();
            assert_eq!(kept.of(file, "v").len(), count, "{text:?}");
        }
    }
}
