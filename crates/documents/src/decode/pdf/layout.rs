//! From glyphs to the text of a page: lines, blank lines where there is room for one, and words that are whole.

use super::direction::{is_right_to_left, logical, surplus};
use super::glyph::Glyph;
use super::glyph::compose_accents;
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
    join_hyphenated(&text)
}

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
        rest = after;
        match strip_hyphen(line).filter(|_| after.starts_with(char::is_lowercase)) {
            Some(start) => {
                let length = after.find([' ', '\n']).unwrap_or(after.len());
                out.push_str(start);
                out.push_str(&after[..length]);
                out.push('\n');
                rest = after[length..].strip_prefix([' ', '\n']).unwrap_or_default();
            }
            None => {
                out.push_str(line);
                out.push('\n');
            }
        }
    }
    out
}

/// The line without its hyphen, if that divides a word.
fn strip_hyphen(line: &str) -> Option<&str> {
    let start = line.strip_suffix(['-', '\u{AD}', '\u{2010}'])?;
    start.ends_with(char::is_lowercase).then_some(start)
}

/// A gap that separates words, in heights of the font. Kerning is smaller.
const BLANK: f64 = 0.1;

/// A gap that separates words if the document also has a blank there.
const MARKED_BLANK: f64 = 0.05;

/// The least gap that separates words in a line of tight ones, and how much more it is than those inside of words.
const TIGHTEST: f64 = 0.06;
const JUMP: f64 = 0.04;

/// Gaps between words that are not tight.
const WIDE: f64 = 0.18;

/// Less than this is between the letters of a heading that are spaced, and so many gaps show it.
const SPACED: f64 = 0.22;
const MIN_SPACED_GAPS: usize = 5;

/// A line with fewer gaps may be one word.
const MIN_GAPS: usize = 8;

/// A gap between two glyphs of a line.
#[derive(Clone, Copy, Debug)]
pub(super) struct Gap {
    /// The offset in the text.
    pub(super) at: usize,
    /// The width in heights of the font.
    pub(super) width: f64,
    /// The document has a blank there, too.
    pub(super) has_blank: bool,
}

impl Gap {
    /// Whether the gap separates words, if one of `least` does.
    pub(super) fn separates(&self, least: f64) -> bool {
        self.width > if self.has_blank { MARKED_BLANK } else { least }
    }
}

/// The least of the `gaps` of a line that separates words: headlines and condensed type have words that are closer to each
/// other than most, but farther than their letters.
pub(super) fn min_word_gap(gaps: &[Gap]) -> f64 {
    // A document that has blanks has them between all words.
    if gaps.len() < MIN_GAPS || gaps.iter().any(|gap| gap.has_blank) {
        return BLANK;
    }
    let mut widths: Vec<f64> = gaps.iter().map(|gap| gap.width).collect();
    widths.sort_by(f64::total_cmp);
    let usual = widths[widths.len() / 2];
    let wide = &widths[widths.partition_point(|width| *width <= BLANK)..];
    match wide.get(wide.len() / 2) {
        Some(between) if *between > WIDE => BLANK,
        Some(between) => f64::midpoint(usual, *between).clamp(TIGHTEST, BLANK),
        None => tight(&widths, usual),
    }
}

/// As [`min_word_gap`], of a line whose letters are all spaced by the same, as in some headings; `None` if they are not.
pub(super) fn blank_between_spaced(gaps: &[Gap]) -> Option<f64> {
    let mut widths: Vec<f64> = gaps.iter().filter(|gap| !gap.has_blank).map(|gap| gap.width).collect();
    widths.sort_by(f64::total_cmp);
    let usual = widths.get(widths.len() / 2).copied().filter(|usual| (BLANK..SPACED).contains(usual))?;
    let equal = widths.iter().filter(|width| (*width - usual).abs() < JUMP).count();
    (equal >= MIN_SPACED_GAPS && equal * 5 >= widths.len() * 4).then_some(1.5 * usual)
}

