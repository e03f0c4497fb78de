//! The fonts of a document, and what of them `hayro` would read wrongly.

use std::borrow::Cow;
use std::collections::HashSet;

use hayro_interpret::hayro_cmap::{CMap, CMapName, CidFamily, load_embedded};
use hayro_interpret::hayro_syntax::object::dict::keys::{
    ANNOTS, AP, CIDSYSTEMINFO, DESCENDANT_FONTS, ENCODING, FONT, FONT_DESC, FONT_FILE, FONT_FILE2,
    FONT_FILE3, FORM, N, ORDERING, REGISTRY, RESOURCES, SUBTYPE, TO_UNICODE, TYPE0,
};
use hayro_interpret::hayro_syntax::object::{Array, Dict, Name, Object, Stream, String as PdfString};
use hayro_interpret::hayro_syntax::page::{Page, Resources};

use miniz_oxide::inflate::decompress_to_vec_zlib_with_limit;

use super::repair::Repair;
use super::to_unicode::Map;

/// The fonts that pages use, and how to repair them.
#[derive(Default)]
pub(super) struct Fonts {
    /// The addresses of dictionaries that were looked at.
    seen: HashSet<usize>,
    pub(super) repair: Repair,
    /// The document does not say which characters the glyphs of a font are.
    pub(super) lacks_map: bool,
}

impl Fonts {
    /// Looks at the fonts of `page`, and of everything that it draws.
    pub(super) fn visit<'a>(&mut self, page: &Page<'a>, data: &[u8]) {
        let mut open = vec![page.resources().clone()];
        for annotation in
            page.raw().get::<Array<'a>>(ANNOTS).iter().flat_map(|array| array.iter::<Dict<'a>>())
        {
            let appearance =
                annotation.get::<Dict<'a>>(AP).and_then(|appearance| appearance.get::<Object<'a>>(N));
            match appearance {
                Some(Object::Stream(stream)) => open.extend(self.resources(&stream)),
                Some(Object::Dict(states)) => {
                    for name in states.keys() {
                        open.extend(
                            states.get::<Stream<'a>>(name).and_then(|stream| self.resources(&stream)),
                        );
                    }
                }
                _ => {}
            }
        }
        while let Some(resources) = open.pop() {
            self.visit_resources(&resources, data, &mut open);
        }
    }

    /// Looks at `resources`, and adds those of what they draw to `open`.
    fn visit_resources<'a>(&mut self, resources: &Resources<'a>, data: &[u8], open: &mut Vec<Resources<'a>>) {
        for name in resources.fonts.keys() {
            if let Some(font) = resources.fonts.get::<Dict<'a>>(name) {
                self.font(&font, data);
            }
        }
        for name in resources.ext_g_states.keys() {
            let state =
                resources.ext_g_states.get::<Dict<'a>>(name).and_then(|state| state.get::<Array<'a>>(FONT));
            if let Some(font) = state.and_then(|array| array.iter::<Dict<'a>>().next()) {
                self.font(&font, data);
            }
        }
        for drawn in [&resources.x_objects, &resources.patterns] {
            for name in drawn.keys() {
                open.extend(drawn.get::<Stream<'a>>(name).and_then(|stream| self.resources(&stream)));
            }
        }
    }

    /// The resources of a stream that draws something, the first time.
    fn resources<'a>(&mut self, stream: &Stream<'a>) -> Option<Resources<'a>> {
        let dict = stream.dict();
        let is_drawn = dict.get::<Name<'a>>(SUBTYPE).is_none_or(|subtype| subtype.as_ref() == FORM);
        let resources = dict.get::<Dict<'a>>(RESOURCES).filter(|_| is_drawn)?;
        self.is_new(dict).then(|| Resources::new(resources))
    }

    fn is_new(&mut self, dict: &Dict<'_>) -> bool {
        self.seen.insert(dict.data().as_ptr().addr())
    }

    fn font(&mut self, font: &Dict<'_>, data: &[u8]) {
        if !self.is_new(font) {
            return;
        }
        let is_composite = font.get::<Name<'_>>(SUBTYPE).is_some_and(|subtype| subtype.as_ref() == TYPE0);
        let has_map = if let Some(stream) = font.get::<Stream<'_>>(TO_UNICODE) {
            self.map(&stream, data)
        } else if font.get::<Name<'_>>(TO_UNICODE).is_some() {
            // A simple font has better names for its characters.
            self.repair.rename_map(font, is_composite, data);
            is_composite
        } else {
            false
        };
        if is_composite && !has_map {
            match has_collection(font) {
                true => self.take_out_of(font, data),
                false => self.lacks_map = true,
            }
        }
    }

    /// Looks at a map from codes to characters; whether anything of it can be read.
    fn map(&mut self, stream: &Stream<'_>, data: &[u8]) -> bool {
        let bytes = stream.decoded_data().unwrap_or_default();
        let map = Map::read(&inflated(&bytes));
        if !map.is_read_from(&bytes) {
            self.repair.replace_map(stream, &map, data);
        } else if map.is_empty() {
            // Without a map, other sources of characters count.
            self.repair.remove(stream, data);
        }
        self.lacks_map |= map.is_empty();
        !map.is_empty()
    }

    /// Takes the embedded program out of a font, whose glyphs have numbers of a collection: `hayro` looks the numbers up in
    /// the collection only if there is no program.
    fn take_out_of(&mut self, font: &Dict<'_>, data: &[u8]) {
        let descendant =
            font.get::<Array<'_>>(DESCENDANT_FONTS).and_then(|fonts| fonts.iter::<Dict<'_>>().next());
        let Some(descriptor) = descendant.and_then(|font| font.get::<Dict<'_>>(FONT_DESC)) else { return };
        for key in [FONT_FILE, FONT_FILE2, FONT_FILE3] {
            if let Some(program) = descriptor.get::<Stream<'_>>(key) {
                self.repair.remove(&program, data);
            }
        }
    }
}

