//! The matches in what is shown, against a regular expression over the whole text.

use std::ops::{ControlFlow, Range};
use std::path::Path;

use proptest::prelude::*;
use regex::bytes::Regex;

use super::matcher::LineMatcher;
use super::occurrences::{ShownLine, WindowLimits, each, windows};
use super::pattern::Pattern;
use super::scan::Search;
use super::worker::{Hit, Wants};
use crate::reader::{Reader, Tuning};
use rread_source::MemorySource;
use rread_text::{Choice, Encoding};

fn reader(bytes: &[u8], block: usize) -> Reader {
    Reader::new(Box::new(MemorySource::new(bytes)), Tuning { block, ..Tuning::default() }).unwrap()
}

fn wide_reader(bytes: &[u8], block: usize) -> Reader {
    let mut reader = reader(bytes, block);
    reader.read_as(Choice::Auto, Path::new("t")).unwrap();
    assert_eq!(reader.encoding(), Encoding::Utf16 { big_endian: false });
    reader
}

fn hits(reader: &Reader, pattern: &Pattern, from: u64) -> (LineMatcher, Vec<Hit>) {
    let matcher = LineMatcher::new(pattern, reader.encoding(), false).unwrap();
    let wants = Wants { hits: true, text: false, numbers: true, matches: true, from };
    let search = Search { reader, matcher: matcher.clone(), wants };
    let mut found = Vec::new();
    let start = if from == 0 { 0 } else { reader.line_start(from).unwrap() };
    let newlines = reader.newlines_before(start).unwrap();
    search
        .run(start..u64::MAX, newlines, &mut |hits, _| {
            found.extend(hits);
            Ok(ControlFlow::Continue(()))
        })
        .unwrap();
    (matcher, found)
}

/// The matches that are shown for the hits: the bytes, and the characters before each in its line.
fn shown(reader: &Reader, pattern: &Pattern, from: u64) -> Vec<(Range<u64>, Option<u64>, u64)> {
    let (matcher, hits) = hits(reader, pattern, from);
    let mut shown = Vec::new();
    for hit in &hits {
        let before = shown.len();
        each(reader, &matcher, ShownLine::of(hit), None, &mut |one, _| {
            shown.push((one.bytes, one.column, one.byte_column));
            Ok(true)
        })
        .unwrap();
        if hit.spanned.is_none() {
            assert_eq!((shown.len() - before) as u64, hit.matches, "a hit counts what is shown");
        }
    }
    shown
}

/// The lines of `text`, each with its newline.
fn lines(text: &[u8]) -> Vec<Range<usize>> {
    let mut at = 0;
    let line = |line: &[u8]| {
        at += line.len();
        at - line.len()..at
    };
    text.split_inclusive(|byte| *byte == b'\n').map(line).collect()
}

fn pieces() -> impl Strategy<Value = Vec<u8>> {
    let piece = prop_oneof![
        5 => Just("a"), 4 => Just("b"), 3 => Just("\n"), 2 => Just(" "), 1 => Just("é"), 1 => Just("ab\nb"),
        1 => Just("needle"), 1 => Just("xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx"),
    ];
    prop::collection::vec(piece, 0..150).prop_map(|pieces| pieces.concat().into_bytes())
}

fn pattern(text: &str) -> Pattern {
    Pattern { patterns: vec![text.to_owned()], ..Pattern::default() }
}

