//! The decoders of documents: from the bytes of a file to frames of its text.

mod docx;
mod drawings;
mod epub;
mod formula;
mod html;
mod lines;
mod mail;
mod notebook;
mod numerals;
mod odt;
mod pdf;
mod recognition;
mod rtf;
mod slides;
mod workbook;
mod zip_xml;

pub use html::Charset;

use crate::format::DocumentFormat;
use crate::protocol::{Failure, Output};
use crate::sheets::Sheet;

pub use recognition::{FirstBytes, Verdict};

impl DocumentFormat {
    /// Judges `head`: [`Verdict::Not`] for a format whose documents are archives, which their names and types show.
    pub fn recognise(self, head: &FirstBytes<'_>) -> Verdict {
        match self {
            DocumentFormat::Pdf => pdf::recognise(head),
            DocumentFormat::Notebook => notebook::recognise(head),
            DocumentFormat::Html => html::recognise(head),
            DocumentFormat::Rtf => rtf::recognise(head),
            DocumentFormat::Mail => mail::recognise(head, false),
            DocumentFormat::Mailbox => mail::recognise(head, true),
            _ => Verdict::Not,
        }
    }

    /// Whether a file that is named as one of this format and was not recognised ends like one, with the bytes `tail`.
    pub fn is_end(self, tail: &[u8]) -> bool {
        self == DocumentFormat::Pdf && pdf::is_end(tail)
    }

    /// Decodes the document `bytes`, of a workbook perhaps only a `sheet`, and writes frames to `out`; the `charset` is that of
    /// a page. It may take any time and memory, abort and overflow the stack: the caller should run it in a process with limits.
    ///
    /// # Errors
    ///
    /// Why `out` does not have the whole text. After an error of the output, the kind means nothing.
    pub fn decode(
        self,
        bytes: Vec<u8>,
        sheet: Option<&Sheet>,
        charset: &Charset,
        out: &mut Output<'_>,
    ) -> Result<(), Failure> {
        match (self, sheet) {
            (_, Some(sheet)) => workbook::decode_sheet(&bytes, sheet, out),
            (DocumentFormat::Pdf, _) => return pdf::decode(bytes, out),
            (DocumentFormat::Notebook, _) => notebook::decode(&bytes, out),
            (DocumentFormat::Html, _) => html::decode(&bytes, charset, out),
            (DocumentFormat::Docx, _) => zip_xml::decode(&bytes, out, docx::send_all),
            (DocumentFormat::Odt, _) => zip_xml::decode(&bytes, out, odt::send_all),
            (DocumentFormat::Epub, _) => epub::decode(&bytes, out),
            (DocumentFormat::Pptx, _) => zip_xml::decode(&bytes, out, slides::send_all),
            (DocumentFormat::Odp, _) => zip_xml::decode(&bytes, out, odt::send_slides),
            (DocumentFormat::Rtf, _) => rtf::decode(&bytes, out),
            (DocumentFormat::Mail, _) => mail::decode(&bytes, out),
            (DocumentFormat::Mailbox, _) => mail::decode_mailbox(&bytes, out),
            (DocumentFormat::Xlsx | DocumentFormat::Xlsb | DocumentFormat::Xls | DocumentFormat::Ods, _) => {
                workbook::decode(&bytes, out)
            }
        }?;
        if self.is_contained() { zip_xml::check(&bytes, out) } else { Ok(()) }
    }
}
