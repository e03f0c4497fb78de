//! Size, mode and the rest of sound pictures.

use image::ImageFormat;

use super::pictures::{coloured, facts, png, samples, tiff};

#[test]
fn every_format_and_mode_is_what_its_encoder_made() {
    for sample in samples() {
        let picture = facts(&sample.bytes).unwrap().unwrap();
        let what = format!("{} {}", sample.format, sample.mode);
        assert_eq!(picture.format.name(), sample.format, "{what}");
        assert_eq!((picture.width, picture.height), (Some(sample.size.0), Some(sample.size.1)), "{what}");
        assert_eq!(picture.mode, Some(sample.mode), "{what}");
        assert_eq!(picture.orientation, 1, "{what}");
        assert_eq!(picture.complete, Some(true), "{what}");
        assert_eq!(picture.frames, (sample.format == "GIF").then_some(2), "{what}");
    }
}

#[test]
fn trailing_bytes_do_not_make_a_picture_incomplete() {
    for mut sample in samples() {
        sample.bytes.extend([0x77; 5000]);
        let picture = facts(&sample.bytes).unwrap().unwrap();
        assert_eq!(picture.complete, Some(true), "{} {}", sample.format, sample.mode);
    }
}

#[test]
fn every_header_of_a_png_has_its_mode_or_is_none() {
    for (color, depths) in
        [(0, &[1, 2, 4, 8, 16][..]), (2, &[8, 16]), (3, &[1, 2, 4, 8]), (4, &[8, 16]), (6, &[8, 16])]
    {
        for depth in 0..=17 {
            assert_eq!(facts(&png(3, 4, depth, color)).is_ok(), depths.contains(&depth), "{depth} {color}");
        }
    }
    assert!(facts(&png(3, 4, 8, 5)).unwrap_err().message.plain().contains("colours of type 5"));
    assert!(facts(&png(0, 4, 8, 2)).unwrap_err().message.plain().contains("0x4"));
}

#[test]
fn tags_of_a_tiff_decide_the_mode() {
    let mode = |tags: &[(u16, u16, u32, u32)]| {
        let all = [&[(256, 3, 1, 7), (257, 4, 1, 5)], tags].concat();
        let picture = facts(&tiff(&all)).unwrap().unwrap();
        assert_eq!((picture.width, picture.height), (Some(7), Some(5)));
        picture.mode
    };
    assert_eq!(mode(&[]), Some("1"));
    assert_eq!(mode(&[(258, 3, 1, 8), (262, 3, 1, 1)]), Some("L"));
    assert_eq!(mode(&[(258, 3, 1, 8), (262, 3, 1, 3)]), Some("P"));
    assert_eq!(mode(&[(258, 3, 1, 8), (262, 3, 1, 5), (277, 3, 1, 4)]), Some("CMYK"));
    assert_eq!(mode(&[(258, 3, 1, 8), (262, 3, 1, 2), (277, 3, 1, 4), (338, 3, 1, 2)]), Some("RGBA"));
    assert_eq!(mode(&[(258, 3, 1, 32), (262, 3, 1, 1), (339, 3, 1, 3)]), Some("F"));
    assert_eq!(mode(&[(258, 3, 1, 32), (262, 3, 1, 1)]), Some("I"));
    assert_eq!(mode(&[(258, 3, 1, 7), (262, 3, 1, 99)]), None);
}

#[test]
fn a_tiff_is_incomplete_if_a_strip_reaches_past_its_end() {
    for (past, complete) in [(0, true), (1, false)] {
        let strip = [(256, 3, 1, 7), (257, 3, 1, 5), (273, 4, 1, 8), (279, 4, 1, 54 + past)];
        assert_eq!(tiff(&strip).len(), 62);
        assert_eq!(facts(&tiff(&strip)).unwrap().unwrap().complete, Some(complete), "{past}");
    }
}

#[test]
fn orientation_is_read_in_every_format_that_has_one() {
    let exif = tiff(&[(274, 3, 1, 6)]);
    let jpeg = coloured(ImageFormat::Jpeg, 9, 8);
    let length = u16::try_from(exif.len() + 8).unwrap().to_be_bytes();
    let turned = [&jpeg[..2], b"\xFF\xE1", &length, b"Exif\0\0", &exif, &jpeg[2..]].concat();
    assert_eq!(facts(&turned).unwrap().unwrap().orientation, 6);

    let png = png(9, 8, 8, 2);
    let length = u32::try_from(exif.len()).unwrap().to_be_bytes();
    let turned = [&png[..33], &length, b"eXIf", &exif, &[0; 4], &png[33..]].concat();
    assert_eq!(facts(&turned).unwrap().unwrap().orientation, 6);

    let all = [(256, 3, 1, 7), (257, 4, 1, 5), (274, 3, 1, 8)];
    assert_eq!(facts(&tiff(&all)).unwrap().unwrap().orientation, 8);
    assert_eq!(facts(&tiff(&[all[0], all[1], (274, 3, 1, 9)])).unwrap().unwrap().orientation, 1);
}

#[test]
fn text_that_begins_like_a_picture_is_not_a_picture() {
    for text in [
        "BMW arrived\n",
        "GIF89a is a format\n",
        "RIFF raff WEBP\n",
        "II*\n",
        "hello\n",
        "<html><svg/></html>",
    ] {
        assert!(facts(text.as_bytes()).unwrap().is_none(), "{text}");
    }
    assert!(facts(b"").unwrap().is_none());
    assert!(facts(&[0; 5000]).unwrap().is_none());
}
