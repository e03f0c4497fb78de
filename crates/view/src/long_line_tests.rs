//! Searches, filters, counts and numbers in a file with lines of megabytes, against a naive reading of it.

use std::sync::Arc;

use super::chopped::{Aim, Chop};
use super::find::FindRequest;
use super::glyph::seen;
use super::layout::Layout;
use super::piece::{PIECE, pieces};
use super::viewed_file::{Opener, ViewRequest, ViewedFile};
use super::worker::{Job, MatchTally, Report, at_once};
use rread_reader::reader::{Reader, Tuning};
use rread_reader::search::pattern::{Pattern, SeenLines};
use rread_source::MemorySource;
use rread_text::encoding::Encoding;

const MIB: usize = 1 << 20;

/// A line of `length` bytes with `words` at these places.
fn line(length: usize, words: &[(usize, &str)]) -> Vec<u8> {
    let mut line = vec![b'x'; length];
    for (at, word) in words {
        line[*at..*at + word.len()].copy_from_slice(word.as_bytes());
    }
    line.push(b'\n');
    line
}

fn content() -> Vec<u8> {
    [
        line(20, &[(0, "start needle")]),
        line(
            3 * MIB,
            &[
                (0, "start"),
                (100, "needle"),
                (16_381, "needle"),
                (MIB - 3, "needle"),
                (2 * MIB, "needle end"),
            ],
        ),
        line(30, &[]),
        line(2 * MIB, &[]),
        line(40_000, &[(39_990, "needle end")]),
        line(5, &[]),
        line(MIB + MIB / 2, &[(MIB + 100, "needle"), (MIB + MIB / 2 - 6, "needle")]),
        line(17, &[(3, "needle")]),
        line(5 * MIB, &[(5 * MIB - 10, "needle end")]),
        line(9, &[(0, "end")]),
    ]
    .concat()
}

struct Stage {
    text: Vec<u8>,
    file: Arc<ViewedFile>,
    opener: Arc<Opener>,
}

impl Stage {
    fn new(text: Vec<u8>) -> Self {
        let content = text.clone();
        let opener: Arc<Opener> =
            Arc::new(move || Reader::new(Box::new(MemorySource::new(content.clone())), Tuning::default()));
        let file =
            ViewedFile::open(ViewRequest { path: "-".into(), ..ViewRequest::default() }, &*opener).unwrap();
        Stage { text, file, opener }
    }

    fn run(&self, job: Job) -> Report {
        at_once(&self.file, &self.opener, job).unwrap()
    }

    /// The start of each line, and its text as the screen shows it.
    fn lines(&self) -> Vec<(u64, String)> {
        let mut at = 0;
        let of = |line: &[u8]| {
            let start = at as u64;
            at += line.len();
            let body = line.strip_suffix(b"\n").unwrap_or(line);
            (start, String::from_utf8(seen(body).unwrap_or_else(|| body.to_vec())).unwrap())
        };
        self.text.split_inclusive(|byte| *byte == b'\n').map(of).collect()
    }

    fn find(&self, pattern: &Arc<Pattern>, from: u64, back: bool, nth: u64, chopped: bool) -> Option<u64> {
        let request = FindRequest {
            pattern: Arc::clone(pattern),
            filters: Vec::new(),
            from,
            back,
            nth,
            wraps: false,
            chopped,
            whole_line: false,
        };
        match self.run(Job::Find(request)) {
            Report::Found(place, _) => place,
            _ => panic!("another report"),
        }
    }
}

fn pattern(text: &str, invert: bool) -> Arc<Pattern> {
    let seen = Some(seen as SeenLines);
    Arc::new(Pattern { patterns: vec![text.to_owned()], invert, seen, ..Pattern::default() })
}

fn count(pattern: &Arc<Pattern>, filters: &[&Arc<Pattern>], tally: &Arc<MatchTally>) -> Job {
    let filters = filters.iter().map(|filter| Arc::clone(filter)).collect();
    Job::Tally { pattern: Arc::clone(pattern), filters, tally: Arc::clone(tally) }
}

