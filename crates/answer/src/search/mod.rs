//! Answers a search: searches each file, and shows the lines that match in the order of the file.
//!
//! Frontmatter and XML have the receipt before the content, so these search first and show then. JSON, raw and text show
//! lines while the search goes on.

mod find;
mod lines;
mod list;
mod look_ahead;
mod merged;
mod no_match;
mod options;
mod show;
mod unit;

use std::path::PathBuf;
use std::time::Instant;

use crate::answers::no_member;
use crate::content::Budget;
use crate::deliver::{Held, Response, Shape, respond};
use crate::format::{Format, Section};
use crate::hints;
use crate::notes::read_as_guessed;
use crate::receipt::{FileInfo, LeftOut, RefusedSearch, SearchInfo};
use crate::wording::worded;
pub use options::{LineOptions, LineParts, SearchOptions, SearchedFile, Shows};
use rread_reader::search::unit::UnitKind;
use rread_source::archive::MemberPattern;
use rread_source::member_address::is_member;
use rread_source::members::{self, Members};
use rread_text::address;
use rread_text::error::{Error, Kind, Result};

pub use list::list;
pub use merged::search_merged;

use find::{FileOutcome, FileSearch};
use list::PerFile;
use look_ahead::{LookAhead, Verdict};
use no_match::{FilesWithNote, OtherReading, has_room, no_match};

/// Notes about files that are left out; what was not searched has the sum.
const MAX_NOTES: u64 = 3;

