//! The compressed formats, recognised by content, not by file name.

use std::io;

use crate::{DeflateWrapper, Source};

/// The most bytes that a member, padding or a skippable frame is recognised by.
pub(super) const HEAD: usize = 32;

/// The most skippable frames before the first real one.
const MOST_SKIPPED: usize = 16;

/// A format that rread decompresses.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CompressionFormat {
    /// RFC 1952, one member after another.
    Gzip,
    /// gzip members of at most 64 KiB that contain their size (SAM specification, section 4.1).
    Bgzf,
    /// RFC 8878, frames and skippable frames.
    Zstd,
    /// The .xz format 1.2, one stream after another.
    Xz,
    /// The .lzma format that came before it.
    Lzma,
    /// bzip2, one stream after another.
    Bzip2,
    /// LZ4 frame format 1.6, and the legacy frames of Linux kernels.
    Lz4,
    /// RFC 1950. Text may begin like this, so it is never recognised by content.
    Zlib,
    /// RFC 1951, without a wrapper: its container has the CRC-32 of the text.
    Deflate {
        /// The CRC-32.
        crc: u32,
    },
}

impl CompressionFormat {
    /// The word for receipts.
    pub fn name(self) -> &'static str {
        match self {
            CompressionFormat::Gzip => "gzip",
            CompressionFormat::Bgzf => "bgzf",
            CompressionFormat::Zstd => "zstd",
            CompressionFormat::Xz => "xz",
            CompressionFormat::Lzma => "lzma",
            CompressionFormat::Bzip2 => "bzip2",
            CompressionFormat::Lz4 => "lz4",
            CompressionFormat::Zlib => "zlib",
            CompressionFormat::Deflate { .. } => "deflate",
        }
    }

    pub(crate) fn of_wrapper(wrapper: DeflateWrapper) -> CompressionFormat {
        match wrapper {
            DeflateWrapper::Zlib => CompressionFormat::Zlib,
            DeflateWrapper::Bare { crc } => CompressionFormat::Deflate { crc },
        }
    }

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

    /// The format whose member begins with `head`.
    pub(super) fn starting(head: &[u8]) -> Option<CompressionFormat> {
        match head {
            [0x1F, 0x8B, 8, flags, rest @ ..] if flags & 0xE0 == 0 => {
                let is_bgzf = flags & 4 != 0 && rest.get(6..12) == Some(b"\x06\0BC\x02\0");
                Some(if is_bgzf { CompressionFormat::Bgzf } else { CompressionFormat::Gzip })
            }
            [0x28, 0xB5, 0x2F, 0xFD, ..] => Some(CompressionFormat::Zstd),
            [0xFD, b'7', b'z', b'X', b'Z', 0, ..] => Some(CompressionFormat::Xz),
            // A block, or the end of an empty stream.
            [b'B', b'Z', b'h', b'1'..=b'9', 0x31, 0x41, 0x59, 0x26, 0x53, 0x59, ..]
            | [b'B', b'Z', b'h', b'1'..=b'9', 0x17, 0x72, 0x45, 0x38, 0x50, 0x90, ..] => {
                Some(CompressionFormat::Bzip2)
            }
            [0x04, 0x22, 0x4D, 0x18, ..] | [0x02, 0x21, 0x4C, 0x18, ..] => Some(CompressionFormat::Lz4),
            _ if is_lzma(head) => Some(CompressionFormat::Lzma),
            _ => None,
        }
    }

    /// Whether another member of this format begins with `head`.
    pub(super) fn begins_member(self, head: &[u8]) -> bool {
        match (self, CompressionFormat::starting(head)) {
            (
                CompressionFormat::Gzip | CompressionFormat::Bgzf,
                Some(CompressionFormat::Gzip | CompressionFormat::Bgzf),
            ) => true,
            (CompressionFormat::Lzma | CompressionFormat::Zlib, _) => false,
            (here, next) => next == Some(here),
        }
    }

    /// Whether `head`, the last bytes of the file, can begin another member or skippable frame.
    pub(super) fn is_cut_off(self, head: &[u8]) -> bool {
        completions(head).any(|whole| self.begins_member(&whole) || self.skippable(&whole).is_some())
    }

    /// The number of zeros at the start of `head` that are padding between or after members.
    pub(super) fn padding(self, head: &[u8]) -> usize {
        match self {
            CompressionFormat::Gzip | CompressionFormat::Bgzf | CompressionFormat::Xz => {
                head.iter().take_while(|byte| **byte == 0).count()
            }
            _ => 0,
        }
    }

    /// The size of the skippable frame that begins with `head`.
    pub(super) fn skippable(self, head: &[u8]) -> Option<u64> {
        if matches!(self, CompressionFormat::Zstd | CompressionFormat::Lz4) { skippable(head) } else { None }
    }
}

/// The shortest heads by which members and skippable frames are recognised.
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

/// The heads that `head` can become when more bytes come.
fn completions(head: &[u8]) -> impl Iterator<Item = Vec<u8>> {
    WHOLE_HEADS
        .iter()
        .filter(|whole| whole.len() > head.len())
        .map(move |whole| [head, &whole[head.len()..]].concat())
}

/// A skippable frame (RFC 8878, section 3.1.2): one of sixteen magic numbers, then the size of the content.
fn skippable(head: &[u8]) -> Option<u64> {
    match head {
        [0x50..=0x5F, 0x2A, 0x4D, 0x18, a, b, c, d, ..] => {
            Some(8 + u64::from(u32::from_le_bytes([*a, *b, *c, *d])))
        }
        _ => None,
    }
}

/// Whether a format, or a skippable frame, begins with `head` or with `head` and more bytes.
fn can_begin(head: &[u8]) -> bool {
    let begins = |head: &[u8]| CompressionFormat::starting(head).is_some() || skippable(head).is_some();
    let may_be_lzma = head.iter().zip([0x5D, 0]).all(|(byte, lzma)| *byte == lzma);
    may_be_lzma || begins(head) || completions(head).any(|whole| begins(&whole))
}

/// Reads only while the bytes so far can be a format: the rest of a stream's first line may come much later.
fn read_head(source: &dyn Source, head: &mut [u8], at: u64) -> io::Result<usize> {
    let mut got = 0;
    while got < head.len() && can_begin(&head[..got]) {
        match source.read_at(&mut head[got..], at.saturating_add(got as u64)) {
            Err(cause) if cause.kind() == io::ErrorKind::Interrupted => {}
            // A later read of these bytes reports the error.
            Err(_) if got > 0 => break,
            Err(cause) => return Err(cause),
            Ok(0) => break,
            Ok(more) => got += more,
        }
    }
    Ok(got)
}

/// .lzma has no magic number: checks for the usual properties, a usual dictionary size, and a possible length.
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
    fn text_that_begins_like_a_format_is_not_recognised() {
        for text in ["BZh9 is how it starts", "]\0\0 no", "7zXZ", "\x1F\u{8b}", "(\u{b5}/", "BZh", ""] {
            assert_eq!(CompressionFormat::starting(text.as_bytes()), None, "{text}");
        }
        assert_eq!(CompressionFormat::starting(b"\x1F\x8B\x08\xFF rest"), None);
        assert_eq!(CompressionFormat::starting(b"\x1F\x8B\x08"), None);
    }

    #[test]
    fn padding_is_zeros_where_the_format_allows_them() {
        assert_eq!(CompressionFormat::Gzip.padding(b"\0\0x\0"), 2);
        assert_eq!(CompressionFormat::Zstd.padding(b"\0\0"), 0);
    }
}
