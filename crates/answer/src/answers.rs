//! Answers: request, plan, deliver. One sequence for one file, many files, slices and pages.

use std::path::Path;

use crate::content::Budget;
use crate::deliver::Response;
use crate::format::Format;
use crate::receipt::FileInfo;
use crate::request::{Ask, Opened, Request};
use rread_documents::protocol::Notice;
use rread_reader::reader::Reader;
use rread_source::members::Members;
use rread_source::stdin::is_one_stream;
use rread_source::stdio::warn;
use rread_text::error::{Error, Kind, Result};
use rread_text::quote::{quoted, quoted_word};

/// Answers `asked` on standard output, each in its turn. Returns the first failure after all files have been answered;
/// at once where going on would give a wrong answer.
pub fn answer<A: Ask>(asked: &[A]) -> Result<()> {
    let Some(first) = asked.first().map(Ask::request) else { return Ok(()) };
    if asked.len() > 1 {
        check_files(asked)?;
    }
    let members = asked.iter().map(|one| crate::members::of(one.request()));
    let members = members.collect::<Result<Vec<_>>>()?;
    let of_files = asked.len() > 1 || members.iter().any(Option::is_some);
    let metadata_only = first.content.metadata_only;
    // An error that concerns every file names none of them.
    let about = |error: Error| if of_files { error } else { error.about(&first.path) };
    let response = Response::new(first.output, of_files, metadata_only).map_err(about)?;
    let mut response = response.briefly(first.content.brief).with_headings();
    let mut left = first.budget().map_err(about)?;
    for (one, members) in asked.iter().zip(&members) {
        let joined = match members {
            Some(members) => join_members(one, members, &mut response, left),
            None => join(one, &mut response, left),
        };
        left = joined.map_err(|error| error.about(&one.request().path))?;
    }
    response.finish().map_err(|error| error.about(&first.path))
}

/// Answers `asked` as a part of `response`, within `left`; returns what is left of the budget then.
fn join<A: Ask>(asked: &A, response: &mut Response<'_>, left: Budget) -> Result<Budget> {
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
    note_wide(request, &opened, response);
    note_guess(request, &opened.reader, response.format);
    let mut left = plan.left;
    for planned in plan.parts {
        response.slice(&opened, planned)?;
    }
    while let Some((planned, rest)) = (plan.more)()? {
        left = rest;
        response.slice(&opened, planned)?;
    }
    opened.reader.save_index(false);
    note_document(&request.path, &opened.reader, response.format);
    response.end(&opened.reader, &request.content.read)?;
    Ok(left)
}

/// Answers `asked` for each of `members`, within `left`; returns what is left of the budget then.
fn join_members<A: Ask>(
    asked: &A,
    members: &Members,
    response: &mut Response<'_>,
    mut left: Budget,
) -> Result<Budget> {
    let before = response.answered();
    let walked = members.archive.each(&members.pattern, &mut |member| {
        left = join(&asked.of_member(member), response, left)?;
        Ok(true)
    })?;
    let has_none = response.answered() == before;
    let error = walked.error.or_else(|| has_none.then(|| crate::members::none(members, walked.members)));
    match error {
        // Nothing else is in the answer.
        Some(error) if !response.has_begun() => Err(error),
        Some(error) => refuse(response, asked, error).map(|()| left),
        None => Ok(left),
    }
}

/// Reports `error` in the place of its file, unless the answer has no such places or the command is wrong for every file.
fn refuse<A: Ask>(response: &mut Response<'_>, asked: &A, error: Error) -> Result<()> {
    if !response.of_files || matches!(error.kind, Kind::Usage | Kind::Write | Kind::BrokenPipe) {
        return Err(error);
    }
    let path = &asked.request().path;
    response.begin(FileInfo::unopened(path), true)?;
    asked.error_parts(&error.about(path)).into_iter().try_for_each(|result| response.refuse(result))
}

/// Notes pages without text and parts that are left out, where no receipt reports them.
fn note_document(path: &Path, reader: &Reader, format: Format) {
    let Some(document) = reader.document().filter(|_| !format.has_receipt()) else { return };
    let pictures = document.pictures();
    if pictures > 0 {
        let of = document.count().map_or(String::new(), |count| format!(" of {count}"));
        let copy = format!("ocrmypdf {} COPY.pdf", quoted(path));
        warn(path, &format!("pages without text, pictures alone: {pictures}{of}; {copy} adds their text"));
    }
    let notices = document.notices();
    let parts = notices.iter().filter(|(notice, _)| *notice == Notice::LeftOut);
    let parts: Vec<String> = parts.map(|(_, part)| quoted_word(part)).collect();
    if !parts.is_empty() {
        warn(path, &format!("left out, because rread cannot read it: {}", parts.join(", ")));
    }
    if notices.iter().any(|(notice, _)| *notice == Notice::UnknownGlyphs) {
        warn(path, "the document has no readable map from some glyphs to characters, so they are U+FFFD");
    }
}

/// Notes that text without a receipt is read in an encoding that nobody named.
pub fn note_guess(request: &Request<'_>, reader: &Reader, format: Format) {
    let is_shown = format == Format::Text && request.content.encode.is_none();
    if let Some(name) = reader.evident_encoding().filter(|_| is_shown) {
        warn(&request.path, &read_as_guessed(&name));
    }
}

/// The note on the encoding `name`, which is guessed.
pub fn read_as_guessed(name: &str) -> String {
    format!("read as {name}, a guess from the content; -E utf-8 reads it as UTF-8")
}

/// Notes that raw output is not UTF-8: a search in it finds nothing, without a word.
fn note_wide(request: &Request<'_>, opened: &Opened<'_>, response: &Response<'_>) {
    let encoding = opened.reader.encoding();
    let is_empty = opened.reader.reported_size() == Some(encoding.mark().len() as u64);
    let is_raw = response.format == Format::Raw && request.content.encode.is_none();
    if is_raw && !response.out.is_terminal() && encoding.units().width() > 1 && !is_empty {
        let name = encoding.name();
        warn(&request.path, &format!("raw output is {name}; -f text writes UTF-8"));
    }
}

fn check_files<A: Ask>(asked: &[A]) -> Result<()> {
    // An opener opens regular files only, and nothing may look at their paths.
    let paths =
        asked.iter().map(Ask::request).filter(|request| request.content.read.source.access.opener.is_none());
    check_streams(paths.map(|request| request.path.as_path()))?;
    refuse_expect(asked)
}

/// Refuses a version of one file for several.
fn refuse_expect<A: Ask>(asked: &[A]) -> Result<()> {
    if asked.iter().any(|one| one.request().content.expect.is_some()) {
        let count = asked.len();
        return Err(Error::usage(format!(
            "--expect takes the version of one file, but {count} files are given"
        ))
        .hint("give one FILE in each call"));
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
