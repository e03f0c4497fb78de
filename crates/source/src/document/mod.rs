//! Documents as sources of text. A process of its own decodes each, without files or network, within limits.

mod child;
mod confine;
mod detect;
mod opened;
mod pages;
mod process;
mod text;

pub(super) use detect::detect;
pub(super) use opened::Document;
pub use process::main;
pub use rread_documents::format::DocumentFormat;
