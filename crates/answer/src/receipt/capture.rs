//! The receipt of `capture`: the output, how the command ended, and the part that is kept and shown.

use super::content::{ContentInfo, NextInfo, cut_by};
use super::envelope::{Envelope, Markup};
use super::facts::{Facts, Key, Receipt, keys, said};
use super::file::{ESCAPES_REMOVED, FileInfo};
use crate::content::{ContentStats, Segment};
use crate::continuation::Next;
use crate::rows::{Row, rows};
use rread_reader::capture::{Dropped, Ended, KeptTo, Record, signal_name};
use rread_text::error::Result;

/// Captured output, and its shown part.
#[derive(Clone, Debug)]
pub struct Captured<'a> {
    /// Shown as it is, without a receipt if the format allows that.
    pub is_whole: bool,
    /// `None` if the output is not kept.
    pub fd: Option<String>,
    pub record: &'a Record,
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

pub fn notices(is_stripped: bool, record: &Record) -> Vec<&'static str> {
    let notices = [(is_stripped, ESCAPES_REMOVED), (record.marked, "streams_marked")];
    notices.into_iter().filter_map(|(holds, notice)| holds.then_some(notice)).collect()
}

impl LastPage {
    pub fn segment(&self) -> Segment {
        Segment { start: self.start, end: self.stats.end, line: self.first_line }
    }

    fn part(&self) -> ShownPart {
        let end_line = self.first_line + self.stats.lines().saturating_sub(1);
        ShownPart { start_line: self.first_line, end_line, start_byte: self.start, end_byte: self.stats.end }
    }

    fn members(&self) -> LastPageMembers {
        let content = ContentInfo { cut_by: None, ..ContentInfo::from(&self.stats) };
        LastPageMembers { page: self.number, part: self.part(), content }
    }

    /// `fd` is there only if the page has a receipt of its own.
    pub fn facts(&self, fd: Option<&str>) -> Result<Facts> {
        let ShownPart { start_line, end_line, start_byte, end_byte } = self.part();
        let own = [
            ("fd", fd.into()),
            ("lines", format!("{start_line}-{end_line}").into()),
            ("range", format!("{start_byte}-{end_byte}").into()),
        ];
        Ok(self.members().facts()?.arranged(LAST_PAGE, own))
    }
}

