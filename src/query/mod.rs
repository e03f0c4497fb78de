//! SQL on a table in a file: CSV, JSON and Parquet, by Apache DataFusion.

pub mod layout;

#[cfg(feature = "sql")]
pub mod dialect;
#[cfg(feature = "sql")]
pub mod text;
