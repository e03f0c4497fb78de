//! Answers: request, plan, deliver. One sequence for one file, many files, slices and pages.

use std::path::Path;

use crate::content::Budget;
use crate::deliver::{Response, Shape, respond};
use crate::notes;
use crate::receipt::FileInfo;
use crate::request::{Ask, Request};
use rread_source::archive::MemberPattern;
use rread_source::members::{self, Members};
use rread_source::stdin::is_one_stream;
use rread_text::error::{Error, Kind, Result};
use rread_text::sentence::setting;

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
    let metadata_only = first.content.metadata_only;
    // An error that concerns every file names none of them.
    let about = |error: Error| if of_files { error } else { error.about(&first.path) };
    let shape = Shape { of_files, has_headings: true, metadata_only, is_brief: first.content.brief };
    let answered = respond(first.output, shape, |response| {
        let mut left = first.budget()?;
        for (one, members) in asked.iter().zip(&members) {
            let joined = match members {
                Some(members) => join_members(one, members, response, left),
                None => join(one, response, left),
            };
            left = joined.map_err(|error| error.about(&one.request().path))?;
        }
        Ok(())
    });
    answered.map_err(about)
}

/// Answers `asked` as a part of `response`, within `left`; returns what is left of the budget then.
fn join<A: Ask>(asked: &A, response: &mut Response, left: Budget) -> Result<Budget> {
    let request = asked.request();
    let opened = match request.open(response.format, response.out.is_terminal()) {
        Ok(opened) => opened,
        Err(error) if request.is_walked && error.kind == Kind::Binary => return Ok(left),
        Err(error) => return refuse(response, asked, error).map(|()| left),
    };
    let mut plan = match asked.plan(&opened, left) {
        Ok(plan) => plan,
        Err(error) => return refuse(response, asked, error).map(|()| left),
    };
    // One range alone is answered or refused; several are answered as far as they can be.
    if let ([only], false) = (&plan.parts[..], response.of_files)
        && let Err(error) = &only.result.outcome
    {
        return Err(error.clone());
    }
    response.begin(opened.file_info(&plan), request.several || plan.parts.len() > 1)?;
    notes::say_wide(&opened, response.out.is_terminal());
    let mut left = plan.left;
    for planned in plan.parts {
        response.slice(&opened, planned)?;
    }
    while let Some((planned, rest)) = (plan.more)()? {
        left = rest;
        response.slice(&opened, planned)?;
    }
    opened.reader.save_index(false);
    notes::say_document(&request.path, &opened.reader, response.format);
    response.end(&opened.reader, &request.content.read)?;
    Ok(left)
}

/// Answers `asked` for each of `members`, within `left`; returns what is left of the budget then.
fn join_members<A: Ask>(
    asked: &A,
    members: &Members,
    response: &mut Response,
    mut left: Budget,
) -> Result<Budget> {
    let before = response.answered();
    let walked = members.archive.each(&members.pattern, &mut |member| {
        left = join(&asked.of_member(member), response, left)?;
        Ok(true)
    })?;
    let has_none = response.answered() == before;
    let error = walked.error.or_else(|| has_none.then(|| no_member(members, walked.members)));
    match error {
        // Nothing else is in the answer.
        Some(error) if !response.has_begun() => Err(error),
        Some(error) => refuse(response, asked, error).map(|()| left),
        None => Ok(left),
    }
}

/// Reports `error` in the place of its file, unless the answer has no such places or the command is wrong for every file.
fn refuse<A: Ask>(response: &mut Response, asked: &A, error: Error) -> Result<()> {
    if !response.of_files || matches!(error.kind, Kind::Usage | Kind::Write | Kind::BrokenPipe) {
        return Err(error);
    }
    let path = &asked.request().path;
    response.begin(FileInfo::unopened(path), true)?;
    asked.error_parts(&error.about(path)).into_iter().try_for_each(|result| response.refuse(result))
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
    let (content, source) = (request.content, &request.content.read.source);
    // A server finds the members of its clients' names by itself.
    if !request.takes_archives || request.member.is_some() || source.access.opener.is_some() {
        return Ok(None);
    }
    // The options say what of the archive itself to read.
    let takes_archives = !content.text && content.encode.is_none();
    match members::of_name(&request.path, &source.access, takes_archives) {
        Err(error) if error.kind != Kind::Usage => Ok(None),
        found => found,
    }
}

/// The error for an archive of which no member is in the answer, although `asked` are files that the name means.
pub fn no_member(members: &Members, asked: u64) -> Error {
    let error = match (&members.pattern, asked) {
        (MemberPattern::Glob { text, .. }, 0) => {
            let pattern = String::from_utf8_lossy(text);
            Error::new(Kind::NotFound, format!("no file in the archive matches '{pattern}'"))
        }
        (_, 0) => Error::new(Kind::NotFound, "no file is in the archive"),
        (_, 1) => Error::new(Kind::Binary, "the only file in the archive is binary"),
        (_, files) => Error::new(Kind::Binary, format!("the {files} files in the archive are binary")),
    };
    error.hint(members.archive.list())
}
