//! Thumbnails: this module chooses their size; the decoders of the `image` crate provide the pixels.

#[cfg_attr(not(feature = "thumbnails"), path = "disabled.rs")]
mod make;

use super::types::{MOST_BYTES, Picture, PictureFormat};
use rread_reader::reader::Reader;
use rread_text::error::{Error, Kind, Result, counted};

pub use super::types::{Bounds, Thumbnail};

const MOST_PIXELS: u64 = 100_000_000;

/// The largest thumbnail of `picture` within `bounds`, turned upright and never larger than the image.
/// With a limit in bytes, the side is within 1/64 of the best, and the thumbnail has at most 16 pixels per
/// byte. Transparent and indexed images become PNG, all others PNG or JPEG, whichever is smaller.
pub fn thumbnail(reader: &Reader, picture: &Picture, bounds: Bounds) -> Result<Thumbnail> {
    let (Some(width), Some(height), true) =
        (picture.width, picture.height, picture.format != PictureFormat::Svg)
    else {
        return Err(Error::usage("is an SVG: thumbnails need pixels, and an SVG is text"));
    };
    let pixels = width.saturating_mul(height);
    if pixels > MOST_PIXELS {
        return Err(Error::usage(format!(
            "has {width}x{height} = {pixels} pixels; thumbnails are made of at most {MOST_PIXELS}"
        )));
    }
    let size = reader.size()?;
    if size > MOST_BYTES {
        return Err(Error::usage(format!(
            "has {size} bytes; thumbnails are made of files of at most {MOST_BYTES} bytes"
        )));
    }
    if picture.complete == Some(false) {
        let (format, end) = (picture.format.name(), counted(size, "byte"));
        return Err(Error::new(
            Kind::Io,
            format!("is a {format} of {width}x{height} pixels that ends early, after {end}"),
        ));
    }
    make::make(reader, picture, bounds)
}
