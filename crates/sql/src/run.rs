//! Runs one query from text to rows: the session, its limits, and the order of rows.

use std::collections::BTreeSet;
use std::ops::ControlFlow;
use std::path::Path;
use std::sync::mpsc::{Receiver, RecvTimeoutError, SyncSender, sync_channel};
use std::sync::{Arc, Mutex, OnceLock, PoisonError};
use std::time::{Duration, Instant};

use datafusion::arrow::array::RecordBatch;
use datafusion::arrow::datatypes::{Field, Schema, SchemaRef};
use datafusion::arrow::util::display::array_value_to_string;
use datafusion::error::{DataFusionError, Result as EngineResult};
use datafusion::execution::context::SQLOptions;
use datafusion::execution::disk_manager::DiskManagerBuilder;
use datafusion::execution::runtime_env::RuntimeEnvBuilder;
use datafusion::execution::{SendableRecordBatchStream, SessionState, TaskContext};
use datafusion::logical_expr::LogicalPlan;
use datafusion::physical_plan::common::spawn_buffered;
use datafusion::physical_plan::stream::RecordBatchStreamAdapter;
use datafusion::physical_plan::{ExecutionPlan, execute_stream, execute_stream_partitioned};
use datafusion::prelude::{SessionConfig, SessionContext};
use futures::future::{Either, select};
use futures::stream::{self, StreamExt};
use tokio::runtime::{Builder, Runtime};

use super::files::TableFiles;
use super::files::open::{self, OpenTable};
use super::files::reads::FilesSummary;
use super::lines::LogTime;
use super::memory::QueryMemory;
use super::plans::{self, RowOrder, SpillFiles, Stop, external};
use super::request::{QueryRequest, SentQuery, WorkDone};
use super::sheets::{Sheets, Tables};
use super::text::{LeftOut, type_name};
use super::{dialect, exact, growth, table};
use rread_documents::sheets::Workbook;
use rread_source::access::Watch;
use rread_source::limits::{self, processors};
use rread_text::{Error, Forms, Input, Kind, Result, Sentence, setting};

/// Limits memory if the consumer is slow; counts per partition.
const WAITING: usize = 16;

/// Bytes of stack per thread: plans are deep, and the engine recurses.
const STACK: usize = 8 << 20;

/// Parts of messages about operations on other types.
const OF_TYPES: &str = "these arguments|take arguments|requires String|only supports signed|common type|cannot compute|cannot compare";

/// A table beside t.
#[derive(Clone)]
pub struct NamedTable {
    pub name: String,
    pub files: TableFiles,
}

pub trait Rows {
    fn begin(&mut self, schema: &SchemaRef) -> Result<()>;

    /// Returns whether it wants more.
    fn take(&mut self, batch: &RecordBatch) -> Result<ControlFlow<()>>;
}

#[derive(Debug, Default)]
pub struct QuerySummary {
    pub input: Input,
    /// The times of a log.
    pub time: Option<LogTime>,
    pub columns: Vec<(String, String)>,
    pub scanned: u64,
    /// The number of invalid sequences, and the offset of the first one, if it is of the only file.
    pub invalid: Option<(u64, Option<u64>)>,
    pub left_out: LeftOut,
    /// rread took the first record for the names of the columns, but it may be a row.
    pub is_header_assumed: bool,
    /// The layout of a CSV, in words.
    pub dialect: Option<String>,
    pub spilled: u64,
    /// The files of a table of many.
    pub files: Option<FilesSummary>,
    /// The work of the workers, if there are any.
    pub work: Option<WorkDone>,
    /// The workbook of the table, and whether the query names a sheet of it.
    pub workbook: Option<Workbook>,
    pub is_sheet_named: bool,
    /// Whether the query reads the sheet that is t.
    pub is_sheet_read: bool,
}

