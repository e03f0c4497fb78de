//! Opens the table in a file: recognises its kind and its columns.

use std::path::Path;
use std::sync::{Arc, Mutex};

use datafusion::catalog::TableProvider;

use super::decoded::{Decoded, Seen};
use super::detect;
use super::layout::{Input, Layout};
use super::parquet::Parquet;
use super::request::QueryRequest;
use super::scan::{LONGEST_RECORD, SAMPLE, TextTable};
use super::text::{LeftOut, Text, has_record, infer, parse_schema};
use crate::error::{Error, Kind, Result};
use crate::reader::Reader;

pub(crate) struct Opened {
    pub input: Input,
    pub provider: Arc<dyn TableProvider>,
    /// The parts of the text that are in no row, counted while reading.
    pub left_out: Arc<Mutex<LeftOut>>,
}

/// Opens the table in `reader`, which was opened as `path`.
///
/// # Errors
/// Errors of the reader; `binary` if there is no table, `invalid_text` if its columns cannot be inferred,
/// `usage` if the options do not fit it.
pub async fn open(
    reader: &Arc<Reader>,
    path: &Path,
    asked: &QueryRequest,
    seen: &Arc<Seen>,
) -> Result<Opened> {
    let mut mark = [0; 4];
    let got = tokio::task::block_in_place(|| reader.read(&mut mark, 0))?;
    let is_parquet = detect::is_parquet(&mark[..got]);
    if asked.input.map_or(is_parquet, |input| input == Input::Parquet) {
        if let Some(option) =
            asked.types.as_ref().map(|_| "--schema").or(asked.skip_bad.then_some("--skip-bad"))
        {
            return Err(Error::usage(format!("{option} is for text; a Parquet file defines its own types"))
                .hint(format!("leave {option} out, and CAST in the query")));
        }
        let provider = Arc::new(Parquet::open(reader, seen).await?);
        return Ok(Opened { input: Input::Parquet, provider, left_out: Arc::default() });
    }
    tokio::task::block_in_place(|| text(reader, path, asked, seen))
}

fn text(reader: &Arc<Reader>, path: &Path, asked: &QueryRequest, seen: &Arc<Seen>) -> Result<Opened> {
    refuse_binary(reader)?;
    let mut sample = Sample::new(reader);
    sample.fill(SAMPLE)?;
    let head = String::from_utf8_lossy(&sample.bytes);
    let input = asked.input.unwrap_or_else(|| detect::input(&head, path));
    let layout = match input {
        Input::Json => Layout::Json { header: asked.csv.header },
        Input::Jsonl => Layout::Jsonl { header: asked.csv.header },
        Input::Csv | Input::Parquet => {
            let mut csv = asked.csv.clone();
            if !asked.is_delimited {
                csv.delimiter = detect::delimiter(&head, path, &csv);
            }
            Layout::Csv(csv)
        }
    };
    let types = asked.types.as_deref().map(parse_schema).transpose()?.unwrap_or_default();
    let mut size = SAMPLE;
    while size < LONGEST_RECORD && !sample.whole && !has_record(&sample.bytes, &layout) {
        size = (size * 4).min(LONGEST_RECORD);
        sample.fill(size)?;
    }
    let table = infer(&sample.bytes, sample.whole, &layout, &types)?;
    let provider = TextTable::new(reader, seen, table, layout, asked.skip_bad);
    Ok(Opened { input, left_out: provider.left_out(), provider: Arc::new(provider) })
}

struct Sample {
    text: Decoded,
    bytes: Vec<u8>,
    /// Whether this is the whole text.
    whole: bool,
}

impl Sample {
    fn new(reader: &Arc<Reader>) -> Self {
        // A separate counter: the scan reads these bytes again.
        let text = Decoded::new(reader, &Arc::new(Seen::default()), false);
        Sample { text, bytes: Vec::new(), whole: false }
    }

    /// Reads until there are `size` bytes, or all.
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
