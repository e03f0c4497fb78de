//! The facts of a file for every envelope. A fact that cannot be read is left out, since the slice may be fine.

use std::path::Path;

use crate::hints;
use crate::receipt::{Checked, Contradicted, Damaged, EncodingInfo, FileInfo, Signs};
use crate::wording::worded;
use rread_documents::protocol::Notice;
use rread_reader::Reader;
use rread_source::{Change, Decoding, Paged};
use rread_text::guess::Contradiction;
use rread_text::{Encoding, Error, Kind, Result, setting};

/// The size of the file, its compression and its signs.
pub fn file_info(path: &Path, reader: &Reader) -> FileInfo {
    let mut file = FileInfo { size: reader.reported_size(), ..FileInfo::named(path) };
    note_compression(&mut file, reader);
    file.details.signs = signs(path, reader);
    file
}

pub fn note_version(file: &mut FileInfo, reader: &Reader) {
    let version = reader.version().ok().flatten();
    file.details.version = version.map(|version| Some(version.to_string())).or(file.details.version.take());
}

pub fn note_cost(file: &mut FileInfo, reader: &Reader) {
    file.details.index = Some(reader.index_outcome().name());
    file.details.bytes_scanned = Some(reader.scanned());
    note_traffic(file, reader);
}

pub fn note_traffic(file: &mut FileInfo, reader: &Reader) {
    let traffic = reader.source().info().traffic;
    file.details.traffic.requests = traffic.map(|traffic| traffic.requests);
    file.details.traffic.bytes_fetched = traffic.map(|traffic| traffic.bytes_fetched);
}

pub fn encoding_info(path: &Path, reader: &Reader, is_named: bool) -> EncodingInfo {
    let decided = reader.decided;
    let guesses = reader.encoding_guesses();
    let hints = guesses.iter().take(2).map(|guess| worded(&hints::encoding_hint(path, reader, guess)));
    let hint = hints.collect::<Vec<_>>().join(", or ");
    let guess = guesses.into_iter().next();
    EncodingInfo {
        encoding: is_named.then(|| decided.name()),
        encoding_source: is_named.then(|| decided.origin.name()),
        encoding_hint: Some(hint).filter(|hint| !hint.is_empty()),
        encoding_guess: guess.filter(|_| decided.unknown),
        encode: None,
        bom: decided.bom.then_some(true),
    }
}

/// Whether text is not plain UTF-8.
pub fn is_foreign(reader: &Reader) -> bool {
    let decided = reader.decided;
    !reader.is_binary() && (decided.encoding != Encoding::Utf8 || decided.unknown)
}

/// After everything has been written.
pub fn refresh(file: &mut FileInfo, reader: &Reader) {
    let before = std::mem::take(&mut file.details.signs);
    file.details.signs = Signs {
        checked: before.checked,
        is_incomplete: before.is_incomplete,
        is_unordered: before.is_unordered,
        is_ambiguous: before.is_ambiguous,
        ..signs(&file.path, reader)
    };
    file.details.signs.contradicted = file.details.signs.contradicted.take().or(before.contradicted);
    file.details.signs.change = file.details.signs.change.or(before.change);
    note_compression(file, reader);
    if file.details.bytes_scanned.is_some() {
        file.details.bytes_scanned = Some(reader.scanned());
        note_traffic(file, reader);
    }
}

fn note_compression(file: &mut FileInfo, reader: &Reader) {
    let mut decoding = reader.source().info().decoding;
    let document = reader.document();
    if document.is_some() {
        file.details.decoding.decoded = decoding.map(Decoding::format);
        file.details.decoding.picture_pages =
            document.map(Paged::pictures).filter(|pages| *pages > 0 && file.size.is_some());
        // The document may be compressed in turn.
        decoding = decoding.and_then(|decoding| decoding.input().info().decoding);
    }
    file.details.decoding.plain = reader.source().info().is_plain;
    file.details.decoding.compression = decoding.map(Decoding::format);
    file.details.decoding.compressed_size = decoding.and_then(|decoding| decoding.input().size());
    file.details.decoding.uncompressed_size = decoding.filter(|_| document.is_none()).and(file.size);
}

fn signs(path: &Path, reader: &Reader) -> Signs {
    let decoding = reader.source().info().decoding;
    let trailing_garbage = decoding.and_then(Decoding::trailing_garbage);
    let notices = reader.document().map(Paged::notices).unwrap_or_default();
    let has_notice = |wanted| notices.iter().any(|(notice, _)| *notice == wanted);
    Signs {
        change: reader.changed(),
        unverified: reader.unverified(),
        trailing_garbage,
        trailing_hint: trailing_garbage
            .and_then(|garbage| hints::after(path, garbage))
            .map(|hint| worded(&hint)),
        is_stripped: reader.is_stripped,
        is_salvaged: reader.is_salvaged(),
        checked: Checked::Right,
        damage: reader.damage().map(|damage| Damaged { offset: damage.text, reason: damage.to_string() }),
        has_duplicates: reader.source().info().has_duplicates,
        has_pictures: reader.document().is_some_and(|document| document.pictures() > 0),
        has_left_out: has_notice(Notice::LeftOut),
        has_unknown_glyphs: has_notice(Notice::UnknownGlyphs),
        is_encoding_doubtful: reader.decided.doubtful,
        contradicted: reader.contradiction().or_else(|| of_document(&notices)).map(contradicted),
        ..Signs::default()
    }
}

/// The label of a page that its bytes contradict.
fn of_document(notices: &[(Notice, String)]) -> Option<Contradiction> {
    let (_, guess) = notices.iter().find(|(notice, _)| *notice == Notice::Contradicted)?;
    let otherwise = guess.strip_prefix("charset").map(|label| setting("E").then(label.to_owned()));
    Some(Contradiction { guess: guess.clone(), line: None, byte: None, otherwise })
}

/// The members of a receipt for a place that a guess does not explain.
pub fn contradicted(found: Contradiction) -> Contradicted {
    let Contradiction { guess, line, byte, otherwise } = found;
    let hint = otherwise.map(|command| worded(&command));
    Contradicted { guess, first_line: line, first_byte: byte, hint }
}

/// The answer may be half of one file and half of another; a file that only grew gave a true beginning.
pub fn refuse_torn(change: Option<Change>) -> Result<()> {
    match change {
        None | Some(Change::Appended) => Ok(()),
        Some(change) => Err(Error::new(Kind::Changed, format!("was {} while it was read", change.name()))
            .hint("run the same command again")),
    }
}
