//! Parses chunks into record batches: delimited values here, JSON in `json`.

use std::ops::Range;
use std::sync::Arc;

use datafusion::arrow::array::RecordBatch;
use datafusion::arrow::datatypes::{FieldRef, Schema, SchemaRef};

use super::chunks::Chunk;
use super::columns::{Values, column};
use super::json::JsonParser;
use super::records::{Records, Span, unquoted};
use super::rejected::{Ledger, Parsed, ROWS, internal, ragged, text_of};
use super::types::{RowPlace, TextSchema};
use rread_text::{Csv, Forms, Layout, Result};

#[derive(Debug)]
pub struct Parser {
    pub(crate) schema: SchemaRef,
    layouts: Layouts,
    /// The order of the columns, if places of rows come between them.
    order: Option<Vec<usize>>,
}

#[derive(Debug)]
enum Layouts {
    Csv(CsvParser),
    Json(JsonParser),
}

impl Parser {
    /// Without a `projection`, reads all columns; those after the columns of `table` are `places`. With `skip_bad`, counts bad
    /// records instead of failing.
    pub fn new(
        table: &TextSchema,
        layout: &Layout,
        projection: Option<&[usize]>,
        skip_bad: bool,
        places: &[RowPlace],
    ) -> Self {
        let fields = table.schema.fields();
        let Some((wanted, order)) = projection.and_then(|wanted| placed(wanted, fields.len(), places)) else {
            return Parser::of_columns(table, layout, projection, skip_bad, Vec::new());
        };
        let (columns, places) = wanted;
        let parser = Parser::of_columns(table, layout, Some(&columns), skip_bad, places.clone());
        let all: Vec<FieldRef> = parser.schema.fields().iter().cloned().collect();
        let all: Vec<FieldRef> =
            all.into_iter().chain(places.iter().map(|place| Arc::new(place.field()))).collect();
        let schema = Schema::new(order.iter().map(|nth| Arc::clone(&all[*nth])).collect::<Vec<_>>());
        Parser { schema: Arc::new(schema), order: Some(order), ..parser }
    }

    fn of_columns(
        table: &TextSchema,
        layout: &Layout,
        projection: Option<&[usize]>,
        skip_bad: bool,
        places: Vec<RowPlace>,
    ) -> Self {
        let fields = table.schema.fields();
        let projection = projection.map_or_else(|| (0..fields.len()).collect(), <[usize]>::to_vec);
        let read: Vec<FieldRef> = projection.iter().map(|column| Arc::clone(&fields[*column])).collect();
        let schema = Arc::new(Schema::new(read));
        let exact = projection.iter().map(|column| table.inferred.get(*column) == Some(&true)).collect();
        let layouts = match layout {
            Layout::Csv(csv) => {
                let width = fields.len();
                Layouts::Csv(CsvParser::new(csv, width, &schema, exact, &projection, skip_bad, places))
            }
            Layout::Json { header } | Layout::Jsonl { header } => {
                Layouts::Json(JsonParser::new(table, *header, &schema, exact, projection, skip_bad, places))
            }
        };
        Parser { schema, layouts, order: None }
    }

    /// Fails with the line number of the first bad record. A delimited record or a JSON array needs one value per
    /// column; a missing member of an object is NULL.
    pub fn parse(&self, chunk: &Chunk) -> Result<Parsed> {
        let mut parsed = match &self.layouts {
            Layouts::Csv(parser) => parser.parse(chunk),
            Layouts::Json(parser) => parser.parse(chunk),
        }?;
        if let Some(order) = &self.order {
            for batch in &mut parsed.batches {
                *batch = batch.project(order).map_err(internal)?;
            }
        }
        Ok(parsed)
    }
}

/// The columns of the table and the places that are wanted, and the order of all; `None` if no place is.
type Placed = ((Vec<usize>, Vec<RowPlace>), Vec<usize>);

fn placed(wanted: &[usize], width: usize, places: &[RowPlace]) -> Option<Placed> {
    let columns: Vec<usize> = wanted.iter().copied().filter(|column| *column < width).collect();
    if columns.len() == wanted.len() {
        return None;
    }
    let (mut found, mut order, mut next) = (Vec::new(), Vec::new(), 0);
    for column in wanted {
        match column.checked_sub(width).and_then(|nth| places.get(nth)) {
            None => {
                order.push(next);
                next += 1;
            }
            Some(place) => {
                order.push(columns.len() + found.len());
                found.push(*place);
            }
        }
    }
    Some(((columns, found), order))
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
        Ok(Parsed { batches, left_out: ledger.left_out })
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
