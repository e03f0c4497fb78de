//! The files below a directory that a search looks at.

use std::collections::BTreeMap;
use std::fs::Metadata;
use std::io;
use std::path::{Path, PathBuf};
use std::time::SystemTime;

use ignore::overrides::{Override, OverrideBuilder};
use ignore::types::{Types, TypesBuilder};
use ignore::{DirEntry, Walk, WalkBuilder};

use rread_source::stdin::warn;
use rread_text::{Error, Result, call, setting};

/// The file of rules that only searches read.
const OWN_IGNORE_FILE: &str = ".rgignore";

/// Which rules do not hold; a walk leaves out the files that the others name.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[allow(clippy::struct_excessive_bools)]
pub struct RulesOff {
    /// `.ignore` and `.rgignore`.
    pub dot: bool,
    /// `.gitignore`.
    pub vcs: bool,
    /// `.git/info/exclude`.
    pub exclude: bool,
    /// Git's file for all repositories.
    pub global: bool,
    /// The same files in the directories above.
    pub parent: bool,
    /// [`WalkOptions::ignore_files`].
    pub files: bool,
    /// The rule that those of Git hold only in a repository.
    pub require_git: bool,
}

/// The property that decides about the place of a file among the others.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum SortKey {
    /// Its name, in each directory.
    #[default]
    Path,
    /// When it was written.
    Modified,
    /// When it was read.
    Accessed,
    /// When it was made.
    Created,
}

/// A pattern of names; with `!` first, of names to leave out.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Glob {
    /// As it was typed.
    pub pattern: String,
    /// Upper and lower case are one.
    pub any_case: bool,
}

/// Which files a walk finds, and their order.
#[derive(Clone, Debug, Default)]
pub struct WalkOptions {
    /// The last one that matches decides.
    pub globs: Vec<Glob>,
    /// Only files of these types.
    pub types: Vec<String>,
    /// No files of these types.
    pub types_not: Vec<String>,
    /// Globs of types that are forgotten.
    pub type_clear: Vec<String>,
    /// More globs of types: `NAME:GLOB` or `NAME:include:OTHER,OTHER`.
    pub type_add: Vec<String>,
    /// Names that begin with a dot too.
    pub hidden: bool,
    /// The rules that do not hold.
    pub off: RulesOff,
    /// Rules ignore case.
    pub rules_of_any_case: bool,
    /// Files of rules, as in `.gitignore`.
    pub ignore_files: Vec<PathBuf>,
    /// Directories below the first.
    pub max_depth: Option<usize>,
    /// Symbolic links are followed.
    pub follow: bool,
    /// Larger files are left out.
    pub max_filesize: Option<u64>,
    /// Other file systems are left out.
    pub one_file_system: bool,
    /// The order of the files.
    pub sort: SortKey,
    /// The last file comes first.
    pub reversed: bool,
    /// Directories and rules that cannot be read are not reported.
    pub is_silent: bool,
}

/// The files that a walk found, and those that it left out; a directory that is left out counts once.
#[derive(Debug, Default)]
pub struct Walked {
    /// The regular files, in order.
    pub files: Vec<PathBuf>,
    /// Names that begin with a dot.
    pub hidden: u64,
    /// Files and directories that rules name.
    pub ignored: u64,
    /// Symbolic links that were not followed.
    pub links: u64,
    /// Files that are larger than the limit.
    pub too_large: u64,
    /// Directories that cannot be listed, with the reason.
    pub unreadable: Vec<(PathBuf, String)>,
}

impl WalkOptions {
    /// The regular files below `directory`, in order. A directory that cannot be read is reported and passed over.
    ///
    /// # Errors
    ///
    /// [`rread_text::error::Kind::Usage`] for a glob or a type that is not one.
    pub fn files(&self, directory: &Path) -> Result<Walked> {
        let mut walked = Walked::default();
        // How many entries of each directory the walk returns.
        let mut returned = BTreeMap::new();
        for entry in self.walk(directory)? {
            match entry {
                Ok(entry) => {
                    self.report(directory, entry.error());
                    if let Some(count) = entry.path().parent().and_then(|parent| returned.get_mut(parent)) {
                        *count += 1;
                    }
                    let is_deepest = self.max_depth.is_some_and(|most| entry.depth() >= most);
                    if entry.file_type().is_some_and(|kind| kind.is_dir()) && !is_deepest {
                        returned.insert(entry.path().to_owned(), 0);
                    }
                    walked.links += u64::from(!self.follow && entry.depth() > 0 && entry.path_is_symlink());
                    if is_file(&entry) {
                        walked.files.push(entry.into_path());
                    }
                }
                Err(error) => match path_of(&error) {
                    Some((path, cause)) => walked.unreadable.push((path, cause)),
                    None => self.report(directory, Some(&error)),
                },
            }
        }
        returned.iter().for_each(|(directory, count)| self.count_others(directory, *count, &mut walked));
        self.arrange(&mut walked.files);
        Ok(walked)
    }

