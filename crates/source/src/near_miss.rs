//! Finds the existing name that a misspelled one probably means.

use std::fs;
use std::path::{Path, PathBuf};

use super::spelling::MOST_NAMES;

/// The most similar name in the directory of `path`, if one is similar enough.
pub fn near_miss(path: &Path) -> Option<PathBuf> {
    let wanted = path.file_name()?.to_str()?;
    let parent = path.parent().filter(|p| !p.as_os_str().is_empty());
    let names = fs::read_dir(parent.unwrap_or(Path::new("."))).ok()?;
    // A directory of millions is not worth a hint.
    let names = names.take(MOST_NAMES).filter_map(|entry| entry.ok()?.file_name().into_string().ok());
    nearest(wanted, names).map(|name| parent.map_or_else(|| PathBuf::from(&name), |p| p.join(&name)))
}

/// The most similar of `names`, if it is similar enough.
pub fn nearest(wanted: &str, names: impl Iterator<Item = String>) -> Option<String> {
    let allowed = (wanted.chars().count() / 3).clamp(1, 3);
    names
        .map(|name| (strsim::osa_distance(&name.to_lowercase(), &wanted.to_lowercase()), name))
        .filter(|(distance, _)| *distance <= allowed)
        .min()
        .map(|(_, name)| name)
}
