//! PNG, GIF, BMP, WebP and JPEG: size, mode and end of the picture from the header.

use super::header::{ByteOrder, Fault, HeaderWindow, Parsed, Picture, PictureFormat, reaches_end};
use super::tiff::orientation;

/// The signature, and length, name, data and checksum of IHDR.
const HEADER_END: u64 = 8 + 4 + 4 + 13 + 4;

pub(super) fn read_png(window: &mut HeaderWindow<'_>) -> Parsed<Picture> {
    let name: [u8; 4] = window.array(12)?;
    if window.number(8, 4, ByteOrder::Big)? != 13 || &name != b"IHDR" {
        let name = name.escape_ascii();
        return Fault::invalid(format!("whose first chunk is {name}, not an IHDR of 13 bytes"));
    }
    let header: [u8; 17] = window.array(12)?;
    if window.number(29, 4, ByteOrder::Big)? != u64::from(crc32fast::hash(&header)) {
        return Fault::invalid("whose header is damaged: its checksum does not match");
    }
    let (width, height) = (window.number(16, 4, ByteOrder::Big)?, window.number(20, 4, ByteOrder::Big)?);
    let (depth, color) = (header[12], header[13]);
    let mode = match (color, depth) {
        (0, 1) => "1",
        (0, 2 | 4 | 8) => "L",
        (0, 16) => "I;16",
        (2, 8 | 16) => "RGB",
        (3, 1 | 2 | 4 | 8) => "P",
        (4, 8) => "LA",
        // Pillow has no mode for two channels of 16 bits.
        (4, 16) | (6, 8 | 16) => "RGBA",
        _ => return Fault::invalid(format!("whose header has colours of type {color} in {depth} bits")),
    };
    let mut picture = Picture::new(PictureFormat::Png, width, height, Some(mode));
    let walked = chunks(window, &mut picture);
    // Without the size of the file, the walk stops before the end.
    picture.complete = reaches_end(walked)?.filter(|_| window.size().is_some());
    Ok(picture)
}

/// Walks the chunks to the end, or only to the first data if the end is known or out of reach.
fn chunks(window: &mut HeaderWindow<'_>, picture: &mut Picture) -> Parsed<()> {
    let has_end = match window.size().and_then(|size| size.checked_sub(12)) {
        Some(last) => window.bytes(last, 8)? == b"\0\0\0\0IEND",
        None => false,
    };
    let mut at = HEADER_END;
    loop {
        let length = window.number(at, 4, ByteOrder::Big)?;
        let name: [u8; 4] = window.array(at + 4)?;
        match &name {
            b"IEND" => return window.bytes(at + 8, 4).map(|_| ()),
            b"IDAT" if has_end || window.size().is_none() => return Ok(()),
            b"acTL" => picture.frames = Some(window.number(at + 8, 4, ByteOrder::Big)?),
            b"eXIf" => picture.orientation = orientation(window, at + 8, length),
            _ => {}
        }
        at += 12 + length;
    }
}

pub(super) fn read_gif(window: &mut HeaderWindow<'_>) -> Parsed<Picture> {
    let (width, height) = (window.number(6, 2, ByteOrder::Little)?, window.number(8, 2, ByteOrder::Little)?);
    let flags = window.byte(10)?;
    window.byte(12)?;
    let table = table_bytes(flags);
    let global = colors(window, 13, table)?;
    let mut walk = BlockWalk { at: 13 + table as u64, frames: 0, width, height, local: None };
    let walked = walk.blocks(window, window.size().is_none());
    let complete = reaches_end(walked)?.filter(|_| window.size().is_some());
    if walk.frames == 0 && complete == Some(true) {
        return Fault::invalid(format!("of {width}x{height} without a picture in it"));
    }
    let has_colors = walk.local.or(global).unwrap_or(false);
    let mode = if has_colors { "P" } else { "L" };
    let frames = (complete == Some(true)).then_some(walk.frames);
    Ok(Picture { frames, complete, ..Picture::new(PictureFormat::Gif, walk.width, walk.height, Some(mode)) })
}

fn table_bytes(flags: u8) -> usize {
    if flags & 0x80 == 0 { 0 } else { 3 << ((flags & 7) + 1) }
}

/// Whether a palette, if there is one, has colors; Pillow treats a palette of plain greys as greyscale.
fn colors(window: &mut HeaderWindow<'_>, at: u64, bytes: usize) -> Parsed<Option<bool>> {
    if bytes == 0 {
        return Ok(None);
    }
    let table = window.bytes(at, bytes)?;
    let is_grey = |(n, color): (usize, &[u8])| color.iter().all(|part| usize::from(*part) == n);
    Ok(Some(!table.chunks(3).enumerate().all(is_grey)))
}

struct BlockWalk {
    at: u64,
    frames: u64,
    width: u64,
    height: u64,
    /// Whether the palette of the first frame has colors, if it has one.
    local: Option<bool>,
}

