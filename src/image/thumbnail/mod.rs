//! Smaller pictures: how large they become is decided here, what is in them by the decoders of the `image` package.

#[cfg(feature = "thumbnails")]
mod make;
#[cfg(feature = "thumbnails")]
mod stored;

use crate::error::{Error, Kind, Result, counted};
use crate::image::{Format, Picture};
use crate::reader::Reader;

/// Pixels of a picture that is decoded, at most.
pub const MOST_PIXELS: u64 = 100_000_000;

/// Bytes that decoding may take, and bytes of the file that is decoded: 512 MiB.
pub const MOST_BYTES: u64 = 512 << 20;

/// A picture that was made of another.
#[derive(Clone, Debug)]
pub struct Thumbnail {
    /// PNG or JPEG.
    pub format: Format,
    /// Pixels from left to right, after it was turned as it is to be seen.
    pub width: u64,
    /// Pixels from top to bottom.
    pub height: u64,
    /// The file.
    pub bytes: Vec<u8>,
}

/// What a thumbnail has to keep to.
#[derive(Clone, Copy, Debug)]
pub struct Bounds {
    /// Pixels of its longer side.
    pub side: Option<u64>,
    /// Bytes of its file.
    pub bytes: Option<u64>,
}

/// The largest thumbnail of `picture` within `bounds`; with a bound on bytes, to within a sixty-fourth of its side, and of at most 16 pixels for each byte. It is
/// never larger than the picture, and turned as the picture is to be seen. One with transparent or indexed
/// pixels is a PNG, any other PNG or JPEG, whichever is smaller.
///
/// # Errors
/// `usage` when there can be none: of an SVG, of a picture that is too large to be decoded, in so few bytes, or in this
/// build. `io` when the picture is damaged.
pub fn thumbnail(reader: &Reader, picture: &Picture, bounds: Bounds) -> Result<Thumbnail> {
    let (Some(width), Some(height), true) = (picture.width, picture.height, picture.format != Format::Svg)
    else {
        return Err(Error::usage("is an SVG, which is text and has no pixels to make a thumbnail of"));
    };
    let pixels = width.saturating_mul(height);
    if pixels > MOST_PIXELS {
        return Err(Error::usage(format!(
            "has {width}x{height} pixels, {pixels} in all: more than the {MOST_PIXELS} that are decoded for a thumbnail"
        )));
    }
    let size = reader.size()?;
    if size > MOST_BYTES {
        return Err(Error::usage(format!(
            "has {size} bytes, more than the {MOST_BYTES} that are decoded for a thumbnail"
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

#[cfg(feature = "thumbnails")]
fn make(reader: &Reader, picture: &Picture, bounds: Bounds) -> Result<Thumbnail> {
    make::make(reader, picture, bounds)
}

#[cfg(not(feature = "thumbnails"))]
fn make(_: &Reader, _: &Picture, _: Bounds) -> Result<Thumbnail> {
    Err(Error::usage("no thumbnails can be made: this rread was built without them")
        .hint("cargo install --path . --features thumbnails (in a checkout)"))
}
