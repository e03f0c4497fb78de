//! Runs one query from text to rows: the session, its limits, and the order of rows.

use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError, SyncSender, sync_channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use datafusion::arrow::array::RecordBatch;
use datafusion::arrow::datatypes::{Field, Schema, SchemaRef};
use datafusion::common::{DataFusionError, TableReference};
use datafusion::execution::context::SQLOptions;
use datafusion::execution::disk_manager::DiskManagerBuilder;
use datafusion::execution::memory_pool::FairSpillPool;
use datafusion::execution::runtime_env::RuntimeEnvBuilder;
use datafusion::execution::{SendableRecordBatchStream, SessionState, TaskContext};
use datafusion::logical_expr::LogicalPlan;
use datafusion::physical_plan::{ExecutionPlan, execute_stream, execute_stream_partitioned};
use datafusion::prelude::{SessionConfig, SessionContext};
use futures::StreamExt;
use tokio::runtime::Runtime;
use tokio::sync::mpsc;

use super::layout::Input;
use super::order::{self, RowOrder};
use super::request::QueryRequest;
use super::sequence;
use super::spill::SpillFiles;
use super::stream::ScanStats;
use super::table::{self, OpenTable};
use super::text::{LeftOut, type_name};
use super::{detect, dialect, exact};
use crate::error::{Error, Kind, Result};
use crate::reader::Reader;

/// Limits memory if the consumer is slow; counts per partition.
const WAITING: usize = 16;

/// Bytes of stack per thread: plans are deep, and the engine recurses.
const STACK: usize = 8 << 20;

pub(crate) trait Rows {
    /// Called once, before all rows.
    fn begin(&mut self, schema: &SchemaRef) -> Result<()>;

    /// Returns whether it wants more.
    fn take(&mut self, batch: &RecordBatch) -> Result<ControlFlow<()>>;
}

#[derive(Debug)]
pub(crate) struct QuerySummary {
    pub input: Input,
    /// Names and types of the columns of the result.
    pub columns: Vec<(String, String)>,
    pub scanned: u64,
    /// The number of invalid sequences, and the offset of the first one.
    pub invalid: Option<(u64, u64)>,
    pub left_out: LeftOut,
    /// Bytes written to temporary files.
    pub spilled: u64,
}

/// The query runs on its own threads. After a timeout, or once `rows` wants no more, rread abandons them: it
/// cannot interrupt planning, a busy worker or a silent pipe.
pub(crate) fn run(
    reader: &Arc<Reader>,
    path: &Path,
    request: &QueryRequest,
    rows: &mut dyn Rows,
) -> Result<QuerySummary> {
    let (sender, messages) = sync_channel(WAITING);
    let query = QueryRun {
        reader: Arc::clone(reader),
        path: path.to_owned(),
        request: request.clone(),
        stats: Arc::default(),
        threads: std::thread::available_parallelism().map_or(1, usize::from),
    };
    let work = move || {
        let summary = query.run(&sender);
        // The receiver may be gone.
        let _ = sender.send(Message::Finished(Box::new(summary)));
    };
    let no_thread = |cause| Error::read("cannot start a thread", &cause);
    std::thread::Builder::new().name("query".to_owned()).stack_size(STACK).spawn(work).map_err(no_thread)?;
    let deadline = request.timeout.map(|limit| (Instant::now() + limit, limit));
    let mut stopped = None;
    loop {
        match next(&messages, deadline)? {
            Message::Columns(schema) => {
                rows.begin(&schema)?;
                stopped = Some(schema);
            }
            Message::Rows(batch, so_far) => {
                if rows.take(&batch)?.is_break() {
                    return Ok(so_far.summary(stopped.as_deref()));
                }
            }
            Message::Finished(summary) => return *summary,
        }
    }
}

fn next(messages: &Receiver<Message>, deadline: Option<(Instant, Duration)>) -> Result<Message> {
    let gone = || Error::new(Kind::Io, "the query ended without a result");
    let Some((deadline, limit)) = deadline else { return messages.recv().map_err(|_| gone()) };
    messages.recv_timeout(deadline.saturating_duration_since(Instant::now())).map_err(|cause| match cause {
        RecvTimeoutError::Disconnected => gone(),
        RecvTimeoutError::Timeout => {
            let waited = humantime::format_duration(limit);
            Error::new(Kind::Io, format!("the query did not finish within {waited}"))
                .hint("raise --timeout, or query less data")
        }
    })
}

enum Message {
    Columns(SchemaRef),
    Rows(RecordBatch, Arc<SoFar>),
    Finished(Box<Result<QuerySummary>>),
}

struct SoFar {
    input: Input,
    stats: Arc<ScanStats>,
    left_out: Arc<Mutex<LeftOut>>,
    spilled: Arc<AtomicU64>,
}

impl SoFar {
    fn summary(&self, schema: Option<&Schema>) -> QuerySummary {
        QuerySummary {
            input: self.input,
            columns: schema.map(described).unwrap_or_default(),
            scanned: self.stats.bytes(),
            invalid: self.stats.invalid(),
            left_out: self.left_out.lock().unwrap_or_else(PoisonError::into_inner).clone(),
            spilled: self.spilled.load(Ordering::Relaxed),
        }
    }
}

struct QueryRun {
    reader: Arc<Reader>,
    path: PathBuf,
    request: QueryRequest,
    stats: Arc<ScanStats>,
    threads: usize,
}

struct PlannedQuery {
    plan: Arc<dyn ExecutionPlan>,
    order: RowOrder,
    context: Arc<TaskContext>,
}

