//! Workbooks of all formats: their sheets, and the values in them.

use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet, HashSet};
use std::io::Cursor;

use calamine::{
    DataRef, Ods, OdsError, Reader, SheetType, SheetVisible, Sheets, Xls, XlsError, Xlsb, Xlsx, XlsxError,
};

use super::package::{of_office, of_opendocument};
use super::value::{CellFormat, Value};
use crate::decode::zip_xml::{Package, Part, is_encrypted};
use crate::protocol::{Failure, Output};
use crate::sheets::SheetInfo;

type Bytes<'a> = Cursor<Cow<'a, [u8]>>;

/// A workbook, opened.
pub(super) struct OpenWorkbook<'a> {
    /// Cells of `.xlsx` and `.xlsb` are streams; the others are in memory.
    book: Sheets<Bytes<'a>>,
    /// The sheets with cells: others are charts and macros. Ask [`OpenWorkbook::has_values`] what is in them.
    pub(super) sheets: Vec<SheetInfo>,
    /// Sheets whose cells are in another order in the file.
    disordered: HashSet<usize>,
    /// What is not in the text of the sheets that were read, such as cells of some kinds.
    pub(super) missing: BTreeSet<&'static str>,
}

/// Takes row, column and value of a cell.
type Each<'e> = dyn FnMut(u32, u32, &Value) -> Result<(), Failure> + 'e;

/// The notices of cells that the reader does not know, such as newer errors, and of formulas without values.
const UNKNOWN_CELLS: &str = "cells of an unknown type";
const NO_RESULTS: &str = "formulas without computed values";
const TEXT_BOXES: &str = "text boxes";

