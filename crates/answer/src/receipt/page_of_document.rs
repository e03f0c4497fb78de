//! The page of a document, or the sheet of a workbook, that content is on.

use crate::rows::rows;

rows! {
    /// The page that the content is on, in a document with pages of its own.
    #[derive(Clone, Debug, Default, PartialEq, Eq)]
    pub struct PageOfDocument {
        /// The page of the document that has the content, from 1; left out if several have it.
        pub page?: Option<u64> [brief],
        flat pub sheet: SheetOfWorkbook,
        /// The pages of content that several have, with the lines that are on each, at most 100.
        pub on_pages?: Vec<PageLines> [brief],
    }

    /// The sheet of a workbook, or the table of a database, that a page is.
    #[derive(Clone, Debug, Default, PartialEq, Eq)]
    pub struct SheetOfWorkbook {
        /// The name of the sheet or the table.
        pub sheet?: Option<String> [brief],
        /// The first row of the sheet, which has the names of its columns; left out if the content begins before the next row.
        pub header_row?: Option<String> [brief],
    }

    /// The lines of the content that are on a page.
    #[derive(Clone, Debug, PartialEq, Eq)]
    pub struct PageLines: "page_lines" {
        /// The number of the page, from 1.
        pub page: u64,
        flat pub sheet: SheetOfWorkbook,
        /// The first and the last line that the content has of the page; left out for ranges of bytes.
        pub lines?: Option<String>,
    }
}

impl PageOfDocument {
    /// The pages in one line: `2: 9-12; 3: 38`, with the names and the header rows of sheets.
    pub fn in_one_line(&self) -> Option<String> {
        let one = |page: &PageLines| {
            let name = page.sheet.sheet.as_ref().map_or(String::new(), |name| format!(" {name}"));
            let header = page.sheet.header_row.as_ref().map_or(String::new(), |row| format!(" ({row})"));
            let lines = page.lines.as_ref().map_or(String::new(), |lines| format!(": {lines}"));
            format!("{}{name}{header}{lines}", page.page)
        };
        let pages: Vec<String> = self.on_pages.iter().map(one).collect();
        (!pages.is_empty()).then(|| pages.join("; "))
    }
}
