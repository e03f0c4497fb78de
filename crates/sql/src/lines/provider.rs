//! A table of lines or of records as the engine sees it.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};

use async_trait::async_trait;
use datafusion::arrow::datatypes::SchemaRef;
use datafusion::catalog::{Session, TableProvider};
use datafusion::datasource::TableType;
use datafusion::error::Result;
use datafusion::execution::{SendableRecordBatchStream, TaskContext};
use datafusion::logical_expr::{Expr, TableProviderFilterPushDown};
use datafusion::physical_plan::ExecutionPlan;
use datafusion::physical_plan::streaming::{PartitionStream, StreamingTableExec};

use super::blocks::{Block, BlockSizes, Blocks};
use super::conditions;
use super::head::LinesHead;
use super::numbers::Numbers;
use super::parser::BlockParser;
use crate::scan::{CHUNK, LONGEST_RECORD, in_order, is_small};
use crate::stream::TableFile;
use crate::text::LeftOut;

/// A table of lines or of records.
#[derive(Clone, Debug)]
pub(crate) struct LinesTable {
    file: Arc<TableFile>,
    head: Arc<LinesHead>,
    skip_bad: bool,
    pub left_out: Arc<Mutex<LeftOut>>,
    /// Whether a condition of the query is about the time.
    pub bounds_time: Arc<AtomicBool>,
}

impl LinesTable {
    pub fn new(file: &Arc<TableFile>, head: LinesHead, skip_bad: bool) -> Self {
        let (left_out, bounds_time) = (Arc::default(), Arc::default());
        LinesTable { file: Arc::clone(file), head: Arc::new(head), skip_bad, left_out, bounds_time }
    }
}

#[async_trait]
impl TableProvider for LinesTable {
    fn schema(&self) -> SchemaRef {
        Arc::clone(&self.head.columns.schema)
    }

    fn table_type(&self) -> TableType {
        TableType::Base
    }

    fn supports_filters_pushdown(&self, filters: &[&Expr]) -> Result<Vec<TableProviderFilterPushDown>> {
        if filters.iter().any(|filter| conditions::bounds_time(filter)) {
            self.bounds_time.store(true, Ordering::Relaxed);
        }
        let supports =
            |filter: &&Expr| match conditions::literals(filter).is_some() || Numbers::of(filter).is_some() {
                true => TableProviderFilterPushDown::Inexact,
                false => TableProviderFilterPushDown::Unsupported,
            };
        Ok(filters.iter().map(supports).collect())
    }

    async fn scan(
        &self,
        _: &dyn Session,
        projection: Option<&Vec<usize>>,
        filters: &[Expr],
        limit: Option<usize>,
    ) -> Result<Arc<dyn ExecutionPlan>> {
        let all: Vec<usize> = (0..self.head.columns.columns.len()).collect();
        let projection = projection.map_or(&all[..], Vec::as_slice);
        let literals = conditions::of_all(filters);
        let parsed = self.head.parsed.clone();
        let columns = &self.head.columns;
        let parser = BlockParser::new(&self.file, columns, projection, literals, self.skip_bad, parsed);
        let schema = Arc::clone(&parser.schema);
        let (parser, numbers) = (Arc::new(parser), Numbers::of_all(filters));
        let scan = LinesScan { table: self.clone(), parser, numbers, all: limit.is_none() };
        Ok(Arc::new(StreamingTableExec::try_new(schema, vec![Arc::new(scan)], None, [], false, limit)?))
    }
}

#[derive(Clone)]
struct LinesScan {
    table: LinesTable,
    parser: Arc<BlockParser>,
    /// The lines that the query needs.
    numbers: Numbers,
    all: bool,
}

impl std::fmt::Debug for LinesScan {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("LinesScan")
    }
}

impl LinesScan {
    fn blocks(&self) -> rread_text::error::Result<Blocks> {
        let LinesTable { file, head, .. } = &self.table;
        // A wider unit is as many bytes of text.
        let target = CHUNK / file.reader.units().width() * file.reader.units().width();
        let sizes = BlockSizes { target, longest: LONGEST_RECORD };
        let spans = head.spans_of(file, self.numbers)?;
        if self.all
            && let (Some(first), Some(last)) = (spans.first(), spans.last())
        {
            let end = last.end.min(file.reader.known_size().unwrap_or(u64::MAX));
            file.reader.source().advise(first.start..end.max(first.start));
        }
        Ok(Blocks::new(file, spans, head.times.clone(), self.parser.counts(), sizes))
    }
}

impl PartitionStream for LinesScan {
    fn schema(&self) -> &SchemaRef {
        &self.parser.schema
    }

    fn execute(&self, _: Arc<TaskContext>) -> SendableRecordBatchStream {
        let (scan, mut open) = (self.clone(), None);
        let next = move || match &mut open {
            None => open.insert(scan.blocks()?).next(),
            Some(blocks) => blocks.next(),
        };
        let parser = Arc::clone(&self.parser);
        let parse = move |block: Block| parser.parse(&block);
        let left_out = Arc::clone(&self.table.left_out);
        let is_small = is_small(self.table.file.reader.known_size());
        in_order(&self.parser.schema, is_small, next, Arc::new(parse), left_out)
    }
}
