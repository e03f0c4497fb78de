//! The files below a directory of a root, found without leaving it.

use std::path::{Path, PathBuf};

use cap_std::fs::Dir;
use ignore::Match;
use ignore::overrides::Override;
use ignore::types::Types;

use super::Place;
use super::call::Call;
use super::ignored::Rules;
use rread_source::access::Watch;
use rread_text::error::{Error, Result};

/// A directory for each level is open.
const DEEPEST: usize = 200;

/// The files that a walk found, and how many it left out; a directory that is left out counts once.
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

/// The files that a walk finds.
pub(crate) struct Filter {
    /// A file that a glob names is found whatever else is said of it.
    pub(crate) globs: Override,
    pub(crate) types: Types,
    pub(crate) hidden: bool,
    /// Also files that `.gitignore` and `.ignore` name.
    pub(crate) no_ignore: bool,
}

/// Why a walk leaves a file or a directory out.
enum Reason {
    Hidden,
    Ignored,
    Filtered,
}

impl Filter {
    /// Whether globs and types, which see a file by its `name` for the client, take it.
    pub(crate) fn takes(&self, name: &Path) -> bool {
        let by_type = || !self.types.matched(name, false).is_ignore();
        match self.globs.matched(name, false) {
            Match::None => by_type(),
            found => found.is_whitelist(),
        }
    }

    fn reason(&self, name: &Path, is_dir: bool, is_ignored: impl Fn() -> bool) -> Option<Reason> {
        match self.globs.matched(name, is_dir) {
            Match::Ignore(_) => return Some(Reason::Filtered),
            Match::Whitelist(_) => return None,
            Match::None => {}
        }
        let is_hidden = name.file_name().is_some_and(|name| name.as_encoded_bytes().starts_with(b"."));
        if is_hidden && !self.hidden {
            Some(Reason::Hidden)
        } else if !self.no_ignore && is_ignored() {
            Some(Reason::Ignored)
        } else {
            self.types.matched(name, is_dir).is_ignore().then_some(Reason::Filtered)
        }
    }
}

/// The regular files below `place`, which the client calls `name`, without links.
pub(crate) fn files(place: &Place<'_>, name: &str, filter: &Filter, call: &Call) -> Result<Walked> {
    let dir = place.open_dir().map_err(|cause| Error::read("cannot open the directory", &cause))?;
    let mut walk = Walk { rules: Rules::of(place), filter, call, found: Walked::default() };
    walk.enter(&dir, &place.path(), Path::new(if name == "." { "" } else { name }), 0)?;
    Ok(walk.found)
}

struct Walk<'a> {
    rules: Rules,
    filter: &'a Filter,
    call: &'a Call,
    found: Walked,
}

impl Walk<'_> {
    /// Enters the directory `path`, which the client calls `name`.
    fn enter(&mut self, dir: &Dir, path: &Path, name: &Path, depth: usize) -> Result<()> {
        self.call.check().map_err(|cause| Error::read("", &cause))?;
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
        for (entry, kind) in entries {
            let (path, name) = (path.join(&entry), name.join(&entry));
            let is_ignored = || self.rules.names(&path, kind.is_dir());
            match self.filter.reason(&name, kind.is_dir(), is_ignored) {
                Some(Reason::Hidden) => self.found.hidden += 1,
                Some(Reason::Ignored) => self.found.ignored += 1,
                Some(Reason::Filtered) => {}
                None if kind.is_file() => self.found.files.push(path),
                None if !kind.is_dir() => self.found.special += 1,
                None => match dir.open_dir(&entry) {
                    Ok(below) => {
                        let added = self.rules.add(&below, &path);
                        self.enter(&below, &path, &name, depth + 1)?;
                        self.rules.remove(added);
                    }
                    Err(_) => self.found.unlisted += 1,
                },
            }
        }
        Ok(())
    }
}
