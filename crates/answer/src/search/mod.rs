//! Answers a search: searches each file, and shows the lines that match in the order of the file.
//!
//! Frontmatter and XML have the receipt before the content, so these search first and show then. JSON, raw and text show
//! lines while the search goes on.

mod find;
mod lines;
mod look_ahead;
mod merged;
mod options;
mod show;
mod unit;

use std::path::PathBuf;
use std::time::Instant;

use crate::answers::{EachFile, ends_answer, members_inside};
use crate::content::Budget;
use crate::deliver::{Held, Response, Shape, respond};
use crate::format::{Format, Section};
use crate::hints;
use crate::notes::read_as_guessed;
use crate::options::AnswerOptions;
use crate::receipt::{FileInfo, LeftOut, RefusedSearch, SearchInfo};
use crate::wording::worded;
pub use options::{LineColors, LineOptions, LineParts, SearchOptions, SearchedFile, Shows};
use rread_reader::UnitKind;
use rread_source::archive::{Member, MemberPattern};
use rread_source::member_address::is_member;
use rread_source::members::{self, Members};
use rread_text::{Choice, Error, Kind, Result, address};

pub use merged::search_merged;
pub use show::{list, with_separator};

use find::{FileOutcome, FileSearch};
use look_ahead::{LookAhead, Verdict};
use options::{FilesWithNote, OtherReading, no_match};
use show::PerFile;

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
    let answered = respond(first.output, Shape::of(first.content, of_files), |response| {
        let numbered = AnswerOptions { number: true, ..first.content.clone() };
        let left = numbered.budget().map_err(about)?;
        let mut matches = Matches::new(options, of_files, left);
        look_ahead::with(files, options, response.format, |ahead| matches.all(files, ahead, response))?;
        for (path, cause) in &options.unreadable {
            matches.fail(Error::new(Kind::Permission, cause.clone()).at(path), response);
        }
        matches.finish(files, response)
    });
    answered.map_err(about)
}

/// The matches in one file after another, and what came of the files so far.
struct Matches<'o> {
    options: &'o SearchOptions,
    of_files: bool,
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

impl<'o> Matches<'o> {
    fn new(options: &'o SearchOptions, of_files: bool, left: Budget) -> Self {
        Matches {
            options,
            of_files,
            has_match: false,
            left,
            other: None,
            doubtful: FilesWithNote::default(),
            guessed: FilesWithNote::default(),
            sums: Sums::new(),
            per_file: PerFile::default(),
            failure: None,
            left_out: options.left_out.clone(),
            noted: 0,
            passed: 0,
        }
    }