rows! {
    /// The origin of captured output, and how the command ended.
    pub struct OriginInfo {
        /// The name of --name, if this capture still has it.
        name?: Option<String>,
        /// The command, as a shell takes it; left out for standard input.
        command?: Option<String> [no_tool],
        /// The exit status of the command.
        exit_status?: Option<u64> [brief],
        /// The signal that ended the command.
        signal?: Option<String> [brief],
    }
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

rows! {
    /// The output of a command, or standard input: its first page, or all of it if it is short.
    pub struct CapturedMembers: "captured" {
        /// Whether it is kept under a handle; otherwise the content is the whole output.
        kept: bool,
        /// The handle, which every command takes as FILE in the same session.
        fd?: Option<String> [brief],
        flat origin: OriginInfo,
        /// Bytes of output.
        bytes_produced: u64,
        /// How many of them are kept, from the first on; left out if none are.
        bytes_kept?: Option<u64>,
        /// Bytes that are read under the handle; in JSON only if they are not all that are kept.
        total?: Option<u64>,
        /// The limit that was reached: --limit, RREAD_STATE_MAX (state_limit) or ulimit -f (file_size_limit); left
        /// out if everything is kept.
        kept_to?: Option<&'static str> = ["limit", "state_limit", "file_size_limit"] [brief],
        /// The output is binary, and there is no preview; left out for text.
        binary?: Option<bool> [brief],
        /// The media type of binary output.
        mime?: Option<&'static str>,
        /// The encoding, if it is not UTF-8.
        encoding?: Option<String>,
        /// The format of a document whose text this is, such as pdf.
        decoded?: Option<&'static str>,
        /// How the output is compressed.
        compression?: Option<&'static str>,
        /// How many pages it has; left out if it is binary, compressed or a document.
        pages?: Option<u64>,
        /// The size of its pages in bytes.
        page_size?: Option<u64>,
        /// Whether there is more than the content.
        truncated: bool [brief no_tool],
        /// The part that the content is; left out if there is none.
        actual_range?: Option<ShownPart> [brief no_tool],
        /// How many lines it has; null if it is binary or compressed.
        total_lines: Option<u64> [brief],
        flat content: ContentInfo,
        /// The part that the last page is.
        last_page?: Option<LastPageMembers> [brief],
        /// A sentence about what is kept and how to go on.
        message?: Option<String> [no_tool],
        /// escapes_removed: escape sequences, overwritten progress or overstrikes are left out; --ansi keep shows them.
        /// streams_marked: each line begins with its stream (--mark-streams).
        notices?: Vec<&'static str> [brief],
        /// The older captures of this session that were removed to make room.
        evicted?: Vec<String> [brief],
        /// How many captures of other sessions were removed to make room.
        evicted_elsewhere?: Option<u64>,
        /// How to go on; left out if all is shown.
        next?: Option<NextInfo> [brief no_tool],
        /// The state of what is kept, for --expect.
        version?: Option<String> [no_tool],
    }

    /// The lines and bytes from the start of a capture.
    pub struct ShownPart: "first_lines" {
        /// The first line.
        start_line: u64,
        /// The last line.
        end_line: u64,
        /// The first byte.
        start_byte: u64,
        /// After the last byte.
        end_byte: u64,
    }

    /// The last page of the output of a failed command.
    pub struct LastPageMembers: "last_page" {
        /// The number of the page; left out for the end of a page.
        page?: Option<u64>,
        flat part: ShownPart,
        flat content: ContentInfo,
    }
}

pub(super) const CAPTURE: &[Key] = keys![
    [fd] ..OriginInfo [bytes_produced bytes_kept kept_to binary mime encoding decoded compression pages truncated cut_by
    clipped_lines lines = actual_range range = actual_range total_lines total content_bytes invalid_utf8 notices evicted
    evicted_elsewhere version next message]
];

/// The bytes of the content, which a capture without lines has too.
const RANGE: Row = Row::new("range").brief();

/// The keys of the last page beside the first one.
pub(super) const LAST_PAGE: &[Key] =
    keys![[fd page lines = start_line range = start_byte content_bytes clipped_lines invalid_utf8]];

impl Captured<'_> {
    fn is_truncated(&self) -> bool {
        self.stats.end < self.size || self.record.kept_to.is_some() || cut_by(&self.stats).is_some()
    }

    fn members(&self) -> CapturedMembers {
        let record = self.record;
        let (lines, end) = (self.stats.lines(), self.stats.end);
        let first = ShownPart { start_line: 1, end_line: lines, start_byte: 0, end_byte: end };
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
            notices: notices(self.is_stripped, record),
            evicted: self.evicted.handles.iter().map(ToString::to_string).collect(),
            evicted_elsewhere: Some(self.evicted.elsewhere).filter(|count| *count > 0),
            next: self.next.map(NextInfo::from),
            version: self.version.clone(),
        }
    }
}

impl Envelope for Captured<'_> {
    fn element(&self, _: &FileInfo) -> &'static str {
        if self.fd.is_some() { "fd_result" } else { "command_output" }
    }

    fn receipt<'r>(&'r self, _: &'r FileInfo) -> Box<dyn Receipt + 'r> {
        Box::new(self.members())
    }

    fn facts(&self, _: &FileInfo, _: Markup) -> Result<Facts> {
        let (lines, end) = (self.stats.lines(), self.stats.end);
        let record = self.record;
        let own = [
            ("bytes_produced", record.kept_to.map(|_| record.produced).into()),
            ("bytes_kept", record.kept_to.map(|_| record.kept).into()),
            ("truncated", said(self.is_truncated())),
            ("lines", (lines > 0).then(|| format!("1-{lines}")).into()),
            ("total", self.size.into()),
            ("next", self.next.map(|next| next.to_string()).into()),
        ];
        let mut facts = self.members().facts()?;
        let range = self.mime.is_none().then(|| format!("0-{end}"));
        facts.0.push((RANGE, range.into()));
        Ok(facts.arranged(CAPTURE, own))
    }

    fn is_bare(&self) -> bool {
        self.fd.is_none() || self.is_whole
    }
}
