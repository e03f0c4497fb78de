//! Base64 and hex: the exact bytes of any file, as text.

use data_encoding::{BASE64, HEXLOWER};

use super::{Budget, CutBy, Encode, Sink, Stretch, Tally};
use crate::buffer::Buffer;
use crate::error::Result;
use crate::reader::Reader;

/// Encodes `stretches`, each by itself, into `sink`.
pub(super) fn pour(
    reader: &Reader,
    stretches: &[Stretch],
    encode: Encode,
    budget: Budget,
    sink: &mut dyn Sink,
) -> Result<Tally> {
    // Bytes in and out of one group: only whole groups may be joined.
    let (group, width) = match encode {
        Encode::Base64 => (3, 4),
        Encode::Hex => (1, 2),
    };
    let mut tally = Tally::default();
    let units = reader.units();
    // Lines end with whole code units: those that a read begins in are read from their start.
    let most = super::buffer_size(reader, stretches) / group * group;
    let mut buffer = Buffer::default();
    for stretch in stretches {
        let mut at = stretch.start;
        stretch.announce(reader, budget);
        tally.end = at;
        while at < stretch.end {
            let mut wanted = usize::try_from(stretch.end - at).unwrap_or(usize::MAX).min(most);
            if let Some(room) = budget.bytes {
                let groups = usize::try_from((room - tally.content_bytes) / width).unwrap_or(usize::MAX);
                if groups == 0 {
                    tally.cut = Some(CutBy::Bytes);
                    return Ok(tally);
                }
                wanted = wanted.min(groups.saturating_mul(group));
            }
            let lead = usize::try_from(at - units.floor(at)).unwrap_or(0);
            let from = units.floor(at);
            reader.read_exact(buffer.at(from, lead + wanted), from)?;
            if let Some(room) = budget.lines {
                if tally.newlines >= room {
                    tally.cut = Some(CutBy::Lines);
                    return Ok(tally);
                }
                let end = units.after_nth(&buffer[..lead + wanted], room - tally.newlines);
                wanted = end.map_or(wanted, |end| end - lead);
            }
            let (bytes, units_read) = (&buffer[lead..lead + wanted], &buffer[..lead + wanted]);
            let text = match encode {
                Encode::Base64 => BASE64.encode(bytes),
                Encode::Hex => HEXLOWER.encode(bytes),
            };
            sink.put(text.as_bytes())?;
            at += wanted as u64;
            tally.content_bytes += text.len() as u64;
            tally.newlines += units.count(units_read);
            tally.mid_line = !units.ends_with(units_read, b'\n');
            tally.end = at;
        }
    }
    Ok(tally)
}
