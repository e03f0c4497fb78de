//! Lines of text, and records of logs, as tables.
//!
//! `head` looks at a file: `columns` has its columns, `log_time` the times of its records. `blocks` cuts it into whole lines or
//! records, `rows` finds these and `level` their levels, and `parser` makes batches; `parsed` adds the values
//! of `parse`, the forms of records. `conditions` finds the `literals` that
//! the rows of a query must have, and `numbers` their lines; `provider` puts it together for the engine.

mod blocks;
mod columns;
mod conditions;
mod head;
mod level;
mod literals;
mod log_time;
#[cfg(test)]
mod naive_tests;
mod numbers;
mod parse;
mod parsed;
mod parser;
mod provider;
mod rows;

pub(crate) use conditions::bounds_time;
pub(crate) use head::{LinesHead, head};
pub use log_time::LogTime;
pub(crate) use provider::LinesTable;
