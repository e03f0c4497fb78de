//! The end of a query that nobody waits for: each node of its plan asks, batch by batch, whether to go on.

use std::fmt;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use datafusion::common::exec_err;
use datafusion::common::tree_node::{Transformed, TreeNode};
use datafusion::error::Result;
use datafusion::execution::{SendableRecordBatchStream, TaskContext};
use datafusion::physical_plan::analyze::AnalyzeExec;
use datafusion::physical_plan::stream::RecordBatchStreamAdapter;
use datafusion::physical_plan::{DisplayAs, DisplayFormatType, ExecutionPlan, PlanProperties};
use futures::channel::oneshot;
use futures::stream::StreamExt;

/// Stops the query when it is dropped.
pub(super) struct Wanted {
    is_stopped: Arc<AtomicBool>,
    _ended: oneshot::Sender<()>,
}

/// Whether a query is to end, and a future that says when.
pub(super) struct Stop {
    is_stopped: Arc<AtomicBool>,
    pub(super) ended: oneshot::Receiver<()>,
}

pub(super) fn pair() -> (Wanted, Stop) {
    let (is_stopped, (sender, ended)) = (Arc::new(AtomicBool::new(false)), oneshot::channel());
    (Wanted { is_stopped: Arc::clone(&is_stopped), _ended: sender }, Stop { is_stopped, ended })
}

impl Drop for Wanted {
    fn drop(&mut self) {
        self.is_stopped.store(true, Ordering::Relaxed);
    }
}

impl Stop {
    /// `plan`, whose nodes end once the query is stopped: a node that computes long may never wait, and so never be aborted.
    pub(super) fn watched(&self, plan: Arc<dyn ExecutionPlan>) -> Result<Arc<dyn ExecutionPlan>> {
        // It shows its nodes to the user.
        if plan.is::<AnalyzeExec>() {
            return Ok(plan);
        }
        let is_stopped = Arc::clone(&self.is_stopped);
        let pass: Arc<Pass> = Arc::new(move |batches| {
            let (schema, is_stopped) = (batches.schema(), Arc::clone(&is_stopped));
            let checked = batches.map(move |batch| match is_stopped.load(Ordering::Relaxed) {
                true => exec_err!("nobody waits for the query"),
                false => batch,
            });
            Box::pin(RecordBatchStreamAdapter::new(schema, checked))
        });
        let watched = plan.transform_up(|input| Ok(Transformed::yes(passing(input, Arc::clone(&pass)))));
        watched.map(|watched| watched.data)
    }
}

/// Changes the batches of a partition on their way.
pub type Pass = dyn Fn(SendableRecordBatchStream) -> SendableRecordBatchStream + Send + Sync;

/// A node that is its input for everybody, but for the batches that `pass` lets through.
pub fn passing(input: Arc<dyn ExecutionPlan>, pass: Arc<Pass>) -> Arc<dyn ExecutionPlan> {
    Arc::new(Passing { input, pass })
}

struct Passing {
    input: Arc<dyn ExecutionPlan>,
    pass: Arc<Pass>,
}

impl fmt::Debug for Passing {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.input.fmt(f)
    }
}

impl DisplayAs for Passing {
    fn fmt_as(&self, form: DisplayFormatType, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.input.fmt_as(form, f)
    }
}

impl ExecutionPlan for Passing {
    fn name(&self) -> &str {
        self.input.name()
    }

    fn downcast_delegate(&self) -> Option<&dyn ExecutionPlan> {
        Some(&*self.input)
    }

    fn properties(&self) -> &Arc<PlanProperties> {
        self.input.properties()
    }

    fn maintains_input_order(&self) -> Vec<bool> {
        vec![true]
    }

    fn children(&self) -> Vec<&Arc<dyn ExecutionPlan>> {
        vec![&self.input]
    }

    crate::without_expressions!();

    fn with_new_children(
        self: Arc<Self>,
        mut children: Vec<Arc<dyn ExecutionPlan>>,
    ) -> Result<Arc<dyn ExecutionPlan>> {
        let input = children.pop().unwrap_or_else(|| Arc::clone(&self.input));
        Ok(passing(input, Arc::clone(&self.pass)))
    }

    fn execute(&self, partition: usize, context: Arc<TaskContext>) -> Result<SendableRecordBatchStream> {
        Ok((self.pass)(self.input.execute(partition, context)?))
    }
}
