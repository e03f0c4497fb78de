//! Values of form fields and text of notes that the document has without a drawing of them: viewers draw it themselves.

use hayro_interpret::hayro_syntax::object::dict::keys::{
    ANNOTS, AP, CONTENTS, DA, F, FF, FT, N, PARENT, RECT, SUBTYPE, V,
};
use hayro_interpret::hayro_syntax::object::{Array, Dict, Name, Object, Rect, Stream, String as PdfString};
use hayro_interpret::hayro_syntax::page::Page;
use hayro_interpret::kurbo::{Affine, Point};

use super::glyph::Glyph;
use super::replacement::{decode_text, text_of_line};

/// Flags of annotations that no page shows (ISO 32000-2, 12.5.3), and of fields for passwords (12.7.5.3).
const HIDDEN: i64 = 1 << 1 | 1 << 5;
const PASSWORD: i64 = 1 << 13;

/// The longest chain of fields that inherit from each other.
const MAX_DEPTH: usize = 32;

/// The height of a font that the document does not have, and the part of it from one line to the next.
const USUAL: f64 = 12.0;
const LINE: f64 = 1.2;
/// The usual width of letters, in heights of the font.
const WIDTH: f64 = 0.5;

/// The text that viewers draw on `page`, which `transform` turns and moves to its place.
pub(super) fn drawn_by_viewers(page: &Page<'_>, transform: Affine) -> Vec<Glyph> {
    let mut glyphs = Vec::new();
    for annotation in page.raw().get::<Array<'_>>(ANNOTS).iter().flat_map(|array| array.iter::<Dict<'_>>()) {
        if annotation.get::<i64>(F).unwrap_or(0) & HIDDEN != 0 || has_text(&annotation) {
            continue;
        }
        let text = match annotation.get::<Name<'_>>(SUBTYPE) {
            Some(kind) if *kind == *b"Widget" => value(&annotation),
            Some(kind) if *kind == *b"FreeText" => annotation.get::<PdfString<'_>>(CONTENTS),
            _ => None,
        };
        if let (Some(text), Some(area)) = (text, annotation.get::<Rect>(RECT)) {
            glyphs.extend(lines(&decode_text(text.as_bytes()), &annotation, area, transform));
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
        // States of a button.
        Some(Object::Dict(_)) => true,
        _ => false,
    }
}

/// The text of the field that is `widget`, or that it is a part of.
fn value<'a>(widget: &Dict<'a>) -> Option<PdfString<'a>> {
    let (mut value, mut kind, mut flags) = (None, None, None);
    let mut field = Some(widget.clone());
    for _ in 0..MAX_DEPTH {
        let Some(part) = field else { break };
        value = value.or_else(|| part.get::<PdfString<'_>>(V));
        kind = kind.or_else(|| part.get::<Name<'_>>(FT));
        flags = flags.or_else(|| part.get::<i64>(FF));
        field = part.get::<Dict<'_>>(PARENT);
    }
    let is_text = kind.is_some_and(|kind| *kind == *b"Tx" || *kind == *b"Ch");
    value.filter(|_| is_text && flags.unwrap_or(0) & PASSWORD == 0)
}

/// The lines of `text` from the top of `area`; a single one is at its middle.
fn lines(text: &str, annotation: &Dict<'_>, area: Rect, transform: Affine) -> Vec<Glyph> {
    let size = font_size(annotation).unwrap_or_else(|| (0.7 * area.height()).clamp(1.0, USUAL));
    let lines: Vec<String> = text.split(['\r', '\n']).map(text_of_line).collect();
    let first = match lines.len() {
        1 => f64::midpoint(area.y0, area.y1) - 0.35 * size,
        _ => area.y1 - size,
    };
    let mut y = first + LINE * size;
    let placed = lines.into_iter().filter_map(|text| {
        y -= LINE * size;
        let start = transform * Point::new(area.x0, y);
        let letters = f64::from(u32::try_from(text.chars().count()).unwrap_or(u32::MAX));
        let end = start.x + (WIDTH * size * letters).min(area.width());
        (!text.is_empty()).then_some(Glyph { text, x: start.x, y: start.y, end, size, turn: 0 })
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
