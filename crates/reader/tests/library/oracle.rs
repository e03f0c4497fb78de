//! The reader finds the same lines, edges and counts as slicing the whole text.

use rread_reader::reader::encoding::Align;
use rread_reader::reader::{Reader, Tuning};
use rread_testkit::naive::{Whole, tuning};
use rread_testkit::rng::Rng;
use rread_testkit::sample::cases;
use rread_testkit::sources;
use rread_testkit::text::{self, BLOCKS};
use rread_text::range::Boundary;

/// Runs `check` on many texts, each behind some source, with some tuning.
fn on_many_texts(all: u64, check: impl Fn(&Reader, &Whole, &mut Rng, &str)) {
    for seed in 0..cases(all, all / 3) {
        let mut rng = Rng::new(seed);
        let tuning = tuning(&mut rng);
        let bytes = text::any(&mut rng, tuning.block);
        let (name, source) = sources::any(&mut rng, &bytes);
        let case = format!("seed {seed}, {tuning:?}, {name}, {:?}", bytes.escape_ascii().to_string());
        let reader = Reader::new(source, tuning).unwrap();
        check(&reader, &Whole::new(&bytes), &mut rng, &case);
    }
}

/// Ascending numbers around the total and far past it; sometimes none, sometimes duplicates.
fn counts(rng: &mut Rng, there: u64) -> Vec<u64> {
    let limit = usize::try_from(there).unwrap() + 4;
    let mut counts: Vec<u64> = (0..rng.below(6)).map(|_| rng.below(limit) as u64).collect();
    if rng.one_in(4) {
        counts.push(there);
    }
    if rng.one_in(8) {
        counts.push(u64::MAX);
    }
    counts.sort_unstable();
    counts
}

#[test]
fn lines_from_the_front_are_found() {
    on_many_texts(4000, |reader, whole, rng, case| {
        let counts = counts(rng, whole.lines());
        let to_end = rng.one_in(2);
        let found = reader.find_lines(&counts, to_end).unwrap();
        let mark = |n: &u64| Boundary { offset: whole.after(*n), lines: Some((*n).min(whole.lines())) };
        let expected: Vec<Boundary> = counts.iter().map(mark).collect();
        assert_eq!(found.boundaries, expected, "{counts:?} of {case}");
        if to_end || counts.iter().any(|n| *n > whole.lines()) {
            assert_eq!(found.total_lines, Some(whole.lines()), "{counts:?} of {case}");
        }
        assert!(found.total_lines.is_none_or(|n| n == whole.lines()), "{found:?} of {case}");
    });
}

#[test]
fn lines_out_of_reach_are_not_searched() {
    on_many_texts(4000, |reader, whole, rng, case| {
        let counts = counts(rng, whole.lines());
        let (needed, reach) = (rng.below(8) as u64, rng.below(100) as u64);
        let found = reader.find_lines_within(&counts, needed, reach).unwrap();
        assert_eq!(found.boundaries.len(), counts.len(), "{case}");
        let last = counts.iter().filter(|n| **n <= needed).map(|n| whole.after(*n)).max().unwrap_or(0);
        for (n, mark) in counts.iter().zip(&found.boundaries) {
            let case = format!("{n} of {counts:?} within {reach} after {needed} of {case}");
            let there = Boundary { offset: whole.after(*n), lines: Some((*n).min(whole.lines())) };
            if *mark != there {
                assert!(*n > needed && mark.lines.is_none() && found.total_lines.is_none(), "{case}");
                assert!((last + reach..=there.offset).contains(&mark.offset), "{mark:?}, {case}");
            }
        }
        assert!(found.total_lines.is_none_or(|n| n == whole.lines()), "{found:?} of {case}");
    });
}

#[test]
fn a_pass_ends_when_nothing_more_is_in_reach() {
    let reader = Reader::new(sources::plain(&vec![b'x'; 1 << 20]), Tuning::default()).unwrap();
    let found = reader.find_lines_within(&[0, 1], 0, 200).unwrap();
    assert_eq!((found.boundaries[1].lines, found.total_lines), (None, None));
    assert!(reader.scanned() <= 64 << 10, "{}", reader.scanned());
}

#[test]
fn lines_from_the_end_are_found() {
    on_many_texts(4000, |reader, whole, rng, case| {
        let counts = counts(rng, whole.lines());
        let found = reader.find_lines_back(&counts).unwrap();
        let expected: Vec<u64> = counts.iter().map(|n| whole.before_last(*n)).collect();
        assert_eq!(found.offsets, expected, "{counts:?} of {case}");
        assert!(found.total_lines.is_none_or(|n| n == whole.lines()), "{found:?} of {case}");
        if counts.iter().any(|n| *n > whole.lines()) {
            assert_eq!(found.total_lines, Some(whole.lines()), "{counts:?} of {case}");
        }
    });
}

