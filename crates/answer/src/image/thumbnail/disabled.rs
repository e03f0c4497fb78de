//! Stands for the module `make` in a build without the feature `thumbnails`.

use crate::image::types::{Bounds, Picture, Thumbnail};
use rread_reader::reader::Reader;
use rread_text::error::{Error, Result};

/// Names the feature to build.
pub(super) fn make(_: &Reader, _: &Picture, _: Bounds) -> Result<Thumbnail> {
    Err(Error::usage("this rread was built without thumbnails")
        .hint("cargo install --path . --features thumbnails"))
}
