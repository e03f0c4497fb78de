//! The files that a search looks at: those that are named, and those below directories.

use std::path::{Path, PathBuf};

use super::{FoundFile, SearchArgs};
use crate::args::file::{existing, is_there, split_ranges};
use rread_answer::members;
use rread_answer::options::{AnswerOptions, OutputOptions};
use rread_answer::search::list;
use rread_reader::search::walk::WalkOptions;
use rread_source::stdio::stdin_has_data;
use rread_text::error::{Error, Kind, Result};
use rread_text::range::{Range, parse_mixed};
use rread_text::sentence::{Sentence, call, setting};

/// The options of content and output.
type Options<'a> = (&'a AnswerOptions, &'a OutputOptions);

impl SearchArgs {
    /// The files that the command line names.
    pub(super) fn named(&self) -> Vec<PathBuf> {
        let has_pattern = !self.has_pattern_options() && !self.below.list_files;
        let first = self.pattern.iter().filter(|_| !has_pattern);
        first.chain(&self.files).map(|word| existing(word)).collect()
    }

    /// The same with the parts that are searched: to go on with a merge, each file has its own.
    fn named_parts(&self) -> Result<Vec<(PathBuf, Vec<Range>)>> {
        let mut parts: Vec<(PathBuf, Vec<Range>)> = Vec::new();
        for path in self.named() {
            if !self.merge.merge || is_there(&path) {
                parts.push((path, Vec::new()));
                continue;
            }
            let ranges = path.to_str().and_then(|text| parse_mixed(text).ok());
            match (parts.last_mut(), ranges) {
                (Some((_, last)), Some(ranges)) if last.is_empty() => *last = ranges,
                _ => {
                    let (path, ranges) = split_ranges(&path, parse_mixed)?;
                    parts.push((path, ranges.unwrap_or_default()));
                }
            }
        }
        Ok(parts)
    }

    /// The files to search, and whether the answer is about several.
    pub(super) fn find_files(
        &self,
        walk: &WalkOptions,
        options: Options<'_>,
    ) -> Result<(Vec<FoundFile>, bool)> {
        let named = self.named_parts()?;
        let has_stdin = !self.below.list_files && !self.file.iter().any(|file| file == Path::new("-"));
        if named.is_empty() && has_stdin && stdin_has_data() {
            return Ok((vec![(PathBuf::from("-"), false, None, Vec::new())], false));
        }
        let mut of_files = named.len() > 1;
        let mut files = Vec::new();
        if named.is_empty() {
            of_files = true;
            let found = walk.files(Path::new("."))?.into_iter();
            files.extend(found.map(|file| {
                (file.strip_prefix(".").map_or(file.clone(), Path::to_path_buf), true, None, Vec::new())
            }));
        }
        for (path, ranges) in named {
            if path != Path::new("-") && path.is_dir() {
                of_files = true;
                files.extend(walk.files(&path)?.into_iter().map(|file| (file, true, None, Vec::new())));
            } else {
                let members = members::of(&self.request(path.clone(), options, None))?;
                of_files |= members.is_some();
                files.push((path, false, members, ranges));
            }
        }
        if !files.is_empty() {
            return Ok((files, of_files));
        }
        if walk.narrows() {
            let error = Error::new(Kind::NoMatch, "the options leave no file to search");
            return Err(
                error.hint(Sentence::from(call("search").on("files")).then(" shows which files they leave"))
            );
        }
        Err(Error::usage(
            "the directory has no file to search: hidden files and those that .gitignore names are left out",
        )
        .hint(setting("no-ignore").then(" and ").then(setting("hidden")).then(" search them too")))
    }

    pub(super) fn list_files(&self, walk: &WalkOptions, options: Options<'_>) -> Result<()> {
        let (content, output) = options;
        self.check_null(output.format)?;
        let (found, _) = self.find_files(walk, options)?;
        if self.selected.quiet {
            return Ok(());
        }
        let end = if self.selected.null { b"\0" } else { b"\n" };
        let names = found.iter().map(|(path, ..)| [path.as_os_str().as_encoded_bytes(), end].concat());
        list(names, content, output)
    }

    pub(super) fn list_types(&self, walk: &WalkOptions, (content, output): Options<'_>) -> Result<()> {
        let types = walk.known_types()?;
        let lines =
            types.iter().map(|one| format!("{}: {}\n", one.name(), one.globs().join(", ")).into_bytes());
        list(lines, content, output)
    }
}
