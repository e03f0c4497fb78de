//! Many files as one table: their names and types are those of all, and they are read one after another.
//!
//! `head` looks at the beginning of each file, `columns` finds the columns of all, `partition` those in the names of
//! directories, `prune` the files that a query excludes, `provider` reads the others, and `open` puts it together.

mod columns;
mod head;
mod open;
mod partition;
mod provider;
mod prune;
mod reads;
mod set;

pub(crate) use open::open;
pub use reads::FilesSummary;
pub(crate) use reads::Reads;
pub use set::{FILE, OpenFile, TableFiles};
