//! Documents as sources of text. A process of its own decodes each, without files or network, within limits.

mod child;
mod confine;
mod detect;
mod docx;
mod epub;
mod format;
pub mod frame;
mod html;
mod notebook;
mod odt;
mod opened;
mod package;
mod pages;
mod pdf;
mod process;
mod text;
mod workbook;

pub(super) use detect::detect;
pub use format::DocumentFormat;
pub(super) use opened::Document;
pub use process::main;
