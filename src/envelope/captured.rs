//! The envelope of what was captured, for people and XML and in JSON.

use super::brief::invalid_counts;
use super::json::next_facts;
use super::{Fact, Facts, cut_by};
use crate::capture::{Dropped, Ended, KeptTo, Record, signal_name};
use crate::content::{ContentStats, Segment};
use crate::next::Next;

/// What was captured, and what of it is shown.
#[derive(Clone, Debug)]
pub struct Captured<'a> {
    /// Whether it is shown as it is, with nothing around it where the format allows that.
    pub is_whole: bool,
    /// Its handle; none for what is shown whole and not kept.
    pub fd: Option<String>,
    /// What is known of it.
    pub record: &'a Record,
    /// Its type, if it is binary.
    pub mime: Option<&'static str>,
    /// Its encoding, where that is not UTF-8.
    pub encoding: Option<String>,
    /// How it is compressed, if it is: what is read of it is the text.
    pub compression: Option<&'static str>,
    /// How many pages it has, and their size in bytes.
    pub pages: Option<(u64, u64)>,
    /// How many lines it has.
    pub total_lines: Option<u64>,
    /// What the content amounts to.
    pub stats: ContentStats,
    /// The last page, which stands beside the first one when a command failed.
    pub last: Option<LastPage>,
    /// How to go on.
    pub next: Option<Next>,
    /// How to go on, in a sentence.
    pub message: Option<String>,
    /// The version of the file that holds it.
    pub version: Option<String>,
    /// What had to go for it.
    pub evicted: Dropped,
}

/// The last page of what a failed command put out, or as much of it as a budget leaves.
#[derive(Clone, Debug)]
pub struct LastPage {
    /// Its number; none for the end of a page.
    pub number: Option<u64>,
    /// Its first byte.
    pub start: u64,
    /// The number of the line that it starts in.
    pub first_line: u64,
    /// What its content amounts to.
    pub stats: ContentStats,
}

impl LastPage {
    /// What of the capture it is.
    pub fn segment(&self) -> Segment {
        Segment { start: self.start, end: self.stats.end, line: self.first_line }
    }

    /// Its envelope, below that of the capture; with the handle `fd` where it stands alone.
    pub fn facts(&self, fd: Option<&str>, json: bool) -> Facts {
        let ContentStats { end, content_bytes, clipped_lines, .. } = self.stats;
        let last_line = self.first_line + self.stats.lines().saturating_sub(1);
        let mut facts = Facts::default();
        facts.words("fd", fd);
        facts.number("page", self.number);
        if json {
            facts.number("start_line", self.first_line);
            facts.number("end_line", last_line);
            facts.number("start_byte", self.start);
            facts.number("end_byte", end);
        } else {
            facts.text("lines", format!("{}-{last_line}", self.first_line));
            facts.text("range", format!("{}-{end}", self.start));
        }
        facts.number("content_bytes", content_bytes);
        facts.number("clipped_lines", Some(clipped_lines).filter(|lines| *lines > 0));
        if self.stats.invalid.count > 0 {
            facts.map("invalid_utf8", invalid_counts(&self.stats));
        }
        facts
    }
}

impl Captured<'_> {
    fn is_kept(&self) -> bool {
        self.fd.is_some()
    }

    /// Whether there is more than what is shown.
    fn is_truncated(&self) -> bool {
        self.stats.end < self.record.produced || cut_by(&self.stats).is_some()
    }

    /// The envelope: in JSON under the names that programs rely on, and else, without the message, for people and XML.
    pub fn facts(&self, json: bool) -> Facts {
        let Record { produced, kept, kept_to, .. } = self.record;
        let mut facts = Facts::default();
        if json {
            facts.flag("kept", self.is_kept());
        }
        facts.words("fd", self.fd.as_deref());
        origin_facts(&mut facts, self.record);
        if json {
            facts.number("bytes_produced", *produced);
            facts.number("bytes_kept", self.is_kept().then_some(*kept));
            facts.words("kept_to", kept_to.map(KeptTo::name));
        } else {
            limit_facts(&mut facts, self.record);
        }
        facts.if_true("binary", self.mime.is_some());
        facts.words("mime", self.mime);
        facts.words("encoding", self.encoding.as_deref());
        facts.words("compression", self.compression);
        facts.number("pages", self.pages.map(|(pages, _)| pages));
        if json {
            facts.number("page_size", self.pages.map(|(_, size)| size));
            facts.flag("truncated", self.is_truncated());
        } else {
            facts.if_true("truncated", self.is_truncated());
        }
        facts.words("cut_by", cut_by(&self.stats));
        facts.number("clipped_lines", Some(self.stats.clipped_lines).filter(|lines| *lines > 0));
        self.range_facts(&mut facts, json);
        facts.known("total_lines", self.total_lines, json);
        if !json {
            facts.number("total", *kept);
        }
        facts.number("content_bytes", self.stats.content_bytes);
        if self.stats.invalid.count > 0 {
            facts.map("invalid_utf8", invalid_counts(&self.stats));
        }
        if let Some(last) = self.last.as_ref().filter(|_| json) {
            facts.put("last_page", Fact::Record(last.facts(None, true)));
        }
        facts.words("message", self.message.as_deref().filter(|_| json));
        if !self.evicted.handles.is_empty() {
            facts.list("evicted", self.evicted.handles.iter().map(ToString::to_string).collect());
        }
        facts.number("evicted_elsewhere", Some(self.evicted.elsewhere).filter(|count| *count > 0));
        facts.words("version", self.version.as_deref());
        match self.next {
            Some(next) if json => facts.put("next", Fact::Record(next_facts(next))),
            Some(next) => facts.text("next", next.to_string()),
            None => {}
        }
        facts
    }

    /// What is shown, which begins with the first byte.
    fn range_facts(&self, facts: &mut Facts, json: bool) {
        let (lines, end) = (self.stats.lines(), self.stats.end);
        if json && lines > 0 {
            let ends = vec![("start_line", 1), ("end_line", lines), ("start_byte", 0), ("end_byte", end)];
            facts.map("actual_range", ends);
        } else if !json {
            if lines > 0 {
                facts.text("lines", format!("1-{lines}"));
            }
            if self.mime.is_none() {
                facts.text("range", format!("0-{end}"));
            }
        }
    }
}

fn status(ended: Ended) -> Option<u64> {
    match ended {
        // Those of Windows are numbers of 32 bits without a sign.
        Ended::Status(status) => Some(status.cast_unsigned().into()),
        Ended::Signal(_) => None,
    }
}

fn signal(ended: Ended) -> Option<String> {
    match ended {
        Ended::Signal(number) => Some(signal_name(number)),
        Ended::Status(_) => None,
    }
}

/// What was captured, how it ended, and what was not kept of it.
pub(crate) fn record_facts(facts: &mut Facts, record: &Record) {
    origin_facts(facts, record);
    limit_facts(facts, record);
}

/// What was captured and how it ended.
fn origin_facts(facts: &mut Facts, record: &Record) {
    facts.words("name", record.name.as_deref());
    facts.words("command", record.command_line().as_deref());
    facts.number("exit_status", record.ended.and_then(status));
    facts.words("signal", record.ended.and_then(signal).as_deref());
}

/// What was not kept, and why.
fn limit_facts(facts: &mut Facts, record: &Record) {
    if let Some(kept_to) = record.kept_to {
        facts.number("bytes_produced", record.produced);
        facts.number("bytes_kept", record.kept);
        facts.text("kept_to", kept_to.name());
    }
}
