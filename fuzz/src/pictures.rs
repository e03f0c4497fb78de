//! Facts of pictures: the same however the file is read, and those that a decoder of the whole picture tells.

use std::io::Cursor;

use image::{ImageFormat, ImageReader};
use rread_answer::image::{Picture, PictureFormat, examine};
use rread_reader::reader::{Reader, Tuning};

use crate::input::Input;
use rread_testkit::sources::{Act, Scripted};

/// What files of the formats begin with.
const STARTS: [&[u8]; 10] = [
    b"",
    b"\x89PNG\r\n\x1A\n\0\0\0\x0DIHDR",
    b"\xFF\xD8\xFF\xE0",
    b"GIF89a",
    b"BM\0\0\0\0\0\0\0\0\0\0\0\0\x28\0\0\0",
    b"RIFF\0\0\0\0WEBPVP8",
    b"II*\0\x08\0\0\0",
    b"MM\0*\0\0\0\x08",
    b"II+\0\x08\0\0\0\x10\0\0\0\0\0\0\0",
    b"<svg ",
];

pub fn run(data: &[u8]) {
    let mut input = Input::new(data);
    let start = input.pick(&STARTS);
    let bytes = [start, input.rest()].concat();
    let found = facts(&bytes, usize::MAX);
    assert_eq!(found, facts(&bytes, 3), "in pieces: {bytes:02x?}");
    if let Ok(Some(picture)) = found {
        assert!((1..=8).contains(&picture.orientation), "{picture:?}");
        agree(&bytes, &picture);
    }
}

/// The facts, or the sentence that says why there are none.
fn facts(bytes: &[u8], most: usize) -> Result<Option<Picture>, String> {
    let source = Scripted::new(bytes, move |_, _| Act::Short(most));
    let reader = Reader::new(Box::new(source), Tuning::default()).unwrap();
    examine(&reader, 1).map_err(|error| error.message.plain())
}

/// Where a decoder sees a picture in it too, it has this size.
fn agree(bytes: &[u8], picture: &Picture) {
    let format = match picture.format {
        PictureFormat::Png => ImageFormat::Png,
        PictureFormat::Jpeg => ImageFormat::Jpeg,
        PictureFormat::Gif => ImageFormat::Gif,
        PictureFormat::Bmp => ImageFormat::Bmp,
        PictureFormat::WebP => ImageFormat::WebP,
        PictureFormat::Tiff => ImageFormat::Tiff,
        PictureFormat::Svg => return,
    };
    let Ok((width, height)) = ImageReader::with_format(Cursor::new(bytes), format).into_dimensions() else {
        return;
    };
    // A frame may reach beyond the screen of a GIF, and then the picture does.
    if picture.format == PictureFormat::Gif {
        let covers = |ours: Option<u64>, theirs: u32| ours.is_some_and(|ours| ours >= u64::from(theirs));
        assert!(
            covers(picture.width, width) && covers(picture.height, height),
            "{picture:?} of {bytes:02x?}"
        );
        return;
    }
    let theirs = (Some(u64::from(width)), Some(u64::from(height)));
    assert_eq!((picture.width, picture.height), theirs, "{picture:?} of {bytes:02x?}");
}
