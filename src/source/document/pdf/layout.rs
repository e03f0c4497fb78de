//! From glyphs to lines of text, in the order in which the document draws them.

use super::device::Glyph;

/// A gap that separates words, in heights of the font.
const BLANK: f64 = 0.15;

/// The text of a page: lines that end with a newline.
pub(super) fn text(glyphs: Vec<Glyph>) -> String {
    let mut text = String::new();
    let mut last: Option<Glyph> = None;
    let mut has_blank = false;
    for glyph in glyphs {
        if glyph.text.is_empty() {
            has_blank = true;
            continue;
        }
        if let Some(before) = &last {
            let size = before.size.max(glyph.size);
            let gap = glyph.x - before.end;
            let follows =
                before.turn == glyph.turn && (glyph.y - before.y).abs() < 0.5 * size && gap > -0.5 * size;
            if !follows {
                text.push('\n');
            } else if gap > BLANK * size || has_blank && gap > 0.05 * size {
                text.push(' ');
            }
        }
        text.push_str(&glyph.text);
        has_blank = false;
        last = Some(glyph);
    }
    if !text.is_empty() {
        text.push('\n');
    }
    text
}
