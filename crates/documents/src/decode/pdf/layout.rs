//! From glyphs to the text of a page: lines, blank lines where there is room for one, and words that are whole. Text that is
//! painted twice, for weight or outline, is one text.

use std::collections::HashMap;
use std::hash::BuildHasher;
use std::iter;
use std::ops::RangeInclusive;

use foldhash::fast::RandomState;

use super::direction::{is_right_to_left, logical, surplus};
use super::glyph::{Glyph, compose_accents};
use super::line::{Line, lines};

/// The text of a page: lines that end with a newline, and an empty one where the page has room for one.
pub(super) fn text(glyphs: Vec<Glyph>) -> String {
    let lines: Vec<Line> =
        in_reading_order(lines(compose_accents(glyphs))).into_iter().map(Line::separate_words).collect();
    let mut text = String::new();
    let usual = usual_distance(&lines);
    let runs_left = lines.iter().map(|line| surplus(&line.text)).sum::<i64>() > 0;
    let mut before: Option<&Line> = None;
    for line in &lines {
        if before.is_some_and(|before| is_paragraph(before, line, usual)) {
            text.push('\n');
        }
        match line.text.trim_end() {
            line if is_right_to_left(line) => text.push_str(&logical(line, runs_left)),
            line => text.push_str(line),
        }
        text.push('\n');
        before = Some(line);
    }
    without_soft_hyphens(&join_hyphenated(&text))
}

/// Soft hyphens inside of words divide nothing; others are glyphs that a reader sees.
fn without_soft_hyphens(text: &str) -> String {
    let mut parts = text.split(SOFT_HYPHEN);
    let mut out = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        if !(out.ends_with(char::is_alphabetic) && part.starts_with(char::is_alphabetic)) {
            out.push('-');
        }
        out.push_str(part);
    }
    out
}

const SOFT_HYPHEN: char = '\u{AD}';

/// The distance of most lines, from base line to base line; 0 for a page without lines.
fn usual_distance(lines: &[Line]) -> f64 {
    let distance = |pair: &[Line]| (pair[0].turn == pair[1].turn).then_some(pair[1].y - pair[0].y);
    let mut distances: Vec<f64> = lines.windows(2).filter_map(distance).filter(|gap| *gap > 0.0).collect();
    distances.sort_by(f64::total_cmp);
    distances.get(distances.len() / 2).copied().unwrap_or(0.0)
}

/// Whether there is room for an empty line between two lines, or the text goes on elsewhere.
fn is_paragraph(before: &Line, line: &Line, usual: f64) -> bool {
    let (gap, size) = (line.y - before.y, before.size.max(line.size));
    before.turn != line.turn || gap > (1.6 * size).max(1.35 * usual) || gap < -size
}

/// `text` with words joined that the end of a line divides; the rest of the word moves up.
fn join_hyphenated(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(end) = rest.find('\n') {
        let (line, after) = (&rest[..end], &rest[end + 1..]);
        let start = strip_hyphen(line).filter(|_| after.starts_with(char::is_lowercase));
        let length = start.map_or(0, |_| after.find([' ', '\n']).unwrap_or(after.len()));
        out.extend([start.unwrap_or(line), &after[..length], "\n"]);
        let next = after[length..].strip_prefix([' ', '\n']).unwrap_or_default();
        rest = if start.is_some() { next } else { after };
    }
    out
}

/// The line without its hyphen, if that divides a word.
fn strip_hyphen(line: &str) -> Option<&str> {
    let start = line.strip_suffix(['-', SOFT_HYPHEN, '\u{2010}'])?;
    start.ends_with(char::is_lowercase).then_some(start)
}

/// With more lines, a page keeps its order: the time is the square of their number.
const MAX_LINES: usize = 4000;

pub(super) fn in_reading_order(lines: Vec<Line>) -> Vec<Line> {
    if lines.len() > MAX_LINES {
        lines
    } else if is_disordered(&lines) {
        by_rows(lines)
    } else {
        downwards(lines)
    }
}

/// Whether a page is drawn in another order than it is read, as by programs that draw all of one font first.
fn is_disordered(lines: &[Line]) -> bool {
    let back = lines.windows(2).filter(|pair| pair[0].jumps_back_to(&pair[1])).count();
    back > 3 && back * 5 > lines.len()
}

/// The lines from top to bottom, with those of one row joined from left to right.
fn by_rows(mut lines: Vec<Line>) -> Vec<Line> {
    lines.sort_by(|a, b| a.turn.cmp(&b.turn).then(a.y.total_cmp(&b.y)));
    let mut rows: Vec<Vec<Line>> = Vec::new();
    for line in lines {
        match rows.last_mut() {
            Some(row) if row[0].is_level_with(line.turn, line.y, line.size) => row.push(line),
            _ => rows.push(vec![line]),
        }
    }
    let join = |mut row: Vec<Line>| {
        row.sort_by(|a, b| a.x.total_cmp(&b.x));
        row.into_iter().reduce(Line::join)
    };
    rows.into_iter().filter_map(join).collect()
}

