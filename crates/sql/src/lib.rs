//! SQL on a table in a file: CSV, JSON and Parquet, by Apache DataFusion.

#![allow(missing_docs)]

mod detect;
pub mod dialect;
pub mod exact;
mod external;
mod order;
mod parquet;
mod request;
pub mod rows;
pub mod run;
mod scan;
mod sequence;
mod sheet_table;
mod sheets;
mod spill;
mod stream;
mod table;
pub mod text;

pub use request::QueryRequest;
pub use run::{QuerySummary, run};

/// The engine, for programs that need its types.
pub use datafusion;
