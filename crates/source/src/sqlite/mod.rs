//! Files inside SQLite databases: `sqlite:archive.sqlar/path` and `sqlite:db?table=T&key=K&column=C`.

#[cfg(feature = "sqlite")]
mod address;
#[cfg(feature = "sqlite")]
mod archive;
#[cfg(feature = "sqlite")]
mod errors;
#[cfg(feature = "sqlite")]
mod list;
#[cfg(feature = "sqlite")]
mod locate;
#[cfg(feature = "sqlite")]
mod row;
#[cfg(feature = "sqlite")]
mod search;
#[cfg(feature = "sqlite")]
mod snapshot;
#[cfg(feature = "sqlite")]
mod table;

use std::path::Path;

#[cfg(not(feature = "sqlite"))]
use super::member_metadata::Listed;
use super::{Source, read_full};
#[cfg(feature = "sqlite")]
pub use list::list;
use rread_text::error::Result;

const PREFIX: &[u8] = b"sqlite:";

const MAGIC: &[u8] = b"SQLite format 3\0";

/// Whether `path` is an address, and not a file of that literal name. `./sqlite:x` is always a file.
pub(crate) fn is_address(path: &Path) -> bool {
    path.as_os_str().as_encoded_bytes().starts_with(PREFIX) && path.symlink_metadata().is_err()
}

/// Whether `source` begins as databases do.
pub fn is_database(source: &dyn Source) -> bool {
    let mut head = [0; MAGIC.len()];
    read_full(source, &mut head, 0).is_ok() && head == MAGIC
}

#[cfg(not(feature = "sqlite"))]
pub fn list(_: &Path, _: &mut dyn FnMut(Listed) -> Result<bool>) -> Result<bool> {
    Err(not_built_in())
}

#[cfg(feature = "sqlite")]
pub(super) fn open(path: &Path) -> Result<Box<dyn Source>> {
    let rest = path.as_os_str().as_encoded_bytes().get(PREFIX.len()..).unwrap_or_default();
    let address = address::DatabaseAddress::parse(rest)?;
    Ok(Box::new(row::RowSource::open(address)?))
}

#[cfg(not(feature = "sqlite"))]
pub(super) fn open(_: &Path) -> Result<Box<dyn Source>> {
    Err(not_built_in())
}

#[cfg(not(feature = "sqlite"))]
fn not_built_in() -> rread_text::error::Error {
    rread_text::error::Error::usage("is in an SQLite database, which this build of rread does not read")
        .hint("cargo install --path . --features sqlite (in a checkout)")
}
