//! The formats of documents: their names, media types and endings.

/// A format of documents that rread reads as text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DocumentFormat {
    /// ISO 32000.
    Pdf,
    /// A Jupyter notebook.
    Notebook,
    /// HTML and XHTML.
    Html,
    /// Office Open XML, as Microsoft Word writes it.
    Docx,
    /// OpenDocument text.
    Odt,
    /// Office Open XML workbooks.
    Xlsx,
    /// Workbooks with the parts of Office Open XML in binary.
    Xlsb,
    /// Workbooks of Excel before 2007, in BIFF.
    Xls,
    /// OpenDocument spreadsheets.
    Ods,
    /// EPUB 2 and 3.
    Epub,
}

impl DocumentFormat {
    /// Each format, its name in receipts, its name in sentences, and the endings of file names.
    const ALL: [(DocumentFormat, &str, &str, &[&str]); 10] = [
        (DocumentFormat::Pdf, "pdf", "PDF", &["pdf"]),
        (DocumentFormat::Notebook, "notebook", "notebook", &["ipynb"]),
        (DocumentFormat::Html, "html", "web page", &["html", "htm", "xhtml"]),
        (DocumentFormat::Docx, "docx", "Word document", &["docx", "docm", "dotx"]),
        (DocumentFormat::Odt, "odt", "OpenDocument text", &["odt", "ott"]),
        (DocumentFormat::Xlsx, "xlsx", "workbook (xlsx)", &["xlsx", "xlsm", "xltx"]),
        (DocumentFormat::Xlsb, "xlsb", "workbook (xlsb)", &["xlsb"]),
        (DocumentFormat::Xls, "xls", "workbook (xls)", &["xls"]),
        (DocumentFormat::Ods, "ods", "workbook (ods)", &["ods"]),
        (DocumentFormat::Epub, "epub", "book (epub)", &["epub"]),
    ];

    fn row(self) -> (&'static str, &'static str) {
        let row = DocumentFormat::ALL.iter().find(|(format, ..)| *format == self);
        row.map_or(("", ""), |(_, name, title, _)| (*name, *title))
    }

    /// The value of `decoded` in receipts.
    pub fn name(self) -> &'static str {
        self.row().0
    }

    /// As sentences name it.
    pub fn title(self) -> &'static str {
        self.row().1
    }

    /// The media type.
    pub fn mime(self) -> &'static str {
        match self {
            DocumentFormat::Pdf => "application/pdf",
            DocumentFormat::Notebook => "application/x-ipynb+json",
            DocumentFormat::Html => "text/html",
            DocumentFormat::Docx => "application/vnd.openxmlformats-officedocument.wordprocessingml.document",
            DocumentFormat::Odt => "application/vnd.oasis.opendocument.text",
            DocumentFormat::Xlsx => "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
            DocumentFormat::Xlsb => "application/vnd.ms-excel.sheet.binary.macroenabled.12",
            DocumentFormat::Xls => "application/vnd.ms-excel",
            DocumentFormat::Ods => "application/vnd.oasis.opendocument.spreadsheet",
            DocumentFormat::Epub => "application/epub+zip",
        }
    }

    /// The format with this name in receipts.
    pub fn named(name: &str) -> Option<DocumentFormat> {
        DocumentFormat::ALL.iter().find(|row| row.1 == name).map(|row| row.0)
    }

    /// The format of files whose names end with `ending`.
    pub fn ending(ending: &str) -> Option<DocumentFormat> {
        DocumentFormat::ALL.iter().find(|row| row.3.contains(&ending)).map(|row| row.0)
    }

    /// Whether the format is that of an archive: PDF, notebooks and web pages are not.
    pub fn is_contained(self) -> bool {
        !matches!(self, DocumentFormat::Pdf | DocumentFormat::Notebook | DocumentFormat::Html)
    }

    /// Whether the format is that of a workbook, whose sheets are tables.
    pub fn is_workbook(self) -> bool {
        use DocumentFormat::{Ods, Xls, Xlsb, Xlsx};
        matches!(self, Xlsx | Xlsb | Xls | Ods)
    }

    /// Whether the text has pages of its own: the cells of a notebook, the sheets of a workbook, the chapters of a book.
    pub fn has_pages(self) -> bool {
        !matches!(self, DocumentFormat::Html | DocumentFormat::Docx | DocumentFormat::Odt)
    }
}