impl BlockWalk {
    fn blocks(&mut self, window: &mut HeaderWindow<'_>, only_first: bool) -> Parsed<()> {
        loop {
            match window.byte(self.at)? {
                // A label byte precedes the sub-blocks.
                0x21 => self.sub_blocks(window, self.at + 2)?,
                0x2C => {
                    self.frame(window)?;
                    if only_first {
                        return Ok(());
                    }
                }
                0x3B => return Ok(()),
                // Pillow skips stray bytes between blocks.
                _ => self.at += 1,
            }
        }
    }

    fn frame(&mut self, window: &mut HeaderWindow<'_>) -> Parsed<()> {
        let mut field = |n: u64| window.number(self.at + n, 2, ByteOrder::Little);
        let (right, bottom) = (field(1)? + field(5)?, field(3)? + field(7)?);
        let table = table_bytes(window.byte(self.at + 9)?);
        if self.frames == 0 {
            // The screen is at least as large as its first frame.
            (self.width, self.height) = (self.width.max(right), self.height.max(bottom));
            self.local = colors(window, self.at + 10, table)?;
        }
        self.frames += 1;
        // The LZW minimum code size precedes the sub-blocks.
        self.sub_blocks(window, self.at + 10 + table as u64 + 1)
    }

    fn sub_blocks(&mut self, window: &mut HeaderWindow<'_>, mut at: u64) -> Parsed<()> {
        loop {
            let length = window.byte(at)?;
            at += 1 + u64::from(length);
            if length == 0 {
                self.at = at;
                return Ok(());
            }
        }
    }
}

pub(super) const BMP_HEADERS: [u8; 8] = [12, 16, 40, 52, 56, 64, 108, 124];

const BIT_FIELDS: u64 = 3;

