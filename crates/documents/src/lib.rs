//! The text of documents: bytes in, frames of text out.

#[cfg(feature = "decoders")]
mod docx;
#[cfg(feature = "decoders")]
mod epub;
pub mod format;
#[cfg(feature = "decoders")]
mod html;
#[cfg(feature = "decoders")]
mod notebook;
#[cfg(feature = "decoders")]
mod odt;
#[cfg(feature = "decoders")]
mod pdf;
pub mod protocol;
pub mod sheets;
#[cfg(feature = "decoders")]
mod workbook;
#[cfg(feature = "decoders")]
mod zip_xml;
