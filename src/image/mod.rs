//! What a picture says of itself: format, size and mode from its header, at the same cost for any size of file.

mod bmp;
mod gif;
mod jpeg;
mod png;
mod svg;
mod tags;
pub mod thumbnail;
mod tiff;
mod webp;
mod window;

use crate::error::{Error, Kind, Result, counted};
use crate::reader::Reader;
use crate::sniff::Content;
use window::{Fault, Found, Window};

/// The formats of pictures that are read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Format {
    /// W3C PNG, third edition, also animated.
    Png,
    /// ITU-T T.81, in JFIF or Exif.
    Jpeg,
    /// GIF 87a and 89a.
    Gif,
    /// Windows and OS/2 bitmaps.
    Bmp,
    /// WebP, lossy and lossless (RFC 9649).
    WebP,
    /// TIFF 6.0 and BigTIFF.
    Tiff,
    /// Scalable Vector Graphics: text.
    Svg,
}

impl Format {
    /// The word for it in receipts, which is Pillow's where that knows it.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Format::Png => "PNG",
            Format::Jpeg => "JPEG",
            Format::Gif => "GIF",
            Format::Bmp => "BMP",
            Format::WebP => "WEBP",
            Format::Tiff => "TIFF",
            Format::Svg => "SVG",
        }
    }

    /// The media type.
    #[must_use]
    pub fn mime(self) -> &'static str {
        match self {
            Format::Png => "image/png",
            Format::Jpeg => "image/jpeg",
            Format::Gif => "image/gif",
            Format::Bmp => "image/bmp",
            Format::WebP => "image/webp",
            Format::Tiff => "image/tiff",
            Format::Svg => "image/svg+xml",
        }
    }
}

/// What the header of a picture says.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Picture {
    /// The format.
    pub format: Format,
    /// Pixels from left to right as they are stored; an SVG may have no size of its own.
    pub width: Option<u64>,
    /// Pixels from top to bottom as they are stored.
    pub height: Option<u64>,
    /// What a pixel is, in Pillow's words, if those have one for it.
    pub mode: Option<&'static str>,
    /// How the stored picture is to be turned, 1 to 8 (Exif); 1 is not at all.
    pub orientation: u8,
    /// How many pictures there are in it, where that is cheap to know.
    pub frames: Option<u64>,
    /// Whether the file reaches to the end of the picture, where that is cheap to know.
    pub complete: Option<bool>,
}

impl Picture {
    fn new(format: Format, width: u64, height: u64, mode: Option<&'static str>) -> Self {
        let (width, height) = (Some(width), Some(height));
        Picture { format, width, height, mode, orientation: 1, frames: None, complete: None }
    }

    /// The size in words, such as `800x600`.
    #[must_use]
    pub fn size(&self) -> String {
        match (self.width, self.height) {
            (Some(width), Some(height)) => format!("{width}x{height}"),
            _ => "no size of its own".to_owned(),
        }
    }
}

/// The picture that `reader` reads; `None` if it is none of the formats.
///
/// Sizes come from the header. How far the picture goes is found by its structure, of which at most 16 MiB are
/// looked at, and only where the size of the file is known without reading a stream to its end.
///
/// # Errors
/// Those of reading; `io` when the header is damaged or the file ends inside it.
pub fn examine(reader: &Reader) -> Result<Option<Picture>> {
    let mut window = Window::new(reader);
    let Some(format) = detect(reader, &mut window)? else { return Ok(None) };
    let picture = match format {
        Format::Png => png::read(&mut window),
        Format::Jpeg => jpeg::read(&mut window),
        Format::Gif => gif::read(&mut window),
        Format::Bmp => bmp::read(&mut window),
        Format::WebP => webp::read(&mut window),
        Format::Tiff => tiff::read(&mut window),
        Format::Svg => return svg::read(reader),
    };
    let name = format.name();
    match picture {
        Ok(Picture { width: Some(1..), height: Some(1..), .. }) => {}
        Ok(picture) => {
            let size = picture.size();
            return Err(Error::new(
                Kind::Io,
                format!("is a {name} of {size} pixels: there is nothing in it"),
            ));
        }
        Err(Fault::Read(error)) => return Err(error),
        Err(fault) => return Err(damage(name, fault, reader)),
    }
    Ok(picture.ok())
}

/// The error for a header that cannot be read.
fn damage(name: &str, fault: Fault, reader: &Reader) -> Error {
    let words = match fault {
        Fault::Read(error) => return error,
        Fault::Odd(words) => words,
        Fault::Endless => "whose header goes on for more than 16 MiB without telling its size".to_owned(),
        Fault::Ends => {
            let after = reader.known_size().map_or(String::new(), |size| counted(size, "byte"));
            format!("that ends inside its header, after {after}")
        }
    };
    Error::new(Kind::Io, format!("is a {name} {words}"))
}

/// The format, by content alone.
fn detect(reader: &Reader, window: &mut Window<'_>) -> Result<Option<Format>> {
    let mut head = [0; 18];
    let mut known = 0;
    for (at, byte) in head.iter_mut().enumerate() {
        match window.byte(at as u64) {
            Ok(found) => (*byte, known) = (found, at + 1),
            Err(Fault::Read(error)) => return Err(error),
            Err(_) => break,
        }
    }
    // A text may well begin with the letters of some formats.
    let is_text = !matches!(reader.sniffed().content, Content::Binary | Content::Legacy);
    Ok(Some(match &head {
        [0x89, b'P', b'N', b'G', b'\r', b'\n', 0x1A, b'\n', ..] => Format::Png,
        [0xFF, 0xD8, 0xFF, ..] => Format::Jpeg,
        [b'R', b'I', b'F', b'F', _, _, _, _, b'W', b'E', b'B', b'P', ..] if !is_text => Format::WebP,
        [b'I', b'I', b'*' | b'+', 0, ..] | [b'M', b'M', 0, b'*' | b'+', ..] => Format::Tiff,
        [b'G', b'I', b'F', b'8', b'7' | b'9', b'a', ..] if !is_text => Format::Gif,
        [b'B', b'M', .., size, 0, 0, 0] if !is_text && bmp::HEADERS.contains(size) => Format::Bmp,
        [b'B', b'M', ..] if !is_text && known < head.len() => Format::Bmp,
        _ if is_text || reader.sniffed().content == Content::Legacy => Format::Svg,
        _ => return Ok(None),
    }))
}

/// What may be missing without the size being in doubt: a bound on what is looked at, or the end of the file.
fn ends(walked: Found<()>) -> Found<Option<bool>> {
    match walked {
        Ok(()) => Ok(Some(true)),
        Err(Fault::Ends) => Ok(Some(false)),
        Err(Fault::Read(error)) => Err(Fault::Read(error)),
        Err(Fault::Endless | Fault::Odd(_)) => Ok(None),
    }
}
