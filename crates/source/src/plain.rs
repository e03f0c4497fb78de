//! Text as a terminal shows it, at the places of the file: each line is as long as in the file, with blanks at its end.

use std::io;
use std::sync::Mutex;

use memchr::memrchr;

use crate::{Source, SourceInfo, lock};
use rread_text::screen::padded_line;

/// A longer line stays as it is stored.
const MAX_LINE: u64 = 1 << 20;
/// Bytes that are read before a place to find the start of its line.
const BACK: u64 = 4 << 10;

/// The text of another source, without what a terminal does not show in the end.
pub(crate) struct PlainSource {
    source: Box<dyn Source>,
    /// The lines that were read last, and where they begin.
    last: Mutex<(u64, Vec<u8>)>,
}

impl PlainSource {
    pub(crate) fn new(source: Box<dyn Source>) -> Self {
        PlainSource { source, last: Mutex::default() }
    }

    /// The start of the line at `offset`, or a place inside it if it begins further away.
    fn line_start(&self, offset: u64) -> io::Result<(u64, bool)> {
        let (mut at, least) = (offset, offset.saturating_sub(MAX_LINE));
        while at > least {
            let from = at.saturating_sub(BACK).max(least);
            let mut block = vec![0; usize::try_from(at - from).unwrap_or(0)];
            let got = crate::read_full(&*self.source, &mut block, from)?;
            if let Some(newline) = memrchr(b'\n', &block[..got]) {
                return Ok((from + newline as u64 + 1, true));
            }
            at = from;
        }
        Ok((at, at == 0))
    }

    /// The lines from `start` on, with at least `least` bytes if there are so many.
    fn lines(&self, (start, is_whole): (u64, bool), least: usize) -> io::Result<Vec<u8>> {
        let mut raw = Vec::new();
        loop {
            let read = raw.len();
            raw.resize(read + least.max(64 << 10), 0);
            let got = self.source.read_at(&mut raw[read..], start + read as u64)?;
            raw.truncate(read + got);
            let whole = memrchr(b'\n', &raw).map_or(0, |newline| newline + 1);
            if whole >= least {
                raw.truncate(whole);
            }
            if got == 0 || whole >= least || raw.len() as u64 > MAX_LINE + least as u64 {
                return Ok(padded(&raw, is_whole));
            }
        }
    }
}

/// `raw` as a terminal shows it, each line as long as before. Without `is_whole`, the first line began before.
fn padded(raw: &[u8], is_whole: bool) -> Vec<u8> {
    let mut out = Vec::with_capacity(raw.len());
    for (nth, line) in raw.split_inclusive(|byte| *byte == b'\n').enumerate() {
        let is_short = line.len() as u64 <= MAX_LINE && (is_whole || nth > 0);
        match is_short.then(|| padded_line(line)).flatten() {
            Some(shown) => out.extend(shown),
            None => out.extend_from_slice(line),
        }
    }
    out
}

impl Source for PlainSource {
    fn read_at(&self, buffer: &mut [u8], offset: u64) -> io::Result<usize> {
        let mut last = lock(&self.last);
        let end = last.0 + last.1.len() as u64;
        if !buffer.is_empty() && !(last.0..end).contains(&offset) {
            let is_next = offset == end && last.1.ends_with(b"\n");
            let start = if is_next { (end, true) } else { self.line_start(offset)? };
            let before = usize::try_from(offset - start.0).unwrap_or(usize::MAX);
            *last = (start.0, self.lines(start, before.saturating_add(buffer.len()))?);
        }
        let from = usize::try_from(offset - last.0).unwrap_or(usize::MAX).min(last.1.len());
        let part = &last.1[from..];
        let got = part.len().min(buffer.len());
        buffer[..got].copy_from_slice(&part[..got]);
        Ok(got)
    }

    fn inner(&self) -> Option<&dyn Source> {
        Some(&*self.source)
    }

    fn info(&self) -> SourceInfo<'_> {
        // Decoders have other bytes than these, and so has the file.
        SourceInfo { is_plain: true, file: None, decoding: None, is_sequential: true, ..self.source.info() }
    }
}
