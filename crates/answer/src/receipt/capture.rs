//! The receipts of `capture`: the output of a command, the part that is kept and shown, and the captures of a session.

use super::content::{ContentInfo, NextInfo, cut_by};
use super::envelope::{Envelope, Markup};
use super::file::{ESCAPES_REMOVED, FileInfo, NameInfo};
use super::json::{Members, Receipt, arrange};
use super::query::ShownRange;
use crate::content::{ContentStats, Segment};
use crate::continuation::Next;
use rread_reader::capture::{Dropped, Ended, KeptTo, Record, signal_name};
use rread_text::Result;
use serde::Serialize;
use serde_json::json;

/// Captured output, and its shown part.
#[derive(Clone, Debug, Default)]
pub struct Captured {
    /// Shown as it is, without a receipt if the format allows that.
    pub is_whole: bool,
    /// `None` if the output is not kept.
    pub fd: Option<String>,
    pub record: Record,
    /// Of binary output.
    pub mime: Option<&'static str>,
    /// If it is not UTF-8.
    pub encoding: Option<String>,
    /// The format of a document.
    pub decoded: Option<&'static str>,
    pub compression: Option<&'static str>,
    /// Their number, and their size in bytes.
    pub pages: Option<(u64, u64)>,
    pub total_lines: Option<u64>,
    pub stats: ContentStats,
    /// If a command failed.
    pub last: Option<LastPage>,
    pub next: Option<Next>,
    pub message: Option<String>,
    pub version: Option<String>,
    pub evicted: Dropped,
    /// The bytes that are read under the handle, or printed.
    pub size: u64,
    /// The answer is without the escape sequences of the output.
    pub is_stripped: bool,
}

/// The last page of the output of a failed command, or as much of its end as a budget leaves.
#[derive(Clone, Debug)]
pub struct LastPage {
    /// Its number; `None` for the end of a page.
    pub number: Option<u64>,
    pub start: u64,
    pub first_line: u64,
    pub stats: ContentStats,
}

pub fn notices(is_stripped: bool) -> Vec<&'static str> {
    is_stripped.then_some(ESCAPES_REMOVED).into_iter().collect()
}

impl LastPage {
    pub fn segment(&self) -> Segment {
        Segment { start: self.start, end: self.stats.end, line: self.first_line }
    }

    fn part(&self) -> ShownRange {
        let end_line = self.first_line + self.stats.lines().saturating_sub(1);
        ShownRange { start_line: self.first_line, end_line, start_byte: self.start, end_byte: self.stats.end }
    }

    fn members(&self) -> LastPageMembers {
        let content = ContentInfo { cut_by: None, ..ContentInfo::from(&self.stats) };
        LastPageMembers { page: self.number, part: self.part(), content }
    }

    /// `fd` is there only if the page has a receipt of its own.
    pub fn people(&self, fd: Option<&str>) -> Result<Members> {
        let ShownRange { start_line, end_line, start_byte, end_byte } = self.part();
        let (lines, range) = (format!("{start_line}-{end_line}"), format!("{start_byte}-{end_byte}"));
        let words = json!({"fd": fd, "lines": lines, "range": range});
        arrange(LAST_PAGE, &self.members(), &words)
    }
}

/// The origin of captured output, and how the command ended.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema), schemars(inline))]
pub struct OriginInfo {
    /// The name of --name, if this capture still has it.
    name: Option<String>,
    /// The command, as a shell takes it; left out for standard input.
    command: Option<String>,
    /// The exit status of the command.
    exit_status: Option<u64>,
    /// The signal that ended the command.
    signal: Option<String>,
}

impl From<&Record> for OriginInfo {
    fn from(record: &Record) -> Self {
        let (exit_status, signal) = match record.ended {
            // Windows exit codes are unsigned 32-bit integers.
            Some(Ended::Status(status)) => (Some(status.cast_unsigned().into()), None),
            Some(Ended::Signal(number)) => (None, Some(signal_name(number))),
            None => (None, None),
        };
        OriginInfo { name: record.name.clone(), command: record.command_line(), exit_status, signal }
    }
}

