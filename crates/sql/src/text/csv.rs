//! Parses chunks of delimited values into record batches.

use std::ops::Range;

use datafusion::arrow::array::RecordBatch;
use datafusion::arrow::datatypes::SchemaRef;

use super::chunks::Chunk;
use super::columns::{Values, column};
use super::records::{Records, Span, unquoted};
use super::rejected::{Ledger, Parsed, ROWS, ragged};
use super::types::RowPlace;
use rread_text::{Csv, Error, Forms, Kind, Result};

pub(super) fn text_of(bytes: &[u8]) -> Result<&str> {
    if u32::try_from(bytes.len()).is_err() {
        let message = format!("{} bytes of text are too many at once", bytes.len());
        return Err(Error::new(Kind::InvalidText, message));
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

    fn forms(&self) -> Forms {
        self.csv.forms
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

#[derive(Debug)]
pub(super) struct CsvParser {
    csv: Csv,
    schema: SchemaRef,
    /// For each column of `schema`, whether its numbers may not lose digits.
    exact: Vec<bool>,
    used: Vec<bool>,
    /// For each column of `schema`, its position among the columns that are read.
    nths: Vec<usize>,
    skip_bad: bool,
    /// Columns of the places of rows, which come last.
    places: Vec<RowPlace>,
}

impl CsvParser {
    pub fn new(
        csv: &Csv,
        width: usize,
        schema: &SchemaRef,
        exact: Vec<bool>,
        projection: &[usize],
        skip_bad: bool,
        places: Vec<RowPlace>,
    ) -> Self {
        let mut used = vec![false; width];
        for column in projection {
            used[*column] = true;
        }
        let nth = |column: &usize| used[..*column].iter().filter(|used| **used).count();
        let nths = projection.iter().map(nth).collect();
        CsvParser { csv: csv.clone(), schema: SchemaRef::clone(schema), exact, used, nths, skip_bad, places }
    }

    pub fn parse(&self, chunk: &Chunk) -> Result<Parsed> {
        let text = text_of(&chunk.bytes)?;
        let mut records = Records::new(&chunk.bytes, &self.csv);
        let mut ledger = Ledger::new(chunk, self.skip_bad, &self.places);
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

    fn gather(
        &self,
        records: &mut Records<'_>,
        spans: &mut Vec<Span>,
        starts: &mut Vec<Range<usize>>,
        ledger: &mut Ledger<'_>,
    ) -> bool {
        while starts.len() < ROWS {
            let before = spans.len();
            let used = |value| self.used.get(value).copied().unwrap_or(false);
            let Some(record) = records.next(used, spans) else { return false };
            if let Some(at) = record.stray {
                ledger.contradicted(at, &self.csv);
            }
            if record.fits(self.used.len(), &self.csv, used, spans) {
                starts.push(record.start..record.end);
                continue;
            }
            spans.truncate(before);
            ledger.note(1, record.start, || ragged(record.values, self.used.len()));
            if !ledger.skip {
                return false;
            }
        }
        true
    }

    fn batch(
        &self,
        text: &str,
        spans: &[Span],
        starts: &[Range<usize>],
        ledger: &mut Ledger<'_>,
    ) -> Result<RecordBatch> {
        let stride = spans.len() / starts.len();
        let values = |nth: usize| CsvValues { text, spans, stride, nth: self.nths[nth], csv: &self.csv };
        ledger.batch(
            &self.schema,
            starts.len(),
            |nth, bad| column(&values(nth), self.schema.field(nth).data_type(), self.exact[nth], bad),
            |nth, row| values(nth).at(row).unwrap_or_default(),
            |row| starts[row].clone(),
        )
    }
}
