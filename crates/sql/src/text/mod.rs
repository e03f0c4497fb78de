//! Converts text to record batches, in order, in constant memory.
//!
//! [`infer`] finds the columns. [`Chunks`] cuts text between records, sequentially; a [`Parser`] converts chunks to
//! record batches, in parallel.

mod boundaries;
mod brackets;
mod chunks;
mod columns;
mod csv;
mod infer;
mod json;
mod json_type;
mod members;
mod parser;
mod records;
mod rejected;
mod sample;
mod types;
mod values;

pub use chunks::{Chunk, Chunks, TextStream};
pub(crate) use columns::{Scalars, column};
pub(crate) use infer::{Columns, apply, schema, with_types};
pub use infer::{first_record, has_record, infer, whole_records};
pub use parser::Parser;
pub(crate) use rejected::{Ledger, ROWS};
pub use rejected::{LeftOut, Noted, Parsed};
pub use sample::{FindDelimiter, FirstRecord, check_fit};
pub(crate) use sample::{FirstValue, check_title, is_no_layout};
pub(crate) use types::{NAMED, RowPlace, ScalarType, first_names};
pub use types::{TextSchema, parse_schema, type_name};