/// Searches `files` on standard output, one after another.
pub fn search(files: &[SearchedFile<'_>], options: &SearchOptions, of_files: bool) -> Result<()> {
    let Some(first) = files.first() else { return Ok(()) };
    let first = &first.request;
    let about = |error: Error| if of_files { error } else { error.about(&first.path) };
    // A mistake in the pattern is about no file.
    options.pattern.check(false)?;
    // A walk finds no streams.
    let named = files.iter().filter(|file| !file.is_walked);
    crate::answers::check_streams(named.map(|file| file.request.path.as_path()))?;
    let metadata_only = first.content.metadata_only;
    let shape = Shape { of_files, metadata_only, is_brief: first.content.brief, ..Shape::default() };
    let mut notes = Vec::new();
    let answered = respond(first.output, shape, |response| {
        let mut outcome =
            Outcome::new(first.budget().and_then(has_room).map_err(about)?, options.left_out.clone());
        look_ahead::with(files, options, response.format, |ahead| {
            each(files, options, of_files, response, &mut outcome, ahead)
        })?;
        for (path, cause) in &options.unreadable {
            let error = Error::new(Kind::Permission, cause.clone()).at(path);
            if options.is_silent_answer() { outcome.fail(error) } else { response.fail(error) }
        }
        notes = outcome.finish(files, options, response)?;
        Ok(())
    });
    for note in notes {
        rread_source::stdio::note(&note);
    }
    answered.map_err(about)
}

/// What came of the files so far.
struct Outcome {
    /// Whether one has a match.
    has_match: bool,
    /// The rest of the budget.
    left: Budget,
    /// The first file without a match that can be read in another way.
    other: Option<(PathBuf, OtherReading)>,
    /// Files without a match, whose text rread may have read in a wrong encoding.
    doubtful: FilesWithNote,
    /// Files that were read in an encoding that nobody named.
    guessed: FilesWithNote,
    sums: Sums,
    per_file: PerFile,
    /// With -q, the first failure, which counts if no file has a match.
    failure: Option<Error>,
    /// The files that were not searched.
    left_out: LeftOut,
    /// Notes about single files that were not searched.
    noted: u64,
    /// Files that were looked at ahead and have no match.
    passed: u64,
}

impl Outcome {
    fn new(left: Budget, left_out: LeftOut) -> Self {
        Outcome {
            has_match: false,
            left,
            other: None,
            doubtful: FilesWithNote::default(),
            guessed: FilesWithNote::default(),
            sums: Sums::new(),
            per_file: PerFile::default(),
            failure: None,
            left_out,
            noted: 0,
            passed: 0,
        }
    }

    /// Adds what all files have together; returns the notes that follow the answer.
    fn finish(
        mut self,
        files: &[SearchedFile<'_>],
        options: &SearchOptions,
        response: &mut Response,
    ) -> Result<Vec<String>> {
        if options.with_sums && !response.format.has_receipt() {
            response.out.write(self.sums.text().as_bytes())?;
        }
        let searched = self.sums.files() + self.passed;
        let left_out = self.left_out.clone();
        let rest = self.per_file.write(left_out.clone(), response)?;
        let is_silent = options.is_silent || options.is_silent_answer();
        if response.of_files && response.format.has_receipt() && !options.is_silent_answer() {
            response.left_out(rest)?;
        }
        // As in grep and rg, what was found comes without a word about the rest.
        let is_said = !self.has_match && (left_out.has_gaps() || searched == 0 && !left_out.is_empty());
        let gaps = (is_said && !is_silent && !response.format.has_receipt())
            .then(|| format!("not searched: {}", left_out.words(searched == 0)));
        let doubtful = self.doubtful.note().filter(|_| self.has_match && !options.is_silent);
        if response.of_files && !options.is_silent_answer() {
            response.start_files()?;
        }
        if let Some(error) = self.failure.take().filter(|_| !self.has_match) {
            response.fail(error);
        }
        if !self.has_match {
            response.remember(no_match(files, options, self.other, &left_out, searched));
        }
        let is_text = response.format == Format::Text;
        let guessed =
            self.guessed.note().filter(|_| is_text && !options.is_silent && !options.is_silent_answer());
        Ok(doubtful.into_iter().chain(guessed).chain(gaps).collect())
    }

    /// Counts a file below a directory that cannot be searched, and reports it if nothing but its own state is the reason.
    fn leave_out(
        &mut self,
        file: &SearchedFile<'_>,
        error: &Error,
        options: &SearchOptions,
        response: &mut Response,
    ) {
        let request = &file.request;
        let path = address::display(&request.path);
        let is_archive = error.kind == Kind::Binary
            && request.member.is_none()
            && members::of_file(&request.path, &request.content.read.source.access)
                .is_ok_and(|found| found.is_some());
        if !self.left_out.add(
            &path,
            error,
            is_archive,
            request.time.is_some() || options.unit == UnitKind::Record,
        ) {
            let error = error.clone().about(&request.path);
            match options.is_silent_answer() {
                true => self.fail(error),
                false => response.fail(error),
            }
        } else if error.kind != Kind::Binary && !options.is_silent {
            self.noted += 1;
            if self.noted <= MAX_NOTES {
                rread_source::stdio::warn(&request.path, &worded(&error.message));
            }
        }
    }

    fn fail(&mut self, error: Error) {
        self.failure.get_or_insert(error);
    }
}

/// Answers for each of `files`; returns whether to go on.
fn each(
    files: &[SearchedFile<'_>],
    options: &SearchOptions,
    of_files: bool,
    response: &mut Response,
    outcome: &mut Outcome,
    ahead: Option<&LookAhead<'_>>,
) -> Result<bool> {
    for (index, file) in files.iter().enumerate() {
        match ahead.map_or(Verdict::ToSearch, |ahead| ahead.verdict(index)) {
            Verdict::ToSearch => {}
            Verdict::WithoutMatch => {
                outcome.passed += 1;
                continue;
            }
            Verdict::Binary => {
                outcome.leave_out(file, &Error::new(Kind::Binary, ""), options, response);
                continue;
            }
        }
        if let Some(members) = members_of(file, options) {
            if each_member(file, &members, options, response, outcome)? {
                continue;
            }
            return Ok(false);
        }
        let found = one(file, options, response, outcome);
        match found.map_err(|error| hints::searched(error, &options.call)) {
            Ok(mut found) => {
                outcome.has_match |= options.is_found(found.info.matched_lines);
                // A file without an answer of its own may have a match behind the damage.
                match found.damage.take() {
                    Some(error) if options.is_silent_answer() => outcome.fail(error),
                    Some(error) => response.fail(error),
                    None => {}
                }
                outcome.sums.add(&found.info);
                outcome.left = outcome.left.less(&found.info.stats);
                if let Some(name) = found.guessed.filter(|_| found.info.shown > 0 || !file.is_walked) {
                    outcome.guessed.add(&file.request.path, || format!(": {}", read_as_guessed(&name)));
                }
                let other = found.other_reading.map(|other| (file.request.path.clone(), other));
                if let Some((path, reading)) = other.as_ref().filter(|(_, reading)| reading.is_doubtful) {
                    outcome.doubtful.add(path, || reading.doubt());
                }
                outcome.other = outcome.other.take().or(other);
                if outcome.has_match && options.is_silent_answer() && !options.with_sums {
                    return Ok(false);
                }
            }
            Err(error) if error.kind == Kind::IsDirectory && is_member(&file.request.path) => {
                let source = &file.request.content.read.source;
                let Some(members) = members::below(&file.request.path, &source.access)? else {
                    return Err(error);
                };
                response.of_files = true;
                if !each_member(file, &members, options, response, outcome)? {
                    return Ok(false);
                }
            }
            Err(error) if file.is_walked && is_of_file(&error) => {
                outcome.leave_out(file, &error, options, response);
            }
            Err(error) if of_files && is_of_file(&error) && options.is_silent_answer() => {
                outcome.fail(error.about(&file.request.path));
            }
            Err(error) if of_files && is_of_file(&error) => refuse(file, error, response)?,
            Err(error) => return Err(error.about(&file.request.path)),
        }
    }
    Ok(true)
}

/// Reports `error` in the place of its file.
fn refuse(file: &SearchedFile<'_>, error: Error, response: &mut Response) -> Result<()> {
    let error = error.about(&file.request.path);
    response.begin(FileInfo::unopened(&file.request.path), true)?;
    response.part(Box::new(RefusedSearch(error.clone())), vec![Section::content(&mut Held(Vec::new()))])?;
    response.fail(error);
    Ok(())
}

/// The members to search in the place of `file`.
fn members_of(file: &SearchedFile<'_>, options: &SearchOptions) -> Option<Members> {
    if !(file.is_walked && options.takes_archives && file.request.member.is_none()) {
        return file.members.clone();
    }
    let source = &file.request.content.read.source;
    members::of_file(&file.request.path, &source.access).ok().flatten()
}

/// Answers for each of `members`; returns whether to go on.
fn each_member(
    file: &SearchedFile<'_>,
    members: &Members,
    options: &SearchOptions,
    response: &mut Response,
    outcome: &mut Outcome,
) -> Result<bool> {
    let mut goes_on = true;
    let walked = members.archive.each(&members.pattern, &mut |member| {
        goes_on = each(&[file.of_member(member)], options, true, response, outcome, None)?;
        Ok(goes_on)
    })?;
    let is_unmatched = walked.members == 0 && matches!(members.pattern, MemberPattern::Glob { .. });
    match walked.error.or_else(|| is_unmatched.then(|| no_member(members, 0))) {
        Some(error) if file.is_walked => outcome.leave_out(file, &error, options, response),
        Some(error) if options.is_silent_answer() => outcome.fail(error.about(&file.request.path)),
        Some(error) => refuse(file, error, response)?,
        None => {}
    }
    Ok(goes_on)
}

fn is_of_file(error: &Error) -> bool {
    !matches!(error.kind, Kind::Usage | Kind::Write | Kind::BrokenPipe)
}

fn one(
    file: &SearchedFile<'_>,
    options: &SearchOptions,
    response: &mut Response,
    outcome: &mut Outcome,
) -> Result<FileOutcome> {
    let request = &file.request;
    let opened = request.open(response.format, response.out.is_terminal())?;
    opened.reader.end_at_damage();
    let mut search = FileSearch::new(file, &opened, options, outcome.left, !outcome.has_match, response)?;
    let is_plain = !response.format.has_receipt();
    if response.format == Format::Json && options.shows == Shows::Lines && !request.content.metadata_only {
        return search.as_groups(response);
    }
    if is_plain && options.shows == Shows::Lines {
        return search.as_text(response);
    }
    let found = search.measure()?;
    if options.is_silent_answer() {
        return Ok(found);
    }
    if outcome.per_file.take(&search, &found, response, request.budget()?) {
        return Ok(found);
    }
    search.answer(response, found)
}

/// The sums over all files of a search, as `rg --stats` prints them.
struct Sums {
    begun: Instant,
    matches: u64,
    lines: u64,
    files_with_match: u64,
    files: u64,
    printed: u64,
    searched: u64,
}

impl Sums {
    fn new() -> Self {
        let (matches, lines, files_with_match) = (0, 0, 0);
        Sums { begun: Instant::now(), matches, lines, files_with_match, files: 0, printed: 0, searched: 0 }
    }

    fn add(&mut self, info: &SearchInfo) {
        self.matches += info.matches;
        self.lines += info.matched_lines;
        self.files_with_match += u64::from(info.matched_lines > 0);
        self.files += 1;
        self.printed += info.stats.content_bytes;
        self.searched += info.searched.end_byte.saturating_sub(info.searched.start_byte);
    }

    /// How many files were searched.
    fn files(&self) -> u64 {
        self.files
    }

    fn text(&self) -> String {
        let Sums { matches, lines, files_with_match, files, printed, searched, begun } = self;
        let seconds = begun.elapsed().as_secs_f64();
        format!(
            "\n{matches} matches\n{lines} matched lines\n{files_with_match} files contained matches\n\
             {files} files searched\n{printed} bytes printed\n{searched} bytes searched\n\
             {seconds:.6} seconds spent searching\n{seconds:.6} seconds\n"
        )
    }
}
