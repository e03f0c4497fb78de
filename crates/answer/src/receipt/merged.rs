//! The receipt of several files whose records are merged by time, and of each run of records in JSON.

use super::content::ContentInfo;
use super::envelope::{Envelope, Markup};
use super::facts::{Facts, Key, Receipt, keys, said};
use super::file::{FileInfo, NameInfo};
use super::time::TimeInfo;
use crate::rows::rows;
use rread_text::error::Result;

rows! {
    /// Several files whose records are merged by time: the receipt with --merge.
    #[derive(Clone, Debug, Default)]
    pub struct MergedInfo: "merged" {
        /// Always true: the records of all files are in the order of time.
        pub merged: bool [brief],
        /// How many records the content has. A record counts where its first line is.
        pub records?: Option<u64> [brief],
        /// With search: how many matching lines the content has.
        pub matched_lines?: Option<u64> [brief],
        /// With search: how many matches these lines have; with -v, how many lines.
        pub matches?: Option<u64> [brief],
        /// How many of them are earlier than a record before them in their file; they follow that one.
        pub out_of_order?: Option<u64> [brief],
        /// Every file, in the order of the command line.
        pub files: Vec<MergedFileInfo> [brief],
        flat pub content: ContentInfo,
        /// Whether a budget left out anything that was requested; cut_by names it.
        pub truncated: bool [brief no_tool],
        /// The first and the last time of all files, and the window.
        pub time?: Option<TimeInfo>,
        /// The state of all files together, for --expect.
        pub version?: Option<String>,
        /// How to go on, with one place for each file that has more; left out at the end.
        pub next?: Option<NextMerge> [brief worded],
    }

    /// One of the files of a merge.
    #[derive(Clone, Debug, Default)]
    pub struct MergedFileInfo: "merged_file" {
        /// The file as it was named.
        pub path: String,
        /// The exact bytes of a path that is not valid UTF-8 (RFC 4648, section 4); otherwise left out.
        pub path_base64?: Option<String>,
        /// The first and the last line of it in the content, if known.
        pub lines?: Option<String>,
        /// Its bytes in the content: from the first, to the one after the last.
        pub range?: Option<String>,
        /// The size of the file in bytes.
        pub total?: Option<u64>,
        /// How many of its records the content has.
        pub records?: Option<u64>,
        /// How many of them are earlier than a record before them in the file.
        pub out_of_order?: Option<u64>,
        /// With search: how many of its lines match, of those in the content.
        pub matched_lines?: Option<u64>,
        /// With search: how many matches these lines have.
        pub matches?: Option<u64>,
        /// unordered: times of the window are out of order by more than --slack. ambiguous_time: a clock showed an end of the
        /// window twice, or never. changed: text was appended while rread read the file.
        pub notices?: Vec<&'static str>,
        /// Why the file, or its rest, is not in the content.
        pub error?: Option<String>,
        /// The kind of the error.
        pub kind?: Option<&'static str>,
        /// What to type instead.
        pub hint?: Option<String>,
    }

    /// How to go on with a merge.
    #[derive(Clone, Debug)]
    pub struct NextMerge: "next_merge" {
        /// The command.
        pub command: &'static str = ["ranges", "search"],
        /// Its arguments.
        pub arguments: Vec<String>,
        /// The command line, for people.
        skip pub line: String,
    }

    /// Records of one file that follow one another.
    #[derive(Clone, Debug)]
    pub struct MergedRun: "merged_run" {
        flat pub name: NameInfo,
        /// Where they are in the file.
        pub actual_range: RunRange [brief],
        /// How many records begin in it.
        pub records: u64,
        flat pub content: ContentInfo,
    }

    /// The lines and bytes of a run of records.
    #[derive(Clone, Copy, Debug)]
    pub struct RunRange: "run_range" {
        /// The number of the first line; left out if it is unknown.
        pub start_line?: Option<u64>,
        /// The number of the last line.
        pub end_line?: Option<u64>,
        /// The first byte.
        pub start_byte: u64,
        /// Past the last byte.
        pub end_byte: u64,
    }
}

pub(super) const MERGED: &[Key] = keys![
    [merged records matched_lines matches out_of_order files] ..ContentInfo [truncated time version next]
];

impl Envelope for MergedInfo {
    fn element(&self, _: &FileInfo) -> &'static str {
        "merged"
    }

    fn receipt<'r>(&'r self, _: &'r FileInfo) -> Box<dyn Receipt + 'r> {
        Box::new(self)
    }

    fn facts(&self, _: &FileInfo, _: Markup) -> Result<Facts> {
        let own = [
            ("truncated", said(self.truncated)),
            ("next", self.next.as_ref().map(|next| next.line.clone()).into()),
        ];
        Ok(Receipt::facts(&self)?.arranged(MERGED, own))
    }
}

impl Envelope for MergedRun {
    fn element(&self, _: &FileInfo) -> &'static str {
        "run"
    }

    fn receipt<'r>(&'r self, _: &'r FileInfo) -> Box<dyn Receipt + 'r> {
        Box::new(self)
    }

    fn facts(&self, _: &FileInfo, _: Markup) -> Result<Facts> {
        // Only JSON has parts for runs.
        Ok(Facts::default())
    }
}
