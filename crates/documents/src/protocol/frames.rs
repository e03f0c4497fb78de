//! Frames: a kind, a length, and bytes, which are text, or facts in JSON.

use std::io::{self, ErrorKind, Read, Write};

use serde::{Deserialize, Serialize};

use super::notice::Notice;
use crate::sheets::{ColumnKinds, SheetInfo};

/// The most bytes of one frame, such as that of the columns of a sheet, and of text in it.
const MAX_FRAME_BYTES: usize = 1 << 20;
const MAX_TEXT_BYTES: usize = 64 << 10;
/// The most bytes of the name of a sheet; Excel allows 31 characters.
const MAX_NAME_BYTES: usize = 1 << 10;

/// The most bytes of the name of a part of a document.
const MAX_PART_BYTES: usize = 1 << 8;

/// Why a decoder ended without the whole text.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Failure {
    /// The bytes are not a document of the format.
    Damaged,
    /// The document opens only with a password.
    Password,
    /// The document is encrypted in a way that the decoder does not know.
    Encryption,
    /// Its bytes could not be read.
    Unread,
    /// The decoder's process could not give up its rights.
    Unconfined,
    /// The document needs more memory than the limit.
    Memory,
    /// It needs more time than the limit.
    Time,
    /// It leads the decoder into an error.
    Panic,
    /// The workbook does not have the sheet.
    NoSheet,
}

/// An error of a parser is damage, unless memory ran out. After an error of the output, nobody reads the failure.
impl<E: std::error::Error + 'static> From<E> for Failure {
    fn from(error: E) -> Self {
        let first: &(dyn std::error::Error + 'static) = &error;
        let mut causes = std::iter::successors(Some(first), |cause| cause.source());
        let is_memory = |cause: &(dyn std::error::Error + 'static)| {
            cause.downcast_ref::<io::Error>().is_some_and(|cause| cause.kind() == ErrorKind::OutOfMemory)
        };
        if causes.any(is_memory) { Failure::Memory } else { Failure::Damaged }
    }
}

/// One message from a decoder.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Frame {
    /// Text in UTF-8, which continues the page.
    #[serde(skip)]
    Text(Vec<u8>),
    /// The number of pages that the document has.
    Pages(u32),
    /// The rest of the text of a page. A picture without text is a page that was scanned.
    #[serde(skip)]
    PageEnd {
        /// The text in UTF-8.
        text: Vec<u8>,
        /// Whether the page has a picture and no text.
        is_picture: bool,
    },
    /// A sheet of the workbook, before its columns.
    Sheet(SheetInfo),
    /// The index of the sheet whose text follows, the lines above its table, and its columns.
    Columns(usize, u64, Vec<ColumnKinds>),
    /// Something that the text does not have, and the name of the part.
    Notice(Notice, String),
    /// The name of the part that cannot be read, before a failure.
    Cause(String),
    /// The last frame: the whole text was sent, or why not.
    End(Result<(), Failure>),
}

impl Frame {
    /// Reads the next frame; `None` at the end of `input`.
    ///
    /// # Errors
    ///
    /// Those of `input`, and [`ErrorKind::InvalidData`] for a frame that no decoder sends.
    pub fn read(input: &mut impl Read) -> io::Result<Option<Frame>> {
        let mut kind = [0];
        if input.read(&mut kind)? == 0 {
            return Ok(None);
        }
        let mut length = [0; 4];
        input.read_exact(&mut length)?;
        let length = usize::try_from(u32::from_le_bytes(length)).unwrap_or(usize::MAX);
        if length > MAX_FRAME_BYTES {
            return Err(ErrorKind::InvalidData.into());
        }
        let mut bytes = vec![0; length];
        input.read_exact(&mut bytes)?;
        let frame = match (kind[0], &bytes[..]) {
            (b'T', [_, ..]) => Frame::Text(bytes),
            (b'P', [is_picture @ 0..=1, text @ ..]) => {
                Frame::PageEnd { text: text.to_vec(), is_picture: *is_picture == 1 }
            }
            (b'J', facts) => serde_json::from_slice(facts).map_err(|_| ErrorKind::InvalidData)?,
            _ => return Err(ErrorKind::InvalidData.into()),
        };
        Ok(Some(frame))
    }
}

/// The way from a decoder to its reader.
pub struct Output<'a> {
    out: &'a mut dyn Write,
    text: String,
}

impl<'a> Output<'a> {
    /// An output that writes its frames to `out`.
    pub fn new(out: &'a mut dyn Write) -> Self {
        Output { out, text: String::new() }
    }

    /// Sends the number of pages, before the first of them.
    pub fn pages(&mut self, count: usize) -> io::Result<()> {
        self.facts(&Frame::Pages(u32::try_from(count).unwrap_or(u32::MAX)))
    }

    /// Sends one sheet of the workbook.
    pub fn sheet(&mut self, sheet: &SheetInfo) -> io::Result<()> {
        self.facts(&Frame::Sheet(SheetInfo { name: shortened(&sheet.name, MAX_NAME_BYTES), ..*sheet }))
    }

