//! Workbooks of all formats: their sheets, and the values in them.

use std::borrow::Cow;
use std::collections::{BTreeMap, HashSet};
use std::io::Cursor;

use calamine::{Ods, Reader, SheetType, SheetVisible, Xls, Xlsb};

use super::macros::without_macro_sheets;
use super::names::{of_binary, of_opendocument};
use super::value::Value;
use super::xlsx::Xlsx;
use crate::format::zip_xml::{Package, is_encrypted, named};
use crate::protocol::{Failure, Output};
use crate::sheets::SheetInfo;

type Bytes<'a> = Cursor<&'a [u8]>;

/// A workbook, opened.
pub(super) struct Book<'a> {
    format: Format<'a>,
    sheets: Vec<SheetInfo>,
    /// Sheets whose cells are in another order in the file.
    disordered: HashSet<usize>,
}

/// The formats. Cells of the first two are streams; the others are in memory.
enum Format<'a> {
    Xlsx(Box<Xlsx<'a>>),
    Xlsb(Box<Xlsb<Cursor<Vec<u8>>>>),
    Xls(Box<Xls<Bytes<'a>>>),
    Ods(Box<Ods<Cursor<Cow<'a, [u8]>>>>),
}

/// Takes row, column and value of a cell.
type Each<'e> = dyn FnMut(u32, u32, &Value) -> Result<(), Failure> + 'e;

impl<'a> Book<'a> {
    /// Opens the workbook `bytes`. Which part is damaged, `out` gets to know.
    pub(super) fn open(bytes: &'a [u8], out: &mut Output<'_>) -> Result<Self, Failure> {
        let format = Format::open(bytes, out)?;
        let sheets = format.sheets();
        Ok(Book { format, sheets, disordered: HashSet::new() })
    }

    /// The sheets with cells: others are charts and macros. Ask [`Book::has_values`] what is in them.
    pub(super) fn sheets(&self) -> &[SheetInfo] {
        &self.sheets
    }

    /// Parts beside the sheets that cannot be read.
    pub(super) fn missing(&self) -> &[String] {
        match &self.format {
            Format::Xlsx(book) => book.missing(),
            _ => &[],
        }
    }

    /// Reports the part that was read last as the cause of `failure`.
    pub(super) fn failed(&self, failure: Failure, out: &mut Output<'_>) -> Failure {
        match &self.format {
            Format::Xlsx(book) => named(Err(failure), book.package(), out).err().unwrap_or(failure),
            _ => failure,
        }
    }

    /// Whether a sheet has a value. A sheet that cannot be read reports its error when it is read.
    pub(super) fn has_values(&mut self, sheet: usize) -> bool {
        self.cells(sheet, &mut |_, _, _| Err(Failure::Damaged)).is_err()
    }

    /// Whether the cells of `sheet` turned out to be in another order: then a call after that has them in order.
    pub(super) fn is_disordered(&self, sheet: usize) -> bool {
        self.disordered.contains(&sheet)
    }

    /// Calls `each` for each cell of the sheet with this index that has a value, in order. The first call for a sheet may
    /// have the order of the file.
    pub(super) fn cells(&mut self, sheet: usize, each: &mut Each<'_>) -> Result<(), Failure> {
        if self.is_disordered(sheet) {
            return self.sorted_cells(sheet, each);
        }
        let (mut last, mut is_disordered) = (None, false);
        let result = self.format.cells(sheet, &self.sheets, &mut |row, column, value| {
            is_disordered |= last.is_some_and(|last| (row, column) <= last);
            last = Some((row, column));
            each(row, column, value)
        });
        if is_disordered {
            self.disordered.insert(sheet);
        }
        result
    }

    /// All cells in memory. The last of several in the same place counts.
    fn sorted_cells(&mut self, sheet: usize, each: &mut Each<'_>) -> Result<(), Failure> {
        let mut cells = BTreeMap::new();
        let result = self.format.cells(sheet, &self.sheets, &mut |row, column, value| {
            cells.insert((row, column), Value { text: value.text.clone(), kind: value.kind });
            Ok(())
        });
        cells.iter().try_for_each(|((row, column), value)| each(*row, *column, value))?;
        result
    }
}

impl<'a> Format<'a> {
    fn open(bytes: &'a [u8], out: &mut Output<'_>) -> Result<Self, Failure> {
        if is_encrypted(bytes) {
            return Err(Failure::Password);
        }
        let file = Cursor::new(bytes);
        if !bytes.starts_with(b"PK") {
            return match Xls::new(file) {
                Ok(book) => Ok(Format::Xls(Box::new(book))),
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
            return match Ods::new(Cursor::new(of_opendocument(bytes)?)) {
                Ok(book) => Ok(Format::Ods(Box::new(book))),
                Err(calamine::OdsError::Password) => Err(Failure::Password),
                Err(_) => Err(Failure::Damaged),
            };
        }
        if package.member("xl/workbook.bin")?.is_some() {
            let bytes = of_binary(bytes)?;
            let bytes = without_macro_sheets(&bytes, &mut package)?;
            return Ok(Format::Xlsb(Box::new(Xlsb::new(Cursor::new(bytes))?)));
        }
        match Xlsx::open(package) {
            Ok(book) => Ok(Format::Xlsx(Box::new(book))),
            Err((failure, package)) => Err(named(Err(failure), &package, out).err().unwrap_or(failure)),
        }
    }

    fn sheets(&self) -> Vec<SheetInfo> {
        let sheets = match self {
            Format::Xlsx(book) => return book.sheets(),
            Format::Xlsb(book) => book.sheets_metadata(),
            Format::Xls(book) => book.sheets_metadata(),
            Format::Ods(book) => book.sheets_metadata(),
        };
        let sheets = sheets.iter().filter(|sheet| sheet.typ == SheetType::WorkSheet);
        let sheets = sheets.map(|sheet| SheetInfo {
            name: sheet.name.clone(),
            is_hidden: sheet.visible != SheetVisible::Visible,
            has_values: false,
        });
        sheets.collect()
    }

    /// Calls `each` for each cell with a value, in the order of the file.
    fn cells(&mut self, sheet: usize, sheets: &[SheetInfo], each: &mut Each<'_>) -> Result<(), Failure> {
        let mut each = |row, column, value: Value| match value.text.is_empty() {
            true => Ok(()),
            false => each(row, column, &value),
        };
        let name = &sheets.get(sheet).ok_or(Failure::NoSheet)?.name;
        let range = match self {
            Format::Xlsx(book) => return book.cells(sheet, &mut each),
            Format::Xlsb(book) => {
                let mut cells = book.worksheet_cells_reader(name)?;
                while let Some(cell) = cells.next_cell()? {
                    let (row, column) = cell.get_position();
                    each(row, column, Value::streamed(cell.get_value()))?;
                }
                return Ok(());
            }
            Format::Xls(book) => book.worksheet_range(name)?,
            Format::Ods(book) => book.worksheet_range(name)?,
        };
        let (row, column) = range.start().unwrap_or_default();
        for (at_row, at_column, value) in range.used_cells() {
            let (down, right) = (u32::try_from(at_row)?, u32::try_from(at_column)?);
            each(row + down, column + right, Value::kept(value))?;
        }
        Ok(())
    }
}
