//! Runs a search over a part of a file: on all cores where that helps, with the hits in the order of the file.

use std::collections::VecDeque;
use std::ops::{ControlFlow, Range};
use std::sync::mpsc::SyncSender;

use super::matcher::LineMatcher;
use super::multiline::SpannedLines;
use super::worker::{Batch, Edge, Hit, Lane, Send, VisitHits, Wants};
use crate::reader::Reader;
use crate::reader::full_scan::{fan_out, receive};
use rread_source::{Decoded, Decoding};
use rread_text::Result;

pub use super::worker::Searched;

/// Batches (of 128 KiB) that all threads together may be ahead of the caller: bounds memory, and the work lost when a search
/// stops early. With fewer, a thread whose stripe is not due waits for the caller.
const AHEAD: usize = 12;

/// A search of one file.
pub struct Search<'a> {
    /// The file.
    pub reader: &'a Reader,
    /// The pattern.
    pub matcher: LineMatcher,
    /// The facts to return of a hit.
    pub wants: Wants,
}

impl Search<'_> {
    /// Searches the lines that begin in `span`, whose start is the start of a line; `newlines` come before it. Returns
    /// `None` if `visit` stopped the search.
    pub fn run(
        &self,
        span: Range<u64>,
        newlines: u64,
        visit: &mut VisitHits<'_>,
    ) -> Result<Option<Searched>> {
        let end = self.reader.known_size().map_or(span.end, |size| span.end.min(size));
        let span = span.start..end;
        if self.matcher.joins_lines {
            let lines = SpannedLines { reader: self.reader, matcher: &self.matcher, wants: self.wants };
            return lines.search(span, newlines, visit);
        }
        self.reader.source().advise(span.clone());
        self.reader.settle();
        let mut order =
            InOrder { search: self, visit, base: newlines, searched: Searched::default(), outcome: Ok(true) };
        let stripes = Stripes::of(self.reader, &span);
        let (mut lane, first) = (self.lane(self.reader), stripes.start());
        let edge = stripes.edge_at(first);
        let decoding = self.reader.decoding().filter(|_| edge == Edge::This);
        if let Some(decoding) = decoding {
            decoding.await_checkpoint(Some(first));
        }
        lane.stripe(&(span.start..first), true, edge, &mut |batch| order.take(batch))?;
        let mut from = first;
        if order.goes_on()
            && order.searched.end.is_none()
            && first < span.end
            && decoding.is_none_or(|decoding| self.has_arrived(&decoding.decoded()))
        {
            from = self.on_all_cores(&stripes, &mut order)?;
        }
        if order.goes_on() && order.searched.end.is_none() && from < span.end {
            let starts_line = edge == Edge::Next && self.reader.starts_line(from)?;
            lane.stripe(&(from..span.end), starts_line, Edge::Next, &mut |batch| order.take(batch))?;
        }
        if !order.outcome? {
            return Ok(None);
        }
        let mut searched = order.searched;
        searched.newlines = order.base;
        Ok(Some(searched))
    }

    fn lane<'r>(&self, reader: &'r Reader) -> Lane<'r> {
        Lane::new(reader, self.matcher.clone(), self.wants)
    }

    /// Searches `stripes` with several threads, each on every n-th of them; returns where one thread must go on.
    fn on_all_cores(&self, stripes: &Stripes, order: &mut InOrder<'_, '_>) -> Result<u64> {
        if stripes.get(1).is_none() {
            return Ok(stripes.start());
        }
        let search = |lane: usize, lanes: usize, sender: &SyncSender<Result<Batch>>| {
            let numbers = (lane as u64..).step_by(lanes);
            // The receiver is gone once the search has stopped.
            let searched = self.search_stripes(stripes, numbers, &mut |batch| sender.send(Ok(batch)).is_ok());
            if let Err(fault) = searched {
                let _ = sender.send(Err(fault));
            }
        };
        let searched_to = fan_out(AHEAD, search, |lanes| {
            for (number, lane) in (0..).zip(lanes.iter().cycle()) {
                let Some(stripe) = stripes.get(number) else { break };
                loop {
                    let mut batch = receive(lane)??;
                    let (is_last, decoded) = (batch.stripe_newlines.is_some(), batch.decoded.take());
                    let goes_on = order.take(batch)
                        && decoded.is_none_or(|decoded| self.has_arrived(&decoded))
                        && order.searched.end.is_none();
                    if !goes_on {
                        return Ok(stripe.end);
                    }
                    if is_last {
                        break;
                    }
                }
            }
            Ok(stripes.end)
        })?;
        Ok(searched_to.unwrap_or(stripes.start()))
    }

    /// Searches the stripes with these numbers with one thread.
    fn search_stripes(
        &self,
        stripes: &Stripes,
        numbers: impl Iterator<Item = u64>,
        send: &mut Send<'_>,
    ) -> Result<()> {
        let decoding = self.reader.decoding().filter(|_| stripes.are_decoded());
        let fork = decoding.map(|decoding| self.reader.fork(decoding)).transpose()?;
        let reader = fork.as_ref().unwrap_or(self.reader);
        let decoding = reader.decoding().filter(|_| fork.is_some());
        let mut lane = Lane::new(reader, self.matcher.for_thread(), self.wants);
        for stripe in numbers.map_while(|number| stripes.get(number)) {
            let edge = stripes.edge_at(stripe.end);
            if let Some(decoding) = decoding {
                decoding.await_checkpoint((edge == Edge::This).then_some(stripe.end));
            }
            let starts_line = decoding.is_none() && reader.starts_line(stripe.start)?;
            let mut is_heard = true;
            lane.stripe(&stripe, starts_line, edge, &mut |mut batch| {
                let is_last = batch.stripe_newlines.is_some();
                batch.decoded = decoding.filter(|_| is_last).map(Decoding::decoded);
                is_heard = send(batch);
                is_heard
            })?;
            if !is_heard {
                break;
            }
        }
        Ok(())
    }

    /// Adopts what a decoder found; returns whether the next one started where it arrived.
    fn has_arrived(&self, decoded: &Decoded) -> bool {
        self.reader.adopt(decoded);
        decoded.has_arrived
    }

    /// The last `count` hits of the lines that begin in `span`, in the order of the file, without the numbers of their
    /// lines; and the line start from which the search looked.
    pub fn last(&self, span: Range<u64>, count: usize) -> Result<(Vec<Hit>, u64)> {
        let mut last = VecDeque::new();
        let Some(size) = self.reader.known_size().filter(|_| !self.reader.source().info().is_sequential)
        else {
            self.run(span.clone(), 0, &mut |hits, _| {
                last.extend(hits);
                last.drain(..last.len().saturating_sub(count));
                Ok(ControlFlow::Continue(()))
            })?;
            return Ok((last.into(), span.start));
        };
        let (mut end, mut length) = (span.end.min(size), self.reader.block() as u64);
        let mut lane = self.lane(self.reader);
        while end > span.start && last.len() < count {
            // From multiples of its length, so that blocks are read as they lie.
            let start = ((end - 1) / length * length).max(span.start);
            let starts_line = start == span.start || self.reader.starts_line(start)?;
            let mut here: Vec<Hit> = Vec::new();
            lane.stripe(&(start..end), starts_line, Edge::Next, &mut |batch| {
                here.extend(batch.hits);
                here.drain(..here.len().saturating_sub(count));
                true
            })?;
            self.reader.note_scanned(end - start);
            here.into_iter().rev().take(count - last.len()).for_each(|hit| last.push_front(hit));
            end = start;
            length = (length * 2).min(STRIPE_BLOCKS * self.reader.block() as u64);
        }
        Ok((last.into(), end))
    }
}

