//! Functions whose result may be much larger than their arguments: rread computes its size first, and refuses what
//! `--memory` does not allow. The engine counts what it sorts, groups and joins, but not the values inside functions.

use std::sync::Arc;

use datafusion::arrow::array::{Array, ArrayRef, AsArray};
use datafusion::arrow::compute::cast;
use datafusion::arrow::datatypes::{DataType, FieldRef, Int64Type};
use datafusion::error::{DataFusionError, Result};
use datafusion::execution::memory_pool::MemoryLimit;
use datafusion::logical_expr::{
    ColumnarValue, Expr, ReturnFieldArgs, ScalarFunctionArgs, ScalarUDF, ScalarUDFImpl, Signature,
};
use datafusion::prelude::SessionContext;
use memchr::memmem;
use regex::bytes::RegexBuilder;

/// The part of the memory of all queries that one result may take.
const SHARE: usize = 4;

/// The result of a query without much memory may be so large all the same.
const LEAST: usize = 16 << 20;

/// How the bytes of a result follow from the arguments of a row.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
enum Growth {
    /// The first, as many times as the second says.
    Repeated,
    /// As many characters as the second says.
    Padded,
    /// As many values as the second says, each as large as the third.
    Resized,
    /// The first, with the third for each occurrence of the second.
    Replaced,
    /// The same, for each match of a regular expression.
    Rewritten,
    /// The first, once for each group of the regular expression that is the second.
    Grouped,
    /// The first, with the second or the third for each of its values, or between them.
    Joined,
    /// Numbers from the first to the second.
    Counted,
    /// All arguments.
    Sum,
}

/// A function that is not here has results that are not much larger than its arguments.
const GROWTHS: [(&str, Growth); 9] = [
    ("repeat array_repeat", Growth::Repeated),
    ("lpad rpad", Growth::Padded),
    ("array_resize", Growth::Resized),
    ("replace", Growth::Replaced),
    ("regexp_replace", Growth::Rewritten),
    ("regexp_match", Growth::Grouped),
    ("array_to_string array_replace array_replace_n array_replace_all", Growth::Joined),
    ("range generate_series", Growth::Counted),
    ("concat concat_ws make_array array_concat array_append array_prepend overlay translate", Growth::Sum),
];

/// Wraps the functions of `context` that are in the table.
pub fn bound(context: &SessionContext) {
    let MemoryLimit::Finite(memory) = context.runtime_env().memory_pool.memory_limit() else { return };
    let limit = (memory / SHARE).max(LEAST);
    let state = context.state();
    let mut names: Vec<&String> = state.scalar_functions().keys().collect();
    names.sort();
    for name in names {
        // Aliases have entries of their own.
        let function = state.scalar_functions().get(name).filter(|function| function.name() == name);
        if let Some(bounded) = function.and_then(|function| bounded(function, limit)) {
            context.register_udf(bounded);
        }
    }
}

fn bounded(function: &Arc<ScalarUDF>, limit: usize) -> Option<ScalarUDF> {
    let (_, growth) =
        GROWTHS.iter().find(|(names, _)| names.split(' ').any(|name| name == function.name()))?;
    let inner = ScalarUDF::clone(function);
    (!function.inner().is::<Bounded>()).then(|| ScalarUDF::from(Bounded { inner, growth: *growth, limit }))
}

const RESULTS: &str = "the results of ";

/// The function whose results were refused, if the words of an error say so.
pub(crate) fn refused(error: &str) -> Option<&str> {
    error.split_once(RESULTS)?.1.split(' ').next()
}

#[derive(Debug, PartialEq, Eq, Hash)]
struct Bounded {
    inner: ScalarUDF,
    growth: Growth,
    /// The bytes of a result for the rows of a batch.
    limit: usize,
}

impl Bounded {
    fn check(&self, arguments: &ScalarFunctionArgs) -> Result<()> {
        // Constants are one row.
        let is_scalar = arguments.args.iter().all(|value| matches!(value, ColumnarValue::Scalar(_)));
        let rows = if is_scalar { 1 } else { arguments.number_rows };
        let columns: Vec<Column> = arguments.args.iter().map(Column::of).collect::<Result<_>>()?;
        let mut bytes = 0u64;
        for row in 0..rows {
            bytes = bytes.saturating_add(self.growth.bytes(&columns, row));
            if bytes > self.limit as u64 {
                return Err(self.refusal());
            }
        }
        Ok(())
    }

    fn refusal(&self) -> DataFusionError {
        DataFusionError::ResourcesExhausted(format!("{RESULTS}{} are too large", self.inner.name()))
    }
}

/// An argument, of which a constant has one row.
struct Column {
    values: ArrayRef,
    numbers: Option<ArrayRef>,
    is_scalar: bool,
}

impl Column {
    fn of(value: &ColumnarValue) -> Result<Self> {
        let (values, is_scalar) = match value {
            ColumnarValue::Array(array) => (Arc::clone(array), false),
            ColumnarValue::Scalar(scalar) => (scalar.to_array()?, true),
        };
        let is_number = values.data_type().is_numeric();
        let numbers = is_number.then(|| cast(&values, &DataType::Int64)).transpose()?;
        let values = match values.data_type() {
            DataType::Utf8 | DataType::LargeUtf8 => cast(&values, &DataType::Utf8View)?,
            _ => values,
        };
        Ok(Column { values, numbers, is_scalar })
    }

    fn row(&self, row: usize) -> usize {
        if self.is_scalar { 0 } else { row }
    }

