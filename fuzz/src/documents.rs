//! The decoder of PDF files: frames that its reader accepts, and text that is text.

use rread::internals::source::document::DocumentFormat;
use rread::internals::source::document::frame::{Frame, Output};

pub fn run(data: &[u8]) {
    let mut sent = Vec::new();
    let decoded = DocumentFormat::Pdf.decode(data.to_vec(), &mut Output::new(&mut sent)).unwrap();
    let (mut input, mut text, mut announced, mut ended) = (&sent[..], Vec::new(), None, 0);
    while let Some(frame) = Frame::read(&mut input).unwrap() {
        match frame {
            Frame::Pages(count) => assert_eq!(announced.replace(count), None),
            Frame::Text(part) => text.extend(part),
            Frame::PageEnd { text: rest, is_picture } => {
                text.extend(rest);
                ended += 1;
                let page = String::from_utf8(std::mem::take(&mut text)).unwrap();
                assert!(page.is_empty() || page.ends_with('\n'), "{page:?}");
                assert!(!page.contains(|c: char| c.is_control() && c != '\n'), "{page:?}");
                assert!(!is_picture || page.is_empty(), "{page:?}");
            }
            Frame::End(_) => panic!("the process sends the end, not the decoder"),
        }
    }
    match decoded {
        Ok(()) => assert_eq!(announced, Some(ended)),
        Err(_) => assert!(sent.is_empty()),
    }
}
