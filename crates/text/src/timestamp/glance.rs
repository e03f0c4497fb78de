//! A cheap look at text for times, before the formats are tried: most lines of files that are not logs end here.

use super::cursor::digits;
use super::pattern::{MONTHS, WEEKDAYS};

/// A clock follows the beginning of its date within so many bytes.
const MAX_DATE: usize = 48;

/// Whether a time of the table may begin here: its first characters are those of a date, and a clock follows, or it is a
/// number with as many digits as a time.
#[inline]
pub(super) fn may_begin(text: &[u8]) -> bool {
    let clock = || has_clock(&text[..text.len().min(MAX_DATE)]);
    match text.first() {
        Some(b'0'..=b'9') => match (digits(text), text) {
            (1, [_, b'-' | b'/' | b'.' | b' ' | b'\t', ..]) => clock(),
            (2, [_, _, b'-' | b'/' | b'.' | b' ' | b'\t', ..]) => clock(),
            (4, [_, _, _, _, b'-' | b'/' | b'.' | b' ' | b'\t' | b'W', rest @ ..]) => {
                // `1123/062604` and `2026-11-23-06.26.04` have other clocks.
                digits(rest) == 6 || rest.get(8) == Some(&b'.') || clock()
            }
            (6, [_, _, _, _, _, _, b' ' | b'\t', ..]) | (10 | 13 | 16 | 19, _) => true,
            (7, rest) => rest.get(7).is_some_and(|byte| !byte.is_ascii_digit()) && clock(),
            (8, rest) => rest.get(8).is_some_and(|byte| !byte.is_ascii_digit()),
            _ => false,
        },
        Some(b'I' | b'W' | b'E' | b'F' | b'D') if matches!(digits(&text[1..]), 4 | 8) => clock(),
        Some(byte) if byte.is_ascii_alphabetic() => match text.first_chunk::<3>() {
            Some(name) => {
                let name = name.map(|byte| byte | 0x20);
                (MONTHS.contains(&&name) || WEEKDAYS.contains(&&name)) && clock()
            }
            None => false,
        },
        Some(b'[') => text[1..].iter().find(|byte| **byte != b' ').is_some_and(u8::is_ascii_digit),
        Some(b'@') => text.get(1) == Some(&b'4'),
        Some(b'#' | b'=') => true,
        _ => false,
    }
}

/// Whether the text has `6:26`.
fn has_clock(text: &[u8]) -> bool {
    memchr::memchr_iter(b':', text).any(|at| {
        at > 0
            && text[at - 1].is_ascii_digit()
            && text.get(at + 1..at + 3).is_some_and(|two| two.iter().all(u8::is_ascii_digit))
    })
}

/// Whether a line begins with a time of day, and what stands before it has no word.
pub(super) fn begins_with_clock(line: &[u8]) -> bool {
    let start = line.iter().position(u8::is_ascii_alphanumeric).unwrap_or(line.len());
    let text = &line[start..];
    let clock = &text[..text.len().min(8)];
    matches!(digits(text), 1 | 2) && has_clock(clock) && clock.get(digits(text)) == Some(&b':')
}

pub(super) fn is_indented(line: &[u8]) -> bool {
    line.starts_with(b" ") || line.starts_with(b"\t")
}
