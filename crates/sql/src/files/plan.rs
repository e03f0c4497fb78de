//! The read of the files of a table as a node of a plan: one stream, file after file.

use std::fmt;
use std::sync::Arc;

use datafusion::common::Result;
use datafusion::common::tree_node::TreeNodeRecursion;
use datafusion::execution::{SendableRecordBatchStream, TaskContext};
use datafusion::physical_expr::{EquivalenceProperties, PhysicalExpr};
use datafusion::physical_plan::coop::make_cooperative;
use datafusion::physical_plan::execution_plan::{Boundedness, EmissionType, SchedulingType};
use datafusion::physical_plan::limit::LimitStream;
use datafusion::physical_plan::metrics::{BaselineMetrics, ExecutionPlanMetricsSet};
use datafusion::physical_plan::{DisplayAs, DisplayFormatType, ExecutionPlan, Partitioning, PlanProperties};

#[cfg(feature = "cluster")]
use super::head::Head;
#[cfg(feature = "cluster")]
use super::rows::FilesTable;
use super::rows::Scan;

/// Reads the rows of a table of files.
#[derive(Clone, Debug)]
pub(crate) struct FilesScan {
    pub scan: Arc<Scan>,
    /// The rows that are read at most.
    pub limit: Option<usize>,
    properties: Arc<PlanProperties>,
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
        FilesScan { limit: scan.limit, scan: Arc::new(scan), properties: Arc::new(properties) }
    }

    /// The read in `parts`, of neighbouring files each, with about as many bytes.
    #[cfg(feature = "cluster")]
    pub fn divided(&self, parts: usize) -> Vec<Self> {
        let heads = &self.scan.table.heads;
        let sizes = heads.iter().map(|head| head.size.unwrap_or(UNKNOWN).max(1));
        let all: u64 = sizes.clone().fold(0, u64::saturating_add);
        let mut divided: Vec<Vec<Head>> = (0..parts).map(|_| Vec::new()).collect();
        let mut before: u64 = 0;
        for (head, size) in heads.iter().zip(sizes) {
            // The part in which the middle of the file is.
            let middle = u128::from(before.saturating_add(size / 2)) * parts as u128 / u128::from(all.max(1));
            let part = usize::try_from(middle).unwrap_or(parts).min(parts.saturating_sub(1));
            divided[part].push(head.clone());
            before = before.saturating_add(size);
        }
        let part = |heads| {
            let Scan { table, projection, schema, session, filters, limit } = &*self.scan;
            let table = FilesTable { heads: Arc::new(heads), ..table.clone() };
            let (projection, filters) = (projection.clone(), filters.clone());
            let (schema, session) = (Arc::clone(schema), Arc::clone(session));
            let part = FilesScan::new(Scan { table, projection, schema, session, filters, limit: *limit });
            FilesScan { limit: self.limit, ..part }
        };
        divided.into_iter().map(part).collect()
    }
}

/// The bytes of a file of unknown size, to share the work.
#[cfg(feature = "cluster")]
const UNKNOWN: u64 = 1 << 20;

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

    fn apply_expressions(
        &self,
        _: &mut dyn FnMut(&Arc<dyn PhysicalExpr>) -> Result<TreeNodeRecursion>,
    ) -> Result<TreeNodeRecursion> {
        Ok(TreeNodeRecursion::Continue)
    }

    fn with_new_children(self: Arc<Self>, _: Vec<Arc<dyn ExecutionPlan>>) -> Result<Arc<dyn ExecutionPlan>> {
        Ok(self)
    }

    fn execute(&self, _: usize, context: Arc<TaskContext>) -> Result<SendableRecordBatchStream> {
        let rows = make_cooperative(Arc::clone(&self.scan).all(&context));
        let Some(limit) = self.limit else { return Ok(rows) };
        let metrics = BaselineMetrics::new(&ExecutionPlanMetricsSet::new(), 0);
        Ok(Box::pin(LimitStream::new(rows, 0, Some(limit), metrics)))
    }

    fn fetch(&self) -> Option<usize> {
        self.limit
    }

    fn with_fetch(&self, limit: Option<usize>) -> Option<Arc<dyn ExecutionPlan>> {
        Some(Arc::new(FilesScan { limit, ..self.clone() }))
    }
}
