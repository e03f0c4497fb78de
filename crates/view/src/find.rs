//! What the screen shows of lines: those that filters leave, and the matches in them.

use std::ops::{ControlFlow, Range};
use std::sync::Arc;

use super::chopped::Chopper;
use super::glyph::SeenText;
use super::piece::{Cut, PIECE, Passage, Piece, block, pieces};
use rread_reader::search::scan::Search;
use rread_reader::search::worker::Wants;
use rread_reader::{Hit, LineMatcher, LineWalk, Pattern, Reader};
use rread_text::Result;
use rread_text::encoding::floor_char;

/// Bytes that are looked at together for matches in a long line.
const BLOCK: u64 = 256 << 10;

/// A piece may begin so many bytes before a multiple of its size.
const NEAR: u64 = 3;

/// A match that is looked for.
#[derive(Clone, Debug)]
pub(crate) struct FindRequest {
    pub(crate) pattern: Arc<Pattern>,
    /// Lines that do not match these are not shown.
    pub(crate) filters: Vec<Arc<Pattern>>,
    pub(crate) from: u64,
    pub(crate) back: bool,
    /// The number of the match, from 1.
    pub(crate) nth: u64,
    /// Whether the search goes on at the other end of the file.
    pub(crate) wraps: bool,
    /// Whether each line is shown in one row, and its matches count once.
    pub(crate) chopped: bool,
    /// Whether the line with `from` is searched from its start: it was partial.
    pub(crate) whole_line: bool,
}

/// The place of the match that `request` asks for, if there is one: of a piece that has several, each counts once.
pub(super) fn nth(sieve: &Sieve<'_>, request: &FindRequest) -> Result<Option<u64>> {
    let find = if request.back { back } else { forwards };
    let mut left = request.nth.max(1);
    let from = if request.whole_line && sieve.counts_lines() {
        sieve.reader.line_start(request.from)?
    } else {
        request.from
    };
    if let Some(found) = find(sieve, from, &mut left)? {
        return Ok(Some(found));
    }
    if !request.wraps {
        return Ok(None);
    }
    let other_end = if request.back { u64::MAX } else { 0 };
    let before = left;
    if let Some(found) = find(sieve, other_end, &mut left)? {
        return Ok(Some(found));
    }
    let all = before - left;
    if all == 0 {
        return Ok(None);
    }
    left = (left - 1) % all + 1;
    find(sieve, other_end, &mut left)
}

/// Whether the hit is counted by its pieces.
fn is_long(sieve: &Sieve<'_>, hit: &Hit) -> bool {
    hit.next - hit.start >= PIECE as u64 && !sieve.counts_lines()
}

/// The place to go to for the first match in a line that counts once.
fn place_in(sieve: &Sieve<'_>, hit: &Hit) -> Result<u64> {
    let span = hit.start..hit.next;
    if sieve.inverts || span.end - span.start < PIECE as u64 {
        return Ok(hit.start);
    }
    // Escape sequences before the match do not count: it may be further on.
    let least = hit.first_match.unwrap_or(hit.start);
    let piece = (least / PIECE as u64 * PIECE as u64).saturating_sub(NEAR);
    let found = in_pieces(sieve, piece.max(span.start)..span.end, &mut 1, false)?;
    Ok(found.unwrap_or(least))
}

/// The match with which `left` comes to zero, among those from `from` on, which is the start of a piece.
fn forwards(sieve: &Sieve<'_>, from: u64, left: &mut u64) -> Result<Option<u64>> {
    let reader = sieve.reader;
    if reader.known_size().is_some_and(|size| from >= size) {
        return Ok(None);
    }
    let mut start = from;
    if !reader.starts_line(from)? {
        let next = LineWalk::new(reader).next_line(from, u64::MAX)?;
        start = next.map_or_else(|| reader.size(), Ok)?;
        if !sieve.counts_lines()
            && let Some(found) = in_line(sieve, from..start, left, false)?
        {
            return Ok(Some(found));
        }
    }
    loop {
        let (mut found, mut long) = (None, None);
        sieve.search().run(start..u64::MAX, 0, &mut |hits, _| {
            for hit in sieve.retain(hits)? {
                if is_long(sieve, &hit) {
                    long = Some(hit);
                    return Ok(ControlFlow::Break(()));
                }
                *left -= 1;
                if *left == 0 {
                    found = Some(place_in(sieve, &hit)?);
                    return Ok(ControlFlow::Break(()));
                }
            }
            Ok(ControlFlow::Continue(()))
        })?;
        let Some(hit) = long else { return Ok(found) };
        if let Some(found) = in_hit(sieve, &hit, left, false)? {
            return Ok(Some(found));
        }
        start = hit.next;
    }
}

