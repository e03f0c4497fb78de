//! The files below a directory of a root, found without leaving it, and the rules of `.gitignore` and `.ignore` on the way.

use std::io::Read;
use std::path::{Path, PathBuf};

use cap_std::fs::Dir;
use ignore::Match;
use ignore::gitignore::{Gitignore, GitignoreBuilder};
use ignore::overrides::Override;
use ignore::types::Types;

use super::call::Call;
use super::{Place, Root, open};
use rread_source::access::Watch;
use rread_text::{Error, Result};

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

/// The most bytes of a file of rules.
const LONGEST: u64 = 1 << 20;

/// The rules of a directory and of those above it, the nearest first.
pub(super) struct Rules {
    above: Vec<Gitignore>,
    /// Whether the directory is in a repository: only there `.gitignore` counts.
    in_repository: bool,
}

impl Rules {
    /// The rules that hold in `place`: those of its root, of the directories above the root, and between the two.
    pub(super) fn of(place: &Place<'_>) -> Self {
        let mut rules = Rules { above: Vec::new(), in_repository: false };
        let above: Vec<&Path> = place.root.path.ancestors().skip(1).collect();
        // The operator of the server chose the root, so its parents are no secret of theirs.
        rules.in_repository = above.iter().any(|dir| dir.join(".git").exists());
        for dir in above.iter().rev() {
            let read = |name: &str| {
                let path = dir.join(name);
                path.is_file().then(|| std::fs::read_to_string(path).ok()).flatten()
            };
            rules.enter(dir, &read, dir.join(".git").exists());
        }
        let mut at = PathBuf::new();
        rules.enter_dir(place.root, &at);
        for part in place.rest.components() {
            at.push(part);
            rules.enter_dir(place.root, &at);
        }
        rules
    }

    fn enter_dir(&mut self, root: &Root, rest: &Path) {
        let below = if rest == Path::new("") { Path::new(".") } else { rest };
        if let Ok(dir) = root.dir.open_dir(below) {
            self.add(&dir, &root.path.join(rest));
        }
    }

    /// Adds the rules of `dir`, whose path is `path`; returns how many to remove after it.
    pub(super) fn add(&mut self, dir: &Dir, path: &Path) -> usize {
        let read = |name: &str| text(dir, name);
        self.enter(path, &read, dir.symlink_metadata(".git").is_ok())
    }

    fn enter(&mut self, path: &Path, read: &dyn Fn(&str) -> Option<String>, is_repository: bool) -> usize {
        let before = self.above.len();
        self.in_repository |= is_repository;
        let names: &[&str] = match (self.in_repository, is_repository) {
            (true, true) => &[".git/info/exclude", ".gitignore", ".ignore"],
            (true, false) => &[".gitignore", ".ignore"],
            (false, _) => &[".ignore"],
        };
        for name in names {
            let Some(text) = read(name) else { continue };
            let mut builder = GitignoreBuilder::new(path);
            for line in text.lines() {
                // A line that is not a pattern has no effect, as in git.
                let _ = builder.add_line(None, line);
            }
            self.above.extend(builder.build().ok().filter(|rules| !rules.is_empty()));
        }
        self.above.len() - before
    }

    pub(super) fn remove(&mut self, count: usize) {
        self.above.truncate(self.above.len().saturating_sub(count));
    }

    pub(super) fn names(&self, path: &Path, is_dir: bool) -> bool {
        for rules in self.above.iter().rev() {
            match rules.matched(path, is_dir) {
                Match::Ignore(_) => return true,
                Match::Whitelist(_) => return false,
                Match::None => {}
            }
        }
        false
    }
}

fn text(dir: &Dir, name: &str) -> Option<String> {
    let file = open(dir, Path::new(name))
        .ok()
        .filter(|file| file.metadata().is_ok_and(|metadata| metadata.is_file()))?;
    let mut text = Vec::new();
    file.take(LONGEST).read_to_end(&mut text).ok()?;
    Some(String::from_utf8_lossy(&text).into_owned())
}
