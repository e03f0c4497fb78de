//! Plans on their way to a worker and back into plans: the engine's codec knows all nodes but ours.

use std::fmt;
use std::sync::Arc;

use datafusion_proto::physical_plan::{PhysicalExtensionCodec, PhysicalProtoConverterExtension};
use futures::StreamExt;
use rread_sql::datafusion::common::{Result, exec_datafusion_err};
use rread_sql::datafusion::execution::{SendableRecordBatchStream, TaskContext};
use rread_sql::datafusion::physical_plan::ExecutionPlan;
use rread_sql::datafusion::physical_plan::metrics::{Count, Label, Metric, MetricValue, MetricsSet};
use rread_sql::datafusion::physical_plan::stream::RecordBatchStreamAdapter;

use crate::error::{Report, SentError, sendable};
use crate::wire::{ReadSettings, SentScan};
use rread_source::object::Traffic;
use rread_sql::files::{FilesScan, FilesTable, OpenFile};

/// The name of the counter whose label is what a worker read.
pub(crate) const REPORT: &str = "rread";

/// How a worker opens the files of one read of a table.
pub struct OpenedBy {
    /// Opens one file, below the roots of the worker.
    pub open: Arc<OpenFile>,
    /// Its requests to servers so far.
    pub traffic: Arc<dyn Fn() -> Traffic + Send + Sync>,
}

/// Finds out how files are opened, from the options of the client.
pub type Opening = dyn Fn(&ReadSettings) -> rread_text::error::Result<OpenedBy> + Send + Sync;

/// The tables of a query of a client, by number.
pub type Tables = Vec<(u64, FilesTable)>;

/// The codec of each side.
#[derive(Clone)]
pub enum ScanCodec {
    /// A client sends plans.
    Client {
        tables: Arc<Tables>,
        /// How a worker opens the files.
        options: ReadSettings,
        context: Arc<TaskContext>,
    },
    /// A worker receives plans, and opens files so.
    Worker(Arc<Opening>),
}

impl fmt::Debug for ScanCodec {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("ScanCodec")
    }
}

impl PhysicalExtensionCodec for ScanCodec {
    fn try_decode(
        &self,
        bytes: &[u8],
        _: &[Arc<dyn ExecutionPlan>],
        context: &TaskContext,
        _: &dyn PhysicalProtoConverterExtension,
    ) -> Result<Arc<dyn ExecutionPlan>> {
        let ScanCodec::Worker(opening) = self else {
            return Err(exec_datafusion_err!("only workers receive plans"));
        };
        let sent = SentScan::read(bytes)?;
        let OpenedBy { open, traffic } =
            opening(&sent.options).map_err(|error| SentError::of(error).engine())?;
        let id = sent.id;
        Ok(Arc::new(received(id, sent.scan(open, context)?, traffic)))
    }

    fn try_encode(
        &self,
        node: Arc<dyn ExecutionPlan>,
        bytes: &mut Vec<u8>,
        _: &dyn PhysicalProtoConverterExtension,
    ) -> Result<()> {
        let Some(scan) = node.downcast_ref::<FilesScan>() else {
            return Err(exec_datafusion_err!("{} cannot be sent", node.name()));
        };
        let ScanCodec::Client { tables, options, context } = self else {
            return Err(exec_datafusion_err!("only clients send plans"));
        };
        let reads = &scan.scan.table.reads;
        let table = tables.iter().find(|(_, table)| Arc::ptr_eq(&table.reads, reads));
        let sent = table.and_then(|(id, _)| SentScan::of(scan, *id, options, context));
        let sent = sent.ok_or_else(|| exec_datafusion_err!("a name of a file cannot be sent"))?;
        bytes.extend(sent.bytes()?);
        Ok(())
    }
}

/// `scan` in a worker: its errors and its counts reach the client.
fn received(id: u64, mut scan: FilesScan, traffic: Arc<dyn Fn() -> Traffic + Send + Sync>) -> FilesScan {
    let pass = |rows: SendableRecordBatchStream| -> SendableRecordBatchStream {
        let schema = rows.schema();
        Box::pin(RecordBatchStreamAdapter::new(schema, rows.map(|batch| batch.map_err(sendable))))
    };
    let table = scan.scan.table.clone();
    let metrics = move || {
        let report = Report::of(id, &table, traffic());
        let label = Label::new(REPORT, serde_json::to_string(&report).unwrap_or_default());
        let count = MetricValue::Count { name: REPORT.into(), count: Count::new() };
        let mut metrics = MetricsSet::new();
        metrics.push(Arc::new(Metric::new_with_labels(count, None, vec![label])));
        metrics
    };
    scan.pass = Some(Arc::new(pass));
    scan.metrics = Some(Arc::new(metrics));
    scan
}
