//! The objects that a prefix or a pattern of a store means.
//!
//! One flat listing, page after page. If its first page does not hold all, and conditions bound a directory `key=value`,
//! directories are listed level by level instead, and those that are excluded are not.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use globset::{GlobBuilder, GlobMatcher};

use super::listing::{ListedObject, Lister, Page, Wanted};
use crate::access::Naming;
use crate::compressed::recognition::ending;
use crate::object::Conditions;
use rread_text::address::{Address, display};
use rread_text::{Error, Kind, Result, counted, shell};

/// Characters of patterns, and the one that makes them literal.
const SIGNS: [char; 5] = ['*', '?', '[', '{', '\\'];

/// Directories of one level that are listed one by one; more are one flat listing.
const MAX_DIRECTORIES: usize = 1000;

/// The objects, and the directories that conditions exclude.
#[derive(Debug, Default)]
pub struct Objects {
    pub(crate) objects: Vec<ListedObject>,
    pub(crate) excluded: Vec<PathBuf>,
    /// How many hidden objects below the prefix are not meant.
    pub(crate) hidden: u64,
    /// The part of the names before the keys: `s3://bucket/`.
    pub(crate) root: String,
    /// The word is the key of an object.
    pub(crate) is_literal: bool,
}

/// The objects of a prefix or a pattern, in the order of their keys, byte by byte.
pub(crate) fn named_objects(address: &Address<'_>, naming: Naming<'_>) -> Result<Objects> {
    let Naming { access, conditions, .. } = naming;
    let meant = Meant::of(address, naming)?;
    let begun = Lister::begin(address, access, meant.filter(), meant.prefix());
    let (lister, mut page) = match begun {
        Ok(begun) => begun,
        // A user who may not list may still read.
        Err(error) if meant.glob.is_some() => {
            return match Lister::has(address, access) {
                Ok(true) => Ok(meant.literal(None)),
                _ => Err(error),
            };
        }
        Err(error) => return Err(error),
    };
    let depth = conditions.filter(|_| page.next.is_some()).and_then(|conditions| {
        let depth = meant.depth_of_bound(page.first.as_deref()?, conditions)?;
        Some((conditions, depth))
    });
    let mut excluded = Vec::new();
    let mut objects = match depth {
        Some((conditions, depth)) => {
            if meant.glob.is_some() && Lister::has(address, access)? {
                return Ok(meant.literal(None));
            }
            meant.by_level(&lister, depth, conditions, &mut excluded)?
        }
        None => {
            lister.rest(&mut page, meant.prefix())?;
            std::mem::take(&mut page.objects)
        }
    };
    objects.sort_unstable_by(|one, other| one.key.cmp(&other.key));
    objects.dedup_by(|one, other| one.key == other.key);
    if meant.glob.is_some()
        && let Some(place) = objects.iter().position(|object| object.key == meant.key)
    {
        return Ok(meant.literal(Some(objects.swap_remove(place))));
    }
    if objects.is_empty() && excluded.is_empty() {
        return Err(meant.nothing(&page, &lister));
    }
    let means_all = meant.glob.is_none() && meant.endings.is_empty();
    let hidden = if means_all { page.keys - objects.len() as u64 } else { 0 };
    Ok(Objects { objects, excluded, hidden, root: meant.root, is_literal: false })
}

/// A prefix or a pattern.
struct Meant {
    root: String,
    key: String,
    glob: Option<GlobMatcher>,
    endings: Vec<String>,
    takes_hidden: bool,
}

impl Meant {
    fn of(address: &Address<'_>, naming: Naming<'_>) -> Result<Self> {
        let (_, key) = address.bucket_and_key();
        let mut root = address.url[..address.url.len() - key.len()].to_owned();
        if !root.ends_with('/') {
            root.push('/');
        }
        let is_glob = key.contains(&SIGNS[..4]);
        let glob = is_glob.then(|| GlobBuilder::new(key).literal_separator(true).build()).transpose();
        let glob = glob.map_err(|error| Error::usage(format!("is no pattern: {}", error.kind())))?;
        let glob = glob.map(|glob| glob.compile_matcher());
        let endings = naming.endings.iter().map(|ending| (*ending).to_owned()).collect();
        Ok(Meant { root, key: key.to_owned(), glob, endings, takes_hidden: naming.hidden })
    }

    /// The beginning that all keys have.
    fn prefix(&self) -> &str {
        match self.glob {
            Some(_) => &self.key[..self.key.find(SIGNS).unwrap_or(self.key.len())],
            None => &self.key,
        }
    }

    fn filter(&self) -> Arc<Wanted> {
        let (key, glob, endings) = (self.key.clone(), self.glob.clone(), self.endings.clone());
        let takes_hidden = self.takes_hidden;
        Arc::new(move |name: &str| match &glob {
            Some(glob) => name == key || glob.is_match(name) && !is_hidden(name, &key),
            None => {
                let below = name.strip_prefix(&*key).unwrap_or(name);
                if endings.is_empty() {
                    return takes_hidden || !below.split('/').any(|part| part.starts_with('.'));
                }
                endings.contains(&ending(Path::new(below))) && !below.split('/').any(is_left_out)
            }
        })
    }

