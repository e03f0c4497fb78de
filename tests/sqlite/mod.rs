//! Tests of SQLite databases and their values: real databases, the conformance suite, an oracle, writers and damage.

mod conformance;
mod damage;
mod database;
mod documents;
#[cfg(feature = "sql")]
mod queries;
mod snapshots;
mod values;
