//! The receipt of an answer in segments: what holds for the whole file, or for every file.

use serde::Serialize;

use super::facts::json;
use super::file::{FileDetails, FileInfo, NameInfo};
use crate::error::Result;

/// The receipt of an answer in segments: the file that they come from.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[cfg_attr(test, schemars(rename = "file"))]
pub(super) struct WholeFile<'a> {
    #[serde(flatten)]
    name: &'a NameInfo,
    /// The size of the file in bytes when rread opened it; null while the size of a stream is unknown.
    file_size: Option<u64>,
    /// The number of lines of the file, never an estimate; null if the answer did not need it and no line index has it.
    total_lines: Option<u64>,
    /// Whether a budget cut any of the segments.
    #[serde(skip_serializing_if = "Option::is_none")]
    truncated: Option<bool>,
    #[serde(flatten)]
    details: &'a FileDetails,
}

/// The receipt of an answer about several files.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[cfg_attr(test, schemars(rename = "files"))]
pub(super) struct WholeFiles<'a> {
    /// Every file, in the order of the answer.
    files: Vec<WholeFile<'a>>,
    /// Whether a budget cut any of the segments.
    truncated: bool,
}

fn whole(file: &FileInfo, truncated: Option<bool>) -> WholeFile<'_> {
    let FileInfo { name, size, total_lines, details, .. } = file;
    WholeFile { name, file_size: *size, total_lines: *total_lines, truncated, details }
}

/// The JSON receipt of an answer in segments about one file.
pub(crate) fn file_json(file: &FileInfo, truncated: bool) -> Result<String> {
    json(&whole(file, Some(truncated)))
}

/// The JSON receipt of an answer in segments about several files.
pub(crate) fn files_json(files: &[FileInfo], truncated: bool) -> Result<String> {
    json(&WholeFiles { files: files.iter().map(|file| whole(file, None)).collect(), truncated })
}
