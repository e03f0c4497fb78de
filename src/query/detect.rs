//! Which kind of table a file holds, by its first bytes and its name.

use std::path::Path;

use super::layout::{Csv, Input};

/// Delimiters that are recognised, the likeliest first.
const DELIMITERS: [u8; 4] = [b',', b'\t', b';', b'|'];

/// Records that are looked at for the delimiter.
const RECORDS: usize = 20;

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
        Some(b'{') if !is_named(path, &["csv", "tsv", "psv"]) => {
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

/// The delimiter of a text that begins with `head` and is called `path`: the one that all its first records have the same
/// number of, or else the one that the first has most of. One that a blank follows everywhere is more likely part of values.
#[must_use]
pub fn delimiter(head: &str, path: &Path, csv: &Csv) -> u8 {
    if is_named(path, &["tsv", "tab"]) {
        return b'\t';
    }
    let records = counts(head, csv);
    let candidates = (0..DELIMITERS.len()).filter_map(|index| {
        let all = || records.iter().map(move |record| record[index]);
        let first = all().next().unwrap_or_default();
        if first.count == 0 {
            return None;
        }
        let is_even = all().all(|here| here.count == first.count);
        let is_spaced = all().all(|here| here.before_blank == here.count);
        // Of equals, the likeliest, which stands first.
        Some((is_even, !is_spaced, first.count, std::cmp::Reverse(index)))
    });
    candidates.max().map_or(b',', |(.., index)| DELIMITERS[index.0])
}

/// How often a delimiter stands in a record, and how often a blank follows it.
#[derive(Clone, Copy, Debug, Default)]
struct Count {
    count: usize,
    before_blank: usize,
}

/// Those of each delimiter in the first records of `head`, outside of quotes.
fn counts(head: &str, csv: &Csv) -> Vec<[Count; DELIMITERS.len()]> {
    let mut records = Vec::new();
    let mut record = [Count::default(); DELIMITERS.len()];
    let (mut inside, mut is_empty, mut is_comment) = (false, true, false);
    let mut bytes = head.bytes().peekable();
    while let Some(byte) = bytes.next() {
        if byte == b'\n' && !inside {
            if !is_empty && !is_comment {
                records.push(record);
            }
            (record, is_empty, is_comment) = (Default::default(), true, false);
            if records.len() == RECORDS {
                break;
            }
            continue;
        }
        is_comment |= is_empty && Some(byte) == csv.comment;
        is_empty &= byte == b'\r';
        inside ^= !is_comment && Some(byte) == csv.quote;
        let which = DELIMITERS.iter().position(|delimiter| *delimiter == byte);
        if let Some(count) = which.filter(|_| !inside).and_then(|which| record.get_mut(which)) {
            count.count += 1;
            count.before_blank += usize::from(bytes.peek() == Some(&b' '));
        }
    }
    // The last may be cut, but it may be all there is.
    if records.is_empty() && !is_comment {
        records.push(record);
    }
    records
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
