//! OpenDocument text: a paragraph is a line, a row of a table is a line with tabs, as in Word documents.

use std::collections::HashMap;

use super::formula::{self, Builder};
use super::lines::{LeftOut, Lines, RunningText, heading, prepend_mark, send, words};
use super::numerals::{NumberFormat, Script};
use super::slides::notes_of;
use super::zip_xml::{Attributes, Package, Part};
use crate::protocol::{Failure, Notice, Output};

/// Sends the text of the document, and then that of its notes.
pub(super) fn send_all(package: &mut Package<'_>, out: &mut Output<'_>) -> Result<(), Failure> {
    let (styles, formulas) = prepared(package)?;
    let mut body = OdtBody { styles, formulas, ..OdtBody::default() };
    send(package, "content.xml", out, |part| {
        body.take(part);
        body.lines.take()
    })?;
    if body.has_controls {
        out.notice(Notice::LeftOut, "controls")?;
    }
    for class in ["footnote", "endnote"] {
        for (number, text) in body.lines.notes(class) {
            out.text(&format!("[^{number}]: {text}\n"))?;
        }
    }
    Ok(())
}

/// Sends the text of a presentation, slide by slide.
pub(super) fn send_slides(package: &mut Package<'_>, out: &mut Output<'_>) -> Result<(), Failure> {
    let (styles, formulas) = prepared(package)?;
    let (mut body, mut slides) = (OdtBody { styles, formulas, ..OdtBody::default() }, 0);
    let count = |part: Part<'_>| slides += usize::from(matches!(part, Part::Start("page", _)));
    let is_there = package.parse("content.xml", count)?;
    out.pages(slides)?;
    let (mut class, mut notes, mut is_open, mut ended) = (String::new(), None, false, 0);
    package.try_parse("content.xml", |part| {
        let is_page_end = is_open && matches!(part, Part::End("page"));
        let is_notes_end = is_open && matches!(part, Part::End("notes"));
        match &part {
            Part::Start("page", _) => is_open = true,
            Part::Start("notes", _) if is_open => notes = Some(String::new()),
            Part::Start("frame" | "custom-shape", attributes) => {
                class = attributes.get("class").unwrap_or_default()
            }
            _ => {}
        }
        body.take(part);
        let lines = body.lines.take();
        let lines = match &*class {
            "page-number" | "header" | "footer" | "date-time" => String::new(),
            "title" if !lines.trim().is_empty() => heading(1) + &lines,
            _ => lines,
        };
        match &mut notes {
            Some(notes) => notes.push_str(&lines),
            None if is_open => out.text(&lines)?,
            None => {}
        }
        if is_notes_end {
            out.text(&notes_of(&notes.take().unwrap_or_default()))?;
        }
        if is_page_end {
            (is_open, ended) = (false, ended + 1);
            out.page_end(false)?;
        }
        Ok(())
    })?;
    // The text ends inside a slide.
    if is_there && ended == slides { Ok(()) } else { Err(Failure::Damaged) }
}

/// The styles and formulas of a document that is not encrypted.
fn prepared(package: &mut Package<'_>) -> Result<(OdtStyles, HashMap<String, String>), Failure> {
    let mut is_encrypted = false;
    package.parse("META-INF/manifest.xml", |part| {
        is_encrypted |= matches!(part, Part::Start("encryption-data", _));
    })?;
    if is_encrypted {
        return Err(Failure::Password);
    }
    Ok((OdtStyles::read(package)?, formulas(package)))
}

/// The formulas of the document, by the folders of their objects. What cannot be read is not a formula.
fn formulas(package: &mut Package<'_>) -> HashMap<String, String> {
    let mut formulas = HashMap::new();
    for name in package.names() {
        let Some(folder) = name.strip_suffix("/content.xml") else { continue };
        let member = package.member(&name).ok().flatten();
        formulas.extend(member.and_then(formula::read).map(|text| (folder.to_owned(), text)));
    }
    formulas
}

/// The style of titles, and of styles that derive from it.
const TITLE: &str = "Title";

