//! Documents that are text: notebooks and web pages.

use rread_source::document::DocumentFormat;

use super::judged::decoded;

pub fn run(data: &[u8]) {
    if data.trim_ascii_start().starts_with(b"{") {
        notebook(data);
    } else {
        page(data);
    }
}

/// Every page is one cell with its number, and as many are announced as come.
fn notebook(data: &[u8]) {
    let Some(decoded) = decoded(DocumentFormat::Notebook, None, data) else { return };
    let count = decoded.announced.map(|count| usize::try_from(count).unwrap());
    if decoded.is_whole {
        assert_eq!(count, Some(decoded.pages.len()));
    }
    for (number, page) in (1..).zip(&decoded.pages) {
        let text = &page.text;
        assert!(page.is_ended, "text after the last cell: {text:?}");
        assert!(text.starts_with(&format!("[{number}] ")), "{text:?}");
        assert!(text.ends_with('\n'), "{text:?}");
    }
}

fn page(data: &[u8]) {
    let Some(decoded) = decoded(DocumentFormat::Html, None, data) else { return };
    assert_eq!(decoded.announced, None);
    assert!(decoded.pages.len() <= 1);
    for page in &decoded.pages {
        let text = &page.text;
        assert!(!page.is_ended && text.ends_with('\n') && !text.starts_with('\n'), "{text:?}");
    }
}
