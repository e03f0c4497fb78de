//! What the dialect adds to the engine: the function `pattern`, and the meaning of literals beside columns.

use std::sync::Arc;

use datafusion::arrow::array::builder::StringViewBuilder;
use datafusion::arrow::array::{Array, AsArray};
use datafusion::arrow::datatypes::DataType;
use datafusion::common::{Result, exec_datafusion_err};
use datafusion::execution::FunctionRegistry;
use datafusion::logical_expr::{ColumnarValue, Volatility, create_udf};
use datafusion::prelude::SessionContext;

use super::literals::Literals;
use rread_text::masking::mask;

/// Registers what the dialect adds to the engine.
pub fn register(context: &SessionContext) {
    register_with(context, &Literals::default());
}

/// The same, with the meaning of literals beside the columns of the tables.
pub fn register_with(context: &SessionContext, literals: &Literals) {
    let text = DataType::Utf8View;
    let pattern = create_udf("pattern", vec![text.clone()], text, Volatility::Immutable, Arc::new(patterns));
    context.register_udf(pattern);
    let state = context.state_ref();
    // It fails only for registries without planners.
    let _ = state.write().register_expr_planner(Arc::new(literals.clone()));
}

/// The pattern of lines of one kind, as `rread stat --patterns` counts it: of the first line of each text.
fn patterns(arguments: &[ColumnarValue]) -> Result<ColumnarValue> {
    let arrays = ColumnarValue::values_to_arrays(arguments)?;
    let texts = arrays.first().and_then(|array| array.as_string_view_opt());
    let texts = texts.ok_or_else(|| exec_datafusion_err!("pattern takes one text"))?;
    let (mut patterns, mut room) = (StringViewBuilder::with_capacity(texts.len()), Vec::new());
    for text in texts {
        let Some(text) = text else {
            patterns.append_null();
            continue;
        };
        room.clear();
        mask(text.split('\n').next().unwrap_or_default().as_bytes(), &mut room);
        patterns.append_value(String::from_utf8_lossy(&room));
    }
    Ok(ColumnarValue::Array(Arc::new(patterns.finish())))
}
