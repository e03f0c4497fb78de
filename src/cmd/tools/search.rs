//! The tool `search`: the lines that match a pattern, file after file until the budget is spent, and the results of many.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use serde_json::{Value, json};

use super::answered::{CollectedPart, answered_once};
use super::names::{Files, Meaning, Named, below, few, files, meaning, name_of, translated};
use super::read::{BUDGET, as_shown, budget, files_and_ranges, window};
use super::stat::refused;
use super::table::{Answer, Arguments, Body, Patterns, SEARCH, SearchArguments};
use crate::args::choice::{UNITS, named};
use crate::roots::call::Call;
use crate::roots::walk::{self, Filter};
use rread_answer::options::{AnswerOptions, OutputOptions, TimeReading, TimeWindow};
use rread_answer::receipt::{
    ContentInfo, EncodingInfo, Members, MergedFileInfo, MergedInfo, PartData, Receipt, WholeFile, arrange,
};
use rread_answer::request::Request;
use rread_answer::search::{LineOptions, SearchOptions, SearchedFile, Shows, search, search_merged};
use rread_answer::wording::{self, worded};
use rread_answer::{Format, Merging, TimesOfFiles};
use rread_reader::search::pattern::has_look_around;
pub use rread_reader::search::pattern::{Case, Pattern};
use rread_reader::search::walk::{Glob, WalkOptions};
use rread_source::archive::kind_by_name;
use rread_text::hashline::{HashStyle, HashlineForm, WIDTH};
use rread_text::sentence::{Call as Hinted, call};
use rread_text::{Context, Error, Kind, Result, address, inert, parse_mixed};

/// Room for the facts of a file beside its lines, or for a file that cannot be searched.
const ENTRY: u64 = 160;
/// Room for the facts of the answer.
const ANSWER: u64 = 200;
/// The least bytes of lines that are asked for.
const SMALLEST: u64 = 64;
/// With less left of the budget, the next call goes on.
const LEAST: u64 = 400;

/// The files to search, each with whether a walk found it, and what the walks left out.
struct Searched {
    files: Vec<Named>,
    /// The names that the client gave, each with the position of its first file.
    names: Vec<(String, usize)>,
    left_out: LeftOut,
    /// Archives that were not read to their end, by name.
    errors: Vec<(String, Error)>,
}

/// The search of one file: its answer, its error, and its entry, if it has a match.
type Answered = (CollectedPart, Option<Error>, Option<Members>);

