//! The notes on a file where no receipt has them: a sentence for each sign.

use std::path::Path;

use crate::format::Format;
use crate::receipt::{Contradicted, Members, Signs};
use crate::request::Opened;
use rread_documents::protocol::Notice;
use rread_reader::Reader;
use rread_source::stdin::warn;
use rread_text::sentence::is_plain_file;
use rread_text::{printable, quoted, quoted_word};

/// The sentence of a notice that a receipt has by this name.
pub fn of_notice(notice: &str) -> &'static str {
    match notice {
        "unordered" => {
            "times are out of order by more than --slack, so records may be missing; --scan looks at every record"
        }
        "ambiguous_time" => {
            "a clock showed an end of the window twice, or never, so all records are in it that can be meant"
        }
        _ => "changed while it was read (appended)",
    }
}

/// The sentence that a file is read in the encoding `name`, which is guessed.
pub(crate) fn read_as_guessed(name: &str) -> String {
    format!("read as {name}, a guess from the content; -E utf-8 reads it as UTF-8")
}

/// Says that text is read in an encoding that nobody named, if it is.
pub fn say_guess(path: &Path, guessed: Option<&str>, format: Format) {
    if let Some(name) = guessed.filter(|_| !format.has_receipt()) {
        warn(path, &read_as_guessed(name));
    }
}

/// Says that raw output is not UTF-8: a search in it finds nothing, without a word.
pub(crate) fn say_wide(opened: &Opened<'_>, to_terminal: bool) {
    let encoding = opened.reader.encoding();
    let is_empty = opened.reader.reported_size() == Some(encoding.mark().len() as u64);
    let is_raw = opened.format == Format::Raw && opened.request.content.encode.is_none();
    if is_raw && !to_terminal && encoding.units().width > 1 && !is_empty {
        let name = encoding.name();
        warn(&opened.request.path, &format!("raw output is {name}; -f text writes UTF-8"));
    }
}

/// Says pages without text and parts that are left out, where no receipt reports them.
pub fn say_document(path: &Path, reader: &Reader, format: Format) {
    let Some(document) = reader.document().filter(|_| !format.has_receipt()) else { return };
    let pictures = document.pictures();
    if pictures > 0 {
        let of = document.count().map_or(String::new(), |count| format!(" of {count}"));
        let copy = format!("; ocrmypdf {} COPY.pdf adds their text", quoted(path));
        let copy = Some(copy).filter(|_| is_plain_file(path)).unwrap_or_default();
        warn(path, &format!("pages without text, pictures alone: {pictures}{of}{copy}"));
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

pub(crate) fn sentences(signs: &Signs) -> Vec<String> {
    let changed = signs.change.map(|change| format!("changed while it was read ({})", change.name()));
    let garbage = signs.trailing_garbage.map(|garbage| {
        let what = "extra bytes after the compressed data were ignored";
        match (garbage.compression, &signs.trailing_hint) {
            (Some(format), Some(hint)) => format!("{what}: they are {format} data; {hint}"),
            _ => what.to_owned(),
        }
    });
    let fixed = [
        (signs.is_unordered, of_notice("unordered")),
        (signs.is_ambiguous, of_notice("ambiguous_time")),
        (signs.is_encoding_doubtful, "looks like utf-8, but is read in the encoding of -E"),
        (signs.has_duplicates, "the archive has several members of this name; this is the last"),
    ];
    let unverified =
        signs.unverified.map(|why| format!("rread cannot detect changes during the read: {why}"));
    let fixed = fixed.into_iter().filter(|(holds, _)| *holds).map(|(_, sentence)| sentence.to_owned());
    let contradicted = signs.contradicted.as_ref().map(of_contradiction);
    changed.into_iter().chain(garbage).chain(contradicted).chain(fixed).chain(unverified).collect()
}

/// `line 7 of 9` of `lines 7-7 of 9`.
fn one_line(text: String) -> String {
    let range = text.split(' ').nth(1).and_then(|range| range.split_once('-'));
    match range.filter(|(first, last)| first == last) {
        Some((first, _)) => text.replacen(&format!("lines {first}-{first}"), &format!("line {first}"), 1),
        None => text,
    }
}

/// Names the part of a file that was shown, of how much, and the command that goes on: `a.log: lines 100-101 of 500; next:
/// rread …`.
pub(crate) fn of_place(path: &Path, receipt: &Members) -> Option<String> {
    let value = |key: &str| {
        let value = receipt.get(key)?;
        Some(value.as_str().map_or_else(|| value.to_string(), str::to_owned))
    };
    let part = |name: &str, key: &str, total: &str| {
        let total = value(total).map_or(String::new(), |total| format!(" of {total}"));
        let value = value(key).filter(|value| value != "0")?;
        Some(format!("{name} {value}{total}"))
    };
    let next = value("next");
    // A search that stopped does not know how many lines match.
    let all = if next.is_some() { "" } else { "matched_lines" };
    // A stream is not measured, so its place is not known.
    value("content_bytes").filter(|bytes| bytes != "0")?;
    let shown = part("matching lines shown:", "shown", all)
        .or_else(|| part("page", "page", "total_pages"))
        .or_else(|| part("lines", "lines", "total_lines").map(one_line))
        .or_else(|| part("bytes", "range", "total"))?;
    let path = path.to_string_lossy();
    let next = next.map(|next| match next.split_once(' ') {
        Some((command, place)) if command != "search" => {
            format!("; next: rread {command} {} {place}", quoted_word(&path))
        }
        _ => format!("; next: rread {next}"),
    });
    Some(format!("{}: {shown}{}", printable(&path), next.unwrap_or_default()))
}

/// The sentence of a guess that the text contradicts, for every command.
pub fn of_contradiction(found: &Contradicted) -> String {
    let hint = found.hint.as_ref().map_or(String::new(), |hint| format!("; {hint}"));
    let place = match (found.first_line, found.first_byte) {
        (Some(line), _) => format!("line {line}"),
        (None, Some(byte)) => format!("byte {byte}"),
        // A page declares its label.
        (None, None) => return format!("the bytes do not fit the declared {}{hint}", found.guess),
    };
    format!("{place} does not fit the guessed {}{hint}", found.guess)
}
