//! Reads the passage around a place.

use super::piece::{PIECE, Passage, parts};
use rread_reader::reader::Reader;
use rread_text::error::Result;

/// Bytes before and after the place that are read at first: a screen of usual lines.
const NEAR: u64 = 64 << 10;

/// Pieces on either side that are kept if they have been read anyway.
const KEPT: usize = 500;

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
