//! One sheet as a table: CSV from the column of its first value on, and the kinds of the values of each column.

use std::collections::BTreeMap;

use super::book::Book;
use super::lines::{Area, Lines};
use super::value::ERROR;
use crate::protocol::{Failure, Output};
use crate::sheets::{ColumnKinds, Sheet};

pub(super) fn decode(bytes: &[u8], sheet: &Sheet, out: &mut Output<'_>) -> Result<(), Failure> {
    let mut book = Book::open(bytes)?;
    let mut sheets = book.sheets();
    for sheet in &mut sheets {
        sheet.has_values = book.has_values(&sheet.name);
        out.sheet(sheet)?;
    }
    let chosen = sheet.among(&sheets).ok_or(Failure::NoSheet)?;
    let name = &sheets.get(chosen).ok_or(Failure::NoSheet)?.name;
    let (mut area, mut names, mut kinds) = (Area::default(), None, BTreeMap::<u32, ColumnKinds>::new());
    book.cells(name, &mut |row, column, value| {
        // An error such as #N/A has no value.
        if value.kind == ERROR {
            return Ok(());
        }
        area.extend(row, column)?;
        let kinds = kinds.entry(column).or_default();
        if row == *names.get_or_insert(row) {
            kinds.first |= value.kind
        } else {
            kinds.rest |= value.kind
        }
        Ok(())
    })?;
    let columns = area.left..area.right;
    let columns: Vec<ColumnKinds> =
        columns.map(|column| kinds.get(&column).copied().unwrap_or_default()).collect();
    out.columns(chosen, &columns)?;
    let mut lines = Lines::new(out, area);
    book.cells(name, &mut |row, column, value| match value.kind {
        ERROR => Ok(()),
        _ => lines.value(row, column, &value.text),
    })?;
    lines.end()
}