/// The longest chain of styles that derive from one another.
const MAX_CHAIN: usize = 16;

#[derive(Default)]
struct OdtStyles {
    /// The style that each derives from.
    parents: HashMap<String, String>,
    scripts: HashMap<String, Script>,
    /// The first number of each level, from 1, of a list that is numbered, and how numbers are shown.
    numbered: HashMap<(String, usize), (u64, NumberFormat)>,
}

impl OdtStyles {
    /// Reads named styles, and the automatic styles of single paragraphs.
    fn read(package: &mut Package<'_>) -> Result<Self, Failure> {
        let mut all = OdtStyles::default();
        for member in ["styles.xml", "content.xml"] {
            let mut open = String::new();
            package.parse(member, |part| {
                if let Part::Start(name, attributes) = part {
                    all.note(name, &attributes, &mut open);
                }
            })?;
        }
        Ok(all)
    }

    /// Takes an element of the style or list `open`.
    fn note(&mut self, name: &str, attributes: &Attributes<'_>, open: &mut String) {
        match name {
            "style" => {
                *open = attributes.get("name").unwrap_or_default();
                self.parents.extend(attributes.get("parent-style-name").map(|parent| (open.clone(), parent)));
            }
            "text-properties" => {
                let script = attributes.get("text-position").and_then(|position| script(&position));
                self.scripts.extend(script.map(|script| (open.clone(), script)));
            }
            "list-style" => *open = attributes.get("name").unwrap_or_default(),
            // A level without a format has no number.
            "list-level-style-number"
                if attributes.get("num-format").is_some_and(|format| !format.is_empty()) =>
            {
                let number = |name: &str| attributes.get(name).and_then(|value| value.parse().ok());
                let level = number("level").and_then(|level: u64| usize::try_from(level).ok()).unwrap_or(1);
                let format = NumberFormat::from_name(&attributes.get("num-format").unwrap_or_default());
                let first = number("start-value").unwrap_or(1);
                self.numbered.insert((open.clone(), level), (first, format));
            }
            _ => {}
        }
    }

    /// `style` and those that it derives from.
    fn chain<'s>(&'s self, style: &'s str) -> impl Iterator<Item = &'s str> {
        let parent = |style: &&'s str| self.parents.get(*style).map(String::as_str);
        std::iter::successors(Some(style), parent).take(MAX_CHAIN)
    }
}

/// The script of text at `position`: `super`, `sub`, or how far above the base line, in percent of the font.
fn script(position: &str) -> Option<Script> {
    let rise = position.split_whitespace().next()?;
    match (rise, rise.trim_end_matches('%').parse::<f64>()) {
        ("super", _) => Some(Script::Raised),
        ("sub", _) => Some(Script::Lowered),
        (_, Ok(rise)) if rise > 0.0 => Some(Script::Raised),
        (_, Ok(rise)) if rise < 0.0 => Some(Script::Lowered),
        _ => None,
    }
}

/// Takes the parts of a document and makes lines of them.
#[derive(Default)]
struct OdtBody {
    styles: OdtStyles,
    lines: Lines,
    /// A text box is inside a paragraph.
    paragraphs: Vec<OdtParagraph>,
    /// A list may be inside an item of another.
    lists: Vec<OpenList>,
    /// The references to each note, by the names of notes in the file.
    notes: HashMap<String, String>,
    /// The lists around each note that is open.
    outer: Vec<Vec<OpenList>>,
    /// The next number of each style of lists and each level.
    numbers: HashMap<(String, usize), u64>,
    /// Pictures and shapes that are open.
    shapes: Vec<Shape>,
    /// The texts of formulas, by the folders of their objects.
    formulas: HashMap<String, String>,
    formula: Builder,
    /// The document has controls, whose values are not in the text.
    has_controls: bool,
    /// The styles of open spans.
    spans: Vec<Option<Script>>,
    left_out: LeftOut,
}

/// A picture or a shape.
#[derive(Default)]
struct Shape {
    /// The texts in place of it, as in [`LABELS`].
    labels: [String; 2],
    /// The label that receives the text now.
    open: Option<usize>,
    /// Its text is there, so it needs no other.
    is_formula: bool,
}

