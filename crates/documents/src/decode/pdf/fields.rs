//! Fields of forms: the text that viewers draw for them, and its place among the text of the page.

use hayro_interpret::hayro_syntax::object::dict::keys::{
    ANNOTS, F, FF, FT, OPT, PARENT, RECT, SUBTYPE, TI, V,
};
use hayro_interpret::hayro_syntax::object::{Array, Dict, Name, Object, Rect, String as PdfString};
use hayro_interpret::hayro_syntax::page::Page;
use hayro_interpret::kurbo::{Affine, Point};

use super::glyph::Glyph;
use super::line::is_level;
use super::replacement::decode_text;

/// Flags of annotations that no page shows (ISO 32000-2, 12.5.3), of fields for passwords (12.7.5.3), and of lists that
/// show one line (12.7.5.4).
const HIDDEN: i64 = 1 << 1 | 1 << 5;
const PASSWORD: i64 = 1 << 13;
const COMBO: i64 = 1 << 17;

/// The longest chain of fields that inherit from each other.
const MAX_DEPTH: usize = 32;

/// How far glyphs of one word and its neighbours are apart, and how far they may lie over each other, in heights of the font.
const WORDS_APART: f64 = 1.0;
const OVERLAP: f64 = 0.3;

/// The notes and fields that `page` shows.
pub(super) fn annotations<'a>(page: &Page<'a>) -> impl Iterator<Item = Dict<'a>> {
    let all = page.raw().get::<Array<'a>>(ANNOTS);
    let shown = |annotation: &Dict<'a>| annotation.get::<i64>(F).unwrap_or(0) & HIDDEN == 0;
    all.into_iter().flat_map(|all| all.iter::<Dict<'a>>()).filter(shown)
}

/// Whether the annotation is a part of a form.
pub(super) fn is_field(annotation: &Dict<'_>) -> bool {
    annotation.get::<Name<'_>>(SUBTYPE).is_some_and(|kind| kind.as_ref() == b"Widget")
}

/// The text of the field that is `widget`, or that it is a part of, and whether it is a list, which ends with its box.
pub(super) fn value(widget: &Dict<'_>) -> Option<(String, bool)> {
    let (mut value, mut kind, mut flags, mut options) = (None, None, None, None);
    let mut field = Some(widget.clone());
    for _ in 0..MAX_DEPTH {
        let Some(part) = field else { break };
        value = value.or_else(|| part.get::<PdfString<'_>>(V));
        kind = kind.or_else(|| part.get::<Name<'_>>(FT));
        flags = flags.or_else(|| part.get::<i64>(FF));
        options = options.or_else(|| part.get::<Array<'_>>(OPT));
        field = part.get::<Dict<'_>>(PARENT);
    }
    let (kind, flags) = (kind?, flags.unwrap_or(0));
    let text = |string: PdfString<'_>| decode_text(string.as_bytes());
    let options: Vec<(String, String)> =
        options.iter().flat_map(|options| options.iter::<Object<'_>>()).filter_map(option).collect();
    match kind.as_ref() {
        b"Tx" => value.filter(|_| flags & PASSWORD == 0).map(|value| (text(value), false)),
        b"Ch" if flags & COMBO == 0 && !options.is_empty() => {
            let first = widget.get::<usize>(TI).unwrap_or(0);
            let shown: Vec<String> = options.into_iter().skip(first).map(|(_, shown)| shown).collect();
            Some((shown.join("\n"), true))
        }
        b"Ch" => {
            let value = text(value?);
            let shown = options.into_iter().find(|(stored, _)| *stored == value).map(|(_, shown)| shown);
            Some((shown.unwrap_or(value), false))
        }
        _ => None,
    }
}

/// What the field stores for a line of a list, and what it shows.
fn option(line: Object<'_>) -> Option<(String, String)> {
    let text = |line: Object<'_>| line.into_string().map(|string| decode_text(string.as_bytes()));
    if let Object::Array(pair) = line {
        let mut pair = pair.iter::<Object<'_>>().filter_map(text);
        return Some((pair.next()?, pair.next()?));
    }
    text(line).map(|text| (text.clone(), text))
}

/// The part of `drawn`, glyphs of annotations, that fields of `page` have.
pub(super) fn split(drawn: Vec<Glyph>, page: &Page<'_>, transform: Affine) -> (Vec<Glyph>, Vec<Glyph>) {
    let boxes: Vec<Rect> = annotations(page).filter(is_field).filter_map(|field| field.get(RECT)).collect();
    let back = transform.inverse();
    drawn.into_iter().partition(|glyph| {
        let Point { x, y } = back * glyph.middle();
        boxes.iter().any(|area| (area.x0..=area.x1).contains(&x) && (area.y0..=area.y1).contains(&y))
    })
}

/// Puts each word of `fields` beside the nearest text of its row, so that it is a part of that line.
pub(super) fn put(fields: &[Glyph], glyphs: &mut Vec<Glyph>) {
    let goes_on = |a: &Glyph, b: &Glyph| {
        let gap = (b.x - a.end) / a.size.max(b.size);
        is_in_row(a, b) && (-OVERLAP..WORDS_APART).contains(&gap)
    };
    for word in fields.chunk_by(goes_on) {
        if word.iter().any(Glyph::has_text) {
            let at = beside(word, glyphs).unwrap_or(glyphs.len());
            glyphs.splice(at..at, word.iter().cloned());
        }
    }
}

/// The place of `word` in `glyphs`: after its nearest neighbour on the left, or before the one on the right.
fn beside(word: &[Glyph], glyphs: &[Glyph]) -> Option<usize> {
    let (first, last) = (word.first()?, word.last()?);
    let neighbour = |(at, glyph): (usize, &Glyph)| {
        let [left, right] = [first.x - glyph.end, glyph.x - last.end];
        let goes_left = at > 0 && is_in_row(&glyphs[at - 1], glyph) && glyphs[at - 1].x > glyph.x;
        let (gap, at) = if left > right { (left, at + 1) } else { (right, at + usize::from(goes_left)) };
        (gap > -OVERLAP * first.size).then_some((gap, at))
    };
    let row = glyphs.iter().enumerate().filter(|(_, glyph)| glyph.has_text() && is_in_row(first, glyph));
    row.filter_map(neighbour).min_by(|a, b| a.0.total_cmp(&b.0)).map(|(_, at)| at)
}

fn is_in_row(a: &Glyph, b: &Glyph) -> bool {
    a.turn == b.turn && is_level((a.y, a.size), (b.y, b.size))
}
