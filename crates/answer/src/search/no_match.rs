//! Refusals of a search: a budget that is too small, and a pattern that no line matches.

use std::path::PathBuf;

use super::options::{SearchOptions, SearchedFile};
use super::other_reading::OtherReading;
use crate::content::Budget;
use crate::content::tokens::THIRDS;
use crate::receipt::LeftOut;
use rread_text::address;
use rread_text::error::{Error, Kind, Result, printable};
use rread_text::sentence::setting;

/// A budget needs room for the number of a line, a character and what stands around them.
pub(super) fn has_room(budget: Budget) -> Result<Budget> {
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

/// The error that no line matches.
pub(super) fn no_match(
    files: &[SearchedFile<'_>],
    options: &SearchOptions,
    other: Option<(PathBuf, OtherReading)>,
    left_out: &LeftOut,
    searched: u64,
) -> Error {
    let pattern = options.pattern.patterns.join("', '");
    let kind = if options.pattern.invert { "every line matches" } else { "no line matches" };
    let mut message = format!("{kind} '{pattern}'");
    if left_out.has_gaps() || searched == 0 && !left_out.is_empty() {
        let gaps = left_out.words(searched == 0);
        message = match searched {
            0 => format!("no file was searched for '{pattern}': the files are {gaps}"),
            _ => format!("{message}; not searched: {gaps}"),
        };
    }
    let is_one = files.len() == 1 && !left_out.has_gaps();
    let other = other.filter(|_| !options.pattern.invert);
    let error = |read_as: String| Error::new(Kind::NoMatch, message.clone() + &read_as);
    match (files, other) {
        ([file], Some((_, OtherReading { read_as, search, .. }))) => {
            Error { hint: search, ..error(read_as) }.at(&file.request.path)
        }
        ([file], None) if is_one => error(String::new()).at(&file.request.path),
        (_, Some((path, OtherReading { read_as, search, .. }))) => {
            let path = address::display(&path).into_owned();
            Error { hint: search, ..error(format!("; {} was searched{read_as}", printable(&path))) }
        }
        (_, None) => error(String::new()),
    }
}
