//! Compressed formats, told by their first bytes: never by a name, which any file may have.

use std::io;

use crate::source::Source;

/// A format that can be decompressed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Format {
    /// RFC 1952, one member after another.
    Gzip,
    /// gzip members of at most 64 KiB that tell their size (SAM specification, section 4.1).
    Bgzf,
    /// RFC 8878, frames and skippable frames.
    Zstd,
    /// The .xz file format 1.2, streams and padding.
    Xz,
    /// The .lzma format that came before it.
    Lzma,
    /// bzip2, one stream after another.
    Bzip2,
    /// LZ4 frame format 1.6, and the legacy frames of Linux kernels.
    Lz4,
    /// RFC 1950, which text may well begin like: only where it is known to be that.
    Zlib,
}

/// Bytes that are looked at to tell a format.
const HEAD: usize = 32;

/// Skippable frames that may stand before the first real one.
const SKIPPED: usize = 16;

impl Format {
    /// The word for it in receipts.
    pub fn name(self) -> &'static str {
        match self {
            Format::Gzip => "gzip",
            Format::Bgzf => "bgzf",
            Format::Zstd => "zstd",
            Format::Xz => "xz",
            Format::Lzma => "lzma",
            Format::Bzip2 => "bzip2",
            Format::Lz4 => "lz4",
            Format::Zlib => "zlib",
        }
    }

    /// The format of `source`, if it is one of these.
    pub fn of(source: &dyn Source) -> io::Result<Option<Format>> {
        let mut at = 0;
        for _ in 0..SKIPPED {
            let mut head = [0; HEAD];
            let got = read_head(source, &mut head, at)?;
            match skippable(&head[..got]) {
                // zstd and LZ4 have these in common: what follows decides.
                Some(size) => at += size,
                None => return Ok(Format::starting(&head[..got])),
            }
        }
        Ok(None)
    }

    /// The format whose member begins with `head`.
    fn starting(head: &[u8]) -> Option<Format> {
        match head {
            [0x1F, 0x8B, 8, flags, rest @ ..] if flags & 0xE0 == 0 => {
                let is_bgzf = flags & 4 != 0 && rest.get(6..12) == Some(b"\x06\0BC\x02\0");
                Some(if is_bgzf { Format::Bgzf } else { Format::Gzip })
            }
            [0x28, 0xB5, 0x2F, 0xFD, ..] => Some(Format::Zstd),
            [0xFD, b'7', b'z', b'X', b'Z', 0, ..] => Some(Format::Xz),
            // A block, or the end of a stream without any.
            [b'B', b'Z', b'h', b'1'..=b'9', 0x31, 0x41, 0x59, 0x26, 0x53, 0x59, ..]
            | [b'B', b'Z', b'h', b'1'..=b'9', 0x17, 0x72, 0x45, 0x38, 0x50, 0x90, ..] => Some(Format::Bzip2),
            [0x04, 0x22, 0x4D, 0x18, ..] | [0x02, 0x21, 0x4C, 0x18, ..] => Some(Format::Lz4),
            _ if is_lzma(head) => Some(Format::Lzma),
            _ => None,
        }
    }

    /// Whether another member of this format begins with `head`.
    pub(crate) fn goes_on(self, head: &[u8]) -> bool {
        match (self, Format::starting(head)) {
            (Format::Gzip | Format::Bgzf, Some(Format::Gzip | Format::Bgzf)) => true,
            // One header, one stream.
            (Format::Lzma | Format::Zlib, _) => false,
            (here, next) => next == Some(here),
        }
    }

    /// Whether `head`, behind which nothing follows, can be the first bytes of another member or skippable frame.
    pub(crate) fn is_cut_off(self, head: &[u8]) -> bool {
        WHOLE_HEADS.iter().any(|whole| {
            let Some(rest) = whole.get(head.len()..).filter(|rest| !rest.is_empty()) else { return false };
            let completed = [head, rest].concat();
            self.goes_on(&completed) || self.skippable(&completed).is_some()
        })
    }

    /// How many zero bytes at the start of `head` are padding between members, or behind the last.
    pub fn padding(self, head: &[u8]) -> usize {
        match self {
            Format::Gzip | Format::Bgzf | Format::Xz => head.iter().take_while(|byte| **byte == 0).count(),
            _ => 0,
        }
    }

    /// The size in bytes of the skippable frame that begins with `head`, if it is one.
    pub fn skippable(self, head: &[u8]) -> Option<u64> {
        if matches!(self, Format::Zstd | Format::Lz4) { skippable(head) } else { None }
    }
}

