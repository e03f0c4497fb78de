//! WebP: the RIFF container and the headers of its three kinds of images (RFC 9649).

use super::tags::orientation;
use super::types::{Picture, PictureFormat};
use super::window::{ByteOrder, Fault, HeaderWindow, Parsed};

const DATA: u64 = 20;

const EXIF_FLAG: u8 = 0x08;
const ALPHA_FLAG: u8 = 0x10;

pub(super) fn read(window: &mut HeaderWindow<'_>) -> Parsed<Picture> {
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
    if flags & EXIF_FLAG != 0 {
        match exif_orientation(window) {
            Ok(orientation) => picture.orientation = orientation,
            // The Exif chunk is optional, and the size is already known.
            Err(Fault::Read(error)) => return Err(Fault::Read(error)),
            Err(_) => {}
        }
    }
    Ok(picture)
}

fn exif_orientation(window: &mut HeaderWindow<'_>) -> Parsed<u8> {
    let mut at = 12;
    loop {
        let name: [u8; 4] = window.array(at)?;
        let length = window.number(at + 4, 4, ByteOrder::Little)?;
        if &name == b"EXIF" {
            // Some writers keep JPEG's six-byte prefix.
            let skipped = if window.bytes(at + 8, 6)? == b"Exif\0\0" { 6 } else { 0 };
            return Ok(orientation(window, at + 8 + skipped, length.saturating_sub(skipped)));
        }
        at += 8 + length.next_multiple_of(2);
    }
}
