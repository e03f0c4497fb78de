//! Rows of long lines against those of the whole text.

use std::sync::Arc;

use proptest::prelude::*;

use super::super::layout::Ink;
use super::super::style::Style;
use super::super::viewed_file::{Opener, ViewRequest, ViewedFile};
use super::super::viewport::{MoveResult, Movement, Viewport};
use super::*;
use rread_source::MemorySource;
use rread_text::Encoding;

fn open(text: &[u8], encoding: Encoding) -> Arc<ViewedFile> {
    let text = text.to_vec();
    let opener: Arc<Opener> =
        Arc::new(move || Ok(Reader::of_text(Box::new(MemorySource::new(text.clone())), encoding)));
    ViewedFile::open(ViewRequest { path: "-".into(), ..ViewRequest::default() }, &*opener).unwrap()
}

fn layout(columns: usize, left: usize, sequences: bool) -> Layout {
    Layout { columns, wrap: false, left, sequences }
}

/// The work of a chopper for a screen with so many rows.
fn chopped<T>(
    file: &ViewedFile,
    lines: &mut LongLines,
    (layout, rows, aim, goes_up): (Layout, usize, Aim, bool),
    work: impl FnOnce(&mut Chopper<'_>) -> T,
) -> T {
    let chop = Chop { layout, rows, aim, goes_up };
    work(&mut Chopper { reader: &file.reader, chop, lines })
}

fn row(layout: &Layout, piece: &Piece) -> String {
    let cut = piece.cut.as_deref();
    let ink = Ink { colors: true, cut, ..Ink::default() };
    layout.paint(&piece.text, &[0], 0..1, &ink).remove(0)
}

/// As [`row`], with a piece for the whole line.
fn naive_row(layout: &Layout, line: &[u8]) -> String {
    let ink = Ink { colors: true, ..Ink::default() };
    layout.paint(line, &[0], 0..1, &ink).remove(0)
}

/// The lines of `text`, as places.
fn spans(text: &[u8]) -> Vec<Range<u64>> {
    let mut at = 0;
    let of = |line: &[u8]| {
        let start = at;
        at += line.len() as u64;
        start..at
    };
    text.split_inclusive(|byte| *byte == b'\n').map(of).collect()
}

fn body(line: &[u8]) -> &[u8] {
    let line = line.strip_suffix(b"\n").unwrap_or(line);
    line.strip_suffix(b"\r").unwrap_or(line)
}

fn bits() -> impl Strategy<Value = (Vec<u8>, usize)> {
    let text = prop::sample::select(vec![
        &b"plain text, "[..],
        b"x",
        b"\t",
        "日本".as_bytes(),
        "e\u{301}".as_bytes(),
        b"\x1b[31m",
        b"\x1b[1;44m",
        b"\x1b[m",
        b"\x1b]8;;http://a\x1b\\",
        b"N\x08N",
        b"_\x08u",
        b"\xff\xe6\x97",
        b"\x01",
        "\u{202e}".as_bytes(),
        "🦀".as_bytes(),
    ]);
    (text.prop_map(<[u8]>::to_vec), prop_oneof![3 => 1usize..5, 2 => 100usize..3000])
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(20))]
    /// Whatever stands in the columns before, the row is that of the whole line.
    #[test]
    fn a_part_of_a_line_is_shown_as_the_whole_line_would_be(
        bits in prop::collection::vec(bits(), 1..16),
        end in prop::sample::select(vec!["\n", "\r\n", ""]),
        columns in 1usize..90,
        lefts in prop::collection::vec((0u64..1000, 0usize..300), 1..6),
        sequences: bool,
    ) {
        let mut text: Vec<u8> = bits.into_iter().flat_map(|(bit, times)| bit.repeat(times)).collect();
        text.extend_from_slice(&b"tail ".repeat(8000));
        let whole = text.clone();
        text.extend_from_slice(end.as_bytes());
        let file = open(&text, Encoding::Utf8);
        let mut known = LongLines::default();
        let all = layout(columns, 0, sequences).column(0, &whole, whole.len());
        let line = 0..text.len() as u64;
        for (part, more) in lefts {
            let left = usize::try_from(all as u64 * part / 999).unwrap() + more;
            let layout = layout(columns, left, sequences);
            let (pieces, _) = chopped(&file, &mut known, (layout, 1, Aim::Here, false), |chopper| {
                chopper.cut(std::slice::from_ref(&line), 0).unwrap()
            });
            prop_assert_eq!(row(&layout, &pieces[0]), naive_row(&layout, &whole), "column {}", left);
            prop_assert!(pieces[0].text.len() <= 256 << 10);
        }
        let (_, left) = chopped(&file, &mut known, (layout(columns, 0, sequences), 1, Aim::RightEdge, false), |chopper| {
            chopper.cut(std::slice::from_ref(&line), 0).unwrap()
        });
        prop_assert_eq!(left, Some(all.saturating_sub(columns)));
        let byte = whole.len() - 5;
        let place = layout(columns, 0, sequences).column(0, &whole, byte);
        let (_, left) = chopped(&file, &mut known, (layout(columns, 0, sequences), 1, Aim::Byte(byte as u64), false), |chopper| {
            chopper.cut(std::slice::from_ref(&line), 0).unwrap()
        });
        let left = left.unwrap();
        prop_assert!(left <= place && place < left + columns, "{} {}", left, place);
    }

    /// Movements over lines of any length show the lines that a list of them shows.
    #[test]
    fn movements_go_by_lines(
        lens in prop::collection::vec(prop_oneof![4 => 0usize..40, 2 => 20_000usize..120_000], 1..40),
        terminated: bool,
        rows in 1usize..12,
        movements in prop::collection::vec(prop_oneof![
            4 => (-12i64..12).prop_map(Movement::Rows),
            1 => (-60i64..60).prop_map(Movement::Rows),
            2 => any::<prop::sample::Index>().prop_map(|at| Movement::To(at.index(1 << 30) as u64)),
            1 => Just(Movement::End),
        ], 1..12),
    ) {
        let mut text: Vec<u8> = lens.iter().enumerate().flat_map(|(number, len)| {
            [format!("{number} ").as_bytes(), &vec![b'x'; *len], b"\n"].concat()
        }).collect();
        if !terminated {
            text.pop();
        }
        check_movements(&text, rows, &movements);
    }
}

