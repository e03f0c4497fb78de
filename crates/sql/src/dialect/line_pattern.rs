//! The function `pattern`: what lines of one kind have in common, as `rread stat --patterns` counts it.

use std::sync::Arc;

use datafusion::arrow::array::builder::StringViewBuilder;
use datafusion::arrow::array::{Array, AsArray};
use datafusion::arrow::datatypes::DataType;
use datafusion::common::exec_datafusion_err;
use datafusion::error::Result;
use datafusion::logical_expr::{ColumnarValue, ScalarUDF, Volatility, create_udf};

use rread_text::masking::mask;

/// `pattern(text)`: the pattern of the first line of a text.
pub(super) fn pattern() -> ScalarUDF {
    let text = DataType::Utf8View;
    create_udf("pattern", vec![text.clone()], text, Volatility::Immutable, Arc::new(patterns))
}

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