    fn number(&self, row: usize) -> i64 {
        let row = self.row(row);
        let numbers = self.numbers.as_ref().filter(|numbers| numbers.is_valid(row));
        numbers.map_or(0, |numbers| numbers.as_primitive::<Int64Type>().value(row))
    }

    fn text(&self, row: usize) -> Option<&str> {
        let texts = self.values.as_string_view_opt()?;
        Some(self.row(row)).filter(|row| texts.is_valid(*row)).map(|row| texts.value(row))
    }

    /// The values of a list.
    fn list(&self, row: usize) -> Option<ArrayRef> {
        let row = self.row(row);
        if self.values.is_null(row) {
            return None;
        }
        match self.values.data_type() {
            DataType::List(_) => Some(self.values.as_list::<i32>().value(row)),
            DataType::LargeList(_) => Some(self.values.as_list::<i64>().value(row)),
            DataType::FixedSizeList(..) => Some(self.values.as_fixed_size_list().value(row)),
            _ => None,
        }
    }

    fn bytes(&self, row: usize) -> u64 {
        match (self.text(row), self.list(row)) {
            (Some(text), _) => text.len() as u64,
            (_, Some(list)) => list.to_data().get_slice_memory_size().unwrap_or(0) as u64,
            _ => 8,
        }
    }
}

impl Growth {
    /// The bytes of the result of a row, or a few more.
    fn bytes(self, columns: &[Column], row: usize) -> u64 {
        /// The memory of each value of a list beside its bytes.
        const VALUE: u64 = 16;
        let bytes = |nth: usize| columns.get(nth).map_or(0, |column| column.bytes(row));
        let number = |nth: usize| columns.get(nth).map_or(0, |column| column.number(row));
        let count = |nth: usize| u64::try_from(number(nth)).unwrap_or(0);
        let text = |nth: usize| columns.get(nth).and_then(|column| column.text(row)).unwrap_or_default();
        let values = |nth: usize| {
            columns.get(nth).and_then(|column| column.list(row)).map_or(0, |list| list.len() as u64)
        };
        match self {
            Growth::Repeated => bytes(0).max(1).saturating_mul(count(1)),
            Growth::Padded => {
                let widest = if text(0).is_ascii() && text(2).is_ascii() { 1 } else { 4 };
                count(1).saturating_mul(widest)
            }
            Growth::Resized => count(1).saturating_mul(bytes(2).saturating_add(VALUE)),
            Growth::Replaced => {
                let (from, to) = (text(1), text(2));
                if to.len() <= from.len() {
                    return bytes(0);
                }
                let found = match from.is_empty() {
                    true => text(0).len() + 1,
                    false => memmem::find_iter(text(0).as_bytes(), from).count(),
                };
                bytes(0).saturating_add((found as u64).saturating_mul(to.len() as u64))
            }
            Growth::Rewritten => rewritten(text(0), text(1), text(2), text(3)),
            Growth::Grouped => {
                let groups = text(1).bytes().filter(|byte| *byte == b'(').count() as u64;
                bytes(0).saturating_mul(groups + 1)
            }
            Growth::Joined => {
                let between = bytes(1).saturating_add(bytes(2)).saturating_add(VALUE);
                bytes(0).saturating_add(values(0).saturating_mul(between))
            }
            Growth::Counted => {
                let (start, end) = if columns.len() == 1 { (0, number(0)) } else { (number(0), number(1)) };
                let step = if columns.len() > 2 { number(2).unsigned_abs().max(1) } else { 1 };
                (end.abs_diff(start) / step).saturating_add(1).saturating_mul(8)
            }
            Growth::Sum => (0..columns.len()).fold(0, |sum, nth| sum.saturating_add(bytes(nth))),
        }
    }
}

/// The bytes of `text` with `to` for its matches; what `to` names of a match is in `text` once.
fn rewritten(text: &str, pattern: &str, to: &str, flags: &str) -> u64 {
    let (size, added) = (text.len() as u64, to.len() as u64);
    let named = to.bytes().filter(|byte| matches!(byte, b'\\' | b'$')).count() as u64;
    let always = size.saturating_add(named.saturating_mul(size));
    if !flags.contains('g') {
        return always.saturating_add(added);
    }
    let most = always.saturating_add((size + 1).saturating_mul(added));
    // Counting takes as long as replacing: only where it decides.
    if most <= LEAST as u64 {
        return most;
    }
    let mut builder = RegexBuilder::new(pattern);
    builder.case_insensitive(flags.contains('i')).multi_line(flags.contains('m'));
    let Ok(regex) = builder.dot_matches_new_line(flags.contains('s')).build() else { return always };
    always.saturating_add((regex.find_iter(text.as_bytes()).count() as u64).saturating_mul(added))
}

impl ScalarUDFImpl for Bounded {
    fn name(&self) -> &str {
        self.inner.name()
    }

    fn aliases(&self) -> &[String] {
        self.inner.aliases()
    }

    fn schema_name(&self, arguments: &[Expr]) -> Result<String> {
        self.inner.schema_name(arguments)
    }

    fn signature(&self) -> &Signature {
        self.inner.signature()
    }

    fn return_type(&self, types: &[DataType]) -> Result<DataType> {
        self.inner.return_type(types)
    }

    fn return_field_from_args(&self, arguments: ReturnFieldArgs<'_>) -> Result<FieldRef> {
        self.inner.return_field_from_args(arguments)
    }

    fn invoke_with_args(&self, arguments: ScalarFunctionArgs) -> Result<ColumnarValue> {
        self.check(&arguments)?;
        self.inner.invoke_with_args(arguments)
    }

    fn coerce_types(&self, types: &[DataType]) -> Result<Vec<DataType>> {
        self.inner.coerce_types(types)
    }
}
