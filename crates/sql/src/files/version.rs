//! The version of a set of files: how many they are, and the sum of a hash of the name and the version of each.

use std::path::Path;

use xxhash_rust::xxh3::Xxh3;

use rread_text::error::counted;

/// No version of a file begins with this letter, nor that of a merge.
const MARK: char = 'y';

/// The sum so far; `None` of a set in which a file has no version.
#[derive(Clone, Debug, Default)]
pub(super) struct SetVersion {
    files: u64,
    sum: u64,
    lacks_one: bool,
}

impl SetVersion {
    pub fn add(&mut self, path: &Path, version: Option<&str>) {
        let mut hash = Xxh3::new();
        hash.update(path.as_os_str().as_encoded_bytes());
        hash.update(&[0]);
        hash.update(version.unwrap_or_default().as_bytes());
        self.files += 1;
        self.sum = self.sum.wrapping_add(hash.digest());
        self.lacks_one |= version.is_none();
    }

    /// The word for receipts.
    pub fn word(&self) -> Option<String> {
        (!self.lacks_one).then(|| format!("{MARK}{:x}x{:016x}", self.files, self.sum))
    }

    /// How the files differ from those of the version `word`; `None` if they are the same. The error is for another word.
    pub fn difference(&self, word: &str) -> Result<Option<String>, ()> {
        let number = |digits: &str| u64::from_str_radix(digits, 16).map_err(drop);
        let (files, sum) = word.strip_prefix(MARK).and_then(|rest| rest.split_once('x')).ok_or(())?;
        let (files, sum) = (number(files)?, number(sum)?);
        let all = counted(self.files, "file");
        Ok(match files == self.files {
            true if sum == self.sum => None,
            true => Some(format!("of {all}, some changed or are other ones")),
            false => Some(format!("now {all}, then {files}")),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_version_is_that_of_all_names_and_versions() {
        let set = |files: &[(&str, &str)]| {
            let mut set = SetVersion::default();
            files.iter().for_each(|(path, version)| set.add(Path::new(path), Some(version)));
            set
        };
        let then = [("a", "1"), ("b", "2"), ("c", "3")];
        let word = set(&then).word().unwrap();
        for (now, expected) in [
            (&then[..], None),
            (&[("c", "3"), ("a", "1"), ("b", "2")], None),
            (&[("a", "1"), ("b", "9"), ("c", "3")], Some("of 3 files, some changed or are other ones")),
            (&[("a", "1"), ("b", "2"), ("e", "3")], Some("of 3 files, some changed or are other ones")),
            (&[("a", "1"), ("c", "3")], Some("now 2 files, then 3")),
            (&[], Some("now 0 files, then 3")),
        ] {
            assert_eq!(set(now).difference(&word), Ok(expected.map(str::to_owned)), "{now:?}");
        }
        for other in ["", "y3", "y3x", "z123456789abcdef", "cAAAAAAAAAAAAAAA", "y3xé0000000000000"] {
            assert_eq!(set(&then).difference(other), Err(()), "{other}");
        }
        let mut without = set(&then);
        without.add(Path::new("d"), None);
        assert_eq!(without.word(), None);
    }
}
