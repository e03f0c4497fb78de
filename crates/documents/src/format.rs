//! The formats of documents, their facts. A new one is its variant and row here, and its decoder in the folder `decode`.

/// A format of documents that rread reads as text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DocumentFormat {
    /// ISO 32000.
    Pdf,
    /// A Jupyter notebook; its cells are its pages.
    Notebook,
    /// A web page.
    Html,
    /// Office Open XML, as Microsoft Word writes it.
    Docx,
    /// OpenDocument text.
    Odt,
    /// A workbook of Office Open XML; its sheets are its pages, as in those below.
    Xlsx,
    /// The binary form of it.
    Xlsb,
    /// The older format of Microsoft Excel.
    Xls,
    /// An OpenDocument spreadsheet.
    Ods,
    /// A book; its chapters are its pages.
    Epub,
}

/// The facts of a format.
struct FormatFacts {
    /// The value of `decoded` in receipts.
    name: &'static str,
    /// As sentences name it.
    title: &'static str,
    /// The endings of file names, without the dot and in small letters.
    endings: &'static [&'static str],
    mime: &'static str,
}

impl DocumentFormat {
    /// All formats.
    pub const ALL: &[DocumentFormat] = &[
        DocumentFormat::Pdf,
        DocumentFormat::Notebook,
        DocumentFormat::Html,
        DocumentFormat::Docx,
        DocumentFormat::Odt,
        DocumentFormat::Xlsx,
        DocumentFormat::Xlsb,
        DocumentFormat::Xls,
        DocumentFormat::Ods,
        DocumentFormat::Epub,
    ];

    const fn facts(self) -> FormatFacts {
        match self {
            DocumentFormat::Pdf => {
                FormatFacts { name: "pdf", title: "PDF", endings: &["pdf"], mime: "application/pdf" }
            }
            DocumentFormat::Notebook => FormatFacts {
                name: "notebook",
                title: "notebook",
                endings: &["ipynb"],
                mime: "application/x-ipynb+json",
            },
            DocumentFormat::Html => FormatFacts {
                name: "html",
                title: "web page",
                endings: &["html", "htm", "xhtml"],
                mime: "text/html",
            },
            DocumentFormat::Docx => FormatFacts {
                name: "docx",
                title: "Word document",
                endings: &["docx", "docm", "dotx"],
                mime: "application/vnd.openxmlformats-officedocument.wordprocessingml.document",
            },
            DocumentFormat::Odt => FormatFacts {
                name: "odt",
                title: "OpenDocument text",
                endings: &["odt", "ott"],
                mime: "application/vnd.oasis.opendocument.text",
            },
            DocumentFormat::Xlsx => FormatFacts {
                name: "xlsx",
                title: "workbook (xlsx)",
                endings: &["xlsx", "xlsm", "xltx"],
                mime: "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
            },
            DocumentFormat::Xlsb => FormatFacts {
                name: "xlsb",
                title: "workbook (xlsb)",
                endings: &["xlsb"],
                mime: "application/vnd.ms-excel.sheet.binary.macroenabled.12",
            },
            DocumentFormat::Xls => FormatFacts {
                name: "xls",
                title: "workbook (xls)",
                endings: &["xls"],
                mime: "application/vnd.ms-excel",
            },
            DocumentFormat::Ods => FormatFacts {
                name: "ods",
                title: "workbook (ods)",
                endings: &["ods"],
                mime: "application/vnd.oasis.opendocument.spreadsheet",
            },
            DocumentFormat::Epub => FormatFacts {
                name: "epub",
                title: "book (epub)",
                endings: &["epub"],
                mime: "application/epub+zip",
            },
        }
    }

    /// The value of `decoded` in receipts.
    pub fn name(self) -> &'static str {
        self.facts().name
    }

    /// As sentences name it.
    pub fn title(self) -> &'static str {
        self.facts().title
    }

    /// The media type.
    pub fn mime(self) -> &'static str {
        self.facts().mime
    }

    /// The format with this name in receipts.
    pub fn named(name: &str) -> Option<DocumentFormat> {
        DocumentFormat::find(|facts| facts.name == name)
    }

    /// The format of files whose names end with `ending`, which is in small letters.
    pub fn ending(ending: &str) -> Option<DocumentFormat> {
        DocumentFormat::find(|facts| facts.endings.contains(&ending))
    }

    /// The format with this media type.
    pub fn of_mime(mime: &str) -> Option<DocumentFormat> {
        DocumentFormat::find(|facts| facts.mime == mime)
    }

    fn find(is_it: impl Fn(&FormatFacts) -> bool) -> Option<DocumentFormat> {
        DocumentFormat::ALL.iter().copied().find(|format| is_it(&format.facts()))
    }

    /// Whether a document is a ZIP archive or a compound file: its name or its media type shows the format.
    pub fn is_contained(self) -> bool {
        !matches!(self, DocumentFormat::Pdf | DocumentFormat::Notebook | DocumentFormat::Html)
    }

    /// Whether the document is sheets of cells.
    pub fn is_workbook(self) -> bool {
        matches!(
            self,
            DocumentFormat::Xlsx | DocumentFormat::Xlsb | DocumentFormat::Xls | DocumentFormat::Ods
        )
    }

    /// Whether the text has pages of its own, which may be cells, sheets or chapters.
    pub fn has_pages(self) -> bool {
        !matches!(self, DocumentFormat::Html | DocumentFormat::Docx | DocumentFormat::Odt)
    }
}
