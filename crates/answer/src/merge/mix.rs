//! What a merge shows, where it goes, and what came of it.

use std::ops::Range;

use crate::content::{ContentStats, Sink};
use crate::deliver::Response;
use crate::format::Body;
use crate::options::{TimeReading, TimeWindow};
use crate::receipt::MergedInfo;
use crate::window::TimesOfFiles;
use rread_text::error::{Error, Kind, Result};

/// What is shown of merged files: all records, or those that match.
pub(crate) trait Mix {
    /// Why files are not merged.
    fn failures(&self) -> Vec<Error>;

    fn walk(&self, target: &mut Target<'_>) -> Result<Walked>;

    /// The receipt.
    fn info(&self, walked: &Walked) -> MergedInfo;

    /// The error that nothing is shown.
    fn error(&self, _: &Walked) -> Option<Error> {
        None
    }
}

/// The target of the content.
pub enum Target<'t> {
    Sink(&'t mut dyn Sink),
    /// A segment of JSON for each run.
    Segments(&'t mut Response),
    /// Lines are only counted.
    Nowhere,
}

/// The part of a file that is in the content.
#[derive(Clone, Copy, Debug, Default)]
pub struct FileContent {
    pub range: Option<(u64, u64)>,
    pub lines: Option<(u64, u64)>,
    /// With search, the lines that match.
    pub records: u64,
    pub out_of_order: u64,
    pub matches: u64,
}

/// The outcome of a merge.
#[derive(Debug, Default)]
pub struct Walked {
    pub stats: ContentStats,
    /// For each file that is merged.
    pub files: Vec<FileContent>,
    /// The parts that are left of each, if a budget cut the content.
    pub rest: Option<Vec<Vec<Range<u64>>>>,
    /// Errors of files that ended early.
    pub failures: Vec<Error>,
}

/// Adds the counts of a part of the content.
pub fn add(sum: &mut ContentStats, part: &ContentStats) {
    sum.content_bytes += part.content_bytes;
    sum.newlines += part.newlines;
    sum.clipped_lines += part.clipped_lines;
    sum.invalid.count += part.invalid.count;
    if let Some(thirds) = part.token_thirds {
        sum.token_thirds = Some(sum.token_thirds.unwrap_or(0) + thirds);
    }
}

/// The content of an answer, which may have been measured before.
pub(super) struct Again<'m> {
    pub(super) mix: &'m dyn Mix,
    /// The length in the receipt.
    pub(super) expected: Option<u64>,
    pub(super) walked: Option<Walked>,
}

impl Body for Again<'_> {
    fn write(&mut self, sink: &mut dyn Sink) -> Result<()> {
        let walked = self.mix.walk(&mut Target::Sink(sink))?;
        let is_expected = self.expected.is_none_or(|expected| expected == walked.stats.content_bytes);
        self.walked = Some(walked);
        // The receipt has been written: content that does not agree with it must not pass for a success.
        if is_expected {
            return Ok(());
        }
        Err(Error::new(Kind::Changed, "a file was rewritten while it was read")
            .hint("run the same command again"))
    }
}

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
