//! The top of a plan of which workers do a part: its rows can end before their end.
//!
//! A client that drops the rows of such a plan also drops the channels on which the workers say what they read.

use std::sync::Arc;

use datafusion::common::Result;
use datafusion::common::tree_node::TreeNodeRecursion;
use datafusion::execution::{SendableRecordBatchStream, TaskContext};
use datafusion::physical_expr::PhysicalExpr;
use datafusion::physical_plan::coalesce_partitions::CoalescePartitionsExec;
use datafusion::physical_plan::stream::RecordBatchStreamAdapter;
use datafusion::physical_plan::{
    DisplayAs, DisplayFormatType, ExecutionPlan, ExecutionPlanProperties, PlanProperties,
};
use futures::StreamExt;
use tokio::sync::watch::Sender;

/// Ends the rows of a plan.
#[derive(Clone, Debug, Default)]
pub(super) struct Stop(Arc<Sender<bool>>);

impl Stop {
    pub fn stop(&self) {
        self.0.send_replace(true);
    }

    /// Waits until somebody stops.
    async fn stopped(self) {
        let mut stopped = self.0.subscribe();
        // It cannot fail: this future keeps the sender.
        let _ = stopped.wait_for(|is_stopped| *is_stopped).await;
    }
}

#[derive(Debug)]
pub(super) struct Stoppable {
    input: Arc<dyn ExecutionPlan>,
    stop: Stop,
}

impl Stoppable {
    /// The rows of `plan`, in one partition, until `stop` stops them.
    pub fn plan(plan: Arc<dyn ExecutionPlan>, stop: Stop) -> Arc<dyn ExecutionPlan> {
        let is_one = plan.output_partitioning().partition_count() == 1;
        let input = if is_one { plan } else { Arc::new(CoalescePartitionsExec::new(plan)) };
        Arc::new(Stoppable { input, stop })
    }
}

impl DisplayAs for Stoppable {
    fn fmt_as(&self, _: DisplayFormatType, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Stoppable")
    }
}

impl ExecutionPlan for Stoppable {
    fn name(&self) -> &'static str {
        "Stoppable"
    }

    fn properties(&self) -> &Arc<PlanProperties> {
        self.input.properties()
    }

    fn children(&self) -> Vec<&Arc<dyn ExecutionPlan>> {
        vec![&self.input]
    }

    fn maintains_input_order(&self) -> Vec<bool> {
        vec![true]
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
        Ok(Arc::new(Stoppable { input, stop: self.stop.clone() }))
    }

    fn execute(&self, part: usize, context: Arc<TaskContext>) -> Result<SendableRecordBatchStream> {
        let rows = self.input.execute(part, context)?;
        let schema = rows.schema();
        let rows = rows.take_until(Box::pin(self.stop.clone().stopped()));
        Ok(Box::pin(RecordBatchStreamAdapter::new(schema, rows)))
    }
}
