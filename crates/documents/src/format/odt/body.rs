//! The lines of a text: paragraphs, rows of tables, items of lists.

use std::collections::HashMap;

use super::styles::Styles;
use crate::format::lines::{LeftOut, Lines, heading};
use crate::format::zip_xml::{Attributes, Part};

/// Takes the parts of a document and makes lines of them.
pub(super) struct Body<'a> {
    styles: &'a Styles,
    pub(super) lines: Lines,
    /// A text box is inside a paragraph.
    paragraphs: Vec<Paragraph>,
    /// A list may be inside an item of another.
    lists: Vec<List>,
    /// The lists around each note that is open.
    outer: Vec<Vec<List>>,
    /// The next number of each style of lists and each level.
    numbers: HashMap<(String, usize), u64>,
    /// Pictures and shapes that are open.
    shapes: usize,
    left_out: LeftOut,
}

#[derive(Default)]
struct Paragraph {
    text: String,
    /// The level of a heading, from 1.
    heading: Option<usize>,
    /// The last character is a blank that stands for white space of the file.
    has_blank: bool,
}

struct List {
    style: String,
    /// The number of the next item; `None` if items have no numbers.
    number: Option<u64>,
    /// The open item has no paragraph yet.
    is_new: bool,
}

/// Deleted text, comments, what stands for a note, and controls.
const LEFT_OUT: [&str; 4] = ["tracked-changes", "annotation", "note-citation", "forms"];
const SHAPES: [&str; 3] = ["frame", "custom-shape", "g"];

/// The most blanks in a row.
const MOST_BLANKS: usize = 1000;

impl<'a> Body<'a> {
    pub(super) fn new(styles: &'a Styles) -> Self {
        Body {
            styles,
            lines: Lines::default(),
            paragraphs: Vec::new(),
            lists: Vec::new(),
            outer: Vec::new(),
            numbers: HashMap::new(),
            shapes: 0,
            left_out: LeftOut::default(),
        }
    }

    pub(super) fn take(&mut self, part: Part<'_>) {
        // Outside of shapes, these are fields with text.
        let is_of_shape = |name: &str| matches!(name, "title" | "desc");
        let is_in_shape = self.shapes > 0;
        let is_left_out = |name: &str| LEFT_OUT.contains(&name) || is_in_shape && is_of_shape(name);
        if self.left_out.takes(&part, is_left_out) {
            return;
        }
        match part {
            Part::Start(name, attributes) => self.start(name, &attributes),
            Part::End(name) => self.end(name),
            Part::Text(text) => self.white_space(text),
        }
    }

    fn start(&mut self, name: &str, attributes: &Attributes<'_>) {
        let number = |name: &str| attributes.get(name).and_then(|value| value.parse::<usize>().ok());
        match name {
            "p" | "h" => {
                let style = attributes.get("style-name").unwrap_or_default();
                let heading = (name == "h").then(|| number("outline-level").unwrap_or(1));
                let heading = heading.or_else(|| self.styles.is_title(&style).then_some(1));
                self.paragraphs.push(Paragraph { heading, ..Paragraph::default() });
            }
            "s" => self.push(&" ".repeat(number("c").unwrap_or(1).min(MOST_BLANKS))),
            "tab" => self.push("\t"),
            "line-break" => self.push("\n"),
            "list" => self.list(attributes),
            "list-item" => {
                if let Some(list) = self.lists.last_mut() {
                    list.is_new = true;
                    if let (Some(of_list), Some(first)) = (&mut list.number, number("start-value")) {
                        *of_list = first as u64;
                    }
                }
            }
            "note" => {
                let class = attributes.get("note-class").unwrap_or_default();
                let note = self.lines.add_note(class, String::new());
                self.push(&note);
                self.lines.begin_note();
                self.outer.push(std::mem::take(&mut self.lists));
            }
            "table" => self.lines.begin_table(),
            _ if SHAPES.contains(&name) => self.shapes += 1,
            "table-cell" | "covered-table-cell" => {
                self.lines.begin_cell();
                self.lines.widen_cell(number("number-columns-repeated").unwrap_or(1));
            }
            _ => {}
        }
    }

    fn list(&mut self, attributes: &Attributes<'_>) {
        let lists = &mut self.lists;
        // A list inside another has its style.
        let style =
            attributes.get("style-name").or_else(|| Some(lists.last()?.style.clone())).unwrap_or_default();
        let level = lists.len() + 1;
        let is_next = attributes.get("continue-numbering").is_some_and(|value| value == "true")
            || attributes.get("continue-list").is_some();
        let next = || self.numbers.get(&(style.clone(), level)).copied().filter(|_| is_next);
        let number = self.styles.first_number(&style, level).map(|first| next().unwrap_or(first));
        lists.push(List { style, number, is_new: false });
    }

    fn end(&mut self, name: &str) {
        match name {
            "p" | "h" => {
                if let Some(paragraph) = self.paragraphs.pop() {
                    let text = self.mark(&paragraph) + &paragraph.text;
                    self.lines.end(&text);
                }
            }
            "list" => {
                let level = self.lists.len();
                if let Some(List { style, number: Some(number), .. }) = self.lists.pop() {
                    self.numbers.insert((style, level), number);
                }
            }
            _ if SHAPES.contains(&name) => self.shapes = self.shapes.saturating_sub(1),
            "note" => {
                if let Some(lists) = self.outer.pop() {
                    self.lists = lists;
                    self.lines.end_note();
                }
            }
            "table-cell" | "covered-table-cell" => self.lines.end_cell(true),
            "table-row" => self.lines.end_row(),
            "table" => self.lines.end_table(),
            _ => {}
        }
    }

    fn push(&mut self, text: &str) {
        if let Some(paragraph) = self.paragraphs.last_mut() {
            paragraph.text.push_str(text);
            paragraph.has_blank = false;
        }
    }

    /// Adds text, in which all white space in a row is one blank, and none at the start.
    fn white_space(&mut self, text: &str) {
        let Some(paragraph) = self.paragraphs.last_mut() else { return };
        for c in text.chars() {
            if !matches!(c, ' ' | '\t' | '\r' | '\n') {
                paragraph.text.push(c);
                paragraph.has_blank = false;
            } else if !paragraph.has_blank && !paragraph.text.is_empty() {
                paragraph.text.push(' ');
                paragraph.has_blank = true;
            }
        }
    }

    /// The mark of a heading or of an item of a list.
    fn mark(&mut self, paragraph: &Paragraph) -> String {
        if paragraph.text.is_empty() {
            return String::new();
        }
        if let Some(level) = paragraph.heading {
            return heading(level);
        }
        let depth = self.lists.len();
        let Some(list) = self.lists.last_mut() else { return String::new() };
        if !std::mem::take(&mut list.is_new) {
            return String::new();
        }
        let indent = "  ".repeat(depth.saturating_sub(1).min(8));
        match &mut list.number {
            None => format!("{indent}- "),
            Some(number) => {
                let own = *number;
                *number = own.saturating_add(1);
                format!("{indent}{own}. ")
            }
        }
    }
}
