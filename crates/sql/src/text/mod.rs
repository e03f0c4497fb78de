//! Converts text to record batches, in order, in constant memory.
//!
//! [`infer`] finds the columns. [`Chunks`] cuts text between records, sequentially; a [`Parser`] converts chunks to
//! record batches, in parallel.

mod arrays;
mod boundaries;
mod brackets;
mod chunks;
mod columns;
mod csv;
mod finder;
mod header;
mod infer;
mod json;
mod json_type;
mod members;
mod misfit;
mod parser;
mod places;
mod quotes;
mod records;
mod rejected;
mod sample;
mod scalar_type;
mod types;
mod values;

pub use chunks::{Chunk, Chunks, TextStream};
pub(crate) use columns::{Scalars, column};
pub use header::FirstRecord;
pub(crate) use header::FirstValue;
pub(crate) use infer::{Columns, apply, schema, with_types};
pub use infer::{first_record, has_record, infer, whole_records};
pub use misfit::{FindDelimiter, check_fit};
pub(crate) use misfit::{check_title, is_no_layout};
pub use parser::Parser;
pub(crate) use places::RowPlace;
pub(crate) use rejected::{Ledger, ROWS};
pub use rejected::{LeftOut, Noted, Parsed};
pub(crate) use scalar_type::ScalarType;
pub(crate) use types::{NAMED, first_names};
pub use types::{TextSchema, parse_schema, type_name};
