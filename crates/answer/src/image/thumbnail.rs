//! Thumbnails: this module chooses their size; the decoders of the `image` crate provide the pixels.

#[cfg(feature = "thumbnails")]
mod make;

pub use super::header::{Bounds, Thumbnail};
use super::header::{MAX_BYTES, Picture, PictureFormat};
#[cfg(feature = "thumbnails")]
use make::make;
use rread_reader::reader::Reader;
use rread_text::error::{Error, Kind, Result, counted};

/// The most pixels of an image to decode.
const MAX_PIXELS: u64 = 100_000_000;

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
    if pixels > MAX_PIXELS {
        return Err(Error::usage(format!(
            "has {width}x{height} = {pixels} pixels; thumbnails are made of at most {MAX_PIXELS}"
        )));
    }
    let size = reader.size()?;
    if size > MAX_BYTES {
        return Err(Error::usage(format!(
            "has {size} bytes; thumbnails are made of files of at most {MAX_BYTES} bytes"
        )));
    }
    if picture.complete == Some(false) {
        let (format, end) = (picture.format.name(), counted(size, "byte"));
        return Err(Error::new(
            Kind::Io,
            format!("is a {format} of {width}x{height} pixels that ends early, after {end}"),
        ));
    }
    make(reader, picture, bounds)
}

/// Decodes every pixel of `picture`, to find out whether a client can.
///
/// # Errors
///
/// Those of [`thumbnail`]. Without the feature `thumbnails`, nothing is decoded.
#[cfg(feature = "thumbnails")]
pub fn check(reader: &Reader, picture: &Picture) -> Result<()> {
    make::check(reader, picture)
}

/// Nothing is decoded.
#[cfg(not(feature = "thumbnails"))]
pub fn check(_: &Reader, _: &Picture) -> Result<()> {
    Ok(())
}

/// Names the feature to build.
#[cfg(not(feature = "thumbnails"))]
fn make(_: &Reader, _: &Picture, _: Bounds) -> Result<Thumbnail> {
    Err(Error::usage("this rread was built without thumbnails")
        .hint("cargo install --path . --features thumbnails"))
}
