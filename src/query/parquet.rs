//! Parquet: reads only the row groups and columns that a query needs.

use std::fmt;
use std::ops::Range;
use std::sync::Arc;

use async_trait::async_trait;
use bytes::Bytes;
use datafusion::arrow::datatypes::{DataType, Field, SchemaRef};
use datafusion::catalog::{Session, TableProvider};
use datafusion::common::{DataFusionError, Statistics};
use datafusion::datasource::TableType;
use datafusion::datasource::file_format::parquet::transform_schema_to_view;
use datafusion::datasource::listing::PartitionedFile;
use datafusion::datasource::object_store::ObjectStoreUrl;
use datafusion::datasource::physical_plan::parquet::ParquetFileReaderFactory;
use datafusion::datasource::physical_plan::parquet::metadata::DFParquetMetadata;
use datafusion::datasource::physical_plan::{FileScanConfigBuilder, ParquetSource};
use datafusion::datasource::source::DataSourceExec;
use datafusion::logical_expr::{Expr, TableProviderFilterPushDown};
use datafusion::parquet::arrow::arrow_reader::{ArrowReaderMetadata, ArrowReaderOptions};
use datafusion::parquet::arrow::async_reader::AsyncFileReader;
use datafusion::parquet::errors::{ParquetError, Result as ParquetResult};
use datafusion::parquet::file::metadata::{PageIndexPolicy, ParquetMetaData, ParquetMetaDataReader};
use datafusion::physical_plan::ExecutionPlan;
use datafusion::physical_plan::metrics::ExecutionPlanMetricsSet;
use futures::FutureExt;
use futures::future::BoxFuture;

use super::stream::ScanStats;
use crate::buffer::Buffer;
use crate::error::{Error, Kind, Result};
use crate::reader::Reader;

/// Bytes to read first at the end of a file; most footers fit.
const FOOTER: usize = 64 << 10;

/// Read ranges with a smaller gap as one: over a network, that costs less than a second request.
const GAP: u64 = 64 << 10;

pub struct Parquet {
    file: ParquetFile,
    schema: SchemaRef,
    statistics: Statistics,
}

impl fmt::Debug for Parquet {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Parquet")
    }
}

impl Parquet {
    pub async fn open(reader: &Arc<Reader>, stats: &Arc<ScanStats>) -> Result<Self> {
        let size = tokio::task::block_in_place(|| reader.size())?;
        let mut file =
            ParquetFile { reader: Arc::clone(reader), stats: Arc::clone(stats), size, metadata: None };
        let metadata = ParquetMetaDataReader::new()
            .with_prefetch_hint(Some(FOOTER))
            .with_page_index_policy(PageIndexPolicy::Optional)
            .load_and_finish(&mut file, size)
            .await
            .map_err(damaged)?;
        let metadata = Arc::new(metadata);
        let arrow = ArrowReaderMetadata::try_new(Arc::clone(&metadata), ArrowReaderOptions::new());
        let schema = Arc::new(transform_schema_to_view(arrow.map_err(damaged)?.schema()));
        let statistics = DFParquetMetadata::statistics_from_parquet_metadata(&metadata, &schema)
            .unwrap_or_else(|_| Statistics::new_unknown(&schema));
        file.metadata = Some(metadata);
        Ok(Parquet { file, schema, statistics })
    }
}

/// Unwraps an error of the reader, which the engine has wrapped.
fn damaged(cause: ParquetError) -> Error {
    match cause {
        ParquetError::External(inner) => match inner.downcast::<Error>() {
            Ok(error) => *error,
            Err(other) => Error::new(Kind::InvalidText, format!("cannot be read as Parquet: {other}")),
        },
        other => Error::new(Kind::InvalidText, format!("cannot be read as Parquet: {other}")),
    }
}

#[async_trait]
impl TableProvider for Parquet {
    fn schema(&self) -> SchemaRef {
        Arc::clone(&self.schema)
    }

    fn table_type(&self) -> TableType {
        TableType::Base
    }

    fn supports_filters_pushdown(
        &self,
        filters: &[&Expr],
    ) -> datafusion::common::Result<Vec<TableProviderFilterPushDown>> {
        // The scan uses filters only to skip row groups and pages; the engine filters again.
        Ok(vec![TableProviderFilterPushDown::Inexact; filters.len()])
    }

