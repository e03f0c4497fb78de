//! The formats of documents, a row each. A new one is its row here, and its decoder in a file of the folder `format`.

#[cfg(feature = "decoders")]
mod docx;
#[cfg(feature = "decoders")]
mod epub;
#[cfg(feature = "decoders")]
mod formula;
#[cfg(feature = "decoders")]
mod html;
#[cfg(feature = "decoders")]
mod lines;
#[cfg(feature = "decoders")]
mod notebook;
#[cfg(feature = "decoders")]
mod numbers;
#[cfg(feature = "decoders")]
mod odt;
#[cfg(feature = "decoders")]
mod pdf;
#[cfg(feature = "decoders")]
mod script;
#[cfg(feature = "decoders")]
mod workbook;
#[cfg(feature = "decoders")]
mod zip_xml;

#[cfg(feature = "decoders")]
use crate::protocol::{Failure, Output};
#[cfg(feature = "decoders")]
use crate::recognition::{FirstBytes, Verdict};
#[cfg(feature = "decoders")]
use crate::sheets::Sheet;

/// The facts of a format.
struct Row {
    /// The value of `decoded` in receipts.
    name: &'static str,
    /// As sentences name it.
    title: &'static str,
    /// The endings of file names, without the dot and in small letters.
    endings: &'static [&'static str],
    mime: &'static str,
    /// Whether a document is a ZIP archive or a compound file, so that its name or its media type shows the format.
    is_contained: bool,
    /// Whether the text has pages of its own.
    has_pages: bool,
    is_workbook: bool,
    /// Recognises a document that is not contained.
    #[cfg(feature = "decoders")]
    recognise: fn(&FirstBytes<'_>) -> Verdict,
    #[cfg(feature = "decoders")]
    decode: fn(Vec<u8>, &mut Output<'_>) -> Result<(), Failure>,
}

/// The fields that a row need not have.
const DEFAULT: Row = Row {
    name: "",
    title: "",
    endings: &[],
    mime: "",
    is_contained: false,
    has_pages: false,
    is_workbook: false,
    #[cfg(feature = "decoders")]
    recognise: |_| Verdict::Not,
    #[cfg(feature = "decoders")]
    decode: |_, _| Err(Failure::Damaged),
};

/// Makes the type of the formats from their rows.
macro_rules! formats {
    ($($(#[$documentation:meta])* $format:ident {
        $($field:ident: $value:expr,)*
    } decoder {
        $($function:ident: $of:expr,)*
    })*) => {
        /// A format of documents that rread reads as text.
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        pub enum DocumentFormat { $($(#[$documentation])* $format,)* }

        impl DocumentFormat {
            /// All formats.
            pub const ALL: &[DocumentFormat] = &[$(DocumentFormat::$format),*];

            #[allow(clippy::needless_update)] // Without decoders, some rows have every field.
            const fn row(self) -> &'static Row {
                match self {
                    $(DocumentFormat::$format => const {
                        &Row {
                            $($field: $value,)*
                            $(#[cfg(feature = "decoders")] $function: $of,)*
                            ..DEFAULT
                        }
                    },)*
                }
            }
        }
    };
}

formats! {
    /// ISO 32000.
    Pdf {
        name: "pdf",
        title: "PDF",
        endings: &["pdf"],
        mime: "application/pdf",
        has_pages: true,
    } decoder {
        recognise: pdf::recognise,
        decode: pdf::decode,
    }
    /// A Jupyter notebook; its cells are its pages.
    Notebook {
        name: "notebook",
        title: "notebook",
        endings: &["ipynb"],
        mime: "application/x-ipynb+json",
        has_pages: true,
    } decoder {
        recognise: notebook::recognise,
        decode: |bytes, out| notebook::decode(&bytes, out),
    }
    /// A web page.
    Html {
        name: "html",
        title: "web page",
        endings: &["html", "htm", "xhtml"],
        mime: "text/html",
    } decoder {
        recognise: html::recognise,
        decode: |bytes, out| html::decode(&bytes, out),
    }
    /// Office Open XML, as Microsoft Word writes it.
    Docx {
        name: "docx",
        title: "Word document",
        endings: &["docx", "docm", "dotx"],
        mime: "application/vnd.openxmlformats-officedocument.wordprocessingml.document",
        is_contained: true,
    } decoder {
        decode: |bytes, out| docx::decode(&bytes, out),
    }
    /// OpenDocument text.
    Odt {
        name: "odt",
        title: "OpenDocument text",
        endings: &["odt", "ott"],
        mime: "application/vnd.oasis.opendocument.text",
        is_contained: true,
    } decoder {
        decode: |bytes, out| odt::decode(&bytes, out),
    }
    /// A workbook of Office Open XML; its sheets are its pages, as in those below.
    Xlsx {
        name: "xlsx",
        title: "workbook (xlsx)",
        endings: &["xlsx", "xlsm", "xltx"],
        mime: "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
        is_contained: true,
        has_pages: true,
        is_workbook: true,
    } decoder {
        decode: |bytes, out| workbook::decode(&bytes, out),
    }
    /// The binary form of it.
    Xlsb {
        name: "xlsb",
        title: "workbook (xlsb)",
        endings: &["xlsb"],
        mime: "application/vnd.ms-excel.sheet.binary.macroenabled.12",
        is_contained: true,
        has_pages: true,
        is_workbook: true,
    } decoder {
        decode: |bytes, out| workbook::decode(&bytes, out),
    }
    /// The older format of Microsoft Excel.
    Xls {
        name: "xls",
        title: "workbook (xls)",
        endings: &["xls"],
        mime: "application/vnd.ms-excel",
        is_contained: true,
        has_pages: true,
        is_workbook: true,
    } decoder {
        decode: |bytes, out| workbook::decode(&bytes, out),
    }
    /// An OpenDocument spreadsheet.
    Ods {
        name: "ods",
        title: "workbook (ods)",
        endings: &["ods"],
        mime: "application/vnd.oasis.opendocument.spreadsheet",
        is_contained: true,
        has_pages: true,
        is_workbook: true,
    } decoder {
        decode: |bytes, out| workbook::decode(&bytes, out),
    }
    /// A book; its chapters are its pages.
    Epub {
        name: "epub",
        title: "book (epub)",
        endings: &["epub"],
        mime: "application/epub+zip",
        is_contained: true,
        has_pages: true,
    } decoder {
        decode: |bytes, out| epub::decode(&bytes, out),
    }
}

impl DocumentFormat {
    /// The value of `decoded` in receipts.
    pub fn name(self) -> &'static str {
        self.row().name
    }

    /// As sentences name it.
    pub fn title(self) -> &'static str {
        self.row().title
    }

    /// The media type.
    pub fn mime(self) -> &'static str {
        self.row().mime
    }

    /// The format with this name in receipts.
    pub fn named(name: &str) -> Option<DocumentFormat> {
        DocumentFormat::find(|row| row.name == name)
    }

    /// The format of files whose names end with `ending`, which is in small letters.
    pub fn ending(ending: &str) -> Option<DocumentFormat> {
        DocumentFormat::find(|row| row.endings.contains(&ending))
    }

    /// The format with this media type.
    pub fn of_mime(mime: &str) -> Option<DocumentFormat> {
        DocumentFormat::find(|row| row.mime == mime)
    }

    fn find(is_it: impl Fn(&Row) -> bool) -> Option<DocumentFormat> {
        DocumentFormat::ALL.iter().copied().find(|format| is_it(format.row()))
    }

    /// Whether a document is a ZIP archive or a compound file: its name or its media type shows the format.
    pub fn is_contained(self) -> bool {
        self.row().is_contained
    }

    /// Whether the document is sheets of cells.
    pub fn is_workbook(self) -> bool {
        self.row().is_workbook
    }

    /// Whether the text has pages of its own, which may be cells, sheets or chapters.
    pub fn has_pages(self) -> bool {
        self.row().has_pages
    }

    /// Judges `head`: [`Verdict::Not`] for a format whose documents are archives, which their names and types show.
    #[cfg(feature = "decoders")]
    pub fn recognise(self, head: &FirstBytes<'_>) -> Verdict {
        (self.row().recognise)(head)
    }

    /// Decodes the document `bytes`, of a workbook perhaps only a `sheet`, and writes frames to `out`. It may take any time
    /// and memory, abort and overflow the stack: the caller should run it in a process with limits.
    ///
    /// # Errors
    ///
    /// Why `out` does not have the whole text. After an error of the output, the kind means nothing.
    #[cfg(feature = "decoders")]
    pub fn decode(self, bytes: Vec<u8>, sheet: Option<&Sheet>, out: &mut Output<'_>) -> Result<(), Failure> {
        match sheet {
            Some(sheet) => workbook::decode_sheet(&bytes, sheet, out),
            None => (self.row().decode)(bytes, out),
        }
    }
}
