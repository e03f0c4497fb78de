//! Lines of glyphs that stand beside each other, with blanks between words.

use super::direction::{is_marks, is_right_to_left, visual};
use super::glyph::Glyph;
use super::to_unicode::SILENT;
use crate::decode::numerals::Script;

/// How far a line may lie above and below its base line, in heights of the font.
const ABOVE: f64 = 0.75;
const BELOW: f64 = 0.25;

/// How much smaller raised and lowered digits are than the others, how far they are raised and lowered, and the most that
/// is between them, in heights of the font.
const SMALLER: f64 = 0.85;
const RISE: f64 = 0.2;
const DROP: f64 = 0.1;
const NEAR: f64 = 0.1;

#[derive(Clone, Debug, Default)]
pub(super) struct Line {
    /// From left to right, in every script.
    pub(super) text: String,
    pub(super) x: f64,
    pub(super) end: f64,
    pub(super) y: f64,
    pub(super) size: f64,
    pub(super) turn: u16,
    /// The start of its last glyph.
    last: f64,
    is_right_to_left: bool,
    /// The gaps between glyphs.
    gaps: Vec<Gap>,
    /// Raised or lowered digits, and their offset in the text.
    digits: Option<(usize, String)>,
    /// Base line and size of the last glyph before them.
    base: (f64, f64),
    /// The offset of the marks of the next letter: programs draw them before it.
    marks: Option<usize>,
}

impl Line {
    fn of(glyph: Glyph) -> Self {
        let Glyph { text, x, y, end, size, turn } = glyph;
        let is_right_to_left = is_right_to_left(&text);
        Line {
            text: visual(text),
            x,
            end,
            y,
            size,
            turn,
            last: x,
            is_right_to_left,
            base: (y, size),
            ..Line::default()
        }
    }

    /// Whether `glyph` follows on the right.
    fn is_followed_by(&self, glyph: &Glyph) -> bool {
        let size = self.size.max(glyph.size);
        let is_left = || glyph.end < self.last + 0.1 * size && is_right_to_left(&glyph.text);
        self.is_level_with(glyph.turn, glyph.y, glyph.size) && glyph.x > self.end - 0.5 * size && !is_left()
    }

    /// Whether `next` stands beside this on the left, where text of right-to-left scripts goes on.
    fn is_right_of(&self, next: &Line) -> bool {
        let is_left = next.x < self.x && next.end < self.x + 0.5 * self.size.max(next.size);
        is_left && self.is_level_with(next.turn, next.y, next.size)
    }

    /// This and `next`, which stands on the right.
    pub(super) fn join(mut self, next: Line) -> Self {
        let start = self.text.len();
        self.gaps.push(Gap { at: start, width: self.gap_to(next.x, next.size), has_blank: false });
        self.gaps.extend(next.gaps.into_iter().map(|gap| Gap { at: start + gap.at, ..gap }));
        self.text.push_str(&next.text);
        self.end = self.end.max(next.end);
        self.is_right_to_left |= next.is_right_to_left;
        self
    }

    /// The gap to what begins at `x` with a font of `size`, in heights of the larger font.
    fn gap_to(&self, x: f64, size: f64) -> f64 {
        (x - self.end) / self.size.max(size)
    }

    /// The text, with blanks in the gaps that separate words.
    pub(super) fn separate_words(mut self) -> Self {
        // A row of spaced digits may be numbers.
        let is_word = !self.text.contains(|c: char| c.is_numeric());
        let spaced = blank_between_spaced(&self.gaps).filter(|_| is_word);
        let least = spaced.unwrap_or_else(|| min_word_gap(&self.gaps));
        for gap in self.gaps.drain(..).rev() {
            if gap.separates(least) {
                self.text.insert(gap.at, ' ');
            }
        }
        self
    }

    /// Whether text with this base line and size stands in the same row.
    pub(super) fn is_level_with(&self, turn: u16, y: f64, size: f64) -> bool {
        self.turn == turn && is_level((self.y, self.size), (y, size))
    }

    fn push(&mut self, glyph: Glyph, has_blank: bool) {
        self.is_right_to_left |= is_right_to_left(&glyph.text);
        if is_marks(&glyph.text) {
            self.marks.get_or_insert(self.text.len());
            self.text.push_str(&visual(glyph.text));
            return;
        }
        let gap = self.gap_to(glyph.x, glyph.size);
        let start = self.marks.take().unwrap_or(self.text.len());
        match self.script(&glyph).filter(|_| !has_blank && gap < NEAR) {
            Some(script) => {
                let (_, digits) = self.digits.get_or_insert_with(|| (self.text.len(), String::new()));
                digits.push_str(&glyph.text);
                self.text.push_str(&script.of(&glyph.text));
            }
            None => {
                self.end_digits(&glyph.text);
                self.gaps.push(Gap { at: start.min(self.text.len()), width: gap, has_blank });
                self.base = (glyph.y, glyph.size);
                self.text.push_str(&visual(glyph.text));
            }
        }
        (self.last, self.end) = (glyph.x, glyph.end);
        if glyph.size > self.size {
            (self.y, self.size) = (glyph.y, glyph.size);
        }
    }

