//! Turns file bytes into content, block by block.

#![allow(missing_docs)]

mod prefix;
mod types;
mod write;

use crate::output::Out;
use rread_reader::Reader;
use rread_text::Result;

pub use prefix::{LineLabel, push_number};
pub use types::{Budget, ContentOptions, ContentStats, CutBy, Encode, InvalidBytes, Segment, Sink};
pub(crate) use types::{THIRDS, thirds};
pub use write::{before_open_color, open_colors};

/// A sink for measuring.
pub(crate) struct Nothing;

impl Sink for Nothing {
    fn write(&mut self, _: &[u8]) -> Result<()> {
        Ok(())
    }

    fn is_read(&self) -> bool {
        false
    }
}

/// The stats of the content, with `label` before every line.
pub fn measure(
    reader: &Reader,
    segments: &[Segment],
    options: &ContentOptions,
    budget: Budget,
    label: Option<LineLabel<'_>>,
) -> Result<ContentStats> {
    write::write(reader, segments, options, budget, label, &mut Nothing)
}

/// Writes the content to `sink`, with `label` before every line.
pub fn deliver(
    reader: &Reader,
    segments: &[Segment],
    options: &ContentOptions,
    label: Option<LineLabel<'_>>,
    sink: &mut dyn Sink,
) -> Result<ContentStats> {
    write::write(reader, segments, options, Budget::default(), label, sink)
}

/// Writes the content to standard output without escaping; `None` if the bytes were copied uncounted.
pub fn deliver_plain(
    reader: &Reader,
    segments: &[Segment],
    options: &ContentOptions,
    out: &mut Out,
) -> Result<Option<ContentStats>> {
    if options.is_verbatim() {
        segments.iter().try_for_each(|segment| write::copy(reader, *segment, out))?;
        return Ok(None);
    }
    deliver(reader, segments, options, None, out).map(Some)
}

/// The decoded text of a part of the file.
pub fn text(reader: &Reader, start: u64, end: u64) -> Result<String> {
    let options = ContentOptions { skip_bom: reader.decided.bom, ..ContentOptions::default() };
    let mut text = Vec::new();
    deliver(reader, &[Segment { start, end, line: 1 }], &options, None, &mut text)?;
    Ok(String::from_utf8_lossy(&text).into_owned())
}

pub fn base64(bytes: &[u8], sink: &mut dyn Sink) -> Result<()> {
    sink.write(data_encoding::BASE64.encode(bytes).as_bytes())
}

pub fn before(segments: &[Segment], end: u64) -> Vec<Segment> {
    segments
        .iter()
        .map(|segment| Segment { end: segment.end.min(end.max(segment.start)), ..*segment })
        .collect()
}
