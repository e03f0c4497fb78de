//! Thumbnails: within their limits, upright, and as large as possible.
#![cfg(feature = "thumbnails")]

use image::{GenericImageView, ImageFormat};
use rread_answer::image::examine;
use rread_answer::image::thumbnail::{Bounds, Thumbnail, thumbnail};

use super::pictures::{coloured, reader, samples, tiff};

fn made(bytes: &[u8], side: Option<u64>, most: Option<u64>) -> rread_text::error::Result<Thumbnail> {
    let reader = reader(bytes);
    let picture = examine(&reader, 1).unwrap().unwrap();
    let made = thumbnail(&reader, &picture, Bounds { side, bytes: most })?;
    let decoded = image::load_from_memory(&made.bytes).unwrap();
    assert_eq!((u64::from(decoded.width()), u64::from(decoded.height())), (made.width, made.height));
    Ok(made)
}

#[test]
fn every_format_and_mode_can_be_shrunk() {
    for sample in samples() {
        // Those with an empty body have nothing to decode.
        if sample.bytes.len() < 60 || sample.format == "PNG" && sample.bytes.len() < 80 {
            continue;
        }
        let what = format!("{} {}", sample.format, sample.mode);
        let made = made(&sample.bytes, Some(8), None).unwrap_or_else(|error| panic!("{what}: {error}"));
        assert_eq!((made.width, made.height), (8, 5), "{what}");
        let is_clear = matches!(sample.mode, "RGBA" | "LA" | "P");
        assert!(!is_clear || made.format.name() == "PNG", "{what}");
    }
}

#[test]
fn the_shape_is_kept_and_nothing_grows() {
    for (width, height) in [(40, 30), (30, 40), (100, 1), (1, 100), (7, 7)] {
        let bytes = coloured(ImageFormat::Png, width, height);
        for side in [1, 2, 7, 29, 40, 1000] {
            let made = made(&bytes, Some(side), None).unwrap();
            let longer = u64::from(width.max(height)).min(side);
            assert_eq!(made.width.max(made.height), longer, "{width}x{height} in {side}");
            let shorter = f64::from(width.min(height)) * f64::from(u32::try_from(longer).unwrap())
                / f64::from(width.max(height));
            let got = f64::from(u32::try_from(made.width.min(made.height)).unwrap());
            assert!((got - shorter.max(1.0)).abs() <= 0.5, "{width}x{height} in {side}: {got}");
        }
    }
}

#[test]
fn a_budget_is_kept_and_used() {
    for format in [ImageFormat::Png, ImageFormat::Bmp, ImageFormat::Tiff] {
        let bytes = coloured(format, 120, 90);
        for most in [700, 1000, 3000, 10_000] {
            let made = made(&bytes, None, Some(most)).unwrap();
            assert!(made.bytes.len() as u64 <= most, "{} of {most}", made.bytes.len());
            assert!(made.width > 1, "{most}");
            assert!(most < 3000 || made.bytes.len() as u64 > most / 2, "{} of {most}", made.bytes.len());
        }
        let error = made(&bytes, None, Some(20)).unwrap_err();
        assert!(error.message.plain().contains("has one pixel"), "{error}");
    }
}

#[test]
fn a_picture_is_turned_as_it_is_to_be_seen() {
    let mut picture = image::RgbImage::from_pixel(40, 20, image::Rgb([255, 255, 255]));
    // Black in the first corner, which orientation 6 moves to the right.
    (0..10).for_each(|x| (0..10).for_each(|y| picture.put_pixel(x, y, image::Rgb([0, 0, 0]))));
    let mut jpeg = Vec::new();
    image::codecs::jpeg::JpegEncoder::new_with_quality(&mut jpeg, 100).encode_image(&picture).unwrap();
    let exif = tiff(&[(274, 3, 1, 6)]);
    let length = u16::try_from(exif.len() + 8).unwrap().to_be_bytes();
    let turned = [&jpeg[..2], b"\xFF\xE1", &length, b"Exif\0\0", &exif, &jpeg[2..]].concat();
    let made = made(&turned, Some(20), None).unwrap();
    assert_eq!((made.width, made.height), (10, 20));
    let seen = image::load_from_memory(&made.bytes).unwrap().to_luma8();
    assert!(
        seen.get_pixel(8, 1).0[0] < 60 && seen.get_pixel(1, 1).0[0] > 200 && seen.get_pixel(8, 18).0[0] > 200
    );
    assert_eq!(seen.dimensions(), image::load_from_memory(&made.bytes).unwrap().dimensions());
}

#[test]
fn a_picture_cut_or_changed_anywhere_causes_no_panic() {
    for sample in samples() {
        for at in (0..sample.bytes.len()).step_by(7) {
            let mut changed = sample.bytes.clone();
            changed[at] ^= 0x55;
            for bytes in [&sample.bytes[..at], &changed] {
                let reader = reader(bytes);
                if let Ok(Some(picture)) = examine(&reader, 1) {
                    let _ = thumbnail(&reader, &picture, Bounds { side: Some(4), bytes: None });
                }
            }
        }
    }
}
