//! The files that a search looks at: those that are named, and those below directories.

use std::path::{Path, PathBuf};

use super::{FoundFile, SearchArgs};
use crate::args::input::{existing, is_there, split_ranges};
use crate::roots::walk::Filter;
use rread_answer::answers::members_of;
use rread_answer::receipt::LeftOut;
use rread_answer::search::{list, with_separator};
use rread_answer::{AnswerOptions, OutputOptions, worded};
use rread_reader::search::walk::{SortKey, WalkOptions, Walked};
use rread_source::named_files::{NamedFile, objects_of};
use rread_source::stdin::{stdin_has_data, warn};
use rread_text::{Error, Kind, Range, Result, Sentence, address, call, parse_mixed, setting};

/// A directory of a virtual environment or of a cache has a `.gitignore` that names everything in it.
const IGNORED: &str = "all files in the directory are left out, because .gitignore or .ignore names them";

/// The files that the walks left out.
#[derive(Default)]
pub(super) struct Found {
    pub(super) left_out: LeftOut,
    /// Directories that cannot be listed, with the reason.
    pub(super) unreadable: Vec<(PathBuf, String)>,
}

impl Found {
    fn add(&mut self, walked: &Walked) {
        self.left_out.hidden += walked.hidden;
        self.left_out.ignored += walked.ignored;
        self.left_out.links += walked.links;
        self.left_out.too_large += walked.too_large;
        for (path, cause) in &walked.unreadable {
            self.left_out.add_unreadable(&address::display(path));
            self.unreadable.push((path.clone(), cause.clone()));
        }
    }

    /// Keeps those of the `objects` below `prefix` that the options take, in their order.
    fn keep(&mut self, walk: &WalkOptions, prefix: &Path, objects: &mut Vec<NamedFile>) -> Result<()> {
        let (globs, types) = (walk.overrides()?, walk.type_rules()?);
        let filter = Filter { globs, types, hidden: true, no_ignore: true };
        let most = walk.max_depth.map(|most| most + prefix.components().count());
        let is_near = |object: &Path| most.is_none_or(|most| object.components().count() <= most);
        objects.retain(|object| filter.takes(&object.path) && is_near(&object.path));
        let count = objects.len() as u64;
        objects.retain(|object| walk.max_filesize.is_none_or(|most| object.size <= Some(most)));
        self.left_out.too_large += count - objects.len() as u64;
        objects.sort_by_key(|object| object.modified.filter(|_| walk.sort == SortKey::Modified));
        if walk.reversed {
            objects.reverse();
        }
        Ok(())
    }
}

/// A file that a walk or a listing found.
fn walked(file: impl Into<NamedFile>) -> FoundFile {
    (file.into(), (true, None, Vec::new()))
}

/// The options of content and output.
type Options<'a> = (&'a mut AnswerOptions, &'a OutputOptions);

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
        (content, output): Options<'_>,
    ) -> Result<(Vec<FoundFile>, bool, Found)> {
        let named = self.named_parts()?;
        let has_stdin = !self.below.list_files && !self.file.iter().any(|file| file == Path::new("-"));
        if named.is_empty() && has_stdin && stdin_has_data() {
            let stdin = (PathBuf::from("-").into(), (false, None, Vec::new()));
            return Ok((vec![stdin], false, Found::default()));
        }
        let mut of_files = named.len() > 1;
        let (mut files, mut left_out, mut ignored) = (Vec::new(), Found::default(), Vec::new());
        if named.is_empty() {
            of_files = true;
            let found = walk.files(Path::new("."))?;
            left_out.add(&found);
            let short = |file: PathBuf| file.strip_prefix(".").map_or(file.clone(), Path::to_path_buf);
            files.extend(found.files.into_iter().map(short).map(walked));
        }
        for (path, ranges) in named {
            if path != Path::new("-") && path.is_dir() {
                of_files = true;
                let found = walk.files(&path)?;
                left_out.add(&found);
                if found.files.is_empty() && found.ignored > 0 {
                    ignored.push(path);
                }
                files.extend(found.files.into_iter().map(walked));
            } else if let Some(mut found) = objects_of(&path, &mut content.read.source.access, walk.hidden) {
                of_files = true;
                left_out.left_out.hidden += found.hidden;
                left_out.keep(walk, &path, &mut found.files)?;
                files.extend(found.files.into_iter().map(walked));
            } else {
                let members = members_of(&self.request(path.clone(), (&*content, output), None))?;
                of_files |= members.is_some();
                files.push((path.into(), (false, members, ranges)));
            }
        }
        if !files.is_empty() {
            for path in ignored.iter().filter(|_| !self.below.no_messages) {
                let sentence = Sentence::from(format!("{IGNORED}; ")).then(setting("no-ignore"));
                warn(path, &worded(&sentence.then(" searches them")));
            }
            return Ok((files, of_files, left_out));
        }
        if let Some((path, cause)) = left_out.unreadable.into_iter().next() {
            return Err(Error::new(Kind::Permission, cause).at(&path));
        }
        if let [path, ..] = &ignored[..] {
            let search = self
                .pattern
                .iter()
                .fold(call("search").on("no-ignore"), |call, word| call.word(word.to_string_lossy()));
            return Err(Error::usage(IGNORED).at(path).hint(search.file(path)));
        }
        if walk.narrows() {
            let error = Error::new(Kind::NoMatch, "the options leave no file to search");
            return Err(
                error.hint(Sentence::from(call("search").on("files")).then(" shows which files they leave"))
            );
        }
        let named = self.named().into_iter().next().unwrap_or_else(|| PathBuf::from("."));
        let others = left_out.left_out.words(true);
        let others = if others.is_empty() { others } else { format!(": the files are {others}") };
        Err(Error::usage(format!("the directory has no file to search{others}")).at(&named).hint(
            setting("no-ignore")
                .then(", ")
                .then(setting("hidden"))
                .then(" and ")
                .then(setting("follow"))
                .then(" search more"),
        ))
    }

    pub(super) fn list_files(&self, walk: &WalkOptions, options: Options<'_>) -> Result<()> {
        let (content, output) = options;
        self.check_null(output.format)?;
        let (found, _, left_out) = self.find_files(walk, (content, output))?;
        for (path, cause) in &left_out.unreadable {
            warn(path, cause);
        }
        if self.selected.quiet {
            return Ok(());
        }
        let end = if self.selected.null { b"\0" } else { b"\n" };
        let lines = self.shown.options(false, false);
        let names = found.iter().map(|(file, _)| {
            let name = file.path.as_os_str().as_encoded_bytes().to_vec();
            [&with_separator(name, lines.path_separator.as_deref())[..], end].concat()
        });
        list(names, content, output)
    }

    pub(super) fn list_types(&self, walk: &WalkOptions, (content, output): Options<'_>) -> Result<()> {
        let types = walk.type_definitions()?.definitions();
        let lines =
            types.iter().map(|one| format!("{}: {}\n", one.name(), one.globs().join(", ")).into_bytes());
        list(lines, content, output)
    }
}