    /// Whether `glyph` is a raised or lowered digit after another digit: as text of one line, both were another number.
    fn script(&self, glyph: &Glyph) -> Option<Script> {
        let is_digit = !glyph.text.is_empty() && glyph.text.chars().all(|c| c.is_ascii_digit());
        let goes_on = self.digits.is_some() || self.text.ends_with(|c: char| c.is_ascii_digit());
        let (y, size) = self.base;
        let rise = (y - glyph.y) / size;
        match is_digit && goes_on && glyph.size < SMALLER * size {
            true if rise > RISE => Some(Script::Raised),
            true if rise < -DROP => Some(Script::Lowered),
            _ => None,
        }
    }

    /// Ends raised or lowered digits. Those of a fraction such as 2½ are not an exponent.
    fn end_digits(&mut self, next: &str) {
        if let Some((start, digits)) = self.digits.take()
            && matches!(next, "/" | "\u{2044}")
        {
            self.text.truncate(start);
            self.text.push(' ');
            self.text.push_str(&digits);
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

/// Whether texts with these base lines and sizes stand in one row.
pub(super) fn is_level((y, size): (f64, f64), (other_y, other_size): (f64, f64)) -> bool {
    let top = (y - ABOVE * size).max(other_y - ABOVE * other_size);
    let bottom = (y + BELOW * size).min(other_y + BELOW * other_size);
    bottom - top > 0.4 * size.min(other_size)
}

/// The lines in the order in which the page draws them.
pub(super) fn lines(glyphs: Vec<Glyph>) -> Vec<Line> {
    let mut lines: Vec<Line> = Vec::new();
    let mut has_blank = false;
    for glyph in glyphs {
        let line = lines.last_mut().filter(|line| line.is_followed_by(&glyph));
        match (glyph.text.chars().next(), line) {
            (None, _) => has_blank = true,
            (Some(SILENT), line) => {
                line.filter(|_| !has_blank).into_iter().for_each(|line| line.end = glyph.end)
            }
            (_, line) => {
                match line {
                    Some(line) => line.push(glyph, has_blank),
                    None => lines.push(Line::of(glyph)),
                }
                has_blank = false;
            }
        }
    }
    leftwards_joined(lines)
}

/// The lines, with parts joined that were drawn from right to left.
fn leftwards_joined(lines: Vec<Line>) -> Vec<Line> {
    let mut joined = Vec::with_capacity(lines.len());
    let mut parts: Vec<Line> = Vec::new();
    let mut is_right_to_left = false;
    for line in lines {
        is_right_to_left |= line.is_right_to_left;
        if parts.last().is_some_and(|part| !is_right_to_left || !part.is_right_of(&line)) {
            joined.extend(rightwards(&mut parts));
            is_right_to_left = line.is_right_to_left;
        }
        parts.push(line);
    }
    joined.extend(rightwards(&mut parts));
    joined
}

/// `parts` as one line: each stands left of the one before.
fn rightwards(parts: &mut Vec<Line>) -> Option<Line> {
    parts.drain(..).rev().reduce(Line::join)
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
struct Gap {
    /// The offset in the text.
    at: usize,
    /// The width in heights of the font.
    width: f64,
    /// The document has a blank there, too.
    has_blank: bool,
}

impl Gap {
    /// Whether the gap separates words, if one of `least` does.
    fn separates(&self, least: f64) -> bool {
        self.width > if self.has_blank { MARKED_BLANK } else { least }
    }
}

/// The least of the `gaps` of a line that separates words: headlines and condensed type have words that are closer to each
/// other than most, but farther than their letters.
fn min_word_gap(gaps: &[Gap]) -> f64 {
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
fn blank_between_spaced(gaps: &[Gap]) -> Option<f64> {
    let mut widths: Vec<f64> = gaps.iter().filter(|gap| !gap.has_blank).map(|gap| gap.width).collect();
    widths.sort_by(f64::total_cmp);
    let usual = widths.get(widths.len() / 2).copied()?;
    // Blanks of the document that are wider show that the other gaps are inside words, however wide.
    let mut blanks = gaps.iter().filter(|gap| gap.has_blank).peekable();
    let has_blanks = blanks.peek().is_some() && blanks.all(|blank| blank.width > usual + JUMP);
    if !(BLANK..if has_blanks { 1.0 } else { SPACED }).contains(&usual) {
        return None;
    }
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

#[cfg(test)]
mod tests {
    use super::*;

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
        // Blanks of the document show that wider gaps are inside words.
        let spaced = |blank: f64| {
            let gap = |at: usize| {
                let has_blank = at % 8 == 7;
                Gap { at, width: if has_blank { blank } else { 0.4 }, has_blank }
            };
            blank_between_spaced(&(0..24).map(gap).collect::<Vec<_>>())
        };
        assert!(spaced(0.9).is_some_and(|least| least > 0.5));
        assert_eq!(spaced(0.3), None);
    }

    #[test]
    fn a_document_with_blanks_needs_less() {
        let gap = Gap { at: 0, width: 0.06, has_blank: true };
        assert!(gap.separates(least(&[0, 0, 0, 0, 0, 0, 0, 0, 6], true)));
        assert!(!Gap { has_blank: false, ..gap }.separates(least(&[0, 0, 0, 0, 0, 0, 0, 0, 6], true)));
    }
}
