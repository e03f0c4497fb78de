//! Workbooks of all formats: their sheets, and the values in them.

use std::io::Cursor;

use calamine::{Ods, Reader, SheetType, SheetVisible, Xls, Xlsb, Xlsx};

use super::value::Value;
use crate::format::zip_xml::{Package, is_encrypted};
use crate::protocol::Failure;
use crate::sheets::SheetInfo;

type Bytes<'a> = Cursor<&'a [u8]>;

/// The formats, opened. Cells of the first two are streams; the others are in memory.
pub(super) enum Book<'a> {
    Xlsx(Box<Xlsx<Bytes<'a>>>),
    Xlsb(Box<Xlsb<Bytes<'a>>>),
    Xls(Box<Xls<Bytes<'a>>>),
    Ods(Box<Ods<Bytes<'a>>>),
}

/// Takes row, column and value of a cell.
type Each<'e> = dyn FnMut(u32, u32, &Value) -> Result<(), Failure> + 'e;

impl<'a> Book<'a> {
    pub(super) fn open(bytes: &'a [u8]) -> Result<Self, Failure> {
        if is_encrypted(bytes) {
            return Err(Failure::Password);
        }
        let file = Cursor::new(bytes);
        if !bytes.starts_with(b"PK") {
            return match Xls::new(file) {
                Ok(book) => Ok(Book::Xls(Box::new(book))),
                Err(calamine::XlsError::Password) => Err(Failure::Password),
                Err(_) => Err(Failure::Damaged),
            };
        }
        let mut package = Package::open(bytes)?;
        if package.member("content.xml")?.is_some() {
            // In a table without an end, the reader of workbooks would look for it forever.
            if !package.is_closed("content.xml")? {
                return Err(Failure::Damaged);
            }
            return match Ods::new(file) {
                Ok(book) => Ok(Book::Ods(Box::new(book))),
                Err(calamine::OdsError::Password) => Err(Failure::Password),
                Err(_) => Err(Failure::Damaged),
            };
        }
        if package.member("xl/workbook.bin")?.is_some() {
            return Ok(Book::Xlsb(Box::new(Xlsb::new(file)?)));
        }
        Ok(Book::Xlsx(Box::new(Xlsx::new(file)?)))
    }

    /// The sheets with cells: others are charts and macros. Ask [`Book::has_values`] what is in them.
    pub(super) fn sheets(&self) -> Vec<SheetInfo> {
        let sheets = match self {
            Book::Xlsx(book) => book.sheets_metadata(),
            Book::Xlsb(book) => book.sheets_metadata(),
            Book::Xls(book) => book.sheets_metadata(),
            Book::Ods(book) => book.sheets_metadata(),
        };
        let sheets = sheets.iter().filter(|sheet| sheet.typ == SheetType::WorkSheet);
        let sheets = sheets.map(|sheet| SheetInfo {
            name: sheet.name.clone(),
            is_hidden: sheet.visible != SheetVisible::Visible,
            has_values: false,
        });
        sheets.collect()
    }

    /// Whether a sheet has a value. A sheet that cannot be read reports its error when it is read.
    pub(super) fn has_values(&mut self, name: &str) -> bool {
        self.cells(name, &mut |_, _, _| Err(Failure::Damaged)).is_err()
    }

    /// Calls `each` for each cell of the sheet `name` that has a value, in order.
    pub(super) fn cells(&mut self, name: &str, each: &mut Each<'_>) -> Result<(), Failure> {
        let mut each = |row, column, value: Value| match value.text.is_empty() {
            true => Ok(()),
            false => each(row, column, &value),
        };
        let range = match self {
            Book::Xlsx(book) => {
                let mut cells = book.worksheet_cells_reader(name)?;
                while let Some(cell) = cells.next_cell()? {
                    let (row, column) = cell.get_position();
                    each(row, column, Value::streamed(cell.get_value()))?;
                }
                return Ok(());
            }
            Book::Xlsb(book) => {
                let mut cells = book.worksheet_cells_reader(name)?;
                while let Some(cell) = cells.next_cell()? {
                    let (row, column) = cell.get_position();
                    each(row, column, Value::streamed(cell.get_value()))?;
                }
                return Ok(());
            }
            Book::Xls(book) => book.worksheet_range(name)?,
            Book::Ods(book) => book.worksheet_range(name)?,
        };
        let (row, column) = range.start().unwrap_or_default();
        for (at_row, at_column, value) in range.used_cells() {
            let (down, right) = (u32::try_from(at_row)?, u32::try_from(at_column)?);
            each(row + down, column + right, Value::kept(value))?;
        }
        Ok(())
    }
}
