//! The header of a picture: what it says, and a window on its bytes.

use rread_reader::reader::Reader;
use rread_text::error::Error;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PictureFormat {
    Png,
    Jpeg,
    Gif,
    Bmp,
    WebP,
    Tiff,
    Svg,
}

impl PictureFormat {
    /// The name in receipts (Pillow's, if it has one) and the media type.
    fn names(self) -> (&'static str, &'static str) {
        match self {
            PictureFormat::Png => ("PNG", "image/png"),
            PictureFormat::Jpeg => ("JPEG", "image/jpeg"),
            PictureFormat::Gif => ("GIF", "image/gif"),
            PictureFormat::Bmp => ("BMP", "image/bmp"),
            PictureFormat::WebP => ("WEBP", "image/webp"),
            PictureFormat::Tiff => ("TIFF", "image/tiff"),
            PictureFormat::Svg => ("SVG", "image/svg+xml"),
        }
    }

    pub fn name(self) -> &'static str {
        self.names().0
    }

    pub fn mime(self) -> &'static str {
        self.names().1
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Picture {
    pub format: PictureFormat,
    /// In pixels, as stored; an SVG may have none.
    pub width: Option<u64>,
    pub height: Option<u64>,
    /// Pillow's name of the pixel format, if it has one.
    pub mode: Option<&'static str>,
    /// The Exif orientation, 1 to 8; 1 is upright.
    pub orientation: u8,
    /// The number of frames, if it is cheap to find.
    pub frames: Option<u64>,
    /// Whether the file reaches to the end of the image, if that is cheap to find.
    pub complete: Option<bool>,
    /// For another page of a TIFF than the first: as many bytes as the offset says, which lead to it from there.
    pub page_link: Option<(u64, [u8; 8])>,
}

impl Picture {
    pub(super) fn new(format: PictureFormat, width: u64, height: u64, mode: Option<&'static str>) -> Self {
        let (width, height) = (Some(width), Some(height));
        Picture { format, width, height, mode, orientation: 1, frames: None, complete: None, page_link: None }
    }

    pub fn size(&self) -> String {
        match (self.width, self.height) {
            (Some(width), Some(height)) => format!("{width}x{height}"),
            _ => "no size of its own".to_owned(),
        }
    }
}

/// The most bytes of memory for decoding, and of the file to decode: 512 MiB.
pub(super) const MAX_BYTES: u64 = 512 << 20;

#[derive(Clone, Debug)]
pub struct Thumbnail {
    /// PNG or JPEG, in pixels turned upright.
    pub format: PictureFormat,
    pub width: u64,
    pub height: u64,
    pub bytes: Vec<u8>,
}

#[derive(Clone, Copy, Debug)]
pub struct Bounds {
    /// The longer side in pixels.
    pub side: Option<u64>,
    pub bytes: Option<u64>,
}

/// Bytes per read: larger than any header field.
const BLOCK: usize = 4 << 10;

/// The most blocks that are read of one file: 16 MiB in all.
const BLOCKS: u32 = 4096;

pub(super) enum Fault {
    Truncated,
    TooLong,
    /// The header contradicts the format; the text continues `is a PNG …`.
    Invalid(String),
    Read(Error),
}

impl Fault {
    pub(super) fn invalid<T>(words: impl Into<String>) -> Parsed<T> {
        Err(Fault::Invalid(words.into()))
    }
}

impl From<Error> for Fault {
    fn from(error: Error) -> Self {
        Fault::Read(error)
    }
}

pub(super) type Parsed<T> = std::result::Result<T, Fault>;

#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum ByteOrder {
    Little,
    Big,
}

/// One cached block of the file; it moves to each requested offset.
pub(super) struct HeaderWindow<'a> {
    reader: &'a Reader,
    start: u64,
    block: Vec<u8>,
    left: u32,
}

impl<'a> HeaderWindow<'a> {
    pub(super) fn new(reader: &'a Reader) -> Self {
        HeaderWindow { reader, start: 0, block: Vec::new(), left: BLOCKS }
    }

    pub(super) fn size(&self) -> Option<u64> {
        self.reader.known_size()
    }

    /// The `count` bytes at `at`, at most one block.
    pub(super) fn bytes(&mut self, at: u64, count: usize) -> Parsed<&[u8]> {
        if at.checked_sub(self.start).is_none_or(|from| from + count as u64 > self.block.len() as u64) {
            self.move_to(at, count)?;
        }
        let from = usize::try_from(at - self.start).unwrap_or(usize::MAX);
        self.block.get(from..).and_then(|block| block.get(..count)).ok_or(Fault::Truncated)
    }

    fn move_to(&mut self, at: u64, count: usize) -> Parsed<()> {
        self.left = self.left.checked_sub(1).ok_or(Fault::TooLong)?;
        self.block.clear();
        self.block.resize(BLOCK.max(count), 0);
        self.start = at;
        // A stream may return fewer bytes than requested.
        let read = self.reader.read_at_least(count, &mut self.block, at);
        self.block.truncate(*read.as_ref().unwrap_or(&0));
        read?;
        Ok(())
    }

    pub(super) fn array<const N: usize>(&mut self, at: u64) -> Parsed<[u8; N]> {
        let mut array = [0; N];
        array.copy_from_slice(self.bytes(at, N)?);
        Ok(array)
    }

    pub(super) fn byte(&mut self, at: u64) -> Parsed<u8> {
        Ok(self.array::<1>(at)?[0])
    }

    pub(super) fn number(&mut self, at: u64, width: usize, order: ByteOrder) -> Parsed<u64> {
        let add = |number: u64, byte: &u8| number << 8 | u64::from(*byte);
        let bytes = self.bytes(at, width)?;
        Ok(match order {
            ByteOrder::Little => bytes.iter().rev().fold(0, add),
            ByteOrder::Big => bytes.iter().fold(0, add),
        })
    }

    /// The offset of the first `needle` from `from` on; `TooLong` once the limit of blocks is reached.
    pub(super) fn find(&mut self, needle: [u8; 2], from: u64) -> Parsed<u64> {
        let mut at = from;
        loop {
            // The next block repeats the last byte, because the needle may cross the edge.
            self.move_to(at, BLOCK)?;
            if let Some(found) = memchr::memmem::find(&self.block, &needle) {
                return Ok(at + found as u64);
            }
            if self.block.len() < BLOCK {
                return Err(Fault::Truncated);
            }
            at += BLOCK as u64 - 1;
        }
    }
}

/// An unknown end leaves the size valid: a limit was reached, or the file is cut off.
pub(super) fn reaches_end(walked: Parsed<()>) -> Parsed<Option<bool>> {
    match walked {
        Ok(()) => Ok(Some(true)),
        Err(Fault::Truncated) => Ok(Some(false)),
        Err(Fault::Read(error)) => Err(Fault::Read(error)),
        Err(Fault::TooLong | Fault::Invalid(_)) => Ok(None),
    }
}
