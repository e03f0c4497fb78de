//! The answers of `where`: the line of a byte, and the bytes of a line.

use super::envelope::plain;
use super::facts::{Key, keys};
use super::file::{DecodingInfo, FileDetails, FileInfo, NameInfo, TrafficInfo};
use super::page_of_document::PageOfDocument;
use crate::rows::rows;

rows! {
    /// Where a byte is: the answer of `where --byte`.
    pub struct ByteInfo: "where_byte" {
        flat pub name: NameInfo,
        /// The requested offset, from the start of the file.
        pub byte: u64,
        /// The number of the line that holds the byte; the line feed belongs to its line.
        pub line: u64,
        /// The position of the byte in its line, in bytes, from 1.
        pub column: u64,
        /// The offset of the first byte of the line.
        pub line_start: u64,
        flat pub page: PageOfDocument,
        flat pub end: EndInfo,
        flat pub details: FileDetails,
    }

    /// Where a line is: the answer of `where --line`.
    pub struct LineInfo: "where_line" {
        flat pub name: NameInfo,
        /// The number of the line, from the start of the file; left out if it is unknown.
        pub line?: Option<u64>,
        /// The offset of the first byte of the line.
        pub byte: u64,
        /// The offset of the first byte of the line and the offset after its last, its line feed included.
        pub range: String,
        flat pub page: PageOfDocument,
        flat pub end: EndInfo,
        flat pub details: FileDetails,
    }

    /// The size of the file, as far as it is known.
    #[derive(Default)]
    pub struct EndInfo {
        /// The size of the file in bytes; left out while the size of a stream is unknown.
        total?: Option<u64>,
        /// The number of lines of the file; left out if no line index has it.
        total_lines?: Option<u64>,
    }
}

impl From<&FileInfo> for EndInfo {
    fn from(file: &FileInfo) -> Self {
        EndInfo { total: file.size, total_lines: file.total_lines }
    }
}

const BYTE: &[Key] = keys![
    ..NameInfo [byte line column line_start] ..PageOfDocument ..EndInfo ..DecodingInfo [damaged version index bytes_scanned]
    ..TrafficInfo [notices change]
];

const LINE: &[Key] = keys![
    ..NameInfo [line byte range] ..PageOfDocument ..EndInfo ..DecodingInfo [damaged time version index bytes_scanned]
    ..TrafficInfo [notices change]
];

plain! { "file_position" ByteInfo BYTE, LineInfo LINE }
