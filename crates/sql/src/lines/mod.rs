//! Lines of text, and records of logs, as tables.
//!
//! `head` looks at a file: `columns` has its columns. `blocks` cuts it into whole lines or records, finds them and makes batches;
//! `level` finds their levels; `parsed` adds the values of the `forms` of records. `conditions` says which
//! rows the scan passes over.

mod blocks;
mod conditions;
mod forms;
mod head;
mod level;
#[cfg(test)]
mod naive_tests;
mod parsed;

use std::sync::{Arc, Mutex};

use blocks::{Block, BlockParser, BlockSizes, Blocks};
use datafusion::arrow::datatypes::SchemaRef;
use datafusion::error::Result;
use datafusion::logical_expr::{Expr, TableProviderFilterPushDown};
use datafusion::physical_plan::ExecutionPlan;

use crate::stream::{CHUNK, LONGEST_RECORD, TableFile, in_order, is_small, streaming};
use crate::text::LeftOut;

pub(crate) use conditions::bounds_time;
pub use head::LogTime;
pub(crate) use head::{LinesHead, head};

/// A table of lines or of records.
#[derive(Clone, Debug)]
pub(crate) struct LinesTable {
    file: Arc<TableFile>,
    head: Arc<LinesHead>,
    skip_bad: bool,
    pub left_out: Arc<Mutex<LeftOut>>,
}

impl LinesTable {
    pub fn new(file: &Arc<TableFile>, head: LinesHead, skip_bad: bool) -> Self {
        LinesTable { file: Arc::clone(file), head: Arc::new(head), skip_bad, left_out: Arc::default() }
    }

    pub fn schema(&self) -> &SchemaRef {
        &self.head.columns.schema
    }

    /// Whether rows that `filter` excludes can be left out: its literals say which.
    pub fn support(filter: &Expr) -> TableProviderFilterPushDown {
        match conditions::literals(filter).is_some() {
            true => TableProviderFilterPushDown::Inexact,
            false => TableProviderFilterPushDown::Unsupported,
        }
    }

    /// The rows of these columns that `filters` may keep.
    pub fn scan(
        &self,
        projection: Option<&Vec<usize>>,
        filters: &[Expr],
        limit: Option<usize>,
    ) -> Result<Arc<dyn ExecutionPlan>> {
        let all: Vec<usize> = (0..self.head.columns.columns.len()).collect();
        let projection = projection.map_or(&all[..], Vec::as_slice);
        let literals = conditions::of_all(filters);
        let (columns, parsed) = (&self.head.columns, self.head.parsed.clone());
        let parser = BlockParser::new(&self.file, columns, projection, literals, self.skip_bad, parsed);
        let (table, schema) = (self.clone(), Arc::clone(&parser.schema));
        let (parser, all) = (Arc::new(parser), limit.is_none());
        streaming(schema, limit, move || {
            let (parser, here, mut open) = (Arc::clone(&parser), table.clone(), None);
            let counts = parser.counts();
            let next = move || match &mut open {
                None => open.insert(here.blocks(counts, all)).next(),
                Some(blocks) => blocks.next(),
            };
            let is_small = is_small(table.file.reader.known_size());
            let schema = Arc::clone(&parser.schema);
            let parse = move |block: Block| parser.parse(&block);
            in_order(&schema, is_small, next, Arc::new(parse), Arc::clone(&table.left_out))
        })
    }

    /// The blocks; `counts` if their lines are counted, `all` if all rows are read.
    fn blocks(&self, counts: bool, all: bool) -> Blocks {
        let LinesTable { file, head, .. } = self;
        // A wider unit is as many bytes of text.
        let target = CHUNK / file.reader.units().width * file.reader.units().width;
        let sizes = BlockSizes { target, longest: LONGEST_RECORD };
        let spans = head.read_spans();
        if all && let (Some(first), Some(last)) = (spans.first(), spans.last()) {
            let end = last.end.min(file.reader.known_size().unwrap_or(u64::MAX));
            file.reader.source().advise(first.start..end.max(first.start));
        }
        Blocks::new(file, spans, head.times.clone(), counts, sizes)
    }
}