    /// Answers for `files`, as far as they were not looked at ahead.
    fn all(
        &mut self,
        files: &[SearchedFile<'_>],
        ahead: Option<&LookAhead<'_>>,
        response: &mut Response,
    ) -> Result<()> {
        for (index, file) in files.iter().enumerate() {
            match ahead.map_or(Verdict::ToSearch, |ahead| ahead.verdict(index)) {
                Verdict::ToSearch if self.one(file, response)? => {}
                Verdict::ToSearch => break,
                Verdict::WithoutMatch => self.passed += 1,
                Verdict::Binary => self.leave_out(file, Error::new(Kind::Binary, ""), response),
            }
        }
        Ok(())
    }

    /// Adds what all files have together.
    fn finish(mut self, files: &[SearchedFile<'_>], response: &mut Response) -> Result<()> {
        let options = self.options;
        if options.with_sums && !response.format.has_receipt() {
            response.out.write(self.sums.text().as_bytes())?;
        }
        let searched = self.sums.files + self.passed;
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
        let notes = doubtful.into_iter().chain(guessed).chain(gaps);
        notes.for_each(|note| response.note_after(None, note));
        Ok(())
    }

    /// Counts a file below a directory that cannot be searched, and reports it if nothing but its own state is the reason.
    fn leave_out(&mut self, file: &SearchedFile<'_>, error: Error, response: &mut Response) {
        let request = &file.request;
        let path = address::display(&request.path);
        let is_archive = error.kind == Kind::Binary
            && request.member.is_none()
            && members::of_file(&request.path, &request.content.read.source.access)
                .is_ok_and(|found| found.is_some());
        let has_times = request.time.is_some() || self.options.unit == UnitKind::Record;
        if !self.left_out.add(&path, &error, is_archive, has_times) {
            self.fail(error.about(&request.path), response);
        } else if error.kind != Kind::Binary && !self.options.is_silent {
            self.noted += 1;
            if self.noted <= MAX_NOTES {
                rread_source::stdin::warn(&request.path, &worded(&error.message));
            }
        }
    }

    /// Without an answer of its own, a file may still have a match behind the failure.
    fn fail(&mut self, error: Error, response: &mut Response) {
        if self.options.is_silent_answer() {
            self.failure.get_or_insert(error);
        } else {
            response.fail(error);
        }
    }

    /// The members to search in the place of `file`.
    fn members_of(&self, file: &SearchedFile<'_>) -> Result<Option<Members>> {
        if !(file.is_walked && self.options.takes_archives && file.request.member.is_none()) {
            return Ok(file.members.clone());
        }
        members::of_file(&file.request.path, &file.request.content.read.access(&file.request.path)?)
    }

    fn find(&mut self, file: &SearchedFile<'_>, response: &mut Response) -> Result<FileOutcome> {
        let (request, options) = (&file.request, self.options);
        let opened = request.open(response.format, response.out.is_terminal)?;
        opened.reader.end_at_damage();
        let mut search = FileSearch::new(file, &opened, options, self.left, !self.has_match, response)?;
        let is_plain = !response.format.has_receipt();
        if response.format == Format::Json && options.shows == Shows::Lines && !request.content.metadata_only
        {
            return search.as_groups(response);
        }
        if is_plain && options.shows == Shows::Lines {
            return search.as_text(response);
        }
        let mut found = search.measure()?;
        if options.is_silent_answer() || self.per_file.take(&search, &mut found, self.left, response)? {
            return Ok(found);
        }
        search.answer(response, found)
    }

    /// Adds what was found in `file`; returns whether to go on.
    fn add(&mut self, file: &SearchedFile<'_>, mut found: FileOutcome, response: &mut Response) -> bool {
        self.has_match |= self.options.is_found(found.info.matched_lines);
        found.damage.take().into_iter().for_each(|error| self.fail(error, response));
        self.sums.add(&found.info);
        self.left = self.left.less(&found.info.stats);
        if let Some(name) = found.guessed.filter(|_| found.info.shown > 0 || !file.is_walked) {
            self.guessed.add(&file.request.path, || format!(": {}", read_as_guessed(&name)));
        }
        let other = found.other_reading.map(|other| (file.request.path.clone(), other));
        if let Some((path, reading)) = other.as_ref().filter(|(_, reading)| reading.is_doubtful) {
            self.doubtful.add(path, || reading.doubt());
        }
        self.other = self.other.take().or(other);
        !(self.has_match && self.options.is_silent_answer() && !self.options.with_sums)
    }
}

impl<'r> EachFile<SearchedFile<'r>> for Matches<'_> {
    fn one(&mut self, file: &SearchedFile<'r>, response: &mut Response) -> Result<bool> {
        match self.members_of(file) {
            Ok(Some(members)) => return self.members(file, &members, response),
            Ok(None) => {}
            Err(error) => return self.refuse(file, error, response).map(|()| true),
        }
        let path = &file.request.path;
        let may_be_archive = !file.is_walked || file.request.member.is_some();
        let found = match self.find(file, response) {
            Err(error) if error.kind == Kind::Binary && may_be_archive => match members_inside(&file.request)
            {
                Ok(Some(members)) => {
                    response.of_files = true;
                    return self.members(file, &members, response);
                }
                inside => Err(inside.err().unwrap_or(error)),
            },
            found => found,
        };
        let label = file.request.content.read.encoding.as_ref();
        match found.map_err(|error| hints::searched(error, &self.options.call)) {
            Ok(found) => return Ok(self.add(file, found, response)),
            Err(error) if error.kind == Kind::IsDirectory && is_member(path) => {
                let access = file.request.content.read.access(path)?;
                let Some(members) = members::below(path, &access)? else { return Err(error) };
                response.of_files = true;
                return self.members(file, &members, response);
            }
            // The name of an encoding is wrong in every file.
            Err(error) if file.is_walked && label.is_some_and(|label| label.parse::<Choice>().is_err()) => {
                return Err(error);
            }
            Err(error) if (file.is_walked || self.of_files) && !ends_answer(&error) => {
                self.refuse(file, error, response)?;
            }
            Err(error) => return Err(error.about(path)),
        }
        Ok(true)
    }

    fn refuse(&mut self, file: &SearchedFile<'r>, error: Error, response: &mut Response) -> Result<()> {
        if file.is_walked {
            self.leave_out(file, error, response);
            return Ok(());
        }
        let error = error.about(&file.request.path);
        if !self.options.is_silent_answer() {
            response.begin(FileInfo::unopened(&file.request.path), true)?;
            let reason = Box::new(RefusedSearch(error.clone()));
            response.part(reason, vec![Section::content(&mut Held(Vec::new()))])?;
        }
        self.fail(error, response);
        Ok(())
    }

    fn of_member(&self, file: &SearchedFile<'r>, member: Member) -> SearchedFile<'r> {
        file.of_member(member)
    }

    fn lacks(&self, members: &Members, walked: u64, _: usize) -> bool {
        walked == 0 && matches!(members.pattern, MemberPattern::Glob { .. })
    }

    fn has_place(&self) -> bool {
        true
    }
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
