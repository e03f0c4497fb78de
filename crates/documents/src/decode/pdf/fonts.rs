//! The fonts of a document, what of them `hayro` would read wrongly, and the repair of both in memory.

use std::borrow::Cow;
use std::collections::HashSet;
use std::sync::Arc;

use hayro_interpret::font::FontData;
use hayro_interpret::hayro_cmap::{CMap, CMapName, CidFamily, load_embedded};
use hayro_interpret::hayro_syntax::object::dict::keys::{
    ANNOTS, AP, CIDSYSTEMINFO, DESCENDANT_FONTS, ENCODING, FONT, FONT_DESC, FONT_FILE, FONT_FILE2,
    FONT_FILE3, FORM, N, ORDERING, REGISTRY, RESOURCES, SUBTYPE, TO_UNICODE, TYPE0,
};
use hayro_interpret::hayro_syntax::object::{Array, Dict, Name, Object, Stream, String as PdfString};
use hayro_interpret::hayro_syntax::page::{Page, Resources};
use hayro_interpret::{CMapResolverFn, InterpreterSettings, RenderContent};
use miniz_oxide::inflate::decompress_to_vec_zlib_with_limit;

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
                Some(Object::Dict(states)) => self.add_drawn(&states, &mut open),
                _ => {}
            }
        }
        while let Some(resources) = open.pop() {
            self.visit_resources(&resources, data, &mut open);
        }
    }

    /// Looks at `resources`, and adds those of what they draw to `open`.
    fn visit_resources<'a>(&mut self, resources: &Resources<'a>, data: &[u8], open: &mut Vec<Resources<'a>>) {
        let (fonts, states) = (&resources.fonts, &resources.ext_g_states);
        let of_state = |name| states.get::<Dict<'a>>(name)?.get::<Array<'a>>(FONT)?.iter::<Dict<'a>>().next();
        let of_states = states.keys().filter_map(of_state);
        for font in fonts.keys().filter_map(|name| fonts.get::<Dict<'a>>(name)).chain(of_states) {
            self.font(&font, data);
        }
        for drawn in [&resources.x_objects, &resources.patterns] {
            self.add_drawn(drawn, open);
        }
    }

    /// Adds the resources of the streams in `drawn` to `open`.
    fn add_drawn<'a>(&mut self, drawn: &Dict<'a>, open: &mut Vec<Resources<'a>>) {
        for name in drawn.keys() {
            open.extend(drawn.get::<Stream<'a>>(name).and_then(|stream| self.resources(&stream)));
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
        let Some(descriptor) = of_descendant(font, FONT_DESC) else { return };
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
    let map = match font.get::<Object<'_>>(ENCODING) {
        Some(Object::Name(name)) => load_embedded(CMapName::from_bytes(&name)).map(<[u8]>::to_vec),
        Some(Object::Stream(stream)) => stream.decoded_data().ok().map(Cow::into_owned),
        _ => None,
    };
    let of_encoding = map.and_then(|map| CMap::parse(&map, load_embedded));
    let collection = of_encoding.and_then(|map| map.metadata().character_collection.clone());
    if collection.is_some_and(|collection| is_known(&collection.family)) {
        return true;
    }
    let Some(info) = of_descendant(font, CIDSYSTEMINFO) else { return false };
    let get =
        |key: &[u8]| info.get::<PdfString<'_>>(key).map(|text| text.as_bytes().to_vec()).unwrap_or_default();
    is_known(&CidFamily::from_registry_ordering(&get(REGISTRY), &get(ORDERING)))
}

/// The dictionary `key` of the font that a composite one is made of.
fn of_descendant<'a>(font: &Dict<'a>, key: &[u8]) -> Option<Dict<'a>> {
    font.get::<Array<'a>>(DESCENDANT_FONTS)?.iter::<Dict<'a>>().next()?.get(key)
}

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

/// The changes in the bytes of a document with which `hayro` reads its fonts.
///
/// Streams cannot be inside of other objects, so each begins in the file itself, in an encrypted one too. Another object
/// of the same number takes its place, shorter than the dictionary of the stream: nothing, or the name of a map. rread has
/// the maps of these names.
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
                match name {
                    "Identity" => Some(IDENTITY_MAP),
                    number => maps.get(number.parse::<usize>().ok()?).copied(),
                }
            }
            name => load_embedded(name),
        });
        let font: FontData = Arc::new(substitute_bytes());
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

/// The name of a table, numbers at offsets in it, and its length.
type FontTable = (&'static [u8; 4], &'static [(usize, u16)], usize);

/// Tables of a TrueType font with one glyph: units of the em, no metrics, and the number of glyphs.
const TABLES: [FontTable; 4] = [
    (b"head", &[(0, 1), (12, 0x5F0F), (14, 0x3CF5), (18, 1000)], 54),
    (b"hhea", &[(0, 1), (34, 1)], 36),
    (b"hmtx", &[], 4),
    (b"maxp", &[(1, 0x0050), (4, 1)], 6),
];

pub(super) fn substitute_bytes() -> Vec<u8> {
    let mut directory = vec![0, 1, 0, 0, 0, 4, 0, 0x40, 0, 2, 0, 0];
    let mut tables = Vec::new();
    let start = directory.len() + 16 * TABLES.len();
    for (name, values, length) in TABLES {
        let number = |value: usize| u32::try_from(value).unwrap_or(0).to_be_bytes();
        directory.extend(name);
        directory.extend([0; 4]);
        directory.extend(number(start + tables.len()));
        directory.extend(number(length));
        let mut table = vec![0; length.next_multiple_of(4)];
        for (at, value) in values {
            table[*at..at + 2].copy_from_slice(&value.to_be_bytes());
        }
        tables.extend(table);
    }
    directory.extend(tables);
    directory
}
