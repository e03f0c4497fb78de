//! The text of documents: PDF, notebooks, web pages, office files, books and mail.
//!
//! **Bytes go in, frames of text come out.** A decoder gets the whole document in memory and writes
//! frames into an `Output` of [`protocol`]: text, ends of pages, and one status. It opens no file,
//! and this crate needs none of the other crates of the program. A document may be hostile: rread runs the decoders in a
//! process with limits, which sends these frames over a pipe.
//!
//! Without the feature `decoders`, the crate has only the formats, their names and sheets, and needs no other crate.
//!
//! The main types: [`format::DocumentFormat`] with its `decode`, and `Frame` and `Output` of [`protocol`].
//!
//! ```
//! use rread_documents::format::DocumentFormat;
//! # fn main() -> std::io::Result<()> {
//! # #[cfg(feature = "decoders")] {
//! use rread_documents::decode::Charset;
//! use rread_documents::protocol::{Frame, Output};
//!
//! let page = b"<h1>Title</h1><p>One &amp; two.</p>".to_vec();
//! let mut frames = Vec::new();
//! let mut out = Output::new(&mut frames);
//! let status = DocumentFormat::Html.decode(page, None, &Charset::default(), &mut out);
//! out.end(status)?;
//!
//! let mut input = &frames[..];
//! while let Some(frame) = Frame::read(&mut input)? {
//!     match frame {
//!         Frame::Text(text) => assert_eq!(text, b"# Title\n\nOne & two.\n"),
//!         other => assert_eq!(other, Frame::End(Ok(()))),
//!     }
//! }
//! # }
//! # Ok(())
//! # }
//! ```
//!
//! Modules, lowest first; each uses only those before it: [`sheets`], [`protocol`], [`mod@format`], `decode` with a
//! decoder for each format.

#[cfg(feature = "decoders")]
pub mod decode;
pub mod format;
pub mod protocol;
pub mod sheets;
