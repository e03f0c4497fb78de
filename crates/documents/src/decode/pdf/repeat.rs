//! Text that is painted twice, for weight or outline, is one text.

use std::collections::HashMap;
use std::hash::BuildHasher;
use std::iter;
use std::ops::RangeInclusive;

use foldhash::fast::RandomState;

use super::glyph::Glyph;

/// How far apart the same text may be in both directions to be painted twice, in sizes of its font.
const NEAR: f64 = 0.1;

/// The glyphs of a page by text and place, in grids with cells as wide as what is near, or wider: what is near to a glyph is
/// in at most four cells. Fonts of similar size share a grid.
#[derive(Default)]
pub(super) struct Seen {
    marks: Vec<Mark>,
    /// The last mark of a text in a cell.
    last: HashMap<u64, usize, RandomState>,
}

struct Mark {
    text: String,
    turn: u16,
    x: f64,
    y: f64,
    /// The mark before it in its cell.
    before: Option<usize>,
}

impl Seen {
    /// Removes what was seen from `run`, which one operation draws. What stays is seen from now on. A part of a run stays,
    /// even if it was seen: so no letter is lost of a word that only touches another one.
    pub(super) fn remove_from(&mut self, run: &mut Vec<Glyph>) {
        let mut texts = run.iter().filter(|glyph| glyph.has_text()).peekable();
        if texts.peek().is_some() && texts.all(|glyph| self.has(glyph, 0)) {
            return run.clear();
        }
        let start = self.marks.len();
        let mut furthest = f64::NEG_INFINITY;
        run.retain(|glyph| {
            let near = glyph.size * NEAR;
            // A glyph that takes no room stands where the one before it does.
            let goes_back = glyph.x - furthest < near && glyph.end - glyph.x >= near;
            let is_kept = !(glyph.has_text() && goes_back && self.has(glyph, start));
            if is_kept && glyph.has_text() {
                furthest = furthest.max(glyph.x);
                self.insert(glyph);
            }
            is_kept
        });
    }

    /// Whether the text of `glyph` was seen near it, in the marks from number `start` on.
    fn has(&self, glyph: &Glyph, start: usize) -> bool {
        let (near, side) = (glyph.size * NEAR, side(glyph.size));
        cells(glyph.x, near, side).any(|column| {
            cells(glyph.y, near, side).any(|row| {
                let last = self.last.get(&self.key(glyph, side, column, row));
                let marks = iter::successors(last, |&&mark| self.marks[mark].before.as_ref());
                marks.take_while(|&&mark| mark >= start).any(|&mark| self.marks[mark].is_near(glyph, near))
            })
        })
    }

    fn insert(&mut self, glyph: &Glyph) {
        let side = side(glyph.size);
        let key = self.key(glyph, side, cell(glyph.x, side), cell(glyph.y, side));
        let before = self.last.insert(key, self.marks.len());
        self.marks.push(Mark { text: glyph.text.clone(), turn: glyph.turn, x: glyph.x, y: glyph.y, before });
    }

    fn key(&self, glyph: &Glyph, side: f64, column: i64, row: i64) -> u64 {
        self.last.hasher().hash_one((&glyph.text, glyph.turn, side.to_bits(), column, row))
    }
}

impl Mark {
    fn is_near(&self, glyph: &Glyph, near: f64) -> bool {
        (self.x - glyph.x).abs() < near
            && (self.y - glyph.y).abs() < near
            && (&self.text, self.turn) == (&glyph.text, glyph.turn)
    }
}

/// The width of a cell for fonts of `size`.
fn side(size: f64) -> f64 {
    // Usual sizes of fonts are far from 0.73 times a power of two, so noise does not put a text into two grids.
    2.0 * NEAR * 0.73 * ((size / 0.73).log2().floor() + 1.0).exp2()
}

/// The cells of `side` with what is `near` to `at`: one or two, even if offsets are too large for cells.
fn cells(at: f64, near: f64, side: f64) -> RangeInclusive<i64> {
    let first = cell(at - near, side);
    first..=cell(at + near, side).min(first.saturating_add(1))
}

#[allow(clippy::cast_possible_truncation)]
fn cell(at: f64, side: f64) -> i64 {
    (at / side).floor() as i64
}

#[cfg(test)]
mod tests {
    use std::slice;

    use proptest::prelude::*;

    use super::*;

