//! The marks of a page's text: those of headings, quotes, items and pictures, and none inside of sentences.

use html2text::render::TextDecorator;

use super::lists;

pub(super) struct Marks;

/// Text without a mark before it.
fn plain() -> (String, ()) {
    (String::new(), ())
}

impl TextDecorator for Marks {
    type Annotation = ();

    fn decorate_link_start(&mut self, _: &str) -> (String, ()) {
        plain()
    }

    fn decorate_link_end(&mut self) -> String {
        String::new()
    }

    fn decorate_em_start(&self) -> (String, ()) {
        plain()
    }

    fn decorate_em_end(&self) -> String {
        String::new()
    }

    fn decorate_strong_start(&self) -> (String, ()) {
        plain()
    }

    fn decorate_strong_end(&self) -> String {
        String::new()
    }

    fn decorate_strikeout_start(&self) -> (String, ()) {
        plain()
    }

    fn decorate_strikeout_end(&self) -> String {
        String::new()
    }

    fn decorate_code_start(&self) -> (String, ()) {
        plain()
    }

    fn decorate_code_end(&self) -> String {
        String::new()
    }

    fn decorate_preformat_first(&self) {}

    fn decorate_preformat_cont(&self) {}

    fn decorate_image(&mut self, _: &str, title: &str) -> (String, ()) {
        (format!("[{title}]"), ())
    }

    fn header_prefix(&self, level: usize) -> String {
        "#".repeat(level) + " "
    }

    fn quote_prefix(&self) -> String {
        "> ".to_owned()
    }

    fn unordered_item_prefix(&self) -> String {
        "- ".to_owned()
    }

    fn ordered_item_prefix(&self, number: i64) -> String {
        format!("{}. ", lists::shown(number))
    }

    fn make_subblock_decorator(&self) -> Self {
        Marks
    }
}