/// Passes batches on with the numbers of lines in the file, and teaches the index what was counted.
struct InOrder<'s, 'v> {
    search: &'s Search<'s>,
    visit: &'s mut VisitHits<'v>,
    /// Newlines before the stripe.
    base: u64,
    searched: Searched,
    /// Whether the search goes on, or why it failed.
    outcome: Result<bool>,
}

impl InOrder<'_, '_> {
    fn take(&mut self, mut batch: Batch) -> bool {
        for block in &batch.blocks {
            self.search.reader.note_scanned(block.len as u64);
            self.search.reader.learn(block);
        }
        self.searched.counted += batch.counted;
        for hit in &mut batch.hits {
            hit.newlines += self.base;
        }
        if !batch.hits.is_empty() {
            self.outcome = (self.visit)(batch.hits, &batch.text).map(|flow| flow.is_continue());
        }
        if let Some(newlines) = batch.stripe_newlines {
            self.base += newlines;
        }
        if let Some(end) = batch.end {
            (self.searched.end, self.searched.is_unterminated) = (Some(end), batch.is_unterminated);
        }
        self.goes_on()
    }

    fn goes_on(&self) -> bool {
        matches!(self.outcome, Ok(true))
    }
}

/// Blocks (of 256 KiB) that one thread searches at a time.
pub(super) const STRIPE_BLOCKS: u64 = 16;

