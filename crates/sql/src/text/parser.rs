//! Parses chunks into record batches.

use std::sync::Arc;

use datafusion::arrow::datatypes::{FieldRef, Schema, SchemaRef};

use super::chunks::Chunk;
use super::csv::CsvParser;
use super::json::JsonParser;
use super::rejected::{Parsed, internal};
use super::types::{RowPlace, TextSchema};
use rread_text::{Layout, Result};

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
    /// Without a `projection`, reads all columns. With `skip_bad`, counts bad records instead of failing.
    pub fn new(table: &TextSchema, layout: &Layout, projection: Option<&[usize]>, skip_bad: bool) -> Self {
        Parser::with_places(table, layout, projection, skip_bad, &[])
    }

    /// The same, where the columns after those of `table` are `places`.
    pub(crate) fn with_places(
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
