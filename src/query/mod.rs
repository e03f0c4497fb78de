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
pub(crate) use run::{Ended, Rows, run};
/// A query and its options.
#[derive(Clone, Debug)]
pub struct Asked {
    /// The query.
    pub sql: String,
    /// The kind of the table, if the user gave it.
    pub input: Option<Input>,
    /// The syntax, if the values are delimited.
    pub csv: Csv,
    /// Whether the user gave the delimiter; otherwise rread recognises it.
    pub is_delimited: bool,
    /// Types of columns, as `name:type,…`.
    pub types: Option<String>,
    /// Whether invalid records are left out.
    pub skip_bad: bool,
    /// The most bytes of memory for sorting, grouping and joining.
    pub memory: usize,
    /// The time limit of the query.
    pub timeout: Option<Duration>,
    /// Whether the rows must come in the same order every time.
    pub repeatable: bool,
}
