//! Files inside SQLite databases: `sqlite:archive.sqlar/path` and `sqlite:db?table=T&key=K&column=C`.

#[cfg(feature = "sqlite")]
mod address;
#[cfg(feature = "sqlite")]
mod archive;
#[cfg(feature = "sqlite")]
mod errors;
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

use super::Source;
use crate::error::Result;

const PREFIX: &[u8] = b"sqlite:";

/// Whether `path` is an address, and not a file of that literal name. `./sqlite:x` is always a file.
pub(crate) fn is_address(path: &Path) -> bool {
    path.as_os_str().as_encoded_bytes().starts_with(PREFIX) && path.symlink_metadata().is_err()
}

#[cfg(feature = "sqlite")]
pub(super) fn open(path: &Path) -> Result<Box<dyn Source>> {
    let rest = path.as_os_str().as_encoded_bytes().get(PREFIX.len()..).unwrap_or_default();
    let address = address::DatabaseAddress::parse(rest)?;
    Ok(Box::new(row::RowSource::open(address)?))
}

#[cfg(not(feature = "sqlite"))]
pub(super) fn open(_: &Path) -> Result<Box<dyn Source>> {
    Err(crate::error::Error::usage("is in an SQLite database, which this build of rread does not read")
        .hint("cargo install --path . --features sqlite (in a checkout)"))
}
