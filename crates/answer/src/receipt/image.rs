//! The receipt of `image`: what a picture is, and what the content is made of.

use serde::Serialize;
use std::any::Any;

use super::envelope::{Envelope, Markup};
use super::file::{FileDetails, FileInfo, NameInfo};
use super::json::{Members, Receipt, arrange};
use rread_text::error::Result;

/// The facts in the header of a picture, and the kind of content.
#[derive(Clone, Debug, Default, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema), schemars(inline))]
pub struct ImageInfo {
    /// The format, by content.
    pub format: &'static str,
    /// The media type of the format.
    pub mime: &'static str,
    /// Pixels from left to right as they are stored; of an SVG in CSS pixels, left out if it has no size.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub width: Option<u64>,
    /// Pixels from top to bottom as they are stored; of an SVG in CSS pixels, left out if it has no size.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub height: Option<u64>,
    /// The type of the pixels, as Pillow names it; left out if Pillow has no name for it, and of an SVG.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub mode: Option<&'static str>,
    /// How to rotate the stored picture, as an Exif number from 2 to 8; left out if it needs no rotation. From 5 on,
    /// exchange width and height.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub orientation: Option<u64>,
    /// How many pictures an animated GIF or PNG has, if that is cheap to find.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub frames: Option<u64>,
    /// The length of the content in bytes; left out without content.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub content_bytes: Option<u64>,
    /// Whether the content is the exact bytes of the file; left out of a picture that ends early.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub exact: Option<bool>,
    /// The media type of the thumbnail.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub thumbnail_mime: Option<&'static str>,
    /// The thumbnail that the content is.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub thumbnail: Option<ThumbnailInfo>,
}

/// The size of a thumbnail in pixels, and of its file in bytes.
#[derive(Clone, Copy, Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema), schemars(rename = "thumbnail"))]
pub struct ThumbnailInfo {
    /// Pixels from left to right.
    pub width: u64,
    /// Pixels from top to bottom.
    pub height: u64,
    /// Bytes of its file.
    pub bytes: u64,
}

/// The receipt of a picture.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema), schemars(rename = "image"))]
pub struct ImageMembers<'a> {
    #[serde(flatten)]
    name: &'a NameInfo,
    /// The size of the file in bytes; left out while the size of a stream is unknown.
    #[serde(skip_serializing_if = "Option::is_none")]
    file_size: Option<u64>,
    #[serde(flatten)]
    image: &'a ImageInfo,
    #[serde(flatten)]
    details: &'a FileDetails,
}

/// The order for people.
pub(super) const IMAGE: &str = "NAME format mime width height mode orientation frames file_size DECODING content_bytes exact \
    thumbnail_mime thumbnail version notices guess_contradicted change";

impl ImageInfo {
    pub fn members<'a>(&'a self, file: &'a FileInfo) -> ImageMembers<'a> {
        ImageMembers { name: &file.name, file_size: file.size, image: self, details: &file.details }
    }
}

impl Envelope for ImageInfo {
    fn as_any(&self) -> &dyn Any {
        self
    }

    fn element(&self, _: &FileInfo) -> &'static str {
        "image_content"
    }

    fn receipt<'r>(&'r self, file: &'r FileInfo, _: bool) -> Box<dyn Receipt + 'r> {
        Box::new(self.members(file))
    }

    fn people(&self, file: &FileInfo, _: Markup, _: bool) -> Result<Members> {
        arrange(IMAGE, &self.members(file), &Members::new())
    }
}