/// The query runs on its own threads. After a timeout, or once `rows` wants no more, rread abandons them: it
/// cannot interrupt planning, a busy worker or a silent pipe.
pub fn run(
    t: &TableFiles,
    others: &[NamedTable],
    request: &QueryRequest,
    rows: &mut dyn Rows,
) -> Result<QuerySummary> {
    let (sender, messages) = sync_channel(WAITING);
    let (t, others, request_of_run) = (t.clone(), others.to_vec(), request.clone());
    let query = QueryRun { t, others, request: request_of_run, threads: processors(), is_probe: false };
    let (_wanted, stop) = plans::pair();
    let work = move || {
        let ended = query.answer(&sender, stop);
        let _ = sender.send(Message::Finished(ended));
    };
    let no_thread = |cause| Error::read("cannot start a thread", &cause);
    std::thread::Builder::new().name("query".to_owned()).stack_size(STACK).spawn(work).map_err(no_thread)?;
    let deadline = request.timeout.map(|limit| (Instant::now() + limit, limit));
    let check = request.watch.clone().map(|watch| is_wanted(watch, request.memory));
    let mut is_enough = false;
    loop {
        match next(&messages, deadline, check.as_ref())? {
            Message::Columns(schema) => rows.begin(&schema)?,
            Message::Rows(..) if is_enough => {}
            Message::Rows(batch, so_far) => {
                is_enough = rows.take(&batch)?.is_break();
                match &so_far.sent {
                    // The counts of the workers come after the rows.
                    Some(sent) if is_enough => sent.stop(),
                    None if is_enough => return Ok(so_far.summary()),
                    _ => {}
                }
            }
            Message::Finished(ended) => return ended.map(|so_far| so_far.summary()),
        }
    }
}

/// How often a query that computes is asked whether it is wanted.
const CHECK: Duration = Duration::from_millis(20);

/// Whether a query of a tool may go on: the client waits for it, and the process has not taken too much memory since it began.
fn is_wanted(watch: Arc<dyn Watch>, memory: usize) -> impl Fn() -> Result<()> {
    let most = limits::resident().map(|now| now.saturating_add(limits::most_resident(memory as u64)));
    move || {
        watch.check().map_err(|cause| Error::read("", &cause))?;
        match most.is_some() && limits::resident() > most {
            true => Err(Error::new(Kind::Io, "the query takes too much memory").hint("query smaller values")),
            false => Ok(()),
        }
    }
}

fn next(
    messages: &Receiver<Message>,
    deadline: Option<(Instant, Duration)>,
    check: Option<&impl Fn() -> Result<()>>,
) -> Result<Message> {
    let gone = || Error::new(Kind::Io, "the query ended without a result");
    loop {
        check.map_or(Ok(()), |check| check())?;
        let left = deadline.map(|(at, _)| at.saturating_duration_since(Instant::now()));
        let wait = match (left, check) {
            (None, None) => return messages.recv().map_err(|_| gone()),
            (left, check) => left.unwrap_or(Duration::MAX).min(check.map_or(Duration::MAX, |_| CHECK)),
        };
        match (messages.recv_timeout(wait), deadline) {
            (Ok(message), _) => return Ok(message),
            (Err(RecvTimeoutError::Disconnected), _) => return Err(gone()),
            (Err(RecvTimeoutError::Timeout), Some((at, limit))) if Instant::now() >= at => {
                let waited = humantime::format_duration(limit);
                return Err(Error::new(Kind::Io, format!("the query did not finish within {waited}"))
                    .hint(Sentence::from("raise ").then(setting("timeout")).then(", or query less data")));
            }
            _ => {}
        }
    }
}

enum Message {
    Columns(SchemaRef),
    Rows(RecordBatch, Arc<SoFar>),
    Finished(Result<Arc<SoFar>>),
}

struct SoFar {
    table: OpenTable,
    /// Tables beside t, by name.
    others: Vec<(String, OpenTable)>,
    sheets: Sheets,
    schema: SchemaRef,
    spills: SpillFiles,
    is_header_assumed: bool,
    /// The part that workers do.
    sent: Option<Arc<dyn SentQuery>>,
    work: Mutex<Option<WorkDone>>,
}

impl SoFar {
    fn summary(&self) -> QuerySummary {
        let tables = || [&self.table].into_iter().chain(self.others.iter().map(|(_, table)| table));
        let mut left_out = LeftOut::default();
        for table in tables() {
            left_out.add(table.left_out.lock().unwrap_or_else(PoisonError::into_inner).clone());
        }
        let invalid = tables().filter_map(|table| table.reads.invalid()).map(|(count, _)| count).sum::<u64>();
        let invalid = invalid + left_out.replaced;
        let first_invalid = self.table.reads.invalid().map(|(_, first)| first);
        QuerySummary {
            input: self.table.input,
            time: self.table.time(),
            columns: described(&self.schema),
            scanned: self.sheets.bytes() + tables().map(|table| table.reads.bytes()).sum::<u64>(),
            invalid: (invalid > 0).then_some((invalid, first_invalid)),
            left_out,
            is_header_assumed: self.is_header_assumed,
            dialect: self.table.dialect.clone().filter(|_| self.sheets.is_own_read),
            spilled: self.spills.written(),
            files: self.table.reads.summary(),
            work: *self.work.lock().unwrap_or_else(PoisonError::into_inner),
            workbook: self.table.reads.only().and_then(|file| table::workbook(&file.reader)),
            is_sheet_named: self.sheets.is_any_named,
            is_sheet_read: self.sheets.is_own_read,
        }
    }
}

