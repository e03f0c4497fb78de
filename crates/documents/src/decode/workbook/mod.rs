//! Workbooks: each sheet as CSV with the values that the program which wrote it has computed.

mod book;
mod package;
mod value;

use std::collections::BTreeMap;

use crate::protocol::{Failure, Notice, Output};
use crate::sheets::{ColumnKinds, Sheet, kind};
use book::{OpenWorkbook, report_damage};
use value::ERROR;

pub(super) fn decode(bytes: &[u8], out: &mut Output<'_>) -> Result<(), Failure> {
    let mut book = OpenWorkbook::open(bytes, out)?;
    let sheets = book.sheets.clone();
    out.pages(sheets.len())?;
    let (mut failure, mut has_values) = (None, false);
    for (index, sheet) in sheets.iter().enumerate() {
        // One sheet alone is plain CSV.
        if sheets.len() > 1 {
            out.text(&format!("# {}\n", sheet.name.replace(['\n', '\r'], " ")))?;
        }
        let mut area = Area::default();
        let result = book.cells(index, &mut |row, column, _| area.extend(row, column));
        if result.is_err_and(|failure| failure != Failure::Damaged) {
            return result;
        }
        area.left = 0;
        has_values |= area.right > 0;
        let mut lines = CsvWriter::new(out, area);
        let written = book.cells(index, &mut |row, column, value| {
            // A damaged sheet has the cells before the damage.
            if row >= area.rows || column >= area.right {
                return Err(Failure::Damaged);
            }
            lines.value(row, column, &value.text)
        });
        if result.is_ok() {
            written?;
        }
        lines.end()?;
        if let Err(of_sheet) = result {
            failure = Some(report_damage(bytes, of_sheet, out));
            out.notice(Notice::LeftOut, &format!("sheet {}", sheet.name))?;
        }
        if index + 1 < sheets.len() {
            out.text("\n")?;
        }
        out.page_end(false)?;
    }
    for part in book.missing {
        out.notice(Notice::LeftOut, part)?;
    }
    match failure {
        Some(failure) if !has_values => Err(failure),
        _ => Ok(()),
    }
}

/// One sheet as a table.
pub(super) fn decode_sheet(bytes: &[u8], sheet: &Sheet, out: &mut Output<'_>) -> Result<(), Failure> {
    let mut book = OpenWorkbook::open(bytes, out)?;
    let mut sheets = book.sheets.clone();
    for (index, sheet) in sheets.iter_mut().enumerate() {
        sheet.has_values = book.has_values(index);
        out.sheet(sheet)?;
    }
    let chosen = sheet.among(&sheets).ok_or(Failure::NoSheet)?;
    let mut table = measure(&mut book, chosen).map_err(|failure| report_damage(bytes, failure, out))?;
    if book.is_disordered(chosen) {
        table = measure(&mut book, chosen)?;
    }
    let SheetTable { area, kinds, lines_above, .. } = table;
    let columns = area.left..area.right;
    let columns = columns.map(|column| kinds.get(&column).copied().unwrap_or_default());
    out.columns(chosen, lines_above, columns.collect())?;
    let mut lines = CsvWriter::new(out, area);
    book.cells(chosen, &mut |row, column, value| match value.kind {
        ERROR => Ok(()),
        _ => lines.value(row, column, &value.text),
    })?;
    lines.end()
}

/// The part of a sheet with values, and the kinds of the values of each column.
#[derive(Default)]
struct SheetTable {
    area: Area,
    kinds: BTreeMap<u32, ColumnKinds>,
    /// The first rows with values: titles, and the names of the columns.
    first: Vec<FirstRow>,
    lines_above: u64,
}

struct FirstRow {
    row: u32,
    /// The column and the kind of each value.
    cells: Vec<(u32, u8)>,
    /// Line ends in its values.
    newlines: u64,
}

/// The rows that may be titles, and the one below them.
const MAX_FIRST: usize = 10;

fn measure(book: &mut OpenWorkbook<'_>, sheet: usize) -> Result<SheetTable, Failure> {
    let mut table = SheetTable::default();
    book.cells(sheet, &mut |row, column, value| {
        // An error such as #N/A has no value.
        if value.kind == ERROR {
            return Ok(());
        }
        table.area.extend(row, column)?;
        if table.first.last().is_none_or(|first| first.row != row) && table.first.len() < MAX_FIRST {
            table.first.push(FirstRow { row, cells: Vec::new(), newlines: 0 });
        }
        match table.first.last_mut().filter(|first| first.row == row) {
            Some(first) => {
                first.cells.push((column, value.kind));
                first.newlines += value.text.matches('\n').count() as u64;
            }
            None => table.kinds.entry(column).or_default().rest |= value.kind,
        }
        Ok(())
    })?;
    table.find_names();
    Ok(table)
}

impl SheetTable {
    /// Finds the row of the names. A title above it has one value, in the first of several columns.
    fn find_names(&mut self) {
        let (left, width) = (self.area.left, self.area.right - self.area.left);
        let is_title = |first: &&FirstRow| matches!(first.cells[..], [(column, _)] if column == left);
        let titles = self.first.iter().take_while(is_title).count();
        let has_names = self.first.get(titles).is_some_and(|names| {
            names.cells.len() == width as usize && names.cells.iter().all(|(_, kind)| *kind == kind::TEXT)
        });
        let titles = if width > 2 && has_names { titles } else { 0 };
        if titles > 0 {
            let newlines: u64 = self.first[..titles].iter().map(|title| title.newlines).sum();
            self.lines_above = u64::from(self.first[titles].row) + newlines;
        }
        for (nth, row) in self.first.iter().skip(titles).enumerate() {
            for (column, kind) in &row.cells {
                let kinds = self.kinds.entry(*column).or_default();
                if nth == 0 { kinds.first |= kind } else { kinds.rest |= kind }
            }
        }
    }
}

/// The part of a sheet that has values. Rows before them are kept, those after them are not.
#[derive(Clone, Copy, Default)]
pub(super) struct Area {
    pub(super) rows: u32,
    /// The column of the first value.
    pub(super) left: u32,
    /// Column after the last value.
    pub(super) right: u32,
}

/// Rows and columns of the largest sheet of Excel.
const MAX_SIZE: (u32, u32) = (1 << 20, 1 << 14);

impl Area {
    /// Takes the place of a value.
    pub(super) fn extend(&mut self, row: u32, column: u32) -> Result<(), Failure> {
        if row >= MAX_SIZE.0 || column >= MAX_SIZE.1 {
            return Err(Failure::Damaged);
        }
        self.left = if self.right == 0 { column } else { self.left.min(column) };
        (self.rows, self.right) = (self.rows.max(row + 1), self.right.max(column + 1));
        Ok(())
    }
}

pub(super) struct CsvWriter<'s, 'o> {
    out: &'s mut Output<'o>,
    area: Area,
    row: u32,
    /// Column of the last value written in this row.
    column: Option<u32>,
}

impl<'s, 'o> CsvWriter<'s, 'o> {
    pub(super) fn new(out: &'s mut Output<'o>, area: Area) -> Self {
        CsvWriter { out, area, row: 0, column: None }
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
        self.out.text(&quote(value))?;
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

fn quote(value: &str) -> String {
    if value.contains([',', '"', '\n', '\r']) || value.starts_with(' ') || value.ends_with(' ') {
        return format!("\"{}\"", value.replace('"', "\"\""));
    }
    value.to_owned()
}
