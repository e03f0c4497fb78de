//! The lines that match several patterns, and the passages of them that the screen shows.

use std::ops::ControlFlow;
use std::sync::Arc;

use super::chopped::Chopper;
use super::piece::{PIECE, Passage, Piece, block};
use rread_reader::search::scan::Search;
use rread_reader::search::worker::Wants;
use rread_reader::{Hit, LineMatcher, Pattern, Reader};
use rread_text::Result;

/// A line up to this length is read as a whole to be matched.
const SHORT: u64 = 256 << 10;

/// Lines that are looked for together, from the end.
const TOGETHER: usize = 4096;

/// The patterns that a line must match: the first is searched for.
pub(super) struct Sieve<'r> {
    pub(super) reader: &'r Reader,
    pub(super) first: LineMatcher,
    inverts: bool,
    /// Whether each line is shown in one row.
    chops: bool,
    others: Vec<LineMatcher>,
}

impl<'r> Sieve<'r> {
    pub(super) fn new(
        reader: &'r Reader,
        first: &Pattern,
        others: &[Arc<Pattern>],
        has_crlf: bool,
    ) -> Result<Self> {
        let matcher = |pattern: &Pattern| LineMatcher::new(pattern, reader.encoding(), has_crlf);
        Ok(Sieve {
            reader,
            first: matcher(first)?,
            inverts: first.invert,
            chops: false,
            others: others.iter().map(|pattern| matcher(pattern)).collect::<Result<_>>()?,
        })
    }

    /// The same, of lines that are shown in one row each if they are `chopped`.
    pub(super) fn of_rows(self, chopped: bool) -> Self {
        Sieve { chops: chopped, ..self }
    }

    /// Whether each line counts once, however long it is.
    pub(super) fn counts_lines(&self) -> bool {
        self.chops || self.has_no_place()
    }

    /// Whether a hit has no match to go to in its line.
    pub(super) fn has_no_place(&self) -> bool {
        self.inverts
    }

    /// The search for the first pattern.
    pub(super) fn search(&self) -> Search<'r> {
        self.search_for(&self.first)
    }

    fn search_for(&self, matcher: &LineMatcher) -> Search<'r> {
        Search {
            reader: self.reader,
            matcher: matcher.clone(),
            wants: Wants { hits: true, ..Wants::default() },
        }
    }

    /// The hits of the first pattern that match the others too.
    pub(super) fn retain(&self, hits: Vec<Hit>) -> Result<Vec<Hit>> {
        let mut kept = Vec::with_capacity(hits.len());
        for hit in hits {
            let mut matches = true;
            for other in &self.others {
                matches = matches && self.has_match(other, &hit)?;
            }
            if matches {
                kept.push(hit);
            }
        }
        Ok(kept)
    }

    fn has_match(&self, matcher: &LineMatcher, hit: &Hit) -> Result<bool> {
        let mut found = false;
        if hit.next - hit.start > SHORT {
            let span = hit.start..hit.start + 1;
            self.search_for(matcher).run(span, 0, &mut |_, _| {
                found = true;
                Ok(ControlFlow::Break(()))
            })?;
            return Ok(found);
        }
        let line = self.reader.read_span(hit.start..hit.next)?;
        let mark = if hit.start == 0 { self.reader.encoding().mark() } else { b"" };
        let line = line.strip_prefix(mark).unwrap_or(&line);
        let at = hit.start + mark.len() as u64;
        matcher.lines(line, at, &mut |_, _| {
            found = true;
            Ok(false)
        })?;
        Ok(found)
    }

    /// Passes the hits in lines before `end`, the start of a line, from the last one on; `visit` stops.
    pub(super) fn back(&self, end: u64, visit: &mut dyn FnMut(Hit) -> Result<ControlFlow<()>>) -> Result<()> {
        let mut end = end;
        let mut count = 64;
        loop {
            let (hits, _) = self.search().last(0..end, count)?;
            let is_all = hits.len() < count;
            let first = hits.first().map_or(0, |hit| hit.start);
            for hit in self.retain(hits)?.into_iter().rev() {
                if visit(hit)?.is_break() {
                    return Ok(());
                }
            }
            if is_all {
                return Ok(());
            }
            (end, count) = (first, (count * 2).min(TOGETHER));
        }
    }
}

/// The passage around `at` of the lines that `sieve` leaves, with so many before and after it if the file has them.
pub(super) fn pipe_through(
    sieve: &Sieve<'_>,
    at: u64,
    (before, after): (usize, usize),
    chopper: Option<&mut Chopper<'_>>,
) -> Result<Passage> {
    let reader = sieve.reader;
    let size = reader.known_size();
    let at = if at == u64::MAX { reader.size()? } else { size.map_or(at, |size| at.min(size)) };
    let start = reader.line_start(at)?;
    let mut hits: Vec<Hit> = Vec::new();
    sieve.back(start, &mut |hit| {
        hits.push(hit);
        Ok(if hits.len() == before { ControlFlow::Break(()) } else { ControlFlow::Continue(()) })
    })?;
    let starts_file = hits.len() < before;
    hits.reverse();
    let first = hits.len();
    let (wanted, mut ends_file) = (hits.len() + after, true);
    sieve.search().run(start..u64::MAX, 0, &mut |found, _| {
        let found = sieve.retain(found)?;
        ends_file = hits.len() + found.len() <= wanted;
        let room = wanted.saturating_sub(hits.len());
        hits.extend(found.into_iter().take(room));
        Ok(if ends_file { ControlFlow::Continue(()) } else { ControlFlow::Break(()) })
    })?;
    let (pieces, left) = match chopper {
        Some(chopper) => {
            let lines: Vec<_> = hits.iter().map(|hit| hit.start..hit.next).collect();
            chopper.cut(&lines, first)?
        }
        None => (hits.iter().map(|hit| line(reader, hit)).collect::<Result<_>>()?, None),
    };
    Ok(Passage { pieces, starts_file, ends_file, left, ..Passage::default() })
}

/// A line that was found, as one piece: of a long one, its beginning.
fn line(reader: &Reader, hit: &Hit) -> Result<Piece> {
    let end = hit.next.min(hit.start + PIECE as u64);
    let (bytes, _) = block(reader, hit.start, end)?;
    let piece = Piece::of_line(&bytes, hit.start, reader.encoding());
    let hash = piece.hash.filter(|_| end == hit.next);
    Ok(Piece { end: hit.next, hash, ..piece })
}
