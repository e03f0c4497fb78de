//! The answers of `where`: the line of a byte, and the bytes of a line.

use super::envelope::plain;
use super::facts::{Key, keys};
use super::file::{DecodingInfo, FileDetails, FileInfo, NameInfo, TrafficInfo};
use super::page_of_document::PageOfDocument;
use crate::rows::rows;

rows! {
    /// Where a byte is: the answer of `where --byte`.
    pub(crate) struct ByteInfo: "where_byte" {
        flat pub(crate) name: NameInfo,
        /// The requested offset, from the start of the file.
        pub(crate) byte: u64,
        /// The number of the line that holds the byte; the line feed belongs to its line.
        pub(crate) line: u64,
        /// The position of the byte in its line, in bytes, from 1.
        pub(crate) column: u64,
        /// The offset of the first byte of the line.
        pub(crate) line_start: u64,
        flat pub(crate) page: PageOfDocument,
        flat pub(crate) end: EndInfo,
        flat pub(crate) details: FileDetails,
    }

    /// Where a line is: the answer of `where --line`.
    pub(crate) struct LineInfo: "where_line" {
        flat pub(crate) name: NameInfo,
        /// The number of the line, from the start of the file; left out if it is unknown.
        pub(crate) line?: Option<u64>,
        /// The offset of the first byte of the line.
        pub(crate) byte: u64,
        /// The offset of the first byte of the line and the offset after its last, its line feed included.
        pub(crate) range: String,
        flat pub(crate) page: PageOfDocument,
        flat pub(crate) end: EndInfo,
        flat pub(crate) details: FileDetails,
    }

    /// The size of the file, as far as it is known.
    #[derive(Default)]
    pub(crate) struct EndInfo {
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
