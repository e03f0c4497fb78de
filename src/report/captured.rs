//! The envelope of what was captured: for people and XML, and in JSON.

use serde::Serialize;

use super::json::NextCommand;
use super::{Facts, cut_by};
use crate::body::Tally;
use crate::capture::{Dropped, Ended, KeptTo, Record, signal_name};
use crate::next::Next;

/// What was captured, and what of it is shown.
#[derive(Clone, Debug)]
pub struct Captured<'a> {
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
    pub tally: Tally,
    /// How to go on.
    pub next: Option<Next>,
    /// How to go on, in a sentence.
    pub message: Option<String>,
    /// The version of the file that holds it.
    pub version: Option<String>,
    /// What had to go for it.
    pub evicted: Dropped,
}

#[derive(Serialize)]
struct Metadata<'a> {
    kept: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    fd: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    name: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    command: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    exit_status: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    signal: Option<String>,
    bytes_produced: u64,
    #[serde(skip_serializing_if = "Option::is_none")]
    bytes_kept: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    kept_to: Option<&'static str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    binary: Option<bool>,
    #[serde(skip_serializing_if = "Option::is_none")]
    mime: Option<&'static str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    encoding: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    compression: Option<&'static str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pages: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    page_size: Option<u64>,
    total_lines: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    actual_range: Option<Actual>,
    content_bytes: u64,
    #[serde(skip_serializing_if = "Option::is_none")]
    invalid_utf8: Option<Facts>,
    truncated: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    cut_by: Option<&'static str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    clipped_lines: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    message: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    version: Option<&'a str>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    evicted: Vec<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    evicted_elsewhere: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    next: Option<NextCommand>,
}

#[derive(Serialize)]
struct Actual {
    start_line: u64,
    end_line: u64,
    start_byte: u64,
    end_byte: u64,
}

impl Captured<'_> {
    fn is_kept(&self) -> bool {
        self.fd.is_some()
    }

    /// Whether there is more than what is shown.
    fn is_truncated(&self) -> bool {
        self.tally.end < self.record.produced || cut_by(&self.tally).is_some()
    }

    fn shown_lines(&self) -> Option<u64> {
        Some(self.tally.lines()).filter(|lines| *lines > 0)
    }

    fn clipped_lines(&self) -> Option<u64> {
        Some(self.tally.clipped_lines).filter(|lines| *lines > 0)
    }

    fn invalid(&self) -> Option<Facts> {
        let invalid = self.tally.invalid;
        let mut facts = Facts::default();
        facts.number("count", invalid.count);
        facts.number("first_byte", invalid.first_byte);
        (invalid.count > 0).then_some(facts)
    }

    fn evicted(&self) -> Vec<String> {
        self.evicted.handles.iter().map(ToString::to_string).collect()
    }

    fn evicted_elsewhere(&self) -> Option<u64> {
        Some(self.evicted.elsewhere).filter(|count| *count > 0)
    }

    /// The envelope for people and for XML, without the message.
    #[must_use]
    pub fn facts(&self) -> Facts {
        let mut facts = Facts::default();
        if let Some(fd) = &self.fd {
            facts.text("fd", fd);
        }
        record_facts(&mut facts, self.record);
        facts.if_true("binary", self.mime.is_some());
        if let Some(mime) = self.mime {
            facts.text("mime", mime);
        }
        if let Some(encoding) = &self.encoding {
            facts.text("encoding", encoding);
        }
        if let Some(compression) = self.compression {
            facts.text("compression", compression);
        }
        facts.number("pages", self.pages.map(|(pages, _)| pages));
        facts.if_true("truncated", self.is_truncated());
        if let Some(budget) = cut_by(&self.tally) {
            facts.text("cut_by", budget);
        }
        facts.number("clipped_lines", self.clipped_lines());
        if let Some(lines) = self.shown_lines() {
            facts.text("lines", format!("1-{lines}"));
        }
        facts.number("total_lines", self.total_lines);
        if self.mime.is_none() {
            facts.text("range", format!("0-{}", self.tally.end));
        }
        facts.number("total", self.record.kept);
        facts.number("content_bytes", self.tally.content_bytes);
        if self.tally.invalid.count > 0 {
            facts.map("invalid_utf8", super::envelope::invalid_counts(&self.tally));
        }
        if !self.evicted.handles.is_empty() {
            facts.list("evicted", self.evicted());
        }
        facts.number("evicted_elsewhere", self.evicted_elsewhere());
        if let Some(version) = &self.version {
            facts.text("version", version);
        }
        if let Some(next) = self.next {
            facts.text("next", next.to_string());
        }
        facts
    }

    /// The object `metadata` in JSON.
    ///
    /// # Errors
    /// None that these values can cause.
    pub fn metadata(&self) -> anyhow::Result<String> {
        let Record { name, ended, produced, kept, kept_to, .. } = self.record;
        let metadata = Metadata {
            kept: self.is_kept(),
            fd: self.fd.as_deref(),
            name: name.as_deref(),
            command: self.record.command_line(),
            exit_status: ended.and_then(status),
            signal: ended.and_then(signal),
            bytes_produced: *produced,
            bytes_kept: self.is_kept().then_some(*kept),
            kept_to: kept_to.map(KeptTo::name),
            binary: self.mime.map(|_| true),
            mime: self.mime,
            encoding: self.encoding.as_deref(),
            compression: self.compression,
            pages: self.pages.map(|(pages, _)| pages),
            page_size: self.pages.map(|(_, size)| size),
            total_lines: self.total_lines,
            actual_range: self.shown_lines().map(|lines| Actual {
                start_line: 1,
                end_line: lines,
                start_byte: 0,
                end_byte: self.tally.end,
            }),
            content_bytes: self.tally.content_bytes,
            invalid_utf8: self.invalid(),
            truncated: self.is_truncated(),
            cut_by: cut_by(&self.tally),
            clipped_lines: self.clipped_lines(),
            message: self.message.as_deref(),
            version: self.version.as_deref(),
            evicted: self.evicted(),
            evicted_elsewhere: self.evicted_elsewhere(),
            next: self.next.map(NextCommand::from),
        };
        Ok(serde_json::to_string(&metadata)?)
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
pub fn record_facts(facts: &mut Facts, record: &Record) {
    if let Some(name) = &record.name {
        facts.text("name", name);
    }
    if let Some(command) = record.command_line() {
        facts.text("command", command);
    }
    facts.number("exit_status", record.ended.and_then(status));
    if let Some(signal) = record.ended.and_then(signal) {
        facts.text("signal", signal);
    }
    if let Some(kept_to) = record.kept_to {
        facts.number("bytes_produced", record.produced);
        facts.number("bytes_kept", record.kept);
        facts.text("kept_to", kept_to.name());
    }
}
