//! Fields of forms and notes: the text that viewers draw for them, and the place of fields among the text of the page.

use hayro_interpret::hayro_syntax::object::dict::keys::{
    ANNOTS, AP, AS, CONTENTS, DA, F, FF, FT, N, OPT, PARENT, RECT, SUBTYPE, TI, V,
};
use hayro_interpret::hayro_syntax::object::{Array, Dict, Name, Object, Rect, Stream, String as PdfString};
use hayro_interpret::hayro_syntax::page::Page;
use hayro_interpret::kurbo::{Affine, Point};

use super::glyph::Glyph;
use super::line::is_level;
use super::replacement::{decode_text, text_of_line};

/// Flags of annotations that no page shows (ISO 32000-2, 12.5.3), of fields for passwords (12.7.5.3), and of lists that
/// show one line (12.7.5.4).
const HIDDEN: i64 = 1 << 1 | 1 << 5;
const PASSWORD: i64 = 1 << 13;
const COMBO: i64 = 1 << 17;

/// The longest chain of fields that inherit from each other.
const MAX_DEPTH: usize = 32;

/// How far glyphs of one word are apart, how far they may lie over each other, and how far over their neighbours, in heights
/// of the font.
const WORDS_APART: f64 = 1.0;
const OVERLAP: f64 = 0.3;
const TOUCH: f64 = 0.1;
/// The edge of a field separates words where no gap does: so much of its first and of its last glyph is a gap, in heights of
/// the font.
const EDGE: f64 = 0.25;

/// The notes and fields that `page` shows.
fn annotations<'a>(page: &Page<'a>) -> impl Iterator<Item = Dict<'a>> {
    let all = page.raw().get::<Array<'a>>(ANNOTS);
    let shown = |annotation: &Dict<'a>| annotation.get::<i64>(F).unwrap_or(0) & HIDDEN == 0;
    all.into_iter().flat_map(|all| all.iter::<Dict<'a>>()).filter(shown)
}

/// Whether the annotation is a part of a form.
fn is_field(annotation: &Dict<'_>) -> bool {
    annotation.get::<Name<'_>>(SUBTYPE).is_some_and(|kind| kind.as_ref() == b"Widget")
}

/// The text of the field that is `widget`, or that it is a part of, and whether it is a list, which ends with its box.
fn value(widget: &Dict<'_>) -> Option<(String, bool)> {
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
        // The state of a box or of a button in a group; of a push button, none.
        b"Btn" => {
            let is_on = widget.get::<Name<'_>>(AS).is_some_and(|state| state.as_ref() != b"Off");
            is_on.then(|| ("✔".to_owned(), false))
        }
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

/// The value that the field stores for a line of a list, and the text that it shows.
fn option(line: Object<'_>) -> Option<(String, String)> {
    let text = |line: Object<'_>| line.into_string().map(|string| decode_text(string.as_bytes()));
    if let Object::Array(pair) = line {
        let mut pair = pair.iter::<Object<'_>>().filter_map(text);
        return Some((pair.next()?, pair.next()?));
    }
    text(line).map(|text| (text.clone(), text))
}

/// The height of a font that the document does not have, and the part of it from one line to the next.
const USUAL: f64 = 12.0;
const LINE: f64 = 1.2;
/// The usual width of letters, in heights of the font.
const WIDTH: f64 = 0.5;

/// The text that viewers draw on `page`, which `transform` turns and moves to its place: of fields, or of notes.
pub(super) fn drawn_by_viewers(page: &Page<'_>, transform: Affine, of_fields: bool) -> Vec<Glyph> {
    let mut glyphs = Vec::new();
    for annotation in annotations(page).filter(|annotation| is_field(annotation) == of_fields) {
        let is_note = annotation.get::<Name<'_>>(SUBTYPE).is_some_and(|kind| kind.as_ref() == b"FreeText");
        let note = || annotation.get::<PdfString<'_>>(CONTENTS).filter(|_| is_note);
        let note = || note().map(|text| (decode_text(text.as_bytes()), false));
        let text = if of_fields { value(&annotation) } else { note() };
        if let (Some((text, is_list)), Some(area)) = (text, annotation.get::<Rect>(RECT))
            && !has_text(&annotation)
        {
            glyphs.extend(lines(&text, &annotation, area, transform, is_list));
        }
    }
    glyphs
}

/// Whether the annotation has a drawing with text.
fn has_text(annotation: &Dict<'_>) -> bool {
    let shows = |stream: &Stream<'_>| {
        let content = stream.decoded_data().unwrap_or_default();
        // A form inside may have any text.
        [&b"Tj"[..], b"TJ", b"'", b"\"", b"Do"]
            .iter()
            .any(|operator| memchr::memmem::find(&content, operator).is_some())
    };
    match annotation.get::<Dict<'_>>(AP).and_then(|drawing| drawing.get::<Object<'_>>(N)) {
        Some(Object::Stream(stream)) => shows(&stream),
        // States of a button, of which one is drawn.
        Some(Object::Dict(states)) => {
            let state = annotation.get::<Name<'_>>(AS);
            state.and_then(|state| states.get::<Stream<'_>>(state)).is_none_or(|stream| shows(&stream))
        }
        _ => false,
    }
}