/// The most that a map without a filter may become.
const MAX_FONT_BYTES: usize = 1 << 24;

/// `bytes` as they are, or what they are compressed from: some programs compress a map and do not say so.
fn inflated(bytes: &[u8]) -> Cow<'_, [u8]> {
    let is_compressed = matches!(bytes, [0x78, flags, ..] if (0x7800 + u16::from(*flags)) % 31 == 0);
    let plain =
        is_compressed.then(|| decompress_to_vec_zlib_with_limit(bytes, MAX_FONT_BYTES).ok()).flatten();
    plain.map_or(Cow::Borrowed(bytes), Cow::Owned)
}

/// Whether the glyphs of a composite font have numbers of a collection that rread has a map for.
fn has_collection(font: &Dict<'_>) -> bool {
    let is_known = |family: &CidFamily| family.ucs2_cmap().is_some();
    let of_encoding = match font.get::<Object<'_>>(ENCODING) {
        Some(Object::Name(name)) => {
            load_embedded(CMapName::from_bytes(&name)).and_then(|map| CMap::parse(map, load_embedded))
        }
        Some(Object::Stream(stream)) => {
            stream.decoded_data().ok().and_then(|map| CMap::parse(&map, load_embedded))
        }
        _ => None,
    };
    let collection = of_encoding.and_then(|map| map.metadata().character_collection.clone());
    if collection.is_some_and(|collection| is_known(&collection.family)) {
        return true;
    }
    let descendant =
        font.get::<Array<'_>>(DESCENDANT_FONTS).and_then(|fonts| fonts.iter::<Dict<'_>>().next());
    let Some(info) = descendant.and_then(|font| font.get::<Dict<'_>>(CIDSYSTEMINFO)) else { return false };
    let get =
        |key: &[u8]| info.get::<PdfString<'_>>(key).map(|text| text.as_bytes().to_vec()).unwrap_or_default();
    is_known(&CidFamily::from_registry_ordering(&get(REGISTRY), &get(ORDERING)))
}
