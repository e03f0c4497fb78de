//! Parses chunks into record batches.

use std::sync::Arc;

use datafusion::arrow::datatypes::{FieldRef, Schema, SchemaRef};

use super::chunks::Chunk;
use super::csv::CsvParser;
use super::json::JsonParser;
use super::rejected::Parsed;
use super::types::TextSchema;
use rread_text::error::Result;
use rread_text::layout::Layout;

#[derive(Debug)]
pub struct Parser {
    pub(crate) schema: SchemaRef,
    layouts: Layouts,
}

#[derive(Debug)]
enum Layouts {
    Csv(CsvParser),
    Json(JsonParser),
}

impl Parser {
    /// Without a `projection`, reads all columns. With `skip_bad`, counts bad records instead of failing.
    pub fn new(table: &TextSchema, layout: &Layout, projection: Option<&[usize]>, skip_bad: bool) -> Self {
        let fields = table.schema.fields();
        let projection = projection.map_or_else(|| (0..fields.len()).collect(), <[usize]>::to_vec);
        let read: Vec<FieldRef> = projection.iter().map(|column| Arc::clone(&fields[*column])).collect();
        let schema = Arc::new(Schema::new(read));
        let exact = projection.iter().map(|column| table.inferred.get(*column) == Some(&true)).collect();
        let layouts = match layout {
            Layout::Csv(csv) => {
                Layouts::Csv(CsvParser::new(csv, fields.len(), &schema, exact, &projection, skip_bad))
            }
            Layout::Json { header } | Layout::Jsonl { header } => {
                Layouts::Json(JsonParser::new(table, *header, &schema, exact, projection, skip_bad))
            }
        };
        Parser { schema, layouts }
    }

    /// Fails with the line number of the first bad record. A delimited record or a JSON array needs one value per
    /// column; a missing member of an object is NULL.
    pub fn parse(&self, chunk: &Chunk) -> Result<Parsed> {
        match &self.layouts {
            Layouts::Csv(parser) => parser.parse(chunk),
            Layouts::Json(parser) => parser.parse(chunk),
        }
    }
}
