//! A plan as bytes, and bytes as a plan: for the tests that damage plans.

use std::sync::Arc;

use datafusion::error::DataFusionError;
use datafusion::prelude::SessionContext;

use super::codec::OpenedBy;
use super::wire::SentScan;
use crate::external::external;
use crate::files::{self, FilesScan, TableFiles};
use crate::request::QueryRequest;
use rread_text::error::{Error, Result};

/// The read of a table as it is sent.
///
/// # Errors
///
/// The table cannot be opened.
pub fn plan_bytes(files: &TableFiles, request: &QueryRequest) -> Result<Vec<u8>> {
    let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build();
    let runtime = runtime.map_err(|cause| Error::read("cannot start a thread", &cause))?;
    let bytes = runtime.block_on(async {
        let table = files::open(files, request, &Arc::default()).await.map_err(external)?;
        let plan = table.provider.scan(&SessionContext::new().state(), None, &[], None).await?;
        let sent = plan.downcast_ref::<FilesScan>().and_then(SentScan::of);
        sent.ok_or_else(|| DataFusionError::Internal("the read cannot be sent".to_owned()))?.bytes()
    });
    bytes.map_err(|cause| Error::usage(cause.to_string()))
}

/// Whether a worker would take `bytes` for a read.
pub fn check_plan(bytes: &[u8], opened: OpenedBy) -> bool {
    let context = SessionContext::new();
    let session = Arc::new(context.state());
    SentScan::read(bytes).and_then(|sent| sent.scan(opened.open, &session, &context.task_ctx())).is_ok()
}
