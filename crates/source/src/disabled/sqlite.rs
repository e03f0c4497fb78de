//! Stands for the module `sqlite` in a build without this feature.

use std::io;
use std::path::Path;

use crate::Source;
use crate::access::Access;
use crate::member_metadata::Listed;
use rread_text::error::{Error, Result};

/// Calls nothing.
///
/// # Errors
///
/// Always: the error names the feature.
pub fn list(_: &Path, _: &mut dyn FnMut(Listed) -> Result<bool>) -> Result<bool> {
    Err(not_built_in())
}

/// Returns the bytes as they are.
#[allow(clippy::unnecessary_wraps)]
pub(super) fn decode(source: Box<dyn Source>, _: &Path, _: &Access) -> io::Result<Box<dyn Source>> {
    Ok(source)
}

pub(super) fn open(_: &[u8]) -> Result<Box<dyn Source>> {
    Err(not_built_in())
}

fn not_built_in() -> Error {
    Error::usage("is in an SQLite database, which this build of rread does not read")
        .hint("cargo install --path . --features sqlite (in a checkout)")
}