/// The title of a shape, and its description. Outside of shapes, `title` is a field with text.
const LABELS: [&str; 2] = ["title", "desc"];

#[derive(Default)]
struct OdtParagraph {
    text: RunningText,
    /// The level of a heading, from 1.
    heading: Option<usize>,
    /// The last character is a blank that stands for white space of the file.
    has_blank: bool,
}

struct OpenList {
    style: String,
    /// The number of the next item; `None` if items have no numbers.
    number: Option<u64>,
    format: NumberFormat,
    /// The open item has no paragraph yet.
    is_new: bool,
}

/// Deleted text, comments, what stands for a note, how a word is read, and the values of controls.
const LEFT_OUT: [&str; 5] = ["tracked-changes", "annotation", "note-citation", "ruby-text", "forms"];
const SHAPES: [&str; 3] = ["frame", "custom-shape", "g"];

/// The mark of an item without a number.
const BULLET: &str = "- ";

/// The most blanks in a row.
const MAX_BLANKS: usize = 1000;

impl OdtBody {
    fn take(&mut self, part: Part<'_>) {
        // Another reference to a note has its number as text, which would become a part of the word before it.
        let again = match &part {
            Part::Start("note-ref", attributes) if !self.left_out.is_open() => {
                attributes.get("ref-name").and_then(|name| self.notes.get(&name).cloned())
            }
            _ => None,
        };
        if self.left_out.takes(&part, |name| LEFT_OUT.contains(&name) || again.is_some()) {
            if let Some(again) = again {
                self.push(&again);
            }
            return;
        }
        if self.formula.is_open() || matches!(part, Part::Start("math", _)) {
            if let Some(text) = self.formula.take(&part) {
                self.push_formula(&text);
            }
        } else {
            self.take_text(part);
        }
    }

    fn take_text(&mut self, part: Part<'_>) {
        let label = |name: &str| LABELS.iter().position(|label| *label == name);
        match (part, self.shapes.last_mut()) {
            (Part::Start(name, _), Some(shape)) if label(name).is_some() => shape.open = label(name),
            (Part::End(name), Some(shape)) if label(name).is_some() => shape.open = None,
            (Part::Text(text), Some(Shape { open: Some(open), labels, .. })) => labels[*open].push_str(text),
            (Part::Start(name, attributes), _) => self.start(name, &attributes),
            (Part::End(name), _) => self.end(name),
            (Part::Text(text), _) => self.white_space(text),
        }
    }

