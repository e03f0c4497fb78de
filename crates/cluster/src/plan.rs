//! Cuts the plan of a query into what workers do and what its client does.
//!
//! Aggregates and joins without an order are cut by `datafusion-distributed`. A query whose rows have an order is cut above
//! the filters of each table: workers read and filter, and the client sees the same rows in the same order as alone. So is
//! one that has no place to cut for `datafusion-distributed`, such as a sort, which workers do too.

use std::hash::{BuildHasher, Hasher, RandomState};
use std::sync::Arc;
use std::time::Duration;

use async_trait::async_trait;
use datafusion_distributed::{
    DesiredTaskCountEvent, DesiredTaskCountEventResponse, DistributedExec, DistributedExt,
    DistributedLeafExec, DistributedMetricsFormat, MaybeEncoded, NetworkBoundaryExt, NetworkCoalesceExec,
    RouteTasksEvent, RouteTasksEventResponse, ScaleUpLeafNodeEvent, ScaleUpLeafNodeEventResponse,
    SessionStateBuilderExt, WorkerResolver, rewrite_distributed_plan_with_metrics,
};
use futures::StreamExt;
use tokio::sync::watch::Sender;
use url::Url;

use super::wire::{REPORT, Report, ScanCodec, Tables};
use crate::channel::{Connections, Workers};
use rread_source::member_address::is_inside_file;
use rread_sql::datafusion::catalog::Session;
use rread_sql::datafusion::common::Result;
use rread_sql::datafusion::common::tree_node::{Transformed, TransformedResult, TreeNode, TreeNodeRecursion};
use rread_sql::datafusion::execution::context::QueryPlanner;
use rread_sql::datafusion::execution::{
    SendableRecordBatchStream, SessionState, SessionStateBuilder, TaskContext,
};
use rread_sql::datafusion::logical_expr::LogicalPlan;
use rread_sql::datafusion::physical_plan::coalesce_partitions::CoalescePartitionsExec;
use rread_sql::datafusion::physical_plan::coop::CooperativeExec;
use rread_sql::datafusion::physical_plan::filter::FilterExec;
use rread_sql::datafusion::physical_plan::limit::{GlobalLimitExec, LocalLimitExec};
use rread_sql::datafusion::physical_plan::projection::ProjectionExec;
use rread_sql::datafusion::physical_plan::sorts::sort::SortExec;
use rread_sql::datafusion::physical_plan::sorts::sort_preserving_merge::SortPreservingMergeExec;
use rread_sql::datafusion::physical_plan::stream::RecordBatchStreamAdapter;
use rread_sql::datafusion::physical_plan::{
    ChildrenPropertiesMode, ExecutionPlan, ExecutionPlanProperties, ReplaceChildrenOptions,
};
use rread_sql::datafusion::physical_planner::{DefaultPhysicalPlanner, PhysicalPlanner};
use rread_sql::files::columns::Head;
use rread_sql::files::rows::{FilesScan, FilesTable, Scan};
use rread_sql::plans::passing;
use rread_sql::{Cluster, RowOrder, SentQuery, WorkDone, external, plans};
use rread_text::{Address, Error, Kind};

/// The cost of a request to a server, in bytes that are read meanwhile.
const REQUEST: u64 = 256 << 10;

/// The bytes of a file of unknown size, to share the work.
const UNKNOWN: u64 = 1 << 20;

/// The parts of a read for each worker: while it waits for the store in one, it reads another, and large files share the
/// workers better. One worker alone would be no stage of its own with one.
const EACH: usize = 2;

/// How long the counts of the workers may take to come after the rows.
const PATIENCE: Duration = Duration::from_secs(5);

/// A plan of which workers do a part.
struct Sent {
    plan: Arc<dyn ExecutionPlan>,
    context: Arc<TaskContext>,
    /// The tables that the workers read.
    tables: Arc<Tables>,
    /// Before any count of theirs.
    begun: WorkDone,
    stop: Stop,
}

