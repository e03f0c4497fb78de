//! Recognises the kind of a table by its first bytes and its name.

use std::path::Path;

use rread_source::compressed::name::ending;
use rread_text::layout::Input;

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

/// `\r` if it is the only line end of `head`.
pub fn newline(head: &[u8]) -> u8 {
    if memchr::memchr(b'\n', head).is_none() && memchr::memchr(b'\r', head).is_some() { b'\r' } else { b'\n' }
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
