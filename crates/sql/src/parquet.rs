//! Parquet: reads only the row groups and columns that a query needs.

use std::collections::HashMap;
use std::ops::Range;
use std::sync::Arc;

use bytes::Bytes;
use datafusion::arrow::array::{AsArray, StringViewArray};
use datafusion::arrow::datatypes::{DataType, Field, Schema, SchemaRef, TimeUnit};
use datafusion::common::Statistics;
use datafusion::common::config::TableParquetOptions;
// The engine exports its successor only from a crate that is not ours.
#[allow(deprecated)]
use datafusion::datasource::file_format::parquet::coerce_int96_to_resolution;
use datafusion::datasource::file_format::parquet::transform_schema_to_view;
use datafusion::datasource::listing::PartitionedFile;
use datafusion::datasource::object_store::ObjectStoreUrl;
use datafusion::datasource::physical_plan::parquet::ParquetFileReaderFactory;
use datafusion::datasource::physical_plan::parquet::metadata::DFParquetMetadata;
use datafusion::datasource::physical_plan::{FileScanConfigBuilder, ParquetSource};
use datafusion::datasource::source::DataSourceExec;
use datafusion::error::Result as EngineResult;
use datafusion::execution::object_store::DefaultObjectStoreRegistry;
use datafusion::execution::runtime_env::RuntimeEnvBuilder;
use datafusion::execution::{SessionStateBuilder, TaskContext};
use datafusion::logical_expr::{ColumnarValue, Volatility, create_udf};
use datafusion::object_store::coalesce_ranges;
use datafusion::parquet::arrow::arrow_reader::{ArrowReaderMetadata, ArrowReaderOptions};
use datafusion::parquet::arrow::async_reader::AsyncFileReader;
use datafusion::parquet::basic::LogicalType;
use datafusion::parquet::errors::{ParquetError, Result as ParquetResult};
use datafusion::parquet::file::metadata::{PageIndexPolicy, ParquetMetaData, ParquetMetaDataReader};
use datafusion::physical_expr::expressions::Column;
use datafusion::physical_expr::{PhysicalExpr, ScalarFunctionExpr};
use datafusion::physical_plan::ExecutionPlan;
use datafusion::physical_plan::metrics::ExecutionPlanMetricsSet;
use datafusion::physical_plan::projection::ProjectionExec;
use futures::FutureExt;
use futures::future::BoxFuture;

use super::plans::external;
use super::stream::TableFile;
use rread_source::memory::Buffer;
use rread_text::{Error, Kind, Result};

/// Most footers fit in the last bytes of a file.
const FOOTER: usize = 64 << 10;

/// Read ranges with a smaller gap as one: over a network, that costs less than a second request.
const GAP: u64 = 64 << 10;

/// The name of the type of Arrow.
const UUID: &str = "arrow.uuid";

#[derive(Debug)]
pub(crate) struct Parquet {
    file: ParquetFile,
    /// The columns as they are stored.
    stored: SchemaRef,
    /// The same with UUIDs as text.
    schema: SchemaRef,
    statistics: Statistics,
}

impl Parquet {
    pub async fn open(file: &Arc<TableFile>) -> Result<Self> {
        let size = tokio::task::block_in_place(|| file.reader.size())?;
        let mut file = ParquetFile { file: Arc::clone(file), size, metadata: None };
        let metadata = ParquetMetaDataReader::new()
            .with_prefetch_hint(Some(FOOTER))
            .with_page_index_policy(PageIndexPolicy::Optional)
            .load_and_finish(&mut file, size)
            .await
            .map_err(damaged)?;
        let metadata = Arc::new(metadata);
        let arrow = ArrowReaderMetadata::try_new(Arc::clone(&metadata), ArrowReaderOptions::new());
        let arrow = arrow.map_err(damaged)?;
        let stored = metadata.file_metadata().schema_descr();
        // Nanoseconds of 64 bits hold only the years 1677 to 2262, and INT96 is usual for 9999-12-31.
        #[allow(deprecated)]
        let micros = coerce_int96_to_resolution(stored, arrow.schema(), &TimeUnit::Microsecond);
        let mut viewed = transform_schema_to_view(micros.as_ref().unwrap_or(arrow.schema()));
        // Not every writer adds the schema of Arrow, which would say it.
        let is_id = stored
            .root_schema()
            .get_fields()
            .iter()
            .map(|of| of.get_basic_info().logical_type_ref() == Some(&LogicalType::Uuid));
        let id = HashMap::from([("ARROW:extension:name".to_owned(), UUID.to_owned())]);
        let named = |(field, is_id): (&Arc<Field>, bool)| {
            if is_id { Arc::new(Field::clone(field).with_metadata(id.clone())) } else { Arc::clone(field) }
        };
        viewed.fields = viewed.fields.iter().zip(is_id).map(named).collect();
        let stored = Arc::new(viewed);
        let statistics = DFParquetMetadata::statistics_from_parquet_metadata(&metadata, &stored)
            .unwrap_or_else(|_| Statistics::new_unknown(&stored));
        file.metadata = Some(metadata);
        let shown = |field: &Arc<Field>| match is_uuid(field) {
            true => Arc::new(Field::new(field.name(), DataType::Utf8View, true)),
            false => Arc::clone(field),
        };
        let fields = stored.fields().iter().map(shown).collect::<Vec<_>>();
        let schema = Arc::new(Schema::new_with_metadata(fields, stored.metadata().clone()));
        Ok(Parquet { file, stored, schema, statistics })
    }