/// The lines of `text` from the top of `area`; a single one that is not of a list is at its middle.
fn lines(text: &str, annotation: &Dict<'_>, area: Rect, transform: Affine, is_list: bool) -> Vec<Glyph> {
    let size = font_size(annotation).unwrap_or_else(|| (0.7 * area.height()).clamp(1.0, USUAL));
    let lines: Vec<String> = text.split(['\r', '\n']).map(text_of_line).collect();
    let first = match lines.len() {
        1 if !is_list => f64::midpoint(area.y0, area.y1) - 0.35 * size,
        _ => area.y1 - size,
    };
    let mut y = first + LINE * size;
    let placed = lines.into_iter().filter_map(|text| {
        y -= LINE * size;
        let start = transform * Point::new(area.x0, y);
        let letters = f64::from(u32::try_from(text.chars().count()).unwrap_or(u32::MAX));
        let end = start.x + (WIDTH * size * letters).min(area.width());
        // A list shows no line outside of its box.
        let is_shown = !text.is_empty() && (!is_list || y >= area.y0);
        is_shown.then_some(Glyph { text, x: start.x, y: start.y, end, size, turn: 0 })
    });
    placed.collect()
}

/// The size in the default appearance, such as `/Helv 12 Tf`; 0 means that viewers choose one.
fn font_size(annotation: &Dict<'_>) -> Option<f64> {
    let appearance = annotation.get::<PdfString<'_>>(DA)?;
    let text = String::from_utf8_lossy(appearance.as_bytes()).into_owned();
    let words: Vec<&str> = text.split_whitespace().collect();
    let at = words.iter().position(|word| *word == "Tf")?;
    words.get(at.checked_sub(1)?)?.parse().ok().filter(|size: &f64| size.is_finite() && *size > 0.0)
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
    for word in fields.chunk_by(goes_on).filter(|word| word.iter().any(Glyph::has_text)) {
        let (at, mut word) = (beside(word, glyphs).unwrap_or(glyphs.len()), word.to_vec());
        word.first_mut().into_iter().for_each(|first| first.x += EDGE * first.size);
        word.last_mut().into_iter().for_each(|last| last.end -= EDGE * last.size);
        glyphs.splice(at..at, word);
    }
}

/// The place of `word` in `glyphs`: after its nearest neighbour on the left, or before the one on the right.
fn beside(word: &[Glyph], glyphs: &[Glyph]) -> Option<usize> {
    let (first, last) = (word.first()?, word.last()?);
    let neighbour = |(at, glyph): (usize, &Glyph)| {
        let [left, right] = [first.x - glyph.end, glyph.x - last.end];
        let goes_left = at > 0 && is_in_row(&glyphs[at - 1], glyph) && glyphs[at - 1].x > glyph.x;
        let (gap, at) = if left > right { (left, at + 1) } else { (right, at + usize::from(goes_left)) };
        (gap > -TOUCH * first.size).then_some((gap, at))
    };
    let row = glyphs.iter().enumerate().filter(|(_, glyph)| glyph.has_text() && is_in_row(first, glyph));
    row.filter_map(neighbour).min_by(|a, b| a.0.total_cmp(&b.0)).map(|(_, at)| at)
}

fn is_in_row(a: &Glyph, b: &Glyph) -> bool {
    a.turn == b.turn && is_level((a.y, a.size), (b.y, b.size))
}
