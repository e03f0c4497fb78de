//! The table of a query and its read, as the engine sees them: the rows of one file, or of file after file.

use std::fmt;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use async_trait::async_trait;
use datafusion::arrow::datatypes::SchemaRef;
use datafusion::catalog::{Session, TableProvider};
use datafusion::common::{Result, Statistics};
use datafusion::datasource::TableType;
use datafusion::execution::{SendableRecordBatchStream, TaskContext};
use datafusion::logical_expr::{Expr, TableProviderFilterPushDown};
use datafusion::physical_expr::EquivalenceProperties;
use datafusion::physical_plan::coop::make_cooperative;
use datafusion::physical_plan::execution_plan::{Boundedness, EmissionType, SchedulingType};
use datafusion::physical_plan::limit::LimitStream;
use datafusion::physical_plan::metrics::{BaselineMetrics, ExecutionPlanMetricsSet, MetricsSet};
use datafusion::physical_plan::{DisplayAs, DisplayFormatType, ExecutionPlan, Partitioning, PlanProperties};

use super::rows::{FileRows, FilesTable, Scan};
use crate::lines::bounds_time;
use crate::stopped::Pass;

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
