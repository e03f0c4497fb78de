//! The text of documents: bytes in, frames of text out.

#[cfg(feature = "decoders")]
mod docx;
#[cfg(feature = "decoders")]
mod epub;
pub mod format;
pub mod frame;
#[cfg(feature = "decoders")]
mod html;
#[cfg(feature = "decoders")]
mod notebook;
#[cfg(feature = "decoders")]
mod odt;
#[cfg(feature = "decoders")]
mod package;
#[cfg(feature = "decoders")]
mod pdf;
pub mod sheets;
#[cfg(feature = "decoders")]
mod workbook;
