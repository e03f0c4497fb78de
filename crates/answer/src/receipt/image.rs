//! The receipt of `image`: what a picture is, and what the content is made of.

use super::envelope::{Envelope, Markup};
use super::facts::{Facts, Key, Receipt, keys};
use super::file::{DecodingInfo, FileDetails, FileInfo, NameInfo};
use crate::rows::rows;
use rread_text::error::Result;

rows! {
    /// The facts in the header of a picture, and the kind of content.
    #[derive(Clone, Debug)]
    pub struct ImageInfo {
        /// The format, by content.
        pub format: &'static str = ["PNG", "JPEG", "GIF", "BMP", "WEBP", "TIFF", "SVG"],
        /// The media type of the format.
        pub mime: &'static str,
        /// Pixels from left to right as they are stored; of an SVG in CSS pixels, left out if it has no size.
        pub width?: Option<u64>,
        /// Pixels from top to bottom as they are stored; of an SVG in CSS pixels, left out if it has no size.
        pub height?: Option<u64>,
        /// The type of the pixels, as Pillow names it; left out if Pillow has no name for it, and of an SVG.
        pub mode?: Option<&'static str>,
        /// How to rotate the stored picture, as an Exif number from 2 to 8; left out if it needs no rotation. From 5 on,
        /// exchange width and height.
        pub orientation?: Option<u64>,
        /// How many pictures an animated GIF or PNG has, if that is cheap to find.
        pub frames?: Option<u64>,
        /// The length of the content in bytes; left out without content.
        pub content_bytes?: Option<u64> [no_tool],
        /// Whether the content is the exact bytes of the file; left out of a picture that ends early.
        pub exact?: Option<bool>,
        /// The media type of the thumbnail.
        pub thumbnail_mime?: Option<&'static str>,
        /// The thumbnail that the content is.
        pub thumbnail?: Option<ThumbnailInfo>,
    }

    /// The size of a thumbnail in pixels, and of its file in bytes.
    #[derive(Clone, Copy, Debug)]
    pub struct ThumbnailInfo: "thumbnail" {
        /// Pixels from left to right.
        pub width: u64,
        /// Pixels from top to bottom.
        pub height: u64,
        /// Bytes of its file.
        pub bytes: u64,
    }

    /// The receipt of a picture.
    pub(super) struct ImageMembers<'a>: "image" {
        flat name: &'a NameInfo,
        /// The size of the file in bytes; left out while the size of a stream is unknown.
        file_size?: Option<u64>,
        flat image: &'a ImageInfo,
        flat details: &'a FileDetails,
    }
}

pub(super) const IMAGE: &[Key] = keys![
    ..NameInfo [format mime width height mode orientation frames file_size] ..DecodingInfo [content_bytes exact
    thumbnail_mime thumbnail version notices change]
];

impl ImageInfo {
    fn members<'a>(&'a self, file: &'a FileInfo) -> ImageMembers<'a> {
        ImageMembers { name: &file.name, file_size: file.size, image: self, details: &file.details }
    }
}

impl Envelope for ImageInfo {
    fn element(&self, _: &FileInfo) -> &'static str {
        "image_content"
    }

    fn receipt<'r>(&'r self, file: &'r FileInfo) -> Box<dyn Receipt + 'r> {
        Box::new(self.members(file))
    }

    fn facts(&self, file: &FileInfo, _: Markup) -> Result<Facts> {
        Ok(self.members(file).facts()?.arranged(IMAGE, []))
    }
}
