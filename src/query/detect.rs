//! Which kind of table a file holds, by its first bytes and its name.

use std::path::Path;

use super::layout::Input;

/// Delimiters that are recognised, the likeliest first.
const DELIMITERS: [u8; 4] = [b',', b'\t', b';', b'|'];

/// Lines that are looked at for the delimiter.
const LINES: usize = 20;

/// What Parquet files begin with; encrypted ones have another mark.
const PARQUET: &[&[u8]] = &[b"PAR1", b"PARE"];

/// The kind of table that begins with `head`, as the file's own bytes.
#[must_use]
pub fn is_parquet(head: &[u8]) -> bool {
    PARQUET.iter().any(|mark| head.starts_with(mark))
}

/// The kind of table in a text that begins with `head` and is called `path`.
#[must_use]
pub fn input(head: &str, path: &Path) -> Input {
    let start = head.trim_start_matches(|c: char| c.is_ascii_whitespace());
    match start.bytes().next() {
        Some(b'[') if !is_named(path, &["csv", "tsv", "psv"]) => {
            // One array a line, if the first line is one and another begins after it.
            let (line, rest) = start.split_once('\n').unwrap_or((start, ""));
            let lines = is_json(line) && rest.trim_ascii_start().starts_with('[');
            if lines { Input::Jsonl } else { Input::Json }
        }
        Some(b'{') => {
            // One object a line, if the first line is one.
            let line = start.split('\n').next().unwrap_or_default();
            if is_json(line) || is_named(path, &["jsonl", "ndjson"]) { Input::Jsonl } else { Input::Json }
        }
        _ if is_named(path, &["jsonl", "ndjson"]) => Input::Jsonl,
        _ if is_named(path, &["json"]) => Input::Json,
        _ => Input::Csv,
    }
}

/// Whether `text` is one whole JSON value.
fn is_json(text: &str) -> bool {
    serde_json::from_str::<serde::de::IgnoredAny>(text).is_ok()
}

/// The delimiter of a text that begins with `head` and is called `path`: the one that all its first lines have the same
/// number of, or else the one that the first line has most of.
#[must_use]
pub fn delimiter(head: &str, path: &Path, quote: Option<u8>) -> u8 {
    if is_named(path, &["tsv", "tab"]) {
        return b'\t';
    }
    // The last line may be cut.
    let whole = head.rfind('\n').map_or(head, |end| &head[..end]);
    let lines: Vec<&str> = whole.lines().filter(|line| !line.trim().is_empty()).take(LINES).collect();
    let counts = |delimiter: u8| lines.iter().map(move |line| outside_quotes(line, delimiter, quote));
    let first = |delimiter: u8| counts(delimiter).next().unwrap_or(0);
    let even =
        |delimiter: u8| first(delimiter) > 0 && counts(delimiter).all(|count| count == first(delimiter));
    let most = |delimiters: &mut dyn Iterator<Item = u8>| {
        // Of equals, the likeliest.
        delimiters.fold(None, |best: Option<u8>, next| match best {
            Some(best) if first(best) >= first(next) => Some(best),
            _ => Some(next).filter(|next| first(*next) > 0).or(best),
        })
    };
    most(&mut DELIMITERS.into_iter().filter(|delimiter| even(*delimiter)))
        .or_else(|| most(&mut DELIMITERS.into_iter()))
        .unwrap_or(b',')
}

/// How often `delimiter` stands in `line` outside of quotes.
fn outside_quotes(line: &str, delimiter: u8, quote: Option<u8>) -> usize {
    let mut inside = false;
    line.bytes()
        .filter(|byte| {
            inside ^= Some(*byte) == quote;
            !inside && *byte == delimiter
        })
        .count()
}

/// Whether the name ends with one of `endings`, perhaps before that of a compressed file.
fn is_named(path: &Path, endings: &[&str]) -> bool {
    let name = path.file_name().unwrap_or_default().to_string_lossy().to_ascii_lowercase();
    // What stands behind the path of a URL.
    let name = name.split(['?', '#']).next().unwrap_or_default();
    let stem = name.rsplit_once('.');
    let packed = ["gz", "bgz", "zst", "xz", "bz2", "lz4", "lzma", "z"];
    let name = match stem {
        Some((stem, ending)) if packed.contains(&ending) => stem,
        _ => name,
    };
    name.rsplit_once('.').is_some_and(|(_, ending)| endings.contains(&ending))
}

/// The names that a query may call the table by: `t`, `s3object`, and the name of the file up to its first dot.
#[must_use]
pub fn names(path: &Path) -> Vec<String> {
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    let stem = name.split(['.', '?', '#', '=']).next().unwrap_or_default();
    let mut names = vec!["t".to_owned(), "s3object".to_owned()];
    if !stem.is_empty() && !names.iter().any(|name| name.eq_ignore_ascii_case(stem)) && stem != "-" {
        names.push(stem.to_owned());
    }
    names
}
