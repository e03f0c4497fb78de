//! SQL on a table in a file: CSV, JSON and Parquet, by Apache DataFusion.

pub mod layout;

#[cfg(feature = "sql")]
mod decoded;
#[cfg(feature = "sql")]
mod detect;
#[cfg(feature = "sql")]
pub mod dialect;
#[cfg(feature = "sql")]
pub mod exact;
#[cfg(feature = "sql")]
mod order;
#[cfg(feature = "sql")]
mod parquet;
#[cfg(feature = "sql")]
pub mod rows;
#[cfg(feature = "sql")]
mod run;
#[cfg(feature = "sql")]
mod scan;
#[cfg(feature = "sql")]
mod sequence;
#[cfg(feature = "sql")]
mod spill;
#[cfg(feature = "sql")]
mod table;
#[cfg(feature = "sql")]
pub mod text;

use std::time::Duration;

use layout::{Csv, Input};

#[cfg(feature = "sql")]
pub use run::{Ended, Rows, run};

/// What is asked of a table.
#[derive(Clone, Debug)]
pub struct Asked {
    /// The query.
    pub sql: String,
    /// What kind of table it is, where that was said.
    pub input: Option<Input>,
    /// How its values stand, if they are delimited.
    pub csv: Csv,
    /// Whether the delimiter was said; else it is found out.
    pub is_delimited: bool,
    /// Types of columns, as `name:type,…`.
    pub types: Option<String>,
    /// Whether records that are none are left out.
    pub skip_bad: bool,
    /// Bytes of memory that sorting, grouping and joining may take.
    pub memory: usize,
    /// How long the query may take.
    pub timeout: Option<Duration>,
    /// Whether the rows have to come in the same order each time.
    pub repeatable: bool,
}
