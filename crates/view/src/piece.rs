//! Lines as the viewer holds them: whole, or cut into pieces if they are long; and the passage around a place, read.
//!
//! Whether a line is cut at some offset depends only on the bytes near it, so that any place of a line of any length is
//! shown without a look at its start.

use std::ops::Range;

use super::style::Style;
use rread_reader::Reader;
use rread_text::encoding::split_char;
use rread_text::hashline::LineHasher;
use rread_text::{Encoding, HashStyle, Result};

/// A line is cut at each multiple of this offset that has no newline in so many bytes before it: a piece is shorter than
/// twice as much.
pub const PIECE: usize = 16 << 10;

/// Bytes of a character on either side of a cut.
const NEAR: usize = 3;

/// A line, or a part of a long one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Piece {
    /// Offsets in the file; the end is past the newline.
    pub start: u64,
    pub end: u64,
    /// In UTF-8 as far as it is valid, without the end of the line.
    pub text: Vec<u8>,
    pub starts_line: bool,
    pub ends_line: bool,
    /// The hash of the line in the file, if this is all of it.
    pub hash: Option<u32>,
    /// The part of a long line that the text is; `None` if it is all of the piece.
    pub cut: Option<Box<Cut>>,
}

/// The part of a long line that is shown in one row.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Cut {
    /// The offset of the text in the file.
    pub start: u64,
    /// The columns of the text in the line.
    pub columns: Range<usize>,
    /// Whether the line goes on after the text.
    pub goes_on: bool,
    /// The attributes that escape sequences before the text have set.
    pub style: Style,
    /// The style of the level at the start of the line.
    pub level: Style,
}

/// The file and the line of a piece, in a text of several files.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Origin {
    pub(crate) file: usize,
    pub(crate) line: u64,
}

/// Consecutive pieces of a file; with a filter, those of the lines that match.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Passage {
    pub pieces: Vec<Piece>,
    pub starts_file: bool,
    pub ends_file: bool,
    /// The first column to show, if finding it was the purpose.
    pub left: Option<usize>,
    /// The file and the line of each piece, if the text is that of several logs.
    pub(crate) origins: Vec<Origin>,
}

impl Piece {
    /// The beginning of a line that is shown as one piece.
    pub(crate) fn of_line(bytes: &[u8], start: u64, encoding: Encoding) -> Self {
        let text = text(bytes, start, encoding);
        let hash = Some(hash(bytes, encoding));
        let end = start + bytes.len() as u64;
        Piece { start, end, text, starts_line: true, ends_line: true, hash, cut: None }
    }

    /// Whether the text is that of a whole line.
    pub fn is_whole(&self) -> bool {
        self.starts_line && self.ends_line && self.cut.is_none()
    }
}

impl Passage {
    /// The index of the piece with the byte at `offset`, or of the nearest after it, or of the last at the end of the file.
    /// `None` if the passage cannot say.
    pub fn find(&self, offset: u64) -> Option<usize> {
        let first = self.pieces.first()?;
        if offset < first.start && !self.starts_file {
            return None;
        }
        let index = self.pieces.partition_point(|piece| piece.end <= offset);
        match index < self.pieces.len() {
            true => Some(index),
            false => self.ends_file.then_some(self.pieces.len() - 1),
        }
    }

    /// The file and the line of the piece at `offset`, if they are known.
    pub(crate) fn origin_at(&self, offset: u64) -> Option<Origin> {
        let index = self.pieces.binary_search_by_key(&offset, |piece| piece.start).ok()?;
        self.origins.get(index).copied()
    }

    /// The number of the line at `index`, counted from one with `newlines` before its start at `offset`.
    pub fn number(&self, index: usize, (offset, newlines): (u64, u64)) -> Option<u64> {
        let from = self.pieces.iter().position(|piece| piece.start == offset && piece.starts_line)?;
        let starts = |part: &[Piece]| part.iter().filter(|piece| piece.starts_line).count() as u64;
        match index >= from {
            true => Some(newlines + starts(&self.pieces[from..=index])),
            // From the start of the line that `index` lies in.
            false => (newlines + 1).checked_sub(starts(&self.pieces[index + 1..=from])),
        }
    }
}

