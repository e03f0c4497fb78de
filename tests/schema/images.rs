//! Answers about pictures, and the pictures.

use std::fs::{self, File};
use std::path::Path;

use image::codecs::gif::GifEncoder;
use image::codecs::jpeg::JpegEncoder;
use image::{Frame, ImageEncoder, Rgb, RgbImage, RgbaImage};

/// Command lines about the files of [`files`].
pub const COMMANDS: &[&str] = &[
    "image colours.png",
    "image colours.png --no-data",
    "image colours.png --thumbnail 8",
    "image colours.png --max-bytes 1000 --no-data",
    "image colours.png --max-bytes 10",
    "image turned.jpg",
    "image moving.gif --no-data",
    "image drawing.svg",
    "image endless.svg --no-data",
    "image drawing.svg --thumbnail 8",
    "image cut.png",
    "image cut.png --no-data",
    "image picture.png",
    "image colours.png.zst",
    "image app.log",
    "image empty",
    "colours.png | image -",
    "colours.png | image - --no-data",
    "cut.png | image - --thumbnail 8",
];

/// Makes the pictures in `folder`.
pub fn files(folder: &Path) {
    let mixed = |n: u32| u8::try_from(n.wrapping_mul(2_654_435_761) >> 24).unwrap();
    let picture = RgbImage::from_fn(60, 40, |x, y| Rgb([mixed(x), mixed(y), mixed(x * y)]));
    let path = |name: &str| folder.join(name);
    picture.save(path("colours.png")).unwrap();
    let png = fs::read(path("colours.png")).unwrap();
    fs::write(path("cut.png"), &png[..png.len() / 2]).unwrap();
    fs::write(path("colours.png.zst"), zstd::encode_all(&png[..], 1).unwrap()).unwrap();
    let mut encoder = JpegEncoder::new(File::create(path("turned.jpg")).unwrap());
    let exif = [&b"II*\0\x08\0\0\0\x01\0\x12\x01\x03\0\x01\0\0\0\x06\0\0\0"[..], &[0; 4]].concat();
    encoder.set_exif_metadata(exif).unwrap();
    encoder.encode_image(&picture).unwrap();
    let mut encoder = GifEncoder::new(File::create(path("moving.gif")).unwrap());
    encoder.encode_frames((0..2).map(|_| Frame::new(RgbaImage::new(5, 4)))).unwrap();
    drop(encoder);
    fs::write(path("drawing.svg"), "<svg width='1in' height='50' xmlns='http://www.w3.org/2000/svg'/>")
        .unwrap();
    fs::write(path("endless.svg"), "<svg width='100%' height='100%'/>").unwrap();
}
