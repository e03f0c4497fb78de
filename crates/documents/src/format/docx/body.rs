//! The lines of a text: paragraphs, rows of tables, items of lists.

use std::collections::HashMap;

use crate::format::zip_xml::Part;
use super::styles::{Style, Styles};

/// Takes the parts of a document and makes lines of them.
pub(super) struct Body<'a> {
    styles: &'a Styles,
    /// Lines that are done.
    lines: String,
    /// A text box is inside a paragraph.
    paragraphs: Vec<Paragraph>,
    /// A cell may have a table in it.
    tables: Vec<Row>,
    /// The last number of each list and level.
    numbers: HashMap<(String, usize), u64>,
    /// The kinds of notes, and their numbers in the file.
    notes: Vec<(String, String)>,
    is_text: bool,
    /// Elements that are open inside of one whose content is left out.
    skipped: usize,
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

#[derive(Default)]
struct Row {
    cells: Vec<String>,
    /// The columns of the open cell.
    span: usize,
}

/// Elements of other versions of the text: deleted and moved text, earlier properties, and the older form of a drawing.
const LEFT_OUT: [&str; 8] =
    ["moveFrom", "Fallback", "del", "pPrChange", "rPrChange", "sectPrChange", "tblPrChange", "trPrChange"];

/// The most columns of one cell, as in Word.
const MOST_COLUMNS: usize = 63;

impl<'a> Body<'a> {
    pub(super) fn new(styles: &'a Styles) -> Self {
        Body {
            styles,
            lines: String::new(),
            paragraphs: Vec::new(),
            tables: Vec::new(),
            numbers: HashMap::new(),
            notes: Vec::new(),
            is_text: false,
            skipped: 0,
        }
    }

    /// The lines since the last call.
    pub(super) fn lines(&mut self) -> String {
        std::mem::take(&mut self.lines)
    }

    /// The notes of a `kind` in their order, with their numbers in the text and in the file.
    pub(super) fn notes(&self, kind: &str) -> impl Iterator<Item = (usize, &str)> {
        let notes = (1..).zip(&self.notes).filter(move |(_, (of, _))| of == kind);
        notes.map(|(number, (_, id))| (number, id.as_str()))
    }

    pub(super) fn take(&mut self, part: Part<'_>) {
        match part {
            Part::Start(name, _) if self.skipped > 0 || LEFT_OUT.contains(&name) => {
                // In the properties of a paragraph, `del` has no content and says that its end was deleted.
                self.skipped += 1;
            }
            Part::End(_) if self.skipped > 0 => self.skipped -= 1,
            Part::Text(_) if self.skipped > 0 => {}
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
            "tbl" => self.tables.push(Row::default()),
            "tc" => {
                if let Some(row) = self.tables.last_mut() {
                    row.cells.push(String::new());
                    row.span = 1;
                }
            }
            "gridSpan" => {
                if let Some(row) = self.tables.last_mut() {
                    row.span = value().parse().unwrap_or(1).min(MOST_COLUMNS);
                }
            }
            "footnoteReference" | "endnoteReference" => {
                let kind = name.trim_end_matches("Reference").to_owned();
                self.notes.push((kind, attribute("id").unwrap_or_default()));
                self.push(&format!("[^{}]", self.notes.len()));
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
                    self.line(&text);
                }
            }
            "tc" => {
                if let Some(row) = self.tables.last_mut() {
                    let more = row.span.saturating_sub(1);
                    row.cells.extend(std::iter::repeat_n(String::new(), more));
                }
            }
            "tr" => {
                if let Some(row) = self.tables.pop() {
                    self.line(&row.cells.join("\t"));
                    self.tables.push(Row::default());
                }
            }
            "tbl" => drop(self.tables.pop()),
            _ => {}
        }
    }

    fn push(&mut self, text: &str) {
        if let Some(paragraph) = self.paragraphs.last_mut() {
            paragraph.text.push_str(text);
        }
    }

    /// Ends a line: in the open cell, which has only one, or in the text.
    fn line(&mut self, text: &str) {
        match self.tables.last_mut().and_then(|row| row.cells.last_mut()) {
            Some(cell) => {
                if !cell.is_empty() && !text.is_empty() {
                    cell.push(' ');
                }
                cell.extend(text.chars().map(|c| if matches!(c, '\n' | '\t') { ' ' } else { c }));
            }
            None => {
                self.lines.push_str(text);
                self.lines.push('\n');
            }
        }
    }

    /// The mark of a heading or of an item of a list.
    fn mark(&mut self, paragraph: &Paragraph) -> String {
        if paragraph.text.is_empty() {
            return String::new();
        }
        let style = self.styles.of(&paragraph.style);
        if let Some(level) = paragraph.own.heading.or(style.and_then(|style| style.heading)) {
            return format!("{} ", "#".repeat(level.min(6)));
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
