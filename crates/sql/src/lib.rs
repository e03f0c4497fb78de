//! SQL on a table in a file: CSV, JSON, Parquet, workbooks and logs, by Apache DataFusion.
//!
//! **The engine reads a table through a reader, and knows no options and no receipts.** [`run()`] answers a [`QueryRequest`]
//! and hands its rows to a [`run::Rows`]; [`dialect`] turns what users type into the SQL of the engine.
//!
//! ```
//! use rread_sql::datafusion::prelude::lit;
//!
//! assert_eq!(lit(1).to_string(), "Int32(1)");
//! ```
//!
//! Modules, lowest first; each uses only those before it: [`exact`], [`growth`], `memory`, `plans`, [`text`],
//! `request`, [`dialect`], `stream`, `parquet`,
//! `lines`, `table`, [`files`], `sheets`, [`mod@run`], [`database`], [`rows`], [`overview`].

#![allow(missing_docs)]

pub mod database;
pub mod dialect;
pub mod exact;
pub mod files;
pub mod growth;
mod lines;
mod memory;
pub mod overview;
mod parquet;
pub mod plans;
mod request;
pub mod rows;
pub mod run;
mod sheets;
mod stream;
mod table;
pub mod text;

pub use lines::LogTime;
pub use memory::QueryMemory;
pub use plans::RowOrder;
pub use plans::external;
pub use request::{Cluster, OptionsOf, QueryRequest, SentQuery, TimeRequest, WorkDone};
pub use run::{NamedTable, QuerySummary, run};

/// The engine, for programs that need its types.
pub use datafusion;
