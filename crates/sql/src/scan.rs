//! The rows of text: read sequentially, parsed in parallel, delivered in order.

use std::fmt;
use std::sync::{Arc, Mutex, PoisonError};

use datafusion::arrow::array::RecordBatch;
use datafusion::arrow::datatypes::{Schema, SchemaRef};
use datafusion::error::{DataFusionError, Result};
use datafusion::execution::{SendableRecordBatchStream, TaskContext};
use datafusion::physical_plan::ExecutionPlan;
use datafusion::physical_plan::stream::RecordBatchStreamAdapter;
use datafusion::physical_plan::streaming::{PartitionStream, StreamingTableExec};
use futures::stream::{self, StreamExt, TryStreamExt};
use tokio::task::{block_in_place, spawn_blocking};

use super::plans::external;
use super::stream::{DecodedStream, TableFile};
use super::text::{Chunk, Chunks, LeftOut, Parsed, Parser, RowPlace, TextSchema};
use rread_source::limits::processors;
use rread_text::Layout;

/// A few milliseconds of parsing, and little memory for several chunks.
pub(crate) const CHUNK: usize = 1 << 20;

pub(crate) const LONGEST_RECORD: usize = 64 << 20;

/// Enough to infer the types; read more only if the first record is longer.
pub const SAMPLE: usize = 1 << 20;

#[derive(Clone, Debug)]
pub(crate) struct TextTable {
    file: Arc<TableFile>,
    table: Arc<TextSchema>,
    layout: Layout,
    skip_bad: bool,
    /// Hidden columns, after those of the table.
    places: Vec<RowPlace>,
    schema: SchemaRef,
    /// The scan that left out most counts: a query may scan its table more than once.
    pub left_out: Arc<Mutex<LeftOut>>,
}

impl TextTable {
    /// `places` are hidden columns after those of `table`.
    pub fn new(
        file: &Arc<TableFile>,
        table: TextSchema,
        layout: Layout,
        skip_bad: bool,
        places: Vec<RowPlace>,
    ) -> Self {
        let own = table.schema.fields().iter().cloned();
        let fields: Vec<_> = own.chain(places.iter().map(|place| Arc::new(place.field()))).collect();
        let (file, table, schema) = (Arc::clone(file), Arc::new(table), Arc::new(Schema::new(fields)));
        TextTable { file, table, layout, skip_bad, places, schema, left_out: Arc::default() }
    }

    pub fn schema(&self) -> &SchemaRef {
        &self.schema
    }

    /// The rows of these columns.
    pub fn scan(
        &self,
        projection: Option<&Vec<usize>>,
        limit: Option<usize>,
    ) -> Result<Arc<dyn ExecutionPlan>> {
        let all: Vec<usize> = (0..self.schema.fields().len()).collect();
        let projection = projection.map_or(&all[..], Vec::as_slice);
        let parser =
            Parser::with_places(&self.table, &self.layout, Some(projection), self.skip_bad, &self.places);
        let (table, schema) = (self.clone(), Arc::clone(&parser.schema));
        let (parser, all) = (Arc::new(parser), limit.is_none());
        streaming(schema, limit, move || {
            let text = DecodedStream::new(&table.file, all);
            let mut chunks = Chunks::new(Box::new(text), &table.layout, CHUNK, LONGEST_RECORD);
            let is_small = is_small(table.file.reader.known_size());
            let (schema, parser) = (Arc::clone(&parser.schema), Arc::clone(&parser));
            let parse = move |chunk: Chunk| parser.parse(&chunk);
            in_order(&schema, is_small, move || chunks.next(), Arc::new(parse), Arc::clone(&table.left_out))
        })
    }
}

/// A plan whose rows `start` starts.
pub(crate) fn streaming(
    schema: SchemaRef,
    limit: Option<usize>,
    start: impl Fn() -> SendableRecordBatchStream + Send + Sync + 'static,
) -> Result<Arc<dyn ExecutionPlan>> {
    let stream = Arc::new(RowStream { schema: Arc::clone(&schema), start: Box::new(start) });
    Ok(Arc::new(StreamingTableExec::try_new(schema, vec![stream], None, [], false, limit)?))
}

struct RowStream {
    schema: SchemaRef,
    start: Box<dyn Fn() -> SendableRecordBatchStream + Send + Sync>,
}

impl fmt::Debug for RowStream {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("RowStream")
    }
}

impl PartitionStream for RowStream {
    fn schema(&self) -> &SchemaRef {
        &self.schema
    }

    fn execute(&self, _: Arc<TaskContext>) -> SendableRecordBatchStream {
        (self.start)()
    }
}

/// Whether a text has one chunk: another thread would take longer to wake than to parse it.
pub(crate) fn is_small(size: Option<u64>) -> bool {
    size.is_some_and(|size| size <= CHUNK as u64)
}

/// The rows of the chunks that `next` reads one after another: `parse` makes them side by side, unless the text is small,
/// and they come in order.
pub(crate) fn in_order<C, N>(
    schema: &SchemaRef,
    is_small: bool,
    next_chunk: N,
    parse: Arc<dyn Fn(C) -> rread_text::error::Result<Parsed> + Send + Sync>,
    left_out: Arc<Mutex<LeftOut>>,
) -> SendableRecordBatchStream
where
    C: Send + 'static,
    N: FnMut() -> rread_text::error::Result<Option<C>> + Send + 'static,
{
    let next = |mut next_chunk: N| async move {
        // Reading may block; the runtime moves the other tasks of this thread elsewhere.
        Ok::<_, DataFusionError>(
            block_in_place(&mut next_chunk).map_err(external)?.map(|chunk| (chunk, next_chunk)),
        )
    };
    let threads = processors();
    let parse = move |chunk: C| {
        let parse = Arc::clone(&parse);
        async move {
            if is_small {
                return block_in_place(|| parse(chunk)).map_err(external);
            }
            let parsed = spawn_blocking(move || parse(chunk)).await;
            parsed.map_err(|cause| DataFusionError::External(cause.into()))?.map_err(external)
        }
    };
    let mut here = LeftOut::default();
    let batches = stream::try_unfold(next_chunk, next)
        .map_ok(parse)
        .try_buffered(threads + 1)
        .map_ok(move |parsed| {
            here.add(parsed.left_out);
            left_out.lock().unwrap_or_else(PoisonError::into_inner).keep_larger(here.clone());
            stream::iter(parsed.batches.into_iter().map(Ok::<RecordBatch, DataFusionError>))
        })
        .try_flatten()
        .boxed();
    Box::pin(RecordBatchStreamAdapter::new(Arc::clone(schema), batches))
}
