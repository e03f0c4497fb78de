//! One sheet as a table: CSV from the column of its first value on, and the kinds of the values of each column.

use std::collections::BTreeMap;

use super::book::Book;
use super::lines::{Area, Lines};
use super::value::ERROR;
use crate::protocol::{Failure, Output};
use crate::sheets::{ColumnKinds, Sheet};

pub(super) fn decode(bytes: &[u8], sheet: &Sheet, out: &mut Output<'_>) -> Result<(), Failure> {
    let mut book = Book::open(bytes, out)?;
    let mut sheets = book.sheets().to_vec();
    for (index, sheet) in sheets.iter_mut().enumerate() {
        sheet.has_values = book.has_values(index);
        out.sheet(sheet)?;
    }
    let chosen = sheet.among(&sheets).ok_or(Failure::NoSheet)?;
    let mut table = measured(&mut book, chosen).map_err(|failure| book.failed(failure, out))?;
    if book.is_disordered(chosen) {
        table = measured(&mut book, chosen)?;
    }
    let Table { area, kinds } = table;
    let columns = area.left..area.right;
    let columns: Vec<ColumnKinds> =
        columns.map(|column| kinds.get(&column).copied().unwrap_or_default()).collect();
    out.columns(chosen, &columns)?;
    let mut lines = Lines::new(out, area);
    book.cells(chosen, &mut |row, column, value| match value.kind {
        ERROR => Ok(()),
        _ => lines.value(row, column, &value.text),
    })?;
    lines.end()
}

/// The part of a sheet with values, and the kinds of the values of each column.
#[derive(Default)]
struct Table {
    area: Area,
    kinds: BTreeMap<u32, ColumnKinds>,
}

fn measured(book: &mut Book<'_>, sheet: usize) -> Result<Table, Failure> {
    let (mut table, mut names) = (Table::default(), None);
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
