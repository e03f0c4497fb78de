//! From glyphs to lines of text. A page is read in the order in which the document draws it, unless that jumps about.

use super::device::Glyph;

/// A gap that separates words, in heights of the font. Kerning is smaller.
const BLANK: f64 = 0.15;

/// The same, where the document also has a blank.
const MARKED_BLANK: f64 = 0.05;

/// How far a line may lie above and below its base line, in heights of the font.
const ABOVE: f64 = 0.75;
const BELOW: f64 = 0.25;

/// The text of a page: lines that end with a newline, and an empty one where the page has room for one.
pub(super) fn text(glyphs: Vec<Glyph>) -> String {
    let mut lines = lines(glyphs);
    if is_disordered(&lines) {
        lines = by_rows(lines);
    }
    let mut text = String::new();
    let usual = usual_distance(&lines);
    let mut before: Option<&Line> = None;
    for line in &lines {
        if before.is_some_and(|before| is_paragraph(before, line, usual)) {
            text.push('\n');
        }
        text.push_str(line.text.trim_end());
        text.push('\n');
        before = Some(line);
    }
    joined(&text)
}

#[derive(Clone, Debug)]
struct Line {
    text: String,
    x: f64,
    end: f64,
    y: f64,
    size: f64,
    turn: u16,
}

impl Line {
    fn of(glyph: Glyph) -> Self {
        let Glyph { text, x, y, end, size, turn } = glyph;
        Line { text, x, end, y, size, turn }
    }

    /// Whether text with this base line and size stands in the same row.
    fn is_level_with(&self, turn: u16, y: f64, size: f64) -> bool {
        let top = (self.y - ABOVE * self.size).max(y - ABOVE * size);
        let bottom = (self.y + BELOW * self.size).min(y + BELOW * size);
        self.turn == turn && bottom - top > 0.4 * self.size.min(size)
    }

    fn push(&mut self, glyph: &Glyph, has_blank: bool) {
        let size = self.size.max(glyph.size);
        let gap = glyph.x - self.end;
        if gap > BLANK * size || has_blank && gap > MARKED_BLANK * size {
            self.text.push(' ');
        }
        self.text.push_str(&glyph.text);
        self.end = glyph.end;
        if glyph.size > self.size {
            (self.y, self.size) = (glyph.y, glyph.size);
        }
    }

    /// Whether `next` stands above this and not beside it: text does not go on there.
    fn jumps_back_to(&self, next: &Line) -> bool {
        let is_beside = next.x >= self.end || next.end <= self.x;
        self.turn == next.turn && next.y < self.y - 0.5 * self.size && !is_beside
    }
}

fn lines(glyphs: Vec<Glyph>) -> Vec<Line> {
    let mut lines: Vec<Line> = Vec::new();
    let mut has_blank = false;
    for glyph in glyphs {
        if glyph.text.is_empty() {
            has_blank = true;
            continue;
        }
        match lines.last_mut() {
            Some(line)
                if line.is_level_with(glyph.turn, glyph.y, glyph.size)
                    && glyph.x > line.end - 0.5 * line.size.max(glyph.size) =>
            {
                line.push(&glyph, has_blank);
            }
            _ => lines.push(Line::of(glyph)),
        }
        has_blank = false;
    }
    lines
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
            let gap = part.x - joined.end;
            if gap > BLANK * joined.size.max(part.size) {
                joined.text.push(' ');
            }
            joined.text.push_str(&part.text);
            joined.end = joined.end.max(part.end);
            Some(joined)
        })
    };
    rows.into_iter().filter_map(join).collect()
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
fn joined(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(end) = rest.find('\n') {
        let (line, after) = (&rest[..end], &rest[end + 1..]);
        rest = after;
        match divided(line).filter(|_| after.starts_with(char::is_lowercase)) {
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
fn divided(line: &str) -> Option<&str> {
    let start = line.strip_suffix(['-', '\u{AD}', '\u{2010}'])?;
    start.ends_with(char::is_lowercase).then_some(start)
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
        assert_eq!(page(&[("De", 0.0, 0.0), ("velopment", 11.4, 0.0)]), "Development\n");
        assert_eq!(page(&[("two", 0.0, 0.0), ("words", 16.6, 0.0)]), "two words\n");
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
    fn divided_words_are_joined() {
        assert_eq!(joined("a manip-\nulation of\nit\n"), "a manipulation\nof\nit\n");
        assert_eq!(joined("end-\nword\nnext\n"), "endword\nnext\n");
        for kept in ["A-\nb\n", "x-\n1\n", "Non-\nEnglish\n", "a -\nb\n", "a-\n\nb\n", "a-\n"] {
            assert_eq!(joined(kept), kept);
        }
    }
}