#[test]
fn lines_and_newlines_are_counted() {
    on_many_texts(3000, |reader, whole, rng, case| {
        assert_eq!(reader.count_lines().unwrap(), whole.lines(), "{case}");
        let size = whole.bytes.len();
        for offset in [0, size, size + 1, rng.below(size + 1), rng.below(size + 1)] {
            let offset = offset as u64;
            assert_eq!(
                reader.newlines_before(offset).unwrap(),
                whole.newlines_before(offset),
                "before {offset} of {case}"
            );
        }
        assert_eq!(reader.newlines_before(u64::MAX).unwrap(), whole.newlines_before(u64::MAX), "{case}");
    });
}

#[test]
fn line_starts_are_found() {
    on_many_texts(1500, |reader, whole, rng, case| {
        let size = whole.bytes.len();
        for offset in [0, size, rng.below(size + 1), rng.below(size + 1)] {
            let before = &whole.bytes[..offset];
            let start = before.iter().rposition(|byte| *byte == b'\n').map_or(0, |at| at + 1);
            assert_eq!(reader.line_start(offset as u64).unwrap(), start as u64, "{offset} of {case}");
            let from = rng.below(offset + 1);
            let last = (start > from).then_some(start as u64);
            let found = reader.last_line_start(from as u64, offset as u64).unwrap();
            assert_eq!(found, last, "{from} to {offset} of {case}");
        }
    });
}

#[test]
fn a_full_scan_counts_everything() {
    on_many_texts(4000, |reader, whole, _, case| {
        assert_eq!(reader.full_scan().unwrap(), whole.full_scan(), "{case}");
    });
}

#[test]
fn cuts_move_to_the_edges_of_characters() {
    on_many_texts(1500, |reader, whole, rng, case| {
        let size = whole.bytes.len();
        for _ in 0..8 {
            let (a, b) = (rng.below(size + 1), rng.below(size + 1));
            let (start, end) = (a.min(b) as u64, a.max(b) as u64);
            for align in [Align::Expand, Align::Shrink, Align::None] {
                assert_eq!(
                    reader.align(start, end, align).unwrap(),
                    whole.align(start, end, align),
                    "{start}:{end} {align:?} of {case}"
                );
            }
        }
    });
}

#[test]
fn no_character_is_cut() {
    const MIXED: &str = "aé漢🎉x";
    let reader = Reader::new(sources::plain(MIXED.as_bytes()), Tuning::default()).unwrap();
    let floor = |at: usize| (0..=at).rev().find(|i| MIXED.is_char_boundary(*i)).unwrap() as u64;
    let ceil = |at: usize| (at..=MIXED.len()).find(|i| MIXED.is_char_boundary(*i)).unwrap() as u64;
    for start in 0..=MIXED.len() {
        for end in start..=MIXED.len() {
            let align = |align| reader.align(start as u64, end as u64, align).unwrap();
            if start < end {
                assert_eq!(align(Align::Expand), (floor(start), ceil(end)), "{start}:{end}");
                // A slice inside of one character shrinks to nothing.
                assert_eq!(align(Align::Shrink), (ceil(start), floor(end).max(ceil(start))), "{start}:{end}");
            }
            assert_eq!(align(Align::None), (start as u64, end as u64), "{start}:{end}");
        }
    }
}

#[test]
fn a_size_is_found_by_reading_to_the_end() {
    on_many_texts(600, |reader, whole, rng, case| {
        let offset = rng.below(whole.bytes.len() + 3) as u64;
        assert_eq!(reader.reach(offset).unwrap(), offset.min(whole.size()), "{offset} of {case}");
        assert_eq!(reader.size().unwrap(), whole.size(), "{case}");
        assert_eq!(reader.known_size(), Some(whole.size()), "{case}");
    });
}

