//! Files inside SQLite databases: `sqlite:archive.sqlar/path` and `sqlite:db?table=T&key=K&column=C`.

#[cfg(feature = "sqlite")]
mod address;
#[cfg(feature = "sqlite")]
mod archive;
#[cfg(feature = "sqlite")]
mod locate;
#[cfg(feature = "sqlite")]
mod refusal;
#[cfg(feature = "sqlite")]
mod row;
#[cfg(feature = "sqlite")]
mod snapshot;
#[cfg(feature = "sqlite")]
mod table;

use std::path::Path;

use super::Source;
use crate::error::Result;

/// What an address begins with.
const PREFIX: &[u8] = b"sqlite:";

/// Whether `path` is an address in a database: of that form, and no file of that very name. `./sqlite:x` is always a file.
#[must_use]
pub fn is_address(path: &Path) -> bool {
    path.as_os_str().as_encoded_bytes().starts_with(PREFIX) && path.symlink_metadata().is_err()
}

/// Opens what `path`, which is an address, names.
///
/// # Errors
/// `not_found`, `locked`, `io`, `usage` and the other kinds of exit code 3, with what there is instead.
#[cfg(feature = "sqlite")]
pub fn open(path: &Path) -> Result<Box<dyn Source>> {
    let address = address::Address::parse(path)?;
    Ok(Box::new(row::RowSource::open(address)?))
}

/// Says how to come by what opens `path`, which is an address.
///
/// # Errors
/// `usage`, always.
#[cfg(not(feature = "sqlite"))]
pub fn open(_: &Path) -> Result<Box<dyn Source>> {
    Err(crate::error::Error::usage("is in an SQLite database, which this build of rread does not read")
        .hint("cargo install --path . --features sqlite (in a checkout)"))
}
