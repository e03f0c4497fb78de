//! Runs the partitions of a plan one after another; the engine takes from whichever has rows first.

use std::sync::Arc;

use datafusion::common::Result;
use datafusion::common::tree_node::{Transformed, TransformedResult, TreeNode, TreeNodeRecursion};
use datafusion::execution::{SendableRecordBatchStream, TaskContext};
use datafusion::physical_expr::{EquivalenceProperties, PhysicalExpr};
use datafusion::physical_plan::coalesce_partitions::CoalescePartitionsExec;
use datafusion::physical_plan::stream::RecordBatchStreamAdapter;
use datafusion::physical_plan::{
    DisplayAs, DisplayFormatType, ExecutionPlan, ExecutionPlanProperties, Partitioning, PlanProperties,
};
use futures::stream::{self, StreamExt, TryStreamExt};

pub(crate) fn in_order(plan: Arc<dyn ExecutionPlan>) -> Result<Arc<dyn ExecutionPlan>> {
    let several = plan.output_partitioning().partition_count() > 1;
    let plan = plan
        .transform_up(|node| {
            let Some(merge) = node.downcast_ref::<CoalescePartitionsExec>() else {
                return Ok(Transformed::no(node));
            };
            let sequence = Sequence::new(Arc::clone(merge.input()), merge.fetch());
            Ok(Transformed::yes(Arc::new(sequence) as Arc<dyn ExecutionPlan>))
        })
        .data()?;
    Ok(if several { Arc::new(Sequence::new(plan, None)) } else { plan })
}

pub(crate) fn has_nested_loops(plan: &Arc<dyn ExecutionPlan>) -> Result<bool> {
    plan.exists(|node| Ok(["NestedLoopJoinExec", "CrossJoinExec"].contains(&node.name())))
}

#[derive(Debug)]
struct Sequence {
    input: Arc<dyn ExecutionPlan>,
    fetch: Option<usize>,
    properties: Arc<PlanProperties>,
}

impl Sequence {
    fn new(input: Arc<dyn ExecutionPlan>, fetch: Option<usize>) -> Self {
        let properties = PlanProperties::new(
            EquivalenceProperties::new(input.schema()),
            Partitioning::UnknownPartitioning(1),
            input.pipeline_behavior(),
            input.boundedness(),
        );
        Sequence { input, fetch, properties: Arc::new(properties) }
    }
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
        let input = children.pop().unwrap_or_else(|| Arc::clone(&self.input));
        Ok(Arc::new(Sequence::new(input, self.fetch)))
    }

    fn execute(&self, _: usize, context: Arc<TaskContext>) -> Result<SendableRecordBatchStream> {
        let input = Arc::clone(&self.input);
        let parts = 0..input.output_partitioning().partition_count();
        let start = move |part| futures::future::ready(input.execute(part, Arc::clone(&context)));
        let rows = stream::iter(parts).then(start).try_flatten();
        let rows = rows.scan(self.fetch.unwrap_or(usize::MAX), |left, batch| {
            let some = (*left > 0).then(|| {
                batch.map(|batch| {
                    let batch = batch.slice(0, batch.num_rows().min(*left));
                    *left -= batch.num_rows();
                    batch
                })
            });
            futures::future::ready(some)
        });
        Ok(Box::pin(RecordBatchStreamAdapter::new(self.schema(), rows)))
    }
}
