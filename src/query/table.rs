//! The table that a file holds: what kind it is, and what columns it has.

use std::path::Path;
use std::sync::{Arc, Mutex};

use datafusion::catalog::TableProvider;

use super::decoded::{Decoded, Seen};
use super::layout::{Input, Layout};
use super::parquet::Parquet;
use super::scan::{SAMPLE, TextTable};
use super::text::{Skipped, Text, infer, parse_schema};
use super::{Asked, detect};
use crate::error::{Error, Kind, Result};
use crate::reader::Reader;

/// A table that can be queried.
pub struct Opened {
    pub input: Input,
    pub provider: Arc<dyn TableProvider>,
    /// Records that are left out while it is read.
    pub skipped: Arc<Mutex<Skipped>>,
}

/// Finds out what table is in `reader`, which was opened as `path`.
///
/// # Errors
/// Those of reading; `binary` where there is no table, `invalid_text` where it cannot be made out, `usage` where what was
/// said of it does not fit.
pub async fn open(reader: &Arc<Reader>, path: &Path, asked: &Asked<'_>, seen: &Arc<Seen>) -> Result<Opened> {
    let mut mark = [0; 4];
    let got = tokio::task::block_in_place(|| reader.read(&mut mark, 0))?;
    let is_parquet = detect::is_parquet(&mark[..got]);
    if asked.input.map_or(is_parquet, |input| input == Input::Parquet) {
        if let Some(option) = asked.types.map(|_| "--schema").or(asked.skip_bad.then_some("--skip-bad")) {
            return Err(Error::usage(format!("{option} is for text; a Parquet file has types of its own"))
                .hint(format!("leave {option} out, and CAST in the query")));
        }
        let provider = Arc::new(Parquet::open(reader, seen).await?);
        return Ok(Opened { input: Input::Parquet, provider, skipped: Arc::default() });
    }
    tokio::task::block_in_place(|| text(reader, path, asked, seen))
}

fn text(reader: &Arc<Reader>, path: &Path, asked: &Asked<'_>, seen: &Arc<Seen>) -> Result<Opened> {
    refuse_binary(reader)?;
    let (sample, whole) = sample(reader)?;
    let head = String::from_utf8_lossy(&sample);
    let input = asked.input.unwrap_or_else(|| detect::input(&head, path));
    let layout = match input {
        Input::Json => Layout::Json,
        Input::Jsonl => Layout::Jsonl,
        Input::Csv | Input::Parquet => {
            let mut csv = asked.csv.clone();
            if !asked.is_delimited {
                csv.delimiter = detect::delimiter(&head, path, csv.quote);
            }
            Layout::Csv(csv)
        }
    };
    let types = asked.types.map(parse_schema).transpose()?.unwrap_or_default();
    let table = infer(&sample, whole, &layout, &types)?;
    let provider = TextTable::new(reader, seen, table, layout, asked.skip_bad);
    Ok(Opened { input, skipped: provider.skipped(), provider: Arc::new(provider) })
}

/// The first bytes of the text, and whether they are all of it.
fn sample(reader: &Arc<Reader>) -> Result<(Vec<u8>, bool)> {
    // What is read twice is counted once.
    let mut text = Decoded::new(reader, &Arc::new(Seen::default()));
    let mut sample = Vec::new();
    while sample.len() < SAMPLE {
        if !text.read(&mut sample)? {
            return Ok((sample, true));
        }
    }
    Ok((sample, false))
}

fn refuse_binary(reader: &Reader) -> Result<()> {
    if !reader.is_binary() {
        return Ok(());
    }
    let message =
        format!("Binary files hold no table, unless they are Parquet. File detected as {}.", reader.mime()?);
    Err(Error::new(Kind::Binary, message))
}
