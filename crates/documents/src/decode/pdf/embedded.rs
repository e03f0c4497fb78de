//! The characters that embedded fonts have for their glyphs, for documents that do not say them.

use std::collections::HashMap;

use hayro_interpret::font::OutlineGlyph;
use skrifa::{FontRef, MetadataProvider as _};

use super::to_unicode::named;

/// The most characters of a font.
const MAX_CHARACTERS: usize = 1 << 17;

/// The characters of fonts, by the key of the font and the number of the glyph.
#[derive(Default)]
pub(super) struct EmbeddedFonts(HashMap<u128, HashMap<u32, char>>);

impl EmbeddedFonts {
    /// The character of `glyph` in the font's own map, or that its name says.
    pub(super) fn char_of(&mut self, glyph: &OutlineGlyph) -> Option<char> {
        let font = glyph.font_data()?;
        let characters = self.0.entry(font.cache_key).or_insert_with(|| characters((*font.data).as_ref()));
        characters.get(&glyph.glyph_id().to_u32()).copied()
    }
}

fn characters(font: &[u8]) -> HashMap<u32, char> {
    let mut characters = HashMap::new();
    let Ok(font) = FontRef::new(font) else { return characters };
    let is_known = |c: &char| !c.is_control() && !matches!(c, '\u{E000}'..='\u{F8FF}' | '\u{F0000}'..);
    let by_code = font.charmap().mappings().map(|(code, glyph)| (glyph, char::from_u32(code)));
    let names = font.glyph_names();
    let by_name = names.iter().filter(|(_, name)| !name.is_synthesized());
    let by_name = by_name.map(|(glyph, name)| (glyph, named(name.as_str())));
    for (glyph, c) in by_code.take(MAX_CHARACTERS).chain(by_name.take(MAX_CHARACTERS)) {
        if let Some(c) = c.filter(is_known) {
            characters.entry(glyph.to_u32()).or_insert(c);
        }
    }
    characters
}
