//! The expressions that stand for functions of other databases run.

use rread_sql::dialect::foreign_functions;

use super::{refused, run_on};
use datafusion::arrow::array::{
    ArrayRef, Int64Array, ListArray, RecordBatch, StringArray, TimestampMicrosecondArray,
};
use datafusion::arrow::datatypes::Int64Type;
use std::sync::Arc;

/// A table whose columns x and y have each of the types that an expression may need.
fn tables() -> Vec<RecordBatch> {
    let list = || ListArray::from_iter_primitive::<Int64Type, _, _>([Some(vec![Some(1), Some(2)])]);
    let columns: Vec<ArrayRef> = vec![
        Arc::new(Int64Array::from(vec![7])),
        Arc::new(StringArray::from(vec!["2026-01-31"])),
        Arc::new(TimestampMicrosecondArray::from(vec![1_483_326_245_006_000])),
        Arc::new(list()),
    ];
    let table = |column: ArrayRef| {
        let other = Arc::clone(&column);
        RecordBatch::try_from_iter_with_nullable([("x", column, true), ("y", other, true)]).unwrap()
    };
    columns.into_iter().map(table).collect()
}

#[test]
fn every_expression_runs_and_no_function_has_the_foreign_name() {
    for (name, instead) in foreign_functions() {
        let (message, hint) = refused(&format!("SELECT {name}(age) FROM t"));
        // Some names are words of SQL, and the parser refuses them.
        if message.contains("Invalid function") {
            assert_eq!(hint, instead, "{name}");
        }
        let is_expression =
            !instead.contains(" of ") && !instead.contains("there are") && !instead.contains("member");
        if !is_expression {
            continue;
        }
        let sql = if instead.starts_with("SELECT") {
            instead.to_owned()
        } else {
            format!("SELECT {instead} FROM t")
        };
        let results: Vec<_> = tables().into_iter().map(|table| run_on(table, &sql)).collect();
        assert!(results.iter().any(Result::is_ok), "{name}: {instead}: {results:?}");
    }
}
