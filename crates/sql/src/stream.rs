//! A file as UTF-8 from front to back, whatever its encoding, and what a query read of it; the rows of text: read sequentially,
//! parsed in parallel, delivered in order.

use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

use datafusion::arrow::array::RecordBatch;
use datafusion::arrow::datatypes::{Schema, SchemaRef};
use datafusion::error::{DataFusionError, Result as EngineResult};
use datafusion::execution::{SendableRecordBatchStream, TaskContext};
use datafusion::physical_plan::ExecutionPlan;
use datafusion::physical_plan::stream::RecordBatchStreamAdapter;
use datafusion::physical_plan::streaming::{PartitionStream, StreamingTableExec};
use futures::stream::{self, StreamExt, TryStreamExt};
use tokio::task::{block_in_place, spawn_blocking};

use super::plans::external;
use super::text::{Chunk, Chunks, LeftOut, Parsed, Parser, RowPlace, TextSchema, TextStream};
use rread_reader::Reader;
use rread_source::limits::processors;
use rread_text::encoding::MAX_CHARACTER;
use rread_text::{Encoding, Layout, Result, Run, TextDecoder};

const REPLACEMENT: &[u8] = "\u{FFFD}".as_bytes();

pub(crate) struct TableFile {
    pub reader: Arc<Reader>,
    bytes: AtomicU64,
    invalid: Mutex<Option<(u64, u64)>>,
}

rread_text::opaque!(TableFile, RowStream);

impl TableFile {
    pub fn new(reader: &Arc<Reader>) -> Arc<Self> {
        let reader = Arc::clone(reader);
        Arc::new(TableFile { reader, bytes: AtomicU64::new(0), invalid: Mutex::default() })
    }

    /// Repeated reads count again.
    pub fn bytes(&self) -> u64 {
        self.bytes.load(Ordering::Relaxed)
    }

    /// The number of invalid sequences, and the offset of the first one.
    pub fn invalid(&self) -> Option<(u64, u64)> {
        *self.invalid.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub(super) fn note_bytes(&self, count: usize) {
        self.bytes.fetch_add(count as u64, Ordering::Relaxed);
    }

    pub(super) fn note_invalid(&self, at: u64) {
        let mut invalid = self.invalid.lock().unwrap_or_else(PoisonError::into_inner);
        let (count, first) = invalid.get_or_insert((0, at));
        *count += 1;
        *first = at.min(*first);
    }
}

pub(crate) struct DecodedStream {
    file: Arc<TableFile>,
    decoder: TextDecoder,
    /// Bytes that were read but not decoded: part of a character.
    rest: Vec<u8>,
    /// The offset of `rest` in the file.
    at: u64,
    begin: u64,
    /// Whether every byte so far is that of the file.
    is_verbatim: bool,
    /// Bytes of a read.
    block: usize,
}

impl DecodedStream {
    pub fn new(file: &Arc<TableFile>, all: bool) -> Self {
        let reader = &file.reader;
        let mark = if reader.decided.bom { reader.encoding().mark().len() as u64 } else { 0 };
        if all {
            reader.source().advise(mark..reader.known_size().unwrap_or(u64::MAX));
        }
        let decoder = TextDecoder::new(reader.encoding());
        let is_verbatim = reader.encoding() == Encoding::Utf8;
        DecodedStream {
            file: Arc::clone(file),
            decoder,
            rest: Vec::new(),
            at: mark,
            begin: mark,
            is_verbatim,
            block: reader.block(),
        }
    }

    /// The beginning, of which about `size` bytes are needed.
    pub fn beginning(file: &Arc<TableFile>, size: usize) -> Self {
        let whole = DecodedStream::new(file, false);
        // A unit of UTF-32 has four bytes.
        DecodedStream { block: whole.block.min(size.next_multiple_of(4)), ..whole }
    }

    /// At the end of the file, a partial character is invalid.
    fn decode(&mut self, at_end: bool, into: &mut Vec<u8>) {
        self.decoder.ends(at_end);
        let note = |at| {
            self.is_verbatim = false;
            self.file.note_invalid(at);
        };
        let used = decode(&mut self.decoder, &self.rest, self.at, at_end, into, note);
        self.rest.drain(..used);
        self.at += used as u64;
    }
}

/// Appends the text of `bytes`, which begin at `at` in the file, and passes the offsets of invalid sequences. Returns how many
/// bytes were used: before the end of the file, a partial character is not.
pub(crate) fn decode(
    decoder: &mut TextDecoder,
    bytes: &[u8],
    at: u64,
    at_end: bool,
    into: &mut Vec<u8>,
    mut note: impl FnMut(u64),
) -> usize {
    let mut used = 0;
    while let Some(run) = decoder.next_run(&bytes[used..], at + used as u64) {
        match run {
            Run::Text(text) => {
                into.extend_from_slice(text.utf8);
                used += text.source.len();
            }
            Run::Cut(bytes) if !at_end && bytes.len() < MAX_CHARACTER => break,
            Run::Invalid(bytes) | Run::Cut(bytes) => {
                into.extend_from_slice(REPLACEMENT);
                note(at + used as u64);
                used += bytes.len();
            }
        }
    }
    used
}

impl TextStream for DecodedStream {
    fn begins_at(&self) -> Option<u64> {
        self.is_verbatim.then_some(self.begin)
    }

    fn read(&mut self, buffer: &mut Vec<u8>) -> Result<bool> {
        let before = buffer.len();
        loop {
            let kept = self.rest.len();
            self.rest.resize(kept + self.block, 0);
            let got = self.file.reader.read(&mut self.rest[kept..], self.at + kept as u64);
            self.rest.truncate(kept + got.as_ref().map_or(0, |got| *got));
            let got = got?;
            self.file.note_bytes(got);
            self.decode(got == 0, buffer);
            if buffer.len() > before || got == 0 {
                return Ok(buffer.len() > before);
            }
        }
    }
}

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
    ) -> EngineResult<Arc<dyn ExecutionPlan>> {
        let all: Vec<usize> = (0..self.schema.fields().len()).collect();
        let projection = projection.map_or(&all[..], Vec::as_slice);
        let parser = Parser::new(&self.table, &self.layout, Some(projection), self.skip_bad, &self.places);
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
) -> EngineResult<Arc<dyn ExecutionPlan>> {
    let stream = Arc::new(RowStream { schema: Arc::clone(&schema), start: Box::new(start) });
    Ok(Arc::new(StreamingTableExec::try_new(schema, vec![stream], None, [], false, limit)?))
}

struct RowStream {
    schema: SchemaRef,
    start: Box<dyn Fn() -> SendableRecordBatchStream + Send + Sync>,
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
    parse: Arc<dyn Fn(C) -> Result<Parsed> + Send + Sync>,
    left_out: Arc<Mutex<LeftOut>>,
) -> SendableRecordBatchStream
where
    C: Send + 'static,
    N: FnMut() -> Result<Option<C>> + Send + 'static,
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
