//! Plans as bytes, and what a worker does with bytes that claim to be one: for the tests that damage plans.

use std::sync::Arc;
use std::time::Duration;

use datafusion::arrow::util::pretty::pretty_format_batches;
use datafusion::common::Result as EngineResult;
use datafusion::error::DataFusionError;
use datafusion::execution::{SessionStateBuilder, TaskContext};
use datafusion::physical_plan::metrics::ExecutionPlanMetricsSet;
use datafusion::physical_plan::{ExecutionPlanProperties, displayable};
use datafusion::prelude::SessionContext;
use datafusion_distributed::{
    ChannelResolver, DistributedCodec, DistributedExt, MaybeEncoded, NetworkCoalesceExec, SetPlanRequest,
    TaskKey,
};
use datafusion_proto::bytes::physical_plan_from_bytes_with_proto_converter;
use datafusion_proto::physical_plan::{DeduplicatingProtoConverter, PhysicalExtensionCodec};
use futures::StreamExt;
use http::HeaderMap;

use super::channel::Connections;
use super::codec::{OpenedBy, Opening, ScanCodec, WorkerSide};
use super::progress::Running;
use super::wire::SentScan;
use super::worker::{runtime, session_of};
use crate::external::external;
use crate::files::{self, FilesScan, TableFiles};
use crate::request::{ClusterAccess, QueryRequest};
use crate::{dialect, exact};
use rread_text::error::{Error, Result};

fn threads() -> Result<tokio::runtime::Runtime> {
    let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(1).enable_all().build();
    runtime.map_err(|cause| Error::read("cannot start a thread", &cause))
}

/// The read of a table as it is sent.
///
/// # Errors
///
/// The table cannot be opened.
pub fn plan_bytes(files: &TableFiles, request: &QueryRequest) -> Result<Vec<u8>> {
    let bytes = threads()?.block_on(async {
        let table = files::open(files, request, &Arc::default()).await.map_err(external)?;
        let plan = table.provider.scan(&SessionContext::new().state(), None, &[], None).await?;
        let sent = plan.downcast_ref::<FilesScan>().and_then(SentScan::of);
        sent.ok_or_else(|| DataFusionError::Internal("the read cannot be sent".to_owned()))?.bytes()
    });
    bytes.map_err(|cause| Error::usage(cause.to_string()))
}

/// The plan of the query of `request` as a task is sent, with rows from another task if `is_above`.
///
/// # Errors
///
/// The table cannot be opened, or the query is wrong.
pub fn task_bytes(files: &TableFiles, request: &QueryRequest, is_above: bool) -> Result<Vec<u8>> {
    let bytes = threads()?.block_on(async {
        let table = files::open(files, request, &Arc::default()).await.map_err(external)?;
        let builder = SessionStateBuilder::new().with_default_features();
        let state = builder.with_distributed_user_codec(ScanCodec::default()).build();
        let context = SessionContext::new_with_state(state);
        dialect::register(&context);
        exact::register(&context);
        context.register_table("t", table.provider)?;
        let plan = context.sql(&request.sql).await?.create_physical_plan().await?;
        let plan = if is_above { Arc::new(NetworkCoalesceExec::try_new(plan, 2, 1)?) } else { plan };
        MaybeEncoded::Decoded(plan).encode(&context.task_ctx())
    });
    bytes.map_err(|cause| Error::usage(cause.to_string()))
}

/// Sends `bytes` as the plan of a task to the worker at `address`, and returns its refusal.
///
/// # Errors
///
/// The address is not one of a worker, or the system starts no thread.
pub fn send_plan(bytes: Vec<u8>, address: &str, access: &Arc<ClusterAccess>) -> Result<Option<String>> {
    let url = Connections::url(access, address)?;
    let connections = Connections::new(access, None);
    let context = SessionContext::new().task_ctx();
    let request = SetPlanRequest {
        task_key: TaskKey { query_id: Default::default(), stage_id: 0, task_number: 0 },
        task_count: 1,
        plan: MaybeEncoded::Encoded(bytes),
        work_unit_feed_declarations: Vec::new(),
        target_worker_url: url.clone(),
        query_start_time_ns: 0,
    };
    let refusal = async {
        let mut client = connections.get_worker_client_for_url(&url).await?;
        let (metrics, messages) = (ExecutionPlanMetricsSet::new(), futures::stream::empty().boxed());
        let mut answers =
            client.coordinator_channel(HeaderMap::new(), request, messages, metrics, &context).await?;
        while let Some(answer) = answers.next().await {
            answer?;
        }
        EngineResult::<()>::Ok(())
    };
    Ok(threads()?.block_on(refusal).err().map(|error: DataFusionError| error.to_string()))
}

/// Whether a worker would take `bytes` for a read.
pub fn check_plan(bytes: &[u8], opened: OpenedBy) -> bool {
    let context = SessionContext::new();
    let session = Arc::new(context.state());
    SentScan::read(bytes).and_then(|sent| sent.scan(opened.open, &session, &context.task_ctx())).is_ok()
}

/// A worker without a network.
pub struct CheckedWorker {
    threads: tokio::runtime::Runtime,
    context: Arc<TaskContext>,
    codec: Arc<ScanCodec>,
}

impl CheckedWorker {
    /// # Errors
    ///
    /// The system starts no thread.
    pub fn new(opening: Arc<Opening>, memory: usize) -> Result<Self> {
        let session = Arc::new(SessionContext::new().state());
        let codec = Arc::new(ScanCodec(Some(WorkerSide { opening, session, running: Running::default() })));
        let builder = SessionStateBuilder::new().with_default_features();
        let builder = builder.with_runtime_env(runtime(memory)?);
        let connections = Arc::new(Connections::new(&Arc::new(ClusterAccess::default()), None));
        let context = session_of(builder, Arc::clone(&codec), connections).task_ctx();
        Ok(CheckedWorker { threads: threads()?, context, codec })
    }

    /// All that the client would see of a read of a table, rows or an error, as text; `None` if it takes longer than `limit`.
    pub fn read(&self, bytes: &[u8], limit: Duration) -> Option<String> {
        let context = Arc::clone(&self.context);
        let plan = self.codec.try_decode(bytes, &[], &context, &DeduplicatingProtoConverter::default());
        let rows = async {
            let mut batches = Vec::new();
            let mut rows = plan?.execute(0, context)?;
            while let Some(batch) = rows.next().await {
                batches.push(batch?);
            }
            Ok::<_, DataFusionError>(pretty_format_batches(&batches)?.to_string())
        };
        let ended = self.threads.block_on(async { tokio::time::timeout(limit, rows).await });
        ended.ok().map(|rows| rows.unwrap_or_else(|error| error.to_string()))
    }

    /// The plan that a worker would take `bytes` for, in words.
    ///
    /// # Errors
    ///
    /// It would refuse them.
    pub fn task(&self, bytes: &[u8]) -> EngineResult<String> {
        let context = &self.context;
        let codec = DistributedCodec::new_combined_with_user(context.session_config());
        let converter = DeduplicatingProtoConverter::default();
        let plan = physical_plan_from_bytes_with_proto_converter(bytes, context, &codec, &converter)?;
        let parts = plan.output_partitioning().partition_count();
        Ok(format!("{parts} parts\n{}", displayable(plan.as_ref()).indent(true)))
    }
}
