//! Another way to read a file in which a search found nothing: as it is stored, or in its most likely encoding.

use rread_reader::reader::Reader;
use rread_reader::search::pattern::Pattern;
use rread_source::Decoding;
use rread_text::encoding::Encoding;
use rread_text::sentence::{Call, Sentence};

/// How the file was read, and the search that reads it in another way.
#[derive(Clone, Debug)]
pub(crate) struct OtherReading {
    /// Words after `no line matches 'x'`.
    pub(super) read_as: String,
    pub(super) search: Option<Sentence>,
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
            });
        }
        let decided = reader.decided();
        // Only other characters than those of ASCII differ between these encodings.
        let is_ascii = pattern.patterns.iter().all(|pattern| pattern.is_ascii());
        if decided.unknown && !is_ascii {
            let guess = reader.encoding_guess()?;
            return Some(OtherReading {
                read_as: format!(" in the text read as UTF-8, but the file may be {guess}"),
                search: Some(search.clone().with("E", guess).into()),
            });
        }
        let is_foreign = decided.encoding != Encoding::Utf8 && !decided.unknown;
        is_foreign.then(|| OtherReading {
            read_as: format!(" in the text read as {}", decided.name()),
            search: None,
        })
    }
}

/// Whether the bytes of the document are text too, such as those of a notebook or a web page.
fn is_stored_as_text(decoding: &dyn Decoding) -> bool {
    decoding
        .document()
        .is_some_and(|document| matches!(document.mime(), "application/x-ipynb+json" | "text/html"))
}