struct QueryRun {
    t: TableFiles,
    others: Vec<NamedTable>,
    request: QueryRequest,
    threads: usize,
    /// A query of our own, for a message.
    is_probe: bool,
}

/// The threads of all queries of the process. It never ends: tasks of a query that failed may outlive the query, and some
/// that are dropped with their runtime panic.
pub fn runtime() -> Result<&'static Runtime> {
    static RUNTIME: OnceLock<Runtime> = OnceLock::new();
    if let Some(runtime) = RUNTIME.get() {
        return Ok(runtime);
    }
    let built = Builder::new_multi_thread()
        .worker_threads(processors())
        .thread_name("query")
        .thread_stack_size(STACK)
        .enable_all()
        .build()
        .map_err(|cause| Error::read("cannot start a thread", &cause))?;
    Ok(RUNTIME.get_or_init(|| built))
}

struct PlannedQuery {
    plan: Arc<dyn ExecutionPlan>,
    order: RowOrder,
    context: Arc<TaskContext>,
    /// The same plan, if workers do a part of it.
    sent: Option<Arc<dyn SentQuery>>,
}

impl QueryRun {
    fn answer(&self, sender: &SyncSender<Message>, mut stop: Stop) -> Result<Arc<SoFar>> {
        let runtime = runtime()?;
        let table = runtime.block_on(open::open(&self.t, &self.request))?;
        let others = runtime.block_on(self.open_others())?;
        let columns = described(&table.provider.schema());
        let is_header_refused = table.is_header_refused;
        let complain = |error| self.complaint(&error, &columns, is_header_refused);
        let spills = SpillFiles::default();
        let (planned, sheets) = runtime.block_on(self.plan(&table, &others, &spills)).map_err(complain)?;
        // An object of JSON has each name once.
        let renamed = with_distinct_names(&planned.plan.schema());
        let schema = renamed.clone().unwrap_or_else(|| planned.plan.schema());
        // A query that uses a name of the first record confirms it.
        let is_assumed = |table: &OpenTable| {
            let schema = table.provider.schema();
            let columns = schema.fields().iter().map(|field| field.name().as_str());
            table.is_header_assumed && !dialect::names_any(&self.request.sql, columns)
        };
        let own = sheets.is_own_read.then_some(&table).into_iter();
        let mut read = own.chain(others.iter().map(|(_, other)| other)).chain(sheets.opened.values());
        let is_header_assumed = read.any(is_assumed);
        let sent = planned.sent.clone();
        let begun = sent.as_ref().map_or_else(WorkDone::default, |sent| sent.begun());
        let work = Mutex::new(self.request.cluster.as_ref().map(|_| begun));
        let so_far = Arc::new(SoFar { table, others, sheets, schema, spills, is_header_assumed, sent, work });
        if sender.send(Message::Columns(Arc::clone(&so_far.schema))).is_err() {
            return Ok(so_far);
        }
        if self.request.heads_only {
            return Ok(so_far);
        }
        let partitions = {
            // Creating a stream spawns tasks, which need the runtime.
            let _inside = runtime.enter();
            start(planned, &stop).map_err(complain)?
        };
        for mut partition in partitions {
            loop {
                let batch = match runtime.block_on(select(partition.next(), &mut stop.ended)) {
                    Either::Left((Some(batch), _)) => batch,
                    Either::Left((None, _)) => break,
                    Either::Right(_) => return Ok(so_far),
                };
                let batch = match &renamed {
                    Some(schema) => batch.and_then(|batch| {
                        Ok(RecordBatch::try_new(Arc::clone(schema), batch.columns().to_vec())?)
                    }),
                    None => batch,
                };
                let rows = Message::Rows(batch.map_err(complain)?, Arc::clone(&so_far));
                if sender.send(rows).is_err() {
                    return Ok(so_far);
                }
            }
        }
        if let Some(sent) = &so_far.sent {
            let done = runtime.block_on(sent.finish())?;
            *so_far.work.lock().unwrap_or_else(PoisonError::into_inner) = Some(done);
        }
        Ok(so_far)
    }

