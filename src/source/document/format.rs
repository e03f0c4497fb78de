//! The formats of documents, recognised by content.

use std::io;

use super::frame::{Failure, Output};
use super::pdf;
use crate::source::Source;

/// Bytes that decide whether a file is a document.
const HEAD: usize = 7;

const PDF: &[u8] = b"%PDF-";

/// A format of documents that rread reads as text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DocumentFormat {
    /// ISO 32000.
    Pdf,
}

impl DocumentFormat {
    const ALL: [DocumentFormat; 1] = [DocumentFormat::Pdf];

    /// The value of `decoded` in receipts.
    pub fn name(self) -> &'static str {
        match self {
            DocumentFormat::Pdf => "pdf",
        }
    }

    /// As sentences name it.
    pub(super) fn title(self) -> &'static str {
        match self {
            DocumentFormat::Pdf => "PDF",
        }
    }

    pub(super) fn named(name: &str) -> Option<DocumentFormat> {
        DocumentFormat::ALL.into_iter().find(|format| format.name() == name)
    }

    /// The format of `source`; `None` if it is not a document.
    pub fn of(source: &dyn Source) -> io::Result<Option<DocumentFormat>> {
        let mut head = [0; HEAD];
        let mut got = 0;
        // Wait only while the bytes so far can be a document: the rest of a stream's first line may come much later.
        while got < HEAD && head[..got].iter().zip(PDF).all(|(byte, wanted)| byte == wanted) {
            match source.read_at(&mut head[got..], got as u64) {
                Err(cause) if cause.kind() == io::ErrorKind::Interrupted => {}
                // A later read of these bytes reports the error.
                Err(_) | Ok(0) => break,
                Ok(more) => got += more,
            }
        }
        Ok(DocumentFormat::starting(&head[..got]))
    }

    fn starting(head: &[u8]) -> Option<DocumentFormat> {
        match head.strip_prefix(PDF) {
            // As in `sniff`, which calls these binary.
            Some([b'1' | b'2', b'.', ..]) => Some(DocumentFormat::Pdf),
            _ => None,
        }
    }

    /// Decodes the document `bytes` in this process, which must be one of its own.
    pub fn decode(self, bytes: Vec<u8>, out: &mut Output<'_>) -> io::Result<Result<(), Failure>> {
        match self {
            DocumentFormat::Pdf => pdf::decode(bytes, out),
        }
    }
}
