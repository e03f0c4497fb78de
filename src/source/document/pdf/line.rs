//! Lines of glyphs that stand beside each other, with blanks between words.

use super::device::Glyph;

/// A gap that separates words, in heights of the font. Kerning is smaller.
pub(super) const BLANK: f64 = 0.15;

/// The same, where the document also has a blank.
const MARKED_BLANK: f64 = 0.05;

/// How far a line may lie above and below its base line, in heights of the font.
const ABOVE: f64 = 0.75;
const BELOW: f64 = 0.25;

#[derive(Clone, Debug)]
pub(super) struct Line {
    pub(super) text: String,
    pub(super) x: f64,
    pub(super) end: f64,
    pub(super) y: f64,
    pub(super) size: f64,
    pub(super) turn: u16,
}

impl Line {
    fn of(glyph: Glyph) -> Self {
        let Glyph { text, x, y, end, size, turn } = glyph;
        Line { text, x, end, y, size, turn }
    }

    /// Whether text with this base line and size stands in the same row.
    pub(super) fn is_level_with(&self, turn: u16, y: f64, size: f64) -> bool {
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

    /// Whether `other` stands below this, and not beside it.
    pub(super) fn is_above(&self, other: &Line) -> bool {
        let overlap = self.end.min(other.end) - self.x.max(other.x);
        let size = self.size.min(other.size);
        self.turn == other.turn && overlap > 0.1 * size && other.y - self.y > 0.5 * size
    }

    /// Whether `next` stands above this and not beside it: text does not go on there.
    pub(super) fn jumps_back_to(&self, next: &Line) -> bool {
        let is_beside = next.x >= self.end || next.end <= self.x;
        self.turn == next.turn && next.y < self.y - 0.5 * self.size && !is_beside
    }
}

/// The lines in the order in which the page draws them.
pub(super) fn lines(glyphs: Vec<Glyph>) -> Vec<Line> {
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
