//! Parses chunks of delimited values into record batches.

use std::sync::Arc;

use datafusion::arrow::array::RecordBatch;
use datafusion::arrow::datatypes::{Schema, SchemaRef};

use super::chunks::Chunk;
use super::columns::{Values, column};
use super::ledger::{Ledger, Parsed, ROWS, ragged};
use super::records::{Records, Span, unquoted};
use super::schema::TextSchema;
use crate::error::{Error, Kind, Result};
use crate::query::layout::Csv;

pub(super) fn text_of(bytes: &[u8]) -> Result<&str> {
    if u32::try_from(bytes.len()).is_err() {
        return Err(Error::new(
            Kind::InvalidText,
            format!("{} bytes of text are too many at once", bytes.len()),
        ));
    }
    simdutf8::basic::from_utf8(bytes)
        .map_err(|_| Error::new(Kind::InvalidText, "the text is not valid UTF-8"))
}

pub(super) struct CsvValues<'a> {
    pub text: &'a str,
    pub spans: &'a [Span],
    pub stride: usize,
    pub nth: usize,
    pub csv: &'a Csv,
}

impl Values for CsvValues<'_> {
    fn len(&self) -> usize {
        self.spans.len().checked_div(self.stride).unwrap_or(0)
    }

    #[inline]
    fn each(&self, mut take: impl FnMut(Option<&str>)) {
        let mut room = String::new();
        for span in self.spans.iter().skip(self.nth).step_by(self.stride.max(1)) {
            let raw = self.text.get(span.start as usize..span.end as usize).unwrap_or_default();
            let Some(first) = raw.as_bytes().first().copied() else {
                take(None);
                continue;
            };
            if Some(first) == self.csv.quote {
                take(Some(unquoted(raw, self.csv, &mut room)));
            } else {
                let null = self.csv.nulls.iter().any(|word| word == raw);
                take(Some(raw).filter(|_| !null));
            }
        }
    }
}

pub(super) struct CsvParser {
    csv: Csv,
    schema: SchemaRef,
    used: Vec<bool>,
    nths: Vec<usize>,
    skip_bad: bool,
}

impl CsvParser {
    pub fn new(table: &TextSchema, csv: &Csv, projection: &[usize], skip_bad: bool) -> Self {
        let fields = table.schema.fields();
        let mut used = vec![false; fields.len()];
        for column in projection {
            if let Some(used) = used.get_mut(*column) {
                *used = true;
            }
        }
        let before = |sum: &mut usize, used: &bool| Some(std::mem::replace(sum, *sum + usize::from(*used)));
        let nths: Vec<usize> = used.iter().scan(0, before).collect();
        CsvParser {
            csv: csv.clone(),
            schema: Arc::new(Schema::new(
                projection.iter().filter_map(|column| fields.get(*column).cloned()).collect::<Vec<_>>(),
            )),
            nths: projection.iter().filter_map(|column| nths.get(*column).copied()).collect(),
            used,
            skip_bad,
        }
    }

    pub fn parse(&self, chunk: &Chunk) -> Result<Parsed> {
        let text = text_of(&chunk.bytes)?;
        let mut records = Records::new(&chunk.bytes, &self.csv);
        let mut ledger = Ledger::new(chunk, self.skip_bad);
        let mut batches = Vec::new();
        let (mut spans, mut starts) = (Vec::new(), Vec::with_capacity(ROWS));
        if chunk.first && self.csv.header {
            records.next(|_| false, &mut spans);
        }
        let mut more = true;
        while more {
            spans.clear();
            starts.clear();
            more = self.gather(&mut records, &mut spans, &mut starts, &mut ledger);
            if !starts.is_empty() {
                batches.push(self.batch(text, &spans, &starts, &mut ledger)?);
            }
            ledger.check()?;
        }
        Ok(Parsed { batches, left_out: ledger.left_out() })
    }

    /// Returns whether more records may follow.
    fn gather(
        &self,
        records: &mut Records<'_>,
        spans: &mut Vec<Span>,
        starts: &mut Vec<usize>,
        ledger: &mut Ledger<'_>,
    ) -> bool {
        while starts.len() < ROWS {
            let before = spans.len();
            let used = |value| self.used.get(value).copied().unwrap_or(false);
            let Some(record) = records.next(used, spans) else { return false };
            if record.values == self.used.len() {
                starts.push(record.start);
                continue;
            }
            spans.truncate(before);
            ledger.note(1, record.start, || ragged(record.values, self.used.len()));
            if !ledger.skips() {
                return false;
            }
        }
        true
    }

    fn batch(
        &self,
        text: &str,
        spans: &[Span],
        starts: &[usize],
        ledger: &mut Ledger<'_>,
    ) -> Result<RecordBatch> {
        let stride = spans.len() / starts.len();
        let values = |nth: usize| CsvValues { text, spans, stride, nth: self.nths[nth], csv: &self.csv };
        ledger.batch(
            &self.schema,
            starts.len(),
            |nth, bad| column(&values(nth), self.schema.field(nth).data_type(), bad),
            |nth, row| values(nth).at(row).unwrap_or_default(),
            |row| starts.get(row).copied().unwrap_or(0),
        )
    }
}
