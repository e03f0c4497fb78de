//! Workbooks: each sheet as CSV with the values that the program which wrote it has computed.

mod book;
mod lines;
mod macros;
mod names;
mod table;
mod value;
mod xlsx;

use crate::protocol::{Failure, Notice, Output};
use crate::sheets::Sheet;
use book::Book;
use lines::{Area, Lines};

pub(super) fn decode(bytes: &[u8], out: &mut Output<'_>) -> Result<(), Failure> {
    let mut book = Book::open(bytes, out)?;
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
        let mut lines = Lines::new(out, area);
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
            failure = Some(book.failed(of_sheet, out));
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
    table::decode(bytes, sheet, out)
}