    pub fn schema(&self) -> &SchemaRef {
        &self.schema
    }

    /// Those of the stored columns, as far as they are the columns.
    pub fn statistics(&self) -> Statistics {
        match self.schema == self.stored {
            true => self.statistics.clone(),
            false => Statistics::new_unknown(&self.schema),
        }
    }

    /// The rows of these columns. The engine pushes filters into the plan, to skip row groups and pages.
    pub fn scan(
        &self,
        projection: Option<&Vec<usize>>,
        limit: Option<usize>,
    ) -> EngineResult<Arc<dyn ExecutionPlan>> {
        let is_read = |column: &usize| projection.is_none_or(|columns| columns.contains(column));
        let is_interval = |field: &&Arc<Field>| matches!(field.data_type(), DataType::Interval(_));
        let read = self.schema.fields().iter().enumerate().filter(|(column, _)| is_read(column));
        // The conversion would lose the months of an interval.
        if let Some(field) = read.map(|(_, field)| field).find(is_interval) {
            let name = field.name();
            let message = format!("column {name} has the Parquet type INTERVAL, which is not supported");
            let error = Error::new(Kind::InvalidText, message).hint("name the other columns in SELECT");
            return Err(external(error));
        }
        let mut options = TableParquetOptions::default();
        options.global.coerce_int96 = Some("us".to_owned());
        let source = ParquetSource::new(Arc::clone(&self.stored))
            .with_table_parquet_options(options)
            .with_parquet_file_reader_factory(Arc::new(self.file.clone()));
        let config = FileScanConfigBuilder::new(ObjectStoreUrl::local_filesystem(), Arc::new(source))
            .with_file(PartitionedFile::new("table", self.file.size))
            .with_statistics(self.statistics.clone())
            .with_projection_indices(projection.cloned())?
            // Keep file partitions in order, so that their rows can be concatenated.
            .with_preserve_order(true)
            .with_limit(limit)
            .build();
        with_uuids(DataSourceExec::from_data_source(config))
    }
}

fn damaged(cause: ParquetError) -> Error {
    let other: Box<dyn std::error::Error> = match cause {
        ParquetError::External(inner) => match inner.downcast::<Error>() {
            Ok(error) => return *error,
            Err(other) => other,
        },
        other => other.into(),
    };
    Error::new(Kind::InvalidText, format!("cannot be read as Parquet: {other}"))
}

fn is_uuid(field: &Field) -> bool {
    field.extension_type_name() == Some(UUID) && *field.data_type() == DataType::FixedSizeBinary(16)
}

/// The rows with UUIDs in their usual form.
fn with_uuids(rows: Arc<dyn ExecutionPlan>) -> EngineResult<Arc<dyn ExecutionPlan>> {
    let schema = rows.schema();
    if !schema.fields().iter().any(|field| is_uuid(field)) {
        return Ok(rows);
    }
    let ids = DataType::FixedSizeBinary(16);
    let text = create_udf("uuid", vec![ids], DataType::Utf8View, Volatility::Immutable, Arc::new(uuids));
    let text = Arc::new(text);
    let columns = schema.fields().iter().enumerate().map(|(nth, field)| {
        let mut column: Arc<dyn PhysicalExpr> = Arc::new(Column::new(field.name(), nth));
        if is_uuid(field) {
            let text = ScalarFunctionExpr::try_new(Arc::clone(&text), vec![column], &schema, Arc::default())?;
            column = Arc::new(text);
        }
        Ok((column, field.name().clone()))
    });
    let columns = columns.collect::<EngineResult<Vec<_>>>()?;
    Ok(Arc::new(ProjectionExec::try_new(columns, rows)?))
}