/// The output of a command, or standard input: its first page, or all of it if it is short.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema), schemars(rename = "captured"))]
pub struct CapturedMembers {
    /// Whether it is kept under a handle; otherwise the content is the whole output.
    kept: bool,
    /// The handle, which every command takes as FILE in the same session.
    fd: Option<String>,
    #[serde(flatten)]
    origin: OriginInfo,
    /// Bytes of output.
    bytes_produced: u64,
    /// How many of them are kept, from the first on; left out if none are.
    bytes_kept: Option<u64>,
    /// Bytes that are read under the handle; in JSON only if they are not all that are kept.
    total: Option<u64>,
    /// The limit that was reached: --limit, RREAD_STATE_MAX (state_limit) or ulimit -f (file_size_limit); left
    /// out if everything is kept.
    kept_to: Option<&'static str>,
    /// The output is binary, and there is no preview; left out for text.
    binary: Option<bool>,
    /// The media type of binary output.
    mime: Option<&'static str>,
    /// The encoding, if it is not UTF-8.
    encoding: Option<String>,
    /// The format of a document whose text this is, such as pdf.
    decoded: Option<&'static str>,
    /// How the output is compressed.
    compression: Option<&'static str>,
    /// How many pages it has; left out if it is binary, compressed or a document.
    #[serde(skip_serializing_if = "Option::is_none")]
    pages: Option<u64>,
    /// The size of its pages in bytes.
    page_size: Option<u64>,
    /// Whether there is more than the content.
    truncated: bool,
    /// The part that the content is; left out if there is none.
    actual_range: Option<ShownRange>,
    /// How many lines it has; null if it is binary or compressed.
    total_lines: Option<u64>,
    #[serde(flatten)]
    content: ContentInfo,
    /// The part that the last page is.
    last_page: Option<LastPageMembers>,
    /// A sentence about what is kept and how to go on.
    message: Option<String>,
    /// escapes_removed: escape sequences, overwritten progress or overstrikes are left out; --ansi keep shows them.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    notices: Vec<&'static str>,
    /// The older captures of this session that were removed to make room.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    evicted: Vec<String>,
    /// How many captures of other sessions were removed to make room.
    evicted_elsewhere: Option<u64>,
    /// How to go on; left out if all is shown.
    next: Option<NextInfo>,
    /// The state of what is kept, for --expect.
    #[serde(skip_serializing_if = "Option::is_none")]
    version: Option<String>,
}

/// The last page of the output of a failed command.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema), schemars(rename = "last_page"))]
pub struct LastPageMembers {
    /// The number of the page; left out for the end of a page.
    page: Option<u64>,
    #[serde(flatten)]
    part: ShownRange,
    #[serde(flatten)]
    content: ContentInfo,
}

/// The order for people.
pub(super) const CAPTURE: &str = "fd name command exit_status signal bytes_produced bytes_kept kept_to binary mime encoding \
    decoded compression pages truncated cut_by clipped_lines lines range total_lines total content_bytes invalid_utf8 notices \
    evicted evicted_elsewhere version next message";

/// The order of the last page beside the first one, for people.
pub(super) const LAST_PAGE: &str = "fd page lines range content_bytes clipped_lines invalid_utf8";

impl Captured {
    fn is_truncated(&self) -> bool {
        self.stats.end < self.size || self.record.kept_to.is_some() || cut_by(&self.stats).is_some()
    }

    fn members(&self) -> CapturedMembers {
        let record = &self.record;
        let (lines, end) = (self.stats.lines(), self.stats.end);
        let first = ShownRange { start_line: 1, end_line: lines, start_byte: 0, end_byte: end };
        CapturedMembers {
            kept: self.fd.is_some(),
            fd: self.fd.clone(),
            origin: OriginInfo::from(record),
            bytes_produced: record.produced,
            bytes_kept: self.fd.as_ref().map(|_| record.kept),
            total: self.fd.as_ref().filter(|_| self.is_stripped).map(|_| self.size),
            kept_to: record.kept_to.map(KeptTo::name),
            binary: self.mime.map(|_| true),
            mime: self.mime,
            encoding: self.encoding.clone(),
            decoded: self.decoded,
            compression: self.compression,
            pages: self.pages.map(|(pages, _)| pages),
            page_size: self.pages.map(|(_, size)| size),
            truncated: self.is_truncated(),
            actual_range: (lines > 0).then_some(first),
            total_lines: self.total_lines,
            content: ContentInfo::from(&self.stats),
            last_page: self.last.as_ref().map(LastPage::members),
            message: self.message.clone(),
            notices: notices(self.is_stripped),
            evicted: self.evicted.handles.iter().map(ToString::to_string).collect(),
            evicted_elsewhere: Some(self.evicted.elsewhere).filter(|count| *count > 0),
            next: self.next.map(NextInfo::from),
            version: self.version.clone(),
        }
    }
}

