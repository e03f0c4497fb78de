//! The table of files as the engine sees it, and its rows: each file is opened when it is its turn, and has the columns of the table.

use std::fmt;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

use async_trait::async_trait;
use datafusion::arrow::array::{ArrayRef, RecordBatch, RecordBatchOptions, new_null_array};
use datafusion::arrow::compute::cast;
use datafusion::arrow::datatypes::{DataType, Field, Schema, SchemaRef};
use datafusion::catalog::{Session, TableProvider};
use datafusion::common::{Result, ScalarValue, Statistics};
use datafusion::datasource::TableType;
use datafusion::error::DataFusionError;
use datafusion::execution::{SendableRecordBatchStream, TaskContext};
use datafusion::logical_expr::{Expr, TableProviderFilterPushDown};
use datafusion::physical_expr::EquivalenceProperties;
use datafusion::physical_plan::common::spawn_buffered;
use datafusion::physical_plan::coop::make_cooperative;
use datafusion::physical_plan::execution_plan::{Boundedness, EmissionType, SchedulingType};
use datafusion::physical_plan::limit::LimitStream;
use datafusion::physical_plan::metrics::{BaselineMetrics, ExecutionPlanMetricsSet, MetricsSet};
use datafusion::physical_plan::stream::RecordBatchStreamAdapter;
use datafusion::physical_plan::{
    DisplayAs, DisplayFormatType, ExecutionPlan, Partitioning, PlanProperties, execute_stream,
};
use futures::stream::{self, StreamExt, TryStreamExt};
use tokio::runtime::Handle;
use tokio::task::{block_in_place, spawn_blocking};

use super::columns::{FoundColumns, Head, LateLook, Look, changed};
use super::partition::Partitions;
use super::reads::{FilesProgress, ReadCounts, Reads};
use super::{FILE, OpenFile, unreadable};
use crate::lines::{LinesTable, bounds_time};
use crate::parquet::{Parquet, with_store};
use crate::plans::{Pass, external};
use crate::stream::{TableFile, TextTable, is_small};
use crate::table::{TableHead, TextHead};
use crate::text::{LeftOut, TextSchema, type_name};
use rread_reader::Reader;
use rread_source::limits::processors;
use rread_text::{Error, Kind, Layout, address};

/// Batches of a file that wait while another file is written.
const WAITING: usize = 4;

/// A table of files.
#[derive(Clone)]
pub struct FilesTable {
    pub open: Arc<OpenFile>,
    pub heads: Arc<Vec<Head>>,
    /// How files are looked at that nobody looked at before.
    pub late: Option<Arc<LateLook>>,
    pub columns: Arc<FoundColumns>,
    /// The columns of the files, then those of their paths.
    pub schema: SchemaRef,
    pub partitions: Arc<Partitions>,
    pub skip_bad: bool,
    pub skip_unreadable: bool,
    pub left_out: Arc<Mutex<LeftOut>>,
    pub reads: Arc<Reads>,
    pub progress: FilesProgress,
}

impl std::fmt::Debug for FilesTable {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "FilesTable({} files)", self.heads.len())
    }
}

/// A read of a table: which columns, which rows.
#[derive(Clone)]
pub struct Scan {
    pub table: FilesTable,
    pub projection: Vec<usize>,
    pub schema: SchemaRef,
    pub filters: Vec<Expr>,
    pub limit: Option<usize>,
}

impl std::fmt::Debug for Scan {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        self.table.fmt(f)
    }
}

/// The source of a column of the table, in a batch of one file.
enum From {
    File(usize),
    Value(ScalarValue),
    Nothing(DataType),
}

