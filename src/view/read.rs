//! Reads the passage around a place, of the whole file or of the lines that match a filter.

use std::ops::{ControlFlow, Range};

use super::matches::beginning_in;
use super::piece::{PIECE, Passage, Piece, parts, pieces};
use rread_reader::reader::Reader;
use rread_reader::reader::line_walk::LineWalk;
use rread_reader::search::matcher::LineMatcher;
use rread_reader::search::scan::Search;
use rread_reader::search::worker::{Hit, Wants};
use rread_text::error::Result;

/// Bytes before and after the place that are read at first: a screen of usual lines.
const NEAR: u64 = 64 << 10;

/// Pieces on either side that are kept if they have been read anyway.
const KEPT: usize = 500;

/// Bytes that are looked at together for matches in a long line.
const BLOCK: u64 = 256 << 10;

/// The pieces around `at`, with so many before and after it if the file has them.
pub(crate) fn passage(reader: &Reader, at: u64, (before, after): (usize, usize)) -> Result<Passage> {
    let mut at = if at == u64::MAX { reader.size()? } else { at };
    let (mut back, mut ahead) = (NEAR, NEAR);
    loop {
        at = reader.known_size().map_or(at, |size| at.min(size));
        let from = at.saturating_sub(back).saturating_sub(2 * PIECE as u64) / PIECE as u64 * PIECE as u64;
        let to = at.saturating_add(ahead).next_multiple_of(PIECE as u64);
        let (block, ends_file) = block(reader, from, to)?;
        if block.is_empty() && from > 0 {
            // The place is past the end of a file whose size was not known.
            at = reader.size()?.min(at - 1);
            continue;
        }
        let parts = parts(&block, from, ends_file, reader.encoding());
        let within = usize::try_from(at - from).unwrap_or(usize::MAX);
        let index = parts.partition_point(|part| part.span.end <= within).min(parts.len().saturating_sub(1));
        let has_before = from == 0 || !parts.is_empty() && index >= before;
        let has_after = ends_file || parts.len() - index > after;
        if has_before && has_after {
            // More than was asked for serves the next movements.
            let first = index.saturating_sub(before.max(KEPT));
            let end = (index + after.max(KEPT)).min(parts.len());
            let pieces =
                parts[first..end].iter().map(|part| part.piece(&block, from, reader.encoding())).collect();
            let (starts_file, ends_file) = (from == 0 && first == 0, ends_file && end == parts.len());
            return Ok(Passage { pieces, starts_file, ends_file });
        }
        back *= if has_before { 1 } else { 4 };
        ahead *= if has_after { 1 } else { 4 };
    }
}

/// The bytes from `from` to `to`, and whether the file ends there.
fn block(reader: &Reader, from: u64, to: u64) -> Result<(Vec<u8>, bool)> {
    let to = reader.known_size().map_or(to, |size| to.min(size));
    let wanted = usize::try_from(to.saturating_sub(from)).unwrap_or(0);
    let mut block = vec![0; wanted];
    let got = reader.read_at_least(wanted, &mut block, from)?;
    block.truncate(got);
    Ok((block, got < wanted || reader.known_size() == Some(from + got as u64)))
}

/// As [`passage`], of the lines that `matcher` finds.
pub(crate) fn pipe_through(
    reader: &Reader,
    matcher: &LineMatcher,
    at: u64,
    (before, after): (usize, usize),
) -> Result<Passage> {
    let size = reader.known_size();
    let at = if at == u64::MAX { reader.size()? } else { size.map_or(at, |size| at.min(size)) };
    let start = reader.line_start(at)?;
    let search = Search { reader, matcher: matcher.clone(), wants: Wants { hits: true, ..Wants::default() } };
    let (mut hits, _) = search.last(0..start, before)?;
    let starts_file = hits.len() < before;
    let (mut left, mut ends_file) = (after, true);
    search.run(start..u64::MAX, 0, &mut |found, _| {
        ends_file = found.len() <= left;
        hits.extend(found.into_iter().take(left));
        left = after.saturating_sub(hits.len().saturating_sub(before));
        Ok(if ends_file { ControlFlow::Continue(()) } else { ControlFlow::Break(()) })
    })?;
    let pieces = hits.iter().map(|hit| line(reader, hit)).collect::<Result<_>>()?;
    Ok(Passage { pieces, starts_file, ends_file })
}

