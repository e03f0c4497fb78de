//! The lines of a text: paragraphs, rows of tables, items of lists.

use std::collections::HashMap;

use crate::format::zip_xml::{Attributes, Part};
use super::styles::Styles;

/// Takes the parts of a document and makes lines of them.
pub(super) struct Body<'a> {
    styles: &'a Styles,
    /// Lines that are done.
    lines: String,
    /// A text box is inside a paragraph.
    paragraphs: Vec<Paragraph>,
    place: Place,
    /// Places around a note, which is inside a paragraph.
    outer: Vec<Place>,
    /// The class and the text of each note.
    notes: Vec<(String, String)>,
    /// The next number of each style of lists and each level.
    numbers: HashMap<(String, usize), u64>,
    /// Pictures and shapes that are open.
    shapes: usize,
    /// Elements that are open inside of one whose content is left out.
    skipped: usize,
}

/// Where lines go: into a note, a cell, or the text.
#[derive(Default)]
struct Place {
    /// A cell may have a table in it.
    tables: Vec<Row>,
    /// A list may be inside an item of another.
    lists: Vec<List>,
    /// The index of the note.
    note: Option<usize>,
}

#[derive(Default)]
struct Paragraph {
    text: String,
    /// The level of a heading, from 1.
    heading: Option<usize>,
    /// The last character is a blank that stands for white space of the file.
    has_blank: bool,
}

#[derive(Default)]
struct Row {
    cells: Vec<String>,
    /// How often the open cell is there.
    repeated: usize,
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

/// The most columns that one cell stands for, and the most blanks in a row.
const MOST_COLUMNS: usize = 63;
const MOST_BLANKS: usize = 1000;

impl<'a> Body<'a> {
    pub(super) fn new(styles: &'a Styles) -> Self {
        Body {
            styles,
            lines: String::new(),
            paragraphs: Vec::new(),
            place: Place::default(),
            outer: Vec::new(),
            notes: Vec::new(),
            numbers: HashMap::new(),
            shapes: 0,
            skipped: 0,
        }
    }

    /// The lines since the last call.
    pub(super) fn lines(&mut self) -> String {
        std::mem::take(&mut self.lines)
    }

    /// The notes of a `class` in their order, with their numbers in the text.
    pub(super) fn notes(&self, class: &str) -> impl Iterator<Item = (usize, &str)> {
        let notes = (1..).zip(&self.notes).filter(move |(_, (of, _))| of == class);
        notes.map(|(number, (_, text))| (number, text.as_str()))
    }

    pub(super) fn take(&mut self, part: Part<'_>) {
        match part {
            Part::Start(name, _) if self.skipped > 0 || self.is_left_out(name) => self.skipped += 1,
            Part::End(_) if self.skipped > 0 => self.skipped -= 1,
            Part::Text(_) if self.skipped > 0 => {}
            Part::Start(name, attributes) => self.start(name, &attributes),
            Part::End(name) => self.end(name),
            Part::Text(text) => self.white_space(text),
        }
    }

    fn is_left_out(&self, name: &str) -> bool {
        // Outside of shapes, these are fields with text.
        LEFT_OUT.contains(&name) || self.shapes > 0 && matches!(name, "title" | "desc")
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
                if let Some(list) = self.place.lists.last_mut() {
                    list.is_new = true;
                    if let (Some(of_list), Some(first)) = (&mut list.number, number("start-value")) {
                        *of_list = first as u64;
                    }
                }
            }
            "note" => {
                self.notes.push((attributes.get("note-class").unwrap_or_default(), String::new()));
                self.push(&format!("[^{}]", self.notes.len()));
                let note = Place { note: self.notes.len().checked_sub(1), ..Place::default() };
                self.outer.push(std::mem::replace(&mut self.place, note));
            }
            "table" => self.place.tables.push(Row::default()),
            _ if SHAPES.contains(&name) => self.shapes += 1,
            "table-cell" | "covered-table-cell" => {
                if let Some(row) = self.place.tables.last_mut() {
                    row.cells.push(String::new());
                    row.repeated = number("number-columns-repeated").unwrap_or(1).min(MOST_COLUMNS);
                }
            }
            _ => {}
        }
    }

    fn list(&mut self, attributes: &Attributes<'_>) {
        let lists = &mut self.place.lists;
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
                    self.line(&text);
                }
            }
            "list" => {
                let level = self.place.lists.len();
                if let Some(List { style, number: Some(number), .. }) = self.place.lists.pop() {
                    self.numbers.insert((style, level), number);
                }
            }
            _ if SHAPES.contains(&name) => self.shapes = self.shapes.saturating_sub(1),
            "note" => {
                if let Some(place) = self.outer.pop() {
                    self.place = place;
                }
            }
            "table-cell" | "covered-table-cell" => {
                if let Some(row) = self.place.tables.last_mut() {
                    let cell = row.cells.last().cloned().unwrap_or_default();
                    row.cells.extend(std::iter::repeat_n(cell, row.repeated.saturating_sub(1)));
                }
            }
            "table-row" => {
                if let Some(row) = self.place.tables.pop() {
                    self.line(&row.cells.join("\t"));
                    self.place.tables.push(Row::default());
                }
            }
            "table" => drop(self.place.tables.pop()),
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

    /// Ends a line: in the open cell or note, which has only one, or in the text.
    fn line(&mut self, text: &str) {
        let note = self.place.note.and_then(|index| self.notes.get_mut(index)).map(|(_, text)| text);
        match self.place.tables.last_mut().and_then(|row| row.cells.last_mut()).or(note) {
            Some(line) => {
                if !line.is_empty() && !text.is_empty() {
                    line.push(' ');
                }
                line.extend(text.chars().map(|c| if matches!(c, '\n' | '\t') { ' ' } else { c }));
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
        if let Some(level) = paragraph.heading {
            return format!("{} ", "#".repeat(level.clamp(1, 6)));
        }
        let depth = self.place.lists.len();
        let Some(list) = self.place.lists.last_mut() else { return String::new() };
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
