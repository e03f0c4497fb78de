//! The device that takes down glyphs and where they stand on the page.

use std::collections::HashMap;

use hayro_interpret::font::{Glyph as FontGlyph, GlyphRun, PositionedGlyph};
use hayro_interpret::hayro_cmap::WritingMode;
use hayro_interpret::hayro_syntax::object::Dict;
use hayro_interpret::kurbo::{Affine, BezPath, Point};
use hayro_interpret::{BlendMode, ClipPath, Device, DrawMode, DrawProps, Image, ImageDrawProps, SoftMask};

use super::glyph::{Glyph, SILENT, text_of};
use super::replacement::Replacement;

/// Units of a glyph's own space in the height of the font.
const EM: f64 = 1000.0;

#[derive(Default)]
pub(super) struct TextDevice {
    pub(super) glyphs: Vec<Glyph>,
    /// By text and rough place: text that is painted twice, for weight or outline, is one text.
    seen: HashMap<(String, i64, i64), (f64, f64)>,
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

    fn take_down(&mut self, glyph: &PositionedGlyph<'_>, transform: Affine, is_vertical: bool) {
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
            return;
        }
        let (turn, angle) = direction(run.y.atan2(run.x));
        let (sin, cos) = angle.sin_cos();
        let (x, y) = (origin.x * cos + origin.y * sin, origin.y * cos - origin.x * sin);
        let text = text_of(glyph);
        if !text.is_empty() && !text.starts_with(SILENT) && self.is_repeated(&text, x, y, size) {
            return;
        }
        let end = x + run.length() * advance;
        self.replacement.put(Glyph { text, x, y, end, size, turn }, &mut self.glyphs);
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

    fn is_repeated(&mut self, text: &str, x: f64, y: f64, size: f64) -> bool {
        let near = size * 0.1;
        #[allow(clippy::cast_possible_truncation)]
        let cell = |offset: f64| (offset / near).round() as i64;
        let (column, row) = (cell(x), cell(y));
        for (across, down) in (-1..=1).flat_map(|across| (-1..=1).map(move |down| (across, down))) {
            let key = (text.to_owned(), column.saturating_add(across), row.saturating_add(down));
            let is_same = |at: &(f64, f64)| (at.0 - x).abs() < near && (at.1 - y).abs() < near;
            if self.seen.get(&key).is_some_and(is_same) {
                return true;
            }
        }
        self.seen.insert((text.to_owned(), column, row), (x, y));
        false
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
            self.take_down(glyph, props.transform, is_vertical);
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
