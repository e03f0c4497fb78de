//! The decoders of documents, a module each.

mod docx;
mod epub;
mod html;
mod notebook;
mod odt;
mod pdf;
mod workbook;
mod zip_xml;

use std::io;

use crate::format::DocumentFormat;
use crate::protocol::{Failure, Output};
use crate::sheets::Sheet;

impl DocumentFormat {
    /// Decodes the document `bytes`, of a workbook perhaps only a `sheet`, and writes frames to `out`. It may take any time
    /// and memory, abort and overflow the stack: the caller should run it in a process with limits.
    ///
    /// # Errors
    ///
    /// The outer error is one of the output. The inner one says why `out` does not have the whole text.
    pub fn decode(
        self,
        bytes: Vec<u8>,
        sheet: Option<&Sheet>,
        out: &mut Output<'_>,
    ) -> io::Result<Result<(), Failure>> {
        if let Some(sheet) = sheet {
            return Ok(workbook::decode_sheet(&bytes, sheet, out));
        }
        Ok(match self {
            DocumentFormat::Pdf => return pdf::decode(bytes, out),
            DocumentFormat::Notebook => notebook::decode(&bytes, out),
            DocumentFormat::Html => html::decode(&bytes, out),
            DocumentFormat::Docx => docx::decode(&bytes, out),
            DocumentFormat::Odt => odt::decode(&bytes, out),
            DocumentFormat::Epub => epub::decode(&bytes, out),
            DocumentFormat::Xlsx | DocumentFormat::Xlsb | DocumentFormat::Xls | DocumentFormat::Ods => {
                workbook::decode(&bytes, out)
            }
        })
    }
}
