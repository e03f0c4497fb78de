//! The compressed formats, a row each. A new one is its row here, and its decoder in a file of the folder `format`.

mod brotli;
mod bzip2;
mod deflate;
mod lz4;
mod xz;
mod zstd;

use std::io;

use super::checkpoint::Checkpoints;
use super::decoder::{Begins, Decoder};
use crate::Source;
use deflate::{Bare, Deflate, Gzip, Zlib};

/// The facts of a format.
struct Row {
    /// The value of `compression` in receipts.
    name: &'static str,
    /// The endings of file names, without the dot and in small letters.
    endings: &'static [&'static str],
    /// The endings that stand for `tar` and one of those.
    tar_endings: &'static [&'static str],
    mime: &'static str,
    /// The names in `Content-Encoding`.
    codings: &'static [&'static str],
    /// The program that decompresses a file, and its option to write to standard output.
    program: &'static str,
    start: Start,
    /// Whether another member begins with the bytes; `None` if the first member is the whole text.
    next: Option<fn(&[u8]) -> Begins>,
    /// Whether skippable frames may be before and after members.
    has_skippable: bool,
    /// The checkpoints that the file lists.
    table: fn(&dyn Source) -> io::Result<Option<Checkpoints>>,
    decoder: fn(&dyn Source) -> io::Result<Box<dyn Decoder>>,
}

/// How a file of a format is recognised.
#[derive(Clone, Copy)]
pub(super) enum Start {
    /// Its first bytes decide.
    Content(fn(&[u8]) -> Begins),
    /// Its name decides, if its first bytes can be decoded.
    Name,
    /// Its container says so.
    Container,
}

/// The fields that a row need not have.
const DEFAULT: Row = Row {
    name: "",
    endings: &[],
    tar_endings: &[],
    mime: "",
    codings: &[],
    program: "",
    start: Start::Container,
    next: None,
    has_skippable: false,
    table: |_| Ok(None),
    decoder: |_| Err(io::ErrorKind::Unsupported.into()),
};

