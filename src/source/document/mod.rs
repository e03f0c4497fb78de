//! Documents as sources of text. A process of its own decodes each, without files or network, within limits.

mod child;
mod confine;
mod format;
pub mod frame;
mod opened;
mod pages;
mod pdf;
mod process;
mod text;

pub use format::DocumentFormat;
pub(super) use opened::Document;
pub use process::main;
