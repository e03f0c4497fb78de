//! A thumbnail, and the bounds that a caller sets.

use crate::image::header::PictureFormat;

/// The most bytes of memory for decoding, and of the file to decode: 512 MiB.
pub(super) const MAX_BYTES: u64 = 512 << 20;

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
