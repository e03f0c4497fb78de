//! Writes file bytes as base64 or hex.

use data_encoding::{BASE64, HEXLOWER};

use super::types::{Budget, ContentStats, CutBy, Encode, Segment, Sink, buffer_size};
use crate::buffer::Buffer;
use crate::error::Result;
use crate::reader::Reader;

pub(super) fn write(
    reader: &Reader,
    segments: &[Segment],
    encode: Encode,
    budget: Budget,
    sink: &mut dyn Sink,
) -> Result<ContentStats> {
    // Input and output bytes of one group. Only whole groups can be joined.
    let (group, width) = match encode {
        Encode::Base64 => (3, 4),
        Encode::Hex => (1, 2),
    };
    let mut stats = ContentStats::default();
    let units = reader.units();
    // Newlines are whole code units, so each read begins at the start of a unit.
    let most = buffer_size(reader, segments) / group * group;
    let mut buffer = Buffer::default();
    for segment in segments {
        let mut at = segment.start;
        segment.advise(reader, budget);
        stats.end = at;
        while at < segment.end {
            let mut wanted = usize::try_from(segment.end - at).unwrap_or(usize::MAX).min(most);
            if let Some(room) = budget.characters() {
                let groups = usize::try_from((room - stats.content_bytes) / width).unwrap_or(usize::MAX);
                if groups == 0 {
                    let is_bytes = budget.bytes == Some(room);
                    stats.cut = Some(if is_bytes { CutBy::Bytes } else { CutBy::Tokens });
                    return Ok(stats);
                }
                wanted = wanted.min(groups.saturating_mul(group));
            }
            let lead = usize::try_from(at - units.floor(at)).unwrap_or(0);
            let from = units.floor(at);
            reader.read_exact(buffer.at(from, lead + wanted), from)?;
            if let Some(room) = budget.lines {
                if stats.newlines >= room {
                    stats.cut = Some(CutBy::Lines);
                    return Ok(stats);
                }
                let end = units.after_nth(&buffer[..lead + wanted], room - stats.newlines);
                wanted = end.map_or(wanted, |end| end - lead);
            }
            let (bytes, units_read) = (&buffer[lead..lead + wanted], &buffer[..lead + wanted]);
            let text = match encode {
                Encode::Base64 => BASE64.encode(bytes),
                Encode::Hex => HEXLOWER.encode(bytes),
            };
            sink.write(text.as_bytes())?;
            at += wanted as u64;
            stats.content_bytes += text.len() as u64;
            stats.newlines += units.count(units_read);
            stats.mid_line = !units.ends_with(units_read, b'\n');
            stats.end = at;
        }
    }
    Ok(stats)
}
