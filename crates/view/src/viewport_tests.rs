//! The viewport against tables, and against a naive one that has all rows of the file.

use proptest::prelude::*;

use super::super::piece::{PIECE, pieces};
use super::*;
use rread_text::Encoding;

fn layout(columns: usize) -> Layout {
    Layout { columns, wrap: true, left: 0, sequences: true }
}

fn whole(text: &[u8]) -> Passage {
    Passage {
        pieces: pieces(text, 0, true, Encoding::Utf8),
        starts_file: true,
        ends_file: true,
        ..Passage::default()
    }
}

/// As a worker reads it: the pieces around `at`, and so many before and after.
fn part(whole: &Passage, at: u64, (before, after): (usize, usize)) -> Passage {
    let index = whole.find(at).unwrap_or(0);
    let (from, to) = (index.saturating_sub(before), whole.pieces.len().min(index + after));
    Passage {
        pieces: whole.pieces[from..to].to_vec(),
        starts_file: from == 0,
        ends_file: to == whole.pieces.len(),
        ..Passage::default()
    }
}

fn texts(viewport: &mut Viewport, passage: &Passage) -> Vec<String> {
    let mut rows = Vec::new();
    for shown in viewport.visible(passage).unwrap() {
        let starts = viewport.starts(passage, shown.piece).to_vec();
        let text = &passage.pieces[shown.piece].text;
        for row in shown.rows {
            let end = starts.get(row + 1).map_or(text.len(), |end| *end as usize);
            rows.push(String::from_utf8_lossy(&text[starts[row] as usize..end]).into_owned());
        }
    }
    rows
}

#[test]
fn movements_show_these_rows() {
    let text = b"1\n22\nabcdefgh\n4\n5\n6\n";
    for (movements, expected) in [
        (&[][..], ["1", "22", "abc"]),
        (&[Movement::Rows(1)], ["22", "abc", "def"]),
        (&[Movement::Rows(3)], ["def", "gh", "4"]),
        (&[Movement::Rows(3), Movement::Rows(-1)], ["abc", "def", "gh"]),
        (&[Movement::Rows(100)], ["4", "5", "6"]),
        (&[Movement::Rows(i64::MAX), Movement::Rows(-2)], ["def", "gh", "4"]),
        (&[Movement::Rows(i64::MIN)], ["1", "22", "abc"]),
        (&[Movement::End], ["4", "5", "6"]),
        (&[Movement::End, Movement::To(0)], ["1", "22", "abc"]),
        (&[Movement::To(5)], ["abc", "def", "gh"]),
        (&[Movement::To(8)], ["def", "gh", "4"]),
        (&[Movement::To(16)], ["4", "5", "6"]),
        (&[Movement::To(u64::MAX)], ["4", "5", "6"]),
    ] {
        let passage = whole(text);
        let mut viewport = Viewport::new(layout(3), 3);
        for movement in movements {
            assert_eq!(viewport.go(&passage, *movement), MoveResult::Done, "{movements:?}");
        }
        assert_eq!(texts(&mut viewport, &passage), expected, "{movements:?}");
    }
}

#[test]
fn an_empty_file_has_no_rows() {
    let passage = whole(b"");
    let mut viewport = Viewport::new(layout(3), 3);
    for movement in [Movement::Rows(1), Movement::Rows(-1), Movement::To(9), Movement::End] {
        assert_eq!(viewport.go(&passage, movement), MoveResult::Done);
        assert_eq!(viewport.visible(&passage), Some(Vec::new()));
        assert!(viewport.is_at_end(&passage));
    }
}

#[test]
fn a_resized_screen_begins_with_the_same_text() {
    let passage = whole(b"abcdefghij\nnext\n1\n2\n3\n4\n5\n6\n7\n");
    let mut viewport = Viewport::new(layout(3), 3);
    viewport.go(&passage, Movement::Rows(2));
    assert_eq!(texts(&mut viewport, &passage)[0], "ghi");
    viewport.resize(layout(5), 3);
    assert_eq!(texts(&mut viewport, &passage)[0], "fghij");
    viewport.resize(layout(3), 3);
    assert_eq!(texts(&mut viewport, &passage)[0], "ghi");
}

/// Moves until no more pieces are needed; the number of passages is bounded.
fn go(viewport: &mut Viewport, whole: &Passage, passage: &mut Passage, movement: Movement) {
    let mut movement = movement;
    for _ in 0..2000 {
        match viewport.go(passage, movement) {
            MoveResult::Done => break,
            MoveResult::Needs(at, rest) => {
                *passage = part(whole, at, viewport.reach());
                viewport.forget();
                movement = rest;
            }
        }
        assert!(viewport.rows < 10_000);
    }
    if viewport.visible(passage).is_none() {
        *passage = part(whole, viewport.top.piece, viewport.reach());
        viewport.forget();
    }
}

fn movements() -> impl Strategy<Value = Movement> {
    prop_oneof![
        4 => (-30i64..30).prop_map(Movement::Rows),
        1 => (-3000i64..3000).prop_map(Movement::Rows),
        1 => any::<i64>().prop_map(Movement::Rows),
        2 => (0u64..100_000).prop_map(Movement::To),
        1 => any::<u64>().prop_map(Movement::To),
        1 => Just(Movement::End),
    ]
}

proptest! {
    /// Whatever passages it gets, the viewport shows what one with the whole file shows, and the screen is full.
    #[test]
    fn parts_of_a_file_move_as_the_whole(
        lines in prop::collection::vec(prop_oneof![8 => 0usize..20, 1 => 0usize..3 * PIECE], 0..120),
        movements in prop::collection::vec(movements(), 0..20),
        columns in 1usize..50,
        rows in 1usize..12,
        wrap: bool,
    ) {
        let text: Vec<u8> = lines.iter().flat_map(|len| [vec![b'x'; *len], vec![b'\n']].concat()).collect();
        let all = whole(&text);
        let layout = Layout { wrap, ..layout(columns.max(if lines.iter().any(|len| *len > 500) { 10 } else { 1 })) };
        let (mut one, mut two) = (Viewport::new(layout, rows), Viewport::new(layout, rows));
        let mut passage = part(&all, 0, two.reach());
        let total: usize = (0..all.pieces.len()).map(|piece| one.starts(&all, piece).len()).sum();
        for movement in movements {
            prop_assert_eq!(one.go(&all, movement), MoveResult::Done);
            go(&mut two, &all, &mut passage, movement);
            prop_assert_eq!(one.top, two.top, "{:?}", movement);
            let shown = two.visible(&passage).unwrap();
            prop_assert_eq!(shown.iter().map(|shown| shown.rows.len()).sum::<usize>(), rows.min(total));
            prop_assert_eq!(one.is_at_end(&all), two.is_at_end(&passage));
        }
    }
}
