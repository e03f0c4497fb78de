//! JPEG: walks the segments to the frame header and to the end of the image (ITU-T T.81, annex B).

use super::header::{ByteOrder, Fault, HeaderWindow, Parsed, Picture, PictureFormat, reaches_end};
use super::tiff::orientation;

/// Markers without a length: restarts, TEM and the start of the image.
const WITHOUT_LENGTH: [u8; 10] = [0x01, 0xD0, 0xD1, 0xD2, 0xD3, 0xD4, 0xD5, 0xD6, 0xD7, 0xD8];

const END: u8 = 0xD9;
const SCAN: u8 = 0xDA;
const APP1: u8 = 0xE1;

pub(super) fn read(window: &mut HeaderWindow<'_>) -> Parsed<Picture> {
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