/// Every length around the edges of the first blocks and stripes, with newlines, returns and cut characters there.
#[test]
fn nothing_is_lost_at_the_edges_of_blocks() {
    let seams: [&[u8]; 8] =
        [b"\n", b"\r\n", b"\n\n", b"ab", "é".as_bytes(), "😀".as_bytes(), b"\xE2\x82", b"\r\r\n"];
    for block in BLOCKS {
        for edge in [block, 2 * block, 4 * block, 8 * block + 32] {
            for seam in seams {
                for before in 0..=seam.len() {
                    for after in [0, 1, block - 1, block, block + 1] {
                        let mut bytes = b"line\n".repeat(edge / 5 + 1);
                        bytes.truncate(edge - before);
                        bytes.extend(seam);
                        bytes.extend(b"z".repeat(after));
                        for fan_out_after in [block as u64, u64::MAX] {
                            let tuning = Tuning { block, fan_out_after, small: 0 };
                            check_all(&bytes, tuning);
                        }
                    }
                }
            }
        }
    }
}

fn check_all(bytes: &[u8], tuning: Tuning) {
    let case = format!("{tuning:?}, {:?}", bytes.escape_ascii().to_string());
    let whole = Whole::new(bytes);
    let reader = Reader::new(sources::plain(bytes), tuning).unwrap();
    let all: Vec<u64> = (0..=whole.lines() + 1).collect();
    let offsets: Vec<u64> = all.iter().map(|n| whole.after(*n)).collect();
    let found = reader.find_lines(&all, false).unwrap();
    assert_eq!(found.boundaries.iter().map(|mark| mark.offset).collect::<Vec<_>>(), offsets, "{case}");
    let back: Vec<u64> = all.iter().map(|n| whole.before_last(*n)).collect();
    assert_eq!(reader.find_lines_back(&all).unwrap().offsets, back, "{case}");
    assert_eq!(reader.count_lines().unwrap(), whole.lines(), "{case}");
    assert_eq!(reader.full_scan().unwrap(), whole.full_scan(), "{case}");
}

/// The real sizes: blocks of 256 KiB, threads after 32 MiB.
#[test]
fn the_default_sizes_give_the_same_answers() {
    let mut rng = Rng::new(1);
    let mut bytes = Vec::new();
    while bytes.len() < 70 << 20 {
        bytes.extend(b"0123456789abcdefghijklmnopqrstuvwxyz".repeat(1 + rng.below(40)));
        bytes.extend("é\r\n".as_bytes());
    }
    let whole = Whole::new(&bytes);
    let reader = Reader::new(sources::plain(&bytes), Tuning::default()).unwrap();
    let lines = whole.lines();
    let counts = [1, 2, lines / 3, lines / 2, lines - 1, lines];
    let found = reader.find_lines(&counts, false).unwrap();
    let expected = counts.map(|n| Boundary { offset: whole.after(n), lines: Some(n) });
    assert_eq!(found.boundaries, expected);
    assert_eq!(
        reader.find_lines_back(&counts[..4]).unwrap().offsets,
        counts[..4].iter().map(|n| whole.before_last(*n)).collect::<Vec<_>>()
    );
    assert_eq!(reader.count_lines().unwrap(), lines);
    assert_eq!(reader.newlines_before(whole.size() - 5).unwrap(), whole.newlines_before(whole.size() - 5));
}

#[test]
fn a_full_scan_with_the_default_sizes_counts_everything() {
    for seed in 0..40 {
        let mut rng = Rng::new(seed);
        let bytes = text::of_length(&mut rng, 300_000);
        let reader = Reader::new(sources::plain(&bytes), Tuning::default()).unwrap();
        assert_eq!(reader.full_scan().unwrap(), Whole::new(&bytes).full_scan(), "seed {seed}");
    }
}

/// A thread begins in the middle of a character, or of what is none.
#[test]
fn a_full_scan_on_several_threads_judges_what_crosses_their_edges() {
    let pieces: [&[u8]; 12] = [
        b"a",
        b"\n",
        b"\r",
        b"\r\n",
        "é".as_bytes(),
        "日".as_bytes(),
        "😀".as_bytes(),
        b"\xE2\x82",
        b"\xF0\x9F\x98",
        b"\x80",
        b"\x80\x80\x80\x80\x80",
        b"\xF0\x80\x80",
    ];
    for seed in 0..600 {
        let mut rng = Rng::new(seed);
        let mut bytes = Vec::new();
        let plain = rng.below(40);
        while bytes.len() < 3000 {
            bytes.extend(b"x".repeat(rng.below(plain + 1)));
            bytes.extend(rng.pick(&pieces));
        }
        let tuning = Tuning { block: 16, fan_out_after: 32, small: 0 };
        let reader = Reader::new(sources::plain(&bytes), tuning).unwrap();
        assert_eq!(reader.full_scan().unwrap(), Whole::new(&bytes).full_scan(), "seed {seed}");
    }
}
