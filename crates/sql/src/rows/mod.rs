//! Writes rows as text, within a budget, and buffers them until the query ends.

mod style;

use std::io::{self, Read, Seek, SeekFrom, Write};
use std::ops::ControlFlow;

use datafusion::arrow::array::RecordBatch;
use datafusion::arrow::datatypes::SchemaRef;
use tempfile::SpooledTempFile;

use super::run::Rows;
use rread_source::memory::Buffer;
use rread_text::layout::RowStyle;
use rread_text::{Error, Kind, Result, setting};
use style::StyledRows;
pub(crate) use style::text_of;

const STEP: usize = 1024;

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct RowBudget {
    pub offset: u64,
    pub rows: Option<u64>,
    pub bytes: Option<u64>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Cut {
    Rows,
    Bytes,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Written {
    pub passed: u64,
    pub rows: u64,
    pub bytes: u64,
    pub cut: Option<Cut>,
}

pub struct RowWriter<'a> {
    style: StyledRows,
    budget: RowBudget,
    written: Written,
    out: &'a mut dyn FnMut(&[u8]) -> Result<()>,
}

impl<'a> RowWriter<'a> {
    pub fn new(style: RowStyle, budget: RowBudget, out: &'a mut dyn FnMut(&[u8]) -> Result<()>) -> Self {
        RowWriter { style: StyledRows::new(style), budget, written: Written::default(), out }
    }

    pub fn finish(mut self) -> Result<Written> {
        let end = self.style.end();
        self.put(&end)?;
        Ok(self.written)
    }

    fn put(&mut self, bytes: &[u8]) -> Result<()> {
        self.written.bytes += bytes.len() as u64;
        (self.out)(bytes)
    }

    /// Writes as many of the rows `text[..ends[0]]`, `text[ends[0]..ends[1]]`, … as fit.
    fn rows(&mut self, text: &[u8], ends: &[usize]) -> Result<ControlFlow<()>> {
        let around = self.written.bytes + self.style.end().len() as u64;
        let most = self.budget.bytes.unwrap_or(u64::MAX);
        let fitting = ends.partition_point(|end| around + *end as u64 <= most);
        if fitting == 0 && self.written.rows == 0 && !ends.is_empty() {
            let needed = around + ends[0] as u64;
            return Err(Error::usage(format!(
                "the first row needs {needed} bytes with header and footer; the limit is {most}"
            ))
            .hint(setting("max-bytes").then(format!(" {needed}"))));
        }
        if let Some(last) = fitting.checked_sub(1) {
            self.put(&text[..ends[last]])?;
            self.written.rows += fitting as u64;
        }
        if fitting < ends.len() {
            self.written.cut = Some(Cut::Bytes);
            return Ok(ControlFlow::Break(()));
        }
        Ok(ControlFlow::Continue(()))
    }
}

impl Rows for RowWriter<'_> {
    fn begin(&mut self, schema: &SchemaRef) -> Result<()> {
        let start = self.style.begin(schema)?;
        self.put(&start)
    }

    fn take(&mut self, batch: &RecordBatch) -> Result<ControlFlow<()>> {
        let size = |count: u64| usize::try_from(count).unwrap_or(usize::MAX);
        let mut at = size(self.budget.offset - self.written.passed).min(batch.num_rows());
        self.written.passed += at as u64;
        while at < batch.num_rows() {
            let left = self.budget.rows.map_or(u64::MAX, |most| most - self.written.rows);
            if left == 0 {
                self.written.cut = Some(Cut::Rows);
                return Ok(ControlFlow::Break(()));
            }
            let count = size(left).min(STEP).min(batch.num_rows() - at);
            let (text, ends) = self.style.rows(&batch.slice(at, count))?;
            if self.rows(&text, &ends)?.is_break() {
                return Ok(ControlFlow::Break(()));
            }
            at += count;
        }
        Ok(ControlFlow::Continue(()))
    }
}

const MAX_MEMORY: usize = 4 << 20;

const BLOCK: usize = 64 << 10;

pub struct RowBuffer(SpooledTempFile);

impl Default for RowBuffer {
    fn default() -> Self {
        RowBuffer(SpooledTempFile::new(MAX_MEMORY))
    }
}

impl RowBuffer {
    pub fn append(&mut self, rows: &[u8]) -> Result<()> {
        self.0.write_all(rows).map_err(|cause| {
            let folder = std::env::temp_dir();
            Error::new(Kind::Io, format!("cannot keep the rows in {}: {cause}", folder.display()))
                .hint("export TMPDIR=DIR")
        })
    }

    /// No piece splits a character.
    pub fn pieces(&mut self, append: &mut dyn FnMut(&str) -> Result<()>) -> Result<()> {
        let failed = |cause: io::Error| Error::read("cannot read back the rows", &cause);
        self.0.seek(SeekFrom::Start(0)).map_err(failed)?;
        let (mut block, mut kept) = (Buffer::new(BLOCK), 0);
        loop {
            let got = self.0.read(&mut block[kept..]).map_err(failed)?;
            let there = kept + got;
            let text = match std::str::from_utf8(&block[..there]) {
                Ok(text) => text,
                Err(cut) => std::str::from_utf8(&block[..cut.valid_up_to()]).unwrap_or_default(),
            };
            append(text)?;
            let used = text.len();
            block.copy_within(used..there, 0);
            kept = there - used;
            if got == 0 {
                return Ok(());
            }
        }
    }
}
