//! The device that takes down glyphs and where they stand on the page.

use hayro_interpret::font::{Glyph as FontGlyph, GlyphRun, PositionedGlyph};
use hayro_interpret::hayro_cmap::WritingMode;
use hayro_interpret::hayro_syntax::object::Dict;
use hayro_interpret::kurbo::{Affine, BezPath, Point};
use hayro_interpret::{BlendMode, ClipPath, Device, DrawMode, DrawProps, Image, ImageDrawProps, SoftMask};

use super::glyph::{Glyph, text_of};
use super::repeat::Seen;
use super::replacement::Replacement;

/// Units of a glyph's own space in the height of the font.
const EM: f64 = 1000.0;

#[derive(Default)]
pub(super) struct TextDevice {
    pub(super) glyphs: Vec<Glyph>,
    /// What one operation draws.
    run: Vec<Glyph>,
    seen: Seen,
    replacement: Replacement,
    has_picture: bool,
    /// The usual advance of drawn glyphs.
    usual: f64,
}

impl TextDevice {
    /// Whether the page shows a picture.
    pub(super) fn is_picture(&self) -> bool {
        self.has_picture
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
            FontGlyph::Type3(_) => self.size_of_drawn(run.length() * advance),
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
        Some(Glyph { text: text_of(glyph), x, y, end, size, turn })
    }

    /// The height of a font of drawings, which may use any unit: twice the usual advance of its glyphs.
    fn size_of_drawn(&mut self, advance: f64) -> f64 {
        // Marks that are set over a letter have no advance.
        if advance > 0.0 {
            let is_other = advance > 4.0 * self.usual || advance < self.usual / 4.0;
            self.usual = if is_other { advance } else { 0.9 * self.usual + 0.1 * advance };
        }
        2.0 * self.usual
    }
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
        self.seen.remove_from(&mut self.run);
        for glyph in self.run.drain(..) {
            self.replacement.put(glyph, &mut self.glyphs);
        }
    }

    fn draw_image(&mut self, _: Image<'_, '_>, _: ImageDrawProps<'_>) {
        self.has_picture = true;
    }

    fn draw_path(&mut self, _: &BezPath, _: DrawProps<'_>, _: &DrawMode) {}

    fn push_clip_path(&mut self, _: &ClipPath) {}

    fn push_transparency_group(&mut self, _: f32, _: Option<SoftMask<'_>>, _: BlendMode) {}

    fn pop_clip(&mut self) {}

    fn pop_transparency_group(&mut self) {}

    fn begin_marked_content(&mut self, _: &[u8], properties: Option<&Dict<'_>>) {
        self.replacement.begin(properties);
    }

    fn end_marked_content(&mut self) {
        self.replacement.end();
    }
}