/// Patterns, and whether a line matches.
type Case = (&'static str, bool, fn(&str) -> bool);

const CASES: [Case; 6] = [
    ("needle", false, |line| line.contains("needle")),
    ("^start", false, |line| line.starts_with("start")),
    ("end$", false, |line| line.ends_with("end")),
    ("needle", true, |line| !line.contains("needle")),
    ("x{3}needle", false, |line| line.contains("xxxneedle")),
    ("absent", false, |_| false),
];

#[test]
fn lines_of_megabytes_are_found_and_counted_as_lines() {
    let stage = Stage::new(content());
    let lines = stage.lines();
    for (text, invert, is_match) in CASES {
        let pattern = pattern(text, invert);
        let hits: Vec<u64> =
            lines.iter().filter(|(_, line)| is_match(line)).map(|(start, _)| *start).collect();
        let tally = Arc::new(MatchTally::default());
        assert!(matches!(stage.run(count(&pattern, &[], &tally)), Report::Tallied));
        for (index, start) in hits.iter().enumerate() {
            assert_eq!(tally.position(*start), format!("{} of {}", index + 1, hits.len()), "{text}");
        }
        if hits.is_empty() {
            assert_eq!(tally.position(0), "no matches");
        }
        let line_of = |place: u64| lines[lines.partition_point(|(start, _)| *start <= place) - 1].0;
        for nth in 1..=hits.len() as u64 + 1 {
            let index = usize::try_from(nth).unwrap() - 1;
            let found = stage.find(&pattern, 0, false, nth, true);
            assert_eq!(found.map(line_of), hits.get(index).copied(), "{text} {invert} {nth}");
            let found = stage.find(&pattern, u64::MAX, true, nth, true);
            assert_eq!(
                found.map(line_of),
                hits.iter().rev().nth(index).copied(),
                "{text} {invert} back {nth}"
            );
        }
        // The place is that of the first match, which the screen has to show.
        for start in hits.iter().filter(|_| text == "needle" && !invert) {
            let found = usize::try_from(stage.find(&pattern, *start, false, 1, true).unwrap()).unwrap();
            let line = &stage.text[usize::try_from(*start).unwrap()..];
            let end = line.iter().position(|byte| *byte == b'\n').unwrap();
            let first = String::from_utf8_lossy(&line[..end]).find("needle").unwrap();
            let expected = usize::try_from(*start).unwrap() + if end < PIECE { 0 } else { first };
            assert_eq!(found, expected);
        }
        let chop = Chop {
            layout: Layout { columns: 40, wrap: false, left: 0, sequences: true },
            rows: 20,
            aim: Aim::Here,
            goes_up: false,
        };
        for chop in [None, Some(chop)] {
            let filters = vec![Arc::clone(&pattern)];
            let Report::Passage(passage) = stage.run(Job::Show { at: 0, reach: (28, 48), filters, chop })
            else {
                panic!("another report")
            };
            let starts: Vec<u64> = passage.pieces.iter().map(|piece| piece.start).collect();
            assert_eq!(starts, hits, "{text} {invert}");
            assert!(passage.starts_file && passage.ends_file);
        }
    }
    let starts: Vec<u64> = lines.iter().map(|(start, _)| *start).collect();
    for (index, start) in starts.iter().enumerate() {
        for inside in [0, 1, 17, MIB as u64, 2 * MIB as u64] {
            let offset = start + inside;
            if starts.get(index + 1).is_some_and(|next| offset >= *next) || offset >= stage.text.len() as u64
            {
                continue;
            }
            match stage.run(Job::Numbers { offsets: vec![offset], must: true }) {
                Report::Numbers(known) => assert_eq!(known, [(offset, index as u64)]),
                _ => panic!("no number"),
            }
        }
        match stage.run(Job::Line(index as u64 + 1)) {
            Report::Line { offset, newlines, note: None } => {
                assert_eq!((offset, newlines), (*start, index as u64))
            }
            _ => panic!("no line"),
        }
    }
    assert!(matches!(stage.run(Job::Lines), Report::Lines(count) if count == lines.len() as u64));
}

#[test]
fn matches_in_lines_that_filters_leave_out_do_not_count() {
    let stage = Stage::new(content());
    let lines = stage.lines();
    for (text, invert, is_match) in CASES {
        for (filter, inverts, is_left) in CASES {
            let tally = Arc::new(MatchTally::default());
            let job =
                count(&pattern(text, invert), &[&pattern(filter, inverts), &pattern("^.", false)], &tally);
            assert!(matches!(stage.run(job), Report::Tallied));
            let expected = lines.iter().filter(|(_, line)| is_match(line) && is_left(line)).count();
            let said = tally.position(u64::MAX);
            let words = if expected == 0 { "no matches".to_owned() } else { format!("of {expected}") };
            assert!(said.ends_with(&words), "{text} {filter}: {said}, not {words}");
        }
    }
}

/// If lines wrap, each piece of a long line with a match counts.
#[test]
fn matches_in_pieces_of_long_lines_are_found_one_after_another() {
    let stage = Stage::new(content());
    let pattern = pattern("needle", false);
    let all = pieces(&stage.text, 0, true, Encoding::Utf8);
    let starts: Vec<usize> =
        stage.text.windows(6).enumerate().filter(|(_, word)| *word == b"needle").map(|(at, _)| at).collect();
    let piece_of = |at: usize| all.partition_point(|piece| piece.start <= at as u64) - 1;
    let mut expected: Vec<usize> = starts.iter().map(|at| piece_of(*at)).collect();
    expected.dedup();
    let mut found = Vec::new();
    let mut from = 0;
    while let Some(place) = stage.find(&pattern, from, false, 1, false) {
        let piece = piece_of(usize::try_from(place).unwrap());
        found.push(piece);
        from = all[piece].end;
    }
    assert_eq!(found, expected);
    let mut back = Vec::new();
    let mut from = u64::MAX;
    while let Some(place) = stage.find(&pattern, from, true, 1, false) {
        let piece = piece_of(usize::try_from(place).unwrap());
        back.push(piece);
        from = all[piece].start;
    }
    back.reverse();
    assert_eq!(back, expected);
    for nth in 1..=expected.len() {
        let place = stage.find(&pattern, 0, false, nth as u64, false).unwrap();
        assert_eq!(piece_of(usize::try_from(place).unwrap()), expected[nth - 1]);
    }
}

/// A word whose colour changes inside is on the screen.
#[test]
fn words_with_sequences_inside_are_found_in_lines_of_nearly_a_mebibyte() {
    let word = "nee\x1b[31mdle\x1b[m";
    let struck = "n\x08nee_\x08d_\x08le";
    let stage = Stage::new(
        [
            line(30, &[]),
            line(MIB / 2, &[(MIB / 4 + 50, word)]),
            line(MIB - 200, &[(MIB / 2 - 2, struck)]),
            line(9, &[]),
        ]
        .concat(),
    );
    let lines = stage.lines();
    for text in ["needle", "xneedlex"] {
        let pattern = pattern(text, false);
        let tally = Arc::new(MatchTally::default());
        stage.run(count(&pattern, &[], &tally));
        assert_eq!(tally.position(lines[2].0), "2 of 2", "{text}");
        for chopped in [false, true] {
            let first = stage.find(&pattern, 0, false, 1, chopped).unwrap();
            assert!((lines[1].0..lines[2].0).contains(&first), "{text}");
            let second = stage.find(&pattern, lines[2].0, false, 1, chopped).unwrap();
            assert!((lines[2].0..lines[3].0).contains(&second), "{text}");
        }
    }
}

/// Before the match, there are more sequences than text.
#[test]
fn the_place_in_a_coloured_line_of_megabytes_is_that_of_the_match() {
    let words = |count: usize| "\x1b[32mword\x1b[0;1m \x1b[m".repeat(count).into_bytes();
    for (before, after) in [(3000, 200_000), (150_000, 9), (90_000, 90_000)] {
        let long = [&words(before)[..], b"needle", &words(after), b"\n"].concat();
        let stage = Stage::new([line(10, &[]), long, line(4, &[])].concat());
        let place = stage.find(&pattern("needle", false), 0, false, 1, true).unwrap();
        assert_eq!(&stage.text[usize::try_from(place).unwrap()..][..6], b"needle", "{before}");
    }
}