impl Scan {
    /// The rows of all files, in their order, of which some are read ahead.
    pub(super) fn all(self: Arc<Self>, context: &Arc<TaskContext>) -> SendableRecordBatchStream {
        let schema = Arc::clone(&self.schema);
        // The first rows of a table are mostly those of its first file.
        let threads = processors();
        let ahead = if self.limit.is_some() { 1 } else { threads };
        let (files, context) = (0..self.table.heads.len(), Arc::clone(context));
        let start = move |place: usize| {
            let (scan, context) = (Arc::clone(&self), Arc::clone(&context));
            async move {
                // Of a small file, all rows are read at once.
                let started = if is_small(scan.table.heads.get(place).and_then(|head| head.size)) {
                    let (runtime, schema) = (Handle::current(), Arc::clone(&scan.schema));
                    let all = async move {
                        let rows: Vec<_> = scan.rows(place, context).await?.collect().await;
                        let rows = RecordBatchStreamAdapter::new(schema, stream::iter(rows));
                        Ok::<SendableRecordBatchStream, DataFusionError>(Box::pin(rows))
                    };
                    spawn_blocking(move || runtime.block_on(all)).await
                } else {
                    let ahead = async move {
                        Ok::<_, DataFusionError>(spawn_buffered(scan.rows(place, context).await?, WAITING))
                    };
                    tokio::spawn(ahead).await
                };
                started.map_err(|cause| DataFusionError::External(cause.into()))?
            }
        };
        let rows = stream::iter(files).map(start).buffered(ahead).try_flatten();
        Box::pin(RecordBatchStreamAdapter::new(schema, rows))
    }

    async fn rows(
        self: Arc<Self>,
        place: usize,
        context: Arc<TaskContext>,
    ) -> Result<SendableRecordBatchStream> {
        let Some(head) = self.table.heads.get(place) else { return Ok(self.no_rows()) };
        let opened = block_in_place(|| self.opened(head));
        let reader = match opened {
            Ok(reader) => reader,
            Err(error) => return self.without(error, head),
        };
        self.table.reads.counts().files += 1;
        let file = TableFile::new(&reader);
        let late;
        let table = match head.table() {
            Some(table) => table,
            None => {
                late = self.late(head, &file).await;
                match &late {
                    Ok(Some(table)) => table,
                    Ok(None) => return Ok(self.no_rows()),
                    Err(error) => return self.without(error.clone(), head),
                }
            }
        };
        let (from, wanted) = self.origins(head, table)?;
        let rows = self.file_rows(head, table, &file).await?;
        let plan = rows.scan(Some(&wanted), &self.filters_of(table), self.limit)?;
        let (path, schema, left_out) = (head.path.clone(), Arc::clone(&self.schema), rows.left_out());
        let rows = execute_stream(plan, with_store(context)?)?;
        let done = Done { scan: Arc::clone(&self), path: path.clone(), file, left_out };
        let rows = rows.map(move |batch| {
            let batch = batch.map_err(|error| about(error, &path, &done.scan.table.columns))?;
            assembled(&batch, &from, &schema).map_err(|error| about(error, &path, &done.scan.table.columns))
        });
        Ok(Box::pin(RecordBatchStreamAdapter::new(Arc::clone(&self.schema), rows)))
    }

    /// No rows of a file that cannot be read, if the user allows it.
    fn without(&self, error: Error, head: &Head) -> Result<SendableRecordBatchStream> {
        let may_be_left_out = !matches!(error.kind, Kind::Usage | Kind::Changed);
        if self.table.skip_unreadable && may_be_left_out {
            self.table.reads.note_unreadable(error.about(&head.path));
            return Ok(self.no_rows());
        }
        // An error of the columns names two files.
        Err(external(if error.kind == Kind::Usage { error } else { unreadable(error, &head.path) }))
    }

    /// The table in a file that nobody looked at before; `None` if it is empty.
    async fn late(&self, head: &Head, file: &Arc<TableFile>) -> rread_text::error::Result<Option<TableHead>> {
        let Some(look) = &self.table.late else { return Ok(None) };
        let found = look.look(head, &self.table.columns, file).await?;
        if found.is_none() {
            self.table.reads.counts().empty += 1;
        }
        Ok(found)
    }

    fn no_rows(&self) -> SendableRecordBatchStream {
        Box::pin(RecordBatchStreamAdapter::new(Arc::clone(&self.schema), stream::empty()))
    }

