//! SQL on a table in a file: CSV, JSON and Parquet, by Apache DataFusion.

#![allow(missing_docs)]

pub mod layout;

#[cfg(feature = "sql")]
mod cells;
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
mod request;
#[cfg(feature = "sql")]
pub(crate) mod rows;
#[cfg(feature = "sql")]
mod run;
#[cfg(feature = "sql")]
mod scan;
#[cfg(feature = "sql")]
mod sequence;
#[cfg(feature = "sql")]
mod sheets;
#[cfg(feature = "sql")]
mod spill;
#[cfg(feature = "sql")]
mod stream;
#[cfg(feature = "sql")]
mod table;
#[cfg(feature = "sql")]
pub mod text;

#[cfg(feature = "sql")]
pub(crate) use request::QueryRequest;
#[cfg(feature = "sql")]
pub(crate) use run::{QuerySummary, run};