/// A line that was found, as one piece: of a long one, its beginning.
fn line(reader: &Reader, hit: &Hit) -> Result<Piece> {
    let end = hit.next.min(hit.start + PIECE as u64);
    let (bytes, _) = block(reader, hit.start, end)?;
    let piece = Piece::of_line(&bytes, hit.start, reader.encoding());
    let hash = piece.hash.filter(|_| end == hit.next);
    Ok(Piece { end: hit.next, hash, ..piece })
}

/// The place of the next piece with a match that begins at or after `from`, the start of a piece.
pub(crate) fn find(reader: &Reader, matcher: &LineMatcher, from: u64) -> Result<Option<u64>> {
    if reader.known_size().is_some_and(|size| from >= size) {
        return Ok(None);
    }
    let mut start = from;
    if !reader.starts_line(from)? {
        let next = LineWalk::new(reader).next_line(from, u64::MAX)?;
        let end = next.map_or_else(|| reader.size(), Ok)?;
        if let Some(found) = in_line(reader, matcher, from..end, true)? {
            return Ok(Some(found));
        }
        start = end;
    }
    let search = Search { reader, matcher: matcher.clone(), wants: Wants { hits: true, ..Wants::default() } };
    let mut hit = None;
    search.run(start..u64::MAX, 0, &mut |hits, _| {
        hit = hits.into_iter().next();
        Ok(ControlFlow::Break(()))
    })?;
    hit.map(|hit| in_hit(reader, matcher, &hit, true)).transpose()
}

/// The place of the last piece with a match before `from`, the start of a piece.
pub(crate) fn find_back(reader: &Reader, matcher: &LineMatcher, from: u64) -> Result<Option<u64>> {
    let from = reader.known_size().map_or(from, |size| from.min(size));
    let start = if reader.starts_line(from)? { from } else { reader.line_start(from)? };
    if start < from
        && let Some(found) = in_line(reader, matcher, start..from, false)?
    {
        return Ok(Some(found));
    }
    let search = Search { reader, matcher: matcher.clone(), wants: Wants { hits: true, ..Wants::default() } };
    let (hits, _) = search.last(0..start, 1)?;
    hits.first().map(|hit| in_hit(reader, matcher, hit, false)).transpose()
}

fn in_hit(reader: &Reader, matcher: &LineMatcher, hit: &Hit, first: bool) -> Result<u64> {
    if hit.next - hit.start < PIECE as u64 {
        return Ok(hit.start);
    }
    let found = in_line(reader, matcher, hit.start..hit.next, first)?;
    Ok(found.or(hit.first_match).unwrap_or(hit.start))
}

/// The place of the first or last piece with a match among those of a line that begin in `span`.
fn in_line(reader: &Reader, matcher: &LineMatcher, span: Range<u64>, first: bool) -> Result<Option<u64>> {
    let mut last = None;
    let mut at = span.start;
    while at < span.end {
        // With the piece before `at`, which decides about matches too.
        let from = at.saturating_sub(3 * PIECE as u64) / PIECE as u64 * PIECE as u64;
        let (bytes, ends_file) = block(reader, from, at.saturating_add(BLOCK))?;
        let here = pieces(&bytes, from, ends_file, reader.encoding());
        let begin = here.partition_point(|piece| piece.start < at);
        let mut end = here.partition_point(|piece| piece.start < span.end);
        // A match may end in the next piece, which the next block has.
        let goes_on = end == here.len() && !ends_file && here.last().is_some_and(|last| !last.ends_line);
        end -= usize::from(goes_on);
        let Some(next) = here[..end].last().map(|piece| piece.end).filter(|next| *next > at) else { break };
        beginning_in(matcher, &here, begin..end, 0, &mut |index, place| {
            let piece = &here[index];
            let within = (place.start as u64).min((piece.end - piece.start).saturating_sub(1));
            last = Some(piece.start + within);
            !first
        })?;
        if first && last.is_some() {
            return Ok(last);
        }
        at = next;
    }
    Ok(last)
}
