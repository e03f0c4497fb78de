//! A sheet of a workbook as a table: what may be asked of it, and the types of its columns.

use datafusion::arrow::datatypes::{DataType, TimeUnit};

use super::request::{QueryRequest, refused_option};
use super::text::{FirstRecord, FirstValue};
use rread_documents::sheets::{ColumnKinds, Workbook, kind};
use rread_reader::reader::Reader;
use rread_source::Paged;
use rread_text::error::{Error, Kind, Result};
use rread_text::layout::Input;
use rread_text::quote::quoted_word;
use rread_text::sentence::setting;

/// The workbook of the sheet that `reader` reads.
pub(super) fn workbook(reader: &Reader) -> Option<Workbook> {
    reader.document().and_then(Paged::workbook)
}

/// The type that holds all values of each column.
pub(super) fn types(columns: &[ColumnKinds], header: bool) -> Vec<DataType> {
    let kinds = |column: &ColumnKinds| if header { column.rest } else { column.first | column.rest };
    columns.iter().map(|column| data_type(kinds(column))).collect()
}

/// What the first row with values is.
pub(super) fn first_record(columns: &[ColumnKinds]) -> FirstRecord {
    FirstRecord::of(columns.iter().map(|column| match (column.first, column.rest) {
        (0, _) | (kind::TEXT, 0 | kind::TEXT) => FirstValue::Undecided,
        (_, 0) => FirstValue::Alike,
        (_, rest) if rest & kind::TEXT != 0 => FirstValue::Undecided,
        (first, rest) if data_type(first | rest) == DataType::Utf8View => FirstValue::Unlike,
        _ => FirstValue::Alike,
    }))
}

fn data_type(kinds: u8) -> DataType {
    use kind::{BOOLEAN, DATE, NUMBER, TIME, TIMESTAMP, WHOLE};
    let only = |allowed: u8| kinds & !allowed == 0;
    match kinds {
        0 => DataType::Utf8View,
        WHOLE => DataType::Int64,
        _ if only(WHOLE | NUMBER) => DataType::Float64,
        BOOLEAN => DataType::Boolean,
        DATE => DataType::Date32,
        _ if only(DATE | TIMESTAMP) => DataType::Timestamp(TimeUnit::Microsecond, None),
        TIME => DataType::Time64(TimeUnit::Microsecond),
        _ => DataType::Utf8View,
    }
}

/// Refuses the options that say how text is divided into values, of a file that is not text: `instead` is what it has.
pub(super) fn refuse_options_of_text(request: &QueryRequest, instead: &str) -> Result<()> {
    // A sheet may have rows above its table.
    let options = request.csv_options().filter(|option| *option != "skip-lines");
    let mut options = request.input.map(|_| "input").into_iter().chain(options);
    options.next().map_or(Ok(()), |option| Err(refused_option(option, format!(" is for text; {instead}"))))
}

/// Checks that the sheet of `workbook` is a table.
pub(super) fn sheet(workbook: &Workbook, request: &QueryRequest) -> Result<Input> {
    refuse_options_of_text(request, "a workbook has cells")?;
    if workbook.columns.is_empty() {
        let name = workbook.sheet().map_or("", |sheet| &sheet.name);
        let error = Error::new(Kind::InvalidText, format!("the sheet {} has no values", quoted_word(name)));
        return Err(match workbook.others().first() {
            Some(other) => error.hint(setting("sheet").then(format!(" {}", quoted_word(other)))),
            None => error,
        });
    }
    Ok(Input::Sheet)
}