impl Envelope for Captured {
    fn element(&self, _: &FileInfo) -> &'static str {
        if self.fd.is_some() { "fd_result" } else { "command_output" }
    }

    fn receipt<'r>(&'r self, _: &'r FileInfo, _: bool) -> Box<dyn Receipt + 'r> {
        Box::new(self.members())
    }

    fn brief(&self) -> &'static str {
        "fd exit_status signal kept_to binary last_page evicted lines range"
    }

    fn people(&self, _: &FileInfo, _: Markup, is_brief: bool) -> Result<Members> {
        let (lines, end) = (self.stats.lines(), self.stats.end);
        let record = &self.record;
        let has_range = self.mime.is_none() && !(is_brief && lines > 0);
        let words = json!({
            "bytes_produced": record.kept_to.map(|_| record.produced),
            "bytes_kept": record.kept_to.map(|_| record.kept),
            "lines": (lines > 0).then(|| format!("1-{lines}")),
            "range": has_range.then(|| format!("0-{end}")),
            "total": self.size,
            "next": self.next.map(|next| next.to_string()),
        });
        arrange(CAPTURE, &self.members(), &words)
    }

    fn is_bare(&self) -> bool {
        self.fd.is_none() || self.is_whole
    }
}

/// One capture of the answer of `capture list`.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema), schemars(inline))]
pub struct ListedCapture {
    /// The handle, which every command takes as FILE in the same session.
    pub fd: String,
    #[serde(flatten)]
    pub origin: OriginInfo,
    #[serde(flatten)]
    pub limit: Option<LimitInfo>,
    /// Bytes that are read under the handle.
    pub total: u64,
    /// How many lines these are, ended by the byte \n.
    pub total_lines: u64,
    /// escapes_removed: escape sequences, overwritten progress or overstrikes are left out; --ansi keep shows them.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub notices: Vec<&'static str>,
    /// When it was captured, in UTC (RFC 3339).
    pub captured: String,
}

/// The answer of `capture save`.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema), schemars(inline))]
pub struct SavedCapture {
    /// The handle of the capture.
    pub fd: String,
    #[serde(flatten)]
    pub name: NameInfo,
    /// How the file was saved.
    pub saved: &'static str,
    /// The directory that rread made for the file, the first of several; left out if none was missing.
    pub created: Option<String>,
    /// Bytes that were written.
    pub bytes: u64,
    /// How many characters these are, an invalid sequence counted as one; left out if the capture is binary.
    pub chars: Option<u64>,
}

/// The answer of `capture drop`.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema), schemars(inline))]
pub struct DroppedCaptures {
    /// The captures that were removed.
    pub dropped: Vec<String>,
    /// How many bytes they had.
    pub freed_bytes: u64,
}

/// The part that was not kept, and why.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema), schemars(inline))]
pub struct LimitInfo {
    /// Bytes of output; only if not all are kept.
    bytes_produced: u64,
    /// How many of them are kept, from the first on.
    bytes_kept: u64,
    /// The limit that was reached: --limit, RREAD_STATE_MAX (state_limit) or ulimit -f (file_size_limit).
    kept_to: &'static str,
}

impl LimitInfo {
    pub fn of(record: &Record) -> Option<Self> {
        let kept_to = record.kept_to?.name();
        Some(LimitInfo { bytes_produced: record.produced, bytes_kept: record.kept, kept_to })
    }
}