/// Moves a viewport that gets its passages from a chopper, and compares it with a number in the list of all lines.
fn check_movements(text: &[u8], rows: usize, movements: &[Movement]) {
    let all = spans(text);
    let file = open(text, Encoding::Utf8);
    let mut known = LongLines::default();
    let layout = layout(20, 0, true);
    let mut viewport = Viewport::new(layout, rows);
    let mut top = 0usize;
    let mut passage = Passage::default();
    let last = all.len().saturating_sub(rows);
    for movement in movements {
        let movement = match movement {
            Movement::To(at) => Movement::To(at % (text.len() as u64 + 10)),
            other => *other,
        };
        top = match movement {
            Movement::Rows(by) => top.saturating_add_signed(isize::try_from(by).unwrap()).min(last),
            Movement::To(at) => all.partition_point(|line| line.end <= at).min(all.len() - 1).min(last),
            Movement::End => last,
        };
        let mut rest = movement;
        let mut steps = 0;
        while let MoveResult::Needs(at, left) = viewport.go(&passage, rest) {
            let goes_up = matches!(left, Movement::Rows(by) if by < 0);
            let reach = viewport.reach();
            passage = chopped(&file, &mut known, (layout, rows, Aim::Here, goes_up), |chopper| {
                chopper.passage(at, reach).unwrap()
            });
            viewport.forget();
            rest = left;
            steps += 1;
            assert!(steps < 200, "{movement:?} does not come to rest");
        }
        assert_eq!(viewport.top.piece, all[top].start, "{movement:?} in {all:?}");
        let shown = viewport.visible(&passage).unwrap();
        assert_eq!(shown.len(), rows.min(all.len()), "{movement:?}");
        for (number, part) in shown.iter().enumerate() {
            let piece = &passage.pieces[part.piece];
            let line = &all[top + number];
            assert_eq!((piece.start, piece.end), (line.start, line.end), "{movement:?}");
            let whole = &text[usize::try_from(line.start).unwrap()..usize::try_from(line.end).unwrap()];
            assert_eq!(row(&layout, piece), naive_row(&layout, body(whole)));
        }
        assert_eq!(viewport.is_at_end(&passage), top == last);
    }
}

