//! Matches in pieces: those of a long line may begin in one piece and end in the next.

use std::ops::Range;

use super::glyph::SeenText;
use super::piece::{Cut, PIECE, Piece};
use rread_reader::search::matcher::LineMatcher;
use rread_text::encoding::floor_char;
use rread_text::error::Result;

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
        let place = place.start..place.end.min(piece.text.len());
        found.extend(Some(place).filter(|place| !place.is_empty()));
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
