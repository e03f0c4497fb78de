//! Documents as sources of text. A process of its own decodes each, without files or network, within limits.

mod decoder_main;
mod decoder_process;
mod detect;
mod pages;
mod sandbox;
mod source;
mod text;

use std::io;
use std::path::Path;

use crate::Source;
use crate::access::Access;
pub use decoder_main::main;
use detect::detect;
pub use rread_documents::format::DocumentFormat;
use rread_documents::sheets::Sheet;
use rread_text::error::Error;
use rread_text::sentence::call;
use source::Document;

/// Returns the text of `source` if it is a document.
pub(super) fn decode(source: Box<dyn Source>, path: &Path, access: &Access) -> io::Result<Box<dyn Source>> {
    let format = detect(&*source, path)?;
    if matches!(access.sheet, Some(Sheet::Named(_))) && !format.is_some_and(DocumentFormat::is_workbook) {
        let error = Error::usage("is not a workbook, and only workbooks have sheets")
            .hint(call("select").file(path).word(text::EXAMPLE_QUERY));
        return Err(error.into_io());
    }
    Ok(match format {
        Some(format) => Box::new(Document::open(source, format, path, access)),
        None => source,
    })
}