/// Blocks that one thread searches before others start: the requested line is often among the first.
const FIRST_BLOCKS: u64 = 4;

/// Stripes that touch each other; the part of the search before them is for one thread.
pub(super) struct Stripes {
    starts: Starts,
    pub(super) end: u64,
}

enum Starts {
    Every {
        first: u64,
        length: u64,
    },
    /// At checkpoints, from which a decoder can start.
    Checkpoints(Vec<u64>),
}

impl Stripes {
    /// The stripes of `span`; none if one thread is faster.
    pub(super) fn of(reader: &Reader, span: &Range<u64>) -> Self {
        let block = reader.block() as u64;
        let (first, length) = (span.start.saturating_add(FIRST_BLOCKS * block), STRIPE_BLOCKS * block);
        let starts = if reader.known_size().is_none() {
            Starts::Checkpoints(Vec::new())
        } else if !reader.source().info().is_sequential {
            Starts::Every { first, length }
        } else {
            let mut starts = reader.starts_of_decoders(length);
            starts.retain(|at| (first..span.end).contains(at));
            Starts::Checkpoints(starts)
        };
        Stripes { starts, end: span.end }
    }

    pub(super) fn get(&self, number: u64) -> Option<Range<u64>> {
        let start = |number: u64| match &self.starts {
            Starts::Every { first, length } => Some(first.saturating_add(number.saturating_mul(*length))),
            Starts::Checkpoints(starts) => starts.get(usize::try_from(number).ok()?).copied(),
        };
        let start_at = start(number).filter(|start| *start < self.end)?;
        Some(start_at..start(number + 1).map_or(self.end, |next| next.min(self.end)))
    }

    pub(super) fn start(&self) -> u64 {
        self.get(0).map_or(self.end, |stripe| stripe.start)
    }

    pub(super) fn are_decoded(&self) -> bool {
        matches!(self.starts, Starts::Checkpoints(_))
    }

    /// Who searches a line that begins at `at`, where a stripe ends.
    pub(super) fn edge_at(&self, at: u64) -> Edge {
        if self.are_decoded() && at < self.end { Edge::This } else { Edge::Next }
    }
}

#[cfg(test)]
mod tests {
    use std::ops::Range as Span;

    use grep_matcher::Matcher;
    use proptest::prelude::*;

    use super::super::pattern::Pattern;
    use super::*;
    use crate::reader::Tuning;
    use rread_source::MemorySource;
    use rread_text::encoding::Encoding;

    type Found = Vec<(Span<u64>, u64, u64, Vec<u8>)>;

