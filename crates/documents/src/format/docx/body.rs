//! The lines of a text: paragraphs, rows of tables, items of lists.

use std::collections::HashMap;

use super::styles::{Style, Styles};
use crate::format::lines::{LeftOut, Lines, heading};
use crate::format::zip_xml::Part;

/// Takes the parts of a document and makes lines of them.
pub(super) struct Body<'a> {
    styles: &'a Styles,
    /// The text of a note is its number in the file.
    pub(super) lines: Lines,
    /// A text box is inside a paragraph.
    paragraphs: Vec<Paragraph>,
    /// The last number of each list and level.
    numbers: HashMap<(String, usize), u64>,
    is_text: bool,
    left_out: LeftOut,
}

#[derive(Default)]
struct Paragraph {
    text: String,
    /// What the paragraph itself says.
    own: Style,
    style: String,
    /// Its properties define tabs, too.
    is_properties: bool,
}

/// Elements of other versions of the text: deleted and moved text, earlier properties, and the older form of a drawing.
const LEFT_OUT: [&str; 8] =
    ["moveFrom", "Fallback", "del", "pPrChange", "rPrChange", "sectPrChange", "tblPrChange", "trPrChange"];

impl<'a> Body<'a> {
    pub(super) fn new(styles: &'a Styles) -> Self {
        Body {
            styles,
            lines: Lines::default(),
            paragraphs: Vec::new(),
            numbers: HashMap::new(),
            is_text: false,
            left_out: LeftOut::default(),
        }
    }

    pub(super) fn take(&mut self, part: Part<'_>) {
        // In the properties of a paragraph, `del` has no content and says that its end was deleted.
        if self.left_out.takes(&part, |name| LEFT_OUT.contains(&name)) {
            return;
        }
        match part {
            Part::Start(name, attributes) => self.start(name, |name| attributes.get(name)),
            Part::End(name) => self.end(name),
            Part::Text(text) if self.is_text => self.push(text),
            Part::Text(_) => {}
        }
    }

    fn start(&mut self, name: &str, attribute: impl Fn(&str) -> Option<String>) {
        let value = || attribute("val").unwrap_or_default();
        match name {
            "p" => self.paragraphs.push(Paragraph::default()),
            "t" => self.is_text = true,
            "tbl" => self.lines.begin_table(),
            "tc" => self.lines.begin_cell(),
            "gridSpan" => self.lines.widen_cell(value().parse().unwrap_or(1)),
            "footnoteReference" | "endnoteReference" => {
                let kind = name.trim_end_matches("Reference").to_owned();
                let note = self.lines.add_note(kind, attribute("id").unwrap_or_default());
                self.push(&note);
            }
            _ => self.property(name, &value()),
        }
    }

    fn property(&mut self, name: &str, value: &str) {
        let Some(paragraph) = self.paragraphs.last_mut() else { return };
        match name {
            "pPr" => paragraph.is_properties = true,
            "pStyle" => value.clone_into(&mut paragraph.style),
            _ if paragraph.is_properties => paragraph.own.note(name, value),
            "tab" | "ptab" => self.push("\t"),
            "br" | "cr" => self.push("\n"),
            "noBreakHyphen" => self.push("-"),
            _ => {}
        }
    }

    fn end(&mut self, name: &str) {
        match name {
            "t" => self.is_text = false,
            "pPr" => {
                if let Some(paragraph) = self.paragraphs.last_mut() {
                    paragraph.is_properties = false;
                }
            }
            "p" => {
                if let Some(paragraph) = self.paragraphs.pop() {
                    let text = self.mark(&paragraph) + &paragraph.text;
                    self.lines.end(&text);
                }
            }
            "tc" => self.lines.end_cell(false),
            "tr" => self.lines.end_row(),
            "tbl" => self.lines.end_table(),
            _ => {}
        }
    }

    fn push(&mut self, text: &str) {
        if let Some(paragraph) = self.paragraphs.last_mut() {
            paragraph.text.push_str(text);
        }
    }

    /// The mark of a heading or of an item of a list.
    fn mark(&mut self, paragraph: &Paragraph) -> String {
        if paragraph.text.is_empty() {
            return String::new();
        }
        let style = self.styles.of(&paragraph.style);
        if let Some(level) = paragraph.own.heading.or(style.and_then(|style| style.heading)) {
            return heading(level);
        }
        let list = paragraph.own.list.as_ref().or(style.and_then(|style| style.list.as_ref()));
        let Some(list) = list.filter(|list| list.0 != "0") else { return String::new() };
        let (format, first) = self.styles.numbering(list);
        let indent = "  ".repeat(list.1);
        if matches!(format, "bullet" | "none") {
            return format!("{indent}- ");
        }
        self.numbers.retain(|(of, level), _| *of != list.0 || *level <= list.1);
        let next = |number: &mut u64| *number = number.saturating_add(1);
        let number = self.numbers.entry(list.clone()).and_modify(next).or_insert(first);
        format!("{indent}{number}. ")
    }
}
