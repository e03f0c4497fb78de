//! Plans of the engine: the order of rows, and partitions one after another; and errors of rread on their way through the engine.

use std::sync::Arc;

use datafusion::common::Result;
use datafusion::common::tree_node::{Transformed, TransformedResult, TreeNode, TreeNodeRecursion};
use datafusion::error::DataFusionError;
use datafusion::execution::{SendableRecordBatchStream, TaskContext};
use datafusion::logical_expr::{Expr, LogicalPlan};
use datafusion::physical_expr::EquivalenceProperties;
use datafusion::physical_plan::coalesce_partitions::CoalescePartitionsExec;
use datafusion::physical_plan::common::spawn_buffered;
use datafusion::physical_plan::limit::GlobalLimitExec;
use datafusion::physical_plan::sorts::sort::SortExec;
use datafusion::physical_plan::stream::RecordBatchStreamAdapter;
use datafusion::physical_plan::{
    DisplayAs, DisplayFormatType, ExecutionPlan, ExecutionPlanProperties, Partitioning, PlanProperties,
    replace_children_if_necessary,
};
use futures::future::ready;
use futures::stream::{self, StreamExt, TryStreamExt};

use rread_text::Error;

/// The method of a node of a plan that has no expressions.
#[macro_export]
macro_rules! without_expressions {
    () => {
        fn apply_expressions(
            &self,
            _: &mut dyn FnMut(
                &std::sync::Arc<dyn $crate::datafusion::physical_expr::PhysicalExpr>,
            ) -> $crate::datafusion::common::Result<
                $crate::datafusion::common::tree_node::TreeNodeRecursion,
            >,
        ) -> $crate::datafusion::common::Result<$crate::datafusion::common::tree_node::TreeNodeRecursion> {
            Ok($crate::datafusion::common::tree_node::TreeNodeRecursion::Continue)
        }
    };
}

const ORDER_DEPENDENT: &[&str] = &["array_agg", "first_value", "last_value", "nth_value", "string_agg"];

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RowOrder {
    /// The order of the query; rows that it does not order come in any order.
    Any,
    /// The order of the file: the query only filters and maps rows.
    File,
    /// The same order every time: one thread processes the parsed rows.
    Same,
}

pub(crate) fn row_order(plan: &LogicalPlan, repeatable: bool) -> Result<RowOrder> {
    let mut order = if repeatable { RowOrder::Same } else { RowOrder::File };
    plan.apply_with_subqueries(|node| {
        let here = match node {
            LogicalPlan::Projection(_)
            | LogicalPlan::Filter(_)
            | LogicalPlan::SubqueryAlias(_)
            | LogicalPlan::TableScan(_) => RowOrder::File,
            // LIMIT without ORDER BY means the first rows of its input.
            LogicalPlan::Limit(limit) if !is_sorted(&limit.input) => RowOrder::Same,
            LogicalPlan::Window(_) => RowOrder::Same,
            LogicalPlan::Aggregate(aggregate) if aggregate.aggr_expr.iter().any(depends_on_order) => {
                RowOrder::Same
            }
            _ => RowOrder::Any,
        };
        order = match (order, here) {
            (RowOrder::Same, _) | (_, RowOrder::Same) => RowOrder::Same,
            (RowOrder::File, RowOrder::File) => RowOrder::File,
            _ => RowOrder::Any,
        };
        Ok(TreeNodeRecursion::Continue)
    })?;
    Ok(order)
}

fn is_sorted(plan: &LogicalPlan) -> bool {
    match plan {
        LogicalPlan::Sort(_) => true,
        LogicalPlan::Projection(projection) => is_sorted(&projection.input),
        LogicalPlan::SubqueryAlias(alias) => is_sorted(&alias.input),
        _ => false,
    }
}

fn depends_on_order(expr: &Expr) -> bool {
    expr.exists(|part| {
        Ok(matches!(part, Expr::AggregateFunction(function) if ORDER_DEPENDENT.contains(&function.func.name())))
    })
    .unwrap_or(true)
}

