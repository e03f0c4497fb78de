//! Decodes in this process, within a limit of text, and checks the frames.

use std::io::{self, Write};

use rread_documents::decode::Charset;
use rread_documents::protocol::{Frame, Output};
use rread_documents::sheets::{Sheet, Workbook};
use rread_source::document::DocumentFormat;

use crate::contained::unless_a_package_panics;

/// The most bytes that a decoder may send: a few cells far apart are gigabytes of commas.
const MOST: usize = 4 << 20;

/// The text of a document, page by page. Text after the last page end is a page too.
pub struct Decoded {
    pub announced: Option<u32>,
    pub pages: Vec<Page>,
    /// What was sent before the text of a sheet.
    pub workbook: Workbook,
    pub is_whole: bool,
}

pub struct Page {
    pub text: String,
    pub is_picture: bool,
    /// Whether a page end came after it.
    pub is_ended: bool,
}

/// Decodes `bytes`; `None` if a package for the format panicked. The decoder's own process contains that.
pub fn decoded(format: DocumentFormat, sheet: Option<&Sheet>, bytes: &[u8]) -> Option<Decoded> {
    let mut sent = Sent::default();
    let result = unless_a_package_panics(|| {
        let mut out = Output::new(&mut sent);
        let result = format.decode(bytes.to_vec(), sheet, &Charset::default(), &mut out);
        out.end(result)
    })?;
    if let Err(error) = result {
        assert_eq!(error.kind(), io::ErrorKind::WriteZero, "{error}");
    }
    let (mut input, mut text) = (&sent.bytes[..], Vec::new());
    let mut decoded =
        Decoded { announced: None, pages: Vec::new(), workbook: Workbook::default(), is_whole: false };
    let page = |text: &mut Vec<u8>, is_picture, is_ended| {
        let text = String::from_utf8(std::mem::take(text)).unwrap();
        assert!(!text.contains('\0'), "{text:?}");
        Page { text, is_picture, is_ended }
    };
    while let Some(frame) = Frame::read(&mut input).unwrap() {
        match frame {
            Frame::Pages(count) => assert_eq!(decoded.announced.replace(count), None),
            Frame::Text(part) => text.extend(part),
            Frame::PageEnd { text: rest, is_picture } => {
                text.extend(rest);
                decoded.pages.push(page(&mut text, is_picture, true));
            }
            Frame::Sheet(info) => {
                assert!(sheet.is_some() && decoded.workbook.columns.is_empty() && text.is_empty());
                decoded.workbook.sheets.push(info);
            }
            Frame::Columns(chosen, _, columns) => {
                assert_eq!(sheet.map(|sheet| sheet.among(&decoded.workbook.sheets)), Some(Some(chosen)));
                (decoded.workbook.chosen, decoded.workbook.columns) = (chosen, columns);
            }
            // A receipt quotes the name of the part, so it may be any text.
            Frame::Notice(..) | Frame::Cause(_) => {}
            Frame::End(result) => {
                decoded.is_whole = result.is_ok();
                assert!(input.is_empty());
            }
        }
    }
    if !text.is_empty() && decoded.is_whole {
        decoded.pages.push(page(&mut text, false, false));
    }
    Some(decoded)
}

/// What a decoder sent: whole frames, up to the limit.
#[derive(Default)]
struct Sent {
    bytes: Vec<u8>,
    /// A frame is three of them.
    writes: usize,
}

impl Write for Sent {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        if self.writes.is_multiple_of(3) && self.bytes.len() > MOST {
            return Err(io::ErrorKind::WriteZero.into());
        }
        self.writes += 1;
        self.bytes.extend(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}
