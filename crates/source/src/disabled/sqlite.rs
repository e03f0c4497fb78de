//! Stands for the module `sqlite` in a build without this feature.

use std::path::Path;

use crate::Source;
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

pub(super) fn open(_: &[u8]) -> Result<Box<dyn Source>> {
    Err(not_built_in())
}

fn not_built_in() -> Error {
    Error::usage("is in an SQLite database, which this build of rread does not read")
        .hint("cargo install --path . --features sqlite (in a checkout)")
}
