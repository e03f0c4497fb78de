//! Stands for the module `sqlite` in a build without this feature.

use std::io;
use std::ops::ControlFlow;
use std::path::Path;
use std::time::Duration;

use crate::Source;
use crate::access::Access;
use crate::member_metadata::Listed;
use crate::sqlite_value::SqliteValue;
use crate::version::Version;
use rread_text::error::{Error, Result};

/// A database that there never is.
pub enum Database {}

#[allow(missing_docs, clippy::missing_errors_doc)]
impl Database {
    /// Finds none.
    #[allow(clippy::unnecessary_wraps)]
    pub fn of(_: &dyn Source, _: &Path, _: &Access) -> Result<Option<Self>> {
        Ok(None)
    }

    pub fn version(&self) -> Option<Version> {
        match *self {}
    }

    pub fn lacks_log(&self) -> bool {
        match *self {}
    }

    pub fn is_unchanged(&self) -> bool {
        match *self {}
    }

    pub fn tables(&self) -> Result<Vec<(String, String)>> {
        match *self {}
    }

    pub fn columns(&self, _: &str) -> Result<Vec<(String, String)>> {
        match *self {}
    }

    pub fn lacks(&self, _: &str, _: &str) -> bool {
        match *self {}
    }

    pub fn query(
        &self,
        _: &str,
        _: Option<Duration>,
        _: &mut dyn FnMut(Vec<String>) -> Result<()>,
        _: &mut dyn FnMut(&[SqliteValue<'_>]) -> Result<ControlFlow<()>>,
    ) -> Result<()> {
        match *self {}
    }
}

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
