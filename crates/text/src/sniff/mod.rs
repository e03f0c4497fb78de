//! Recognises text, encodings and media types by the first bytes of a file.

mod escaped;
pub mod name;
mod rule;
mod wide;

pub use name::UNNAMED;
pub use name::mime;
pub(crate) use rule::beyond_ascii;
pub use rule::is_text_with_nuls;
pub use rule::{BOM, Content, SAMPLE, Sniffed, sniff};