    async fn open_others(&self) -> Result<Vec<(String, OpenTable)>> {
        // --schema is about the columns of t.
        let request = QueryRequest { types: None, has_hidden: false, ..self.request.clone() };
        let mut tables = Vec::with_capacity(self.others.len());
        for NamedTable { name, files } in &self.others {
            tables.push((name.clone(), open::open(files, &request).await?));
        }
        Ok(tables)
    }

    fn complaint(
        &self,
        error: &DataFusionError,
        columns: &[(String, String)],
        is_header_refused: bool,
    ) -> Error {
        let complaint = dialect::complaint(error, &self.request.sql, columns);
        if complaint.message == dialect::out_of_memory() {
            // The smaller side of a join has to fit; everything else goes to temporary files.
            let text = error.to_string();
            let is_join = text.contains("Join");
            let size = self.t.only.as_ref().and_then(|reader| reader.known_size());
            let size = size.filter(|_| is_join).unwrap_or_default();
            let enough = (self.request.memory as u64).saturating_mul(4).max(size.saturating_mul(8));
            let enough = enough.clamp(64 << 20, 1 << 50).next_power_of_two() >> 20;
            let also = match growth::refused(&text) {
                Some(function) => format!("or smaller results of {function}"),
                None if is_join => "or a join whose smaller side is smaller".to_owned(),
                None => "or a query with less in ORDER BY and GROUP BY".to_owned(),
            };
            return complaint.hint(setting("memory").then(format!(" {enough}MiB, {also}")));
        }
        if let Some(error) = self.text_in_the_way(&complaint, columns) {
            return error;
        }
        match &complaint.hint {
            Some(hint) if is_header_refused && complaint.message.plain().contains("there is no column") => {
                let names = setting("header").then(", if the first record holds the names");
                let hint = hint.clone().then("; ").then(names);
                complaint.hint(hint)
            }
            _ => complaint,
        }
    }

    /// The error of an operation on a column of text that needs numbers or times: it has the column, a value, and what reads it.
    fn text_in_the_way(&self, complaint: &Error, columns: &[(String, String)]) -> Option<Error> {
        let message = complaint.message.plain();
        let mut of_types = OF_TYPES.split('|');
        let begins = ["Cannot cast string '", "Error parsing timestamp from '"];
        let of_cast = begins.iter().find_map(|begin| message.split_once(begin)?.1.split('\'').next());
        if !(of_cast.is_some() || of_types.any(|words| message.contains(words))) || self.is_probe {
            return None;
        }
        if let Some(value) = of_cast.filter(|value| self.request.sql.contains(&format!("'{value}'"))) {
            let hint = match ["date", "timestamp"].iter().any(|of| message.contains(of)) {
                true => "dates and times are written as '2026-01-31' and '2026-01-31 10:00:00'",
                false => "CAST(column AS TEXT) is compared with texts",
            };
            return Some(Error::usage(format!("the text '{value}' does not fit here: {message}")).hint(hint));
        }
        let column = dialect::used_column(&self.request.sql, columns)?;
        let name = &column.name;
        if column.of != "utf8" {
            let message = format!("{message}; column {name} is {}", column.of);
            return Some(Error::usage(message).hint(dialect::other_remedy(name, &column.of)));
        }
        let quoted = dialect::in_quotes(name);
        let one = |condition: &str| {
            let sql = format!("SELECT {quoted} FROM t WHERE {quoted} <> '' AND {condition} LIMIT 1");
            self.first_value(&sql)
        };
        let number = || one(&format!("TRY_CAST({quoted} AS DOUBLE) IS NOT NULL"));
        let value = match of_cast {
            Some(value) => Some(value.to_owned()),
            None => one(&format!("TRY_CAST({quoted} AS DOUBLE) IS NULL")),
        };
        let value = value.or_else(number)?;
        let is_csv = self.request.input.is_none_or(|input| input == Input::Csv);
        let remedy = dialect::remedy(name, &value, is_csv, number().is_some());
        let message = match &column.function {
            Some(function) => {
                format!("{function} takes numbers, and column {name} is text, such as '{value}'")
            }
            None if of_cast.is_some() => format!("{message}; column {name} is text"),
            None => format!("column {name} is text, such as '{value}': {message}"),
        };
        Some(Error::usage(message).hint(remedy))
    }

