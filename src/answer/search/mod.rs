//! Answers a search: searches each file, and shows the lines that match in the order of the file.
//!
//! Frontmatter and XML have the receipt before the content, so these search first and show then. JSON, raw and text show
//! lines while the search goes on.

mod colors;
mod context_within_budget;
mod find;
mod groups;
mod lines;
mod look_ahead;
mod options;
mod other_reading;
mod text;
mod with_receipt;

use super::deliver::{NoBody, Response};
use crate::content::Budget;
use crate::content::tokens::THIRDS;
use crate::format::{Format, Section};
use crate::hints;
use crate::receipt::{FileInfo, RefusedSearch};
use crate::wording::worded;
pub(crate) use options::{SearchOptions, SearchedFile, Shows};
use rread_text::error::{Error, Kind, Result};
use rread_text::sentence::setting;

use find::{FileOutcome, FileSearch};
use look_ahead::LookAhead;
use other_reading::OtherReading;

/// Searches `files` on standard output, one after another.
pub(crate) fn search(files: &[SearchedFile<'_>], options: &SearchOptions, of_files: bool) -> Result<()> {
    let Some(first) = files.first() else { return Ok(()) };
    let first = &first.request;
    let about = |error: Error| if of_files { error } else { error.about(&first.path) };
    // A mistake in the pattern is about no file.
    options.pattern.check(false)?;
    // A walk finds no streams.
    let named = files.iter().filter(|file| !file.is_walked);
    super::check_streams(named.map(|file| file.request.path.as_path()))?;
    let response = Response::new(first.output, of_files, first.content.metadata_only).map_err(about)?;
    let mut response = response.briefly(first.content.brief);
    let left = first.budget().and_then(has_room).map_err(about)?;
    let (has_match, other) = look_ahead::with(files, options, response.format, |ahead| {
        each(files, options, of_files, &mut response, left, ahead)
    })?;
    if !has_match {
        response.remember(no_match(files, options, other));
    }
    response.finish().map_err(about)
}

/// Answers for each of `files` within the budget `left`; returns whether one has a match, and how the first of those without
/// one can be read in another way.
fn each(
    files: &[SearchedFile<'_>],
    options: &SearchOptions,
    of_files: bool,
    response: &mut Response<'_>,
    mut left: Budget,
    ahead: Option<&LookAhead<'_>>,
) -> Result<(bool, Option<OtherReading>)> {
    let (mut has_match, mut other) = (false, None);
    for (index, file) in files.iter().enumerate() {
        if ahead.is_some_and(|ahead| ahead.is_without_match(index)) {
            continue;
        }
        let found = one(file, options, response, left);
        match found.map_err(|error| hints::searched(error, &options.call)) {
            Ok(found) => {
                has_match |= found.info.matched_lines > 0;
                left = left.less(&found.info.stats);
                other = other.or(found.other_reading);
            }
            Err(error) if file.is_walked && error.kind == Kind::Binary => {}
            Err(error) if file.is_walked && is_of_file(&error) => {
                rread_source::stdio::warn(&file.request.path, &worded(&error.message));
            }
            Err(error) if of_files && is_of_file(&error) => {
                let error = error.about(&file.request.path);
                response.begin(FileInfo::unopened(&file.request.path), true)?;
                response.part(Box::new(RefusedSearch(error.clone())), vec![Section::content(&mut NoBody)])?;
                response.fail(error);
            }
            Err(error) => return Err(error.about(&file.request.path)),
        }
    }
    Ok((has_match, other))
}

/// A budget needs room for the number of a line, a character and what stands around them.
fn has_room(budget: Budget) -> Result<Budget> {
    const LEAST: u64 = 64;
    let tokens = budget.token_thirds.map(|thirds| thirds / THIRDS);
    let limits = [("max-bytes", budget.bytes, LEAST), ("max-tokens", tokens, LEAST.div_ceil(THIRDS))];
    for (name, limit, least) in limits {
        if let Some(limit) = limit.filter(|limit| *limit < least) {
            let sentence = format!(" is {limit}, too small for a line number and one character");
            return Err(Error::usage(setting(name).then(sentence))
                .hint(setting(name).then(format!(" {least} is the least"))));
        }
    }
    Ok(budget)
}

fn is_of_file(error: &Error) -> bool {
    !matches!(error.kind, Kind::Usage | Kind::Write | Kind::BrokenPipe)
}

fn no_match(files: &[SearchedFile<'_>], options: &SearchOptions, other: Option<OtherReading>) -> Error {
    let pattern = options.pattern.patterns.join("', '");
    let kind = if options.pattern.invert { "every line matches" } else { "no line matches" };
    let (read_as, hint) = other.map_or_else(Default::default, |other| (other.read_as, other.search));
    let read_as = if options.pattern.invert { String::new() } else { read_as };
    let error = Error { hint, ..Error::new(Kind::NoMatch, format!("{kind} '{pattern}'{read_as}")) };
    match files {
        [file] => error.at(&file.request.path),
        _ => error,
    }
}

fn one(
    file: &SearchedFile<'_>,
    options: &SearchOptions,
    response: &mut Response<'_>,
    left: Budget,
) -> Result<FileOutcome> {
    let request = &file.request;
    let opened = request.open(response.format, response.out.is_terminal())?;
    opened.reader.end_at_damage();
    let mut search = FileSearch::new(file, &opened, options, left, response)?;
    let is_plain = !response.format.has_receipt();
    if response.format == Format::Json && options.shows == Shows::Lines && !request.content.metadata_only {
        return search.as_groups(response);
    }
    if is_plain && options.shows == Shows::Lines {
        return search.as_text(response);
    }
    let found = search.measure()?;
    search.answer(response, found)
}