    /// The file, if it is the one that was looked at.
    fn opened(&self, head: &Head) -> rread_text::error::Result<Arc<Reader>> {
        if let Some(file) = &head.opened {
            return Ok(Arc::clone(&file.reader));
        }
        let watch = self.table.progress.watch();
        let reader = (self.table.open)(&head.path, Some(watch)).map(Arc::new)?;
        let version = reader.version().ok().flatten().map(|version| version.to_string());
        let is_known = !matches!(head.look, Look::Later) || head.version.is_some();
        if is_known && version != head.version {
            return Err(changed());
        }
        Ok(reader)
    }

    /// For each column of the answer, where it comes from; and the columns of the file to read.
    fn origins(&self, head: &Head, table: &TableHead) -> Result<(Vec<From>, Vec<usize>)> {
        let columns = &self.table.columns.schema;
        let mut wanted: Vec<usize> = Vec::new();
        let mut from = Vec::with_capacity(self.projection.len());
        for column in &self.projection {
            let field = self.table.schema.field(*column);
            from.push(if *column < columns.fields().len() {
                match table.schema().column_with_name(field.name()) {
                    Some((index, _)) => {
                        wanted.push(index);
                        From::File(wanted.len() - 1)
                    }
                    None if table.names_values() => {
                        wanted.push(self.member(table, *column));
                        From::File(wanted.len() - 1)
                    }
                    None => From::Nothing(field.data_type().clone()),
                }
            } else if let Some(place) = self.place(table, field.name()) {
                wanted.push(place);
                From::File(wanted.len() - 1)
            } else {
                From::Value(self.constant(head, field)?)
            });
        }
        Ok((from, wanted))
    }

    /// The place of a column of the table among those of a file of objects, which [`Scan::text_schema`] adds at the end.
    fn member(&self, table: &TableHead, column: usize) -> usize {
        let is_missing = |name: &str| table.schema().column_with_name(name).is_none();
        let before = self.table.columns.schema.fields().iter().take(column);
        table.schema().fields().len() + before.filter(|field| is_missing(field.name())).count()
    }

    /// The place of a hidden column among those of a file.
    fn place(&self, table: &TableHead, name: &str) -> Option<usize> {
        let text = table.text()?;
        let nth = text.places.iter().position(|place| place.name() == name)?;
        Some(self.text_schema(text).schema.fields().len() + nth)
    }

    fn constant(&self, head: &Head, field: &Field) -> Result<ScalarValue> {
        if field.name() == FILE {
            return Ok(ScalarValue::Utf8View(Some(address::display(&head.path).into_owned())));
        }
        let nth = self.table.partitions.keys.iter().position(|(key, _)| key == field.name());
        let value = nth.and_then(|nth| self.table.partitions.at(head.place, nth));
        ScalarValue::Utf8(value.map(str::to_owned)).cast_to(field.data_type())
    }

    async fn file_rows(&self, head: &Head, table: &TableHead, file: &Arc<TableFile>) -> Result<FileRows> {
        let columns = &self.table.columns;
        let own = match table {
            TableHead::Text(text) => {
                TableHead::Text(TextHead { table: self.text_schema(text), ..text.clone() })
            }
            TableHead::Lines(lines) => {
                TableHead::Lines(Box::new(lines.of_table(&columns.schema, &columns.inferred)))
            }
            parquet @ TableHead::Parquet(_) => parquet.clone(),
        };
        let rows = FileRows::open(file, own, self.table.skip_bad).await;
        rows.map_err(|error| external(error.about(&head.path)))
    }

