//! One query from text to rows: the session, its limits, and the order in which rows come.

use std::ops::ControlFlow;
use std::path::Path;
use std::sync::atomic::Ordering;
use std::sync::{Arc, PoisonError};
use std::time::{Duration, Instant};

use datafusion::arrow::array::RecordBatch;
use datafusion::arrow::datatypes::{Field, Schema, SchemaRef};
use datafusion::common::{DataFusionError, TableReference};
use datafusion::execution::context::SQLOptions;
use datafusion::execution::disk_manager::DiskManagerBuilder;
use datafusion::execution::memory_pool::FairSpillPool;
use datafusion::execution::runtime_env::RuntimeEnvBuilder;
use datafusion::execution::{SendableRecordBatchStream, TaskContext};
use datafusion::physical_plan::{ExecutionPlan, execute_stream, execute_stream_partitioned};
use datafusion::prelude::{SessionConfig, SessionContext};
use futures::StreamExt;
use tokio::runtime::Runtime;
use tokio::sync::mpsc;

use super::decoded::Seen;
use super::layout::Input;
use super::order::{self, Order};
use super::spill::Spills;
use super::table::{self, Opened};
use super::text::{Skipped, type_name};
use super::{Asked, detect, dialect, exact};
use crate::error::{Error, Kind, Result};
use crate::reader::Reader;

/// Batches that wait for somebody to take them, of each stretch of the table.
const WAITING: usize = 16;

/// Whoever takes the rows.
pub trait Rows {
    /// The columns, once, before all rows.
    ///
    /// # Errors
    /// Those of writing.
    fn begin(&mut self, schema: &SchemaRef) -> Result<()>;

    /// Some rows; says whether it wants more.
    ///
    /// # Errors
    /// Those of writing.
    fn take(&mut self, batch: &RecordBatch) -> Result<ControlFlow<()>>;
}

/// What there is to say of a query when it has ended.
#[derive(Debug)]
pub struct Ended {
    /// What kind of table it was.
    pub input: Input,
    /// Names and types of the columns of the result.
    pub columns: Vec<(String, String)>,
    /// Bytes of the file that were read.
    pub scanned: u64,
    /// Sequences that were no text, and the offset of the first.
    pub invalid: Option<(u64, u64)>,
    /// Records that were left out.
    pub skipped: Skipped,
    /// Bytes that did not fit into memory and were written to temporary files.
    pub spilled: u64,
}

/// Answers `asked` of the table in `reader`, which was opened as `path`.
///
/// # Errors
/// `usage` for what is wrong with the query, `invalid_text` for what is wrong with the table, `io` where memory or time
/// did not suffice, and those of reading and of `rows`.
pub fn run(reader: &Arc<Reader>, path: &Path, asked: &Asked<'_>, rows: &mut dyn Rows) -> Result<Ended> {
    let threads = std::thread::available_parallelism().map_or(1, usize::from);
    let runtime = tokio::runtime::Builder::new_multi_thread()
        .worker_threads(threads)
        .thread_name("query")
        .enable_time()
        .build()
        .map_err(|cause| Error::read("cannot start a thread", &cause))?;
    let deadline = asked.timeout.map(|patience| (Instant::now() + patience, patience));
    let query = Query { reader, path, asked, seen: Arc::default(), threads, deadline };
    let ended = query.run(&runtime, rows);
    // What waits for a server or a pipe is not waited for.
    runtime.shutdown_background();
    ended
}

struct Query<'a> {
    reader: &'a Arc<Reader>,
    path: &'a Path,
    asked: &'a Asked<'a>,
    seen: Arc<Seen>,
    threads: usize,
    deadline: Option<(Instant, Duration)>,
}

/// A plan that is ready to run, and in which order its rows come.
struct Planned {
    plan: Arc<dyn ExecutionPlan>,
    order: Order,
    context: Arc<TaskContext>,
}

