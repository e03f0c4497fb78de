//! The lines of one sheet, written value by value.

use crate::protocol::{Failure, Output};

/// The part of a sheet that has values. Rows before them are kept, those after them are not.
#[derive(Clone, Copy, Default)]
pub(super) struct Area {
    pub(super) rows: u32,
    /// The column of the first value.
    pub(super) left: u32,
    /// One more than that of the last.
    pub(super) right: u32,
}

/// Rows and columns of the largest sheet of Excel.
const MOST: (u32, u32) = (1 << 20, 1 << 14);

impl Area {
    /// Takes the place of a value.
    pub(super) fn extend(&mut self, row: u32, column: u32) -> Result<(), Failure> {
        if row >= MOST.0 || column >= MOST.1 {
            return Err(Failure::Damaged);
        }
        self.left = if self.right == 0 { column } else { self.left.min(column) };
        (self.rows, self.right) = (self.rows.max(row + 1), self.right.max(column + 1));
        Ok(())
    }
}

pub(super) struct Lines<'s, 'o> {
    out: &'s mut Output<'o>,
    area: Area,
    row: u32,
    /// Column of the last value written in this row.
    column: Option<u32>,
}

impl<'s, 'o> Lines<'s, 'o> {
    pub(super) fn new(out: &'s mut Output<'o>, area: Area) -> Self {
        Lines { out, area, row: 0, column: None }
    }

    pub(super) fn value(&mut self, row: u32, column: u32, value: &str) -> Result<(), Failure> {
        let is_past = row == self.row && self.column.is_some_and(|last| column <= last);
        if row < self.row || is_past {
            return Err(Failure::Damaged);
        }
        while self.row < row {
            self.end_row()?;
        }
        self.commas(column)?;
        self.column = Some(column);
        self.out.text(&quoted(value))?;
        Ok(())
    }

    /// Commas from the last value to `column`.
    fn commas(&mut self, column: u32) -> Result<(), Failure> {
        let count = column.saturating_sub(self.column.unwrap_or(self.area.left));
        Ok(self.out.text(&",".repeat(usize::try_from(count)?))?)
    }

    /// An empty row is an empty line; others have all columns.
    fn end_row(&mut self) -> Result<(), Failure> {
        if self.column.is_some() {
            self.commas(self.area.right - 1)?;
        }
        self.out.text("\n")?;
        (self.row, self.column) = (self.row + 1, None);
        Ok(())
    }

    pub(super) fn end(mut self) -> Result<(), Failure> {
        while self.row < self.area.rows {
            self.end_row()?;
        }
        Ok(())
    }
}

fn quoted(value: &str) -> String {
    if value.contains([',', '"', '\n', '\r']) || value.starts_with(' ') || value.ends_with(' ') {
        return format!("\"{}\"", value.replace('"', "\"\""));
    }
    value.to_owned()
}
