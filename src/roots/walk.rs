//! The files below a directory of a root, found without leaving it.

use std::path::PathBuf;

use cap_std::fs::Dir;

use super::Place;
use super::call::Call;
use super::ignored::Rules;
use rread_text::error::{Error, Result};

/// A directory for each level is open.
const DEEPEST: usize = 200;

/// What a walk found, and how much it left out; a directory that is left out counts once.
#[derive(Default)]
pub(crate) struct Walked {
    /// The regular files, in the order of their paths.
    pub(crate) files: Vec<PathBuf>,
    pub(crate) hidden: u64,
    /// Named by `.gitignore` or `.ignore`.
    pub(crate) ignored: u64,
    /// Links, devices and named pipes.
    pub(crate) special: u64,
    /// Directories that cannot be listed.
    pub(crate) unlisted: u64,
}

/// The regular files below `place`, without links, hidden files and those that `.gitignore` or `.ignore` name.
pub(crate) fn files(place: &Place<'_>, call: &Call) -> Result<Walked> {
    let dir = place.open_dir().map_err(|cause| Error::read("cannot open the directory", &cause))?;
    let mut walk = Walk { rules: Rules::of(place), call, found: Walked::default() };
    walk.enter(&dir, &place.path(), 0)?;
    Ok(walk.found)
}

struct Walk<'a> {
    rules: Rules,
    call: &'a Call,
    found: Walked,
}

impl Walk<'_> {
    fn enter(&mut self, dir: &Dir, path: &std::path::Path, depth: usize) -> Result<()> {
        if self.call.is_cancelled() {
            return Ok(());
        }
        let entries = dir.entries().ok().filter(|_| depth <= DEEPEST);
        let Some(entries) = entries else {
            self.found.unlisted += 1;
            return Ok(());
        };
        let mut entries: Vec<_> = entries
            .flatten()
            .filter_map(|entry| Some((entry.file_name(), entry.file_type().ok()?)))
            .collect();
        entries.sort_by(|a, b| a.0.cmp(&b.0));
        for (name, kind) in entries {
            let path = path.join(&name);
            let is_hidden = name.as_encoded_bytes().starts_with(b".");
            if is_hidden {
                self.found.hidden += 1;
            } else if self.rules.names(&path, kind.is_dir()) {
                self.found.ignored += 1;
            } else if kind.is_file() {
                self.found.files.push(path);
            } else if !kind.is_dir() {
                self.found.special += 1;
            } else if let Ok(below) = dir.open_dir(&name) {
                let added = self.rules.add(&below, &path);
                self.enter(&below, &path, depth + 1)?;
                self.rules.remove(added);
            } else {
                self.found.unlisted += 1;
            }
        }
        Ok(())
    }
}
