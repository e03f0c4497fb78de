//! The request for a merge.

use crate::args::{TimeArgs, TimeReadingArgs};

/// The request for a merge, for all files.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Merging<'a> {
    /// The window of time, if there is one.
    pub(crate) window: Option<&'a TimeArgs>,
    /// How times are read.
    pub(crate) reading: &'a TimeReadingArgs,
    /// Whether the name of the file and the number stand before each line, where formats have no receipts for runs.
    pub(crate) names: bool,
    /// Whether only lines that match are shown.
    pub(crate) searches: bool,
    /// Whether a single file is shown as it is without a merge.
    pub(crate) is_plain_alone: bool,
}