#[async_trait]
impl Cluster for Workers {
    async fn plan(
        &self,
        state: &SessionState,
        logical: &LogicalPlan,
        order: RowOrder,
        alone: &Arc<dyn ExecutionPlan>,
    ) -> Result<Option<Arc<dyn SentQuery>>> {
        let tables = Arc::new(tables(alone)?);
        if tables.is_empty() || !is_worth_it(alone, self)? {
            return Ok(None);
        }
        let count = self.addresses.len().saturating_mul(EACH);
        let codec = ScanCodec::Client {
            tables: Arc::clone(&tables),
            options: self.options.clone(),
            context: state.task_ctx(),
        };
        let mut found = None;
        let stop = Stop::default();
        for is_cut in [false, true] {
            if is_cut || order == RowOrder::Any {
                let planner = CutPlanner { order, is_cut, workers: count, stop: stop.clone() };
                found = distributed(state, logical, planner, self, codec.clone()).await?;
            }
            if found.is_some() {
                break;
            }
        }
        let Some((plan, context)) = found else { return Ok(None) };
        let (tasks, most) = tasks(&plan)?;
        let begun = WorkDone { workers: most.min(self.addresses.len() as u64), tasks, ..WorkDone::default() };
        Ok(Some(Arc::new(Sent { plan, context, tables, begun, stop })))
    }

    fn has_lost(&self) -> bool {
        !self.lost().is_empty()
    }

    fn left(&self) -> rread_text::error::Result<Arc<dyn Cluster>> {
        let lost = self.lost().clone();
        let addresses = self.addresses.iter().filter(|address| !lost.contains(address)).cloned().collect();
        Ok(Arc::new(Workers { addresses, ..self.clone() }.answering()?))
    }
}

/// The plan with its stages, if it has any and all can be sent.
async fn distributed(
    state: &SessionState,
    logical: &LogicalPlan,
    planner: CutPlanner,
    workers: &Workers,
    codec: ScanCodec,
) -> Result<Option<(Arc<dyn ExecutionPlan>, Arc<TaskContext>)>> {
    let state = session(state, planner, workers, codec)?;
    let Ok(plan) = state.create_physical_plan(logical).await else { return Ok(None) };
    let context = state.task_ctx();
    let is_sent = plan.is::<DistributedExec>() && can_be_sent(&plan, &context)?;
    Ok(is_sent.then_some((plan, context)))
}

#[async_trait]
impl SentQuery for Sent {
    fn plan(&self) -> Arc<dyn ExecutionPlan> {
        Arc::clone(&self.plan)
    }

    fn context(&self) -> Arc<TaskContext> {
        Arc::clone(&self.context)
    }

    fn begun(&self) -> WorkDone {
        self.begun
    }

    fn stop(&self) {
        self.stop.stop();
    }

    async fn finish(&self) -> rread_text::error::Result<WorkDone> {
        let metrics =
            rewrite_distributed_plan_with_metrics(Arc::clone(&self.plan), DistributedMetricsFormat::PerTask);
        let mut done = self.begun;
        let Ok(Ok(plan)) = tokio::time::timeout(PATIENCE, metrics).await else {
            return Err(Error::new(Kind::Network, "a worker did not say what it read").hint("try again"));
        };
        let _ = plan.apply(|node| {
            for metric in node.metrics().iter().flat_map(|metrics| metrics.iter()) {
                let label = metric.labels().iter().find(|label| label.name() == REPORT);
                let report = label.and_then(|label| serde_json::from_str::<Report>(label.value()).ok());
                let Some(report) = report else { continue };
                done.requests += report.requests;
                done.bytes_fetched += report.bytes_fetched;
                if let Some((_, table)) = self.tables.iter().find(|(id, _)| *id == report.id) {
                    report.add_to(table);
                }
            }
            Ok(TreeNodeRecursion::Continue)
        });
        Ok(done)
    }
}

fn scans(plan: &Arc<dyn ExecutionPlan>) -> Result<Vec<FilesScan>> {
    let mut scans = Vec::new();
    plan.apply(|node| {
        scans.extend(node.downcast_ref::<FilesScan>().cloned());
        Ok(TreeNodeRecursion::Continue)
    })?;
    Ok(scans)
}

/// The tables that `plan` reads, each with a number. Workers count what they read by it, so it begins at random.
pub fn tables(plan: &Arc<dyn ExecutionPlan>) -> Result<Tables> {
    let mut tables = Tables::new();
    let mut id = RandomState::new().build_hasher().finish();
    for scan in scans(plan)? {
        let table = &scan.scan.table;
        if !tables.iter().any(|(_, known)| Arc::ptr_eq(&known.reads, &table.reads)) {
            tables.push((id, table.clone()));
            id = id.wrapping_add(1);
        }
    }
    Ok(tables)
}

