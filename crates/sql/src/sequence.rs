//! Runs the partitions of a plan one after another; the engine takes from whichever has rows first.

use std::sync::Arc;

use datafusion::common::Result;
use datafusion::common::tree_node::{Transformed, TransformedResult, TreeNode, TreeNodeRecursion};
use datafusion::execution::{SendableRecordBatchStream, TaskContext};
use datafusion::physical_expr::{EquivalenceProperties, PhysicalExpr};
use datafusion::physical_plan::coalesce_partitions::CoalescePartitionsExec;
use datafusion::physical_plan::common::spawn_buffered;
use datafusion::physical_plan::limit::GlobalLimitExec;
use datafusion::physical_plan::stream::RecordBatchStreamAdapter;
use datafusion::physical_plan::{
    DisplayAs, DisplayFormatType, ExecutionPlan, ExecutionPlanProperties, Partitioning, PlanProperties,
};
use futures::future::ready;
use futures::stream::{self, StreamExt, TryStreamExt};

pub(crate) fn in_order(plan: Arc<dyn ExecutionPlan>) -> Result<Arc<dyn ExecutionPlan>> {
    let several = plan.output_partitioning().partition_count() > 1;
    let plan = plan
        .transform_up(|node| {
            let Some(merge) = node.downcast_ref::<CoalescePartitionsExec>() else {
                return Ok(Transformed::no(node));
            };
            let rows = sequence(Arc::clone(merge.input()));
            let limited: Arc<dyn ExecutionPlan> = match merge.fetch() {
                Some(most) => Arc::new(GlobalLimitExec::new(rows, 0, Some(most))),
                None => rows,
            };
            Ok(Transformed::yes(limited))
        })
        .data()?;
    Ok(if several { sequence(plan) } else { plan })
}

pub(crate) fn has_nested_loops(plan: &Arc<dyn ExecutionPlan>) -> Result<bool> {
    plan.exists(|node| Ok(["NestedLoopJoinExec", "CrossJoinExec"].contains(&node.name())))
}

/// The same, but all partitions run at once: those whose turn has not come wait with a few batches.
#[cfg(feature = "cluster")]
pub(crate) fn at_once(input: Arc<dyn ExecutionPlan>) -> Arc<dyn ExecutionPlan> {
    of(input, true)
}

/// Batches of a partition that wait for their turn.
const WAITING: usize = 16;

#[derive(Debug)]
struct Sequence {
    input: Arc<dyn ExecutionPlan>,
    is_at_once: bool,
    properties: Arc<PlanProperties>,
}

fn sequence(input: Arc<dyn ExecutionPlan>) -> Arc<dyn ExecutionPlan> {
    of(input, false)
}

fn of(input: Arc<dyn ExecutionPlan>, is_at_once: bool) -> Arc<dyn ExecutionPlan> {
    let properties = PlanProperties::new(
        EquivalenceProperties::new(input.schema()),
        Partitioning::UnknownPartitioning(1),
        input.pipeline_behavior(),
        input.boundedness(),
    );
    Arc::new(Sequence { input, is_at_once, properties: Arc::new(properties) })
}

impl DisplayAs for Sequence {
    fn fmt_as(&self, _: DisplayFormatType, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Sequence")
    }
}

impl ExecutionPlan for Sequence {
    fn name(&self) -> &'static str {
        "Sequence"
    }

    fn properties(&self) -> &Arc<PlanProperties> {
        &self.properties
    }

    fn children(&self) -> Vec<&Arc<dyn ExecutionPlan>> {
        vec![&self.input]
    }

    fn apply_expressions(
        &self,
        _: &mut dyn FnMut(&Arc<dyn PhysicalExpr>) -> Result<TreeNodeRecursion>,
    ) -> Result<TreeNodeRecursion> {
        Ok(TreeNodeRecursion::Continue)
    }

    fn with_new_children(
        self: Arc<Self>,
        mut children: Vec<Arc<dyn ExecutionPlan>>,
    ) -> Result<Arc<dyn ExecutionPlan>> {
        Ok(of(children.pop().unwrap_or_else(|| Arc::clone(&self.input)), self.is_at_once))
    }

    fn execute(&self, _: usize, context: Arc<TaskContext>) -> Result<SendableRecordBatchStream> {
        let input = Arc::clone(&self.input);
        let parts = 0..input.output_partitioning().partition_count();
        if self.is_at_once {
            let started =
                parts.map(|part| Ok(spawn_buffered(input.execute(part, Arc::clone(&context))?, WAITING)));
            let started = started.collect::<Result<Vec<_>>>()?;
            let rows = stream::iter(started).flatten();
            return Ok(Box::pin(RecordBatchStreamAdapter::new(self.schema(), rows)));
        }
        let start = move |part| ready(input.execute(part, Arc::clone(&context)));
        let rows = stream::iter(parts).then(start).try_flatten();
        Ok(Box::pin(RecordBatchStreamAdapter::new(self.schema(), rows)))
    }
}
