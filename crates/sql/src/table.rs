//! Opens the table in a file: recognises its kind and its columns.

use std::path::Path;
use std::sync::{Arc, Mutex};

use datafusion::catalog::TableProvider;

use super::detect;
use super::parquet::Parquet;
use super::request::QueryRequest;
use super::scan::{LONGEST_RECORD, SAMPLE, TextTable};
use super::sheet_table::{self, sheet};
use super::stream::{DecodedStream, TableFile};
use super::text::{
    FirstRecord, LeftOut, TextSchema, TextStream, as_lines, check_fit, first_record, has_record, infer,
    parse_schema, whole_records, with_types,
};
use rread_text::error::{Error, Kind, Result};
use rread_text::layout::{Csv, Input, Layout};
use rread_text::sentence::{Sentence, setting};

/// The media type of a database of SQLite.
const DATABASE: &str = "application/vnd.sqlite3";

pub(crate) struct OpenTable {
    pub input: Input,
    pub provider: Arc<dyn TableProvider>,
    pub left_out: Arc<Mutex<LeftOut>>,
    /// Whether the first record may be a row that was taken for names.
    pub is_header_assumed: bool,
    /// Whether rread took the first record, which may be names, for a row.
    pub is_header_refused: bool,
    /// Columns that `*` leaves out.
    pub hidden: Vec<String>,
}

pub async fn open(file: &Arc<TableFile>, path: &Path, request: &QueryRequest) -> Result<OpenTable> {
    let mut mark = [0; 4];
    let got = tokio::task::block_in_place(|| file.reader.read(&mut mark, 0))?;
    let is_parquet = detect::is_parquet(&mark[..got]);
    // The first cell of a sheet may hold any text.
    let is_sheet = sheet_table::workbook(&file.reader).is_some();
    if !is_sheet && request.input.map_or(is_parquet, |input| input == Input::Parquet) {
        let option = request.types.as_ref().map(|_| "schema");
        if let Some(option) = option.or(request.skip_bad.then_some("skip-bad")) {
            let message = setting(option).then(" is for text; a Parquet file defines its own types");
            return Err(Error::usage(message)
                .hint(Sentence::from("leave ").then(setting(option)).then(" out, and CAST in the query")));
        }
        let provider = Arc::new(Parquet::open(file).await?);
        return Ok(OpenTable {
            input: Input::Parquet,
            provider,
            left_out: Arc::default(),
            is_header_assumed: false,
            is_header_refused: false,
            hidden: Vec::new(),
        });
    }
    tokio::task::block_in_place(|| text(file, path, request))
}

/// What a file of text is as a table, by its beginning.
#[derive(Clone, Debug)]
pub(crate) struct TextHead {
    pub input: Input,
    pub table: TextSchema,
    pub layout: Layout,
    pub first: FirstRecord,
}

pub(super) fn text(file: &Arc<TableFile>, path: &Path, request: &QueryRequest) -> Result<OpenTable> {
    let TextHead { input, table, layout, first } = text_head(file, path, request, SAMPLE)?;
    let provider = TextTable::new(file, table, layout, request.skip_bad);
    let left_out = Arc::clone(&provider.left_out);
    Ok(OpenTable {
        input,
        left_out,
        provider: Arc::new(provider),
        is_header_assumed: first == FirstRecord::NamesOrRow,
        is_header_refused: first == FirstRecord::Row && request.header.is_none(),
        hidden: Vec::new(),
    })
}