fn cost(scan: &FilesScan, least: u64) -> u64 {
    let of = |head: &Head| match (Address::of(&head.path), head.size) {
        (_, None) => least,
        (Some(_), Some(size)) => size.max(REQUEST),
        (None, Some(size)) => size,
    };
    scan.scan.table.heads.iter().map(of).fold(0, u64::saturating_add)
}

fn is_worth_it(plan: &Arc<dyn ExecutionPlan>, workers: &Workers) -> Result<bool> {
    let scans = scans(plan)?;
    // A worker does not open the archives that are open here.
    let has_members = |scan: &FilesScan| scan.scan.table.heads.iter().any(|head| is_inside_file(&head.path));
    if scans.iter().any(has_members) {
        return Ok(false);
    }
    let costs = scans.into_iter().filter(may_be_cut).map(|scan| cost(&scan, workers.least));
    Ok(costs.fold(0, u64::saturating_add) >= workers.least.max(1))
}

/// The first rows of a table come from its first files, and a file is read by one worker.
fn may_be_cut(scan: &FilesScan) -> bool {
    scan.limit.is_none() && scan.scan.table.heads.len() > 1
}

/// In how many parts `scan` is read.
fn parts(scan: &FilesScan, workers: usize) -> usize {
    if may_be_cut(scan) { scan.scan.table.heads.len().min(workers) } else { 1 }
}

fn session(
    state: &SessionState,
    planner: CutPlanner,
    workers: &Workers,
    codec: ScanCodec,
) -> Result<SessionState> {
    let urls = workers.addresses.iter().map(|address| Connections::url(&workers.access, address));
    let urls: Vec<Url> = urls.collect::<rread_text::error::Result<_>>().map_err(external)?;
    let count = planner.workers;
    let urls: Vec<Url> = urls.iter().cycle().take(count).cloned().collect();
    let order = planner.order;
    let connections = Connections::new(&workers.access, Some(workers.clone()));
    let mut builder = SessionStateBuilder::new_from_existing(state.clone());
    if let Some(config) = builder.config() {
        let options = config.options_mut();
        let threads = options.execution.target_partitions;
        options.execution.target_partitions = if order == RowOrder::Same { 1 } else { threads.max(2) };
        options.optimizer.enable_round_robin_repartition = order == RowOrder::Any;
    }
    let desired = move |event: DesiredTaskCountEvent<'_>| {
        let scan = event.plan.downcast_ref::<FilesScan>()?;
        Some(Ok(match parts(scan, count) {
            1 if !may_be_cut(scan) => DesiredTaskCountEventResponse::maximum(1),
            parts => DesiredTaskCountEventResponse::desired(parts),
        }))
    };
    let routed = urls.clone();
    let route = move |event: RouteTasksEvent<'_>| {
        let urls = routed.iter().cycle().take(event.task_count).cloned().collect();
        Some(Ok(RouteTasksEventResponse::new(urls)))
    };
    Ok(builder
        .with_distributed_worker_resolver(Addresses(urls))
        .with_distributed_channel_resolver(connections)
        .with_distributed_user_codec(codec)
        .with_distributed_desired_task_count_handler(desired)
        .with_distributed_scale_up_leaf_node_handler(scaled)
        .with_distributed_route_tasks_handler(route)
        .with_query_planner(Arc::new(planner))
        .with_distributed_planner()
        .build())
}

struct Addresses(Vec<Url>);

impl WorkerResolver for Addresses {
    fn get_urls(&self) -> Result<Vec<Url>> {
        Ok(self.0.clone())
    }
}

/// The leaf that reads a part of the files in each task.
fn scaled(event: ScaleUpLeafNodeEvent<'_>) -> Option<Result<ScaleUpLeafNodeEventResponse>> {
    let scan = event.plan.downcast_ref::<FilesScan>()?;
    if event.task_count < 2 {
        return None;
    }
    let parts =
        divided(scan, event.task_count).into_iter().map(|part| Arc::new(part) as Arc<dyn ExecutionPlan>);
    let leaf = DistributedLeafExec::try_new(Arc::clone(event.plan), parts);
    Some(leaf.map(|leaf| ScaleUpLeafNodeEventResponse::new(Arc::new(leaf))))
}