pub(super) fn run(call: &Arc<Call>, arguments: Arguments) -> Result<Answer> {
    let asked = SearchArguments::read(&arguments)?;
    let options = asked.options(call)?;
    options.pattern.check(false).map_err(|error| without_look_around(error, &asked.pattern, &arguments))?;
    let mut again = arguments.clone();
    let whole = budget(asked.max_bytes)?.unwrap_or(BUDGET);
    if whole < ANSWER + LEAST {
        let least = ANSWER + LEAST;
        return Err(Error::usage(format!("max_bytes is {whole}; it must be at least {least}")));
    }
    let filter = asked.filter()?;
    let Searched { files, names, left_out, errors } = asked.files(call, &filter)?;
    let is_one = matches!(&files[..], [file] if !file.is_walked);
    // The next call repeats the names.
    let repeated = asked.paths.iter().map(|name| name.len() as u64 + 3).sum::<u64>().min(whole / 4 * 3);
    let mut found = Found { left: (whole - ANSWER - repeated).max(LEAST), left_out, ..Found::default() };
    let lists_names = asked.lists_names();
    let start = asked.start(&files)?;
    // The files of a merge have one answer.
    let groups: Vec<&[Named]> = files.chunks(if asked.merge { files.len().max(1) } else { 1 }).collect();
    for (at, group) in groups.into_iter().enumerate().skip(start) {
        let file = &group[0];
        if call.is_cancelled() {
            return Err(Error::new(Kind::Io, "the call was cancelled"));
        }
        if at > start && (found.left < LEAST || call.is_late()) {
            found.next = Some(after(arguments, &files, at, &names));
            break;
        }
        if lists_names && file.is_walked {
            found.searched += 1;
            found.push(json!({"path": file.name}));
            continue;
        }
        match asked.within(call, group, &options, &arguments, found.left) {
            Ok((answer, error, entry)) => {
                found.searched += group.len() as u64;
                if let Some(error) = error.as_ref().filter(|error| file.is_walked && names_encoding(error)) {
                    found.skip(file, error);
                }
                found.add(entry, &answer);
                found.failure = found.failure.or(error.filter(|_| asked.merge));
            }
            Err(_) if call.is_late() && at > start => {
                found.next = Some(after(arguments, &files, at, &names));
                break;
            }
            Err(_) if call.is_late() => return Err(call.too_late()),
            Err(error) if is_one || asked.merge => return Err(error),
            // The part of the files to search is not in this one.
            Err(error) if file.is_walked && error.kind == Kind::OutOfRange => found.searched += 1,
            Err(error) if file.is_walked => found.skip(file, &error),
            Err(error) => found.refuse(&file.name, error),
        }
    }
    for (name, error) in errors {
        found.refuse(&name, error);
    }
    let narrows = !asked.glob.0.is_empty() || !asked.r#type.0.is_empty();
    let plain = asked.pattern.joined().replace(r"\|", "|");
    // In grep, `\|` is what `|` is in other expressions.
    let is_of_grep = found.matched == 0 && !asked.fixed && plain != asked.pattern.joined();
    let other = found.nothing_searched(narrows).or_else(|| is_of_grep.then(|| ("pattern", json!(plain))));
    let hint = other.map(|(argument, value)| {
        again.retain(|name, _| !value.is_null() || name != "glob" && name != "type");
        again.extend((!value.is_null()).then(|| (argument.to_owned(), value)));
        format!("{} {}", SEARCH.name, inert(&json!(again).to_string()))
    });
    found.into_answer(asked.files_only, hint)
}

/// The arguments of the call that begins with the file at `at`, without the names that are done.
fn after(mut arguments: Arguments, files: &[Named], at: usize, names: &[(String, usize)]) -> Arguments {
    let last = at - 1;
    if arguments.contains_key("paths") {
        let done = names.iter().rposition(|(_, first)| *first <= last).unwrap_or(0);
        let rest: Vec<&String> = names[done..].iter().map(|(name, _)| name).collect();
        arguments.remove("path");
        arguments.insert("paths".to_owned(), json!(rest));
    }
    arguments.insert("after".to_owned(), json!(files[last].name));
    arguments
}

/// Whether globs and types take `file`; one that the client names itself is always taken.
fn takes(filter: &Filter, file: &Named) -> bool {
    let inside = file.archive.as_ref().and_then(|archive| file.name.split_once(&archive.shown));
    let name = inside.map_or(&*file.name, |(_, member)| member.trim_start_matches('/'));
    !file.is_walked || filter.takes(Path::new(name))
}

/// `error` with the call that finds the same lines: before or after all else, what is looked for can be part of the match.
fn without_look_around(error: Error, patterns: &Patterns, arguments: &Arguments) -> Error {
    let pattern = patterns.joined();
    let is_one = |group: &str, rest: &str| !group.contains(['(', ')']) && !has_look_around(rest);
    let before = pattern.strip_prefix("(?<=").and_then(|text| text.split_once(')'));
    let before =
        before.filter(|(group, rest)| is_one(group, rest)).map(|(of, rest)| format!("(?:{of}){rest}"));
    let after = pattern.strip_suffix(')').and_then(|text| text.rsplit_once("(?="));
    let after = after.filter(|(rest, group)| is_one(group, rest)).map(|(rest, of)| format!("{rest}(?:{of})"));
    let Some(plain) = before.or(after) else { return error };
    let mut arguments = arguments.clone();
    arguments.insert("pattern".to_owned(), json!(plain));
    error.hint(format!("{} {}", SEARCH.name, inert(&json!(arguments).to_string())))
}

