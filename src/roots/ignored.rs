//! The rules of `.gitignore` and `.ignore`, read through the directory that is walked.

use std::io::Read;
use std::path::{Path, PathBuf};

use cap_std::fs::Dir;
use ignore::Match;
use ignore::gitignore::{Gitignore, GitignoreBuilder};

use super::{Place, Root, open};

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
        let above: Vec<&Path> = place.root.path().ancestors().skip(1).collect();
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
        if let Ok(dir) = root.dir().open_dir(below) {
            self.add(&dir, &root.path().join(rest));
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
