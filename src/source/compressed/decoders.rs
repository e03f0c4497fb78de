//! Chooses the decoder of a format.

use std::io;
use std::sync::Arc;

use super::bzip2::Bzip2;
use super::compressed_input::CompressedInput;
use super::decoder::Decoder;
use super::deflate::Deflate;
use super::format::CompressionFormat;
use super::gzip::Gzip;
use super::lz4::Lz4;
use super::xz::Xz;
use super::zlib::Zlib;
use super::zstd::Zstd;
use crate::source::Source;

/// The decoder of `format`, at the start of `raw`.
pub(super) fn decoder_of(format: CompressionFormat, raw: Arc<dyn Source>) -> io::Result<Box<dyn Decoder>> {
    let input = CompressedInput::new(raw);
    Ok(match format {
        CompressionFormat::Gzip | CompressionFormat::Bgzf => Box::new(Deflate::<Gzip>::new(input)),
        CompressionFormat::Zstd => Box::new(Zstd::new(input)?),
        CompressionFormat::Xz => Box::new(Xz::new(input, false)),
        CompressionFormat::Lzma => Box::new(Xz::new(input, true)),
        CompressionFormat::Bzip2 => Box::new(Bzip2::new(input)),
        CompressionFormat::Lz4 => Box::new(Lz4::new(input)),
        CompressionFormat::Zlib => Box::new(Deflate::<Zlib>::new(input)),
    })
}
