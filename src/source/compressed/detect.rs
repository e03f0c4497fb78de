//! Recognises the compressed format of a source by its first bytes.

use std::io;

use super::format::{CompressionFormat, SKIPPABLE, skippable};
use crate::source::Source;

/// The most bytes that a format is recognised by.
const HEAD: usize = 32;

/// The most skippable frames before the first real one.
const MOST_SKIPPED: usize = 16;

/// The bytes that a head of each format begins with.
const BEGINNINGS: [&[u8]; 8] = [
    &[0x1F, 0x8B, 8],
    &[0x28, 0xB5, 0x2F, 0xFD],
    &[0xFD, b'7', b'z', b'X', b'Z', 0],
    b"BZh",
    &[0x04, 0x22, 0x4D, 0x18],
    &[0x02, 0x21, 0x4C, 0x18],
    &[0x5D, 0],
    &SKIPPABLE,
];

impl CompressionFormat {
    /// The format of `source`; `None` if it is not compressed.
    pub fn of(source: &dyn Source) -> io::Result<Option<CompressionFormat>> {
        let mut at = 0;
        for _ in 0..MOST_SKIPPED {
            let mut head = [0; HEAD];
            let got = read_head(source, &mut head, at)?;
            match skippable(&head[..got]) {
                // zstd and LZ4 share these: the next frame decides.
                Some(size) => at += size,
                None => return Ok(CompressionFormat::starting(&head[..got])),
            }
        }
        Ok(None)
    }
}

/// Reads only while the bytes so far can be a format: the rest of a stream's first line may come much later.
fn read_head(source: &dyn Source, head: &mut [u8], at: u64) -> io::Result<usize> {
    let mut got = 0;
    while got < head.len() {
        match source.read_at(&mut head[got..], at.saturating_add(got as u64)) {
            Err(cause) if cause.kind() == io::ErrorKind::Interrupted => continue,
            // A later read of these bytes reports the error.
            Err(_) if got > 0 => break,
            Err(cause) => return Err(cause),
            Ok(0) => break,
            Ok(more) => got += more,
        }
        let mut first = head[0];
        if (0x50..=0x5F).contains(&first) && got > 1 && head[1] == SKIPPABLE[1] {
            first = SKIPPABLE[0];
        }
        let may_be = |magic: &&[u8]| {
            let common = magic.len().min(got);
            magic[0] == first && magic[1..common] == head[1..common]
        };
        if !BEGINNINGS.iter().any(may_be) {
            break;
        }
    }
    Ok(got)
}