    /// The objects below those directories that conditions do not exclude, to the level at `depth`.
    fn by_level(
        &self,
        lister: &Lister,
        depth: usize,
        conditions: &dyn Conditions,
        excluded: &mut Vec<PathBuf>,
    ) -> Result<Vec<ListedObject>> {
        let mut objects = Vec::new();
        let mut directories = vec![self.prefix().to_owned()];
        for _ in 0..=depth {
            let mut page = lister.each(&directories, true)?;
            objects.append(&mut page.objects);
            let mut found = page.prefixes;
            found.retain(|directory| self.may_hold(directory));
            found.sort_unstable();
            let paths: Vec<PathBuf> = found.iter().map(|directory| self.path(directory)).collect();
            let kept = conditions.keeps(&paths);
            directories.clear();
            for ((directory, path), is_kept) in found.into_iter().zip(paths).zip(kept) {
                match is_kept {
                    true => directories.push(directory),
                    false => excluded.push(path),
                }
            }
            if directories.len() > MAX_DIRECTORIES {
                break;
            }
        }
        objects.append(&mut lister.each(&directories, false)?.objects);
        Ok(objects)
    }

    fn path(&self, key: &str) -> PathBuf {
        format!("{}{key}", self.root).into()
    }

    /// Whether keys that the word means may be below `directory`.
    fn may_hold(&self, directory: &str) -> bool {
        let Some(_) = self.glob else {
            let below = directory.strip_prefix(&*self.key).unwrap_or(directory);
            return !below.trim_end_matches('/').split('/').any(is_left_out);
        };
        let count = directory.trim_end_matches('/').split('/').count();
        let beginning: Vec<&str> = self.key.split('/').take(count).collect();
        // A brace may have slashes inside.
        if beginning.iter().any(|part| part.contains("**")) || self.key.contains('{') {
            return true;
        }
        let glob = GlobBuilder::new(&beginning.join("/")).literal_separator(true).build();
        glob.is_ok_and(|glob| glob.compile_matcher().is_match(directory.trim_end_matches('/')))
    }

    /// How many levels below the prefix the last directory `key=value` is that conditions bind, in the key `sample`.
    fn depth_of_bound(&self, sample: &str, conditions: &dyn Conditions) -> Option<usize> {
        let start = self.prefix().rfind('/').map_or(0, |slash| slash + 1);
        let (directories, _) = sample.get(start..)?.rsplit_once('/')?;
        let is_bound = |part: &str| {
            part.split_once('=').is_some_and(|(key, _)| !key.is_empty() && conditions.bound(key))
        };
        directories.split('/').collect::<Vec<_>>().iter().rposition(|part| is_bound(part))
    }

    fn literal(self, listed: Option<ListedObject>) -> Objects {
        let object =
            listed.unwrap_or(ListedObject { key: self.key, size: None, version: None, modified: None });
        Objects { objects: vec![object], root: self.root, is_literal: true, ..Objects::default() }
    }

    fn nothing(&self, page: &Page, lister: &Lister) -> Error {
        let prefix = format!("{}{}", self.root, self.prefix());
        let prefix = display(Path::new(&prefix)).into_owned();
        let message = match (&self.glob, page.keys) {
            (Some(_), 0) => format!("no object matches this pattern: no key begins with {prefix}"),
            (Some(_), _) => "no object matches this pattern".to_owned(),
            (None, 0) => "has no object below it".to_owned(),
            (None, _) if self.endings.is_empty() => "has only hidden objects below it".to_owned(),
            (None, _) => format!("has no object below it that ends with {}", self.endings.join(", ")),
        };
        let error = Error::new(Kind::NotFound, message);
        match (&page.first, &self.glob) {
            (Some(first), Some(_)) => {
                let first = display(&self.path(first)).into_owned();
                error.hint(format!("{prefix} begins {}, such as {first}", counted(page.keys, "key")))
            }
            (Some(first), None) => {
                let ending =
                    first.rsplit('/').next().and_then(|name| Some(name.split_once('.')?.1.to_owned()));
                let pattern = format!("{prefix}**/*.{}", ending.as_deref().unwrap_or("log"));
                error.hint(format!("name the objects, such as '{pattern}'"))
            }
            (None, _) => match lister.command() {
                Some(command) => error.hint(shell(command)),
                None => error,
            },
        }
    }
}

/// As in a shell, a pattern means hidden names only if a part of it begins with a dot.
fn is_hidden(name: &str, pattern: &str) -> bool {
    let takes_hidden = pattern.split('/').any(|part| part.starts_with('.') && part.len() > 2);
    !takes_hidden && name.split('/').any(|part| part.starts_with('.'))
}

/// Programs write such names for each other.
fn is_left_out(part: &str) -> bool {
    part.starts_with(['.', '_'])
}
