//! Stands for the module `cluster` in a build without the feature `cluster`: every query runs here.

use std::convert::Infallible;
use std::sync::Arc;

use datafusion::common::Result;
use datafusion::error::DataFusionError;
use datafusion::execution::{SessionState, TaskContext};
use datafusion::logical_expr::LogicalPlan;
use datafusion::physical_plan::ExecutionPlan;

use crate::order::RowOrder;
use crate::request::{WorkDone, Workers};
use rread_text::error::Error;

/// There is none.
#[derive(Clone)]
#[allow(dead_code)]
pub(crate) struct Sent(Infallible);

impl Sent {
    pub fn plan(&self) -> Arc<dyn ExecutionPlan> {
        match self.0 {}
    }

    pub fn context(&self) -> Arc<TaskContext> {
        match self.0 {}
    }

    pub fn begun(&self) -> WorkDone {
        match self.0 {}
    }

    pub fn watched(&self) -> Infallible {
        match self.0 {}
    }

    pub fn stop(&self) {
        match self.0 {}
    }

    pub async fn finish(&self) -> rread_text::error::Result<WorkDone> {
        match self.0 {}
    }

    pub fn shown(&self) -> String {
        match self.0 {}
    }
}

pub(crate) fn error_of(_: &DataFusionError) -> Option<Error> {
    None
}

pub(crate) async fn plan(
    _: &SessionState,
    _: &LogicalPlan,
    _: RowOrder,
    _: &Arc<dyn ExecutionPlan>,
    _: &Workers,
) -> Result<Option<Sent>> {
    Ok(None)
}
