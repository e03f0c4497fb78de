//! Lines in the colors of rg: names magenta, numbers green, matches bold and red.

use std::ops::Range;

use crate::content::{self, ContentOptions, ContentStats, Segment, Sink};
use rread_reader::reader::Reader;
use rread_text::error::Result;

pub(super) const PATH: &[u8] = b"\x1b[35m";
pub(super) const NUMBER: &[u8] = b"\x1b[32m";
const MATCH: &[u8] = b"\x1b[1m\x1b[31m";
const PLAIN: &[u8] = b"\x1b[0m";

/// Appends `text` to `to`, between `color` and its end if colors are on.
pub(super) fn within(to: &mut Vec<u8>, color: &[u8], is_on: bool, text: &[u8]) {
    if is_on {
        to.extend_from_slice(color);
    }
    to.extend_from_slice(text);
    if is_on {
        to.extend_from_slice(PLAIN);
    }
}

/// Writes `segment`, a part of a line, with `marks` in it highlighted.
pub(super) fn deliver(
    reader: &Reader,
    segment: Segment,
    marks: &[Range<u64>],
    options: &ContentOptions,
    sink: &mut dyn Sink,
) -> Result<ContentStats> {
    let token_thirds = options.estimates_tokens.then_some(0);
    let mut stats = ContentStats { token_thirds, ..ContentStats::default() };
    let mut options = *options;
    let mut at = segment.start;
    for mark in marks {
        let before = Segment { start: at, end: mark.start, ..segment };
        if piece(reader, before, &options, sink, &mut stats)? > 0 {
            options.hash = None;
        }
        let mut text = Vec::new();
        let highlighted = Segment { start: mark.start, end: mark.end, ..segment };
        piece(reader, highlighted, &options, &mut text, &mut stats)?;
        // A hashline begins with its number and hash, which hold no separator.
        let separator = options.hash.take().map(|form| form.separator());
        let end = separator.and_then(|byte| text.iter().position(|b| *b == byte)).map_or(0, |end| end + 1);
        sink.write(&text[..end])?;
        sink.write(MATCH)?;
        sink.write(&text[end..])?;
        sink.write(PLAIN)?;
        stats.count_tokens(MATCH);
        stats.count_tokens(PLAIN);
        at = mark.end;
    }
    piece(reader, Segment { start: at, ..segment }, &options, sink, &mut stats)?;
    Ok(stats)
}

fn piece(
    reader: &Reader,
    segment: Segment,
    options: &ContentOptions,
    sink: &mut dyn Sink,
    stats: &mut ContentStats,
) -> Result<u64> {
    let written = content::deliver(reader, &[segment], options, sink)?;
    stats.invalid.count += written.invalid.count;
    stats.invalid.first_byte = stats.invalid.first_byte.or(written.invalid.first_byte);
    stats.token_thirds = stats.token_thirds.map(|sum| sum + written.token_thirds.unwrap_or(0));
    Ok(written.content_bytes)
}
