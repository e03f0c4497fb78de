//! Tests of files inside SQLite databases: real databases, the conformance suite, an oracle, writers and
//! damage.

mod archives;
mod conformance;
mod damage;
mod database;
mod documents;
#[cfg(feature = "sql")]
mod queries;
mod snapshots;
mod values;