    /// The columns of a file in its own order, with the types of the table.
    fn text_schema(&self, text: &TextHead) -> TextSchema {
        let (own, all) = (&text.table, &self.table.columns);
        let is_inferred = |place: usize| all.inferred.get(place) == Some(&true);
        let (mut fields, mut inferred) = (Vec::new(), Vec::new());
        for field in own.schema.fields() {
            let of_table = all.schema.column_with_name(field.name());
            fields.push(of_table.map_or_else(|| Field::clone(field), |(_, field)| field.clone()));
            inferred.push(of_table.is_none_or(|(place, _)| is_inferred(place)));
        }
        // Members that this file may have after its beginning.
        let has_members = !matches!(text.layout, Layout::Csv(_)) && !own.arrays;
        for (place, field) in all.schema.fields().iter().enumerate() {
            if has_members && own.schema.column_with_name(field.name()).is_none() {
                fields.push(Field::clone(field));
                inferred.push(is_inferred(place));
            }
        }
        let unknown = vec![false; fields.len()];
        TextSchema { schema: Arc::new(Schema::new(fields)), arrays: own.arrays, inferred, unknown }
    }

    /// The filters that a file can use: those whose columns have the types of the table.
    fn filters_of(&self, table: &TableHead) -> Vec<Expr> {
        let is_same = |name: &str| {
            let own = table.schema().field_with_name(name).ok();
            let all = self.table.schema.field_with_name(name).ok();
            own.zip(all).is_some_and(|(own, all)| own.data_type() == all.data_type())
        };
        let can = |filter: &&Expr| filter.column_refs().iter().all(|column| is_same(&column.name));
        self.filters.iter().filter(can).cloned().collect()
    }
}

/// Adds what was read of a file once its rows are no longer wanted.
struct Done {
    scan: Arc<Scan>,
    path: PathBuf,
    file: Arc<TableFile>,
    left_out: Arc<Mutex<LeftOut>>,
}

impl Drop for Done {
    fn drop(&mut self) {
        let table = &self.scan.table;
        table.progress.finish();
        let (bytes, invalid) = (self.file.bytes(), self.file.invalid());
        table.reads.counts().add(ReadCounts { bytes, invalid, ..ReadCounts::default() });
        let mut here = std::mem::take(&mut *self.left_out.lock().unwrap_or_else(PoisonError::into_inner));
        for noted in [&mut here.records, &mut here.members, &mut here.repeated, &mut here.unparsed] {
            noted.first = noted.first.take().map(|error| error.about(&self.path));
        }
        table.left_out.lock().unwrap_or_else(PoisonError::into_inner).add(here);
    }
}

/// An error of a file names it, and the file that the type of a column is from.
fn about(error: DataFusionError, path: &Path, columns: &FoundColumns) -> DataFusionError {
    let own = match error {
        DataFusionError::External(cause) => match cause.downcast::<Error>() {
            Ok(error) => error.about(path),
            Err(cause) => return DataFusionError::External(cause),
        },
        other => return other,
    };
    let message = own.message.plain();
    let is_wrong = |name: &str| message.contains(&format!(" in column {name} is not "));
    let fields = columns.schema.fields().iter().zip(&columns.origins);
    let origin = fields.filter(|(field, _)| is_wrong(field.name())).find_map(|(_, origin)| origin.as_ref());
    external(match origin.filter(|origin| *origin != path) {
        Some(origin) => {
            let message = own.message.clone().then(format!(", as those of {} are", origin.display()));
            Error { message, ..own }
        }
        None => own,
    })
}

/// The rows of one file.
#[derive(Debug)]
pub(crate) enum FileRows {
    Text(TextTable),
    Lines(LinesTable),
    Parquet(Parquet),
}

impl FileRows {
    pub async fn open(
        file: &Arc<TableFile>,
        head: TableHead,
        skip_bad: bool,
    ) -> rread_text::error::Result<Self> {
        Ok(match head {
            TableHead::Text(text) => {
                FileRows::Text(TextTable::new(file, text.table, text.layout, skip_bad, text.places))
            }
            TableHead::Lines(lines) => FileRows::Lines(LinesTable::new(file, *lines, skip_bad)),
            TableHead::Parquet(_) => FileRows::Parquet(Parquet::open(file).await?),
        })
    }

    pub fn schema(&self) -> &SchemaRef {
        match self {
            FileRows::Text(text) => text.schema(),
            FileRows::Lines(lines) => lines.schema(),
            FileRows::Parquet(parquet) => parquet.schema(),
        }
    }

