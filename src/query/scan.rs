//! Tables in text as the engine sees them: read sequentially, parsed in parallel, delivered in order.

use std::fmt;
use std::sync::{Arc, Mutex, PoisonError};

use async_trait::async_trait;
use datafusion::arrow::array::RecordBatch;
use datafusion::arrow::datatypes::{Schema, SchemaRef};
use datafusion::catalog::{Session, TableProvider};
use datafusion::common::DataFusionError;
use datafusion::datasource::TableType;
use datafusion::execution::{SendableRecordBatchStream, TaskContext};
use datafusion::logical_expr::Expr;
use datafusion::physical_plan::ExecutionPlan;
use datafusion::physical_plan::stream::RecordBatchStreamAdapter;
use datafusion::physical_plan::streaming::{PartitionStream, StreamingTableExec};
use futures::stream::{self, StreamExt, TryStreamExt};
use tokio::task::{block_in_place, spawn_blocking};

use super::layout::Layout;
use super::stream::{DecodedStream, ScanStats};
use super::text::{Chunk, Chunks, LeftOut, Parser, TextSchema};
use crate::reader::Reader;

/// A few milliseconds of parsing, and little memory for several chunks.
const CHUNK: usize = 1 << 20;

/// A longer record is most likely an open quote.
pub(crate) const LONGEST_RECORD: usize = 64 << 20;

/// Enough to infer the types; read more only if the first record is longer.
pub const SAMPLE: usize = 1 << 20;

#[derive(Clone)]
pub(crate) struct TextTable {
    reader: Arc<Reader>,
    stats: Arc<ScanStats>,
    table: Arc<TextSchema>,
    layout: Layout,
    skip_bad: bool,
    left_out: Arc<Mutex<LeftOut>>,
}

impl fmt::Debug for TextTable {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("TextTable")
    }
}

impl TextTable {
    pub fn new(
        reader: &Arc<Reader>,
        stats: &Arc<ScanStats>,
        table: TextSchema,
        layout: Layout,
        skip_bad: bool,
    ) -> Self {
        TextTable {
            reader: Arc::clone(reader),
            stats: Arc::clone(stats),
            table: Arc::new(table),
            layout,
            skip_bad,
            left_out: Arc::default(),
        }
    }

    /// The scan that left out most counts: a query may scan its table more than once.
    pub fn left_out(&self) -> Arc<Mutex<LeftOut>> {
        Arc::clone(&self.left_out)
    }
}

#[async_trait]
impl TableProvider for TextTable {
    fn schema(&self) -> SchemaRef {
        Arc::clone(&self.table.schema)
    }

    fn table_type(&self) -> TableType {
        TableType::Base
    }

    async fn scan(
        &self,
        _: &dyn Session,
        projection: Option<&Vec<usize>>,
        _: &[Expr],
        limit: Option<usize>,
    ) -> datafusion::common::Result<Arc<dyn ExecutionPlan>> {
        let schema = match projection {
            Some(columns) => Arc::new(self.table.schema.project(columns)?),
            None => Arc::clone(&self.table.schema),
        };
        let parser = Parser::new(&self.table, &self.layout, projection.map(Vec::as_slice), self.skip_bad);
        let scan = TextScan {
            table: self.clone(),
            parser: Arc::new(parser),
            schema: Arc::clone(&schema),
            all: limit.is_none(),
        };
        let exec = StreamingTableExec::try_new(schema, vec![Arc::new(scan)], None, [], false, limit)?;
        Ok(Arc::new(exec))
    }
}

struct TextScan {
    table: TextTable,
    parser: Arc<Parser>,
    schema: Arc<Schema>,
    all: bool,
}

impl fmt::Debug for TextScan {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("TextScan")
    }
}

impl PartitionStream for TextScan {
    fn schema(&self) -> &SchemaRef {
        &self.schema
    }

    fn execute(&self, _: Arc<TaskContext>) -> SendableRecordBatchStream {
        let text = DecodedStream::new(&self.table.reader, &self.table.stats, self.all);
        let chunks = Chunks::new(Box::new(text), &self.table.layout, CHUNK, LONGEST_RECORD);
        let next = |mut chunks: Chunks| async move {
            // Reading may block; the runtime moves the other tasks of this thread elsewhere.
            let next = block_in_place(|| chunks.next()).map_err(DataFusionError::from)?;
            Ok::<_, DataFusionError>(next.map(|chunk| (chunk, chunks)))
        };
        let threads = std::thread::available_parallelism().map_or(1, usize::from);
        let parser = Arc::clone(&self.parser);
        let parse = move |chunk: Chunk| {
            let parser = Arc::clone(&parser);
            async move {
                let parsed = spawn_blocking(move || parser.parse(&chunk)).await;
                parsed
                    .map_err(|cause| DataFusionError::External(cause.into()))?
                    .map_err(DataFusionError::from)
            }
        };
        let (left_out, mut here) = (self.table.left_out(), LeftOut::default());
        let batches = stream::try_unfold(chunks, next)
            .map_ok(parse)
            .try_buffered(threads + 1)
            .map_ok(move |parsed| {
                here.add(parsed.left_out);
                left_out.lock().unwrap_or_else(PoisonError::into_inner).keep_larger(&here);
                stream::iter(parsed.batches.into_iter().map(Ok::<RecordBatch, DataFusionError>))
            })
            .try_flatten()
            .boxed();
        Box::pin(RecordBatchStreamAdapter::new(Arc::clone(&self.schema), batches))
    }
}