    fn glyph(text: &str, x: f64, y: f64, size: f64, turn: u16) -> Glyph {
        Glyph { text: text.into(), x, y, end: x + size / 2.0, size, turn }
    }

    /// Whether nothing is new in `run`.
    fn repeats(seen: &mut Seen, run: &[Glyph]) -> bool {
        let mut run = run.to_vec();
        seen.remove_from(&mut run);
        run.is_empty()
    }

    proptest! {
        /// Places on a fine grid, beside a search through all that was kept.
        #[test]
        fn is_what_a_search_through_all_says(
            size in prop::sample::select(vec![0.3, 8.0, 10.0, 12.0, 144.0]),
            places in prop::collection::vec((0..2_usize, -60..60, -4..4, 0..2_u16), 0..400),
        ) {
            let (mut seen, mut kept) = (Seen::default(), Vec::<Glyph>::new());
            for (text, across, down, quarter) in places {
                let (x, y) = (f64::from(across) * size / 37.0, f64::from(down) * size / 37.0);
                let glyph = glyph(["a", "lam"][text], x, y, size, 90 * quarter);
                let expected = kept.iter().any(|other| {
                    (other.x - x).abs() < 0.1 * size
                        && (other.y - y).abs() < 0.1 * size
                        && (&other.text, other.turn) == (&glyph.text, glyph.turn)
                });
                prop_assert_eq!(repeats(&mut seen, slice::from_ref(&glyph)), expected, "{:?}", glyph);
                if !expected {
                    kept.push(glyph);
                }
            }
        }
    }

    #[test]
    fn a_font_of_nearly_the_same_size_repeats() {
        for size in 1..200 {
            let mut seen = Seen::default();
            let size = f64::from(size) / 2.0;
            let mut repeats = |x, size| repeats(&mut seen, &[glyph("a", x, 70.0, size, 0)]);
            assert!(!repeats(50.0, size));
            assert!(repeats(50.0 + size * 0.05, size * 1.000_001), "{size}");
            assert!(repeats(50.0 - size * 0.05, size * 0.999_999), "{size}");
        }
    }

    #[test]
    fn a_run_is_repeated_as_a_whole() {
        let mut seen = Seen::default();
        let mut repeats = |texts: &[&str], x: f64| {
            let places = (0..).map(|step| x + 5.0 * f64::from(step));
            let run: Vec<Glyph> =
                texts.iter().zip(places).map(|(text, x)| glyph(text, x, 0.0, 10.0, 0)).collect();
            repeats(&mut seen, &run)
        };
        assert!(!repeats(&["a", "b", ""], 0.0));
        assert!(repeats(&["a", "b", ""], 0.5), "painted again");
        assert!(repeats(&["b"], 5.5), "in parts");
        assert!(!repeats(&["a", "b", "c"], 0.5), "with new text");
        assert!(!repeats(&["", "", ""], 0.0), "blanks are no text");
        assert!(!repeats(&["", "", ""], 0.0), "at the same place too");
    }

    #[test]
    fn a_run_may_repeat_its_own_glyphs() {
        let runs = [
            (vec![(0.0, 5.0), (0.4, 5.4), (5.0, 10.0)], 2, "painted twice"),
            (vec![(0.0, 5.0), (5.0, 10.0), (0.4, 5.4), (5.4, 10.4)], 2, "after others"),
            (vec![(0.0, 2.0), (2.0, 4.0), (3.1, 5.1)], 3, "narrow"),
            (vec![(0.0, 0.0), (0.0, 0.0), (0.0, 0.0)], 3, "a font without widths"),
        ];
        for (places, expected, case) in runs {
            let place = |&(x, end): &(f64, f64)| Glyph { end, ..glyph("l", x, 0.0, 10.0, 0) };
            let mut run: Vec<Glyph> = places.iter().map(place).collect();
            Seen::default().remove_from(&mut run);
            assert_eq!(run.len(), expected, "{case}");
        }
    }

    #[test]
    fn sizes_and_places_without_measure_end() {
        for (at, size) in [(0.0, 5e-324), (1e300, 1e-300), (-1e300, 1e300), (0.0, f64::MAX), (f64::MAX, 1.0)]
        {
            let mut seen = Seen::default();
            assert!(!repeats(&mut seen, &[glyph("a", at, at, size, 0)]));
            repeats(&mut seen, &[glyph("a", at, at, size, 0)]);
        }
    }
}
