//! Another way to read a file in which a search found nothing: as it is stored, or in its most likely encoding.

use std::path::{Path, PathBuf};

use crate::answer::read_as_guessed;
use crate::wording::worded;
use rread_reader::reader::Reader;
use rread_reader::search::pattern::Pattern;
use rread_source::Decoding;
use rread_text::address;
use rread_text::encoding::Encoding;
use rread_text::error::printable;
use rread_text::sentence::{Call, Sentence};

/// How the file was read, and the search that reads it in another way.
#[derive(Clone, Debug)]
pub(crate) struct OtherReading {
    /// Words after `no line matches 'x'`.
    pub(super) read_as: String,
    pub(super) search: Option<Sentence>,
    /// Whether rread may have read the text in a wrong encoding.
    pub(super) is_doubtful: bool,
}

/// Whether a match may be hidden: the text is in an encoding that nobody named, and the pattern depends on it.
pub(super) fn is_doubtful(reader: &Reader, pattern: &Pattern) -> bool {
    // Only other characters than those of ASCII differ between these encodings.
    let is_ascii = pattern.patterns.iter().all(|pattern| pattern.is_ascii());
    reader.decided().unknown && !is_ascii
}

impl OtherReading {
    /// `None` if the searched bytes are those of the file, and text in UTF-8.
    pub(super) fn of(reader: &Reader, search: &Call, pattern: &Pattern) -> Option<Self> {
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
        if is_doubtful(reader, pattern) {
            let guess = reader.encoding_guess()?;
            return Some(OtherReading {
                is_doubtful: true,
                read_as: format!(" in the text read as UTF-8, but the file may be {guess}"),
                search: Some(search.clone().with("E", guess).into()),
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

/// Whether the bytes of the document are text too, such as those of a notebook or a web page.
fn is_stored_as_text(decoding: &dyn Decoding) -> bool {
    decoding
        .document()
        .is_some_and(|document| matches!(document.mime(), "application/x-ipynb+json" | "text/html"))
}

/// Files without a match, whose text rread may have read in a wrong encoding.
#[derive(Default)]
pub(super) struct Doubtful {
    /// The first file, and the search in its most likely encoding.
    first: Option<(PathBuf, Option<Sentence>)>,
    count: u64,
}

impl Doubtful {
    pub(super) fn add(&mut self, path: &Path, reading: &OtherReading) {
        self.first.get_or_insert_with(|| (path.to_owned(), reading.search.clone()));
        self.count += 1;
    }

    /// `None` if there is none.
    pub(super) fn note(self) -> Option<String> {
        let (first, search) = self.first?;
        let first = address::shown(&first).into_owned();
        let others = match self.count - 1 {
            0 => String::new(),
            others => format!(" and {others} more"),
        };
        let search = search.map_or(String::new(), |search| format!("; {}", worded(&search)));
        let what = "may be in another encoding than UTF-8, so matches may be missing";
        Some(format!("{}{others} {what}{search}", printable(&first)))
    }
}

/// Files that were read in an encoding that nobody named.
#[derive(Default)]
pub(super) struct Guessed {
    /// The first file, and its encoding.
    first: Option<(PathBuf, String)>,
    count: u64,
}

impl Guessed {
    pub(super) fn add(&mut self, path: &Path, encoding: String) {
        self.first.get_or_insert_with(|| (path.to_owned(), encoding));
        self.count += 1;
    }

    /// `None` if there is none.
    pub(super) fn note(self) -> Option<String> {
        let (first, encoding) = self.first?;
        let first = address::shown(&first).into_owned();
        let others = match self.count - 1 {
            0 => String::new(),
            others => format!(" and {others} more"),
        };
        Some(format!("{}{others}: {}", printable(&first), read_as_guessed(&encoding)))
    }
}
