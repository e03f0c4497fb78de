//! Refusals of a search: a budget that is too small, and a pattern that no line matches.

use std::path::{Path, PathBuf};

use super::options::{SearchOptions, SearchedFile};
use crate::content::{Budget, THIRDS};
use crate::hints::encoding_hint;
use crate::options::too_small;
use crate::receipt::LeftOut;
use crate::wording::worded;
use rread_reader::{Pattern, Reader};
use rread_source::Decoding;
use rread_text::{Call, Choice, Encoding, Error, Kind, Result, Sentence, address, printable, setting};

/// A budget needs room for the number of a line, a character and what stands around them.
pub(super) fn has_room(budget: Budget) -> Result<Budget> {
    const LEAST: u64 = 64;
    let tokens = budget.token_thirds.map(|thirds| thirds / THIRDS);
    let limits = [("max-bytes", budget.bytes, LEAST), ("max-tokens", tokens, LEAST.div_ceil(THIRDS))];
    for (name, limit, least) in limits {
        if let Some(limit) = limit.filter(|limit| *limit < least) {
            return Err(too_small(setting(name), name, limit, least, "a line number and one character"));
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

/// How the file was read, and the search that reads it in another way.
#[derive(Clone, Debug)]
pub struct OtherReading {
    /// Words after `no line matches 'x'`.
    pub(super) read_as: String,
    pub(super) search: Option<Sentence>,
    /// Whether rread may have read the text in a wrong encoding.
    pub(super) is_doubtful: bool,
}

/// The encoding in which a match may be hidden: nobody named one, and the pattern depends on it.
pub(super) fn other_encoding(reader: &Reader, pattern: &Pattern) -> Option<String> {
    // Only other characters than those of ASCII differ between these encodings.
    let is_ascii = pattern.patterns.iter().all(|pattern| pattern.is_ascii());
    if is_ascii {
        return None;
    }
    if reader.decided().unknown { reader.encoding_guess() } else { reader.late_guess() }
}

impl OtherReading {
    /// `None` if the searched bytes are those of the file, and text in UTF-8.
    pub(super) fn of(path: &Path, reader: &Reader, search: &Call, pattern: &Pattern) -> Option<Self> {
        if let Some(decoding) = reader.decoding().filter(|decoding| decoding.document().is_some()) {
            let format = decoding.format();
            let stored = search.clone().on("no-decompress");
            let is_text = is_stored_as_text(decoding);
            let stored = if is_text { stored } else { stored.on("text") };
            return Some(OtherReading {
                read_as: format!(" in the text of the document (decoded: {format})"),
                search: Some(stored.into()),
                is_doubtful: false,
            });
        }
        let decided = reader.decided();
        if let Some(guess) = other_encoding(reader, pattern) {
            return Some(OtherReading {
                is_doubtful: true,
                read_as: format!(" in the text read as UTF-8, but the file may be {guess}"),
                search: Some(match guess.parse::<Choice>() {
                    Ok(_) => search.clone().with("E", guess).into(),
                    // Another program has to decode it.
                    Err(_) => encoding_hint(path, reader, &guess),
                }),
            });
        }
        let is_foreign = decided.encoding != Encoding::Utf8 && !decided.unknown;
        is_foreign.then(|| OtherReading {
            read_as: format!(" in the text read as {}", decided.name()),
            search: None,
            is_doubtful: false,
        })
    }
}

impl OtherReading {
    /// The note about a file without a match, whose text rread may have read in a wrong encoding.
    pub(super) fn doubt(&self) -> String {
        let search = self.search.as_ref().map_or(String::new(), |search| format!("; {}", worded(search)));
        format!(" may be in another encoding than UTF-8, so matches may be missing{search}")
    }
}

/// Whether the bytes of the document are text too, such as those of a notebook or a web page.
fn is_stored_as_text(decoding: &dyn Decoding) -> bool {
    decoding
        .document()
        .is_some_and(|document| matches!(document.mime(), "application/x-ipynb+json" | "text/html"))
}

/// Files of which a note says one thing: the first, what is said of it, and how many there are.
#[derive(Default)]
pub(super) struct FilesWithNote {
    first: Option<(PathBuf, String)>,
    count: u64,
}

impl FilesWithNote {
    pub(super) fn add(&mut self, path: &Path, said: impl FnOnce() -> String) {
        self.first.get_or_insert_with(|| (path.to_owned(), said()));
        self.count += 1;
    }

    /// `a.txt and 3 more`, and what is said of the first; `None` if there is no file.
    pub(super) fn note(self) -> Option<String> {
        let (first, said) = self.first?;
        let others = match self.count - 1 {
            0 => String::new(),
            others => format!(" and {others} more"),
        };
        Some(printable(&address::display(&first)) + &others + &said)
    }
}