/// How each format begins.
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

/// The shortest heads by which a member or a skippable frame of each format is told.
const WHOLE_HEADS: [&[u8]; 8] = [
    &[0x1F, 0x8B, 8, 0],
    &[0x28, 0xB5, 0x2F, 0xFD],
    &[0xFD, b'7', b'z', b'X', b'Z', 0],
    b"BZh1\x31\x41\x59\x26\x53\x59",
    b"BZh1\x17\x72\x45\x38\x50\x90",
    &[0x04, 0x22, 0x4D, 0x18],
    &[0x02, 0x21, 0x4C, 0x18],
    &[0x50, 0x2A, 0x4D, 0x18, 0, 0, 0, 0],
];

/// The first of the sixteen magic numbers of skippable frames.
const SKIPPABLE: [u8; 4] = [0x50, 0x2A, 0x4D, 0x18];

/// Reads as much as is needed to tell a format, and no more than one read of anything else: the rest of a stream's
/// first line may be a long time coming.
fn read_head(source: &dyn Source, head: &mut [u8], at: u64) -> io::Result<usize> {
    let mut got = 0;
    while got < head.len() {
        match source.read_at(&mut head[got..], at.saturating_add(got as u64)) {
            Err(cause) if cause.kind() == io::ErrorKind::Interrupted => continue,
            // Whoever needs these bytes will hear of it.
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

/// RFC 8878, section 3.1.2: sixteen magic numbers, then the size of what follows.
fn skippable(head: &[u8]) -> Option<u64> {
    match head {
        [0x50..=0x5F, 0x2A, 0x4D, 0x18, a, b, c, d, ..] => {
            Some(8 + u64::from(u32::from_le_bytes([*a, *b, *c, *d])))
        }
        _ => None,
    }
}

/// There is no magic number: usual properties, a dictionary of a usual size, a length that can be.
fn is_lzma(head: &[u8]) -> bool {
    let Some((header, rest)) = head.split_at_checked(13) else { return false };
    let dictionary = u32::from_le_bytes([header[1], header[2], header[3], header[4]]);
    let usual = dictionary >= 1 << 12
        && (dictionary.is_power_of_two() || (dictionary / 3).is_power_of_two() && dictionary % 3 == 0);
    let unknown = header[5..13] == [0xFF; 8];
    let possible = header[10..13] == [0; 3];
    // The range coder's first byte is always 0.
    header[0] == 0x5D && usual && (unknown || possible) && rest.first() == Some(&0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_that_begins_like_a_format_is_none() {
        for text in ["BZh9 is how it starts", "]\0\0 no", "7zXZ", "\x1F\u{8b}", "(\u{b5}/", "BZh", ""] {
            assert_eq!(Format::starting(text.as_bytes()), None, "{text}");
        }
        assert_eq!(Format::starting(b"\x1F\x8B\x08\xFF rest"), None);
        assert_eq!(Format::starting(b"\x1F\x8B\x08"), None);
    }

    #[test]
    fn padding_is_zeros_where_the_format_allows_them() {
        assert_eq!(Format::Gzip.padding(b"\0\0x\0"), 2);
        assert_eq!(Format::Zstd.padding(b"\0\0"), 0);
    }
}