    fn start(&mut self, name: &str, attributes: &Attributes<'_>) {
        let number = |name: &str| attributes.get(name).and_then(|value| value.parse::<usize>().ok());
        match name {
            "p" | "h" => {
                let style = attributes.get("style-name").unwrap_or_default();
                let heading = (name == "h").then(|| number("outline-level").unwrap_or(1));
                let is_title = || self.styles.chain(&style).any(|style| style == TITLE);
                let heading = heading.or_else(|| is_title().then_some(1));
                self.paragraphs.push(OdtParagraph { heading, ..OdtParagraph::default() });
            }
            "s" => self.push(&" ".repeat(number("c").unwrap_or(1).min(MAX_BLANKS))),
            "tab" => self.push("\t"),
            "line-break" => self.push("\n"),
            "list" => self.list(attributes),
            "list-item" => {
                if let Some(list) = self.lists.last_mut() {
                    list.is_new = true;
                    let first = number("start-value").map(|first| first as u64);
                    list.number = list.number.map(|next| first.unwrap_or(next));
                }
            }
            "note" => {
                let class = attributes.get("note-class").unwrap_or_default();
                let note = self.lines.add_note(class, String::new());
                self.push(&note);
                self.notes.extend(attributes.get("id").map(|id| (id, note)));
                self.lines.begin_note();
                self.outer.push(std::mem::take(&mut self.lists));
            }
            "table" => self.lines.begin_table(),
            _ if SHAPES.contains(&name) => self.shapes.push(Shape::default()),
            "object" => {
                let href = attributes.get("href").unwrap_or_default();
                let folder = href.trim_start_matches("./").trim_end_matches('/');
                if let Some(text) = self.formulas.get(folder).cloned() {
                    self.push_formula(&text);
                }
            }
            "control" => self.has_controls = true,
            "span" => {
                let style = attributes.get("style-name").unwrap_or_default();
                let outer = self.spans.last().copied().flatten();
                let script =
                    self.styles.chain(&style).find_map(|style| self.styles.scripts.get(style).copied());
                self.spans.push(script.or(outer));
            }
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
        let (first, format) = self.styles.numbered.get(&(style.clone(), level)).copied().unzip();
        let number = first.map(|first| next().unwrap_or(first));
        lists.push(OpenList { style, number, format: format.unwrap_or_default(), is_new: false });
    }

    fn end(&mut self, name: &str) {
        match name {
            "p" | "h" => {
                if let Some(mut paragraph) = self.paragraphs.pop() {
                    let mark = self.mark(&paragraph);
                    self.lines.end(&prepend_mark(&mark, &paragraph.text.take()));
                }
            }
            "span" => drop(self.spans.pop()),
            "list" => {
                let level = self.lists.len();
                if let Some(OpenList { style, number: Some(number), .. }) = self.lists.pop() {
                    self.numbers.insert((style, level), number);
                }
            }
            _ if SHAPES.contains(&name) => self.end_shape(),
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

    /// Adds the text in place of a picture.
    fn end_shape(&mut self) {
        let Some(shape) = self.shapes.pop() else { return };
        let text = shape.labels.iter().map(|label| words(label)).find(|text| !text.is_empty());
        if let Some(text) = text.filter(|_| !shape.is_formula) {
            let text = format!("[{text}]");
            // A picture may be anchored to the page.
            match self.paragraphs.is_empty() {
                true => self.lines.end(&text),
                false => self.push(&text),
            }
        }
    }

    /// Adds a formula, which must not become one number with what is around it.
    fn push_formula(&mut self, formula: &str) {
        self.shapes.last_mut().into_iter().for_each(|shape| shape.is_formula = true);
        if let Some(paragraph) = self.paragraphs.last_mut() {
            paragraph.text.push_formula(formula);
            paragraph.has_blank = false;
        }
    }

    fn push(&mut self, text: &str) {
        if let Some(paragraph) = self.paragraphs.last_mut() {
            paragraph.text.push(text, None);
            paragraph.has_blank = false;
        }
    }

    /// Adds text, in which all white space in a row is one blank, and none at the start.
    fn white_space(&mut self, text: &str) {
        let script = self.spans.last().copied().flatten();
        let Some(paragraph) = self.paragraphs.last_mut() else { return };
        let mut plain = String::with_capacity(text.len());
        for c in text.chars() {
            if !matches!(c, ' ' | '\t' | '\r' | '\n') {
                plain.push(c);
                paragraph.has_blank = false;
            } else if !(paragraph.has_blank || plain.is_empty() && paragraph.text.is_empty()) {
                plain.push(' ');
                paragraph.has_blank = true;
            }
        }
        if !text.is_empty() {
            paragraph.text.push(&plain, script);
        }
    }

    /// The mark of a heading, of an item of a list, or of both.
    fn mark(&mut self, paragraph: &OdtParagraph) -> String {
        let depth = self.lists.len();
        let list = self.lists.last_mut().filter(|list| list.is_new);
        let item = list.map(OpenList::mark);
        match (paragraph.heading, item) {
            (Some(level), Some(number)) if number != BULLET => heading(level) + &number,
            (Some(level), _) => heading(level),
            (None, Some(item)) => "  ".repeat(depth.saturating_sub(1).min(8)) + &item,
            (None, None) => String::new(),
        }
    }
}

impl OpenList {
    /// The mark of the open item, which has one.
    fn mark(&mut self) -> String {
        self.is_new = false;
        let Some(number) = &mut self.number else { return BULLET.to_owned() };
        let own = *number;
        *number = own.saturating_add(1);
        format!("{}. ", self.format.show(own))
    }
}