    pub fn left_out(&self) -> Arc<Mutex<LeftOut>> {
        match self {
            FileRows::Text(text) => Arc::clone(&text.left_out),
            FileRows::Lines(lines) => Arc::clone(&lines.left_out),
            FileRows::Parquet(_) => Arc::default(),
        }
    }

    pub fn scan(
        &self,
        projection: Option<&Vec<usize>>,
        filters: &[Expr],
        limit: Option<usize>,
    ) -> Result<Arc<dyn ExecutionPlan>> {
        match self {
            FileRows::Text(text) => text.scan(projection, limit),
            FileRows::Lines(lines) => lines.scan(projection, filters, limit),
            FileRows::Parquet(parquet) => parquet.scan(projection, limit),
        }
    }

    pub fn support(&self, filter: &Expr) -> TableProviderFilterPushDown {
        match self {
            FileRows::Text(_) => TableProviderFilterPushDown::Unsupported,
            FileRows::Lines(_) => LinesTable::support(filter),
            FileRows::Parquet(_) => TableProviderFilterPushDown::Inexact,
        }
    }
}

/// A batch of the table from one of a file.
fn assembled(batch: &RecordBatch, from: &[From], schema: &SchemaRef) -> Result<RecordBatch> {
    let rows = batch.num_rows();
    let columns = from.iter().zip(schema.fields()).map(|(from, field)| match from {
        From::File(place) => {
            let column: &ArrayRef = batch.column(*place);
            if column.data_type() == field.data_type() {
                Ok(Arc::clone(column))
            } else {
                converted(column, field)
            }
        }
        From::Value(value) => value.to_array_of_size(rows),
        From::Nothing(of) => Ok(new_null_array(of, rows)),
    });
    let columns = columns.collect::<Result<Vec<_>>>()?;
    let options = RecordBatchOptions::new().with_row_count(Some(rows));
    Ok(RecordBatch::try_new_with_options(Arc::clone(schema), columns, &options)?)
}

/// A column of a file in the type of the table; no value may become another or NULL.
fn converted(column: &ArrayRef, field: &Field) -> Result<ArrayRef> {
    let casted = cast(column, field.data_type())?;
    let is_kept = casted.null_count() == column.null_count()
        && (!field.data_type().is_floating()
            || column.data_type().is_floating()
            || cast(&casted, column.data_type())?.as_ref() == column.as_ref());
    if is_kept {
        return Ok(casted);
    }
    let (name, of) = (field.name(), type_name(field.data_type()));
    let message = format!("a value in column {name} does not fit {of}, the type in other files");
    Err(external(Error::new(Kind::InvalidText, message).hint("name files whose columns have the same types")))
}

/// The table of a query.
#[derive(Debug)]
pub(crate) struct Table {
    pub rows: TableRows,
    /// Whether a condition of the query is about the times of logs.
    pub bounds_time: Arc<AtomicBool>,
}

#[derive(Debug)]
pub(crate) enum TableRows {
    /// The rows of the only file, as they are.
    File(FileRows),
    Files(Box<FilesTable>),
}

#[async_trait]
impl TableProvider for Table {
    fn schema(&self) -> SchemaRef {
        Arc::clone(match &self.rows {
            TableRows::File(file) => file.schema(),
            TableRows::Files(files) => &files.schema,
        })
    }

    fn table_type(&self) -> TableType {
        TableType::Base
    }

    fn supports_filters_pushdown(&self, filters: &[&Expr]) -> Result<Vec<TableProviderFilterPushDown>> {
        if filters.iter().any(|filter| bounds_time(filter)) {
            self.bounds_time.store(true, Ordering::Relaxed);
        }
        // Parquet skips row groups by filters, and logs records; the engine filters again.
        let support = |filter: &&Expr| match &self.rows {
            TableRows::File(file) => file.support(filter),
            TableRows::Files(_) => TableProviderFilterPushDown::Inexact,
        };
        Ok(filters.iter().map(support).collect())
    }

