//! Workbooks of all formats: their sheets, and the values in them.

use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet, HashSet};
use std::io::Cursor;

use calamine::{DataRef, Ods, Reader, SheetType, SheetVisible, Xls, Xlsb, Xlsx, XlsxError};

use super::number_format::CellFormat;
use super::package::{of_office, of_opendocument};
use super::value::Value;
use crate::decode::zip_xml::{Package, is_encrypted};
use crate::protocol::{Failure, Output};
use crate::sheets::SheetInfo;

type Bytes<'a> = Cursor<Cow<'a, [u8]>>;

/// A workbook, opened.
pub(super) struct OpenWorkbook<'a> {
    bytes: &'a [u8],
    format: Format<'a>,
    sheets: Vec<SheetInfo>,
    /// Sheets whose cells are in another order in the file.
    disordered: HashSet<usize>,
    /// Kinds of cells whose values are not there.
    missing: BTreeSet<&'static str>,
}

/// The formats. Cells of the first two are streams; the others are in memory.
enum Format<'a> {
    Xlsx(Box<Xlsx<Bytes<'a>>>),
    Xlsb(Box<Xlsb<Bytes<'a>>>),
    Xls(Box<Xls<Bytes<'a>>>),
    Ods(Box<Ods<Bytes<'a>>>),
}

/// Takes row, column and value of a cell.
type Each<'e> = dyn FnMut(u32, u32, &Value) -> Result<(), Failure> + 'e;

/// The notices of cells that the reader does not know, such as newer errors, and of formulas without values.
const UNKNOWN_CELLS: &str = "cells of an unknown type";
const NO_RESULTS: &str = "formulas without computed values";

impl<'a> OpenWorkbook<'a> {
    /// Opens the workbook `bytes`. Reports the part that is damaged to `out`.
    pub(super) fn open(bytes: &'a [u8], out: &mut Output<'_>) -> Result<Self, Failure> {
        let format = Format::open(bytes).map_err(|failure| report_damage(bytes, failure, out))?;
        let sheets = format.sheets();
        Ok(OpenWorkbook { bytes, format, sheets, disordered: HashSet::new(), missing: BTreeSet::new() })
    }

    /// The sheets with cells: others are charts and macros. Ask [`OpenWorkbook::has_values`] what is in them.
    pub(super) fn sheets(&self) -> &[SheetInfo] {
        &self.sheets
    }

    /// Kinds of cells whose values are not there, in the sheets that were read.
    pub(super) fn missing(&self) -> &BTreeSet<&'static str> {
        &self.missing
    }

    /// Reports the part that is the cause of `failure`.
    pub(super) fn report_damage(&self, failure: Failure, out: &mut Output<'_>) -> Failure {
        report_damage(self.bytes, failure, out)
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
        let result = self.format.cells(sheet, &self.sheets, &mut self.missing, &mut |row, column, value| {
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
        let result = self.format.cells(sheet, &self.sheets, &mut self.missing, &mut |row, column, value| {
            cells.insert((row, column), Value { text: value.text.clone(), kind: value.kind });
            Ok(())
        });
        cells.iter().try_for_each(|((row, column), value)| each(*row, *column, value))?;
        result
    }
}

/// Reports the first part of a workbook in XML that cannot be read as the cause of `failure`.
fn report_damage(bytes: &[u8], failure: Failure, out: &mut Output<'_>) -> Failure {
    let Some(mut package) = Package::open(bytes).ok().filter(|_| bytes.starts_with(b"PK")) else {
        return failure;
    };
    let names: Vec<String> = package.names().map(Cow::into_owned).collect();
    let is_part =
        |name: &&String| name.starts_with("xl/") && (name.ends_with(".xml") || name.ends_with(".rels"));
    let damaged = names.iter().filter(is_part).find(|name| package.parse(name, |_| Ok(())).is_err());
    match damaged.filter(|_| failure == Failure::Damaged).map(|name| out.cause(name)) {
        Some(Err(error)) => error.into(),
        _ => failure,
    }
}

impl<'a> Format<'a> {
    fn open(bytes: &'a [u8]) -> Result<Self, Failure> {
        if is_encrypted(bytes) {
            return Err(Failure::Password);
        }
        if !bytes.starts_with(b"PK") {
            return match Xls::new(Cursor::new(Cow::Borrowed(bytes))) {
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
            let bytes = of_office(bytes, "xl/_rels/workbook.bin.rels")?;
            return Ok(Format::Xlsb(Box::new(Xlsb::new(Cursor::new(bytes))?)));
        }
        let bytes = of_office(bytes, "xl/_rels/workbook.xml.rels")?;
        Ok(Format::Xlsx(Box::new(Xlsx::new(Cursor::new(bytes))?)))
    }

    fn sheets(&self) -> Vec<SheetInfo> {
        let sheets = match self {
            Format::Xlsx(book) => book.sheets_metadata(),
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
    fn cells(
        &mut self,
        sheet: usize,
        sheets: &[SheetInfo],
        missing: &mut BTreeSet<&'static str>,
        each: &mut Each<'_>,
    ) -> Result<(), Failure> {
        let mut each = |row, column, value: Value| match value.text.is_empty() {
            true => Ok(()),
            false => each(row, column, &value),
        };
        let name = &sheets.get(sheet).ok_or(Failure::NoSheet)?.name;
        let range = match self {
            Format::Xlsx(book) => return xlsx_cells(book, name, missing, &mut each),
            Format::Xlsb(book) => {
                let mut cells = book.worksheet_cells_reader(name)?;
                while let Some(cell) = cells.next_cell()? {
                    let (row, column) = cell.get_position();
                    each(row, column, Value::from_data_ref(cell.get_value()))?;
                }
                return Ok(());
            }
            Format::Xls(book) => book.worksheet_range(name)?,
            Format::Ods(book) => book.worksheet_range(name)?,
        };
        let (row, column) = range.start().unwrap_or_default();
        for (at_row, at_column, value) in range.used_cells() {
            let (down, right) = (u32::try_from(at_row)?, u32::try_from(at_column)?);
            each(row + down, column + right, Value::from_data(value))?;
        }
        Ok(())
    }
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
                each(row, column, Value::from_styled(cell.get_value(), format, is_1904))?;
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
