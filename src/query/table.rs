//! Opens the table in a file: recognises its kind and its columns.

use std::path::Path;
use std::sync::{Arc, Mutex};

use datafusion::catalog::TableProvider;

use super::detect;
use super::layout::{Input, Layout};
use super::parquet::Parquet;
use super::request::QueryRequest;
use super::scan::{LONGEST_RECORD, SAMPLE, TextTable};
use super::stream::{DecodedStream, ScanStats};
use super::text::{LeftOut, TextStream, has_record, infer, parse_schema};
use crate::error::{Error, Kind, Result};
use crate::reader::Reader;

pub(crate) struct OpenTable {
    pub input: Input,
    pub provider: Arc<dyn TableProvider>,
    pub left_out: Arc<Mutex<LeftOut>>,
}

pub async fn open(
    reader: &Arc<Reader>,
    path: &Path,
    request: &QueryRequest,
    stats: &Arc<ScanStats>,
) -> Result<OpenTable> {
    let mut mark = [0; 4];
    let got = tokio::task::block_in_place(|| reader.read(&mut mark, 0))?;
    let is_parquet = detect::is_parquet(&mark[..got]);
    if request.input.map_or(is_parquet, |input| input == Input::Parquet) {
        if let Some(option) =
            request.types.as_ref().map(|_| "--schema").or(request.skip_bad.then_some("--skip-bad"))
        {
            return Err(Error::usage(format!("{option} is for text; a Parquet file defines its own types"))
                .hint(format!("leave {option} out, and CAST in the query")));
        }
        let provider = Arc::new(Parquet::open(reader, stats).await?);
        return Ok(OpenTable { input: Input::Parquet, provider, left_out: Arc::default() });
    }
    tokio::task::block_in_place(|| text(reader, path, request, stats))
}

fn text(
    reader: &Arc<Reader>,
    path: &Path,
    request: &QueryRequest,
    stats: &Arc<ScanStats>,
) -> Result<OpenTable> {
    refuse_binary(reader)?;
    let mut sample = TextSample::new(reader);
    sample.fill(SAMPLE)?;
    let head = String::from_utf8_lossy(&sample.bytes);
    let input = request.input.unwrap_or_else(|| detect::input(&head, path));
    let layout = match input {
        Input::Json => Layout::Json { header: request.csv.header },
        Input::Jsonl => Layout::Jsonl { header: request.csv.header },
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
    let table = infer(&sample.bytes, sample.whole, &layout, &types)?;
    let provider = TextTable::new(reader, stats, table, layout, request.skip_bad);
    Ok(OpenTable { input, left_out: provider.left_out(), provider: Arc::new(provider) })
}

struct TextSample {
    text: DecodedStream,
    bytes: Vec<u8>,
    whole: bool,
}

impl TextSample {
    fn new(reader: &Arc<Reader>) -> Self {
        // The scan reads these bytes again, so they count there.
        let text = DecodedStream::new(reader, &Arc::new(ScanStats::default()), false);
        TextSample { text, bytes: Vec::new(), whole: false }
    }

    /// Reads until `bytes` has `size` bytes, or all.
    fn fill(&mut self, size: usize) -> Result<()> {
        while self.bytes.len() < size && !self.whole {
            self.whole = !self.text.read(&mut self.bytes)?;
        }
        Ok(())
    }
}

fn refuse_binary(reader: &Reader) -> Result<()> {
    if !reader.is_binary() {
        return Ok(());
    }
    let message =
        format!("Binary files cannot be queried, except Parquet. File detected as {}.", reader.mime()?);
    Err(Error::new(Kind::Binary, message))
}