/// `scan` in `parts`, of neighbouring files each, with about as many bytes.
fn divided(scan: &FilesScan, parts: usize) -> Vec<FilesScan> {
    let heads = &scan.scan.table.heads;
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
        let table = FilesTable { heads: Arc::new(heads), ..scan.scan.table.clone() };
        FilesScan::new(Scan { table, limit: scan.limit, ..Scan::clone(&scan.scan) })
    };
    divided.into_iter().map(part).collect()
}

/// Plans as alone, and cuts.
#[derive(Clone, Debug)]
struct CutPlanner {
    order: RowOrder,
    /// Otherwise `datafusion-distributed` finds the stages.
    is_cut: bool,
    workers: usize,
    stop: Stop,
}

#[async_trait]
impl QueryPlanner for CutPlanner {
    async fn create_physical_plan(
        &self,
        logical: &LogicalPlan,
        session: &dyn Session,
    ) -> Result<Arc<dyn ExecutionPlan>> {
        let plan = DefaultPhysicalPlanner::default().create_physical_plan(logical, session).await?;
        let plan = plan.transform_up(interruptible).data()?;
        let plan = match self.order {
            _ if !self.is_cut => plan,
            RowOrder::Any | RowOrder::File => self.cut(plan)?,
            RowOrder::Same => self.cut(plans::in_order(plan)?)?,
        };
        Ok(stoppable(plan, self.stop.clone()))
    }
}

impl CutPlanner {
    /// Lets workers do the lowest part of `plan`: what works on each row of a table by itself.
    fn cut(&self, plan: Arc<dyn ExecutionPlan>) -> Result<Arc<dyn ExecutionPlan>> {
        if let Some(rows) = RowWise::of(&plan) {
            return self.sent(plan, &rows, rows.most);
        }
        if let Some(limit) = plan.downcast_ref::<GlobalLimitExec>()
            && let (Some(rows), Some(fetch)) = (RowWise::of(limit.input()), limit.fetch())
        {
            let most = limit.skip().saturating_add(fetch);
            let most = rows.most.map_or(most, |other| other.min(most));
            let input = self.sent(Arc::clone(limit.input()), &rows, Some(most))?;
            return with_children(plan, vec![input]);
        }
        if let Some(sort) = plan.downcast_ref::<SortExec>()
            && let Some(RowWise { scan, most: None }) = RowWise::of(sort.input())
            && self.order == RowOrder::Any
        {
            let parts = parts(&scan, self.workers);
            if parts < 2 {
                return Ok(plan);
            }
            // Each worker sorts its rows.
            let (order, fetch) = (sort.expr().clone(), sort.fetch());
            let all = Arc::new(NetworkCoalesceExec::try_new(plan, parts, 1)?);
            return Ok(Arc::new(SortPreservingMergeExec::new(order, all).with_fetch(fetch)));
        }
        let children = plan.children().into_iter().map(|child| self.cut(Arc::clone(child)));
        let children = children.collect::<Result<Vec<_>>>()?;
        if children.is_empty() { Ok(plan) } else { with_children(plan, children) }
    }

    /// The rows of `plan` from the workers, in the order of the files, at most `most`.
    fn sent(
        &self,
        plan: Arc<dyn ExecutionPlan>,
        rows: &RowWise,
        most: Option<usize>,
    ) -> Result<Arc<dyn ExecutionPlan>> {
        let parts = parts(&rows.scan, self.workers);
        if parts < 2 {
            return Ok(plan);
        }
        let part = match most {
            Some(most) => Arc::new(LocalLimitExec::new(plan, most)) as Arc<dyn ExecutionPlan>,
            None => plan,
        };
        let all = plans::sequence(Arc::new(NetworkCoalesceExec::try_new(part, parts, 1)?), true);
        Ok(match most {
            Some(most) => Arc::new(GlobalLimitExec::new(all, 0, Some(most))),
            None => all,
        })
    }
}

