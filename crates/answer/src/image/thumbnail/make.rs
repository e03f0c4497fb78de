//! Decodes, shrinks, turns and encodes images, with limited memory.

use std::io::{self, BufReader, Read, Seek, SeekFrom};

use ::image::codecs::gif::GifDecoder;
use ::image::codecs::jpeg::JpegEncoder;
use ::image::codecs::png::{CompressionType, FilterType, PngDecoder, PngEncoder};
use ::image::codecs::webp::WebPDecoder;
use ::image::metadata::Orientation;
use ::image::{AnimationDecoder, DynamicImage, ImageError, ImageFormat, ImageReader, Limits};

use crate::image::header::{Bounds, MAX_BYTES, Picture, PictureFormat, Thumbnail};
use rread_reader::reader::Reader;
use rread_text::error::{Error, Kind, Result};

/// JPEG quality, of 100: what most photographs use.
const QUALITY: u8 = 85;

/// A byte of a thumbnail holds fewer pixels than this, unless the image is nearly empty.
const PIXELS_OF_A_BYTE: u64 = 16;

pub(super) fn make(reader: &Reader, picture: &Picture, bounds: Bounds) -> Result<Thumbnail> {
    let decoded = decode(reader, picture)?;
    let orientation = Orientation::from_exif(picture.orientation).unwrap_or(Orientation::NoTransforms);
    let full = decoded.width().max(decoded.height());
    let side = bounds.side.and_then(|side| u32::try_from(side).ok()).unwrap_or(full).min(full);
    let side = bounds.bytes.map_or(side, |most| side.min(max_promising_side(&decoded, most)));
    let base = shrink(decoded, side);
    let encoded = |base: &DynamicImage, side| encode(base, side, orientation, picture);
    let whole = encoded(&base, side)?;
    match bounds.bytes {
        Some(most) if whole.bytes.len() as u64 > most => search(base, side, most, encoded),
        _ => Ok(whole),
    }
}

/// The longest side worth trying for `most` bytes: larger attempts would waste encoding time.
fn max_promising_side(picture: &DynamicImage, most: u64) -> u32 {
    let (width, height) = (u64::from(picture.width()), u64::from(picture.height()));
    let (longer, shorter) = (width.max(height), width.min(height));
    let pixels = u128::from(most.max(1)) * u128::from(PIXELS_OF_A_BYTE);
    let side = (pixels * u128::from(longer) / u128::from(shorter.max(1))).isqrt();
    u32::try_from(side).unwrap_or(u32::MAX).max(1)
}

/// The largest thumbnail of at most `most` bytes, with a side of at least 1 and less than `too_large`.
fn search(
    mut base: DynamicImage,
    mut too_large: u32,
    most: u64,
    encoded: impl Fn(&DynamicImage, u32) -> Result<Thumbnail>,
) -> Result<Thumbnail> {
    let mut best = encoded(&base, 1)?;
    if best.bytes.len() as u64 > most {
        let least = best.bytes.len();
        return Err(Error::usage(format!(
            "its smallest thumbnail has one pixel and {least} bytes, which is also too large"
        )));
    }
    let mut fits = 1;
    while too_large - fits > 1.max(too_large / 64) {
        let side = fits.midpoint(too_large);
        let tried = encoded(&base, side)?;
        if tried.bytes.len() as u64 <= most {
            (fits, best) = (side, tried);
        } else {
            too_large = side;
            // Once the side is known to be far smaller, shrink from a smaller base.
            if base.width().max(base.height()) / 4 > side {
                base = shrink(base, side * 2);
            }
        }
    }
    Ok(best)
}

fn decode(reader: &Reader, picture: &Picture) -> Result<DynamicImage> {
    let Some(format) = ImageFormat::from_mime_type(picture.format.mime()) else {
        return Err(Error::usage("is an SVG, which has no pixels"));
    };
    let seekable = SeekableReader { reader, size: reader.size()?, at: 0, link: picture.page_link };
    let mut images = ImageReader::with_format(BufReader::new(seekable), format);
    let mut limits = Limits::default();
    limits.max_alloc = Some(MAX_BYTES);
    images.limits(limits);
    images.decode().map_err(|error| cannot_decode(&error, picture))
}

/// Decodes the picture, and every frame of an animation.
pub(super) fn check(reader: &Reader, picture: &Picture) -> Result<()> {
    decode(reader, picture)?;
    let size = reader.size()?;
    let open = || BufReader::new(SeekableReader { reader, size, at: 0, link: None });
    let failed = |error: ImageError| cannot_decode(&error, picture);
    let mut frames = match picture.format {
        _ if picture.frames.is_none_or(|frames| frames < 2) => return Ok(()),
        PictureFormat::Gif => GifDecoder::new(open()).map_err(failed)?.into_frames(),
        PictureFormat::WebP => WebPDecoder::new(open()).map_err(failed)?.into_frames(),
        PictureFormat::Png => {
            let decoder = PngDecoder::new(open()).and_then(PngDecoder::apng);
            decoder.map_err(failed)?.into_frames()
        }
        _ => return Ok(()),
    };
    frames.try_for_each(|frame| frame.map(drop).map_err(failed))
}

