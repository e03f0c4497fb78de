//! Makes pictures of every format and mode, and reads their facts with the library.

use std::io::Cursor;

use image::codecs::bmp::BmpEncoder;
use image::codecs::gif::GifEncoder;
use image::codecs::jpeg::JpegEncoder;
use image::codecs::tiff::TiffEncoder;
use image::codecs::webp::WebPEncoder;
use image::{DynamicImage, ExtendedColorType as Color, Frame, ImageEncoder, ImageFormat, RgbaImage};
use rread_answer::image::{Picture, examine};
use rread_reader::reader::{Reader, Tuning};
use rread_source::MemorySource;
use rread_text::error::Result;

pub fn reader(bytes: &[u8]) -> Reader {
    Reader::new(Box::new(MemorySource::new(bytes)), Tuning::default()).unwrap()
}

pub fn facts(bytes: &[u8]) -> Result<Option<Picture>> {
    examine(&reader(bytes), 1)
}

/// A picture and what it is.
pub struct Sample {
    pub format: &'static str,
    pub mode: &'static str,
    pub size: (u64, u64),
    pub bytes: Vec<u8>,
}

/// Bytes that do not compress well.
pub fn noise(count: usize) -> Vec<u8> {
    let mut state = 0x9E37_79B9_u32;
    let mut next = || {
        state ^= state << 13;
        state ^= state >> 17;
        state ^= state << 5;
        state.to_le_bytes()[1]
    };
    (0..count).map(|_| next()).collect()
}

/// A picture of `width` by `height` in `format`.
pub fn coloured(format: ImageFormat, width: u32, height: u32) -> Vec<u8> {
    let count = usize::try_from(width * height * 3).unwrap();
    let picture = image::RgbImage::from_raw(width, height, noise(count)).unwrap();
    let mut file = Cursor::new(Vec::new());
    DynamicImage::ImageRgb8(picture).write_to(&mut file, format).unwrap();
    file.into_inner()
}

/// A PNG with this header and an empty body, its checksum right.
pub fn png(width: u32, height: u32, depth: u8, color: u8) -> Vec<u8> {
    let mut header = b"IHDR".to_vec();
    header.extend(width.to_be_bytes());
    header.extend(height.to_be_bytes());
    header.extend([depth, color, 0, 0, 0]);
    let mut file = b"\x89PNG\r\n\x1A\n\0\0\0\x0D".to_vec();
    file.extend(&header);
    file.extend(crc32fast::hash(&header).to_be_bytes());
    for name in [b"IDAT", b"IEND"] {
        file.extend(0_u32.to_be_bytes());
        file.extend(name);
        file.extend(crc32fast::hash(name).to_be_bytes());
    }
    file
}

/// A TIFF with one directory of such entries: tag, type, count and value.
pub fn tiff(entries: &[(u16, u16, u32, u32)]) -> Vec<u8> {
    let mut file = b"II*\0\x08\0\0\0".to_vec();
    file.extend(u16::try_from(entries.len()).unwrap().to_le_bytes());
    for (tag, kind, count, value) in entries {
        file.extend(tag.to_le_bytes());
        file.extend(kind.to_le_bytes());
        file.extend(count.to_le_bytes());
        file.extend(value.to_le_bytes());
    }
    file.extend([0; 4]);
    file
}

/// Every format in every mode that can be made here.
pub fn samples() -> Vec<Sample> {
    const SIZE: (u32, u32) = (21, 13);
    let pixels = noise(21 * 13 * 8);
    let mut samples = Vec::new();
    let mut add = |format, mode, bytes| samples.push(Sample { format, mode, size: (21, 13), bytes });
    let raw = |color: Color| &pixels[..21 * 13 * usize::from(color.bits_per_pixel() / 8)];
    for (color, mode) in [
        (Color::L8, "L"),
        (Color::La8, "LA"),
        (Color::Rgb8, "RGB"),
        (Color::Rgba8, "RGBA"),
        (Color::L16, "I;16"),
        (Color::Rgb16, "RGB"),
        (Color::Rgba16, "RGBA"),
    ] {
        let mut file = Vec::new();
        let png = image::codecs::png::PngEncoder::new(&mut file);
        png.write_image(raw(color), SIZE.0, SIZE.1, color).unwrap();
        add("PNG", mode, file);
    }
    for (depth, color, mode) in [(1, 0, "1"), (2, 0, "L"), (4, 0, "L"), (1, 3, "P"), (8, 3, "P")] {
        add("PNG", mode, png(21, 13, depth, color));
    }
    for (color, mode) in [(Color::L8, "L"), (Color::Rgb8, "RGB")] {
        let mut file = Vec::new();
        JpegEncoder::new(&mut file).write_image(raw(color), SIZE.0, SIZE.1, color).unwrap();
        add("JPEG", mode, file);
    }
    for (color, mode) in [(Color::L8, "L"), (Color::Rgb8, "RGB"), (Color::Rgba8, "RGBA")] {
        let mut file = Vec::new();
        BmpEncoder::new(&mut file).write_image(raw(color), SIZE.0, SIZE.1, color).unwrap();
        add("BMP", mode, file);
    }
    for (color, mode) in [(Color::Rgb8, "RGB"), (Color::Rgba8, "RGBA")] {
        let mut file = Vec::new();
        WebPEncoder::new_lossless(&mut file).write_image(raw(color), SIZE.0, SIZE.1, color).unwrap();
        add("WEBP", mode, file);
    }
    for (color, mode) in [
        (Color::L8, "L"),
        (Color::Rgb8, "RGB"),
        (Color::Rgba8, "RGBA"),
        (Color::L16, "I;16"),
        (Color::Rgb16, "RGB"),
    ] {
        let mut file = Cursor::new(Vec::new());
        TiffEncoder::new(&mut file).write_image(raw(color), SIZE.0, SIZE.1, color).unwrap();
        add("TIFF", mode, file.into_inner());
    }
    let mut file = Vec::new();
    let frame = RgbaImage::from_raw(21, 13, raw(Color::Rgba8).to_vec()).unwrap();
    let mut gif = GifEncoder::new(&mut file);
    gif.encode_frames([Frame::new(frame.clone()), Frame::new(frame)]).unwrap();
    drop(gif);
    add("GIF", "P", file);
    samples
}
