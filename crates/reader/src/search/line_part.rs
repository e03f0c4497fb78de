//! A part of a line in memory, and the places of its text in the file.

use std::ops::Range;

use crate::reader::Reader;
use rread_text::encoding::{Encoding, Run, TextDecoder};
use rread_text::error::Result;

/// A part of a line in memory, with its text in UTF-8.
pub(super) struct LinePart {
    /// The text, if the bytes are not UTF-8.
    decoded: Vec<u8>,
    encoding: Encoding,
    /// The bytes of the file, and the offset of the first.
    bytes: Vec<u8>,
    pub(super) at: u64,
    /// The starts of runs of text, in `decoded` and in `bytes`; empty for UTF-8.
    runs: Vec<(usize, usize)>,
}

impl LinePart {
    /// The bytes of `span`, without the byte order mark of the file.
    pub(super) fn read(reader: &Reader, span: Range<u64>) -> Result<Self> {
        let encoding = reader.encoding();
        let mark = if span.start == 0 && reader.decided().bom { encoding.mark().len() as u64 } else { 0 };
        let at = (span.start + mark).min(span.end);
        let mut bytes = vec![0; usize::try_from(span.end - at).unwrap_or(0)];
        reader.read_exact(&mut bytes, at)?;
        Ok(LinePart::of(encoding, bytes, at))
    }

    /// The part of a file in `encoding` that has `bytes` at `at`.
    pub(super) fn of(encoding: Encoding, bytes: Vec<u8>, at: u64) -> Self {
        let mut part = LinePart { decoded: Vec::new(), encoding, bytes, at, runs: Vec::new() };
        if encoding == Encoding::Utf8 {
            return part;
        }
        let mut decoder = TextDecoder::new(encoding);
        let mut used = 0;
        while let Some(run) = decoder.next_run(&part.bytes[used..], at + used as u64) {
            part.runs.push((part.decoded.len(), used));
            match run {
                Run::Text(text) => {
                    part.decoded.extend_from_slice(text.utf8);
                    used += text.source.len();
                }
                Run::Invalid(bad) | Run::Cut(bad) => {
                    part.decoded.extend_from_slice("\u{FFFD}".as_bytes());
                    used += bad.len();
                }
            }
        }
        part
    }

    pub(super) fn text(&self) -> &[u8] {
        if self.encoding == Encoding::Utf8 { &self.bytes } else { &self.decoded }
    }

    /// Past the last byte.
    pub(super) fn end(&self) -> u64 {
        self.at + self.bytes.len() as u64
    }

    /// The place in the text of the byte at `offset` of the file; the end of the text if that is past the part.
    pub(super) fn text_at(&self, offset: u64) -> usize {
        let within = usize::try_from(offset.saturating_sub(self.at)).unwrap_or(usize::MAX);
        let within = within.min(self.bytes.len());
        let run = self.runs.partition_point(|run| run.1 <= within);
        let Some((text, source)) = run.checked_sub(1).map(|run| self.runs[run]) else { return within };
        let before =
            LinePart::of(self.encoding, self.bytes[source..within].to_vec(), self.at + source as u64);
        text + before.text().len()
    }

    /// The offset in the file of the character at `at` of the text.
    pub(super) fn offset(&self, at: usize) -> u64 {
        if self.encoding.has_state() {
            return self.at + self.longest_with(at) as u64;
        }
        let run = self.runs.partition_point(|run| run.0 <= at);
        let Some((text, source)) = run.checked_sub(1).map(|run| self.runs[run]) else {
            return self.at + at as u64;
        };
        let here = self.at + source as u64;
        let mut decoder = TextDecoder::new(self.encoding);
        match decoder.next_run(&self.bytes[source..], here) {
            Some(Run::Text(run)) => run.split_at((at - text).min(run.utf8.len())).1.at,
            Some(Run::Invalid(bad) | Run::Cut(bad)) if at > text => here + bad.len() as u64,
            _ => here,
        }
    }

    /// The longest beginning of whole characters whose text is at most `len` long. A run of text with state cannot be
    /// split.
    fn longest_with(&self, len: usize) -> usize {
        let decoded = |end: usize| {
            let (mut decoder, mut used, mut text) = (TextDecoder::new(self.encoding), 0, 0);
            while let Some(run) = decoder.next_run(&self.bytes[used..end], self.at + used as u64) {
                let (utf8, source) = match run {
                    Run::Text(run) => (run.utf8.len(), run.source.len()),
                    Run::Invalid(bad) => ('\u{FFFD}'.len_utf8(), bad.len()),
                    Run::Cut(_) => break,
                };
                (text, used) = (text + utf8, used + source);
            }
            (text, used)
        };
        let (mut fits, mut exceeds) = (0, self.bytes.len() + 1);
        while exceeds - fits > 1 {
            let middle = usize::midpoint(fits, exceeds);
            if decoded(middle).0 <= len { fits = middle } else { exceeds = middle }
        }
        decoded(fits).1
    }
}