struct SeekableReader<'a> {
    reader: &'a Reader,
    size: u64,
    at: u64,
    link: Option<(u64, [u8; 8])>,
}

impl Read for SeekableReader<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let got = self.reader.read(buffer, self.at).map_err(io::Error::other)?;
        if let Some((start, link)) = self.link {
            for (at, byte) in (self.at..2 * start).zip(&mut buffer[..got]) {
                let nth = at.checked_sub(start).and_then(|nth| usize::try_from(nth).ok());
                *byte = nth.and_then(|nth| link.get(nth).copied()).unwrap_or(*byte);
            }
        }
        self.at += got as u64;
        Ok(got)
    }
}

impl Seek for SeekableReader<'_> {
    fn seek(&mut self, to: SeekFrom) -> io::Result<u64> {
        let at = match to {
            SeekFrom::Start(at) => Some(at),
            SeekFrom::End(by) => self.size.checked_add_signed(by),
            SeekFrom::Current(by) => self.at.checked_add_signed(by),
        };
        self.at = at.ok_or(io::ErrorKind::InvalidInput)?;
        Ok(self.at)
    }
}

fn cannot_decode(error: &ImageError, picture: &Picture) -> Error {
    let what = format!("is a {} of {} pixels", picture.format.name(), picture.size());
    match error {
        ImageError::Limits(_) => {
            Error::usage(format!("{what}, which takes more than {MAX_BYTES} bytes to decode"))
        }
        // The decoder does not support this rare variant of the format.
        ImageError::Unsupported(cause) => Error::usage(format!("{what} that cannot be decoded: {cause}")),
        ImageError::IoError(cause) => match cause.get_ref().and_then(|inner| inner.downcast_ref::<Error>()) {
            Some(error) => error.clone(),
            None => Error::new(Kind::Io, format!("{what} that is damaged: {cause}")),
        },
        error => Error::new(Kind::Io, format!("{what} that is damaged: {error}")),
    }
}

fn shrink(picture: DynamicImage, side: u32) -> DynamicImage {
    match smaller_size(&picture, side) {
        Some((width, height)) => picture.thumbnail_exact(width, height),
        None => picture,
    }
}

/// The size of `picture` with a longer side of `side`, if that is smaller. Each side stays at least 1.
fn smaller_size(picture: &DynamicImage, side: u32) -> Option<(u32, u32)> {
    let longer = picture.width().max(picture.height());
    let scaled = |length: u32| {
        let scaled = (u64::from(length) * u64::from(side) + u64::from(longer) / 2) / u64::from(longer);
        u32::try_from(scaled).unwrap_or(side).max(1)
    };
    (longer > side).then(|| (scaled(picture.width()), scaled(picture.height())))
}

fn encode(base: &DynamicImage, side: u32, orientation: Orientation, of: &Picture) -> Result<Thumbnail> {
    let small = smaller_size(base, side).map(|(width, height)| base.thumbnail_exact(width, height));
    let mut picture = in_bytes(small.as_ref().unwrap_or(base));
    picture.apply_orientation(orientation);
    let mut png = Vec::new();
    let encoder = PngEncoder::new_with_quality(&mut png, CompressionType::Default, FilterType::Adaptive);
    picture.write_with_encoder(encoder).map_err(|error| cannot_encode(&error))?;
    let (mut format, mut bytes) = (PictureFormat::Png, png);
    let is_flat = matches!(of.mode, Some("P" | "PA" | "1"));
    if !is_flat && !picture.color().has_alpha() {
        let mut jpeg = Vec::new();
        let encoder = JpegEncoder::new_with_quality(&mut jpeg, QUALITY);
        picture.write_with_encoder(encoder).map_err(|error| cannot_encode(&error))?;
        if jpeg.len() < bytes.len() {
            (format, bytes) = (PictureFormat::Jpeg, jpeg);
        }
    }
    let (width, height) = (u64::from(picture.width()), u64::from(picture.height()));
    Ok(Thumbnail { format, width, height, bytes })
}

/// The image with 8 bits per channel; drops an alpha channel that is opaque everywhere.
fn in_bytes(picture: &DynamicImage) -> DynamicImage {
    let color = picture.color();
    match (color.has_alpha(), color.has_color()) {
        (true, _) => {
            let rgba = picture.to_rgba8();
            if rgba.pixels().all(|pixel| pixel.0[3] == u8::MAX) {
                return DynamicImage::ImageRgb8(DynamicImage::ImageRgba8(rgba).into_rgb8());
            }
            DynamicImage::ImageRgba8(rgba)
        }
        (false, true) => DynamicImage::ImageRgb8(picture.to_rgb8()),
        (false, false) => DynamicImage::ImageLuma8(picture.to_luma8()),
    }
}

fn cannot_encode(error: &ImageError) -> Error {
    Error::new(Kind::Io, format!("has a thumbnail that cannot be encoded: {error}"))
}
