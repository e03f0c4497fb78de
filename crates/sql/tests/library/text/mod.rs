//! Compares tables in text with slow and obvious parsers.

mod arrays;
mod csv;
mod header;
mod infer;
mod json;
mod members;
mod oracle;
mod types;

use datafusion::arrow::array::{Array, RecordBatch};
use datafusion::arrow::datatypes::DataType;
use datafusion::arrow::util::display::{ArrayFormatter, FormatOptions};
use rread_sql::text::{Chunk, Chunks, LeftOut, Noted, Parser, TextSchema, TextStream, infer};
use rread_text::error::Result;
use rread_text::layout::Layout;

/// The longest record, in tests that do not test the limit.
pub const LIMIT: usize = 1 << 20;

/// JSON values, with a header if they are arrays.
pub const JSON: Layout = Layout::Json { header: true };
pub const JSONL: Layout = Layout::Jsonl { header: true };

/// A text that is read in pieces of `size` bytes, or of one character if that is longer.
pub struct Pieces {
    pub text: String,
    pub at: usize,
    pub size: usize,
}

impl TextStream for Pieces {
    fn read(&mut self, buffer: &mut Vec<u8>) -> Result<bool> {
        let mut end = (self.at + self.size).min(self.text.len());
        while !self.text.is_char_boundary(end) {
            end += 1;
        }
        buffer.extend_from_slice(&self.text.as_bytes()[self.at..end]);
        let more = end > self.at;
        self.at = end;
        Ok(more)
    }
}
pub fn chunks(text: &str, layout: &Layout, target: usize, size: usize, limit: usize) -> Result<Vec<Chunk>> {
    let pieces = Pieces { text: text.to_owned(), at: 0, size };
    let mut chunks = Chunks::new(Box::new(pieces), layout, target, limit);
    let mut all = Vec::new();
    while let Some(chunk) = chunks.next()? {
        all.push(chunk);
    }
    Ok(all)
}

/// The sizes of the pieces of a text.
#[derive(Clone, Copy, Debug)]
pub struct Sizes {
    pub target: usize,
    pub read: usize,
}
pub const WHOLE: Sizes = Sizes { target: 1 << 20, read: 1 << 20 };

/// The batches of `text`, and the number of skipped records.
pub fn batches(
    text: &str,
    layout: &Layout,
    table: &TextSchema,
    projection: Option<&[usize]>,
    skip_bad: bool,
    sizes: Sizes,
) -> Result<(Vec<RecordBatch>, Noted)> {
    let (batches, left_out) = read(text, layout, table, projection, skip_bad, sizes)?;
    Ok((batches, left_out.records))
}

/// The batches of `text`, and everything that is not in them.
pub fn read(
    text: &str,
    layout: &Layout,
    table: &TextSchema,
    projection: Option<&[usize]>,
    skip_bad: bool,
    sizes: Sizes,
) -> Result<(Vec<RecordBatch>, LeftOut)> {
    let parser = Parser::new(table, layout, projection, skip_bad, &[]);
    let (mut all, mut left_out) = (Vec::new(), LeftOut::default());
    for chunk in chunks(text, layout, sizes.target, sizes.read, LIMIT)? {
        let parsed = parser.parse(&chunk)?;
        all.extend(parsed.batches);
        left_out.add(parsed.left_out);
    }
    Ok((all, left_out))
}
pub type Row = Vec<Option<String>>;
pub fn rows(batches: &[RecordBatch]) -> Vec<Row> {
    let options = FormatOptions::default();
    let mut rows = Vec::new();
    for batch in batches {
        let columns: Vec<_> = batch.columns().iter().collect();
        let formats: Vec<_> = columns
            .iter()
            .map(|column| ArrayFormatter::try_new(column.as_ref(), &options).unwrap())
            .collect();
        for row in 0..batch.num_rows() {
            let value =
                |column: usize| columns[column].is_valid(row).then(|| formats[column].value(row).to_string());
            rows.push((0..columns.len()).map(value).collect());
        }
    }
    rows
}

/// The table of `text` with only text columns.
pub fn all_text(text: &str, layout: &Layout) -> Result<TextSchema> {
    infer(text.as_bytes(), true, layout, &[("*".to_owned(), DataType::Utf8View)])
}

/// The line number at the start of a message.
pub fn line_of(message: &str) -> u64 {
    let rest = message.strip_prefix("line ").unwrap_or_else(|| panic!("no line in {message:?}"));
    rest[..rest.find(':').unwrap()].parse().unwrap()
}
