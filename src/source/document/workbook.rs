//! Workbooks: each sheet as CSV with the values that the program which wrote it has computed.

use std::fmt::Write as _;
use std::io::Cursor;

use calamine::{Data, DataRef, ExcelDateTime, Ods, Reader, SheetType, Xls, Xlsb, Xlsx};

use super::frame::{Failure, Output};
use super::package::{Package, is_encrypted};

type Bytes<'a> = Cursor<&'a [u8]>;

/// The formats, opened. Cells of the first two are streams; the others are in memory.
enum Book<'a> {
    Xlsx(Box<Xlsx<Bytes<'a>>>),
    Xlsb(Box<Xlsb<Bytes<'a>>>),
    Xls(Box<Xls<Bytes<'a>>>),
    Ods(Box<Ods<Bytes<'a>>>),
}

/// The part of a sheet that has values. Rows and columns before them are kept, those after them are not.
#[derive(Clone, Copy, Default)]
struct Area {
    rows: u32,
    columns: u32,
}

/// The largest sheet of Excel.
const MOST: Area = Area { rows: 1 << 20, columns: 1 << 14 };

pub(super) fn decode(bytes: &[u8], out: &mut Output<'_>) -> Result<(), Failure> {
    let mut book = Book::open(bytes)?;
    let names = book.names();
    out.pages(names.len())?;
    for (index, name) in names.iter().enumerate() {
        // One sheet alone is plain CSV.
        if names.len() > 1 {
            out.text(&format!("# {}\n", name.replace(['\n', '\r'], " ")))?;
        }
        let mut area = Area::default();
        book.cells(name, &mut |row, column, value| {
            if !value.is_empty() {
                if row >= MOST.rows || column >= MOST.columns {
                    return Err(Failure::Damaged);
                }
                area = Area { rows: area.rows.max(row + 1), columns: area.columns.max(column + 1) };
            }
            Ok(())
        })?;
        let mut sheet = Sheet { out, area, row: 0, column: None };
        book.cells(name, &mut |row, column, value| sheet.cell(row, column, value))?;
        sheet.end()?;
        if index + 1 < names.len() {
            out.text("\n")?;
        }
        out.page_end(false)?;
    }
    Ok(())
}

impl<'a> Book<'a> {
    fn open(bytes: &'a [u8]) -> Result<Self, Failure> {
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

    /// The sheets with cells: others are charts and macros.
    fn names(&self) -> Vec<String> {
        let sheets = match self {
            Book::Xlsx(book) => book.sheets_metadata(),
            Book::Xlsb(book) => book.sheets_metadata(),
            Book::Xls(book) => book.sheets_metadata(),
            Book::Ods(book) => book.sheets_metadata(),
        };
        let sheets = sheets.iter().filter(|sheet| sheet.typ == SheetType::WorkSheet);
        sheets.map(|sheet| sheet.name.clone()).collect()
    }

    /// Calls `each` with row, column and value of each cell of the sheet `name`, in order.
    fn cells(
        &mut self,
        name: &str,
        each: &mut dyn FnMut(u32, u32, &str) -> Result<(), Failure>,
    ) -> Result<(), Failure> {
        let range = match self {
            Book::Xlsx(book) => {
                let mut cells = book.worksheet_cells_reader(name)?;
                while let Some(cell) = cells.next_cell()? {
                    each(cell.get_position().0, cell.get_position().1, &streamed(cell.get_value()))?;
                }
                return Ok(());
            }
            Book::Xlsb(book) => {
                let mut cells = book.worksheet_cells_reader(name)?;
                while let Some(cell) = cells.next_cell()? {
                    each(cell.get_position().0, cell.get_position().1, &streamed(cell.get_value()))?;
                }
                return Ok(());
            }
            Book::Xls(book) => book.worksheet_range(name)?,
            Book::Ods(book) => book.worksheet_range(name)?,
        };
        let (row, column) = range.start().unwrap_or_default();
        for (at_row, at_column, value) in range.used_cells() {
            let (down, right) = (u32::try_from(at_row)?, u32::try_from(at_column)?);
            each(row + down, column + right, &kept(value))?;
        }
        Ok(())
    }
}

/// The lines of one sheet, written value by value.
struct Sheet<'s, 'o> {
    out: &'s mut Output<'o>,
    area: Area,
    row: u32,
    /// That of the last value in the row.
    column: Option<u32>,
}

impl Sheet<'_, '_> {
    fn cell(&mut self, row: u32, column: u32, value: &str) -> Result<(), Failure> {
        if value.is_empty() {
            return Ok(());
        }
        let is_past = row == self.row && self.column.is_some_and(|last| column <= last);
        if row < self.row || is_past {
            return Err(Failure::Damaged);
        }
        while self.row < row {
            self.end_row()?;
        }
        self.commas(column)?;
        self.column = Some(column);
        self.out.text(&quoted(value))?;
        Ok(())
    }

    /// Commas from the last value to `column`.
    fn commas(&mut self, column: u32) -> Result<(), Failure> {
        let count = column.saturating_sub(self.column.unwrap_or(0));
        Ok(self.out.text(&",".repeat(usize::try_from(count)?))?)
    }

    /// An empty row is an empty line; others have all columns.
    fn end_row(&mut self) -> Result<(), Failure> {
        if self.column.is_some() {
            self.commas(self.area.columns - 1)?;
        }
        self.out.text("\n")?;
        (self.row, self.column) = (self.row + 1, None);
        Ok(())
    }

    fn end(mut self) -> Result<(), Failure> {
        while self.row < self.area.rows {
            self.end_row()?;
        }
        Ok(())
    }
}

fn quoted(value: &str) -> String {
    if value.contains([',', '"', '\n', '\r']) || value.starts_with(' ') || value.ends_with(' ') {
        return format!("\"{}\"", value.replace('"', "\"\""));
    }
    value.to_owned()
}

fn streamed(value: &DataRef<'_>) -> String {
    match value {
        DataRef::Int(number) => number.to_string(),
        DataRef::Float(number) => decimal(*number),
        DataRef::String(text) | DataRef::DateTimeIso(text) | DataRef::DurationIso(text) => text.clone(),
        DataRef::SharedString(text) => (*text).to_owned(),
        DataRef::Bool(value) => value.to_string(),
        DataRef::DateTime(time) => date_time(time),
        DataRef::Error(error) => error.to_string(),
        DataRef::Empty => String::new(),
    }
}

fn kept(value: &Data) -> String {
    match value {
        Data::Int(number) => number.to_string(),
        Data::Float(number) => decimal(*number),
        Data::String(text) | Data::DateTimeIso(text) | Data::DurationIso(text) => text.clone(),
        Data::Bool(value) => value.to_string(),
        Data::DateTime(time) => date_time(time),
        Data::Error(error) => error.to_string(),
        Data::Empty => String::new(),
    }
}

/// The 15 digits that programs show: `0.1 + 0.2` is stored as 0.30000000000000004.
fn decimal(number: f64) -> String {
    // A long identifier keeps all of its digits.
    if number.fract() == 0.0 && number.abs() < 1e18 {
        return number.to_string();
    }
    let rounded = format!("{number:.14e}").parse().unwrap_or(number);
    let plain = rounded.to_string();
    // Display writes all zeros of very large and very small numbers.
    if plain.len() > 24 { format!("{rounded:e}") } else { plain }
}

/// A date, a time of day or both in ISO 8601; of a duration hours, minutes and seconds.
fn date_time(time: &ExcelDateTime) -> String {
    let value = time.as_f64();
    if time.is_duration() {
        return duration(value);
    }
    let (year, month, day, hour, minute, second, milli) = time.to_ymd_hms_milli();
    let mut text = String::new();
    // Days are numbered from 1; a time of day has no date.
    if value >= 1.0 {
        let _ = write!(text, "{year:04}-{month:02}-{day:02}");
    }
    if value.fract() != 0.0 || text.is_empty() {
        let separator = if text.is_empty() { "" } else { "T" };
        let _ = write!(text, "{separator}{hour:02}:{minute:02}:{second:02}");
        if milli > 0 {
            let _ = write!(text, ".{milli:03}");
        }
    }
    text
}

fn duration(days: f64) -> String {
    let millis = (days.abs() * 86_400_000.0).round();
    let part = |unit: f64, of: f64| (millis / unit).floor() % of;
    let sign = if days < 0.0 { "-" } else { "" };
    let (hours, minutes, seconds) =
        ((millis / 3_600_000.0).floor(), part(60_000.0, 60.0), part(1000.0, 60.0));
    let fraction = match millis % 1000.0 {
        0.0 => String::new(),
        fraction => format!(".{fraction:03}"),
    };
    format!("{sign}{hours:02}:{minutes:02}:{seconds:02}{fraction}")
}

#[cfg(test)]
mod tests {
    use calamine::ExcelDateTimeType::{DateTime, TimeDelta};

    use super::*;

    #[test]
    fn numbers_have_the_digits_that_programs_show() {
        let shown =
            [0.1 + 0.2, 1.0, -0.5, 1e15, 123_456_789.123, 1.1 * 3.0, 1e300, 1e-300, 12_345_678_901_234_568.0]
                .map(decimal);
        assert_eq!(
            shown.join(" "),
            "0.3 1 -0.5 1000000000000000 123456789.123 3.3 1e300 1e-300 12345678901234568"
        );
    }

    #[test]
    fn dates_are_in_iso_form() {
        let at = |value| date_time(&ExcelDateTime::new(value, DateTime, false));
        assert_eq!(at(45_000.0), "2023-03-15");
        assert_eq!(at(45_000.5), "2023-03-15T12:00:00");
        assert_eq!(at(0.25), "06:00:00");
        let lasts = |value| date_time(&ExcelDateTime::new(value, TimeDelta, false));
        assert_eq!(lasts(1.5), "36:00:00");
        assert_eq!(lasts(-0.000_017_361_111), "-00:00:01.500");
    }
}
