//! Another way to read a file in which a search found nothing: as it is stored, or in its most likely encoding.

use std::path::{Path, PathBuf};

use crate::hints::encoding_hint;
use crate::notes::read_as_guessed;
use crate::wording::worded;
use rread_reader::reader::Reader;
use rread_reader::search::pattern::Pattern;
use rread_source::Decoding;
use rread_text::address;
use rread_text::encoding::{Choice, Encoding};
use rread_text::error::printable;
use rread_text::sentence::{Call, Sentence};

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

/// Whether the bytes of the document are text too, such as those of a notebook or a web page.
fn is_stored_as_text(decoding: &dyn Decoding) -> bool {
    decoding
        .document()
        .is_some_and(|document| matches!(document.mime(), "application/x-ipynb+json" | "text/html"))
}

/// Files of which a note says one thing.
#[derive(Default)]
struct FirstAndCount<T> {
    /// The first file, and what is said of it.
    first: Option<(PathBuf, T)>,
    count: u64,
}

impl<T> FirstAndCount<T> {
    fn add(&mut self, path: &Path, said: T) {
        self.first.get_or_insert_with(|| (path.to_owned(), said));
        self.count += 1;
    }

    /// `a.txt and 3 more`, and what is said of the first; `None` if there is no file.
    fn named(self) -> Option<(String, T)> {
        let (first, said) = self.first?;
        let others = match self.count - 1 {
            0 => String::new(),
            others => format!(" and {others} more"),
        };
        Some((printable(&address::display(&first)) + &others, said))
    }
}

/// Files without a match, whose text rread may have read in a wrong encoding, each with the search in its most likely one.
#[derive(Default)]
pub(super) struct Doubtful(FirstAndCount<Option<Sentence>>);

impl Doubtful {
    pub(super) fn add(&mut self, path: &Path, reading: &OtherReading) {
        self.0.add(path, reading.search.clone());
    }

    /// `None` if there is none.
    pub(super) fn note(self) -> Option<String> {
        let (files, search) = self.0.named()?;
        let search = search.map_or(String::new(), |search| format!("; {}", worded(&search)));
        Some(format!("{files} may be in another encoding than UTF-8, so matches may be missing{search}"))
    }
}

/// Files that were read in an encoding that nobody named, each with its encoding.
#[derive(Default)]
pub(super) struct Guessed(FirstAndCount<String>);

impl Guessed {
    pub(super) fn add(&mut self, path: &Path, encoding: String) {
        self.0.add(path, encoding);
    }

    /// `None` if there is none.
    pub(super) fn note(self) -> Option<String> {
        let (files, encoding) = self.0.named()?;
        Some(format!("{files}: {}", read_as_guessed(&encoding)))
    }
}
