//! TIFF: size and mode from the first directory, which Exif has, too (TIFF 6.0; BigTIFF, with 64-bit offsets).

use super::header::{ByteOrder, Fault, HeaderWindow, Parsed, Picture, PictureFormat, reaches_end};

const WIDTH: u64 = 256;
const HEIGHT: u64 = 257;
const BITS: u64 = 258;
const COMPRESSION: u64 = 259;
const PHOTOMETRIC: u64 = 262;
const STRIP_OFFSETS: u64 = 273;
const SAMPLES: u64 = 277;
const STRIP_COUNTS: u64 = 279;
const TILE_OFFSETS: u64 = 324;
const TILE_COUNTS: u64 = 325;
const EXTRA: u64 = 338;
const SAMPLE_FORMAT: u64 = 339;

/// The most strips that are checked against the end of the file.
const STRIPS: u64 = 1 << 16;

pub(super) fn read(window: &mut HeaderWindow<'_>, page: u64) -> Parsed<Picture> {
    let mut tags = Tags::read(window, 0)?;
    let pages = if page > 1 || window.size().is_some() { pages(&tags, window) } else { Err(Fault::TooLong) };
    let frames = pages.as_ref().ok().map(|pages| pages.len() as u64).filter(|pages| *pages > 1);
    let mut page_link = None;
    if page > 1 {
        let index = usize::try_from(page - 1).unwrap_or(usize::MAX);
        if let Some(start) = pages?.get(index) {
            tags = Tags::directory(window, Tags { start: *start, entries: Vec::new(), ..tags })?;
            page_link = Some((tags.word as u64, tags.bytes_of(*start)));
        }
    }
    let (Some(width), Some(height)) = (tags.value(window, WIDTH)?, tags.value(window, HEIGHT)?) else {
        return Fault::invalid("whose first directory has no width or height");
    };
    let mode = mode(&tags, window)?;
    let mut picture = Picture::new(PictureFormat::Tiff, width, height, mode);
    picture.orientation = tags.orientation(window)?;
    (picture.frames, picture.page_link) = (frames, page_link);
    if let Some(size) = window.size() {
        picture.complete = reaches_end(strips(&tags, window, size))?;
    }
    Ok(picture)
}