    /// Counts the entries of `directory` that the walk did not return; it returned `count` of them.
    fn count_others(&self, directory: &Path, count: u64, walked: &mut Walked) {
        let Ok(entries) = directory.read_dir() else { return };
        let (mut hidden, mut too_large, mut others) = (0, 0, 0);
        for entry in entries.flatten() {
            let is_large = |most| entry.metadata().is_ok_and(|found| found.is_file() && found.len() > most);
            match () {
                () if !self.hidden && entry.file_name().as_encoded_bytes().starts_with(b".") => hidden += 1,
                () if self.max_filesize.is_some_and(is_large) => too_large += 1,
                () => others += 1,
            }
        }
        walked.hidden += hidden;
        walked.too_large += too_large;
        // Names and types that the user chose are no gap.
        if self.globs.is_empty() && self.types.is_empty() && self.types_not.is_empty() {
            walked.ignored += u64::saturating_sub(others, count);
        }
    }

    /// Whether options leave out files that a walk without them finds.
    pub fn narrows(&self) -> bool {
        let has_names = !self.globs.is_empty() || !self.types.is_empty() || !self.types_not.is_empty();
        has_names || !self.ignore_files.is_empty() || self.max_depth.is_some() || self.max_filesize.is_some()
    }

    fn report(&self, directory: &Path, error: Option<&ignore::Error>) {
        if let Some(error) = error.filter(|_| !self.is_silent) {
            warn(directory, &error.to_string());
        }
    }

    fn walk(&self, directory: &Path) -> Result<Walk> {
        let off = self.off;
        let mut walk = WalkBuilder::new(directory);
        for file in self.ignore_files.iter().filter(|_| !off.files) {
            self.report(file, walk.add_ignore(file).as_ref());
        }
        if !off.dot {
            walk.add_custom_ignore_filename(OWN_IGNORE_FILE);
        }
        walk.hidden(!self.hidden)
            .ignore(!off.dot)
            .git_ignore(!off.vcs)
            .git_exclude(!off.vcs && !off.exclude)
            .git_global(!off.vcs && !off.global)
            .parents(!off.parent)
            .require_git(!off.require_git)
            .ignore_case_insensitive(self.rules_of_any_case)
            .max_depth(self.max_depth)
            .follow_links(self.follow)
            .max_filesize(self.max_filesize)
            .same_file_system(self.one_file_system)
            .overrides(self.overrides()?)
            .types(self.type_rules()?);
        match self.reversed {
            true => walk.sort_by_file_name(|a, b| b.cmp(a)),
            false => walk.sort_by_file_name(Ord::cmp),
        };
        Ok(walk.build())
    }

    /// Sorts by a time; a walk finds files in the order of their paths.
    fn arrange(&self, files: &mut [PathBuf]) {
        let time: fn(&Metadata) -> io::Result<SystemTime> = match self.sort {
            SortKey::Path => return,
            SortKey::Modified => Metadata::modified,
            SortKey::Accessed => Metadata::accessed,
            SortKey::Created => Metadata::created,
        };
        // The walk has reversed the files already; those of one time stay in its order.
        if self.reversed {
            files.reverse();
        }
        files.sort_by_cached_key(|file| file.metadata().and_then(|metadata| time(&metadata)).ok());
        if self.reversed {
            files.reverse();
        }
    }

    /// The globs as rules.
    ///
    /// # Errors
    ///
    /// [`rread_text::error::Kind::Usage`] for a glob that is not one.
    pub fn overrides(&self) -> Result<Override> {
        let wrong = |error: &ignore::Error| {
            Error::usage(format!("the glob is not valid: {error}")).hint(setting("glob").then(" '*.log'"))
        };
        let mut builder = OverrideBuilder::new(".");
        for glob in &self.globs {
            builder.case_insensitive(glob.any_case).map_err(|error| wrong(&error))?;
            builder.add(&glob.pattern).map_err(|error| wrong(&error))?;
        }
        builder.build().map_err(|error| wrong(&error))
    }

    /// The types as rules.
    ///
    /// # Errors
    ///
    /// [`rread_text::error::Kind::Usage`] for a type that is not one.
    pub fn type_rules(&self) -> Result<Types> {
        let mut builder = self.type_definitions()?;
        for name in &self.types {
            builder.select(name);
        }
        for name in &self.types_not {
            builder.negate(name);
        }
        builder.build().map_err(|error| wrong_type(&error))
    }

    /// The types that files may have, each with its globs.
    ///
    /// # Errors
    ///
    /// [`rread_text::error::Kind::Usage`] for a type that is not one.
    pub fn type_definitions(&self) -> Result<TypesBuilder> {
        let mut builder = TypesBuilder::new();
        builder.add_defaults();
        for name in &self.type_clear {
            builder.clear(name);
        }
        for definition in &self.type_add {
            builder.add_def(definition).map_err(|error| wrong_type(&error))?;
        }
        Ok(builder)
    }
}

fn is_file(entry: &DirEntry) -> bool {
    entry.file_type().is_some_and(|kind| kind.is_file())
}

/// The path that an error is about, and the reason.
fn path_of(error: &ignore::Error) -> Option<(PathBuf, String)> {
    match error {
        ignore::Error::WithPath { path, err } => Some((path.clone(), format!("cannot be listed: {err}"))),
        ignore::Error::WithDepth { err, .. } | ignore::Error::WithLineNumber { err, .. } => path_of(err),
        _ => None,
    }
}

fn wrong_type(error: &ignore::Error) -> Error {
    let reason = match error {
        ignore::Error::UnrecognizedFileType(name) => format!("'{name}' is not a type of files"),
        ignore::Error::InvalidDefinition => {
            "a definition of a type is NAME:GLOB, such as web:*.html".to_owned()
        }
        other => other.to_string(),
    };
    Error::usage(reason).hint(call("search").on("type-list"))
}