impl Query<'_> {
    fn run(&self, runtime: &Runtime, rows: &mut dyn Rows) -> Result<Ended> {
        let opened = runtime.block_on(table::open(self.reader, self.path, self.asked, &self.seen))?;
        let columns = described(&opened.provider.schema());
        let complain = |error: DataFusionError| dialect::complaint(&error, self.asked.sql, &columns);
        let spills = Spills::default();
        let spilled = spills.written();
        let planned = runtime.block_on(self.plan(&opened, spills))?;
        let schema = planned.plan.schema();
        rows.begin(&schema)?;
        let mut parts = {
            // Streams start tasks as they are made.
            let _inside = runtime.enter();
            start(&planned).map_err(complain)?
        };
        'parts: for part in &mut parts {
            while let Some(batch) = self.next(runtime, part)? {
                if rows.take(&batch.map_err(complain)?)?.is_break() {
                    break 'parts;
                }
            }
        }
        let skipped = opened.skipped.lock().unwrap_or_else(PoisonError::into_inner).clone();
        Ok(Ended {
            input: opened.input,
            columns: described(&schema),
            scanned: self.seen.bytes(),
            invalid: self.seen.invalid(),
            skipped,
            spilled: spilled.load(Ordering::Relaxed),
        })
    }

    async fn plan(&self, opened: &Opened, spills: Spills) -> Result<Planned> {
        let schema = opened.provider.schema();
        let columns = described(&schema);
        let complain = |error: DataFusionError| dialect::complaint(&error, self.asked.sql, &columns);
        let names: Vec<String> = schema.fields().iter().map(|field| field.name().clone()).collect();
        let tables = detect::names(self.path);
        let statement = dialect::statement(self.asked.sql, &names, &tables)?;
        let context = self.session(spills).map_err(complain)?;
        dialect::register(&context)?;
        exact::register(&context);
        for table in &tables {
            let name = TableReference::bare(table.as_str());
            context.register_table(name, Arc::clone(&opened.provider)).map_err(complain)?;
        }
        let mut state = context.state();
        let plan = state.statement_to_plan(statement).await.map_err(complain)?;
        // Whatever the parser has let pass.
        let only_queries =
            SQLOptions::new().with_allow_ddl(false).with_allow_dml(false).with_allow_statements(false);
        only_queries.verify_plan(&plan).map_err(complain)?;
        let order = order::of(&plan, self.asked.repeatable).map_err(complain)?;
        let options = state.config_mut().options_mut();
        options.execution.target_partitions = if order == Order::Same { 1 } else { self.threads };
        options.optimizer.enable_round_robin_repartition = order == Order::Any;
        let plan = state.create_physical_plan(&plan).await.map_err(complain)?;
        Ok(Planned { plan, order, context: state.task_ctx() })
    }

    fn session(&self, spills: Spills) -> datafusion::common::Result<SessionContext> {
        let mut config = SessionConfig::new();
        // Messages say where in the query something is.
        config.options_mut().sql_parser.collect_spans = true;
        let disk = DiskManagerBuilder::default().with_temp_file_factory(Arc::new(spills));
        let runtime = RuntimeEnvBuilder::new()
            .with_memory_pool(Arc::new(FairSpillPool::new(self.asked.memory)))
            .with_disk_manager_builder(disk)
            .build_arc()?;
        Ok(SessionContext::new_with_config_rt(config, runtime))
    }

    /// What comes next of `part`, if that is in time.
    fn next(
        &self,
        runtime: &Runtime,
        part: &mut Part,
    ) -> Result<Option<datafusion::common::Result<RecordBatch>>> {
        let Some((deadline, patience)) = self.deadline else { return Ok(part.blocking_recv()) };
        let left = deadline.saturating_duration_since(Instant::now());
        runtime.block_on(async { tokio::time::timeout(left, part.recv()).await }).map_err(|_| {
            let waited = humantime::format_duration(patience);
            Error::new(Kind::Io, format!("the query was not answered within {waited}"))
                .hint("give more time with --timeout, or ask for less")
        })
    }
}

/// Rows that come in order.
type Part = mpsc::Receiver<datafusion::common::Result<RecordBatch>>;

/// Sets the plan going: in one part, or in as many as the file is read in, each of which comes before the next.
fn start(planned: &Planned) -> datafusion::common::Result<Vec<Part>> {
    let Planned { plan, order, context } = planned;
    let streams = match order {
        Order::File => execute_stream_partitioned(Arc::clone(plan), Arc::clone(context))?,
        Order::Any | Order::Same => vec![execute_stream(Arc::clone(plan), Arc::clone(context))?],
    };
    Ok(streams.into_iter().map(forward).collect())
}

/// Has the runtime work ahead of whoever takes the rows.
fn forward(mut stream: SendableRecordBatchStream) -> Part {
    let (sender, part) = mpsc::channel(WAITING);
    tokio::spawn(async move {
        while let Some(batch) = stream.next().await {
            let is_over = batch.is_err();
            if sender.send(batch).await.is_err() || is_over {
                break;
            }
        }
    });
    part
}

/// Names and types of columns, in words.
fn described(schema: &Schema) -> Vec<(String, String)> {
    let describe = |field: &Arc<Field>| (field.name().clone(), type_name(field.data_type()));
    schema.fields().iter().map(describe).collect()
}