/// A join may make rows for minutes of one batch; a worker can end it only where it pauses.
fn interruptible(plan: Arc<dyn ExecutionPlan>) -> Result<Transformed<Arc<dyn ExecutionPlan>>> {
    let is_join = plan.name().ends_with("JoinExec");
    Ok(if is_join { Transformed::yes(Arc::new(CooperativeExec::new(plan))) } else { Transformed::no(plan) })
}

fn with_children(
    plan: Arc<dyn ExecutionPlan>,
    children: Vec<Arc<dyn ExecutionPlan>>,
) -> Result<Arc<dyn ExecutionPlan>> {
    plan.replace_children(children, ReplaceChildrenOptions::new(ChildrenPropertiesMode::Recompute))
}

/// A plan that works on each row of a table by itself.
struct RowWise {
    scan: FilesScan,
    /// The rows that it returns at most.
    most: Option<usize>,
}

impl RowWise {
    fn of(plan: &Arc<dyn ExecutionPlan>) -> Option<Self> {
        if let Some(scan) = plan.downcast_ref::<FilesScan>() {
            return Some(RowWise { scan: scan.clone(), most: scan.limit });
        }
        if let Some(projection) = plan.downcast_ref::<ProjectionExec>() {
            return RowWise::of(projection.input());
        }
        let filter = plan.downcast_ref::<FilterExec>()?;
        let below = RowWise::of(filter.input())?;
        // A limit below a filter is one of all files together.
        if below.most.is_some() {
            return None;
        }
        Some(RowWise { most: filter.fetch(), ..below })
    }
}

/// Whether every stage has a form that can be sent.
fn can_be_sent(plan: &Arc<dyn ExecutionPlan>, context: &Arc<TaskContext>) -> Result<bool> {
    let mut all = true;
    plan.apply(|node| {
        if let Some(stage) =
            node.as_network_boundary().and_then(|boundary| boundary.input_stage().local_plan())
        {
            let one = one_task(stage)?;
            all = all && MaybeEncoded::Decoded(one).encode(context).is_ok();
        }
        Ok(if all { TreeNodeRecursion::Continue } else { TreeNodeRecursion::Stop })
    })?;
    Ok(all)
}

/// The stage as one of its tasks has it.
fn one_task(stage: &Arc<dyn ExecutionPlan>) -> Result<Arc<dyn ExecutionPlan>> {
    let one = |node: Arc<dyn ExecutionPlan>| {
        let first =
            node.downcast_ref::<DistributedLeafExec>().and_then(|leaf| leaf.variants().first().cloned());
        Ok(first.map_or_else(|| Transformed::no(node), Transformed::yes))
    };
    Arc::clone(stage).transform_down(one).data()
}

/// The tasks of all stages, and those of the largest.
fn tasks(plan: &Arc<dyn ExecutionPlan>) -> Result<(u64, u64)> {
    let (mut all, mut most) = (0, 0);
    plan.apply(|node| {
        let tasks =
            node.as_network_boundary().map_or(0, |boundary| boundary.input_stage().task_count() as u64);
        all += tasks;
        most = most.max(tasks);
        Ok(TreeNodeRecursion::Continue)
    })?;
    Ok((all, most))
}

/// Ends the rows of a plan.
#[derive(Clone, Debug, Default)]
struct Stop(Arc<Sender<bool>>);

impl Stop {
    fn stop(&self) {
        self.0.send_replace(true);
    }

    /// Waits until somebody stops.
    async fn stopped(self) {
        let mut stopped = self.0.subscribe();
        // It cannot fail: this future keeps the sender.
        let _ = stopped.wait_for(|is_stopped| *is_stopped).await;
    }
}

/// The rows of `plan`, in one partition, until `stop` stops them: a client that drops the rows of a plan of which workers do a
/// part also drops the channels on which the workers say what they read.
fn stoppable(plan: Arc<dyn ExecutionPlan>, stop: Stop) -> Arc<dyn ExecutionPlan> {
    let is_one = plan.output_partitioning().partition_count() == 1;
    let input = if is_one { plan } else { Arc::new(CoalescePartitionsExec::new(plan)) };
    let pass = move |rows: SendableRecordBatchStream| -> SendableRecordBatchStream {
        let schema = rows.schema();
        Box::pin(RecordBatchStreamAdapter::new(schema, rows.take_until(Box::pin(stop.clone().stopped()))))
    };
    passing(input, Arc::new(pass))
}