/// The pieces in `block`, the bytes at `base` of the file. The first ones are left out if `base` is not the start of the
/// file, because their starts are not certain, and the last one unless it `ends_file`.
pub fn pieces(block: &[u8], base: u64, ends_file: bool, encoding: Encoding) -> Vec<Piece> {
    let parts = parts(block, base, ends_file, encoding);
    parts.iter().map(|part| part.piece(block, base, encoding)).collect()
}

/// The place of a piece in a block.
#[derive(Clone, Debug)]
pub(crate) struct PieceSpan {
    pub(crate) span: Range<usize>,
    starts_line: bool,
    ends_line: bool,
}

impl PieceSpan {
    pub(crate) fn piece(&self, block: &[u8], base: u64, encoding: Encoding) -> Piece {
        let (start, end) = (base + self.span.start as u64, base + self.span.end as u64);
        let bytes = &block[self.span.clone()];
        let (starts_line, ends_line) = (self.starts_line, self.ends_line);
        let hash = (starts_line && ends_line).then(|| hash(bytes, encoding));
        Piece { start, end, text: text(bytes, start, encoding), starts_line, ends_line, hash, cut: None }
    }
}

/// As [`pieces`], without their texts.
pub(crate) fn parts(block: &[u8], base: u64, ends_file: bool, encoding: Encoding) -> Vec<PieceSpan> {
    let starts = starts(block, base, ends_file, encoding);
    let certain = if base == 0 { 0 } else { PIECE };
    let ends = starts.iter().skip(1).copied().chain(ends_file.then_some((block.len(), true)));
    let pairs = starts.iter().zip(ends).filter(|((start, _), (end, _))| *start >= certain && start < end);
    let part =
        |(&(start, starts_line), (end, ends_line))| PieceSpan { span: start..end, starts_line, ends_line };
    pairs.map(part).collect()
}

/// The starts of pieces in `block`, and whether lines begin there too.
fn starts(block: &[u8], base: u64, ends_file: bool, encoding: Encoding) -> Vec<(usize, bool)> {
    let units = encoding.units();
    let mut starts = vec![(0, base == 0)];
    let mut line = 0;
    loop {
        let end = units.after_first(&block[line..]).map(|end| line + end);
        let until = match end {
            Some(end) => end,
            None if ends_file => block.len(),
            // The character at the cut must be there.
            None => block.len().saturating_sub(NEAR),
        };
        let within = usize::try_from(base % PIECE as u64).unwrap_or(0);
        let mut cut = (line + within + PIECE).next_multiple_of(PIECE) - within;
        while cut < until {
            starts.push((floor(block, cut, encoding), false));
            cut += PIECE;
        }
        match end {
            Some(end) => {
                starts.push((end, true));
                line = end;
            }
            None => return starts,
        }
    }
}

/// `cut`, or the start of the character that it would split.
fn floor(block: &[u8], cut: usize, encoding: Encoding) -> usize {
    if encoding != Encoding::Utf8 {
        return cut;
    }
    let from = cut.saturating_sub(NEAR);
    let around = &block[from..(cut + NEAR).min(block.len())];
    split_char(around, cut - from).map_or(cut, |(start, _)| from + start)
}

/// The text of a piece in UTF-8, without the end of its line.
pub(crate) fn text(bytes: &[u8], offset: u64, encoding: Encoding) -> Vec<u8> {
    let mark = if offset == 0 { encoding.mark() } else { b"" };
    let body = bytes.strip_prefix(mark).unwrap_or(bytes);
    let at = offset + (bytes.len() - body.len()) as u64;
    let mut text = match encoding {
        Encoding::Utf8 => body.to_vec(),
        _ => encoding.decode_lossy(body, at, true),
    };
    if text.ends_with(b"\n") {
        text.pop();
        if text.ends_with(b"\r") {
            text.pop();
        }
    }
    text
}

/// The hash of a whole line with its end.
fn hash(bytes: &[u8], encoding: Encoding) -> u32 {
    let units = encoding.units();
    let end = units.after_first(bytes).map_or(bytes.len(), |end| end - units.width);
    let mut hasher = LineHasher::new(HashStyle::Xxh32, units);
    hasher.update(&bytes[..end]);
    hasher.finish(end < bytes.len())
}

/// Bytes before and after the place that are read at first: a screen of usual lines.
const NEARBY: u64 = 64 << 10;

