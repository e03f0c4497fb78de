//! TIFF: size and mode from the first directory (TIFF 6.0 and its supplements).

use super::tags::Tags;
use super::types::{Picture, PictureFormat};
use super::window::{ByteOrder, Fault, HeaderWindow, Parsed, reaches_end};

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

pub(super) fn read(window: &mut HeaderWindow<'_>) -> Parsed<Picture> {
    let tags = Tags::read(window, 0)?;
    let (Some(width), Some(height)) = (tags.value(window, WIDTH)?, tags.value(window, HEIGHT)?) else {
        return Fault::invalid("whose first directory has no width or height");
    };
    let mode = mode(&tags, window)?;
    let mut picture = Picture::new(PictureFormat::Tiff, width, height, mode);
    picture.orientation = tags.orientation(window)?;
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
