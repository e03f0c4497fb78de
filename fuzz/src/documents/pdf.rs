//! PDF files.

use rread_source::document::DocumentFormat;

use super::judged::decoded;

pub fn run(data: &[u8]) {
    let Some(decoded) = decoded(DocumentFormat::Pdf, None, data) else { return };
    for page in &decoded.pages {
        let text = &page.text;
        assert!(page.is_ended, "text after the last page: {text:?}");
        assert!(text.is_empty() || text.ends_with('\n'), "{text:?}");
        assert!(!text.contains(|c: char| c.is_control() && c != '\n'), "{text:?}");
        assert!(!page.is_picture || text.is_empty(), "{text:?}");
    }
    match decoded.announced {
        Some(count) => assert!(!decoded.is_whole || decoded.pages.len() == usize::try_from(count).unwrap()),
        // A file that is cut off before its first page has none.
        None => assert!(decoded.pages.is_empty()),
    }
}