proptest! {
    #[test]
    fn each_match_of_a_line_is_where_it_is_in_the_text(
        text in pieces(),
        wanted in prop::sample::select(vec!["needle", "a", "^a", "b$", r"\ba", "ab?", "é", "[^x]b", "x", "^$"]),
        block in prop::sample::select(vec![16usize, 64, 4096]),
        wide: bool,
    ) {
        // The naive model looks at each line, in memory.
        let whole = Regex::new(&format!("(?m){wanted}")).unwrap();
        let string = String::from_utf8(text.clone()).unwrap();
        let utf16: Vec<u8> = "\u{FEFF}".encode_utf16().chain(string.encode_utf16()).flat_map(u16::to_le_bytes).collect();
        let reader = if wide { wide_reader(&utf16, block) } else { reader(&text, block) };
        let place = |at: usize| match wide {
            true => 2 + 2 * string[..at].encode_utf16().count() as u64,
            false => at as u64,
        };
        let mut expected = Vec::new();
        for line in lines(&text) {
            let body = text[line.clone()].strip_suffix(b"\n").unwrap_or(&text[line.clone()]);
            for found in whole.find_iter(body) {
                let column = String::from_utf8_lossy(&body[..found.start()]).chars().count() as u64 + 1;
                let bytes = place(line.start + found.start())..place(line.start + found.end());
                expected.push((bytes, column, found.start() as u64 + 1));
            }
        }
        let found = shown(&reader, &pattern(wanted), 0);
        let places = |(bytes, _, column): &(Range<u64>, Option<u64>, u64)| (bytes.clone(), *column);
        prop_assert_eq!(
            found.iter().map(places).collect::<Vec<_>>(),
            expected.iter().map(|(bytes, _, column)| (bytes.clone(), *column)).collect::<Vec<_>>()
        );
        for (found, expected) in found.iter().zip(&expected) {
            prop_assert!(found.1.is_none_or(|column| column == expected.1), "{:?} {:?}", found, expected);
        }
        // A search that goes on at a match shows the rest.
        if let Some(middle) = found.get(found.len() / 2) {
            let rest = shown(&reader, &pattern(wanted), middle.0.start);
            prop_assert_eq!(
                rest.iter().map(places).collect::<Vec<_>>(),
                found[found.len() / 2..].iter().map(places).collect::<Vec<_>>()
            );
        }
    }

    #[test]
    fn the_windows_of_a_line_have_its_matches(
        text in pieces(),
        wanted in prop::sample::select(vec!["needle", "a", "ab?", "é", "x"]),
        block in prop::sample::select(vec![16usize, 4096]),
        columns in 1u64..40,
        most in 1u64..5,
    ) {
        let reader = reader(&text, block);
        let (matcher, hits) = hits(&reader, &pattern(wanted), 0);
        for hit in &hits {
            let line = ShownLine::of(hit);
            let mut all = Vec::new();
            each(&reader, &matcher, line, None, &mut |one, _| {
                all.push(one.bytes);
                Ok(true)
            }).unwrap();
            let limits = WindowLimits { columns, widest: 0, windows: most, matches: u64::MAX, says_nuls: false };
            let (windows, more) = windows(&reader, &matcher, line, None, limits).unwrap();
            prop_assert!(windows.len() as u64 <= most && !windows.is_empty());
            let mut end = hit.start;
            for window in &windows {
                let bytes = window.excerpt.bytes.clone();
                // A match that the window before shows in part is shown whole.
                let first = window.matches[0].bytes.start;
                prop_assert!(bytes.start >= end.min(first) && bytes.end <= hit.next, "{:?} after {}", bytes, end);
                prop_assert_eq!(window.excerpt.cut.0, bytes.start > hit.start);
                let body = &text[usize::try_from(bytes.start).unwrap()..usize::try_from(bytes.end).unwrap()];
                let body = body.strip_suffix(b"\n").unwrap_or(body);
                prop_assert!(std::str::from_utf8(body).unwrap().chars().count() as u64 <= columns);
                prop_assert!(bytes.start <= first);
                end = bytes.end;
            }
            let shown: Vec<_> = windows.iter().flat_map(|window| window.matches.iter().map(|one| one.bytes.clone())).collect();
            prop_assert_eq!(&shown[..], &all[..shown.len()]);
            prop_assert_eq!(more, all.get(shown.len()).map(|next| next.start));
        }
    }

    #[test]
    fn matches_of_several_lines_are_those_of_the_whole_text(
        text in pieces(),
        wanted in prop::sample::select(vec![
            "a\nb", "b\n", "\n", r"\s+", "(?s)a.b", "^b", "b$", "b$\n^a", "\n\n", "(?s)needle.{0,9}a", "[ab]+\n[ab]*", "x", "^$", "é\n?",
        ]),
        block in prop::sample::select(vec![16usize, 4096]),
        invert: bool,
    ) {
        let whole = Regex::new(&format!("(?m){wanted}")).unwrap();
        let all = lines(&text);
        let mut expected: Vec<Range<usize>> = whole.find_iter(&text).map(|found| found.range()).collect();
        // The empty text after the last newline is not a line, and no match begins inside a character.
        expected.retain(|found| found.start < text.len() || !found.is_empty() || !text.is_empty() && !text.ends_with(b"\n"));
        let has_part = |line: &Range<usize>| expected.iter().any(|found| {
            let is_open_end = line.end == text.len() && !text.ends_with(b"\n");
            let begins = line.contains(&found.start) || is_open_end && found.start == text.len();
            begins || found.start < line.start && found.end > line.start
        });
        let lines: Vec<_> = all.iter().enumerate().filter(|(_, line)| has_part(line) != invert)
            .map(|(n, line)| (line.start as u64..line.end as u64, n as u64)).collect();
        let pattern = Pattern { several_lines: true, invert, ..pattern(wanted) };
        let reader = reader(&text, block);
        let (_, hits) = hits(&reader, &pattern, 0);
        prop_assert_eq!(hits.iter().map(|hit| (hit.start..hit.next, hit.newlines)).collect::<Vec<_>>(), lines);
        if !invert {
            prop_assert_eq!(hits.iter().map(|hit| hit.matches).sum::<u64>(), expected.len() as u64);
            let found: Vec<_> = shown(&reader, &pattern, 0).into_iter().map(|one| one.0).collect();
            let expected: Vec<_> = expected.iter().map(|found| found.start as u64..found.end as u64).collect();
            prop_assert_eq!(found, expected);
        }
    }
}