/// The lines as they are, but each after all that stand above it. Columns, which stand beside each other, stay whole.
///
/// The first rule of Thomas M. Breuel, High Performance Document Layout Analysis (2003). His second rule finds columns,
/// which the document itself knows better.
fn downwards(lines: Vec<Line>) -> Vec<Line> {
    // How many lines each still waits for.
    let mut waits: Vec<usize> =
        lines.iter().map(|line| lines.iter().filter(|other| other.is_above(line)).count()).collect();
    let mut left: Vec<Option<Line>> = lines.into_iter().map(Some).collect();
    let (mut ordered, mut next) = (Vec::with_capacity(left.len()), 0);
    while let Some(index) = ready(&left, &waits, next) {
        let Some(line) = left[index].take() else { break };
        next = index + 1;
        for (waits, other) in waits.iter_mut().zip(&left) {
            *waits -= usize::from(other.as_ref().is_some_and(|other| line.is_above(other)));
        }
        ordered.push(line);
    }
    ordered
}

/// The line `next` if it waits for none, or else the first one that does.
fn ready(left: &[Option<Line>], waits: &[usize], next: usize) -> Option<usize> {
    let is_ready = |index: &usize| waits.get(*index) == Some(&0) && left[*index].is_some();
    Some(next).filter(is_ready).or_else(|| (0..left.len()).find(is_ready))
}

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

    fn word(text: &str, x: f64, y: f64) -> Vec<Glyph> {
        let glyph = |(at, c): (usize, char)| {
            let x = x + 5.0 * f64::from(u32::try_from(at).unwrap());
            Glyph { text: c.to_string(), x, y, end: x + 5.0, size: 10.0, turn: 0 }
        };
        text.chars().enumerate().map(glyph).collect()
    }

    fn page(words: &[(&str, f64, f64)]) -> String {
        text(words.iter().flat_map(|(text, x, y)| word(text, *x, *y)).collect())
    }

    #[test]
    fn gaps_are_blanks_and_kerning_is_not() {
        assert_eq!(page(&[("De", 0.0, 0.0), ("velopment", 10.9, 0.0)]), "Development\n");
        assert_eq!(page(&[("two", 0.0, 0.0), ("words", 16.1, 0.0)]), "two words\n");
        // An index below the line, and the next word.
        assert_eq!(page(&[("x", 0.0, 0.0), ("i", 5.0, 3.0), ("is", 13.0, 0.0)]), "xi is\n");
    }

    #[test]
    fn columns_are_read_one_after_the_other() {
        let words = [("a", 0.0, 0.0), ("b", 0.0, 12.0), ("c", 50.0, 0.0), ("d", 50.0, 12.0)];
        assert_eq!(page(&words), "a\nb\n\nc\nd\n");
        let table = [("a", 0.0, 0.0), ("c", 50.0, 0.0), ("b", 0.0, 12.0), ("d", 50.0, 12.0)];
        assert_eq!(page(&table), "a c\nb d\n");
    }

    #[test]
    fn a_page_drawn_in_disorder_is_read_from_top_to_bottom() {
        let words: Vec<(&str, f64, f64)> =
            (0..12).rev().map(|row| ("w", 0.0, 12.0 * f64::from(row))).collect();
        let mut words: Vec<(&str, f64, f64)> = words;
        words[0].0 = "last";
        assert!(page(&words).ends_with("w\nlast\n"), "{}", page(&words));
    }

    #[test]
    fn a_part_drawn_early_waits_for_what_is_above_it() {
        let footer = ("footer", 0.0, 90.0);
        let columns = [("a", 0.0, 20.0), ("b", 0.0, 32.0), ("c", 50.0, 20.0), ("d", 50.0, 32.0)];
        let drawn = [&[footer][..], &columns, &[("head", 40.0, 0.0), ("title", 0.0, 0.0)]].concat();
        assert_eq!(page(&drawn), "head\ntitle\na\nb\n\nc\nd\n\nfooter\n");
        let turned = Glyph { turn: 90, ..word("x", 0.0, 99.0).remove(0) };
        let glyphs = [vec![turned], word("below", 0.0, 50.0), word("above", 0.0, 0.0)].concat();
        assert_eq!(text(glyphs), "x\n\nabove\nbelow\n");
    }

    #[test]
    fn a_page_with_too_many_lines_keeps_its_order() {
        let footer_first = |rows: u32| {
            let rows = (0..rows).map(|row| ("w", 0.0, 12.0 * f64::from(row)));
            page(&[("footer", 0.0, 1e6)].into_iter().chain(rows).collect::<Vec<_>>())
        };
        assert!(footer_first(3999).ends_with("w\n\nfooter\n"));
        assert!(footer_first(4000).starts_with("footer\n\nw\n"));
    }

    #[test]
    fn divided_words_are_joined() {
        assert_eq!(join_hyphenated("a manip-\nulation of\nit\n"), "a manipulation\nof\nit\n");
        assert_eq!(join_hyphenated("end-\nword\nnext\n"), "endword\nnext\n");
        for kept in ["A-\nb\n", "x-\n1\n", "Non-\nEnglish\n", "a -\nb\n", "a-\n\nb\n", "a-\n"] {
            assert_eq!(join_hyphenated(kept), kept);
        }
    }

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