pub(super) fn read_bmp(window: &mut HeaderWindow<'_>) -> Parsed<Picture> {
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

const DATA: u64 = 20;

const ANIMATION_FLAG: u8 = 0x02;
const EXIF_FLAG: u8 = 0x08;
const ALPHA_FLAG: u8 = 0x10;

pub(super) fn read_webp(window: &mut HeaderWindow<'_>) -> Parsed<Picture> {
    let mut picture = match &window.array(12)? {
        b"VP8 " => lossy(window)?,
        b"VP8L" => lossless(window)?,
        b"VP8X" => read_extended(window)?,
        name => {
            let name = name.escape_ascii();
            return Fault::invalid(format!("whose first chunk is {name}, not an image"));
        }
    };
    let riff = window.number(4, 4, ByteOrder::Little)? + 8;
    // Writers often omit the byte that pads the last chunk to an even length.
    picture.complete = window.size().map(|size| size + 1 >= riff);
    Ok(picture)
}

/// A key frame of VP8 (RFC 6386, section 9.1): tag, start code, and 14 bits per side.
fn lossy(window: &mut HeaderWindow<'_>) -> Parsed<Picture> {
    if window.array(DATA + 3)? != [0x9D, 0x01, 0x2A] {
        return Fault::invalid("whose picture has no start code");
    }
    let mut side = |at: u64| window.number(DATA + at, 2, ByteOrder::Little).map(|side| side & 0x3FFF);
    Ok(Picture::new(PictureFormat::WebP, side(6)?, side(8)?, Some("RGB")))
}

/// A signature byte, 14 bits per side (minus one), and the alpha bit.
fn lossless(window: &mut HeaderWindow<'_>) -> Parsed<Picture> {
    if window.byte(DATA)? != 0x2F {
        return Fault::invalid("whose lossless picture has no signature");
    }
    let bits = window.number(DATA + 1, 4, ByteOrder::Little)?;
    let mode = if bits >> 28 & 1 == 1 { "RGBA" } else { "RGB" };
    Ok(Picture::new(PictureFormat::WebP, (bits & 0x3FFF) + 1, (bits >> 14 & 0x3FFF) + 1, Some(mode)))
}

/// Flags, and 24 bits per side of the canvas (minus one); the image chunks follow.
fn read_extended(window: &mut HeaderWindow<'_>) -> Parsed<Picture> {
    let flags = window.byte(DATA)?;
    let width = window.number(DATA + 4, 3, ByteOrder::Little)? + 1;
    let height = window.number(DATA + 7, 3, ByteOrder::Little)? + 1;
    let mode = if flags & ALPHA_FLAG == 0 { "RGB" } else { "RGBA" };
    let mut picture = Picture::new(PictureFormat::WebP, width, height, Some(mode));
    let is_animated = flags & ANIMATION_FLAG != 0 && window.size().is_some();
    if is_animated || flags & EXIF_FLAG != 0 {
        let mut frames = 0;
        match webp_chunks(window, &mut picture, &mut frames, is_animated) {
            Err(Fault::Read(error)) => return Err(Fault::Read(error)),
            // These chunks are optional, and the size is already known.
            Err(_) => {}
            Ok(()) => picture.frames = Some(frames).filter(|frames| *frames > 0),
        }
    }
    Ok(picture)
}

/// Notes the orientation, and counts the frames if all chunks are needed.
fn webp_chunks(
    window: &mut HeaderWindow<'_>,
    picture: &mut Picture,
    frames: &mut u64,
    all: bool,
) -> Parsed<()> {
    let end = window.number(4, 4, ByteOrder::Little)? + 8;
    let mut at = 12;
    while at + 8 <= end {
        let name: [u8; 4] = window.array(at)?;
        let length = window.number(at + 4, 4, ByteOrder::Little)?;
        *frames += u64::from(&name == b"ANMF");
        if &name == b"EXIF" {
            // Some writers keep JPEG's six-byte prefix.
            let skipped = if window.bytes(at + 8, 6)? == b"Exif\0\0" { 6 } else { 0 };
            picture.orientation = orientation(window, at + 8 + skipped, length.saturating_sub(skipped));
            if !all {
                return Ok(());
            }
        }
        at += 8 + length.next_multiple_of(2);
    }
    Ok(())
}

/// JPEG (ITU-T T.81, annex B). Markers without a length: restarts, TEM and the start of the image.
const WITHOUT_LENGTH: [u8; 10] = [0x01, 0xD0, 0xD1, 0xD2, 0xD3, 0xD4, 0xD5, 0xD6, 0xD7, 0xD8];

const END: u8 = 0xD9;
const SCAN: u8 = 0xDA;
const APP1: u8 = 0xE1;

pub(super) fn read_jpeg(window: &mut HeaderWindow<'_>) -> Parsed<Picture> {
    let (mut exif, mut at) = (1, 2);
    let mut picture = loop {
        let (marker, body) = marker(window, at)?;
        if marker == END || marker == SCAN {
            return Fault::invalid(format!("without a frame header before its data at byte {body}"));
        }
        let length = length(window, marker, body)?;
        match marker {
            APP1 if length > 16 && window.bytes(body + 2, 6)? == b"Exif\0\0" => {
                exif = orientation(window, body + 8, length - 8);
            }
            // All frame types; C4, C8 and CC are tables and an extension.
            0xC0..=0xCF if ![0xC4, 0xC8, 0xCC].contains(&marker) => {
                at = body + length;
                break frame(window, body, length)?;
            }
            _ => {}
        }
        at = body + length;
    };
    picture.orientation = exif;
    if window.size().is_some() {
        picture.complete = reaches_end(end(window, at))?;
    }
    Ok(picture)
}

fn frame(window: &mut HeaderWindow<'_>, body: u64, length: u64) -> Parsed<Picture> {
    let height = window.number(body + 3, 2, ByteOrder::Big)?;
    let width = window.number(body + 5, 2, ByteOrder::Big)?;
    let components = window.byte(body + 7)?;
    let mode = match components {
        1 => "L",
        3 => "RGB",
        4 => "CMYK",
        _ => return Fault::invalid(format!("of {width}x{height} with {components} colours")),
    };
    if length != 8 + 3 * u64::from(components) {
        return Fault::invalid(format!("whose frame header at byte {body} is damaged"));
    }
    Ok(Picture::new(PictureFormat::Jpeg, width, height, Some(mode)))
}

/// The marker at `at`, after fill bytes, and the offset of its segment.
fn marker(window: &mut HeaderWindow<'_>, at: u64) -> Parsed<(u8, u64)> {
    if window.byte(at)? != 0xFF {
        return Fault::invalid(format!("that is damaged at byte {at}, before its frame header"));
    }
    let mut at = at + 1;
    loop {
        match window.byte(at)? {
            0xFF => at += 1,
            marker => return Ok((marker, at + 1)),
        }
    }
}

fn length(window: &mut HeaderWindow<'_>, marker: u8, body: u64) -> Parsed<u64> {
    if WITHOUT_LENGTH.contains(&marker) {
        return Ok(0);
    }
    match window.number(body, 2, ByteOrder::Big)? {
        0 | 1 => Fault::invalid(format!("with a segment at byte {body} that has no length")),
        length => Ok(length),
    }
}

/// Finds the end of the image. Inside the scan data, no other marker looks like the end marker.
fn end(window: &mut HeaderWindow<'_>, mut at: u64) -> Parsed<()> {
    loop {
        let (marker, body) = marker(window, at)?;
        at = body + if marker == END { 0 } else { length(window, marker, body)? };
        window.byte(at - 1)?;
        match marker {
            END => return Ok(()),
            SCAN => break,
            _ => {}
        }
    }
    match window.size().and_then(|size| size.checked_sub(2)) {
        Some(last) if last >= at && window.array(last)? == [0xFF, END] => Ok(()),
        _ => window.find([0xFF, END], at).map(|_| ()),
    }
}
