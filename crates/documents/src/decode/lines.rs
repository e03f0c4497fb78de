//! The lines of Word documents and OpenDocument text: paragraphs, rows of tables, and notes.

use super::formula;
use super::numerals::Script;
use super::zip_xml::{Package, Part};
use crate::protocol::{Failure, Output};

/// The most columns that one cell stands for, as in Word.
pub(super) const MAX_COLUMNS: usize = 63;

/// Sends the lines that `take` makes of the parts of the XML member `name`.
pub(super) fn send(
    package: &mut Package<'_>,
    name: &str,
    out: &mut Output<'_>,
    mut take: impl FnMut(Part<'_>) -> String,
) -> Result<(), Failure> {
    let is_there = package.try_parse(name, |part| Ok(out.text(&take(part))?))?;
    if is_there { Ok(()) } else { Err(Failure::Damaged) }
}

/// `text` with blanks alone as white space, between words only.
pub(super) fn words(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// The mark before a heading of `level`, from 1.
pub(super) fn heading(level: usize) -> String {
    format!("{} ", "#".repeat(level.clamp(1, 6)))
}

/// The line of a paragraph. An item without text is its number alone: the document shows it, and counts on from it.
pub(super) fn prepend_mark(mark: &str, text: &str) -> String {
    match text.is_empty() {
        true if mark.ends_with(". ") => mark.trim_end().to_owned(),
        true => String::new(),
        false => format!("{mark}{text}"),
    }
}

/// The text of a paragraph while it grows: runs, raised and lowered text, formulas.
#[derive(Default)]
pub(super) struct RunningText {
    text: String,
    /// Raised or lowered text at the end, which may come in several runs.
    script: Option<(Script, String)>,
    is_after_formula: bool,
}

impl RunningText {
    pub(super) fn is_empty(&self) -> bool {
        self.text.is_empty() && self.script.as_ref().is_none_or(|(_, inner)| inner.is_empty())
    }

    pub(super) fn push(&mut self, text: &str, script: Option<Script>) {
        match (script, &mut self.script) {
            (Some(script), Some((open, inner))) if *open == script => inner.push_str(text),
            (Some(script), _) => {
                self.end_script();
                self.script = Some((script, text.to_owned()));
            }
            (None, _) => {
                self.end_script();
                match self.is_after_formula {
                    true => formula::push(&mut self.text, text),
                    false => self.text.push_str(text),
                }
                self.is_after_formula &= text.is_empty();
            }
        }
    }

    /// Adds a formula, which must not become one number with what is around it.
    pub(super) fn push_formula(&mut self, formula: &str) {
        self.end_script();
        formula::push(&mut self.text, formula);
        self.is_after_formula = true;
    }

    fn end_script(&mut self) {
        if let Some((script, inner)) = self.script.take() {
            script.push(&mut self.text, &inner);
            self.is_after_formula = false;
        }
    }

    /// The whole text.
    pub(super) fn take(&mut self) -> String {
        self.end_script();
        std::mem::take(&mut self.text)
    }
}

/// Elements that are open inside of one that is left out with its content.
#[derive(Default)]
pub(super) struct LeftOut(usize);

impl LeftOut {
    pub(super) fn is_open(&self) -> bool {
        self.0 > 0
    }

    /// Whether `part` is left out, as the elements are for which `is_left_out` is true.
    pub(super) fn takes(&mut self, part: &Part<'_>, is_left_out: impl Fn(&str) -> bool) -> bool {
        let is_inside = self.is_open();
        match part {
            Part::Start(name, _) if is_inside || is_left_out(name) => {
                self.0 += 1;
                return true;
            }
            Part::End(_) if is_inside => self.0 -= 1,
            _ => {}
        }
        is_inside
    }
}

/// Lines on their way to the text, or to a cell or a note of it, which has only one.
#[derive(Default)]
pub(super) struct Lines {
    done: String,
    /// A cell may have a table in it.
    tables: Vec<TableRow>,
    /// The kind and the text of each note.
    notes: Vec<(String, String)>,
    /// The notes that are open, each with the tables around it.
    open: Vec<(usize, Vec<TableRow>)>,
}

#[derive(Default)]
struct TableRow {
    cells: Vec<String>,
    /// The columns of the open cell.
    columns: usize,
    is_dropped: bool,
}

impl Lines {
    /// The lines since the last call.
    pub(super) fn take(&mut self) -> String {
        std::mem::take(&mut self.done)
    }

    /// Ends a line.
    pub(super) fn end(&mut self, text: &str) {
        let note = self.open.last().and_then(|(index, _)| self.notes.get_mut(*index));
        let cell = self.tables.last_mut().and_then(|row| row.cells.last_mut());
        match cell.or(note.map(|(_, text)| text)) {
            Some(line) => {
                if !line.is_empty() && !text.is_empty() {
                    line.push(' ');
                }
                line.extend(text.chars().map(|c| if matches!(c, '\n' | '\t') { ' ' } else { c }));
            }
            None => {
                self.done.push_str(text);
                self.done.push('\n');
            }
        }
    }

    pub(super) fn begin_table(&mut self) {
        self.tables.push(TableRow::default());
    }

    pub(super) fn begin_cell(&mut self) {
        if let Some(row) = self.tables.last_mut() {
            row.cells.push(String::new());
            row.columns = 1;
        }
    }

    /// Says that the open cell stands for some columns.
    pub(super) fn widen_cell(&mut self, columns: usize) {
        self.tables.last_mut().into_iter().for_each(|row| row.columns = columns.min(MAX_COLUMNS));
    }

    /// Ends a cell. The other columns that it stands for are empty, or have the same text.
    pub(super) fn end_cell(&mut self, is_repeated: bool) {
        if let Some(row) = self.tables.last_mut() {
            let cell = row.cells.last().filter(|_| is_repeated).cloned().unwrap_or_default();
            row.cells.extend(std::iter::repeat_n(cell, row.columns.saturating_sub(1)));
        }
    }

    /// Says that the open row was deleted.
    pub(super) fn drop_row(&mut self) {
        self.tables.last_mut().into_iter().for_each(|row| row.is_dropped = true);
    }

    pub(super) fn end_row(&mut self) {
        if let Some(row) = self.tables.pop() {
            if !row.is_dropped {
                self.end(&row.cells.join("\t"));
            }
            self.begin_table();
        }
    }

    pub(super) fn end_table(&mut self) {
        self.tables.pop();
    }

    /// Adds a note of the `kind` with a `text` that may come later. Returns what refers to it.
    pub(super) fn add_note(&mut self, kind: String, text: String) -> String {
        self.notes.push((kind, text));
        format!("[^{}]", self.notes.len())
    }

    /// Sends the following lines into the last note.
    pub(super) fn begin_note(&mut self) {
        self.open.push((self.notes.len().saturating_sub(1), std::mem::take(&mut self.tables)));
    }

    pub(super) fn end_note(&mut self) {
        if let Some((_, tables)) = self.open.pop() {
            self.tables = tables;
        }
    }

    /// The notes of a `kind` in their order, with their numbers.
    pub(super) fn notes(&self, kind: &str) -> impl Iterator<Item = (usize, &str)> {
        let notes = (1..).zip(&self.notes).filter(move |(_, (of, _))| of == kind);
        notes.map(|(number, (_, text))| (number, text.as_str()))
    }
}
