//! Recognises text, encodings and media types by the first bytes of a file. The crate `infer` only names binary formats.

mod content;
pub mod name;

pub(crate) use content::beyond_ascii;
pub use content::{BOM, Content, SAMPLE, Sniffed, is_text_with_nuls, sniff};
pub use name::{UNNAMED, mime};
