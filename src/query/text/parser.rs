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
    /// Reads the columns of `table` that `projection` lists, in its order, or all columns. With `skip_bad`, a
    /// bad record is left out and counted instead of failing.
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

    /// The rows of `chunk`.
    ///
    /// A delimited record must have one value per column, and each value that is read must be NULL or of its
    /// column's type. JSON records are objects, whose missing members are NULL, or arrays with one value per
    /// column.
    ///
    /// # Errors
    /// [`Kind::InvalidText`] with the line number of the first bad record.
    pub fn parse(&self, chunk: &Chunk) -> Result<Parsed> {
        match &self.0 {
            Layouts::Csv(parser) => parser.parse(chunk),
            Layouts::Json(parser) => parser.parse(chunk),
        }
    }
}
