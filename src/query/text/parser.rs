//! Parses chunks into record batches.

use super::chunks::Chunk;
use super::csv::CsvParser;
use super::json::JsonParser;
use super::ledger::Parsed;
use super::schema::TextSchema;
use crate::error::Result;
use crate::query::layout::Layout;

/// Parses chunks of one table, on several threads at once.
pub struct Parser(Layouts);

enum Layouts {
    Csv(CsvParser),
    Json(JsonParser),
}

impl Parser {
    /// Without a `projection`, reads all columns. With `skip_bad`, counts bad records instead of failing.
    pub fn new(table: &TextSchema, layout: &Layout, projection: Option<&[usize]>, skip_bad: bool) -> Self {
        let all: Vec<usize>;
        let projection = match projection {
            Some(projection) => projection,
            None => {
                all = (0..table.schema.fields().len()).collect();
                &all
            }
        };
        Parser(match layout {
            Layout::Csv(csv) => Layouts::Csv(CsvParser::new(table, csv, projection, skip_bad)),
            Layout::Json { header } | Layout::Jsonl { header } => {
                Layouts::Json(JsonParser::new(table, *header, projection, skip_bad))
            }
        })
    }

    /// Fails with the line number of the first bad record. A delimited record or a JSON array needs one value per
    /// column; a missing member of an object is NULL.
    pub fn parse(&self, chunk: &Chunk) -> Result<Parsed> {
        match &self.0 {
            Layouts::Csv(parser) => parser.parse(chunk),
            Layouts::Json(parser) => parser.parse(chunk),
        }
    }
}