    fn searched(text: &[u8], pattern: &Pattern, block: usize) -> (Found, Searched) {
        let tuning = Tuning { block, ..Tuning::default() };
        let reader = Reader::new(Box::new(MemorySource::new(text)), tuning).unwrap();
        let matcher = LineMatcher::new(pattern, Encoding::Utf8, false).unwrap();
        let search = Search {
            reader: &reader,
            matcher,
            wants: Wants { hits: true, text: true, numbers: true, matches: true, from: 0 },
        };
        let mut found = Vec::new();
        let searched = search
            .run(0..u64::MAX, 0, &mut |hits, text| {
                for hit in hits {
                    let line = hit.text.map_or(Vec::new(), |range| text[range].to_vec());
                    found.push((hit.start..hit.next, hit.newlines + 1, hit.matches, line));
                }
                Ok(ControlFlow::Continue(()))
            })
            .unwrap();
        let count = 3.min(found.len());
        let (last, _) = search.last(0..u64::MAX, 3).unwrap();
        let last: Vec<_> = last.into_iter().map(|hit| hit.start..hit.next).collect();
        let expected: Vec<_> = found[found.len() - count..].iter().map(|hit| hit.0.clone()).collect();
        assert_eq!(last, expected);
        (found, searched.unwrap())
    }

    /// Line by line, with the whole line in memory.
    fn expected(text: &[u8], pattern: &Pattern) -> Found {
        let regex = pattern.compile(false).unwrap();
        let mut found = Vec::new();
        let mut at = 0;
        for (number, line) in text.split_inclusive(|byte| *byte == b'\n').enumerate() {
            let body = line.strip_suffix(b"\n").unwrap_or(line);
            let mut matches = 0;
            regex
                .find_iter(body, |found| {
                    matches += u64::from(!found.is_empty() || is_edge(body, found.start()));
                    true
                })
                .unwrap();
            let next = at + line.len() as u64;
            if (matches > 0) != pattern.invert {
                found.push((at..next, number as u64 + 1, matches.max(1), line.to_vec()));
            }
            at = next;
        }
        found
    }

    /// Whether no character of two bytes lies around `at`.
    fn is_edge(text: &[u8], at: usize) -> bool {
        at == 0 || at >= text.len() || std::str::from_utf8(&text[at - 1..=at]).is_err() || text[at].is_ascii()
    }

    fn texts() -> impl Strategy<Value = Vec<u8>> {
        let piece = prop_oneof![
            6 => Just(b"a".to_vec()),
            4 => Just(b"b".to_vec()),
            3 => Just(b"\n".to_vec()),
            2 => Just(b" ".to_vec()),
            1 => Just("é".as_bytes().to_vec()),
            1 => Just(b"\xff".to_vec()),
            1 => Just(b"\r\n".to_vec()),
            1 => Just(b"needle".to_vec()),
            1 => Just(vec![b'x'; 90]),
        ];
        prop::collection::vec(piece, 0..400).prop_map(|pieces| pieces.concat())
    }

    proptest! {
        #[test]
        fn every_line_with_a_match_is_found_once(
            text in texts(),
            pattern in prop::sample::select(vec!["needle", "a", "^a", "b$", "^$", "", r"a\b", r"\ba+ ?b", "a*", "é", "zzz", "n.*e", "(?i)NEEDLE", "[^a]b"]),
            block in prop::sample::select(vec![16usize, 64, 4096]),
            invert: bool,
        ) {
            let pattern = Pattern { patterns: vec![pattern.to_owned()], invert, ..Pattern::default() };
            let (found, searched) = searched(&text, &pattern, block);
            let expected = expected(&text, &pattern);
            let held = HELD * block;
            let lines = |found: &Found| found.iter().map(|hit| (hit.0.clone(), hit.1)).collect::<Vec<_>>();
            // A match that is longer than half a window may be missed in a line that is not held.
            let is_held = text.split(|byte| *byte == b'\n').all(|line| line.len() < held);
            if is_held {
                prop_assert_eq!(&found, &expected);
            } else if pattern.patterns[0] != "n.*e" {
                prop_assert_eq!(lines(&found), lines(&expected));
                prop_assert!(found.iter().zip(&expected).all(|(found, expected)| found.2 == expected.2));
            }
            prop_assert_eq!(searched.newlines, text.iter().filter(|byte| **byte == b'\n').count() as u64);
        }
    }

    const HELD: usize = super::super::matcher::LONG_LINE_BLOCKS;
}
