//! BMP: the headers of OS/2 and Windows bitmaps, and whether their palette has colors.

use super::types::{Picture, PictureFormat};
use super::window::{ByteOrder, Fault, HeaderWindow, Parsed};

pub(super) const HEADERS: [u8; 8] = [12, 16, 40, 52, 56, 64, 108, 124];

const BIT_FIELDS: u64 = 3;

pub(super) fn read(window: &mut HeaderWindow<'_>) -> Parsed<Picture> {
    let mut field = |at: u64, width: usize| window.number(at, width, ByteOrder::Little);
    let header = field(14, 4)?;
    let (width, height, bits, compression, palette_colors) = if header == 12 {
        (field(18, 2)?, field(20, 2)?, field(24, 2)?, 0, 0)
    } else if header == 16 {
        (field(18, 4)?, field(22, 4)?, field(28, 2)?, 0, 0)
    } else {
        (field(18, 4)?, field(22, 4)?, field(28, 2)?, field(30, 4)?, field(46, 4)?)
    };
    // A negative height means that the top row comes first.
    let height = if height >= 1 << 31 { (1 << 32) - height } else { height };
    if width >= 1 << 31 {
        return Fault::invalid("of negative width");
    }
    let mode =
        match bits {
            1 | 4 | 8 => {
                let colors = if palette_colors == 0 { 1 << bits } else { palette_colors };
                palette(window, header, colors)?
            }
            16 | 24 => "RGB",
            32 if compression == BIT_FIELDS && header >= 56 => {
                if window.number(66, 4, ByteOrder::Little)? == 0 { "RGB" } else { "RGBA" }
            }
            32 => "RGB",
            _ => return Fault::invalid(format!("of {width}x{height} with {bits} bits for a pixel")),
        };
    let mut picture = Picture::new(PictureFormat::Bmp, width, height, Some(mode));
    if let (Some(size), 0 | BIT_FIELDS) = (window.size(), compression) {
        let row = (width * bits).div_ceil(32) * 4;
        let start = window.number(10, 4, ByteOrder::Little)?;
        picture.complete = Some(row.saturating_mul(height).saturating_add(start) <= size);
    }
    Ok(picture)
}

/// The mode of a palette of `colors`. Pillow treats a palette of plain greys as greyscale.
fn palette(window: &mut HeaderWindow<'_>, header: u64, colors: u64) -> Parsed<&'static str> {
    let width = if header == 12 { 3 } else { 4 };
    let Some(count) = usize::try_from(colors).ok().filter(|count| *count <= 256) else { return Ok("P") };
    let table = window.bytes(14 + header, count * width)?;
    let grey = |n: usize| if count == 2 { n * 255 } else { n };
    let is_grey = table
        .chunks(width)
        .enumerate()
        .all(|(n, color)| color.iter().take(3).all(|part| usize::from(*part) == grey(n)));
    Ok(match (is_grey, count) {
        (true, 2) => "1",
        (true, _) => "L",
        (false, _) => "P",
    })
}
