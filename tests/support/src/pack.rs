//! Compresses a text in every format, without the tools.

use std::io::{Read, Write};

use ::brotli::enc::BrotliEncoderParams;
use liblzma::stream::{Check, Filters, LzmaOptions, MatchFinder, Mode, Stream};
use lz4_flex::frame::{BlockMode, BlockSize, FrameEncoder, FrameInfo};
use rread_source::compressed::CompressionFormat;

/// A way of compressing.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Pack {
    Gzip,
    /// Uncompressed deflate blocks.
    GzipStored,
    /// Several members, some empty, with every header field.
    GzipMembers,
    Bgzf,
    Zstd,
    /// Several frames, some empty, with skippable frames before, between and after.
    ZstdFrames,
    Xz,
    /// Several streams with padding between and after them.
    XzStreams,
    Lzma,
    Bzip2,
    Bzip2Streams,
    /// Linked blocks and a checksum, as the tool makes them with -BD.
    Lz4,
    /// Several frames, each with blocks of another size and kind, and skippable ones.
    Lz4Frames,
    Zlib,
    Brotli,
}

use Pack::{
    Bgzf, Brotli, Bzip2, Bzip2Streams, Gzip, GzipMembers, GzipStored, Lz4, Lz4Frames, Lzma, Xz, XzStreams,
    Zlib, Zstd, ZstdFrames,
};

/// Those that are recognised by content.
pub const PACKS: [Pack; 13] = [
    Gzip,
    GzipStored,
    GzipMembers,
    Bgzf,
    Zstd,
    ZstdFrames,
    Xz,
    XzStreams,
    Lzma,
    Bzip2,
    Bzip2Streams,
    Lz4,
    Lz4Frames,
];

/// Those that are recognised by name.
pub const NAMED: [Pack; 2] = [Zlib, Brotli];

/// All of them.
pub fn all() -> impl Iterator<Item = Pack> {
    PACKS.into_iter().chain(NAMED)
}

impl Pack {
    pub fn format(self) -> CompressionFormat {
        match self {
            Gzip | GzipStored | GzipMembers => CompressionFormat::Gzip,
            Bgzf => CompressionFormat::Bgzf,
            Zstd | ZstdFrames => CompressionFormat::Zstd,
            Xz | XzStreams => CompressionFormat::Xz,
            Lzma => CompressionFormat::Lzma,
            Bzip2 | Bzip2Streams => CompressionFormat::Bzip2,
            Lz4 | Lz4Frames => CompressionFormat::Lz4,
            Zlib => CompressionFormat::Zlib,
            Brotli => CompressionFormat::Brotli,
        }
    }

    /// The name of a file that is recognised: without an ending, if the content suffices.
    pub fn file_name(self) -> String {
        match self.format() {
            format if format.is_recognised_by_name() => format!("packed.{}", format.endings()[0]),
            _ => "packed".to_owned(),
        }
    }

    /// Whether it has a checksum of the text, and a marked end.
    pub fn has_checksum(self) -> bool {
        !matches!(self, Lzma | Brotli)
    }

    pub fn of(self, text: &[u8]) -> Vec<u8> {
        match self {
            Gzip => gzip(text, 6),
            GzipStored => gzip(text, 0),
            GzipMembers => {
                pieces(text, 5).enumerate().flat_map(|(n, piece)| member(piece, 0x1F & (n * 7), 6)).collect()
            }
            Bgzf => bgzf(text),
            Zstd => zstd(text, 3),
            ZstdFrames => {
                let frames =
                    pieces(text, 4).flat_map(|piece| [skippable(b"beside"), zstd(piece, 1)].concat());
                frames.chain(skippable(b"")).collect()
            }
            Xz => xz(text, 6),
            XzStreams => pieces(text, 3).flat_map(|piece| [xz(piece, 1), vec![0; 8]].concat()).collect(),
            Lzma => lzma(text),
            Bzip2 => bzip2(text, 1),
            Bzip2Streams => pieces(text, 4).flat_map(|piece| bzip2(piece, 9)).collect(),
            Lz4 => lz4(text, FrameInfo::new().block_mode(BlockMode::Linked).content_checksum(true)),
            Lz4Frames => {
                let modes = [BlockMode::Linked, BlockMode::Independent].into_iter().cycle();
                let sizes = [BlockSize::Max4MB, BlockSize::Max64KB, BlockSize::Max1MB, BlockSize::Max256KB];
                let frames = pieces(text, 4).zip(modes.zip(sizes)).flat_map(|(piece, (mode, size))| {
                    let info = FrameInfo::new().block_mode(mode).block_size(size);
                    let info = info.content_checksum(true).block_checksums(true);
                    [skippable(b"not text"), lz4(piece, info)].concat()
                });
                frames.chain(skippable(b"")).collect()
            }
            Zlib => miniz_oxide::deflate::compress_to_vec_zlib(text, 6),
            Brotli => brotli(text, 2, 22),
        }
    }
}

