//! Recognises text, encodings and media types by the first bytes of a file.

#![allow(missing_docs)]

mod details;
mod escaped;
mod name;
mod rule;
mod wide;

pub use details::{FileEnds, FormatDetails, format_details, with_gzip};
pub(crate) use name::UNNAMED;
pub use name::mime;
pub(crate) use rule::is_text_with_nuls;
pub use rule::{BOM, Content, SAMPLE, Sniffed, sniff};
