//! Answers: request, plan, deliver. One sequence for one file, many files and the members of archives; of slices, pages,
//! matches and facts.

use std::path::Path;

use crate::content::Budget;
use crate::deliver::{Response, Shape, respond};
use crate::notes;
use crate::receipt::FileInfo;
use crate::request::{Ask, Request};
use rread_source::archive::Member;
use rread_source::members::{self, Members};
use rread_source::stdin::is_one_stream;
use rread_text::{Error, Kind, Result, setting};

/// An answer about one file after another, in which an archive may mean its members.
pub trait EachFile<F> {
    /// Answers for `file`; returns whether to go on.
    fn one(&mut self, file: &F, response: &mut Response) -> Result<bool>;

    /// Reports `error` in the place of `file`.
    fn refuse(&mut self, file: &F, error: Error, response: &mut Response) -> Result<()>;

    /// The same for `member` of the archive `file`.
    fn of_member(&self, file: &F, member: Member) -> F;

    /// Whether it is an error that of so many `walked` members so many are in the answer.
    fn lacks(&self, _: &Members, _walked: u64, answered: usize) -> bool {
        answered == 0
    }

    /// Whether an error of the archive has a place in an answer that has nothing else yet.
    fn has_place(&self) -> bool {
        false
    }

    /// Answers for `file`, or for the `members` that it means.
    fn in_turn(&mut self, file: &F, members: Option<&Members>, response: &mut Response) -> Result<bool> {
        match members {
            Some(members) => self.members(file, members, response),
            None => self.one(file, response),
        }
    }

    /// Answers for each of `members` in the place of `file`; returns whether to go on.
    fn members(&mut self, file: &F, members: &Members, response: &mut Response) -> Result<bool> {
        let (before, mut goes_on) = (response.files.len(), true);
        let walked = members.archive.each(&members.pattern, &mut |member| {
            goes_on = self.one(&self.of_member(file, member), response)?;
            Ok(goes_on)
        })?;
        let lacks = self.lacks(members, walked.members, response.files.len() - before);
        match walked.error.or_else(|| lacks.then(|| no_member(members, walked.members))) {
            Some(error) if !response.has_begun() && !self.has_place() => return Err(error),
            Some(error) => self.refuse(file, error, response)?,
            None => {}
        }
        Ok(goes_on)
    }
}

/// Answers `asked` on standard output, each in its turn. Returns the first failure after all files have been answered;
/// at once where going on would give a wrong answer.
pub fn answer<A: Ask>(asked: &[A]) -> Result<()> {
    let Some(first) = asked.first().map(Ask::request) else { return Ok(()) };
    if asked.len() > 1 {
        check_files(asked)?;
    }
    let members = asked.iter().map(|one| members_of(one.request()));
    let members = members.collect::<Result<Vec<_>>>()?;
    let of_files = asked.len() > 1 || members.iter().any(Option::is_some);
    // An error that concerns every file names none of them.
    let about = |error: Error| if of_files { error } else { error.about(&first.path) };
    let shape = Shape { has_headings: true, ..Shape::of(first.content, of_files) };
    let answered = respond(first.output, shape, |response| {
        let mut slices = Slices { left: first.budget()? };
        for (one, members) in asked.iter().zip(&members) {
            let answered = slices.in_turn(one, members.as_ref(), response);
            answered.map_err(|error| error.about(&one.request().path))?;
        }
        Ok(())
    });
    answered.map_err(about)
}

/// The slices of files, within what is left of a budget.
struct Slices {
    left: Budget,
}

impl<A: Ask> EachFile<A> for Slices {
    fn one(&mut self, asked: &A, response: &mut Response) -> Result<bool> {
        let request = asked.request();
        let opened = match request.open(response.format, response.out.is_terminal) {
            Ok(opened) => opened,
            Err(error) if error.kind == Kind::Binary => match members_inside(request) {
                Ok(Some(members)) => {
                    response.of_files = true;
                    return self.members(asked, &members, response);
                }
                Ok(None) if request.is_walked => return Ok(true),
                inside => {
                    let error = inside.err().unwrap_or(error);
                    return self.refuse(asked, error, response).map(|()| true);
                }
            },
            Err(error) => return self.refuse(asked, error, response).map(|()| true),
        };
        let mut plan = match asked.plan(&opened, self.left) {
            Ok(plan) => plan,
            Err(error) => return self.refuse(asked, error, response).map(|()| true),
        };
        // One range alone is answered or refused; several are answered as far as they can be.
        if let ([only], false) = (&plan.parts[..], response.of_files)
            && let Err(error) = &only.result.outcome
        {
            return Err(error.clone());
        }
        response.begin(opened.file_info(&plan), request.several || plan.parts.len() > 1)?;
        notes::say_wide(&opened, response.out.is_terminal);
        self.left = plan.left;
        for planned in plan.parts {
            response.slice(&opened, planned)?;
        }
        while let Some((planned, rest)) = (plan.more)()? {
            self.left = rest;
            response.slice(&opened, planned)?;
        }
        opened.reader.save_index(false);
        notes::say_document(&request.path, &opened.reader, response.format);
        response.end(&opened.reader, &request.content.read)?;
        Ok(true)
    }

