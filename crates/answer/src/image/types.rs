//! The metadata of an image, and thumbnails.

/// The most bytes of memory for decoding, and of the file to decode: 512 MiB.
pub const MOST_BYTES: u64 = 512 << 20;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PictureFormat {
    Png,
    Jpeg,
    Gif,
    Bmp,
    WebP,
    Tiff,
    Svg,
}

impl PictureFormat {
    /// The name in receipts (Pillow's, if it has one) and the media type.
    fn names(self) -> (&'static str, &'static str) {
        match self {
            PictureFormat::Png => ("PNG", "image/png"),
            PictureFormat::Jpeg => ("JPEG", "image/jpeg"),
            PictureFormat::Gif => ("GIF", "image/gif"),
            PictureFormat::Bmp => ("BMP", "image/bmp"),
            PictureFormat::WebP => ("WEBP", "image/webp"),
            PictureFormat::Tiff => ("TIFF", "image/tiff"),
            PictureFormat::Svg => ("SVG", "image/svg+xml"),
        }
    }

    pub fn name(self) -> &'static str {
        self.names().0
    }

    pub fn mime(self) -> &'static str {
        self.names().1
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Picture {
    pub format: PictureFormat,
    /// In pixels, as stored; an SVG may have none.
    pub width: Option<u64>,
    pub height: Option<u64>,
    /// Pillow's name of the pixel format, if it has one.
    pub mode: Option<&'static str>,
    /// The Exif orientation, 1 to 8; 1 is upright.
    pub orientation: u8,
    /// The number of frames, if it is cheap to find.
    pub frames: Option<u64>,
    /// Whether the file reaches to the end of the image, if that is cheap to find.
    pub complete: Option<bool>,
}

impl Picture {
    pub(super) fn new(format: PictureFormat, width: u64, height: u64, mode: Option<&'static str>) -> Self {
        let (width, height) = (Some(width), Some(height));
        Picture { format, width, height, mode, orientation: 1, frames: None, complete: None }
    }

    pub fn size(&self) -> String {
        match (self.width, self.height) {
            (Some(width), Some(height)) => format!("{width}x{height}"),
            _ => "no size of its own".to_owned(),
        }
    }
}

#[derive(Clone, Debug)]
pub struct Thumbnail {
    /// PNG or JPEG, in pixels turned upright.
    pub format: PictureFormat,
    pub width: u64,
    pub height: u64,
    pub bytes: Vec<u8>,
}

#[derive(Clone, Copy, Debug)]
pub struct Bounds {
    /// The longer side in pixels.
    pub side: Option<u64>,
    pub bytes: Option<u64>,
}
