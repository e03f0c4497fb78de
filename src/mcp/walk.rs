//! The files below a directory of a root, found without leaving it.

use std::path::PathBuf;

use cap_std::fs::Dir;

use super::call::Call;
use super::ignored::Rules;
use super::roots::Place;
use rread_text::error::{Error, Result};

/// A directory for each level is open.
const DEEPEST: usize = 200;

/// The regular files below `place` in the order of their paths, without links, hidden files and those that `.gitignore`
/// or `.ignore` name.
pub(crate) fn files(place: &Place<'_>, call: &Call) -> Result<Vec<PathBuf>> {
    let dir = place.open_dir().map_err(|cause| Error::read("cannot open the directory", &cause))?;
    let mut walk = Walk { rules: Rules::of(place), call, found: Vec::new() };
    walk.enter(&dir, &place.path(), 0)?;
    Ok(walk.found)
}

struct Walk<'a> {
    rules: Rules,
    call: &'a Call,
    found: Vec<PathBuf>,
}

impl Walk<'_> {
    fn enter(&mut self, dir: &Dir, path: &std::path::Path, depth: usize) -> Result<()> {
        if self.call.is_cancelled() || depth > DEEPEST {
            return Ok(());
        }
        // A directory that cannot be listed is passed over.
        let Ok(entries) = dir.entries() else { return Ok(()) };
        let mut entries: Vec<_> = entries
            .flatten()
            .filter_map(|entry| Some((entry.file_name(), entry.file_type().ok()?)))
            .collect();
        entries.sort_by(|a, b| a.0.cmp(&b.0));
        for (name, kind) in entries {
            let path = path.join(&name);
            let is_hidden = name.as_encoded_bytes().starts_with(b".");
            if is_hidden || self.rules.names(&path, kind.is_dir()) {
                continue;
            }
            if kind.is_file() {
                self.found.push(path);
            } else if kind.is_dir()
                && let Ok(below) = dir.open_dir(&name)
            {
                let added = self.rules.add(&below, &path);
                self.enter(&below, &path, depth + 1)?;
                self.rules.remove(added);
            }
        }
        Ok(())
    }
}
