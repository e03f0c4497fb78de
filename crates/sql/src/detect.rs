//! Recognises the kind of a table by its first bytes and its name.

use std::path::Path;

use rread_source::compressed::name::ending;
use rread_text::layout::{Csv, Input};
use rread_text::timestamp::{Rule, detect_in};

const DELIMITERS: [u8; 4] = [b',', b'\t', b';', b'|'];

const RECORDS: usize = 20;

pub fn is_parquet(head: &[u8]) -> bool {
    // An encrypted file begins with PARE.
    head.starts_with(b"PAR1") || head.starts_with(b"PARE")
}

pub fn input(head: &str, path: &Path) -> Input {
    let start = head.trim_ascii_start();
    let (line, rest) = start.split_once('\n').unwrap_or((start, ""));
    let is_delimited = is_named(path, &["csv", "tsv", "psv"]);
    let is_lines = is_named(path, &["jsonl", "ndjson"]);
    match start.bytes().next() {
        Some(b'[') if !is_delimited && is_json(line) && rest.trim_ascii_start().starts_with('[') => {
            Input::Jsonl
        }
        Some(b'{') if !is_delimited && (is_lines && !has_several(line) || is_json(line)) => Input::Jsonl,
        Some(b'[' | b'{') if !is_delimited => Input::Json,
        _ if is_lines => Input::Jsonl,
        _ if is_named(path, &["json"]) => Input::Json,
        _ => Input::Csv,
    }
}

fn is_json(text: &str) -> bool {
    serde_json::from_str::<serde::de::IgnoredAny>(text).is_ok()
}

/// Whether a line has several JSON values, one after another.
fn has_several(line: &str) -> bool {
    let mut values = serde_json::Deserializer::from_str(line).into_iter::<serde::de::IgnoredAny>();
    values.by_ref().take(2).filter(std::result::Result::is_ok).count() == 2
}

/// A delimiter of the first records.
#[derive(Clone, Copy, Debug)]
pub struct FoundDelimiter {
    pub byte: u8,
    /// All records have it equally often.
    is_even: bool,
    /// It is always before a space, as in a sentence.
    is_spaced: bool,
}

impl FoundDelimiter {
    const NONE: FoundDelimiter = FoundDelimiter { byte: b',', is_even: false, is_spaced: true };

    /// The delimiter, unless it may be part of the values.
    pub fn divides(self) -> Option<u8> {
        (!self.is_spaced).then_some(self.byte)
    }
}

/// The delimiter that all first records contain equally often, or else the one most frequent in the first
/// record. A space after each one suggests that it is part of the values.
pub fn delimiter(head: &str, path: &Path, csv: &Csv) -> FoundDelimiter {
    if is_named(path, &["tsv", "tab"]) {
        return FoundDelimiter { byte: b'\t', is_even: true, is_spaced: false };
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
        Some((is_even, !is_spaced, first.count, std::cmp::Reverse(index)))
    });
    candidates.max().map_or(FoundDelimiter::NONE, |(is_even, is_tight, _, index)| FoundDelimiter {
        byte: DELIMITERS[index.0],
        is_even,
        is_spaced: !is_tight,
    })
}

/// Whether the lines of `head` are those of a log: they have times, and no delimiter divides them.
pub fn is_log(head: &str, path: &Path, found: FoundDelimiter) -> bool {
    if found.is_even && !found.is_spaced || is_named_delimited(path) {
        return false;
    }
    let lines = || head.lines().filter(|line| !line.trim().is_empty()).take(RECORDS);
    // Lines that are nothing but times are a column of times.
    if lines().all(|line| is_one_value(line.trim())) {
        return false;
    }
    is_named(path, &["log"])
        || detect_in(&[lines().map(str::as_bytes).collect()], Rule::Unnamed, None).is_some()
}

/// Whether the name is that of a table of delimited values.
pub fn is_named_delimited(path: &Path) -> bool {
    is_named(path, &["csv", "tsv", "tab", "psv"])
}

fn is_one_value(line: &str) -> bool {
    !line.contains(|c: char| c.is_alphabetic() && !matches!(c, 'T' | 'Z' | 'e' | 'E'))
}

/// `\r` if it is the only line end of `head`.
pub fn newline(head: &[u8]) -> u8 {
    if memchr::memchr(b'\n', head).is_none() && memchr::memchr(b'\r', head).is_some() { b'\r' } else { b'\n' }
}

#[derive(Clone, Copy, Debug, Default)]
struct DelimiterCount {
    count: usize,
    before_blank: usize,
}

fn counts(head: &str, csv: &Csv) -> Vec<[DelimiterCount; DELIMITERS.len()]> {
    let mut records = Vec::new();
    let mut record = [DelimiterCount::default(); DELIMITERS.len()];
    let (mut inside, mut is_empty, mut is_comment) = (false, true, false);
    let mut bytes = head.bytes().enumerate().peekable();
    while let Some((at, byte)) = bytes.next() {
        if byte == csv.newline && !inside {
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
        let is_fraction = byte == b','
            && !inside
            && is_fraction_of_second(&head.as_bytes()[..at], &head.as_bytes()[at + 1..]);
        if let Some(count) = which.filter(|_| !inside && !is_fraction).and_then(|which| record.get_mut(which))
        {
            count.count += 1;
            count.before_blank += usize::from(bytes.peek().is_some_and(|(_, next)| *next == b' '));
        }
    }
    // The last record may be cut; count it only if it is the only one.
    if records.is_empty() && !is_comment {
        records.push(record);
    }
    records
}

/// Whether a comma between `before` and `after` is that of `12:30:45,123 `, as logs write fractions of seconds.
fn is_fraction_of_second(before: &[u8], after: &[u8]) -> bool {
    let is_clock = matches!(before, [.., b':', a, b] if a.is_ascii_digit() && b.is_ascii_digit());
    let digits = after.iter().take_while(|byte| byte.is_ascii_digit()).count();
    let next = after.get(digits).copied();
    is_clock && (1..=9).contains(&digits) && matches!(next, Some(b' ' | b']' | b'Z' | b'+'))
}

/// Whether the name has one of `endings`, possibly before that of a compressed file.
fn is_named(path: &Path, endings: &[&str]) -> bool {
    endings.contains(&&*ending(path))
}

pub fn names(path: &Path) -> Vec<String> {
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    let stem = name.split(['.', '?', '#', '=']).next().unwrap_or_default();
    let mut names = vec!["t".to_owned(), "s3object".to_owned()];
    if !stem.is_empty() && !names.iter().any(|name| name.eq_ignore_ascii_case(stem)) && stem != "-" {
        names.push(stem.to_owned());
    }
    names
}