pub fn in_order(plan: Arc<dyn ExecutionPlan>) -> Result<Arc<dyn ExecutionPlan>> {
    let several = plan.output_partitioning().partition_count() > 1;
    let plan = plan
        .transform_up(|node| {
            let Some(merge) = node.downcast_ref::<CoalescePartitionsExec>() else {
                return Ok(Transformed::no(node));
            };
            let rows = sequence(Arc::clone(merge.input()), false);
            let limited: Arc<dyn ExecutionPlan> = match merge.fetch() {
                Some(most) => Arc::new(GlobalLimitExec::new(rows, 0, Some(most))),
                None => rows,
            };
            Ok(Transformed::yes(limited))
        })
        .data()?;
    Ok(if several { sequence(plan, false) } else { plan })
}

/// A heap of more rows costs more than a sort, which may also use temporary files.
const MAX_HEAP: usize = 20_000;

/// The plan with sorts of all rows below a large OFFSET, where the engine would keep a heap of OFFSET + LIMIT rows.
pub(crate) fn without_large_heaps(plan: Arc<dyn ExecutionPlan>) -> Result<Arc<dyn ExecutionPlan>> {
    plan.transform_down(|node| {
        let is_large = |limit: &GlobalLimitExec| {
            limit.skip() > 0 && limit.skip().saturating_add(limit.fetch().unwrap_or(0)) > MAX_HEAP
        };
        if !node.downcast_ref::<GlobalLimitExec>().is_some_and(is_large) {
            return Ok(Transformed::no(node));
        }
        let inputs = node.children().into_iter().map(|input| sorted(Arc::clone(input)));
        let inputs = inputs.collect::<Result<Vec<_>>>()?;
        Ok(Transformed::yes(replace_children_if_necessary(node, inputs)?))
    })
    .data()
}

/// The plan without the limits of the sorts that its rows come from.
fn sorted(plan: Arc<dyn ExecutionPlan>) -> Result<Arc<dyn ExecutionPlan>> {
    if let Some(sort) = plan.downcast_ref::<SortExec>() {
        return Ok(Arc::new(sort.with_fetch(None)));
    }
    let is_passed = ["SortPreservingMergeExec", "ProjectionExec", "CoalescePartitionsExec", "Sequence"];
    if !is_passed.contains(&plan.name()) {
        return Ok(plan);
    }
    let inputs = plan.children().into_iter().map(|input| sorted(Arc::clone(input)));
    let inputs = inputs.collect::<Result<Vec<_>>>()?;
    replace_children_if_necessary(plan, inputs)
}

pub(crate) fn has_nested_loops(plan: &Arc<dyn ExecutionPlan>) -> Result<bool> {
    plan.exists(|node| Ok(["NestedLoopJoinExec", "CrossJoinExec"].contains(&node.name())))
}

/// Batches of a partition that wait for their turn.
const WAITING: usize = 16;

#[derive(Debug)]
struct Sequence {
    input: Arc<dyn ExecutionPlan>,
    is_at_once: bool,
    properties: Arc<PlanProperties>,
}

/// One partition after another; `is_at_once` if all run at once, and those whose turn has not come wait with a few batches.
pub fn sequence(input: Arc<dyn ExecutionPlan>, is_at_once: bool) -> Arc<dyn ExecutionPlan> {
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

    without_expressions!();

    fn with_new_children(
        self: Arc<Self>,
        mut children: Vec<Arc<dyn ExecutionPlan>>,
    ) -> Result<Arc<dyn ExecutionPlan>> {
        Ok(sequence(children.pop().unwrap_or_else(|| Arc::clone(&self.input)), self.is_at_once))
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

/// `error` as the engine carries it; `run` takes it out again.
pub fn external(error: Error) -> DataFusionError {
    DataFusionError::External(error.into())
}