fn uuids(arguments: &[ColumnarValue]) -> EngineResult<ColumnarValue> {
    let arrays = ColumnarValue::values_to_arrays(arguments)?;
    let ids = arrays.first().and_then(|array| array.as_fixed_size_binary_opt());
    let text = |id: &[u8]| {
        let hex: String = id.iter().map(|byte| format!("{byte:02x}")).collect();
        [0..8, 8..12, 12..16, 16..20, 20..32]
            .map(|part| hex.get(part).unwrap_or_default().to_owned())
            .join("-")
    };
    let texts: StringViewArray = ids.into_iter().flatten().map(|id| id.map(text)).collect();
    Ok(ColumnarValue::Array(Arc::new(texts)))
}

/// `context` for a read of ours. The engine looks up the store of a Parquet file, which ours does not use; a worker has none.
pub(crate) fn with_store(context: Arc<TaskContext>) -> EngineResult<Arc<TaskContext>> {
    let environment = context.runtime_env();
    if environment.object_store(ObjectStoreUrl::local_filesystem()).is_ok() {
        return Ok(context);
    }
    let stores = Arc::new(DefaultObjectStoreRegistry::new());
    let environment = RuntimeEnvBuilder::from_runtime_env(&environment).with_object_store_registry(stores);
    let state = SessionStateBuilder::new()
        .with_config(context.session_config().clone())
        .with_runtime_env(environment.build_arc()?)
        .build();
    Ok(state.task_ctx())
}

#[derive(Clone, Debug)]
struct ParquetFile {
    file: Arc<TableFile>,
    size: u64,
    metadata: Option<Arc<ParquetMetaData>>,
}

impl ParquetFileReaderFactory for ParquetFile {
    fn create_reader(
        &self,
        _: usize,
        _: PartitionedFile,
        _: Option<usize>,
        _: &ExecutionPlanMetricsSet,
    ) -> EngineResult<Box<dyn AsyncFileReader + Send>> {
        Ok(Box::new(self.clone()))
    }
}

impl ParquetFile {
    fn bytes(&self, range: &Range<u64>) -> ParquetResult<Bytes> {
        let length = range.end.saturating_sub(range.start);
        if range.end > self.size {
            return Err(ParquetError::EOF(format!(
                "the footer declares data at bytes {} to {}, but the file has {} bytes",
                range.start, range.end, self.size
            )));
        }
        let length = usize::try_from(length).map_err(|cause| ParquetError::External(cause.into()))?;
        let mut bytes = Buffer::default();
        self.file.reader.source().advise(range.clone());
        self.file
            .reader
            .read_exact(bytes.at(range.start, length), range.start)
            .map_err(|error| ParquetError::External(error.into()))?;
        self.file.note_bytes(bytes.len());
        Ok(Bytes::from_owner(bytes))
    }
}

impl AsyncFileReader for ParquetFile {
    fn get_bytes(&mut self, range: Range<u64>) -> BoxFuture<'_, ParquetResult<Bytes>> {
        async move { tokio::task::block_in_place(|| self.bytes(&range)) }.boxed()
    }

    fn get_byte_ranges(&mut self, ranges: Vec<Range<u64>>) -> BoxFuture<'_, ParquetResult<Vec<Bytes>>> {
        let file = &*self;
        let bytes = move |range| async move { tokio::task::block_in_place(|| file.bytes(&range)) };
        async move { coalesce_ranges(&ranges, bytes, GAP).await }.boxed()
    }

    fn get_metadata<'a>(
        &'a mut self,
        _: Option<&'a ArrowReaderOptions>,
    ) -> BoxFuture<'a, ParquetResult<Arc<ParquetMetaData>>> {
        let metadata = self.metadata.clone();
        async move { metadata.ok_or_else(|| ParquetError::General("the footer was not read".to_owned())) }
            .boxed()
    }
}
