//! SQLite databases as documents, and values inside them: `sqlite:db?table=T&key=K&column=C`.

mod document;
mod query;
mod snapshot;
mod table;
mod value;

pub(super) use document::decode;
pub use query::{Database, SqliteValue};

use crate::Source;
use rread_text::Result;

/// Opens a value by its address, without the prefix.
pub(super) fn open(address: &[u8]) -> Result<Box<dyn Source>> {
    let address = value::DatabaseAddress::parse(address)?;
    Ok(Box::new(value::ValueSource::open(&address)?))
}