/// Pillow's mode for these samples; only the common combinations.
fn mode(tags: &Tags, window: &mut HeaderWindow<'_>) -> Parsed<Option<&'static str>> {
    let bits = tags.values(window, BITS, 8)?;
    let samples = tags.value(window, SAMPLES)?.unwrap_or(1);
    let depth = bits.first().copied().unwrap_or(1);
    let photometric = tags.value(window, PHOTOMETRIC)?.unwrap_or(0);
    let extra = tags.value(window, EXTRA)?;
    let kind = tags.value(window, SAMPLE_FORMAT)?.unwrap_or(1);
    let is_packed = tags.value(window, COMPRESSION)?.unwrap_or(1) != 1;
    if bits.iter().any(|other| *other != depth) {
        return Ok(None);
    }
    Ok(match (photometric, samples, depth) {
        (0 | 1, 1, 1) => Some("1"),
        (0 | 1, 1, 2 | 4 | 8) => Some("L"),
        (0 | 1, 1, 12 | 16) if kind == 1 => {
            Some(if tags.order == ByteOrder::Big && depth == 16 { "I;16B" } else { "I;16" })
        }
        (0 | 1, 1, 32 | 64) if kind == 3 => Some("F"),
        (0 | 1, 1, 16 | 32) => Some("I"),
        (0 | 1, 2, 8) if extra != Some(0) => Some("LA"),
        (2, 3, 8 | 16) => Some("RGB"),
        (2, 4.., 8 | 16) => Some(if extra == Some(0) { "RGB" } else { "RGBA" }),
        (3, 1, 1 | 2 | 4 | 8) => Some("P"),
        (3, 2, 8) => Some(if extra == Some(2) { "PA" } else { "P" }),
        (5, 4.., 8 | 16) => Some("CMYK"),
        (6, 3, 8) => Some(if is_packed { "RGB" } else { "YCbCr" }),
        (8, 3, 8) => Some("LAB"),
        _ => None,
    })
}

/// The most pages; the links to them may loop.
const MAX_PAGES: usize = 10_000;

/// The offsets of the directories of all pages.
fn pages(tags: &Tags, window: &mut HeaderWindow<'_>) -> Parsed<Vec<u64>> {
    let (mut pages, mut next) = (Vec::new(), tags.start);
    while next > 0 && pages.len() < MAX_PAGES && !pages.contains(&next) {
        pages.push(next);
        let (count, first, width) = tags.table(window, next)?;
        next = window.number(first + count * width, tags.word, tags.order)?;
    }
    Ok(pages)
}

fn strips(tags: &Tags, window: &mut HeaderWindow<'_>, size: u64) -> Parsed<()> {
    for (offsets, counts) in [(STRIP_OFFSETS, STRIP_COUNTS), (TILE_OFFSETS, TILE_COUNTS)] {
        let offsets = tags.values(window, offsets, STRIPS)?;
        let counts = tags.values(window, counts, STRIPS)?;
        if offsets.iter().zip(&counts).any(|(offset, count)| offset.saturating_add(*count) > size) {
            return Err(Fault::Truncated);
        }
    }
    Ok(())
}

pub(super) const ORIENTATION: u64 = 274;

/// More tags than any valid directory has.
const MAX_TAGS: u64 = 4096;

pub(super) struct Tags {
    /// The start of the structure; its offsets count from there.
    base: u64,
    /// The offset of the directory.
    start: u64,
    pub(super) order: ByteOrder,
    /// Bytes of an offset and of a count: 8 in a BigTIFF, else 4.
    word: usize,
    entries: Vec<TagEntry>,
}

#[derive(Clone, Copy)]
struct TagEntry {
    tag: u64,
    /// Bytes of one value; 0 for types without whole numbers.
    width: usize,
    count: u64,
    /// The offset of the value, or of its offset.
    at: u64,
}

impl Tags {
    /// Reads the first directory of the structure at `base`; the links to further ones may loop.
    pub(super) fn read(window: &mut HeaderWindow<'_>, base: u64) -> Parsed<Self> {
        let order = match &window.array(base)? {
            b"II" => ByteOrder::Little,
            b"MM" => ByteOrder::Big,
            _ => return Fault::invalid("without a byte order"),
        };
        let word = match window.number(base + 2, 2, order)? {
            42 => 4,
            43 => 8,
            n => return Fault::invalid(format!("with the version {n} instead of 42")),
        };
        let directory = window.number(base + word as u64, word, order)?;
        let Some(start) = directory.checked_add(base).filter(|at| *at < u64::MAX / 2) else {
            return Fault::invalid(format!("whose directory offset, {directory}, is too large"));
        };
        Tags::directory(window, Tags { base, start, order, word, entries: Vec::new() })
    }

    /// The bytes of the offset `at` in the header.
    fn bytes_of(&self, at: u64) -> [u8; 8] {
        match (self.order, self.word) {
            (ByteOrder::Little, _) => at.to_le_bytes(),
            (ByteOrder::Big, 8) => at.to_be_bytes(),
            (ByteOrder::Big, _) => (at << 32).to_be_bytes(),
        }
    }

    /// The number of entries of the directory at `start`, the offset of the first one, and the bytes of each.
    fn table(&self, window: &mut HeaderWindow<'_>, start: u64) -> Parsed<(u64, u64, u64)> {
        let (count_width, entry_width) = if self.word == 8 { (8, 20) } else { (2, 12) };
        let count = window.number(start, count_width, self.order)?;
        if !(1..=MAX_TAGS).contains(&count) {
            return Fault::invalid(format!("whose directory has {count} entries"));
        }
        Ok((count, start + count_width as u64, entry_width))
    }

    /// `tags` with the entries of their directory.
    fn directory(window: &mut HeaderWindow<'_>, mut tags: Tags) -> Parsed<Self> {
        let (order, word) = (tags.order, tags.word);
        let (count, first, entry_width) = tags.table(window, tags.start)?;
        for n in 0..count {
            let at = first + n * entry_width;
            let width = match window.number(at + 2, 2, order)? {
                1 => 1,
                3 => 2,
                4 => 4,
                16 if word == 8 => 8,
                _ => 0,
            };
            tags.entries.push(TagEntry {
                tag: window.number(at, 2, order)?,
                width,
                count: window.number(at + 4, word, order)?,
                at: at + 4 + word as u64,
            });
        }
        Ok(tags)
    }

    /// The whole numbers of `tag`, at most `most`; empty if the tag is missing.
    pub(super) fn values(&self, window: &mut HeaderWindow<'_>, tag: u64, most: u64) -> Parsed<Vec<u64>> {
        let Some(entry) = self.entries.iter().find(|entry| entry.tag == tag && entry.width > 0) else {
            return Ok(Vec::new());
        };
        let mut at = entry.at;
        if entry.count.saturating_mul(entry.width as u64) > self.word as u64 {
            let offset = window.number(entry.at, self.word, self.order)?;
            let Some(start) = offset.checked_add(self.base).filter(|at| *at < u64::MAX / 2) else {
                return Fault::invalid(format!("whose offset of tag {tag}, {offset}, is too large"));
            };
            at = start;
        }
        let count = entry.count.min(most);
        (0..count).map(|n| window.number(at + n * entry.width as u64, entry.width, self.order)).collect()
    }

    pub(super) fn value(&self, window: &mut HeaderWindow<'_>, tag: u64) -> Parsed<Option<u64>> {
        Ok(self.values(window, tag, 1)?.first().copied())
    }

    pub(super) fn orientation(&self, window: &mut HeaderWindow<'_>) -> Parsed<u8> {
        let value = self.value(window, ORIENTATION)?;
        Ok(value.and_then(|n| u8::try_from(n).ok()).filter(|n| (1..=8).contains(n)).unwrap_or(1))
    }
}

/// The orientation in the Exif structure of `length` bytes at `base`; 1 if it cannot be read.
pub(super) fn orientation(window: &mut HeaderWindow<'_>, base: u64, length: u64) -> u8 {
    if length < 8 {
        return 1;
    }
    Tags::read(window, base).and_then(|tags| tags.orientation(window)).unwrap_or(1)
}
