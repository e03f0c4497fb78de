//! The options that say which files below a directory are searched, as in rg.

use std::path::PathBuf;

use clap::{ArgAction, Args};

use crate::args::choice::{Choices, choice};
use crate::args::size;
use rread_reader::search::walk::{Glob, Rules, SortKey, WalkOptions};
use rread_text::error::{Error, Result};

/// The keys of `--sort`: the name, and the key.
const SORT_KEYS: Choices<SortKey> = &[
    ("path", SortKey::Path, "By name, in each directory"),
    ("none", SortKey::Path, "As path: files always have an order"),
    ("modified", SortKey::Modified, "By the time of the last change"),
    ("accessed", SortKey::Accessed, "By the time of the last read"),
    ("created", SortKey::Created, "By the time when the file was made"),
];

/// Which files below a directory are searched. Files that are named are always searched.
#[derive(Args, Clone, Debug)]
#[command(next_help_heading = "Files below a directory")]
#[allow(clippy::struct_excessive_bools)]
pub(super) struct FilesArgs {
    /// Search only files whose path matches GLOB, or with ! before GLOB, only others; the last one that matches decides
    #[arg(short = 'g', long, value_name = "GLOB", value_parser = crate::args::file::value(), allow_hyphen_values = true)]
    glob: Vec<String>,
    /// The same without regard to upper and lower case
    #[arg(long, value_name = "GLOB", value_parser = crate::args::file::value(), allow_hyphen_values = true)]
    iglob: Vec<String>,
    /// Search only files of this type: rust, py, json; --type-list shows all
    #[arg(short = 't', long, value_name = "TYPE")]
    r#type: Vec<String>,
    /// Search no files of this type
    #[arg(short = 'T', long, value_name = "TYPE")]
    type_not: Vec<String>,
    /// Add a glob to a type: web:*.html
    #[arg(long, value_name = "TYPE:GLOB")]
    type_add: Vec<String>,
    /// Forget the globs of a type
    #[arg(long, value_name = "TYPE")]
    type_clear: Vec<String>,
    /// Show the types of files and their globs
    #[arg(long)]
    pub(super) type_list: bool,
    /// Show the files that would be searched, without a PATTERN
    #[arg(long = "files")]
    pub(super) list_files: bool,
    /// Search hidden files and directories too
    #[arg(short = '.', long)]
    hidden: bool,
    /// Search files too that .gitignore, .ignore and .rgignore name
    #[arg(long)]
    no_ignore: bool,
    /// Once: --no-ignore; twice: also --hidden; three times: also --binary
    #[arg(short = 'u', long, action = ArgAction::Count)]
    unrestricted: u8,
    /// Search binary files too, as text
    #[arg(long)]
    binary: bool,
    /// Ignore what .gitignore names, but not what .ignore names
    #[arg(long, hide = true)]
    no_ignore_vcs: bool,
    /// Search files too that .ignore and .rgignore name
    #[arg(long, hide = true)]
    no_ignore_dot: bool,
    /// Search files too that .git/info/exclude names
    #[arg(long, hide = true)]
    no_ignore_exclude: bool,
    /// Search files too that git's file for all repositories names
    #[arg(long, hide = true)]
    no_ignore_global: bool,
    /// Do not read the rules of the directories above
    #[arg(long, hide = true)]
    no_ignore_parent: bool,
    /// Do not read the files of --ignore-file
    #[arg(long, hide = true)]
    no_ignore_files: bool,
    /// Read .gitignore outside of repositories too
    #[arg(long, hide = true)]
    no_require_git: bool,
    /// Leave out the files that FILE names, as .gitignore does
    #[arg(long, value_name = "FILE")]
    ignore_file: Vec<PathBuf>,
    /// Take names in files of rules without regard to upper and lower case
    #[arg(long, hide = true)]
    ignore_file_case_insensitive: bool,
    /// Take GLOB without regard to upper and lower case
    #[arg(long, hide = true)]
    glob_case_insensitive: bool,
    /// Search at most N levels of directories
    #[arg(short = 'd', long, alias = "maxdepth", value_name = "N")]
    max_depth: Option<usize>,
    /// Follow symbolic links
    #[arg(short = 'L', long)]
    follow: bool,
    /// Search only files of at most SIZE bytes: 10M
    #[arg(long, value_name = "SIZE", value_parser = size)]
    max_filesize: Option<u64>,
    /// Stay on the file system of the directory
    #[arg(long)]
    one_file_system: bool,
    /// The order of the files [default: path]
    #[arg(long, value_name = "KEY", value_parser = choice(SORT_KEYS), hide_possible_values = true, overrides_with = "sortr")]
    sort: Option<SortKey>,
    /// The same, the last file first
    #[arg(long, value_name = "KEY", value_parser = choice(SORT_KEYS), hide_possible_values = true)]
    sortr: Option<SortKey>,
    /// Do not report files and directories that cannot be read
    #[arg(long)]
    pub(super) no_messages: bool,
}

impl FilesArgs {
    /// Whether binary files below a directory are searched too.
    pub(super) fn with_binary(&self) -> bool {
        self.binary || self.unrestricted > 2
    }

    pub(super) fn options(&self) -> Result<WalkOptions> {
        if self.unrestricted > 3 {
            return Err(Error::usage("-u can be given three times at most").hint("-uuu"));
        }
        let glob = |any_case: bool| move |pattern: &String| Glob { pattern: pattern.clone(), any_case };
        let globs = self.glob.iter().map(glob(self.glob_case_insensitive));
        let reads = !self.no_ignore && self.unrestricted == 0;
        let rules = Rules {
            dot: reads && !self.no_ignore_dot,
            vcs: reads && !self.no_ignore_vcs,
            exclude: reads && !self.no_ignore_exclude,
            global: reads && !self.no_ignore_global,
            parent: reads && !self.no_ignore_parent,
            files: !self.no_ignore_files,
            require_git: !self.no_require_git,
            any_case: self.ignore_file_case_insensitive,
        };
        Ok(WalkOptions {
            globs: globs.chain(self.iglob.iter().map(glob(true))).collect(),
            types: self.r#type.clone(),
            types_not: self.type_not.clone(),
            type_clear: self.type_clear.clone(),
            type_add: self.type_add.clone(),
            hidden: self.hidden || self.unrestricted > 1,
            rules,
            ignore_files: self.ignore_file.clone(),
            max_depth: self.max_depth,
            follow: self.follow,
            max_filesize: self.max_filesize,
            one_file_system: self.one_file_system,
            sort: self.sort.or(self.sortr).unwrap_or_default(),
            reversed: self.sortr.is_some(),
            is_silent: self.no_messages,
        })
    }
}
