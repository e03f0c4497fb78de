//! Workbooks: each sheet as CSV with the values that the program which wrote it has computed.

mod book;
mod package;
mod value;

use std::collections::BTreeMap;

use crate::protocol::{Failure, Notice, Output};
use crate::sheets::{ColumnKinds, Sheet};
use book::OpenWorkbook;
use value::ERROR;

pub(super) fn decode(bytes: &[u8], out: &mut Output<'_>) -> Result<(), Failure> {
    let mut book = OpenWorkbook::open(bytes, out)?;
    let sheets = book.sheets().to_vec();
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
            failure = Some(book.report_damage(of_sheet, out));
            out.notice(Notice::LeftOut, &format!("sheet {}", sheet.name))?;
        }
        if index + 1 < sheets.len() {
            out.text("\n")?;
        }
        out.page_end(false)?;
    }
    for part in book.missing() {
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
    let mut sheets = book.sheets().to_vec();
    for (index, sheet) in sheets.iter_mut().enumerate() {
        sheet.has_values = book.has_values(index);
        out.sheet(sheet)?;
    }
    let chosen = sheet.among(&sheets).ok_or(Failure::NoSheet)?;
    let mut table = measure(&mut book, chosen).map_err(|failure| book.report_damage(failure, out))?;
    if book.is_disordered(chosen) {
        table = measure(&mut book, chosen)?;
    }
    let SheetTable { area, kinds } = table;
    let columns = area.left..area.right;
    let columns = columns.map(|column| kinds.get(&column).copied().unwrap_or_default());
    out.columns(chosen, columns.collect())?;
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
}

fn measure(book: &mut OpenWorkbook<'_>, sheet: usize) -> Result<SheetTable, Failure> {
    let (mut table, mut names) = (SheetTable::default(), None);
    book.cells(sheet, &mut |row, column, value| {
        // An error such as #N/A has no value.
        if value.kind == ERROR {
            return Ok(());
        }
        table.area.extend(row, column)?;
        let kinds = table.kinds.entry(column).or_default();
        if row == *names.get_or_insert(row) {
            kinds.first |= value.kind
        } else {
            kinds.rest |= value.kind
        }
        Ok(())
    })?;
    Ok(table)
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
