//! Errors of rread on their way through the engine.

use datafusion::error::DataFusionError;
use rread_text::error::Error;

/// `error` as the engine carries it; `run` takes it out again.
pub fn external(error: Error) -> DataFusionError {
    DataFusionError::External(error.into())
}
