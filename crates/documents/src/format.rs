//! The formats of documents, their facts. A new one is its variant and row here, and its decoder in the folder `decode`.

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

/// Makes the type of the formats from their rows: name, title, endings and media type.
macro_rules! formats {
    ($($(#[$documentation:meta])* $format:ident: $name:literal, $title:literal, $endings:expr, $mime:literal;)*) => {
        /// A format of documents that rread reads as text.
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        pub enum DocumentFormat { $($(#[$documentation])* $format,)* }

        impl DocumentFormat {
            /// All formats.
            pub const ALL: &[DocumentFormat] = &[$(DocumentFormat::$format),*];

            const fn facts(self) -> FormatFacts {
                let (name, title, endings, mime): (_, _, &[&str], _) = match self {
                    $(DocumentFormat::$format => ($name, $title, &$endings, $mime),)*
                };
                FormatFacts { name, title, endings, mime }
            }
        }
    };
}

formats! {
    /// ISO 32000.
    Pdf: "pdf", "PDF", ["pdf"], "application/pdf";
    /// A Jupyter notebook; its cells are its pages.
    Notebook: "notebook", "notebook", ["ipynb"], "application/x-ipynb+json";
    /// A web page.
    Html: "html", "web page", ["html", "htm", "xhtml"], "text/html";
    /// Office Open XML, as Microsoft Word writes it.
    Docx: "docx", "Word document", ["docx", "docm", "dotx"],
        "application/vnd.openxmlformats-officedocument.wordprocessingml.document";
    /// OpenDocument text.
    Odt: "odt", "OpenDocument text", ["odt", "ott"], "application/vnd.oasis.opendocument.text";
    /// A workbook of Office Open XML; its sheets are its pages, as in those below.
    Xlsx: "xlsx", "workbook (xlsx)", ["xlsx", "xlsm", "xltx"],
        "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet";
    /// The binary form of it.
    Xlsb: "xlsb", "workbook (xlsb)", ["xlsb"], "application/vnd.ms-excel.sheet.binary.macroenabled.12";
    /// The older format of Microsoft Excel.
    Xls: "xls", "workbook (xls)", ["xls"], "application/vnd.ms-excel";
    /// An OpenDocument spreadsheet.
    Ods: "ods", "workbook (ods)", ["ods"], "application/vnd.oasis.opendocument.spreadsheet";
    /// A book; its chapters are its pages.
    Epub: "epub", "book (epub)", ["epub"], "application/epub+zip";
    /// Slides of Office Open XML; they are its pages, as in the next.
    Pptx: "pptx", "presentation (pptx)", ["pptx", "pptm", "ppsx"],
        "application/vnd.openxmlformats-officedocument.presentationml.presentation";
    /// An OpenDocument presentation.
    Odp: "odp", "presentation (odp)", ["odp", "otp"], "application/vnd.oasis.opendocument.presentation";
    /// Rich Text Format.
    Rtf: "rtf", "RTF document", ["rtf"], "application/rtf";
    /// A message, or a web archive, which is one.
    Mail: "mail", "mail", ["eml", "mht", "mhtml"], "message/rfc822";
    /// Messages in one file; they are its pages.
    Mailbox: "mailbox", "mailbox", ["mbox"], "application/mbox";
}

impl DocumentFormat {
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
    pub fn from_name(name: &str) -> Option<DocumentFormat> {
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
        use DocumentFormat::{Html, Mail, Mailbox, Notebook, Pdf, Rtf};
        !matches!(self, Pdf | Notebook | Html | Rtf | Mail | Mailbox)
    }

    /// Whether the document is sheets of cells.
    pub fn is_workbook(self) -> bool {
        use DocumentFormat::{Ods, Xls, Xlsb, Xlsx};
        matches!(self, Xlsx | Xlsb | Xls | Ods)
    }

    /// Whether the text has pages of its own, which may be cells, sheets or chapters.
    pub fn has_pages(self) -> bool {
        use DocumentFormat::{Docx, Html, Mail, Odt, Rtf};
        !matches!(self, Html | Docx | Odt | Rtf | Mail)
    }
}