#[test]
fn lines_of_megabytes_are_rows_too() {
    let mut text = Vec::new();
    for (number, len) in [9, 6 << 20, 3, 5 << 20, 5 << 20, 0, 2 << 20, 4].into_iter().enumerate() {
        text.extend_from_slice(format!("{number}\u{1b}[31m日").as_bytes());
        text.resize(text.len() + len, b'x');
        text.push(b'\n');
    }
    let movements = [
        Movement::End,
        Movement::Rows(-1),
        Movement::Rows(-3),
        Movement::Rows(2),
        Movement::To(0),
        Movement::Rows(1),
        Movement::Rows(5),
        Movement::To(10 << 20),
        Movement::Rows(-9),
        Movement::To(u64::MAX),
    ];
    for rows in [1, 2, 3, 8, 20] {
        check_movements(&text, rows, &movements);
    }
    let all = spans(&text);
    let file = open(&text, Encoding::Utf8);
    let mut known = LongLines::default();
    for left in [0, 7, 100, 3 << 20, (5 << 20) - 10, 5 << 20, 2 << 20, 40 << 20] {
        let layout = layout(30, left, true);
        let (pieces, _) = chopped(&file, &mut known, (layout, 8, Aim::Here, false), |chopper| {
            chopper.cut(&all, 0).unwrap()
        });
        for (piece, line) in pieces.iter().zip(&all) {
            let whole = &text[usize::try_from(line.start).unwrap()..usize::try_from(line.end).unwrap()];
            assert_eq!(row(&layout, piece), naive_row(&layout, body(whole)), "{left}");
        }
    }
}

#[test]
fn other_encodings_have_their_columns() {
    let text = "日x\u{1F980}e\u{301}\t".repeat(9000);
    let utf16: Vec<u8> =
        format!("\u{feff}{text}\r\nnext\n").encode_utf16().flat_map(u16::to_le_bytes).collect();
    let file = open(&utf16, Encoding::Utf16 { big_endian: false });
    let mut known = LongLines::default();
    for left in [0, 1, 2, 9, 1000, 40_001, 71_999, 90_000] {
        let layout = layout(31, left, true);
        let passage = chopped(&file, &mut known, (layout, 2, Aim::Here, false), |chopper| {
            chopper.passage(0, (5, 5)).unwrap()
        });
        assert_eq!(row(&layout, &passage.pieces[0]), naive_row(&layout, text.as_bytes()), "{left}");
        assert_eq!(passage.pieces[1].text, b"next");
        assert!(passage.starts_file && passage.ends_file);
    }
}

#[test]
fn the_level_at_the_start_of_a_line_is_that_of_its_parts() {
    let text = format!("ERROR {}\n", "x".repeat(100_000));
    let file = open(text.as_bytes(), Encoding::Utf8);
    let passage = chopped(
        &file,
        &mut LongLines::default(),
        (layout(20, 50_000, true), 1, Aim::Here, false),
        |chopper| chopper.passage(0, (5, 5)).unwrap(),
    );
    assert_ne!(passage.pieces[0].cut.as_ref().unwrap().level, Style::default());
}
