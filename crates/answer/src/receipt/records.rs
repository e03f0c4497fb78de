//! Records of logs: the receipt of several files merged by time, and the records of `follow`.

use super::content::ContentInfo;
use super::envelope::{Envelope, Markup};
use super::file::{FileInfo, LeftOut, NameInfo, TimeInfo};
use super::json::{Members, Receipt, arrange};
use rread_text::Result;
use serde::Serialize;
use serde_json::json;

/// Several files whose records are merged by time: the receipt with --merge.
#[derive(Clone, Debug, Default, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema), schemars(rename = "merged"))]
pub struct MergedInfo {
    /// Always true: the records of all files are in the order of time.
    pub merged: bool,
    /// How many records the content has. A record counts where its first line is.
    pub records: Option<u64>,
    /// With search: how many matching lines the content has.
    pub matched_lines: Option<u64>,
    /// With search: how many matches these lines have; with -v, how many lines.
    pub matches: Option<u64>,
    /// With search, false: -m, --last or a budget stopped it, so there may be more matches. Left out if it came to its end.
    pub complete: Option<bool>,
    /// The files that a search of directories did not read, by the reason.
    pub left_out: Option<LeftOut>,
    /// How many of them are earlier than a record before them in their file; they follow that one.
    pub out_of_order: Option<u64>,
    /// Every file, in the order of the command line.
    pub files: Vec<MergedFileInfo>,
    #[serde(flatten)]
    pub content: ContentInfo,
    /// Whether a budget left out anything that was requested; cut_by names it.
    pub truncated: bool,
    /// The first and the last time of all files, and the window.
    pub time: Option<TimeInfo>,
    /// The state of all files together, for --expect.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub version: Option<String>,
    /// How to go on, with one place for each file that has more; left out at the end.
    pub next: Option<NextMerge>,
}

/// One of the files of a merge.
#[derive(Clone, Debug, Default, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema), schemars(rename = "merged_file"))]
pub struct MergedFileInfo {
    /// The file as it was named.
    pub path: String,
    /// The exact bytes of a path that is not valid UTF-8 (RFC 4648, section 4); otherwise left out.
    pub path_base64: Option<String>,
    /// The first and the last line of it in the content, if known.
    pub lines: Option<String>,
    /// Its bytes in the content: from the first, to the one after the last.
    pub range: Option<String>,
    /// The size of the file in bytes.
    pub total: Option<u64>,
    /// How many of its records the content has.
    pub records: Option<u64>,
    /// How many of them are earlier than a record before them in the file.
    pub out_of_order: Option<u64>,
    /// With search: how many of its lines match, of those in the content.
    pub matched_lines: Option<u64>,
    /// With search: how many matches these lines have.
    pub matches: Option<u64>,
    /// unordered: times of the window are out of order by more than --slack. ambiguous_time: a clock showed an end of the
    /// window twice, or never. changed: text was appended while rread read the file.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub notices: Vec<&'static str>,
    /// Why the file, or its rest, is not in the content.
    pub error: Option<String>,
    /// The kind of the error.
    pub kind: Option<&'static str>,
    /// What to type instead.
    pub hint: Option<String>,
}

/// How to go on with a merge.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema), schemars(rename = "next_merge"))]
pub struct NextMerge {
    /// The command.
    pub command: &'static str,
    /// Its arguments.
    pub arguments: Vec<String>,
    /// The command line, for people.
    #[serde(skip)]
    pub line: String,
}

/// Records of one file that follow one another.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema), schemars(rename = "merged_run"))]
pub struct MergedRun {
    #[serde(flatten)]
    pub name: NameInfo,
    /// Where they are in the file.
    pub actual_range: RunRange,
    /// How many records begin in it.
    pub records: u64,
    #[serde(flatten)]
    pub content: ContentInfo,
}

/// The lines and bytes of a run of records.
#[derive(Clone, Copy, Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema), schemars(rename = "run_range"))]
pub struct RunRange {
    /// The number of the first line; left out if it is unknown.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub start_line: Option<u64>,
    /// The number of the last line.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub end_line: Option<u64>,
    /// The first byte.
    pub start_byte: u64,
    /// Past the last byte.
    pub end_byte: u64,
}

/// The order for people.
pub(super) const MERGED: &str = "merged records matched_lines matches complete out_of_order left_out files content_bytes estimated_tokens cut_by \
    clipped_lines invalid_utf8 truncated time version next";

impl Envelope for MergedInfo {
    fn element(&self, _: &FileInfo) -> &'static str {
        "merged"
    }

    fn receipt<'r>(&'r self, _: &'r FileInfo, _: bool) -> Box<dyn Receipt + 'r> {
        Box::new(self)
    }

    fn brief(&self) -> &'static str {
        "merged records matched_lines out_of_order files"
    }

    fn people(&self, _: &FileInfo, _: Markup, is_brief: bool) -> Result<Members> {
        // A search of an archive may have hundreds.
        let is_plain =
            |file: &MergedFileInfo| file.range.is_none() && file.error.is_none() && file.notices.is_empty();
        let is_said = |file: &&MergedFileInfo| !is_brief || !is_plain(file);
        let files: Vec<_> = self.files.iter().filter(is_said).collect();
        arrange(MERGED, self, &json!({"files": files, "next": self.next.as_ref().map(|next| &next.line)}))
    }
}

/// What was appended to a followed file: whole lines, unless the writer stopped in one for 200 ms.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema), schemars(rename = "follow_batch"))]
pub struct Batch<'a> {
    #[serde(flatten)]
    pub name: &'a NameInfo,
    /// The text.
    pub content: String,
    /// Where the content is in the file.
    pub actual_range: FollowedRange,
    /// The state of the file, for --expect, if the content ends where the file ends.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub version: Option<String>,
    /// The text is what a terminal shows in the end, as --plain says. Places are those of the file.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub plain: bool,
}

/// The bytes of a batch, and its lines if their numbers are known.
#[derive(Clone, Copy, Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct FollowedRange {
    /// The first byte.
    pub start_byte: u64,
    /// Past the last byte.
    pub end_byte: u64,
    /// The number of the first line.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub start_line: Option<u64>,
    /// The number of the last line.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub end_line: Option<u64>,
}

/// What happened to the name of a followed file.
#[derive(Clone, Copy, Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema), schemars(rename = "follow_event"))]
pub struct FollowEvent<'a> {
    #[serde(flatten)]
    pub name: &'a NameInfo,
    /// The name means a new file (rotated), the file was cut or rewritten (truncated), the name is back (appeared), or no
    /// file has it (gone). After the first three, offsets and lines begin again, unless the file that is back is the same.
    pub event: &'static str,
}

/// The last record of `follow`.
#[derive(Clone, Copy, Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema), schemars(rename = "follow_end"))]
pub struct FollowEnd {
    /// Always end.
    pub event: &'static str,
    /// A line matched, every file has a record at or after --until, the time was over, a budget was used up, the process of --pid ended, or all streams did (eof).
    pub reason: &'static str,
}