/// Looks at about `size` bytes, at more if the first record is longer.
pub(super) fn text_head(
    file: &Arc<TableFile>,
    path: &Path,
    request: &QueryRequest,
    size: usize,
) -> Result<TextHead> {
    if file.reader.is_binary() {
        let mime = file.reader.mime()?;
        if mime == DATABASE {
            let message = "An SQLite database runs a query itself, so it is queried alone.";
            return Err(Error::new(Kind::Binary, message));
        }
        let message = format!("Binary files cannot be queried, except Parquet. File detected as {mime}.");
        return Err(Error::new(Kind::Binary, message));
    }
    // The scan reads these bytes again, so they do not count here.
    let text = DecodedStream::new(&TableFile::new(&file.reader), false);
    let mut sample = TextSample { text, bytes: Vec::new(), whole: false };
    sample.fill(size)?;
    let workbook = sheet_table::workbook(&file.reader);
    let input = match &workbook {
        Some(workbook) => sheet(workbook, request)?,
        None => request.input.unwrap_or_else(|| detect::input(&String::from_utf8_lossy(&sample.bytes), path)),
    };
    let types = request.types.as_deref().map(parse_schema).transpose()?.unwrap_or_default();
    let header = request.header.unwrap_or(true);
    let (layout, first) = match input {
        Input::Json => (Layout::Json { header }, FirstRecord::Names),
        // Values one after another are the same records, whatever ends the lines.
        Input::Jsonl if detect::newline(&sample.bytes) == b'\r' => {
            (Layout::Json { header }, FirstRecord::Names)
        }
        Input::Jsonl => (Layout::Jsonl { header }, FirstRecord::Names),
        Input::Csv | Input::Parquet | Input::Sheet | Input::Sqlite => {
            let mut csv = sample.csv(path, request, input)?;
            let layout = Layout::Csv(csv.clone());
            sample.grow(&layout)?;
            let first = match (&workbook, request.header) {
                (_, Some(header)) => {
                    if header {
                        FirstRecord::Names
                    } else {
                        FirstRecord::Row
                    }
                }
                (Some(workbook), None) => sheet_table::first_record(&workbook.columns),
                (None, None) => {
                    first_record(&sample.bytes, sample.whole, &csv)?.unwrap_or(FirstRecord::Names)
                }
            };
            csv.header = first != FirstRecord::Row;
            (Layout::Csv(csv), first)
        }
    };
    sample.grow(&layout)?;
    let table = match (workbook, &layout) {
        (Some(workbook), Layout::Csv(csv)) => {
            let table = infer(&sample.bytes, sample.whole, &layout, &[])?;
            with_types(&table, &sheet_table::types(&workbook.columns, csv.header), &types)?
        }
        _ => infer(&sample.bytes, sample.whole, &layout, &types)?,
    };
    Ok(TextHead { input, table, layout, first })
}

struct TextSample {
    text: DecodedStream,
    bytes: Vec<u8>,
    whole: bool,
}

impl TextSample {
    /// The layout of delimited values, but for the header.
    fn csv(&mut self, path: &Path, request: &QueryRequest, input: Input) -> Result<Csv> {
        let mut csv = Csv { header: true, ..request.csv.clone() };
        if input == Input::Sheet {
            return Ok(csv);
        }
        csv.newline = detect::newline(&self.bytes);
        self.grow(&Layout::Csv(csv.clone()))?;
        let bytes = whole_records(&self.bytes, self.whole, &csv)?;
        let text = String::from_utf8_lossy(&bytes);
        let find = |text: &str, csv: &Csv| detect::delimiter(text, path, csv).divides();
        if request.is_delimited {
            check_fit(&bytes, &csv, None)?;
            return Ok(csv);
        }
        let found = detect::delimiter(&text, path, &csv);
        csv.delimiter = found.byte;
        if request.input.is_none() && request.header.is_none() && detect::is_log(&text, path, found) {
            return Err(Error::new(
                Kind::InvalidText,
                "is a log, not a table: no delimiter divides its lines",
            )
            .hint(as_lines(&text)));
        }
        check_fit(&bytes, &csv, Some(&find))?;
        Ok(csv)
    }

    /// Reads until there is a whole record.
    fn grow(&mut self, layout: &Layout) -> Result<()> {
        let mut size = SAMPLE;
        while size < LONGEST_RECORD && !self.whole && !has_record(&self.bytes, layout) {
            size = (size * 4).min(LONGEST_RECORD);
            self.fill(size)?;
        }
        Ok(())
    }

    fn fill(&mut self, size: usize) -> Result<()> {
        while self.bytes.len() < size && !self.whole {
            self.whole = !self.text.read(&mut self.bytes)?;
        }
        Ok(())
    }
}