/// Makes the type of the formats from their rows.
macro_rules! formats {
    ($($(#[$documentation:meta])* $format:ident { $($field:ident: $value:expr,)* })*) => {
        /// A format that rread decompresses.
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        pub enum CompressionFormat { $($(#[$documentation])* $format,)* }

        impl CompressionFormat {
            /// All formats, in the order in which sentences list them.
            pub const ALL: &[CompressionFormat] = &[$(CompressionFormat::$format),*];

            // A row may have every field.
            #[allow(clippy::needless_update)]
            const fn row(self) -> &'static Row {
                match self { $(CompressionFormat::$format => const { &Row { $($field: $value,)* ..DEFAULT } },)* }
            }
        }
    };
}

formats! {
    /// RFC 1952, one member after another.
    Gzip {
        name: "gzip",
        endings: &["gz", "z"],
        tar_endings: &["tgz", "taz"],
        mime: "application/gzip",
        codings: &["gzip", "x-gzip"],
        program: "gzip -dc",
        start: Start::Content(deflate::begins_gzip_alone),
        next: Some(deflate::begins_gzip),
        decoder: |_| Ok(Box::new(Deflate::<Gzip>::default())),
    }
    /// gzip members of at most 64 KiB that contain their size (SAM specification, section 4.1).
    Bgzf {
        name: "bgzf",
        endings: &["bgz", "bgzf"],
        mime: "application/gzip",
        codings: &["gzip", "x-gzip"],
        program: "gzip -dc",
        start: Start::Content(deflate::begins_bgzf),
        next: Some(deflate::begins_gzip),
        decoder: |_| Ok(Box::new(Deflate::<Gzip>::default())),
    }
    /// RFC 8878, frames and skippable frames.
    Zstd {
        name: "zstd",
        endings: &["zst", "zstd"],
        tar_endings: &["tzst"],
        mime: "application/zstd",
        codings: &["zstd"],
        program: "zstd -dc",
        start: Start::Content(zstd::begins),
        next: Some(zstd::begins),
        has_skippable: true,
        table: zstd::frame::checkpoints,
        decoder: |_| Ok(Box::new(zstd::Zstd::new()?)),
    }
    /// The .xz format 1.2, one stream after another.
    Xz {
        name: "xz",
        endings: &["xz"],
        tar_endings: &["txz"],
        mime: "application/x-xz",
        codings: &["xz", "x-xz"],
        program: "xz -dc",
        start: Start::Content(xz::begins),
        next: Some(xz::begins),
        table: xz::checkpoints,
        decoder: |_| Ok(Box::new(xz::Xz::new(true))),
    }
    /// The .lzma format that came before it.
    Lzma {
        name: "lzma",
        endings: &["lzma"],
        tar_endings: &["tlz"],
        mime: "application/x-lzma",
        program: "xz -dc",
        start: Start::Content(xz::begins_lzma),
        decoder: |_| Ok(Box::new(xz::Xz::new(false))),
    }
    /// bzip2, one stream after another.
    Bzip2 {
        name: "bzip2",
        endings: &["bz2", "bz"],
        tar_endings: &["tbz2", "tbz", "tb2"],
        mime: "application/x-bzip2",
        codings: &["bzip2", "x-bzip2"],
        program: "bzip2 -dc",
        start: Start::Content(bzip2::begins),
        next: Some(bzip2::begins),
        decoder: |_| Ok(Box::new(bzip2::Bzip2::new())),
    }
    /// LZ4 frame format 1.6.
    Lz4 {
        name: "lz4",
        endings: &["lz4"],
        mime: "application/x-lz4",
        program: "lz4 -dc",
        start: Start::Content(lz4::begins),
        next: Some(lz4::begins),
        has_skippable: true,
        decoder: |_| Ok(Box::new(lz4::Lz4::default())),
    }
    /// RFC 1950. Text may begin like this.
    Zlib {
        name: "zlib",
        endings: &["zz"],
        mime: "application/zlib",
        program: "pigz -dc",
        start: Start::Name,
        decoder: |_| Ok(Box::new(Deflate::<Zlib>::default())),
    }
    /// RFC 7932, and the large windows of its reference implementation.
    Brotli {
        name: "brotli",
        endings: &["br"],
        tar_endings: &["tbr"],
        mime: "application/x-brotli",
        codings: &["br"],
        program: "brotli -dc",
        start: Start::Name,
        decoder: |_| Ok(Box::new(brotli::Brotli::new())),
    }
    /// RFC 1951, without a wrapper: its container has the CRC-32 of the text.
    Deflate {
        name: "deflate",
        decoder: |source| Ok(Box::new(Deflate::new(Bare::of(source)))),
    }
}

impl CompressionFormat {
    /// The value of `compression` in receipts.
    pub fn name(self) -> &'static str {
        self.row().name
    }

    /// The media type; empty if only containers have the format.
    pub fn mime(self) -> &'static str {
        self.row().mime
    }

    /// The format with this media type; `None` for an empty one.
    pub fn of_mime(mime: &str) -> Option<CompressionFormat> {
        CompressionFormat::ALL.iter().copied().find(|format| !mime.is_empty() && format.mime() == mime)
    }

    /// The format with this name in receipts.
    pub fn from_name(name: &str) -> Option<CompressionFormat> {
        CompressionFormat::ALL.iter().copied().find(|format| format.name() == name)
    }

    /// The program that decompresses a file, and its option to write to standard output.
    pub fn program(self) -> &'static str {
        self.row().program
    }

    /// The endings of file names, without the dot and in small letters.
    pub fn endings(self) -> &'static [&'static str] {
        self.row().endings
    }

    /// The endings that stand for `tar` and one of those.
    pub fn tar_endings(self) -> &'static [&'static str] {
        self.row().tar_endings
    }

    /// The names in `Content-Encoding`.
    pub fn codings(self) -> &'static [&'static str] {
        self.row().codings
    }

    /// The formats that `coding` means in `Content-Encoding`.
    pub fn of_coding(coding: &str) -> impl Iterator<Item = CompressionFormat> {
        CompressionFormat::ALL.iter().copied().filter(move |format| format.codings().contains(&coding))
    }

    /// Whether files are recognised by content, whatever their names are.
    pub fn is_recognised_by_content(self) -> bool {
        matches!(self.row().start, Start::Content(_))
    }

    /// Whether files are recognised by name, if the content can be decoded.
    pub fn is_recognised_by_name(self) -> bool {
        matches!(self.row().start, Start::Name)
    }

    /// Whether `head` is that of many other files too, so that only the decoder can decide.
    pub(super) fn is_vague(self, head: &[u8]) -> bool {
        self == CompressionFormat::Lzma && head.first() != Some(&xz::USUAL)
    }

    pub(super) fn start(self) -> Start {
        self.row().start
    }

    /// Whether another member begins with `head`.
    pub(super) fn begins_member(self, head: &[u8]) -> Begins {
        self.row().next.map_or(Begins::No, |next| next(head))
    }

    pub(super) fn has_skippable_frames(self) -> bool {
        self.row().has_skippable
    }

    /// The checkpoints, or only the size, that `source` or its container lists.
    pub(super) fn table(self, source: &dyn Source) -> Option<Checkpoints> {
        match source.info().contained {
            Some(contained) => Some(Checkpoints::of_size(contained.text_size)),
            // An error at the end of the file must not hinder reading its beginning.
            None => (self.row().table)(source).ok().flatten(),
        }
    }

    /// A new decoder of `source`.
    pub(super) fn decoder(self, source: &dyn Source) -> io::Result<Box<dyn Decoder>> {
        (self.row().decoder)(source)
    }
}
