//! Documents that are text: notebooks, web pages, RTF, mail and mailboxes.

use rread_source::document::DocumentFormat;

use super::judged::decoded;

pub fn run(data: &[u8]) {
    let start = data.trim_ascii_start();
    let name = data.split(|byte| b":\n".contains(byte)).next().unwrap_or_default();
    // Mail without a named header is not recognised as mail.
    let is_header = !name.is_empty()
        && data.get(name.len()) == Some(&b':')
        && name.iter().all(|byte| byte.is_ascii_alphabetic() || *byte == b'-');
    if data.starts_with(b"{\\rtf") {
        whole(DocumentFormat::Rtf, data);
    } else if start.starts_with(b"{") {
        notebook(data);
    } else if data.starts_with(b"From ") {
        mailbox(data);
    } else if is_header {
        whole(DocumentFormat::Mail, data);
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

/// A document without pages, of which every line is whole.
fn whole(format: DocumentFormat, data: &[u8]) {
    let Some(decoded) = decoded(format, None, data) else { return };
    assert!(decoded.announced.is_none() && decoded.pages.iter().all(|page| !page.is_ended));
    assert!(decoded.pages.iter().all(|page| page.text.ends_with('\n')), "{:?}", decoded.pages[0].text);
}

/// Every page is a message, and as many are announced as come.
fn mailbox(data: &[u8]) {
    let Some(decoded) = decoded(DocumentFormat::Mailbox, None, data) else { return };
    let count = decoded.announced.map(|count| usize::try_from(count).unwrap());
    assert!(!decoded.is_whole || count == Some(decoded.pages.len()));
    assert!(decoded.pages.iter().all(|page| page.is_ended && page.text.ends_with('\n')));
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