/// As [`min_word_gap`], of a line without any usual gap between words. One gap may be kerning; several are words.
fn tight(widths: &[f64], usual: f64) -> f64 {
    let jump = |pair: &[f64]| pair[1] - pair[0];
    let upper = &widths[widths.len() / 2..];
    let widest =
        (1..upper.len()).max_by(|a, b| jump(&upper[a - 1..=*a]).total_cmp(&jump(&upper[b - 1..=*b])));
    let Some(at) = widest.filter(|at| upper.len() - at > 1) else { return BLANK };
    let (inside, between) = (upper[at - 1], upper[at]);
    let is_clear = between - inside > JUMP && inside - usual < JUMP / 2.0 && between > TIGHTEST;
    if is_clear { f64::midpoint(inside, between) } else { BLANK }
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
        let mut parts = row.into_iter();
        let first = parts.next();
        parts.fold(first, |joined: Option<Line>, part| {
            let mut joined = joined?;
            joined.join(&part);
            Some(joined)
        })
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

#[cfg(test)]
mod tests {
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

    /// Gaps in hundredths of the height of the font.
    fn least(widths: &[i32], has_blank: bool) -> f64 {
        let gap = |width: &i32| Gap { at: 0, width: f64::from(*width) / 100.0, has_blank };
        min_word_gap(&widths.iter().map(gap).collect::<Vec<_>>())
    }

    #[test]
    fn words_may_be_closer_in_some_lines() {
        for (widths, separates, does_not) in [
            // Words that are far apart, and kerning.
            (&[0, 2, -8, 9, 0, 0, 25, 0, 0, 30][..], 11, 9),
            // The letters of a headline are tight, and its words are.
            (&[-5, -4, -5, -5, 7, -5, -5, -4, -5, 8], 7, -4),
            (&[0, 0, 1, 0, 9, 0, 0, 1, 0, 13, 0, 12], 9, 1),
            // One word with some kerning.
            (&[0, 1, 3, 0, 5, 0, 2, 4, 1, 0], 11, 5),
            // Few gaps say nothing.
            (&[0, 0, 9, 0], 11, 9),
            (&[], 11, 9),
        ] {
            let least = least(widths, false);
            assert!(
                f64::from(separates) / 100.0 > least && f64::from(does_not) / 100.0 <= least,
                "{widths:?} {least}"
            );
        }
    }

    #[test]
    fn the_letters_of_a_heading_may_be_spaced() {
        let gaps = |widths: &[i32]| -> Vec<Gap> {
            let gap = |width: &i32| Gap { at: 0, width: f64::from(*width) / 100.0, has_blank: *width == 60 };
            widths.iter().map(gap).collect()
        };
        for (widths, separates, does_not) in
            [(&[20, 20, 21, 20, 19, 20, 60, 20, 20][..], 31, 21), (&[15, 15, 15, 15, 15, 40, 15, 15], 40, 15)]
        {
            let least = blank_between_spaced(&gaps(widths)).unwrap();
            assert!(f64::from(separates) / 100.0 > least && f64::from(does_not) / 100.0 <= least, "{least}");
        }
        // Words, few letters, letters that stand alone, a row with different gaps.
        for widths in [
            &[0, 0, 0, 25, 0, 0, 25, 0, 0][..],
            &[20, 20, 20, 20],
            &[33, 33, 33, 33, 33, 33],
            &[12, 18, 24, 12, 18, 24, 12],
        ] {
            assert_eq!(blank_between_spaced(&gaps(widths)), None, "{widths:?}");
        }
    }

    #[test]
    fn a_document_with_blanks_needs_less() {
        let gap = Gap { at: 0, width: 0.06, has_blank: true };
        assert!(gap.separates(least(&[0, 0, 0, 0, 0, 0, 0, 0, 6], true)));
        assert!(!Gap { has_blank: false, ..gap }.separates(least(&[0, 0, 0, 0, 0, 0, 0, 0, 6], true)));
    }
}