    async fn scan(
        &self,
        _: &dyn Session,
        projection: Option<&Vec<usize>>,
        _: &[Expr],
        limit: Option<usize>,
    ) -> datafusion::common::Result<Arc<dyn ExecutionPlan>> {
        let fields = self.schema.fields().iter().enumerate();
        let is_read = |column| projection.is_none_or(|columns| columns.contains(&column));
        let unread = |(column, field): (usize, &Arc<Field>)| {
            (is_read(column) && matches!(field.data_type(), DataType::Interval(_)))
                .then(|| field.name().clone())
        };
        if let Some(name) = fields.filter_map(unread).next() {
            // The conversion would lose the months of an interval.
            let message = format!("column {name} has the Parquet type INTERVAL, which is not supported");
            return Err(Error::new(Kind::InvalidText, message)
                .hint("name the other columns in SELECT")
                .into());
        }
        let source = ParquetSource::new(Arc::clone(&self.schema))
            .with_parquet_file_reader_factory(Arc::new(self.file.clone()));
        let config = FileScanConfigBuilder::new(ObjectStoreUrl::local_filesystem(), Arc::new(source))
            .with_file(PartitionedFile::new("table", self.file.size))
            .with_statistics(self.statistics.clone())
            .with_projection_indices(projection.cloned())?
            // Keep file partitions in order, so that their rows can be concatenated.
            .with_preserve_order(true)
            .with_limit(limit)
            .build();
        Ok(DataSourceExec::from_data_source(config))
    }

    fn statistics(&self) -> Option<Statistics> {
        Some(self.statistics.clone())
    }
}

#[derive(Clone)]
struct ParquetFile {
    reader: Arc<Reader>,
    stats: Arc<ScanStats>,
    size: u64,
    metadata: Option<Arc<ParquetMetaData>>,
}

impl fmt::Debug for ParquetFile {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("ParquetFile")
    }
}

impl ParquetFileReaderFactory for ParquetFile {
    fn create_reader(
        &self,
        _: usize,
        _: PartitionedFile,
        _: Option<usize>,
        _: &ExecutionPlanMetricsSet,
    ) -> datafusion::common::Result<Box<dyn AsyncFileReader + Send>> {
        Ok(Box::new(self.clone()))
    }
}

impl ParquetFile {
    fn bytes(&self, range: &Range<u64>) -> ParquetResult<Bytes> {
        let length = range.end.saturating_sub(range.start);
        if range.end > self.size {
            return Err(ParquetError::EOF(format!(
                "the footer places data at bytes {} to {}, but the file has {} bytes",
                range.start, range.end, self.size
            )));
        }
        let length = usize::try_from(length).map_err(|cause| ParquetError::External(cause.into()))?;
        let mut bytes = Buffer::default();
        self.reader.source().advise(range.clone());
        self.reader
            .read_exact(bytes.at(range.start, length), range.start)
            .map_err(|error| ParquetError::External(error.into()))?;
        self.stats.note_bytes(bytes.len());
        Ok(Bytes::from_owner(bytes))
    }

    /// Reads near ranges together.
    fn all_bytes(&self, ranges: &[Range<u64>]) -> ParquetResult<Vec<Bytes>> {
        let mut sorted: Vec<&Range<u64>> = ranges.iter().collect();
        sorted.sort_by_key(|range| range.start);
        let mut joined: Vec<Range<u64>> = Vec::new();
        for range in sorted {
            match joined.last_mut() {
                Some(last) if range.start <= last.end.saturating_add(GAP) => {
                    last.end = last.end.max(range.end)
                }
                _ => joined.push(range.clone()),
            }
        }
        let read = joined.iter().map(|range| self.bytes(range)).collect::<ParquetResult<Vec<_>>>()?;
        ranges
            .iter()
            .map(|range| {
                let at = joined.partition_point(|span| span.start <= range.start).saturating_sub(1);
                let (span, bytes) = (&joined[at], &read[at]);
                let place = |offset: u64| {
                    usize::try_from(offset - span.start).map_err(|cause| ParquetError::External(cause.into()))
                };
                Ok(bytes.slice(place(range.start)?..place(range.end)?))
            })
            .collect()
    }
}

impl AsyncFileReader for ParquetFile {
    fn get_bytes(&mut self, range: Range<u64>) -> BoxFuture<'_, ParquetResult<Bytes>> {
        async move { tokio::task::block_in_place(|| self.bytes(&range)) }.boxed()
    }

    fn get_byte_ranges(&mut self, ranges: Vec<Range<u64>>) -> BoxFuture<'_, ParquetResult<Vec<Bytes>>> {
        async move { tokio::task::block_in_place(|| self.all_bytes(&ranges)) }.boxed()
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

impl From<Error> for DataFusionError {
    fn from(error: Error) -> Self {
        DataFusionError::External(error.into())
    }
}