/// As [`forwards`], among the matches before `from`, from the last one on.
fn back(sieve: &Sieve<'_>, from: u64, left: &mut u64) -> Result<Option<u64>> {
    let reader = sieve.reader;
    let from = match reader.known_size() {
        Some(size) => from.min(size),
        None if from == u64::MAX => reader.size()?,
        None => from,
    };
    let start = if reader.starts_line(from)? { from } else { reader.line_start(from)? };
    if start < from
        && !sieve.counts_lines()
        && let Some(found) = in_line(sieve, start..from, left, true)?
    {
        return Ok(Some(found));
    }
    let mut found = None;
    sieve.back(start, &mut |hit| {
        if is_long(sieve, &hit) {
            found = in_hit(sieve, &hit, left, true)?;
        } else {
            *left -= 1;
            found = if *left == 0 { Some(place_in(sieve, &hit)?) } else { None };
        }
        Ok(if found.is_some() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) })
    })?;
    Ok(found)
}

/// The same in a long line, which has at least one match.
fn in_hit(sieve: &Sieve<'_>, hit: &Hit, left: &mut u64, goes_back: bool) -> Result<Option<u64>> {
    let before = *left;
    let found = in_line(sieve, hit.start..hit.next, left, goes_back)?;
    if found.is_some() || *left < before {
        return Ok(found);
    }
    // A match that is longer than what is looked at together.
    *left -= 1;
    Ok((*left == 0).then(|| hit.first_match.unwrap_or(hit.start)))
}

/// The same among the pieces of a line that begin in `span`.
fn in_line(sieve: &Sieve<'_>, span: Range<u64>, left: &mut u64, goes_back: bool) -> Result<Option<u64>> {
    if !goes_back {
        return in_pieces(sieve, span, left, false);
    }
    let mut uncounted = u64::MAX;
    in_pieces(sieve, span.clone(), &mut uncounted, false)?;
    let all = u64::MAX - uncounted;
    if all < *left {
        *left -= all;
        return Ok(None);
    }
    let mut number = all - *left + 1;
    *left = 0;
    in_pieces(sieve, span, &mut number, true)
}

/// The place of the first or last match in the piece with which `left` comes to zero.
fn in_pieces(sieve: &Sieve<'_>, span: Range<u64>, left: &mut u64, wants_last: bool) -> Result<Option<u64>> {
    let reader = sieve.reader;
    let (mut found, mut counted) = (None, None);
    let mut at = span.start;
    while at < span.end && (found.is_none() || wants_last) {
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
        beginning_in(&sieve.first, &here, begin..end, 0, &mut |index, place| {
            let piece = &here[index];
            if counted != Some(piece.start) {
                if found.is_some() {
                    return false;
                }
                counted = Some(piece.start);
                *left -= 1;
            }
            if *left == 0 {
                let within = (place.start as u64).min((piece.end - piece.start).saturating_sub(1));
                found = Some(piece.start + within);
            }
            *left > 0 || wants_last
        })?;
        if found.is_some() {
            return Ok(found);
        }
        at = next;
    }
    Ok(found)
}

/// Bytes before a piece that decide about a match at its start: one character.
const BEFORE: usize = 4;

/// Bytes after a piece in which a match that begins in it may end. A longer match may be missed.
const AFTER: usize = PIECE;

/// Takes the index of a piece and the place of a match that begins in its text, and may end after it; returns whether to
/// go on.
pub(super) type TakeMatch<'t> = dyn FnMut(usize, Range<usize>) -> bool + 't;

/// Passes the matches that begin in one of `wanted`, which are consecutive pieces of one line; in the first of them, at or
/// after `from`.
pub(super) fn beginning_in(
    matcher: &LineMatcher,
    pieces: &[Piece],
    wanted: Range<usize>,
    from: usize,
    take: &mut TakeMatch<'_>,
) -> Result<()> {
    let here = &pieces[wanted.clone()];
    let (Some(first), Some(last)) = (here.first(), here.last()) else { return Ok(()) };
    let before = wanted.start.checked_sub(1).filter(|_| !first.starts_line).map_or(&[][..], |index| {
        let text = &pieces[index].text;
        &text[floor_char(text, text.len().saturating_sub(BEFORE))..]
    });
    let next = pieces.get(wanted.end).filter(|_| !last.ends_line);
    let after = next.map_or(&[][..], |next| &next.text[..floor_char(&next.text, next.text.len().min(AFTER))]);
    let goes_on = !last.ends_line && next.is_none_or(|next| after.len() < next.text.len() || !next.ends_line);
    let mut text = before.to_vec();
    let mut ends = Vec::new();
    for piece in here {
        text.extend_from_slice(&piece.text);
        ends.push(text.len());
    }
    text.extend_from_slice(after);
    let seen = if matcher.sees_screen() { SeenText::of(&text) } else { None };
    let (searched, from) = match &seen {
        Some(seen) => (&seen.text, seen.at_or_after(before.len() + from)),
        None => (&text, before.len() + from),
    };
    matcher.matches_in_part(searched, from, None, goes_on, &mut |found| {
        let found = seen.as_ref().map_or(found.clone(), |seen| seen.raw_place(&found));
        // At the end of a line, it may be empty.
        let index = match ends.partition_point(|end| *end <= found.start) {
            index if index < ends.len() => index,
            index if last.ends_line => index - 1,
            _ => return false,
        };
        let start = if index == 0 { before.len() } else { ends[index - 1] };
        take(wanted.start + index, found.start - start..found.end - start)
    })
}

