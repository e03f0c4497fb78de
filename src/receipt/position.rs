//! The answers of `where`: the line of a byte, and the bytes of a line.

use serde::Serialize;

use super::envelope::Plain;
use super::file::{FileDetails, FileInfo, NameInfo};
use super::keys::{BYTE, Key, LINE};

/// Where a byte is: the answer of `where --byte`.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema), schemars(rename = "where_byte"))]
pub(crate) struct ByteInfo {
    #[serde(flatten)]
    pub(crate) name: NameInfo,
    /// The requested offset, from the start of the file.
    pub(crate) byte: u64,
    /// The number of the line that holds the byte; the line feed belongs to its line.
    pub(crate) line: u64,
    /// The position of the byte in its line, in bytes, from 1.
    pub(crate) column: u64,
    /// The offset of the first byte of the line.
    pub(crate) line_start: u64,
    #[serde(flatten)]
    pub(crate) end: EndInfo,
    #[serde(flatten)]
    pub(crate) details: FileDetails,
}

/// Where a line is: the answer of `where --line`.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema), schemars(rename = "where_line"))]
pub(crate) struct LineInfo {
    #[serde(flatten)]
    pub(crate) name: NameInfo,
    /// The number of the line, from the start of the file; left out if it is unknown.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) line: Option<u64>,
    /// The offset of the first byte of the line.
    pub(crate) byte: u64,
    /// The offset of the first byte of the line and the offset after its last, its line feed included.
    pub(crate) range: String,
    #[serde(flatten)]
    pub(crate) end: EndInfo,
    #[serde(flatten)]
    pub(crate) details: FileDetails,
}

/// The size of the file, as far as it is known.
#[derive(Default, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub(crate) struct EndInfo {
    /// The size of the file in bytes; left out while the size of a stream is unknown.
    #[serde(skip_serializing_if = "Option::is_none")]
    total: Option<u64>,
    /// The number of lines of the file; left out if no line index has it.
    #[serde(skip_serializing_if = "Option::is_none")]
    total_lines: Option<u64>,
}

impl From<&FileInfo> for EndInfo {
    fn from(file: &FileInfo) -> Self {
        EndInfo { total: file.size, total_lines: file.total_lines }
    }
}

impl Plain for ByteInfo {
    const ELEMENT: &'static str = "file_position";
    const KEYS: &'static [Key] = BYTE;
}

impl Plain for LineInfo {
    const ELEMENT: &'static str = "file_position";
    const KEYS: &'static [Key] = LINE;
}
