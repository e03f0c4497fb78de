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
use super::text::{LeftOut, TextStream, has_record, infer, parse_schema, with_types};
use rread_text::error::{Error, Kind, Result};
use rread_text::layout::{Input, Layout};

pub(crate) struct OpenTable {
    pub input: Input,
    pub provider: Arc<dyn TableProvider>,
    pub left_out: Arc<Mutex<LeftOut>>,
}

pub async fn open(file: &Arc<TableFile>, path: &Path, request: &QueryRequest) -> Result<OpenTable> {
    let mut mark = [0; 4];
    let got = tokio::task::block_in_place(|| file.reader.read(&mut mark, 0))?;
    let is_parquet = detect::is_parquet(&mark[..got]);
    // The first cell of a sheet may hold any text.
    let is_sheet = sheet_table::workbook(&file.reader).is_some();
    if !is_sheet && request.input.map_or(is_parquet, |input| input == Input::Parquet) {
        let option = request.types.as_ref().map(|_| "--schema");
        if let Some(option) = option.or(request.skip_bad.then_some("--skip-bad")) {
            return Err(Error::usage(format!("{option} is for text; a Parquet file defines its own types"))
                .hint(format!("leave {option} out, and CAST in the query")));
        }
        let provider = Arc::new(Parquet::open(file).await?);
        return Ok(OpenTable { input: Input::Parquet, provider, left_out: Arc::default() });
    }
    tokio::task::block_in_place(|| text(file, path, request))
}

pub(super) fn text(file: &Arc<TableFile>, path: &Path, request: &QueryRequest) -> Result<OpenTable> {
    if file.reader.is_binary() {
        let mime = file.reader.mime()?;
        let message = format!("Binary files cannot be queried, except Parquet. File detected as {mime}.");
        return Err(Error::new(Kind::Binary, message));
    }
    // The scan reads these bytes again, so they do not count here.
    let text = DecodedStream::new(&TableFile::new(&file.reader), false);
    let mut sample = TextSample { text, bytes: Vec::new(), whole: false };
    sample.fill(SAMPLE)?;
    let head = String::from_utf8_lossy(&sample.bytes);
    let workbook = sheet_table::workbook(&file.reader);
    let input = match &workbook {
        Some(workbook) => sheet(workbook, request)?,
        None => request.input.unwrap_or_else(|| detect::input(&head, path)),
    };
    let layout = match input {
        Input::Json => Layout::Json { header: request.csv.header },
        Input::Jsonl => Layout::Jsonl { header: request.csv.header },
        Input::Sheet => Layout::Csv(request.csv.clone()),
        Input::Csv | Input::Parquet => {
            let mut csv = request.csv.clone();
            if !request.is_delimited {
                csv.delimiter = detect::delimiter(&head, path, &csv);
            }
            Layout::Csv(csv)
        }
    };
    let types = request.types.as_deref().map(parse_schema).transpose()?.unwrap_or_default();
    let mut size = SAMPLE;
    while size < LONGEST_RECORD && !sample.whole && !has_record(&sample.bytes, &layout) {
        size = (size * 4).min(LONGEST_RECORD);
        sample.fill(size)?;
    }
    let table = match workbook {
        Some(workbook) => {
            let table = infer(&sample.bytes, sample.whole, &layout, &[])?;
            with_types(&table, &sheet_table::types(&workbook.columns, request.csv.header), &types)?
        }
        None => infer(&sample.bytes, sample.whole, &layout, &types)?,
    };
    let provider = TextTable::new(file, table, layout, request.skip_bad);
    Ok(OpenTable { input, left_out: Arc::clone(&provider.left_out), provider: Arc::new(provider) })
}

struct TextSample {
    text: DecodedStream,
    bytes: Vec<u8>,
    whole: bool,
}

impl TextSample {
    fn fill(&mut self, size: usize) -> Result<()> {
        while self.bytes.len() < size && !self.whole {
            self.whole = !self.text.read(&mut self.bytes)?;
        }
        Ok(())
    }
}
