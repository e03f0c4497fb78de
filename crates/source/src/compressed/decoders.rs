//! Chooses the decoder of a format.

use std::io;

use super::bzip2::Bzip2;
use super::decoder::Decoder;
use super::deflate::{Bare, Deflate, Gzip, Zlib};
use super::format::CompressionFormat;
use super::lz4::Lz4;
use super::xz::Xz;
use super::zstd::Zstd;

pub(super) fn decoder_of(format: CompressionFormat) -> io::Result<Box<dyn Decoder>> {
    Ok(match format {
        CompressionFormat::Gzip | CompressionFormat::Bgzf => Box::new(Deflate::<Gzip>::default()),
        CompressionFormat::Zstd => Box::new(Zstd::new()?),
        CompressionFormat::Xz => Box::new(Xz::new(false)),
        CompressionFormat::Lzma => Box::new(Xz::new(true)),
        CompressionFormat::Bzip2 => Box::new(Bzip2::new()),
        CompressionFormat::Lz4 => Box::new(Lz4::default()),
        CompressionFormat::Zlib => Box::new(Deflate::<Zlib>::default()),
        CompressionFormat::Deflate { crc } => Box::new(Deflate::new(Bare::expecting(crc))),
    })
}
