//! Stands for the module `document` in a build without the feature `documents`.

use std::ffi::OsString;
use std::io;
use std::path::Path;

use crate::Source;
use crate::access::Access;
use rread_documents::sheets::Sheet;
use rread_text::error::Error;

/// Returns `None`: this build has no hidden command.
pub fn main(_: &[OsString]) -> Option<u8> {
    None
}

/// Returns the bytes as they are.
pub(super) fn decode(source: Box<dyn Source>, _: &Path, access: &Access) -> io::Result<Box<dyn Source>> {
    if !matches!(access.sheet, Some(Sheet::Named(_))) {
        return Ok(source);
    }
    let error = Error::usage("this rread was built without the feature that reads workbooks")
        .hint("cargo install --path . --features documents,sql (in a checkout)");
    Err(error.into_io())
}
