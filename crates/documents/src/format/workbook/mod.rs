//! Workbooks: each sheet as CSV with the values that the program which wrote it has computed.

mod book;
mod lines;
mod table;
mod value;

use crate::protocol::{Failure, Output};
use crate::sheets::Sheet;
use book::Book;
use lines::{Area, Lines};

pub(super) fn decode(bytes: &[u8], out: &mut Output<'_>) -> Result<(), Failure> {
    let mut book = Book::open(bytes)?;
    let sheets = book.sheets();
    out.pages(sheets.len())?;
    for (index, sheet) in sheets.iter().enumerate() {
        // One sheet alone is plain CSV.
        if sheets.len() > 1 {
            out.text(&format!("# {}\n", sheet.name.replace(['\n', '\r'], " ")))?;
        }
        let mut area = Area::default();
        book.cells(&sheet.name, &mut |row, column, _| area.extend(row, column))?;
        area.left = 0;
        let mut lines = Lines::new(out, area);
        book.cells(&sheet.name, &mut |row, column, value| lines.value(row, column, &value.text))?;
        lines.end()?;
        if index + 1 < sheets.len() {
            out.text("\n")?;
        }
        out.page_end(false)?;
    }
    Ok(())
}

/// One sheet as a table.
pub(super) fn decode_sheet(bytes: &[u8], sheet: &Sheet, out: &mut Output<'_>) -> Result<(), Failure> {
    table::decode(bytes, sheet, out)
}