impl<'a> OpenWorkbook<'a> {
    /// Opens the workbook `bytes`. Reports the part that is damaged to `out`.
    pub(super) fn open(bytes: &'a [u8], out: &mut Output<'_>) -> Result<Self, Failure> {
        let book = open(bytes).map_err(|failure| report_damage(bytes, failure, out))?;
        let sheets = book.sheets_metadata().iter().filter(|sheet| sheet.typ == SheetType::WorkSheet);
        let sheets = sheets.map(|sheet| SheetInfo {
            name: sheet.name.clone(),
            is_hidden: sheet.visible != SheetVisible::Visible,
            has_values: false,
        });
        let missing = has_boxes(bytes).then_some(TEXT_BOXES).into_iter().collect();
        Ok(OpenWorkbook { sheets: sheets.collect(), book, disordered: HashSet::new(), missing })
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
        let result = self.cells_of_file(sheet, &mut |row, column, value| {
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
        let result = self.cells_of_file(sheet, &mut |row, column, value| {
            cells.insert((row, column), Value { text: value.text.clone(), kind: value.kind });
            Ok(())
        });
        cells.iter().try_for_each(|((row, column), value)| each(*row, *column, value))?;
        result
    }

    /// Calls `each` for each cell with a value, in the order of the file.
    fn cells_of_file(&mut self, sheet: usize, each: &mut Each<'_>) -> Result<(), Failure> {
        let mut each = |row, column, value: Value| match value.text.is_empty() {
            true => Ok(()),
            false => each(row, column, &value),
        };
        let name = &self.sheets.get(sheet).ok_or(Failure::NoSheet)?.name;
        let range = match &mut self.book {
            Sheets::Xlsx(book) => return xlsx_cells(book, name, &mut self.missing, &mut each),
            Sheets::Xlsb(book) => {
                let mut cells = book.worksheet_cells_reader(name)?;
                while let Some(cell) = cells.next_cell()? {
                    let (row, column) = cell.get_position();
                    each(row, column, Value::from_data(cell.get_value().clone().into()))?;
                }
                return Ok(());
            }
            book => book.worksheet_range(name)?,
        };
        let (row, column) = range.start().unwrap_or_default();
        for (at_row, at_column, value) in range.used_cells() {
            let (down, right) = (u32::try_from(at_row)?, u32::try_from(at_column)?);
            each(row + down, column + right, Value::from_data(value.clone()))?;
        }
        Ok(())
    }
}

/// Reports the first part of a workbook in XML that cannot be read as the cause of `failure`.
pub(super) fn report_damage(bytes: &[u8], failure: Failure, out: &mut Output<'_>) -> Failure {
    let Some(mut package) = Package::open(bytes).ok().filter(|_| bytes.starts_with(b"PK")) else {
        return failure;
    };
    let names = package.names();
    let is_part =
        |name: &&String| name.starts_with("xl/") && (name.ends_with(".xml") || name.ends_with(".rels"));
    let damaged = names.iter().filter(is_part).find(|name| package.parse(name, |_| {}).is_err());
    match damaged.filter(|_| failure == Failure::Damaged).map(|name| out.cause(name)) {
        Some(Err(error)) => error.into(),
        _ => failure,
    }
}

/// Whether there is text on the sheets of a workbook in XML, beside their cells.
fn has_boxes(bytes: &[u8]) -> bool {
    let Ok(mut package) = Package::open(bytes) else { return false };
    package.names().iter().filter(|name| name.starts_with("xl/drawings/drawing")).any(|name| {
        let mut has_text = false;
        package.parse(name, |part| has_text |= matches!(part, Part::Start("t", _))).is_ok() && has_text
    })
}

fn open(bytes: &[u8]) -> Result<Sheets<Bytes<'_>>, Failure> {
    if is_encrypted(bytes) {
        return Err(Failure::Password);
    }
    if !bytes.starts_with(b"PK") {
        let book = Xls::new(Cursor::new(Cow::Borrowed(bytes)));
        return book.map(Sheets::Xls).map_err(|error| match error {
            XlsError::Password => Failure::Password,
            _ => Failure::Damaged,
        });
    }
    let mut package = Package::open(bytes)?;
    if package.member("content.xml")?.is_some() {
        // In a table without an end, the reader of workbooks would look for it forever.
        if !package.is_closed("content.xml")? {
            return Err(Failure::Damaged);
        }
        let book = Ods::new(Cursor::new(of_opendocument(bytes)?));
        return book.map(Sheets::Ods).map_err(|error| match error {
            OdsError::Password => Failure::Password,
            _ => Failure::Damaged,
        });
    }
    if package.member("xl/workbook.bin")?.is_some() {
        let bytes = of_office(bytes, "xl/_rels/workbook.bin.rels")?;
        return Ok(Sheets::Xlsb(Xlsb::new(Cursor::new(bytes))?));
    }
    let bytes = of_office(bytes, "xl/_rels/workbook.xml.rels")?;
    Ok(Sheets::Xlsx(Xlsx::new(Cursor::new(bytes))?))
}

/// Calls `each` for each cell of the sheet `name`. A cell of a type that the reader does not know is left out.
fn xlsx_cells(
    book: &mut Xlsx<Bytes<'_>>,
    name: &str,
    missing: &mut BTreeSet<&'static str>,
    each: &mut dyn FnMut(u32, u32, Value) -> Result<(), Failure>,
) -> Result<(), Failure> {
    let is_1904 = book.has_1904_epoch();
    let mut has_empty_cells = false;
    let mut cells = book.worksheet_cells_reader(name)?;
    let formats = cells.styles().iter().map(|style| {
        let format = style.number_format.as_ref();
        format.map(|format| CellFormat::new(format.format_id, &format.format_code)).unwrap_or_default()
    });
    let formats: Vec<CellFormat> = formats.collect();
    loop {
        match cells.next_cell_with_style_id() {
            Ok(Some((cell, style))) => {
                let (row, column) = cell.get_position();
                let format = formats.get(style).copied().unwrap_or_default();
                has_empty_cells |= *cell.get_value() == DataRef::Empty;
                each(row, column, Value::from_styled(cell.get_value().clone().into(), format, is_1904))?;
            }
            Ok(None) => break,
            Err(error @ (XlsxError::Xml(_) | XlsxError::XmlEof(_))) => return Err(error.into()),
            Err(_) => drop(missing.insert(UNKNOWN_CELLS)),
        }
    }
    drop(cells);
    if has_empty_cells && !missing.contains(NO_RESULTS) {
        let mut cells = book.worksheet_cells_reader(name)?;
        while let Ok(Some(cell)) = cells.next_cell_with_formula_metadata() {
            // The program that wrote the formula does not compute.
            if cell.value == DataRef::Empty && cell.formula.is_some() {
                missing.insert(NO_RESULTS);
                break;
            }
        }
    }
    Ok(())
}
