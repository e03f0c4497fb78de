//! A document whose fonts are repaired in memory, so that `hayro` reads them.
//!
//! Streams cannot be inside of other objects, so each begins in the file itself, in an encrypted one too. Another object
//! of the same number takes its place, shorter than the dictionary of the stream: nothing, or the name of a map. rread has
//! the maps of these names.

use std::sync::Arc;

use hayro_interpret::hayro_cmap::{CMapName, load_embedded};
use hayro_interpret::hayro_syntax::object::{Dict, Stream};
use hayro_interpret::{CMapResolverFn, InterpreterSettings, RenderContent};

use super::substitute::substitute_font;
use super::to_unicode::Map;

/// How the names of maps begin that rread has written.
const PREFIX: &str = "/rr";

/// The key of a map in a font, and what no reader looks for.
const KEY: &[u8] = b"/ToUnicode";
const NO_KEY: &[u8] = b"/rrUnicode";

/// Names of the map that makes each code the character of that number, and one of the same length.
const IDENTITIES: [&[u8]; 2] = [b"/Identity-H", b"/Identity-V"];
const IDENTITY: &[u8] = b"/rrIdentity";

/// Each code is the character of that number; controls and surrogates are not characters.
const IDENTITY_MAP: &[u8] =
    b"begincmap beginbfrange <0020> <007E> <0020> <00A0> <D7FF> <00A0> <E000> <FFFD> <E000> endbfrange \
    endcmap";

#[derive(Default)]
pub(super) struct Repair {
    /// Bytes that replace others in the file, with their offsets.
    patches: Vec<(usize, Vec<u8>)>,
    maps: Vec<Map>,
    /// A font that cannot be changed calls the identity by its name.
    has_identity: bool,
}

impl Repair {
    pub(super) fn is_needed(&self) -> bool {
        self.has_identity || !self.patches.is_empty()
    }

    /// Puts `map` in the place of a stream of the file `data`.
    pub(super) fn replace_map(&mut self, stream: &Stream<'_>, map: &Map, data: &[u8]) {
        if map.is_empty() {
            return self.remove(stream, data);
        }
        let name = format!("{PREFIX}{}", self.maps.len());
        if self.replace(stream.dict(), name.as_bytes(), data) {
            self.maps.push(map.clone());
        }
    }

    /// Puts nothing in the place of a stream of the file `data`.
    pub(super) fn remove(&mut self, stream: &Stream<'_>, data: &[u8]) {
        self.replace(stream.dict(), b"null", data);
    }

    /// Changes the name of the map of a font: to one that rread has, or to none.
    pub(super) fn rename_map(&mut self, font: &Dict<'_>, is_kept: bool, data: &[u8]) {
        let text = font.data();
        let Some(key) = memchr::memmem::find(text, KEY) else { return };
        let Some(start) = place(text, data) else {
            self.has_identity |= is_kept;
            return;
        };
        if !is_kept {
            self.patches.push((start + key, NO_KEY.to_vec()));
            return;
        }
        let value = key + KEY.len();
        let blanks = text[value..].iter().take_while(|byte| byte.is_ascii_whitespace()).count();
        if IDENTITIES.iter().any(|name| text[value + blanks..].starts_with(name)) {
            self.patches.push((start + value + blanks, IDENTITY.to_vec()));
        }
    }

    fn replace(&mut self, dict: &Dict<'_>, object: &[u8], data: &[u8]) -> bool {
        let (old, start) = (dict.data(), place(dict.data(), data));
        let Some(start) = start.filter(|_| object.len() < old.len()) else { return false };
        let mut new = object.to_vec();
        new.resize(old.len(), b' ');
        self.patches.push((start, new));
        true
    }

    /// The file `data` with all repairs.
    pub(super) fn apply(&self, data: &[u8]) -> Vec<u8> {
        let mut repaired = data.to_vec();
        for (start, bytes) in &self.patches {
            repaired[*start..start + bytes.len()].copy_from_slice(bytes);
        }
        repaired
    }

    /// How `hayro` reads the repaired file.
    pub(super) fn settings(&self) -> InterpreterSettings {
        // The decoder lives as long as its document, and a map must live as long as the program.
        let maps: Vec<&'static [u8]> = self.maps.iter().map(|map| &*map.write().leak()).collect();
        let has_identity = self.has_identity;
        let resolver: CMapResolverFn = Arc::new(move |name| match name {
            CMapName::IdentityH | CMapName::IdentityV if has_identity => Some(IDENTITY_MAP),
            CMapName::Custom(name) => {
                let name = std::str::from_utf8(name).ok()?.strip_prefix(&PREFIX[1..])?;
                if name == "Identity" {
                    Some(IDENTITY_MAP)
                } else {
                    maps.get(name.parse::<usize>().ok()?).copied()
                }
            }
            name => load_embedded(name),
        });
        let font = substitute_font();
        InterpreterSettings {
            cmap_resolver: resolver,
            font_resolver: Arc::new(move |_| Some((font.clone(), 0))),
            render_content: RenderContent::ANNOTATIONS,
            ..InterpreterSettings::default()
        }
    }
}

/// The offset of `part` in `data`, if it is a part of it.
fn place(part: &[u8], data: &[u8]) -> Option<usize> {
    let start = data.element_offset(part.first()?)?;
    (data.len() - start >= part.len()).then_some(start)
}