/// The matches in the piece at `index`, also the end of one that begins in the piece before.
pub(super) fn inside(matcher: &LineMatcher, pieces: &[Piece], index: usize) -> Result<Vec<Range<usize>>> {
    let Some(piece) = pieces.get(index) else { return Ok(Vec::new()) };
    if let Some(cut) = &piece.cut {
        return inside_cut(matcher, &piece.text, cut);
    }
    let (mut found, mut taken) = (Vec::new(), 0);
    if !piece.starts_line && index > 0 {
        let before = pieces[index - 1].text.len();
        beginning_in(matcher, pieces, index - 1..index, 0, &mut |_, place| {
            taken = place.end.saturating_sub(before).min(piece.text.len());
            true
        })?;
        found.extend(Some(0..taken).filter(|place| !place.is_empty()));
    }
    beginning_in(matcher, pieces, index..index + 1, taken, &mut |_, place| {
        found.extend(Some(place.start..place.end.min(piece.text.len())).filter(|place| !place.is_empty()));
        true
    })?;
    Ok(found)
}

/// The matches in a part of a long line. The screen shows less than the part, so that matches across its ends do not count.
fn inside_cut(matcher: &LineMatcher, text: &[u8], cut: &Cut) -> Result<Vec<Range<usize>>> {
    let from = if cut.columns.start == 0 { 0 } else { floor_char(text, text.len().min(BEFORE)) };
    let seen = if matcher.sees_screen() { SeenText::of(text) } else { None };
    let (searched, from) = match &seen {
        Some(seen) => (&seen.text[..], seen.at_or_after(from)),
        None => (text, from),
    };
    let mut found = Vec::new();
    matcher.matches_in_part(searched, from, None, cut.goes_on, &mut |place| {
        let place = seen.as_ref().map_or(place.clone(), |seen| seen.raw_place(&place));
        found.extend(Some(place).filter(|place| !place.is_empty()));
        true
    })?;
    Ok(found)
}

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
    pub(super) chops: bool,
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

    /// Whether each line counts once, however long it is.
    pub(super) fn counts_lines(&self) -> bool {
        self.chops || self.inverts
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

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::super::piece::pieces;
    use super::*;
    use rread_reader::search::pattern::Pattern;
    use rread_text::encoding::Encoding;

    fn matcher(pattern: &str) -> LineMatcher {
        let pattern = Pattern { patterns: vec![pattern.to_owned()], ..Pattern::default() };
        LineMatcher::new(&pattern, Encoding::Utf8, false).unwrap()
    }

    /// The matches in the whole text, which is one line.
    fn whole(matcher: &LineMatcher, text: &[u8]) -> Vec<Range<usize>> {
        let mut found = Vec::new();
        let all = &mut |place: Range<usize>| {
            found.extend(Some(place).filter(|place| !place.is_empty()));
            true
        };
        matcher.matches_in_part(text, 0, None, false, all).unwrap();
        found
    }

    fn marked(places: impl IntoIterator<Item = Range<usize>>, len: usize) -> Vec<usize> {
        let mut marked: Vec<usize> = places.into_iter().flatten().filter(|at| *at < len).collect();
        marked.dedup();
        marked
    }

    proptest! {
        #[test]
        fn what_is_marked_is_what_matches_in_the_whole_line(
            needles in prop::collection::vec((0usize..4 * PIECE, prop::sample::select(vec!["needle", "日本", "ab", " "])), 0..12),
            near in prop::collection::vec((1usize..4, -9isize..3, prop::sample::select(vec!["needle", "日本", "ab"])), 0..6),
            pattern in prop::sample::select(vec!["needle", "n.{0,9}e", "^x", "x$", r"\bab", r"ab\b", "日本", "[^x]+", "^.", "edl|needle"]),
        ) {
            let mut text = vec![b'x'; 4 * PIECE + 100];
            let near = near.into_iter().map(|(piece, by, word)| ((piece * PIECE).saturating_add_signed(by), word));
            for (at, word) in needles.into_iter().chain(near) {
                text[at..at + word.len()].copy_from_slice(word.as_bytes());
            }
            let text = String::from_utf8_lossy(&text).into_owned().into_bytes();
            let matcher = matcher(pattern);
            let pieces = pieces(&text, 0, true, Encoding::Utf8);
            let expected = whole(&matcher, &text);
            let start = |index: usize| usize::try_from(pieces[index].start).unwrap();
            let found = (0..pieces.len()).flat_map(|index| {
                let places = inside(&matcher, &pieces, index).unwrap();
                places.into_iter().map(move |place| (index, place))
            });
            let found = found.map(|(index, place)| place.start + start(index)..place.end + start(index));
            prop_assert_eq!(marked(found, text.len()), marked(expected.clone(), text.len()));
            let mut begun = Vec::new();
            beginning_in(&matcher, &pieces, 0..pieces.len(), 0, &mut |index, place| {
                begun.extend(Some(place.start + start(index)..place.end + start(index)).filter(|place| !place.is_empty()));
                true
            }).unwrap();
            prop_assert_eq!(begun, expected);
        }
    }
}