impl QueryRun {
    fn run(&self, sender: &SyncSender<Message>) -> Result<QuerySummary> {
        let runtime = tokio::runtime::Builder::new_multi_thread()
            .worker_threads(self.threads)
            .thread_name("query")
            .thread_stack_size(STACK)
            .enable_time()
            .build()
            .map_err(|cause| Error::read("cannot start a thread", &cause))?;
        let summary = self.answer(&runtime, sender);
        runtime.shutdown_background();
        summary
    }

    fn answer(&self, runtime: &Runtime, sender: &SyncSender<Message>) -> Result<QuerySummary> {
        let opened = runtime.block_on(table::open(&self.reader, &self.path, &self.request, &self.stats))?;
        let columns = described(&opened.provider.schema());
        let complain = |error: DataFusionError| dialect::complaint(&error, &self.request.sql, &columns);
        let spills = SpillFiles::default();
        let so_far = Arc::new(SoFar {
            input: opened.input,
            stats: Arc::clone(&self.stats),
            left_out: Arc::clone(&opened.left_out),
            spilled: spills.written(),
        });
        let planned = runtime.block_on(self.plan(&opened, spills))?;
        let schema = planned.plan.schema();
        let summary = || so_far.summary(Some(&schema));
        if sender.send(Message::Columns(Arc::clone(&schema))).is_err() {
            return Ok(summary());
        }
        let partitions = {
            // Creating a stream spawns tasks, which need the runtime.
            let _inside = runtime.enter();
            start(&planned).map_err(complain)?
        };
        for mut partition in partitions {
            while let Some(batch) = partition.blocking_recv() {
                let rows = Message::Rows(batch.map_err(complain)?, Arc::clone(&so_far));
                if sender.send(rows).is_err() {
                    return Ok(summary());
                }
            }
        }
        Ok(summary())
    }

    async fn plan(&self, opened: &OpenTable, spills: SpillFiles) -> Result<PlannedQuery> {
        let schema = opened.provider.schema();
        let columns = described(&schema);
        let complain = |error: DataFusionError| dialect::complaint(&error, &self.request.sql, &columns);
        let names: Vec<String> = schema.fields().iter().map(|field| field.name().clone()).collect();
        let tables = detect::names(&self.path);
        let statement = dialect::statement(&self.request.sql, &names, &tables)?;
        let context = self.session(spills).map_err(complain)?;
        dialect::register(&context)?;
        exact::register(&context);
        for table in &tables {
            let name = TableReference::bare(table.as_str());
            context.register_table(name, Arc::clone(&opened.provider)).map_err(complain)?;
        }
        let mut state = context.state();
        let logical = state.statement_to_plan(statement).await.map_err(complain)?;
        // The parser accepts more than queries.
        let only_queries =
            SQLOptions::new().with_allow_ddl(false).with_allow_dml(false).with_allow_statements(false);
        only_queries.verify_plan(&logical).map_err(complain)?;
        let order = order::of(&logical, self.request.repeatable).map_err(complain)?;
        let mut plan = self.physical(&mut state, &logical, order).await.map_err(complain)?;
        if order == RowOrder::Any && sequence::has_nested_loops(&plan).map_err(complain)? {
            // A nested-loop join that spills reads one side again, which the engine cannot do across partitions.
            plan = self.physical(&mut state, &logical, RowOrder::Same).await.map_err(complain)?;
        }
        Ok(PlannedQuery { plan, order, context: state.task_ctx() })
    }

    async fn physical(
        &self,
        state: &mut SessionState,
        logical: &LogicalPlan,
        order: RowOrder,
    ) -> datafusion::common::Result<Arc<dyn ExecutionPlan>> {
        let options = state.config_mut().options_mut();
        options.execution.target_partitions = if order == RowOrder::Same { 1 } else { self.threads };
        options.optimizer.enable_round_robin_repartition = order == RowOrder::Any;
        let plan = state.create_physical_plan(logical).await?;
        if order == RowOrder::Same { sequence::in_order(plan) } else { Ok(plan) }
    }

    fn session(&self, spills: SpillFiles) -> datafusion::common::Result<SessionContext> {
        let mut config = SessionConfig::new();
        // Errors then have a position in the query.
        config.options_mut().sql_parser.collect_spans = true;
        let disk = DiskManagerBuilder::default().with_temp_file_factory(Arc::new(spills));
        let runtime = RuntimeEnvBuilder::new()
            .with_memory_pool(Arc::new(FairSpillPool::new(self.request.memory)))
            .with_disk_manager_builder(disk)
            .build_arc()?;
        Ok(SessionContext::new_with_config_rt(config, runtime))
    }
}

type Partition = mpsc::Receiver<datafusion::common::Result<RecordBatch>>;

/// One stream, or one per file partition in the order of the file.
fn start(planned: &PlannedQuery) -> datafusion::common::Result<Vec<Partition>> {
    let PlannedQuery { plan, order, context } = planned;
    let streams = match order {
        RowOrder::File => execute_stream_partitioned(Arc::clone(plan), Arc::clone(context))?,
        RowOrder::Any | RowOrder::Same => vec![execute_stream(Arc::clone(plan), Arc::clone(context))?],
    };
    Ok(streams.into_iter().map(forward).collect())
}

/// Lets the runtime read ahead of the consumer.
fn forward(mut stream: SendableRecordBatchStream) -> Partition {
    let (sender, partition) = mpsc::channel(WAITING);
    tokio::spawn(async move {
        while let Some(batch) = stream.next().await {
            let is_over = batch.is_err();
            if sender.send(batch).await.is_err() || is_over {
                break;
            }
        }
    });
    partition
}

fn described(schema: &Schema) -> Vec<(String, String)> {
    let describe = |field: &Arc<Field>| (field.name().clone(), type_name(field.data_type()));
    schema.fields().iter().map(describe).collect()
}
