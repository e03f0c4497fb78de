//! The table of many files as the engine sees it.

use std::sync::Arc;
use std::sync::atomic::Ordering;

use async_trait::async_trait;
use datafusion::arrow::datatypes::SchemaRef;
use datafusion::catalog::{Session, TableProvider};
use datafusion::datasource::TableType;
use datafusion::error::{DataFusionError, Result};
use datafusion::execution::SessionState;
use datafusion::logical_expr::{Expr, TableProviderFilterPushDown};
use datafusion::physical_plan::ExecutionPlan;

use super::plan::FilesScan;
use super::rows::{FilesTable, Scan};
use crate::lines::bounds_time;

#[async_trait]
impl TableProvider for FilesTable {
    fn schema(&self) -> SchemaRef {
        Arc::clone(&self.schema)
    }

    fn table_type(&self) -> TableType {
        TableType::Base
    }

    fn supports_filters_pushdown(&self, filters: &[&Expr]) -> Result<Vec<TableProviderFilterPushDown>> {
        if filters.iter().any(|filter| bounds_time(filter)) {
            self.bounds_time.store(true, Ordering::Relaxed);
        }
        // Parquet skips row groups by them, and logs records; the engine filters again.
        Ok(vec![TableProviderFilterPushDown::Inexact; filters.len()])
    }

    async fn scan(
        &self,
        session: &dyn Session,
        projection: Option<&Vec<usize>>,
        filters: &[Expr],
        limit: Option<usize>,
    ) -> Result<Arc<dyn ExecutionPlan>> {
        let Some(session) = session.as_any().downcast_ref::<SessionState>() else {
            return Err(DataFusionError::Internal("an unknown session".to_owned()));
        };
        let projection = projection.map_or_else(|| (0..self.schema.fields().len()).collect(), Vec::clone);
        let schema = Arc::new(self.schema.project(&projection)?);
        let (table, session, filters) = (self.clone(), Arc::new(session.clone()), filters.to_vec());
        Ok(Arc::new(FilesScan::new(Scan { table, projection, schema, session, filters, limit })))
    }
}
