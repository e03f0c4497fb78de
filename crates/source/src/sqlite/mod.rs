//! SQLite databases as documents, and files inside them: `sqlite:archive.sqlar/path` and `sqlite:db?table=T&key=K&column=C`.

mod address;
mod archive;
mod csv;
mod document;
mod errors;
mod list;
mod locate;
mod placed;
mod query;
mod row;
mod search;
mod snapshot;
mod table;
mod text;

use crate::Source;
pub(super) use document::decode;
pub use list::list;
pub use query::Database;
use rread_text::error::Result;

/// Opens a value by its address, without the prefix.
pub(super) fn open(address: &[u8]) -> Result<Box<dyn Source>> {
    let address = address::DatabaseAddress::parse(address)?;
    Ok(Box::new(row::RowSource::open(address)?))
}