    /// Sends which sheet follows, by its index, the lines of titles above its table, and its columns.
    pub fn columns(&mut self, chosen: usize, above: u64, columns: Vec<ColumnKinds>) -> io::Result<()> {
        self.facts(&Frame::Columns(chosen, above, columns))
    }

    /// Sends that the text does not have a `part` of the document.
    pub fn notice(&mut self, notice: Notice, part: &str) -> io::Result<()> {
        self.facts(&Frame::Notice(notice, shortened(part, MAX_PART_BYTES)))
    }

    /// Sends which `part` of the document cannot be read, before the failure that it causes.
    pub fn cause(&mut self, part: &str) -> io::Result<()> {
        self.facts(&Frame::Cause(shortened(part, MAX_PART_BYTES)))
    }

    /// Appends text to the page, and sends what is longer than a frame.
    pub fn text(&mut self, text: &str) -> io::Result<()> {
        // A place where a word may be divided is not a part of the word, and a NUL would make the text binary.
        match text.contains(['\0', '\u{AD}']) {
            true => self.text.push_str(&text.replace('\u{AD}', "").replace('\0', "\u{FFFD}")),
            false => self.text.push_str(text),
        }
        if self.text.len() > MAX_TEXT_BYTES { self.send_text() } else { Ok(()) }
    }

    /// Ends a page, and sends everything so far.
    pub fn page_end(&mut self, is_picture: bool) -> io::Result<()> {
        if self.text.len() > MAX_TEXT_BYTES {
            self.send_text()?;
        }
        let text = std::mem::take(&mut self.text);
        self.frame(b'P', &[&[u8::from(is_picture)], text.as_bytes()].concat())?;
        self.out.flush()
    }

    /// Sends what is left, and how the decoder ended.
    pub fn end(mut self, result: Result<(), Failure>) -> io::Result<()> {
        self.send_text()?;
        self.facts(&Frame::End(result))?;
        self.out.flush()
    }

    fn send_text(&mut self) -> io::Result<()> {
        let text = std::mem::take(&mut self.text);
        text.as_bytes().chunks(MAX_TEXT_BYTES).try_for_each(|chunk| self.frame(b'T', chunk))
    }

    fn facts(&mut self, facts: &Frame) -> io::Result<()> {
        self.frame(b'J', &serde_json::to_vec(facts)?)
    }

    fn frame(&mut self, kind: u8, bytes: &[u8]) -> io::Result<()> {
        self.out.write_all(&[kind])?;
        self.out.write_all(&u32::try_from(bytes.len()).unwrap_or(u32::MAX).to_le_bytes())?;
        self.out.write_all(bytes)
    }
}

/// The start of `name`, of at most `most` bytes.
fn shortened(name: &str, most: usize) -> String {
    name.get(..name.floor_char_boundary(most)).unwrap_or_default().to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn frames_come_back_as_they_were_sent() {
        let long = "x".repeat(MAX_FRAME_BYTES + 1);
        let mut bytes = Vec::new();
        let mut out = Output::new(&mut bytes);
        out.pages(3).unwrap();
        out.text("a\n").unwrap();
        out.text(&long).unwrap();
        out.page_end(true).unwrap();
        out.notice(Notice::Damaged, "cut").unwrap();
        out.notice(Notice::LeftOut, "Sheet2").unwrap();
        out.cause("x/y.xml").unwrap();
        out.end(Err(Failure::Password)).unwrap();
        let mut input = &bytes[..];
        let mut next = || Frame::read(&mut input).unwrap();
        assert_eq!(next(), Some(Frame::Pages(3)));
        let (mut text, mut frame) = (Vec::new(), next());
        while let Some(Frame::Text(bytes)) = frame {
            text.extend(bytes);
            frame = next();
        }
        let Some(Frame::PageEnd { text: rest, is_picture: true }) = frame else { panic!("{frame:?}") };
        text.extend(rest);
        assert_eq!(text, ["a\n", &long].concat().as_bytes());
        assert_eq!(next(), Some(Frame::Notice(Notice::Damaged, "cut".to_owned())));
        assert_eq!(next(), Some(Frame::Notice(Notice::LeftOut, "Sheet2".to_owned())));
        assert_eq!(next(), Some(Frame::Cause("x/y.xml".to_owned())));
        assert_eq!(next(), Some(Frame::End(Err(Failure::Password))));
        assert_eq!(next(), None);
    }

    #[test]
    fn a_frame_that_no_decoder_sends_is_an_error() {
        for bytes in [
            &b"T\xFF\xFF\xFF\x7F"[..],
            b"T\x01\0\0\0",
            b"T\0\0\0\0",
            b"E\x01\0\0\0\x63",
            b"?\0\0\0\0",
            b"P\x01\0\0\0\x02",
            b"P\0\0\0\0",
            b"J\x07\0\0\0\"Other\"",
            b"J\x06\0\0\0\"Text\"",
            b"J\x0B\0\0\0{\"Pages\":-1",
        ] {
            assert!(Frame::read(&mut &bytes[..]).is_err(), "{bytes:?}");
        }
    }
}
