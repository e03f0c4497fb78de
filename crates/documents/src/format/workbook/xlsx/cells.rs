//! The cells of a sheet, one by one.

use super::text::{RichText, unescape};
use crate::format::workbook::value::{Format, Value};
use crate::format::zip_xml::{Attributes, Part};
use crate::protocol::Failure;

/// Takes the parts of a sheet and makes cells of them.
pub(super) struct Cells<'a> {
    strings: &'a [String],
    formats: &'a [Format],
    is_1904: bool,
    /// The list of cells is open.
    is_data: bool,
    /// Where a cell is that does not say it.
    row: u32,
    column: u32,
    cell: Option<Cell>,
    /// A cell has a string that the table of strings does not have.
    pub(super) lacks_string: bool,
    /// A formula has no value: the program that wrote it does not compute.
    pub(super) lacks_result: bool,
}

#[derive(Default)]
struct Cell {
    row: u32,
    column: u32,
    style: usize,
    kind: Kind,
    value: String,
    is_value: bool,
    is_formula: bool,
    /// Text in the cell itself.
    text: Option<RichText>,
}

#[derive(Clone, Copy, Default, PartialEq)]
enum Kind {
    #[default]
    Number,
    Shared,
    Boolean,
    Error,
    Date,
    Text,
    Inline,
}

impl<'a> Cells<'a> {
    pub(super) fn new(strings: &'a [String], formats: &'a [Format], is_1904: bool) -> Self {
        Cells {
            strings,
            formats,
            is_1904,
            is_data: false,
            row: 0,
            column: 0,
            cell: None,
            lacks_string: false,
            lacks_result: false,
        }
    }

    pub(super) fn take(
        &mut self,
        part: Part<'_>,
        each: &mut dyn FnMut(u32, u32, Value) -> Result<(), Failure>,
    ) -> Result<(), Failure> {
        match part {
            Part::Start("sheetData", _) => self.is_data = true,
            Part::End("sheetData") => self.is_data = false,
            _ if !self.is_data => {}
            Part::Start("row", attributes) => {
                attributes.each(|name, value| {
                    if name == "r"
                        && let Some(row) = value.parse().ok().and_then(|row: u32| row.checked_sub(1))
                    {
                        self.row = row;
                    }
                });
                self.column = 0;
            }
            Part::End("row") => self.row = self.row.saturating_add(1),
            Part::Start("c", attributes) => self.start(&attributes),
            Part::End("c") => {
                if let Some(cell) = self.cell.take() {
                    let (row, column) = (cell.row, cell.column);
                    if let Some(value) = self.value(cell) {
                        each(row, column, value)?;
                    }
                }
            }
            part => {
                if let Some(cell) = &mut self.cell {
                    cell.take(&part);
                }
            }
        }
        Ok(())
    }

    fn start(&mut self, attributes: &Attributes<'_>) {
        let mut cell = Cell { row: self.row, column: self.column, ..Cell::default() };
        attributes.each(|name, value| match name {
            "r" => (cell.row, cell.column) = place(value).unwrap_or((cell.row, cell.column)),
            "s" => cell.style = value.parse().unwrap_or(0),
            "t" => cell.kind = kind(value),
            _ => {}
        });
        self.column = cell.column.saturating_add(1);
        self.cell = Some(cell);
    }

    fn value(&mut self, cell: Cell) -> Option<Value> {
        let raw = cell.value;
        if raw.is_empty() || cell.kind == Kind::Inline && cell.text.is_some() {
            // A formula whose value is an empty text says that it is a text.
            self.lacks_result |= cell.is_formula && cell.kind == Kind::Number && cell.text.is_none();
            return cell.text.map(|mut text| Value::text(text.take()));
        }
        Some(match cell.kind {
            // Of a table of strings that is damaged, some are missing.
            Kind::Shared => match raw.trim().parse().ok().and_then(|index: usize| self.strings.get(index)) {
                Some(text) => Value::text(text.clone()),
                None => {
                    self.lacks_string = true;
                    return None;
                }
            },
            Kind::Boolean => match raw.trim() {
                "1" | "true" => Value::boolean(true),
                "0" | "false" => Value::boolean(false),
                _ => Value::text(raw),
            },
            Kind::Error => Value::error(raw),
            Kind::Date => Value::time(raw),
            Kind::Text | Kind::Inline => {
                let mut text = String::new();
                unescape(&raw, &mut text);
                Value::text(text)
            }
            Kind::Number => match raw.trim().parse::<f64>() {
                Ok(number) if number.is_finite() => {
                    let format = self.formats.get(cell.style).copied().unwrap_or_default();
                    Value::number(number, format, self.is_1904)
                }
                _ => Value::text(raw),
            },
        })
    }
}

impl Cell {
    fn take(&mut self, part: &Part<'_>) {
        match part {
            Part::Start("f", _) => self.is_formula = true,
            Part::Start("v", _) => self.is_value = true,
            Part::End("v") => self.is_value = false,
            Part::Text(text) if self.is_value => self.value.push_str(text),
            Part::Start("is", _) => self.text = Some(RichText::default()),
            part => {
                if let Some(text) = &mut self.text {
                    text.take_part(part);
                }
            }
        }
    }
}

fn kind(word: &str) -> Kind {
    match word {
        "s" => Kind::Shared,
        "b" => Kind::Boolean,
        "e" => Kind::Error,
        "d" => Kind::Date,
        "str" => Kind::Text,
        "inlineStr" | "is" => Kind::Inline,
        _ => Kind::Number,
    }
}

/// Row and column, from 0, of a reference such as `AB12`.
fn place(reference: &str) -> Option<(u32, u32)> {
    let reference = reference.trim_start_matches('$');
    let letters = reference.find(|c: char| !c.is_ascii_alphabetic())?;
    let (name, row) = reference.split_at(letters);
    let column = name.bytes().try_fold(0u32, |column, letter| {
        column.checked_mul(26)?.checked_add(u32::from(letter.to_ascii_uppercase() - b'A') + 1)
    });
    let row: u32 = row.trim_start_matches('$').parse().ok()?;
    Some((row.checked_sub(1)?, column?.checked_sub(1)?))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn references_are_rows_and_columns() {
        for (reference, expected) in [
            ("A1", Some((0, 0))),
            ("z10", Some((9, 25))),
            ("AA1", Some((0, 26))),
            ("$B$2", Some((1, 1))),
            ("XFD1048576", Some((1_048_575, 16_383))),
            ("A0", None),
            ("1", None),
            ("A", None),
            ("", None),
            ("AAAAAAAAAAAA1", None),
        ] {
            assert_eq!(place(reference), expected, "{reference}");
        }
    }
}
