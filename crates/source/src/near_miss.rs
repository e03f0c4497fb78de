//! Finds the existing name that a misspelled one probably means.

use std::fs;
use std::path::{Path, PathBuf};

use globset::GlobBuilder;

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

/// The files that the name `path` means as a pattern that no shell expanded, in order; none if it is no pattern, or if
/// directories in it are patterns too.
pub fn matching(path: &Path) -> Vec<PathBuf> {
    let parent = path.parent().filter(|parent| !parent.as_os_str().is_empty());
    let (Some(name), false) =
        (path.file_name().and_then(|name| name.to_str()), parent.is_some_and(is_pattern))
    else {
        return Vec::new();
    };
    let Ok(names) = fs::read_dir(parent.unwrap_or(Path::new("."))) else { return Vec::new() };
    let names = names.take(MOST_NAMES).filter_map(|entry| entry.ok()?.file_name().into_string().ok());
    let matching = names_of_pattern(name, names).into_iter();
    matching.map(|name| parent.map_or_else(|| PathBuf::from(&name), |parent| parent.join(&name))).collect()
}

/// Those of `names` that `pattern` means, in order; none if it is no pattern.
pub fn names_of_pattern(pattern: &str, names: impl Iterator<Item = String>) -> Vec<String> {
    let glob = GlobBuilder::new(pattern).literal_separator(true).build().ok();
    let Some(glob) = glob.filter(|_| is_pattern(Path::new(pattern))) else { return Vec::new() };
    let matcher = glob.compile_matcher();
    // As in a shell, a pattern means no hidden files.
    let is_meant =
        |name: &String| matcher.is_match(name) && (pattern.starts_with('.') || !name.starts_with('.'));
    let mut names: Vec<String> = names.filter(is_meant).collect();
    names.sort_unstable();
    names
}

fn is_pattern(path: &Path) -> bool {
    path.to_string_lossy().contains(['*', '?', '['])
}