    /// The first value of another query on the same tables, for a message.
    fn first_value(&self, sql: &str) -> Option<String> {
        let request = QueryRequest { sql: sql.to_owned(), cluster: None, ..self.request.clone() };
        let others = self.others.clone();
        let probe = QueryRun { t: self.t.clone(), others, request, threads: self.threads, is_probe: true };
        let (sender, messages) = sync_channel(WAITING);
        let (_wanted, stop) = plans::pair();
        probe.answer(&sender, stop).ok()?;
        drop(sender);
        messages.into_iter().find_map(|message| match message {
            Message::Rows(batch, _) if batch.num_rows() > 0 => array_value_to_string(batch.column(0), 0).ok(),
            _ => None,
        })
    }

    async fn plan(
        &self,
        table: &OpenTable,
        others: &[(String, OpenTable)],
        spills: &SpillFiles,
    ) -> EngineResult<(PlannedQuery, Sheets)> {
        let tables = Tables::new(self.t.only(), &self.request, table, others);
        let hidden: Vec<String> = others
            .iter()
            .map(|(_, table)| table)
            .chain([table])
            .flat_map(|table| table.hidden.clone())
            .collect();
        let sql = listing(&self.request.sql, &tables).map_err(external)?;
        let parsed = |sql: &str| {
            dialect::statement(sql, &tables.names(), &|name| tables.columns(name), &hidden).map_err(external)
        };
        let context = self.session(spills)?;
        let forms = others.iter().map(|(_, table)| table.forms).fold(table.forms, Forms::and);
        let zone = (self.request.time.options.0)(Path::new("-")).zone;
        let literals = dialect::Literals { forms, zone };
        dialect::register_with(&context, &literals);
        exact::register(&context);
        growth::bound(&context);
        // Names open the sheets of a workbook, before the tables are registered.
        let described = dialect::described_query(&sql);
        let statement = parsed(described.unwrap_or(&sql))?;
        let mut sheets = tables.register(&context)?;
        let mut state = context.state();
        let mut logical = dialect::settled(state.statement_to_plan(statement).await?, &literals)?;
        if described.is_some() {
            let columns = self::described(logical.schema().as_arrow());
            logical =
                state.create_logical_plan(&dialect::listed(["column_name", "data_type"], &columns)).await?;
        }
        // The parser accepts more than queries.
        let only_queries =
            SQLOptions::new().with_allow_ddl(false).with_allow_dml(false).with_allow_statements(false);
        only_queries.verify_plan(&logical)?;
        dialect::check_memberships(&logical)?;
        sheets.is_own_read = sheets.reads_own(&logical)?;
        let logical = dialect::marked(logical, &state)?;
        Ok((self.planned(&mut state, &logical).await?, sheets))
    }

    async fn planned(&self, state: &mut SessionState, logical: &LogicalPlan) -> EngineResult<PlannedQuery> {
        let mut order = plans::row_order(logical, self.request.repeatable)?;
        let mut plan = self.physical(state, logical, order).await?;
        if order == RowOrder::Any && plans::has_nested_loops(&plan)? {
            // A nested-loop join that spills reads one side again, which the engine cannot do across partitions.
            order = RowOrder::Same;
            plan = self.physical(state, logical, order).await?;
        }
        let rows = plans::rows_of_batch(&plan)?.to_string();
        state.config_mut().options_mut().set("datafusion.execution.batch_size", &rows)?;
        let context = state.task_ctx();
        let sent = match &self.request.cluster {
            Some(cluster) if !self.request.heads_only => cluster.plan(state, logical, order, &plan).await?,
            _ => None,
        };
        Ok(match sent {
            Some(sent) => {
                PlannedQuery { plan: sent.plan(), order, context: sent.context(), sent: Some(sent) }
            }
            None => PlannedQuery { plan, order, context, sent: None },
        })
    }

    async fn physical(
        &self,
        state: &mut SessionState,
        logical: &LogicalPlan,
        order: RowOrder,
    ) -> EngineResult<Arc<dyn ExecutionPlan>> {
        let options = state.config_mut().options_mut();
        options.execution.target_partitions = if order == RowOrder::Same { 1 } else { self.threads };
        options.optimizer.enable_round_robin_repartition = order == RowOrder::Any;
        let plan = plans::without_large_heaps(state.create_physical_plan(logical).await?)?;
        if order == RowOrder::Same { plans::in_order(plan) } else { Ok(plan) }
    }