    /// The answer has no such places if it is about one file.
    fn refuse(&mut self, asked: &A, error: Error, response: &mut Response) -> Result<()> {
        if !response.of_files || ends_answer(&error) {
            return Err(error);
        }
        let path = &asked.request().path;
        response.begin(FileInfo::unopened(path), true)?;
        asked.error_parts(&error.about(path)).into_iter().try_for_each(|result| response.refuse(result))
    }

    fn of_member(&self, asked: &A, member: Member) -> A {
        asked.of_member(member)
    }
}

/// Whether no other file can have an answer after this error of one: the output is gone.
pub(crate) fn ends_answer(error: &Error) -> bool {
    matches!(error.kind, Kind::Write | Kind::BrokenPipe)
}

fn check_files<A: Ask>(asked: &[A]) -> Result<()> {
    // An opener opens regular files only, and nothing may look at their paths.
    let paths =
        asked.iter().map(Ask::request).filter(|request| request.content.read.source.access.opener.is_none());
    check_streams(paths.map(|request| request.path.as_path()))?;
    if asked.iter().any(|one| one.request().content.expect.is_some()) {
        let count = asked.len();
        let takes = format!(" takes the version of one file, but {count} files are given");
        return Err(Error::usage(setting("expect").then(takes)).hint("give one FILE in each call"));
    }
    Ok(())
}

/// Refuses a stream that is named twice: it can be read once.
pub fn check_streams<'p>(paths: impl Iterator<Item = &'p Path> + Clone) -> Result<()> {
    if paths.clone().filter(|path| *path == Path::new("-")).count() > 1 {
        return Err(Error::usage("standard input is given twice, but can be read only once")
            .hint("give all its ranges after one -"));
    }
    // There may be thousands of files, so only streams are compared.
    let streams: Vec<&Path> = paths.filter(|path| is_one_stream(path, path)).collect();
    for (n, path) in streams.iter().enumerate() {
        if let Some(other) = streams[..n].iter().find(|other| is_one_stream(other, path)) {
            let (a, b) = (other.display(), path.display());
            return Err(Error::usage(format!(
                "{a} and {b} are the same stream, which can be read only once"
            ))
            .hint("give all its ranges after one of them"));
        }
    }
    Ok(())
}

/// The members that the path of `request` means; `None` if it means one file.
///
/// # Errors
///
/// Those of usage. A file that cannot be opened has its error where it is opened.
pub fn members_of(request: &Request<'_>) -> Result<Option<Members>> {
    // A server finds the members of its clients' names by itself.
    let has_opener = request.content.read.source.access.opener.is_some();
    if !request.takes_archives || request.member.is_some() || has_opener {
        return Ok(None);
    }
    match members::of_name(
        &request.path,
        &request.content.read.access(&request.path)?,
        reads_archives(request),
    ) {
        Err(error) if error.kind != Kind::Usage => Ok(None),
        found => found,
    }
}

/// The members that the name of a file means, or those of the archive that a member or standard input is.
pub fn all_members_of(request: &Request<'_>) -> Result<Option<Members>> {
    if has_own_name(request) { members_of(request) } else { members_inside(request) }
}

/// Whether the path of `request` says whether it is an archive: that of a member or of standard input does not.
pub fn has_own_name(request: &Request<'_>) -> bool {
    request.member.is_none() && request.path != Path::new("-")
}

/// Whether the options are about the files in an archive, and not about the bytes of the archive itself.
fn reads_archives(request: &Request<'_>) -> bool {
    !request.content.text && request.content.encode.is_none()
}

/// The members of the archive that the binary file of `request` is: standard input, or a member of another archive.
pub fn members_inside(request: &Request<'_>) -> Result<Option<Members>> {
    // A server names the members of inner archives by itself, too.
    if !request.takes_archives || !reads_archives(request) {
        return Ok(None);
    }
    members::inside(&request.path, request.member.as_ref(), &request.content.read.access(&request.path)?)
}

/// The error for an archive of which no member is in the answer, although `asked` are files that the name means.
pub fn no_member(members: &Members, asked: u64) -> Error {
    if let Some(error) = members.none_matches().filter(|_| asked == 0) {
        return error;
    }
    let error = match asked {
        0 => Error::new(Kind::NotFound, "no file is in the archive"),
        1 => Error::new(Kind::Binary, "the only file in the archive is binary"),
        files => Error::new(Kind::Binary, format!("the {files} files in the archive are binary")),
    };
    error.hint(members.archive.list())
}