    async fn scan(
        &self,
        _: &dyn Session,
        projection: Option<&Vec<usize>>,
        filters: &[Expr],
        limit: Option<usize>,
    ) -> Result<Arc<dyn ExecutionPlan>> {
        let table = match &self.rows {
            TableRows::File(file) => return file.scan(projection, filters, limit),
            TableRows::Files(files) => FilesTable::clone(files),
        };
        let projection = projection.map_or_else(|| (0..table.schema.fields().len()).collect(), Vec::clone);
        let schema = Arc::new(table.schema.project(&projection)?);
        Ok(Arc::new(FilesScan::new(Scan { table, projection, schema, filters: filters.to_vec(), limit })))
    }

    fn statistics(&self) -> Option<Statistics> {
        match &self.rows {
            TableRows::File(FileRows::Parquet(parquet)) => Some(parquet.statistics()),
            TableRows::File(_) | TableRows::Files(_) => None,
        }
    }
}

/// Reads the rows of a table of files.
#[derive(Clone)]
pub struct FilesScan {
    pub scan: Arc<Scan>,
    /// The rows that are read at most.
    pub limit: Option<usize>,
    /// Changes the rows on their way to another process, and counts for it.
    pub pass: Option<Arc<Pass>>,
    pub metrics: Option<Arc<dyn Fn() -> MetricsSet + Send + Sync>>,
    properties: Arc<PlanProperties>,
}

impl fmt::Debug for FilesScan {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.scan.fmt(f)
    }
}

impl FilesScan {
    pub fn new(scan: Scan) -> Self {
        let properties = PlanProperties::new(
            EquivalenceProperties::new(Arc::clone(&scan.schema)),
            Partitioning::UnknownPartitioning(1),
            EmissionType::Incremental,
            Boundedness::Bounded,
        )
        .with_scheduling_type(SchedulingType::Cooperative);
        let (limit, scan, properties) = (scan.limit, Arc::new(scan), Arc::new(properties));
        FilesScan { scan, limit, pass: None, metrics: None, properties }
    }
}

impl DisplayAs for FilesScan {
    fn fmt_as(&self, _: DisplayFormatType, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let names: Vec<&str> = self.scan.schema.fields().iter().map(|field| field.name().as_str()).collect();
        write!(f, "RreadScan: files={}, columns=[{}]", self.scan.table.heads.len(), names.join(", "))?;
        self.limit.map_or(Ok(()), |limit| write!(f, ", limit={limit}"))
    }
}

impl ExecutionPlan for FilesScan {
    fn name(&self) -> &'static str {
        "RreadScan"
    }

    fn properties(&self) -> &Arc<PlanProperties> {
        &self.properties
    }

    fn children(&self) -> Vec<&Arc<dyn ExecutionPlan>> {
        Vec::new()
    }

    crate::without_expressions!();

    fn with_new_children(self: Arc<Self>, _: Vec<Arc<dyn ExecutionPlan>>) -> Result<Arc<dyn ExecutionPlan>> {
        Ok(self)
    }

    fn execute(&self, _: usize, context: Arc<TaskContext>) -> Result<SendableRecordBatchStream> {
        let rows = make_cooperative(Arc::clone(&self.scan).all(&context));
        let rows = match &self.pass {
            Some(pass) => pass(rows),
            None => rows,
        };
        let Some(limit) = self.limit else { return Ok(rows) };
        let metrics = BaselineMetrics::new(&ExecutionPlanMetricsSet::new(), 0);
        Ok(Box::pin(LimitStream::new(rows, 0, Some(limit), metrics)))
    }

    fn fetch(&self) -> Option<usize> {
        self.limit
    }

    fn metrics(&self) -> Option<MetricsSet> {
        self.metrics.as_ref().map(|metrics| metrics())
    }

    fn with_fetch(&self, limit: Option<usize>) -> Option<Arc<dyn ExecutionPlan>> {
        Some(Arc::new(FilesScan { limit, ..self.clone() }))
    }
}
