//! Converts text to record batches, in order, in constant memory.
//!
//! [`infer`] finds the columns. [`Chunks`] cuts text between records, sequentially; a [`Parser`] converts chunks to
//! record batches, in parallel.

mod boundaries;
mod chunks;
mod columns;
mod guess;
mod infer;
mod json;
mod members;
mod parser;
mod records;
mod rejected;
mod sample;
mod types;
mod values;

pub(crate) use boundaries::after_lines;
pub(crate) use chunks::without_end_mark;
pub use chunks::{Chunk, Chunks, TextStream};
pub(crate) use columns::{Scalars, column};
pub(crate) use guess::{Given, described, guess, is_log, is_named_delimited, stated_delimiter};
pub(crate) use infer::{Columns, apply, schema, with_types};
pub use infer::{first_record, has_record, infer, whole_records};
pub use parser::Parser;
pub(crate) use records::{Divided, SEPARATOR};
pub(crate) use rejected::{Ledger, ROWS, shown};
pub use rejected::{LeftOut, Noted, Parsed};
pub use sample::{FindDelimiter, FirstRecord, check_fit};
pub(crate) use sample::{FirstValue, check_title, fitted, is_no_layout, named as shown_delimiter};
pub(crate) use types::{LEVEL, RowPlace, ScalarType, TEXT, TIME, first_names};
pub use types::{TextSchema, parse_schema, type_name};
pub(crate) use values::{literal_number, literal_time};
