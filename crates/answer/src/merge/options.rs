//! The request for a merge.

use crate::options::{TimeReading, TimeWindow};
use crate::window::TimesOfFiles;

/// The request for a merge, for all files.
#[derive(Clone, Copy, Debug)]
pub struct Merging<'a> {
    /// The window of time, if there is one.
    pub window: Option<&'a TimeWindow>,
    /// How times are read.
    pub reading: &'a TimeReading,
    /// Whether the name of the file and the number stand before each line, where formats have no receipts for runs.
    pub names: bool,
    /// Whether only lines that match are shown.
    pub searches: bool,
    /// Whether a single file is shown as it is without a merge.
    pub is_plain_alone: bool,
}

impl<'a> Merging<'a> {
    /// A merge without names that shows all lines.
    pub fn new(times: &'a TimesOfFiles) -> Self {
        let TimesOfFiles { window, reading } = times;
        Merging { window: window.as_ref(), reading, names: false, searches: false, is_plain_alone: false }
    }
}
