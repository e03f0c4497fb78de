//! The files below a directory that a search looks at.

use std::path::{Path, PathBuf};

use ignore::WalkBuilder;

use rread_source::stdio::warn;

/// The regular files below `directory` in the order of their paths, without hidden ones and those that `.gitignore`,
/// `.ignore` or git's own settings name. A directory that cannot be read is reported and passed over.
pub fn files(directory: &Path) -> Vec<PathBuf> {
    let walk = WalkBuilder::new(directory).sort_by_file_name(std::cmp::Ord::cmp).build();
    let mut files = Vec::new();
    for entry in walk {
        match entry {
            Ok(entry) if entry.file_type().is_some_and(|kind| kind.is_file()) => {
                files.push(entry.into_path())
            }
            Ok(_) => {}
            Err(error) => warn(directory, &error.to_string()),
        }
    }
    files
}
