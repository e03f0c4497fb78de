//! What is merged, as a request for each file, and the names of the files in the text.

use std::path::PathBuf;

use crate::options::MergeRequest;
use rread_answer::merge::merge;
use rread_answer::merge::mix::Merging;
use rread_answer::request::Request;
use rread_text::error::Result;
use rread_text::range::{Form, Range, Unit};

/// A request for the whole of each file.
pub(super) fn requests(request: &MergeRequest) -> Vec<Request<'_>> {
    let whole = Range { unit: Unit::Bytes, form: Form::Between(None, None) };
    let of_file = |path: &PathBuf| Request {
        ranges: vec![whole],
        takes_archives: true,
        is_merged: true,
        ..Request::new(path.clone(), &request.content, &request.output)
    };
    request.files.iter().map(of_file).collect()
}

pub(super) fn merging(request: &MergeRequest) -> Merging<'_> {
    Merging { names: request.names, is_plain_alone: true, ..Merging::new(&request.times) }
}

/// Writes the text to standard output, as `lines` does.
pub(crate) fn copy(request: &MergeRequest) -> Result<()> {
    merge(requests(request), &merging(request))
}

/// A file of a merged text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct MergedName {
    /// The name for people.
    pub(crate) name: String,
    pub(crate) path: PathBuf,
    /// Whether the numbers of its lines are known.
    pub(crate) has_lines: bool,
}
