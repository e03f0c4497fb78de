//! Documents as sources of text. A process of its own decodes each, without files or network, within limits.

mod decoder_main;
mod decoder_process;
mod detect;
mod pages;
mod sandbox;
mod source;
mod text;

pub use decoder_main::main;
pub(super) use detect::detect;
pub use rread_documents::format::DocumentFormat;
pub(super) use source::Document;