    fn session(&self, spills: &SpillFiles) -> EngineResult<SessionContext> {
        let mut config = SessionConfig::new();
        // Errors then have a position in the query.
        config.options_mut().sql_parser.collect_spans = true;
        // The planner may forget on the way that a column has no NULL, which changes no row.
        config.options_mut().execution.skip_physical_aggregate_schema_check = true;
        let disk = DiskManagerBuilder::default().with_temp_file_factory(Arc::new(spills.clone()));
        let runtime = RuntimeEnvBuilder::new()
            .with_memory_pool(Arc::new(QueryMemory::new(self.request.memory)))
            .with_disk_manager_builder(disk)
            .build_arc()?;
        Ok(SessionContext::new_with_config_rt(config, runtime))
    }
}

/// The query in the place of a statement that lists tables or columns; any other as it is.
fn listing(sql: &str, tables: &Tables<'_>) -> Result<String> {
    match dialect::listing(sql) {
        None => Ok(sql.to_owned()),
        Some(dialect::Listing::Tables) => {
            let rows = tables.names().into_iter().map(|name| (name, "table".to_owned()));
            Ok(dialect::listed(["table_name", "table_type"], &rows.collect::<Vec<_>>()))
        }
        Some(dialect::Listing::Columns(name)) => {
            let name = name.unwrap_or_else(|| "t".to_owned());
            match tables.described(&name)? {
                Some(rows) => Ok(dialect::listed(["column_name", "data_type"], &rows)),
                // The engine says which tables there are.
                None => Ok(format!("SELECT * FROM {}", dialect::in_quotes(&name))),
            }
        }
    }
}

/// One stream, or one per file partition in the order of the file. The runtime reads them ahead.
fn start(planned: PlannedQuery, stop: &Stop) -> EngineResult<Vec<SendableRecordBatchStream>> {
    let PlannedQuery { plan, order, context, sent } = planned;
    // A plan of which workers do a part ends with its connections.
    let plan = if sent.is_some() { plan } else { stop.watched(plan, context.session_config().batch_size())? };
    let streams = match order {
        RowOrder::File => execute_stream_partitioned(plan, context)?,
        RowOrder::Any | RowOrder::Same => vec![execute_stream(plan, context)?],
    };
    Ok(streams.into_iter().map(|stream| spawn_buffered(until_error(stream), WAITING)).collect())
}

/// Ends at the first error: the buffer would ask for more, and windows of the engine panic then.
fn until_error(stream: SendableRecordBatchStream) -> SendableRecordBatchStream {
    let schema = stream.schema();
    let items = stream::unfold(Some(stream), async |rest| {
        let mut rest = rest?;
        let item = rest.next().await?;
        let rest = item.is_ok().then_some(rest);
        Some((item, rest))
    });
    Box::pin(RecordBatchStreamAdapter::new(schema, items))
}

fn described(schema: &Schema) -> Vec<(String, String)> {
    let describe = |field: &Arc<Field>| (field.name().clone(), type_name(field.data_type()));
    schema.fields().iter().map(describe).collect()
}

/// The names, in which one that comes again has a number: an object of JSON has each once.
pub(crate) fn distinct(names: Vec<String>) -> Vec<String> {
    let mut taken: BTreeSet<String> = names.iter().cloned().collect();
    let mut seen = BTreeSet::new();
    let mut another = |name: String| {
        if seen.insert(name.clone()) {
            return name;
        }
        let mut numbered = (2u64..).map(|number| format!("{name}_{number}"));
        let free = numbered.find(|name| !taken.contains(name)).unwrap_or_default();
        taken.insert(free.clone());
        free
    };
    names.into_iter().map(&mut another).collect()
}

/// The schema with distinct names; `None` if they are distinct.
pub(crate) fn with_distinct_names(schema: &Schema) -> Option<SchemaRef> {
    let names: Vec<String> = schema.fields().iter().map(|field| field.name().clone()).collect();
    let free = distinct(names.clone());
    let field = |(field, name): (&Arc<Field>, String)| Field::clone(field).with_name(name);
    (free != names)
        .then(|| Arc::new(Schema::new(schema.fields().iter().zip(free).map(field).collect::<Vec<_>>())))
}