/// Whether nothing was found, but may be in another encoding.
fn names_encoding(error: &Error) -> bool {
    error.kind == Kind::NoMatch && wording::hint(error).is_some_and(|hint| hint.contains(" -E "))
}

impl SearchArguments {
    fn options(&self, call: &Arc<Call>) -> Result<SearchOptions> {
        if self.pattern.0.is_empty() {
            return Err(Error::usage("no pattern was given").hint(r#"{"pattern": "ERROR"}"#));
        }
        let together = |a: bool, b: bool, names: &str| match a && b {
            true => Err(Error::usage(format!("{names} do not go together")).hint("leave out one of them")),
            false => Ok(()),
        };
        let window = self.since.is_some() || self.until.is_some();
        together(self.count, self.files_only, "count and files_only")?;
        together(self.max_count.is_some(), self.last.is_some(), "max_count and last")?;
        together(self.unit.is_some() || self.enclosing, self.last.is_some(), "unit or enclosing, and last,")?;
        together(window, self.r#in.0.is_some(), "since or until, and in,")?;
        let of_each = self.count || self.files_only || self.r#in.0.is_some();
        together(self.merge, of_each, "merge, and count, files_only or in,")?;
        together(self.invert, self.context.is_some_and(|lines| lines > 0), "invert and context")?;
        self.window()?;
        let search = self.call(&self.pattern.joined());
        let case = if self.ignore_case { Case::Insensitive } else { Case::Sensitive };
        let pattern = Pattern {
            patterns: self.pattern.0.clone(),
            fixed: self.fixed,
            case,
            word: self.word,
            invert: self.invert,
            client: Some(Arc::clone(call) as _),
            ..Pattern::default()
        };
        let shows = match (self.count, self.files_only) {
            (true, _) => Shows::Count,
            (_, true) => Shows::Name,
            _ => Shows::Lines,
        };
        let within = self.r#in.0.as_deref().map_or(Ok(Vec::new()), parse_mixed);
        let within = within.map_err(|error| error.hint(r#"{"in": "100:200"}"#))?;
        let unit = self.unit.as_deref().and_then(|name| named(UNITS, name)).unwrap_or_default();
        let times = TimeReading {
            time_format: self.time_format.clone(),
            tz: self.tz.iter().cloned().collect(),
            ..TimeReading::default()
        };
        let (max_count, last, enclosing) = (self.max_count, self.last, self.enclosing);
        // Lines that enclose a match are context.
        let lines = LineOptions { context_field: Some(b"-".to_vec()), ..LineOptions::default() };
        let options = SearchOptions { lines, ..SearchOptions::new(pattern, search) };
        Ok(SearchOptions { shows, max_count, last, within, unit, enclosing, times, ..options })
    }

    /// The call without files, for hints.
    fn call(&self, pattern: &str) -> Hinted {
        let flags = [
            (self.fixed, "fixed-strings"),
            (self.ignore_case, "ignore-case"),
            (self.word, "word-regexp"),
            (self.invert, "invert-match"),
        ];
        let flags = flags.iter().filter(|(is_on, _)| *is_on);
        let search = flags.fold(call("search"), |search, (_, flag)| search.on(flag));
        self.context.iter().fold(search, |search, lines| search.with("context", lines)).word(pattern)
    }

    fn window(&self) -> Result<Option<TimeWindow>> {
        // These are also about the times of records.
        if self.unit.as_deref() == Some("record") && self.since.is_none() && self.until.is_none() {
            return Ok(None);
        }
        window(&self.since, &self.until, &self.time_format, &self.tz)
    }

    /// Whether every file below a directory is in the answer, empty and binary ones too: each of its lines would match.
    fn lists_names(&self) -> bool {
        let is_narrow =
            self.invert || self.word || self.r#in.0.is_some() || self.since.is_some() || self.until.is_some();
        self.files_only && self.pattern.0 == [""] && !is_narrow
    }

    fn filter(&self) -> Result<Filter> {
        // A comma outside of braces is between two globs.
        let globs = self.glob.0.iter().flat_map(|text| match text.contains('{') {
            true => vec![text.as_str()],
            false => text.split(',').map(str::trim).collect(),
        });
        let globs = globs.map(|glob| Glob { pattern: glob.to_owned(), any_case: false });
        let types = self.r#type.0.clone();
        let options = WalkOptions { globs: globs.collect(), types, ..WalkOptions::default() };
        let wrong = |name: &str, value: &[String], works: &str| {
            let error = format!("{name} is {}, which is not one of rg's; it must be {works}", json!(value));
            move |_| Error::usage(error)
        };
        Ok(Filter {
            globs: options.overrides().map_err(wrong("glob", &self.glob.0, "such as *.log or !*.log"))?,
            types: options.type_rules().map_err(wrong("type", &self.r#type.0, "such as rust, py or log"))?,
            hidden: self.hidden,
            no_ignore: self.no_ignore,
        })
    }

    fn files(&self, call: &Arc<Call>, filter: &Filter) -> Result<Searched> {
        let mut names = few(self.path.iter().chain(&self.paths).cloned().collect())?;
        if names.is_empty() {
            names = call.permissions.roots.defaults();
        }
        let (mut files, mut left_out, mut errors) = (Vec::new(), LeftOut::default(), Vec::new());
        let mut firsts = Vec::new();
        for name in &names {
            firsts.push((name.clone(), files.len()));
            let place = match meaning(call, name)? {
                Meaning::Place(place) if place.is_dir() => place,
                _ => {
                    let found = self.files_of(call, name)?.within(self.window()?, call);
                    leave_out(&mut left_out, "hidden", found.hidden);
                    // Objects that changed last before the window.
                    leave_out(&mut left_out, "ended", found.ended);
                    errors.extend(found.error.map(|error| (name.clone(), error)));
                    files.extend(found.files.into_iter().filter(|file| takes(filter, file)));
                    continue;
                }
            };
            let directory = place.path();
            let below = |path: PathBuf| {
                let rest = path.strip_prefix(&directory).unwrap_or(&path).to_string_lossy().into_owned();
                let name = name.trim_end_matches(std::path::is_separator);
                let name = if name == "." { rest } else { format!("{name}/{rest}") };
                Named { is_walked: true, ..Named::file(name, path) }
            };
            let walked = walk::files(&place, name, filter, call)?;
            leave_out(&mut left_out, "hidden", walked.hidden);
            leave_out(&mut left_out, "ignored", walked.ignored);
            leave_out(&mut left_out, "special", walked.special);
            leave_out(&mut left_out, UNLISTED, walked.unlisted);
            files.extend(walked.files.into_iter().map(below));
        }
        Ok(Searched { files, names: firsts, left_out, errors })
    }

    /// The files that a name means which is not that of a directory in a root.
    fn files_of(&self, call: &Arc<Call>, name: &str) -> Result<Files> {
        let found = if self.merge { files_and_ranges } else { files };
        match found(call, name, !self.text, false) {
            Err(error) if error.kind == Kind::IsDirectory => below(call, name)?.ok_or(error),
            found => found,
        }
    }

    /// The position of the first file to search.
    fn start(&self, files: &[Named]) -> Result<usize> {
        let Some(after) = &self.after else { return Ok(0) };
        // The file may be gone since.
        let at = files.iter().position(|file| file.name == *after);
        let at = at.or_else(|| files.iter().rposition(|file| file.name < *after));
        at.map(|at| at + 1)
            .ok_or_else(|| Error::usage(format!("after is '{after}', which is not a file of this search")))
    }

    /// Searches files that have one answer, again with less if their escaped lines need more than `left`.
    fn within(
        &self,
        call: &Arc<Call>,
        files: &[Named],
        options: &SearchOptions,
        arguments: &Arguments,
        left: u64,
    ) -> Result<Answered> {
        // Lines get numbers and are escaped.
        let mut most = left.max(LEAST).saturating_sub(ENTRY) / 5 * 4;
        loop {
            let (answer, error) = self.one(call, files, options, most)?;
            let failure = error.clone().filter(|error| error.kind != Kind::NoMatch);
            let failure = failure.map(|error| translated(error, files, &SEARCH));
            let entry = match &answer.data {
                PartData::Merged(info) => merged(self, files, info, &answer.content, arguments)?,
                _ => self.entry(call, &files[0], &answer, failure.as_ref(), arguments)?,
            };
            let bytes = entry.as_ref().map_or(0, |entry| json!(entry).to_string().len() as u64);
            if bytes <= left.max(LEAST) || most == SMALLEST {
                return Ok((answer, error, entry));
            }
            most = (most * left / bytes / 10 * 9).max(SMALLEST);
        }
    }

    /// Searches files, and shows so many bytes of them.
    fn one(
        &self,
        call: &Arc<Call>,
        files: &[Named],
        options: &SearchOptions,
        most: u64,
    ) -> Result<(CollectedPart, Option<Error>)> {
        let mut content = AnswerOptions { text: self.text, max_bytes: Some(most), ..call.content()? };
        content.read.encoding = self.encoding.clone();
        content.read.source.access.plain = as_shown(self.plain, self.hash);
        let times = TimesOfFiles { window: self.window()?, reading: options.times.clone() };
        let around = self.context.unwrap_or(0);
        let one = |output: OutputOptions| {
            // The lines have their numbers, and those of a merge their names.
            let output = OutputOptions { format: Format::Frontmatter, ..output };
            let searched = files.iter().map(|file| {
                let request = Request {
                    member: file.member.clone(),
                    context: Context { before: around, after: around },
                    hash: self.hash.then_some(HashlineForm { style: HashStyle::default(), width: WIDTH }),
                    time: times.window.as_ref(),
                    ranges: file.ranges.clone(),
                    is_merged: self.merge,
                    ..Request::new(file.path.clone(), &content, &output)
                };
                SearchedFile { request, is_walked: self.merge && file.is_walked, members: None }
            });
            let searched: Vec<_> = searched.collect();
            let merging = Merging { searches: true, ..Merging::new(&times) };
            match self.merge {
                true => search_merged(searched, options, &merging, true),
                false => search(&searched, options, false),
            }
        };
        answered_once(one).map_err(|error| translated(error, files, &SEARCH))
    }

    /// What was found in one file; `None` without a match.
    fn entry(
        &self,
        call: &Call,
        file: &Named,
        answer: &CollectedPart,
        error: Option<&Error>,
        arguments: &Arguments,
    ) -> Result<Option<Members>> {
        let info = &answer.file;
        let found = info.search.clone().unwrap_or_default();
        let matched = found.matched_lines;
        if matched == 0 && error.is_none() && info.details.signs.contradicted.is_none() {
            return Ok(None);
        }
        let shows_lines = !(self.count || self.files_only);
        let is_cut = found.content.cut_by.is_some() || self.max_count.is_some_and(|most| matched >= most);
        let next = found.next.filter(|_| is_cut).map(|next| {
            let mut arguments = arguments.clone();
            for name in ["paths", "after", "since", "until", "time_format", "tz", "last"] {
                arguments.remove(name);
            }
            arguments.insert("path".to_owned(), json!(file.name));
            arguments.insert("in".to_owned(), json!(next.range));
            arguments
        });
        let EncodingInfo { encoding, encoding_source, .. } = &info.details.encoding;
        let words = json!({
            "path": file.name,
            "path_base64": null,
            "matched_lines": (!self.files_only).then_some(matched),
            "matched_units": found.matched_units.filter(|_| self.unit.is_some() && !self.files_only),
            "truncated": found.is_unit_cut,
            "stopped_by": stopped_by(self, found.complete, &found.content),
            "shown": Some(found.shown).filter(|shown| shows_lines && *shown < matched),
            "lines": shows_lines.then_some(&answer.content),
            "on_pages": found.page.in_one_line(),
            "guessed_encoding": encoding.as_ref().filter(|_| *encoding_source == Some("guess")),
            "hard_links": call.links(&file.path),
            "next": next,
            "error": error.map(|error| worded(&error.message)),
        });
        arrange(ENTRY_KEYS, &WholeFile::of(info, None), &words).map(Some)
    }
}

/// The argument that ended a search before all matches of the file were shown.
fn stopped_by(
    arguments: &SearchArguments,
    complete: Option<bool>,
    content: &ContentInfo,
) -> Option<&'static str> {
    let is_cut = content.cut_by.is_some_and(|by| by != "max_columns");
    let given = [("last", arguments.last), ("max_count", arguments.max_count)];
    let (by, _) = given.into_iter().find(|(_, count)| count.is_some())?;
    complete.filter(|complete| !complete && !is_cut).map(|_| by)
}

/// The keys of what was found in one file.
const ENTRY_KEYS: &str = "path matched_lines matched_units truncated shown stopped_by lines page SHEET on_pages \
    clipped_lines total_lines plain decoded compression invalid_utf8 encoding_guess notices guess_contradicted guessed_encoding \
    hard_links next error";

/// The entry of a merge of `files`; its lines begin with the names of the client.
fn merged(
    search: &SearchArguments,
    files: &[Named],
    info: &MergedInfo,
    content: &str,
    arguments: &Arguments,
) -> Result<Option<Members>> {
    let named = |line: &str| {
        let name = files.iter().find_map(|file| {
            let rest = line.strip_prefix(&*address::display(&file.path))?;
            rest.starts_with([':', '-', '=']).then(|| format!("{}{rest}", file.name))
        });
        name.unwrap_or_else(|| line.to_owned())
    };
    let facts = |file: &MergedFileInfo| {
        let name = name_of(files, &file.path).unwrap_or(&file.path);
        json!({"path": name, "matched_lines": file.matched_lines, "error": file.error, "error_kind": file.kind}).known()
    };
    let is_shown = |file: &&MergedFileInfo| file.error.is_some() || file.matched_lines > Some(0);
    let shown = info.files.iter().filter(is_shown).map(facts).collect::<Result<Vec<_>>>()?;
    let next = info.next.as_ref().map(|next| {
        let mut arguments = arguments.clone();
        arguments.remove("path");
        let paths = files.iter().filter_map(|file| place_in(&next.arguments, file)).collect();
        arguments.insert("paths".to_owned(), paths);
        arguments
    });
    let lines: String = content.split_inclusive('\n').map(named).collect();
    let words = json!({"lines": lines, "files": &shown, "next": next, "stopped_by": stopped_by(search, info.complete, &info.content)});
    let entry = arrange("merged matched_lines stopped_by lines files clipped_lines next", info, &words)?;
    Ok(Some(entry).filter(|_| !shown.is_empty()))
}

/// The file with the places in it where a merge goes on, which are in its word or in the one after it.
fn place_in(words: &[String], file: &Named) -> Option<Value> {
    let path = address::display(&file.path);
    words.windows(2).find_map(|pair| match pair[0].strip_prefix(&*path)? {
        "" => Some(json!(format!("{}:{}", file.name, pair[1]))),
        places => places.starts_with(':').then(|| json!(format!("{}{places}", file.name))),
    })
}

/// Files that cannot be searched are named up to this number.
const NAMED: usize = 5;

/// The reason of directories that cannot be listed.
const UNLISTED: &str = "unreadable_directories";

/// How many files and directories are left out, by the reason.
type LeftOut = BTreeMap<&'static str, u64>;

/// Adds to the number of those that are left out for `reason`.
fn leave_out(left_out: &mut LeftOut, reason: &'static str, count: u64) {
    if count > 0 {
        *left_out.entry(reason).or_default() += count;
    }
}

/// The results so far.
#[derive(Default)]
pub(super) struct Found {
    entries: Vec<Value>,
    matched: u64,
    pub(super) searched: u64,
    pub(super) left: u64,
    skipped: Vec<Value>,
    more_skipped: u64,
    left_out: LeftOut,
    pub(super) next: Option<Arguments>,
    failure: Option<Error>,
}

impl Found {
    pub(super) fn add(&mut self, entry: Option<Members>, answer: &CollectedPart) {
        self.matched += match &answer.data {
            PartData::Merged(info) => info.matched_lines.unwrap_or(0),
            _ => answer.file.search.as_ref().map_or(0, |found| found.matched_lines),
        };
        if let Some(entry) = entry {
            self.push(Value::Object(entry));
        }
    }

    pub(super) fn push(&mut self, entry: Value) {
        self.left = self.left.saturating_sub(entry.to_string().len() as u64);
        self.entries.push(entry);
    }

    /// Adds a file that the client named and that cannot be searched.
    pub(super) fn refuse(&mut self, name: &str, error: Error) {
        self.push(refused(name, &error));
        self.failure.get_or_insert(error);
    }

    /// Binary files and archives are only counted.
    pub(super) fn skip(&mut self, file: &Named, error: &Error) {
        if error.kind == Kind::Binary {
            leave_out(&mut self.left_out, kind_by_name(&file.name).map_or("binary", |_| "archives"), 1);
            return;
        }
        if self.skipped.len() < NAMED {
            self.left = self.left.saturating_sub(ENTRY);
            self.skipped.push(json!({"path": file.name, "error": worded(&error.message)}));
        } else {
            self.more_skipped += 1;
        }
    }

    /// If every file was left out, the argument with which some are searched; without globs and types if its value is null,
    /// since the call `narrows` the files by their names.
    pub(super) fn nothing_searched(&self, narrows: bool) -> Option<(&'static str, Value)> {
        let reasons = [("ignored", "no_ignore"), ("hidden", "hidden"), ("binary", "text")];
        if self.searched > 0 || !self.entries.is_empty() || !self.skipped.is_empty() {
            return None;
        }
        let argument = reasons.into_iter().find(|(reason, _)| self.left_out.contains_key(reason));
        if narrows { Some(("glob", Value::Null)) } else { Some((argument?.1, json!(true))) }
    }

    /// `hint` is the call that may find more.
    pub(super) fn into_answer(self, names_only: bool, hint: Option<String>) -> Result<Answer> {
        let is_none = (self.matched == 0).then(|| Error::new(Kind::NoMatch, "no line matches"));
        let failure = self.failure.or(is_none);
        let is_part =
            |entry: &Value| ["next", "truncated", "stopped_by"].iter().any(|key| entry.get(key).is_some());
        let is_cut = self.entries.iter().any(is_part);
        let has_skipped = !self.skipped.is_empty();
        let is_all_read =
            !has_skipped && !self.left_out.contains_key(UNLISTED) && !self.left_out.contains_key("archives");
        let answer = json!({
            "matched_lines": (!names_only).then_some(self.matched),
            "files_searched": self.searched,
            "complete": self.next.is_none() && !is_cut && is_all_read && (hint.is_none() || self.searched > 0),
            "left_out": Some(self.left_out).filter(|numbers| !numbers.is_empty()),
            "hint": hint,
            "files": self.entries,
            "skipped": has_skipped.then_some(self.skipped),
            "more_skipped": (self.more_skipped > 0).then_some(self.more_skipped),
            "next": self.next,
        });
        Ok(Answer::new(Body::Structured(Value::Object(answer.known()?)), failure))
    }
}
