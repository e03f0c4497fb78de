//! Plans of the engine: the order of rows, partitions one after another, and the end of a query that nobody waits for; errors of
//! rread on their way through the engine; temporary files.

use std::fmt;
use std::fs::File;
use std::io::{self, Write};
use std::pin::Pin;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

use bytes::Bytes;
use datafusion::common::tree_node::{Transformed, TransformedResult, TreeNode, TreeNodeRecursion};
use datafusion::common::{Result, exec_err};
use datafusion::error::DataFusionError;
use datafusion::execution::{
    SendableRecordBatchStream, SpillFile, SpillWriter, TaskContext, TempFileFactory,
};
use datafusion::logical_expr::{Expr, LogicalPlan};
use datafusion::physical_expr::EquivalenceProperties;
use datafusion::physical_expr::expressions::Literal;
use datafusion::physical_plan::analyze::AnalyzeExec;
use datafusion::physical_plan::coalesce_partitions::CoalescePartitionsExec;
use datafusion::physical_plan::common::spawn_buffered;
use datafusion::physical_plan::limit::GlobalLimitExec;
use datafusion::physical_plan::metrics::{ExecutionPlanMetricsSet, SplitMetrics};
use datafusion::physical_plan::sorts::sort::SortExec;
use datafusion::physical_plan::stream::{BatchSplitStream, RecordBatchStreamAdapter};
use datafusion::physical_plan::{
    DisplayAs, DisplayFormatType, ExecutionPlan, ExecutionPlanProperties, Partitioning, PlanProperties,
    replace_children_if_necessary,
};
use futures::Stream;
use futures::channel::oneshot;
use futures::future::ready;
use futures::stream::{self, StreamExt, TryStreamExt};

use rread_source::file::read_at;
use rread_source::memory::Buffer;
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

/// Whether there is such a node, in subqueries too.
pub(crate) fn has_node(plan: &LogicalPlan, is_it: impl Fn(&LogicalPlan) -> bool) -> Result<bool> {
    let end = plan.apply_with_subqueries(|node| {
        Ok(if is_it(node) { TreeNodeRecursion::Stop } else { TreeNodeRecursion::Continue })
    })?;
    Ok(end == TreeNodeRecursion::Stop)
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
        with_inputs(node, sorted).map(Transformed::yes)
    })
    .data()
}

fn with_inputs(
    node: Arc<dyn ExecutionPlan>,
    change: impl Fn(Arc<dyn ExecutionPlan>) -> Result<Arc<dyn ExecutionPlan>>,
) -> Result<Arc<dyn ExecutionPlan>> {
    let inputs = node.children().into_iter().map(|input| change(Arc::clone(input))).collect::<Result<_>>()?;
    replace_children_if_necessary(node, inputs)
}

/// The plan without the limits of the sorts that its rows come from.
fn sorted(plan: Arc<dyn ExecutionPlan>) -> Result<Arc<dyn ExecutionPlan>> {
    if let Some(sort) = plan.downcast_ref::<SortExec>() {
        return Ok(Arc::new(sort.with_fetch(None)));
    }
    let is_passed = ["SortPreservingMergeExec", "ProjectionExec", "CoalescePartitionsExec", "Sequence"];
    if is_passed.contains(&plan.name()) { with_inputs(plan, sorted) } else { Ok(plan) }
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
    /// No batch has more than `rows`.
    pub(super) fn watched(
        &self,
        plan: Arc<dyn ExecutionPlan>,
        rows: usize,
    ) -> Result<Arc<dyn ExecutionPlan>> {
        // It shows its nodes to the user.
        if plan.is::<AnalyzeExec>() {
            return Ok(plan);
        }
        let is_stopped = Arc::clone(&self.is_stopped);
        let pass: Arc<Pass> = Arc::new(move |batches| {
            let (schema, is_stopped) = (batches.schema(), Arc::clone(&is_stopped));
            let metrics = SplitMetrics::new(&ExecutionPlanMetricsSet::new(), 0);
            let batches = BatchSplitStream::new(batches, rows, metrics);
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

/// The bytes that the copies of a constant may take in a batch.
const COPIES: usize = 32 << 20;

/// The fewest rows of a batch with a large constant, and those of any other.
const ROWS: (usize, usize) = (16, 8192);

/// Rows of a batch: few if the plan has a large constant, which the engine copies for each without counting it.
pub(crate) fn rows_of_batch(plan: &Arc<dyn ExecutionPlan>) -> Result<usize> {
    let mut largest = 1;
    plan.apply(|node| {
        node.apply_expressions(&mut |root| {
            root.apply(|part| {
                largest = largest.max(part.downcast_ref::<Literal>().map_or(0, |value| value.value().size()));
                Ok(TreeNodeRecursion::Continue)
            })
        })
    })?;
    Ok((COPIES / largest).clamp(ROWS.0, ROWS.1))
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

rread_text::opaque!(Passing);

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

const BLOCK: usize = 64 << 10;

/// Counts the bytes that all files of a query receive.
#[derive(Clone, Debug, Default)]
pub(crate) struct SpillFiles(Arc<AtomicU64>);

impl SpillFiles {
    pub fn written(&self) -> u64 {
        self.0.load(Ordering::Relaxed)
    }
}

impl TempFileFactory for SpillFiles {
    fn create_temp_file(&self, _: &str) -> Result<Arc<dyn SpillFile>> {
        let file = tempfile::tempfile().map_err(|cause| failed("cannot spill temporary data to", &cause))?;
        Ok(Arc::new(UnnamedFile { file: Arc::new(file), all: self.clone() }))
    }
}

fn failed(what: &str, cause: &io::Error) -> DataFusionError {
    let folder = std::env::temp_dir();
    DataFusionError::IoError(io::Error::new(cause.kind(), format!("{what} {}: {cause}", folder.display())))
}

#[derive(Clone)]
struct UnnamedFile {
    file: Arc<File>,
    all: SpillFiles,
}

impl SpillFile for UnnamedFile {
    fn size(&self) -> Option<u64> {
        self.file.metadata().ok().map(|metadata| metadata.len())
    }

    fn read_stream(&self) -> Result<Pin<Box<dyn Stream<Item = Result<Bytes>> + Send>>> {
        let file = Arc::clone(&self.file);
        // Block instead of using another thread: the data is in the page cache, and the allocator would keep most
        // of the memory of a query per thread.
        let blocks = stream::try_unfold((file, 0), |(file, at)| async move {
            let mut block = Buffer::default();
            let got = read_at(&file, block.at(at, BLOCK), at)
                .map_err(|cause| failed("cannot read temporary data back from", &cause))?;
            block.truncate(got);
            Ok((got > 0).then(|| (Bytes::from_owner(block), (file, at + got as u64))))
        });
        Ok(Box::pin(blocks))
    }

    fn open_writer(&self) -> Result<Box<dyn SpillWriter>> {
        Ok(Box::new(self.clone()))
    }
}

impl Write for UnnamedFile {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let written = (&*self.file).write(bytes)?;
        self.all.0.fetch_add(written as u64, Ordering::Relaxed);
        Ok(written)
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

impl SpillWriter for UnnamedFile {
    fn finish(&mut self) -> Result<()> {
        Ok(())
    }
}