/// `text` in `count` uneven pieces, the second of which is empty.
fn pieces(text: &[u8], count: usize) -> impl Iterator<Item = &[u8]> {
    let edge = move |n: usize| {
        if n < 2 {
            text.len() * n / 3
        } else {
            text.len() / 3 + (text.len() - text.len() / 3) * (n - 2) / (count - 2)
        }
    };
    (0..count).map(move |n| &text[edge(n)..edge(n + 1)])
}

pub fn gzip(text: &[u8], level: u8) -> Vec<u8> {
    member(text, 0, level)
}

/// One member whose header has the fields of `flags` (RFC 1952, section 2.3.1).
pub fn member(text: &[u8], flags: usize, level: u8) -> Vec<u8> {
    let flags = u8::try_from(flags).unwrap();
    let mut bytes = vec![0x1F, 0x8B, 8, flags, 1, 2, 3, 4, 0, 255];
    if flags & 4 != 0 {
        bytes.extend([6, 0, b'R', b'R', 2, 0, 0, 0]);
    }
    if flags & 8 != 0 {
        bytes.extend(b"name\0");
    }
    if flags & 16 != 0 {
        bytes.extend(b"a comment\0");
    }
    if flags & 2 != 0 {
        let sum = crc32fast::hash(&bytes).to_le_bytes();
        bytes.extend(&sum[..2]);
    }
    bytes.extend(miniz_oxide::deflate::compress_to_vec(text, level));
    bytes.extend(trailer(text));
    bytes
}

/// The checksum and the length that follow the deflate data of `text`.
pub fn trailer(text: &[u8]) -> Vec<u8> {
    let length = u32::try_from(text.len()).unwrap();
    [crc32fast::hash(text).to_le_bytes(), length.to_le_bytes()].concat()
}

/// SAM specification, section 4.1.
pub fn bgzf(text: &[u8]) -> Vec<u8> {
    let block = |text: &[u8]| {
        let deflated = miniz_oxide::deflate::compress_to_vec(text, 6);
        let size = u16::try_from(12 + 6 + deflated.len() + 8 - 1).unwrap().to_le_bytes();
        let head = [0x1F, 0x8B, 8, 4, 0, 0, 0, 0, 0, 255, 6, 0, b'B', b'C', 2, 0, size[0], size[1]];
        [&head[..], &deflated, &trailer(text)].concat()
    };
    text.chunks(0xFF00).flat_map(block).chain(block(b"")).collect()
}

pub fn zstd(text: &[u8], level: i32) -> Vec<u8> {
    let mut encoder = ::zstd::stream::Encoder::new(Vec::new(), level).unwrap();
    encoder.include_checksum(true).unwrap();
    encoder.write_all(text).unwrap();
    encoder.finish().unwrap()
}

/// RFC 8878, section 3.1.2; LZ4 frames have the same.
pub fn skippable(content: &[u8]) -> Vec<u8> {
    let size = u32::try_from(content.len()).unwrap().to_le_bytes();
    [&[0x5A, 0x2A, 0x4D, 0x18], &size[..], content].concat()
}

/// The options of a preset, with the dictionary that a decoder needs, but with little effort: a search for the best
/// matches took more time than all decoding.
fn effortless(preset: u32) -> LzmaOptions {
    let mut options = LzmaOptions::new_preset(preset).unwrap();
    options.mode(Mode::Fast).match_finder(MatchFinder::HashChain3).nice_len(16).depth(2);
    options
}

pub fn xz(text: &[u8], preset: u32) -> Vec<u8> {
    let mut filters = Filters::new();
    filters.lzma2(&effortless(preset));
    let stream = Stream::new_stream_encoder(&filters, Check::Crc64).unwrap();
    read_all(liblzma::read::XzEncoder::new_stream(text, stream))
}

pub fn lzma(text: &[u8]) -> Vec<u8> {
    let stream = Stream::new_lzma_encoder(&effortless(2)).unwrap();
    read_all(liblzma::read::XzEncoder::new_stream(text, stream))
}

pub fn bzip2(text: &[u8], level: u32) -> Vec<u8> {
    read_all(::bzip2::read::BzEncoder::new(text, ::bzip2::Compression::new(level)))
}

pub fn lz4(text: &[u8], info: FrameInfo) -> Vec<u8> {
    let mut encoder = FrameEncoder::with_frame_info(info, Vec::new());
    encoder.write_all(text).unwrap();
    encoder.finish().unwrap()
}

/// With a window of 2 to the power of `window`, a large one from 25 on. Levels over 2 take long in a build for tests.
pub fn brotli(text: &[u8], level: i32, window: i32) -> Vec<u8> {
    let is_large = window > 24;
    let options =
        BrotliEncoderParams { quality: level, lgwin: window, large_window: is_large, ..Default::default() };
    let mut packed = Vec::new();
    ::brotli::BrotliCompress(&mut &*text, &mut packed, &options).unwrap();
    packed
}

fn read_all(mut stream: impl Read) -> Vec<u8> {
    let mut bytes = Vec::new();
    stream.read_to_end(&mut bytes).unwrap();
    bytes
}
