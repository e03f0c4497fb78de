//! Formats rows in each style, with the offset where each row ends.

use datafusion::arrow::array::RecordBatch;
use datafusion::arrow::datatypes::SchemaRef;

use super::cells::{Cells, json_lines};
use rread_text::error::Result;
use rread_text::layout::RowStyle;

/// The first rows determine the widths of columns; longer values that come later stick out.
const MEASURED: usize = 1000;

pub(crate) struct StyledRows {
    style: RowStyle,
    has_rows: bool,
    names: Vec<String>,
    /// Whether each column has numbers, which are aligned to the right.
    numbers: Vec<bool>,
    /// Characters per column; empty before the first rows.
    widths: Vec<usize>,
}

impl StyledRows {
    pub fn new(style: RowStyle) -> Self {
        StyledRows { style, has_rows: false, names: Vec::new(), numbers: Vec::new(), widths: Vec::new() }
    }

    pub fn begin(&mut self, schema: &SchemaRef) -> Result<Vec<u8>> {
        self.names = schema.fields().iter().map(|field| field.name().clone()).collect();
        self.numbers = schema.fields().iter().map(|field| field.data_type().is_numeric()).collect();
        Ok(match self.style {
            RowStyle::Csv => {
                let mut line = Vec::new();
                for (column, name) in self.names.iter().enumerate() {
                    csv_cell(&mut line, column, Some(name));
                }
                line.push(b'\n');
                line
            }
            RowStyle::Json => b"[".to_vec(),
            RowStyle::Jsonl | RowStyle::Table => Vec::new(),
        })
    }

    pub fn end(&self) -> Vec<u8> {
        match self.style {
            RowStyle::Json if self.has_rows => b"\n]\n".to_vec(),
            RowStyle::Json => b"]\n".to_vec(),
            RowStyle::Table if !self.has_rows => self.head(),
            RowStyle::Csv | RowStyle::Jsonl | RowStyle::Table => Vec::new(),
        }
    }

    /// The rows of `batch` and where each one ends; a header belongs to the first row.
    pub fn rows(&mut self, batch: &RecordBatch) -> Result<(Vec<u8>, Vec<usize>)> {
        let mut text = Vec::new();
        let mut ends = Vec::with_capacity(batch.num_rows());
        match self.style {
            RowStyle::Csv => {
                let cells = Cells::new(batch)?;
                for row in 0..batch.num_rows() {
                    for column in 0..batch.num_columns() {
                        csv_cell(&mut text, column, cells.text(column, row)?.as_deref());
                    }
                    text.push(b'\n');
                    ends.push(text.len());
                }
            }
            RowStyle::Jsonl => {
                text = json_lines(batch)?;
                ends.extend(memchr::memchr_iter(b'\n', &text).map(|end| end + 1));
            }
            RowStyle::Json => {
                for line in json_lines(batch)?.split(|byte| *byte == b'\n').filter(|line| !line.is_empty()) {
                    text.extend_from_slice(if self.has_rows { b",\n " } else { b"\n " });
                    text.extend_from_slice(line);
                    ends.push(text.len());
                    self.has_rows = true;
                }
            }
            RowStyle::Table => {
                let cells = Cells::new(batch)?;
                if self.widths.is_empty() {
                    self.measure(&cells, batch)?;
                    text = self.head();
                }
                for row in 0..batch.num_rows() {
                    let line = (0..batch.num_columns()).map(|column| cells.shown(column, row));
                    self.line(&mut text, &line.collect::<Result<Vec<_>>>()?);
                    ends.push(text.len());
                }
            }
        }
        self.has_rows |= batch.num_rows() > 0;
        Ok((text, ends))
    }

    fn measure(&mut self, cells: &Cells, batch: &RecordBatch) -> Result<()> {
        self.widths = self.names.iter().map(|name| name.chars().count()).collect();
        for row in 0..batch.num_rows().min(MEASURED) {
            for (column, width) in self.widths.iter_mut().enumerate() {
                *width = (*width).max(cells.shown(column, row)?.chars().count());
            }
        }
        Ok(())
    }

    fn head(&self) -> Vec<u8> {
        let mut text = Vec::new();
        self.line(&mut text, &self.names);
        let rule = |(column, name): (usize, &String)| "-".repeat(self.width(column, name) + 2);
        let rules: Vec<String> = self.names.iter().enumerate().map(rule).collect();
        text.extend_from_slice(rules.join("+").as_bytes());
        text.push(b'\n');
        text
    }

    fn width(&self, column: usize, name: &str) -> usize {
        self.widths.get(column).copied().unwrap_or_else(|| name.chars().count())
    }

    fn line(&self, text: &mut Vec<u8>, cells: &[String]) {
        let mut line = String::new();
        for (column, cell) in cells.iter().enumerate() {
            let width = self.width(column, cell);
            line.push_str(if column > 0 { " | " } else { " " });
            match self.numbers.get(column) {
                Some(true) => line.push_str(&format!("{cell:>width$}")),
                _ => line.push_str(&format!("{cell:<width$}")),
            }
        }
        text.extend_from_slice(line.trim_end().as_bytes());
        text.push(b'\n');
    }
}

fn csv_cell(text: &mut Vec<u8>, column: usize, value: Option<&str>) {
    if column > 0 {
        text.push(b',');
    }
    let Some(value) = value else { return };
    if value.is_empty() || value.bytes().any(|byte| matches!(byte, b',' | b'"' | b'\n' | b'\r')) {
        text.extend_from_slice(format!("\"{}\"", value.replace('"', "\"\"")).as_bytes());
    } else {
        text.extend_from_slice(value.as_bytes());
    }
}
