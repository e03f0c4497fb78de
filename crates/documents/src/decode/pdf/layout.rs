//! From glyphs to the text of a page: lines, blank lines where there is room for one, and words that are whole.

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
}