/// Pieces on either side that are kept if they have been read anyway.
const KEPT: usize = 500;

/// The pieces around `at`, with so many before and after it if the file has them.
pub(crate) fn passage(reader: &Reader, at: u64, (before, after): (usize, usize)) -> Result<Passage> {
    let mut at = if at == u64::MAX { reader.size()? } else { at };
    let (mut back, mut ahead) = (NEARBY, NEARBY);
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
            return Ok(Passage { pieces, starts_file, ends_file, ..Passage::default() });
        }
        back *= if has_before { 1 } else { 4 };
        ahead *= if has_after { 1 } else { 4 };
    }
}

/// The bytes from `from` to `to`, and whether the file ends there.
pub(super) fn block(reader: &Reader, from: u64, to: u64) -> Result<(Vec<u8>, bool)> {
    let to = reader.known_size().map_or(to, |size| to.min(size));
    let wanted = usize::try_from(to.saturating_sub(from)).unwrap_or(0);
    let mut block = vec![0; wanted];
    let got = reader.read_at_least(wanted, &mut block, from)?;
    block.truncate(got);
    Ok((block, got < wanted || reader.known_size() == Some(from + got as u64)))
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn whole(text: &[u8]) -> Vec<Piece> {
        pieces(text, 0, true, Encoding::Utf8)
    }

    #[test]
    fn short_lines_are_pieces() {
        let found = whole(b"one\r\n\ntwo");
        let texts: Vec<&[u8]> = found.iter().map(|piece| &piece.text[..]).collect();
        assert_eq!(texts, [&b"one"[..], b"", b"two"]);
        assert!(found.iter().all(|piece| piece.starts_line && piece.ends_line));
        assert!(whole(b"").is_empty());
        assert_eq!(whole(b"\n").len(), 1);
    }

    #[test]
    fn the_number_of_a_line_is_counted_from_a_known_one() {
        let text = [b"a\n".repeat(5), vec![b'x'; 3 * PIECE], b"\nlast\n".to_vec()].concat();
        let passage =
            Passage { pieces: whole(&text), starts_file: true, ends_file: true, ..Passage::default() };
        let last = passage.pieces.len() - 1;
        for (known, newlines) in [(0, 0), (4, 2), (10, 5), (text.len() as u64 - 5, 6)] {
            assert_eq!(passage.number(0, (known, newlines)), Some(1));
            assert_eq!(passage.number(5, (known, newlines)), Some(6));
            assert_eq!(passage.number(6, (known, newlines)), Some(6), "a later piece of the long line");
            assert_eq!(passage.number(last, (known, newlines)), Some(7));
        }
        assert_eq!(passage.number(0, (3, 1)), None);
    }

    proptest! {
        #[test]
        fn a_part_of_a_file_has_the_pieces_of_the_whole(
            lines in prop::collection::vec((0usize..3 * PIECE, prop::sample::select(vec!["a", "é", "日", "🦀"])), 1..6),
            from: prop::sample::Index,
            to: prop::sample::Index,
        ) {
            let text: String = lines.iter().map(|(len, c)| c.repeat(len / c.len()) + "\n").collect();
            let text = text.as_bytes();
            let all = whole(text);
            prop_assert_eq!(all.iter().map(|piece| piece.end - piece.start).sum::<u64>(), text.len() as u64);
            prop_assert!(all.iter().all(|piece| piece.text.len() < 2 * PIECE));
            prop_assert!(all.iter().all(|piece| std::str::from_utf8(&piece.text).is_ok()));
            let (a, b) = (from.index(text.len()), to.index(text.len()));
            let (a, b) = (a.min(b), a.max(b) + 1);
            let part = pieces(&text[a..b], a as u64, b == text.len(), Encoding::Utf8);
            for piece in &part {
                prop_assert!(all.contains(piece), "{} in {}..{}", piece.start, a, b);
            }
            // Nothing is left out but what a cut of the block leaves open.
            let expected = all.iter().filter(|piece| {
                (piece.start >= (a + PIECE) as u64 || a == 0) && (piece.end + 2 * PIECE as u64) < b as u64
            });
            for piece in expected {
                prop_assert!(part.contains(piece));
            }
        }
    }
}
