//! The device that takes down glyphs and where they stand on the page.

use std::collections::HashMap;

use hayro_interpret::font::{Glyph as FontGlyph, GlyphRun, PositionedGlyph};
use hayro_interpret::hayro_cmap::WritingMode;
use hayro_interpret::hayro_syntax::object::Dict;
use hayro_interpret::kurbo::{Affine, BezPath, Point, Rect, Shape as _};
use hayro_interpret::{BlendMode, ClipPath, Device, DrawMode, DrawProps, Image, ImageDrawProps, SoftMask};

use super::embedded::EmbeddedFonts;
use super::glyph::{Glyph, text_of};
use super::layout::Seen;
use super::replacement::Replacement;

/// Units of a glyph's own space in the height of the font.
const EM: f64 = 1000.0;

/// How many times the advance of a glyph may be that of the usual one of its font.
const SAME_FONT: f64 = 2.0;

/// A gap between words of one operation, in heights of the font.
const WORD: f64 = 0.15;

#[derive(Default)]
pub(super) struct TextDevice {
    /// The part of the page that shows what is drawn now; the first is the page itself.
    shown: Vec<Rect>,
    pub(super) glyphs: Vec<Glyph>,
    /// Fonts, which pages share.
    pub(super) fonts: EmbeddedFonts,
    /// The glyphs that one operation draws.
    run: Vec<Glyph>,
    seen: Seen,
    replacement: Replacement,
    /// Whether the page shows a picture.
    pub(super) has_picture: bool,
    /// The usual advance of drawn glyphs at each scale of their font, and the scale of the last one.
    usual: HashMap<i64, f64>,
    scale: f64,
}

impl TextDevice {
    /// A device for a page that shows `area`.
    pub(super) fn new(area: Rect, fonts: EmbeddedFonts) -> Self {
        TextDevice { shown: vec![area], fonts, ..TextDevice::default() }
    }

    /// Restricts what follows to `area` within the current clip.
    fn clip(&mut self, area: Rect) {
        let shown = self.shown.last().map_or(area, |shown| shown.intersect(area));
        self.shown.push(shown);
    }

    /// Removes the words of the run that the page does not show. A word of which it shows a part stays whole: the part
    /// might be another number.
    fn remove_hidden(&mut self) {
        let Some(shown) = self.shown.last().copied() else { return };
        if self.run.iter().all(|glyph| shown.contains(glyph.middle())) {
            return;
        }
        let run = std::mem::take(&mut self.run);
        let separates =
            |a: &Glyph, b: &Glyph| a.text.is_empty() || b.text.is_empty() || b.x - a.end > WORD * a.size;
        for word in run.chunk_by(|a, b| !separates(a, b)) {
            if word.iter().any(|glyph| shown.contains(glyph.middle())) {
                self.run.extend_from_slice(word);
            }
        }
    }

    /// `glyph` in the frame of its text, if it has a place and a size.
    fn placed(&mut self, glyph: &PositionedGlyph<'_>, transform: Affine, is_vertical: bool) -> Option<Glyph> {
        let transform = transform * glyph.transform();
        let width = match &**glyph {
            FontGlyph::Outline(outline) => outline.advance_width(),
            FontGlyph::Type3(drawn) => drawn.advance_width(),
        };
        let along = if is_vertical { Point::new(0.0, -EM) } else { Point::new(EM, 0.0) };
        let advance = if is_vertical { 1.0 } else { f64::from(width.unwrap_or(0.0)) / EM };
        let origin = transform * Point::ORIGIN;
        let run = transform * along - origin;
        let rise = transform * Point::new(0.0, EM) - origin;
        let size = match &**glyph {
            FontGlyph::Type3(_) => self.size_of_drawn(run.length(), run.length() * advance),
            FontGlyph::Outline(_) if is_vertical => run.length(),
            FontGlyph::Outline(_) => rise.length(),
        };
        if !(origin.is_finite() && run.is_finite() && size.is_finite() && size > 0.0) {
            return None;
        }
        let (turn, angle) = direction(run.y.atan2(run.x));
        let (sin, cos) = angle.sin_cos();
        let (x, y) = (origin.x * cos + origin.y * sin, origin.y * cos - origin.x * sin);
        let end = x + run.length() * advance;
        Some(Glyph { text: text_of(glyph, &mut self.fonts), x, y, end, size, turn })
    }

    /// The height of a font of drawings, which may use any unit: twice the usual advance of its glyphs at this `scale`.
    fn size_of_drawn(&mut self, scale: f64, advance: f64) -> f64 {
        let before = self.usual.get(&bucket(self.scale)).copied().unwrap_or(0.0);
        // At a new scale, the glyphs of the same font are smaller or larger.
        let start = if self.scale > 0.0 { before * scale / self.scale } else { 0.0 };
        let is_far = |usual: f64, most: f64| advance > most * usual || advance < usual / most;
        let start = if is_far(start, SAME_FONT) { advance } else { start };
        let usual = self.usual.entry(bucket(scale)).or_insert(start);
        // Marks that are set over a letter have no advance.
        if advance > 0.0 {
            *usual = if is_far(*usual, 4.0) { advance } else { 0.9 * *usual + 0.1 * advance };
        }
        self.scale = scale;
        2.0 * *usual
    }
}

/// The number that scales have in common which differ by noise alone.
#[allow(clippy::cast_possible_truncation)]
fn bucket(scale: f64) -> i64 {
    (scale.ln() * 32.0).round() as i64
}

/// `angle` in whole degrees, 0 to 359, and in radians again.
fn direction(angle: f64) -> (u16, f64) {
    let degrees = angle.to_degrees().round().rem_euclid(360.0);
    #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss)]
    let turn = degrees as u16;
    (turn % 360, degrees.to_radians())
}

impl Device<'_> for TextDevice {
    /// Invisible text too: it is what a scanner read in a picture.
    fn draw_glyph_run(&mut self, run: &GlyphRun<'_, '_>, props: DrawProps<'_>, _: &DrawMode) {
        let is_vertical = matches!(run.writing_mode(), WritingMode::Vertical);
        for glyph in run.glyphs() {
            let placed = self.placed(glyph, props.transform, is_vertical);
            self.run.extend(placed);
        }
        self.remove_hidden();
        self.seen.remove_from(&mut self.run);
        for glyph in self.run.drain(..) {
            self.replacement.put(glyph, &mut self.glyphs);
        }
    }

    fn draw_image(&mut self, _: Image<'_, '_>, _: ImageDrawProps<'_>) {
        self.has_picture = true;
    }

    fn draw_path(&mut self, _: &BezPath, _: DrawProps<'_>, _: &DrawMode) {}

    fn push_clip_path(&mut self, path: &ClipPath) {
        self.clip(path.path.bounding_box());
    }

    fn push_clip_rect(&mut self, area: &Rect) {
        self.clip(*area);
    }

    fn push_transparency_group(&mut self, _: f32, _: Option<SoftMask<'_>>, _: BlendMode) {}

    fn pop_clip(&mut self) {
        // The page itself stays.
        if self.shown.len() > 1 {
            self.shown.pop();
        }
    }

    fn pop_transparency_group(&mut self) {}

    fn begin_marked_content(&mut self, _: &[u8], properties: Option<&Dict<'_>>) {
        self.replacement.begin(properties);
    }

    fn end_marked_content(&mut self) {
        self.replacement.end();
    }
}
