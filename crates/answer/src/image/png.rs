//! PNG: signature, IHDR, and the chunks for animation, orientation and the end (W3C PNG, third edition).

use super::tags::orientation;
use super::types::{Picture, PictureFormat};
use super::window::{ByteOrder, Fault, HeaderWindow, Parsed, reaches_end};

/// The signature, and length, name, data and checksum of IHDR.
const HEADER_END: u64 = 8 + 4 + 4 + 13 + 4;

pub(super) fn read(window: &mut HeaderWindow<'_>) -> Parsed<Picture> {
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
