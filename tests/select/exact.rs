//! Whole numbers are exact or an error, compared with 128-bit arithmetic.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use predicates::str::contains;
use proptest::prelude::*;
use rread_sql::datafusion::arrow::array::{Array, ArrayRef, BooleanArray, Int64Array, RecordBatch};
use rread_sql::datafusion::arrow::compute::{cast, concat_batches};
use rread_sql::datafusion::arrow::datatypes::{DataType, TimeUnit, i256};
use rread_sql::datafusion::arrow::error::ArrowError;
use rread_sql::datafusion::arrow::util::display::{ArrayFormatter, FormatOptions};
use rread_sql::datafusion::datasource::MemTable;
use rread_sql::datafusion::error::DataFusionError;
use rread_sql::datafusion::prelude::{SessionConfig, SessionContext};
use rread_sql::exact::register;
use rread_testkit::sandbox::Sandbox;

/// Reads the parts of the table in parallel; `None` if a number overflows.
fn rows(parts: &[RecordBatch], sql: &str) -> Option<Vec<Vec<String>>> {
    // Exercise both group paths: partial aggregation first, then, once it is skipped, a state per row.
    let config = SessionConfig::new()
        .with_target_partitions(parts.len())
        .with_batch_size(2)
        .set_u64("datafusion.execution.skip_partial_aggregation_probe_rows_threshold", 2)
        .set_str("datafusion.execution.skip_partial_aggregation_probe_ratio_threshold", "0.1");
    let context = SessionContext::new_with_config(config);
    register(&context);
    let schema = parts[0].schema();
    let split = |part: &RecordBatch| {
        let starts = (0..part.num_rows()).step_by(2);
        starts.map(|start| part.slice(start, 2.min(part.num_rows() - start))).collect()
    };
    let table = MemTable::try_new(schema, parts.iter().map(split).collect()).unwrap();
    context.register_table("t", Arc::new(table)).unwrap();
    let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(1).enable_all().build().unwrap();
    match runtime.block_on(async { context.sql(sql).await?.collect().await }) {
        Ok(batches) => Some(batches.iter().flat_map(texts).collect()),
        Err(error) => {
            let root = error.find_root();
            let overflows = matches!(root, DataFusionError::ArrowError(cause, _) if matches!(**cause, ArrowError::ArithmeticOverflow(_)));
            assert!(overflows, "{sql}: {error}");
            None
        }
    }
}

fn texts(batch: &RecordBatch) -> Vec<Vec<String>> {
    let options = FormatOptions::default().with_null("NULL");
    let columns: Vec<_> =
        batch.columns().iter().map(|column| ArrayFormatter::try_new(column, &options).unwrap()).collect();
    (0..batch.num_rows())
        .map(|row| columns.iter().map(|column| column.value(row).to_string()).collect())
        .collect()
}
fn column(numbers: &[Option<i128>], data_type: &DataType) -> ArrayRef {
    let wide = rread_sql::datafusion::arrow::array::Decimal128Array::from(numbers.to_vec());
    let wide: ArrayRef = Arc::new(wide.with_precision_and_scale(38, 0).unwrap());
    let column = match data_type {
        DataType::Duration(_) => cast(&cast(&wide, &DataType::Int64).unwrap(), data_type).unwrap(),
        _ => cast(&wide, data_type).unwrap(),
    };
    let nulls = numbers.iter().filter(|number| number.is_none()).count();
    assert_eq!(column.null_count(), nulls, "{numbers:?} {data_type}");
    column
}

fn text(number: Option<i128>) -> String {
    number.map_or_else(|| "NULL".to_owned(), |number| number.to_string())
}

const TYPES: [(DataType, i128, i128); 8] = [
    (DataType::Int8, i8::MIN as i128, i8::MAX as i128),
    (DataType::Int16, i16::MIN as i128, i16::MAX as i128),
    (DataType::Int32, i32::MIN as i128, i32::MAX as i128),
    (DataType::Int64, i64::MIN as i128, i64::MAX as i128),
    (DataType::UInt8, 0, u8::MAX as i128),
    (DataType::UInt16, 0, u16::MAX as i128),
    (DataType::UInt32, 0, u32::MAX as i128),
    (DataType::UInt64, 0, u64::MAX as i128),
];

/// Numbers between two limits, mostly near these, near zero and near the root of the upper one.
fn number(low: i128, high: i128) -> impl Strategy<Value = Option<i128>> + Clone {
    let root = high.isqrt();
    prop_oneof![
        1 => Just(None),
        2 => (0..3_i128).prop_map(move |off| Some(low + off)),
        2 => (0..3_i128).prop_map(move |off| Some(high - off)),
        3 => (-3..4_i128).prop_map(move |off| Some(off.clamp(low, high))),
        2 => (-2..3_i128, any::<bool>()).prop_map(move |(off, sign)| {
            Some((if sign { root + off } else { -root + off }).clamp(low, high))
        }),
        1 => (low..=high).prop_map(Some),
    ]
}

type Pair = (Option<i128>, Option<i128>);
fn pairs() -> impl Strategy<Value = (usize, Vec<Pair>)> {
    (0..TYPES.len()).prop_flat_map(|which| {
        let (_, low, high) = TYPES[which];
        (Just(which), prop::collection::vec((number(low, high), number(low, high)), 1..5))
    })
}

/// The exact results, if all are in range.
fn expected(
    pairs: &[Pair],
    low: i128,
    high: i128,
    op: impl Fn(i128, i128) -> Option<i128>,
) -> Option<Vec<Vec<String>>> {
    let result = |(left, right): &Pair| match (left, right) {
        (Some(left), Some(right)) => {
            op(*left, *right).filter(|result| (low..=high).contains(result)).map(Some)
        }
        _ => Some(None),
    };
    pairs.iter().map(|pair| result(pair).map(|result| vec![text(result)])).collect()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(32))]

    #[test]
    fn operators((which, pairs) in pairs()) {
        let (data_type, low, high) = &TYPES[which];
        let (left, right): (Vec<_>, Vec<_>) = pairs.iter().copied().unzip();
        let batch = RecordBatch::try_from_iter_with_nullable([
            ("l", column(&left, data_type), true),
            ("r", column(&right, data_type), true),
        ]).unwrap();
        let parts = [batch];
        type Exact = fn(i128, i128) -> Option<i128>;
        let operators: [(&str, Exact); 3] =
            [("+", i128::checked_add), ("-", i128::checked_sub), ("*", i128::checked_mul)];
        for (sign, op) in operators {
            let sql = format!("SELECT l {sign} r FROM t");
            prop_assert_eq!(rows(&parts, &sql), expected(&pairs, *low, *high, op), "{}", sql);
            // A constant on either side.
            let name = data_type.to_string();
            let constant = right[0];
            let typed = format!("arrow_cast({}, '{name}')", text(constant));
            let with: Vec<Pair> = left.iter().map(|left| (*left, constant)).collect();
            let sql = format!("SELECT l {sign} {typed} FROM t");
            prop_assert_eq!(rows(&parts, &sql), expected(&with, *low, *high, op), "{}", sql);
            let turned: Vec<Pair> = left.iter().map(|left| (constant, *left)).collect();
            let sql = format!("SELECT {typed} {sign} l FROM t");
            prop_assert_eq!(rows(&parts, &sql), expected(&turned, *low, *high, op), "{}", sql);
            // Only constants, which the engine folds.
            let sql = format!("SELECT {typed} {sign} arrow_cast({}, '{name}')", text(left[0]));
            prop_assert_eq!(rows(&parts, &sql), expected(&turned[..1], *low, *high, op), "{}", sql);
            // Inside other expressions.
            let sql = format!("SELECT max(coalesce(l {sign} r, NULL)) IS NULL FROM t WHERE l {sign} r IS NULL OR 1 = 1");
            let fits = expected(&pairs, *low, *high, op).is_some();
            prop_assert_eq!(rows(&parts, &sql).is_some(), fits, "{}", sql);
        }
        if *low < 0 {
            let negations: Vec<Pair> = left.iter().map(|left| (Some(0), *left)).collect();
            let negated = expected(&negations, *low, *high, i128::checked_sub);
            prop_assert_eq!(rows(&parts, "SELECT -l FROM t"), negated);
        }
    }
}

/// Types of sums, their range, and the type of the summed values.
fn sums() -> Vec<(DataType, DataType, i128, i128)> {
    let (int, uint) = (i64::MIN.into(), u64::MAX.into());
    let widest = 10_i128.pow(38) - 1;
    vec![
        (DataType::Int64, DataType::Int64, int, i64::MAX.into()),
        (DataType::UInt64, DataType::UInt64, 0, uint),
        (DataType::Int32, DataType::Int64, i32::MIN.into(), i32::MAX.into()),
        (DataType::Decimal128(38, 0), DataType::Decimal128(38, 0), -widest, widest),
        (DataType::Duration(TimeUnit::Second), DataType::Int64, int, i64::MAX.into()),
    ]
}

/// The group of a row, its number, and whether the filter keeps it.
type Row = (i64, Option<i128>, Option<bool>);

/// A type, and parts of a table.
fn tables() -> impl Strategy<Value = (usize, Vec<Vec<Row>>)> {
    (0..sums().len()).prop_flat_map(|which| {
        let (_, _, low, high) = sums()[which];
        // Make sums likely that return into the range.
        let value = prop_oneof![number(low, high), number(low / 4, high / 4), number(-high.min(-low), high)];
        let row = (0..4_i64, value, prop::option::weighted(0.9, any::<bool>()));
        (Just(which), prop::collection::vec(prop::collection::vec(row, 0..9), 1..4))
    })
}

/// The exact sums (NULL for empty groups), if all are in range.
fn summed(groups: &BTreeMap<i64, Vec<i128>>, fits: impl Fn(i128) -> bool) -> Option<Vec<Vec<String>>> {
    let sum = |numbers: &Vec<i128>| {
        // Intermediate sums of decimals exceed 128 bits.
        let sum = numbers.iter().fold(i256::ZERO, |sum, number| sum.wrapping_add(i256::from_i128(*number)));
        let sum = sum.to_i128()?;
        fits(sum).then_some(if numbers.is_empty() { None } else { Some(sum) })
    };
    groups.iter().map(|(group, numbers)| Some(vec![group.to_string(), text(sum(numbers)?)])).collect()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(48))]

    #[test]
    fn sums_of_groups((which, parts) in tables()) {
        let (data_type, result, _, _) = &sums()[which];
        let (low, high) = match result {
            DataType::Decimal128(..) => (1 - 10_i128.pow(38), 10_i128.pow(38) - 1),
            DataType::UInt64 => (0, u64::MAX.into()),
            _ => (i64::MIN.into(), i64::MAX.into()),
        };
        let fits = |sum: i128| (low..=high).contains(&sum);
        let batches: Vec<RecordBatch> = parts.iter().map(|part| {
            let numbers: Vec<Option<i128>> = part.iter().map(|row| row.1).collect();
            RecordBatch::try_from_iter_with_nullable([
                ("g", Arc::new(part.iter().map(|row| Some(row.0)).collect::<Int64Array>()) as ArrayRef, true),
                ("n", column(&numbers, data_type), true),
                ("wanted", Arc::new(part.iter().map(|row| row.2).collect::<BooleanArray>()) as ArrayRef, true),
                ("id", Arc::new((0_i64..).take(part.len()).collect::<Int64Array>()) as ArrayRef, true),
            ]).unwrap()
        }).collect();
        let mut all: BTreeMap<i64, Vec<i128>> = BTreeMap::new();
        let mut filtered: BTreeMap<i64, Vec<i128>> = BTreeMap::new();
        let mut whole: BTreeMap<i64, Vec<i128>> = BTreeMap::from([(0, Vec::new())]);
        for (group, number, wanted) in parts.iter().flatten() {
            all.entry(*group).or_default().extend(number);
            let some = filtered.entry(*group).or_default();
            if *wanted == Some(true) { some.extend(number); }
            whole.entry(0).or_default().extend(number);
        }
        let once = |groups: &BTreeMap<i64, Vec<i128>>| -> BTreeMap<i64, Vec<i128>> {
            let once = |numbers: &Vec<i128>| numbers.iter().copied().collect::<BTreeSet<_>>();
            groups.iter().map(|(group, numbers)| (*group, once(numbers).into_iter().collect())).collect()
        };
        let whole_number = match data_type {
            // Durations print as words.
            DataType::Duration(_) => |sum: &str| format!("arrow_cast({sum}, 'Int64')"),
            _ => |sum: &str| sum.to_owned(),
        };
        for (sum, tail, groups) in [
            ("sum(n)", " GROUP BY g ORDER BY g", all.clone()),
            ("sum(n) FILTER (WHERE wanted)", " GROUP BY g ORDER BY g", filtered),
            ("sum(DISTINCT n)", " GROUP BY g ORDER BY g", once(&all)),
            ("sum(n)", "", whole.clone()),
            ("sum(DISTINCT n)", "", once(&whole)),
        ] {
            let key = if tail.is_empty() { "0" } else { "g" };
            let sql = format!("SELECT {key} AS g, {} FROM t{tail}", whole_number(sum));
            let expected = summed(&groups, fits);
            match (rows(&batches, &sql), expected) {
                // Only in the widest decimals may an intermediate sum overflow although the result fits.
                (None, Some(_)) if matches!(data_type, DataType::Decimal128(..)) => {}
                (found, expected) => prop_assert_eq!(found, expected, "{}", sql),
            }
        }
    }

    #[test]
    fn sums_of_windows(
        (which, parts) in tables(),
        before in 0_usize..4,
        after in 0_usize..3,
    ) {
        let (data_type, result, _, _) = &sums()[which];
        prop_assume!(!matches!(data_type, DataType::Decimal128(..) | DataType::Duration(_)));
        let (low, high): (i128, i128) = match result {
            DataType::UInt64 => (0, u64::MAX.into()),
            _ => (i64::MIN.into(), i64::MAX.into()),
        };
        let numbers: Vec<Option<i128>> = parts.iter().flatten().map(|row| row.1).collect();
        let batch = RecordBatch::try_from_iter_with_nullable([
            ("id", Arc::new((0_i64..).take(numbers.len()).collect::<Int64Array>()) as ArrayRef, true),
            ("n", column(&numbers, data_type), true),
        ]).unwrap();
        let batch = concat_batches(&batch.schema(), [&batch]).unwrap();
        let sql = format!(
            "SELECT sum(n) OVER (ORDER BY id ROWS BETWEEN {before} PRECEDING AND {after} FOLLOWING) \
             FROM t ORDER BY id"
        );
        let expected: Option<Vec<Vec<String>>> = (0..numbers.len()).map(|row| {
            let frame = &numbers[row.saturating_sub(before)..(row + after + 1).min(numbers.len())];
            let frame: Vec<i128> = frame.iter().flatten().copied().collect();
            let sum: i128 = frame.iter().sum();
            let sum = (!frame.is_empty()).then_some(sum);
            sum.is_none_or(|sum| (low..=high).contains(&sum)).then(|| vec![text(sum)])
        }).collect();
        prop_assert_eq!(rows(&[batch], &sql), expected, "{}", sql);
    }
}

#[test]
fn checked_operators_keep_column_names() {
    let batch = RecordBatch::try_from_iter([("n", Arc::new(Int64Array::from(vec![3])) as ArrayRef)]).unwrap();
    let context = SessionContext::new();
    register(&context);
    context.register_batch("t", batch).unwrap();
    let runtime = tokio::runtime::Builder::new_current_thread().build().unwrap();
    let plain = SessionContext::new();
    let batch = RecordBatch::try_from_iter([("n", Arc::new(Int64Array::from(vec![3])) as ArrayRef)]).unwrap();
    plain.register_batch("t", batch).unwrap();
    for sql in [
        "SELECT n + 1, -n, n * (n - 2), sum(n + 1) OVER (ORDER BY n * 2) FROM t",
        "SELECT sum(n + 1), n + 2 FROM t GROUP BY n + 2 HAVING sum(-n) < n + 2 ORDER BY n + 2",
        "SELECT (SELECT sum(u.n * 2) FROM t u WHERE u.n = t.n + 0) FROM t WHERE EXISTS (SELECT u.n - 1 FROM t u WHERE -u.n = -t.n)",
        "SELECT a.n + b.n FROM t a JOIN t b ON a.n + 1 = b.n + 1 LIMIT 1 + 1",
    ] {
        let fields = |context: &SessionContext| {
            runtime.block_on(async {
                let batches = context.sql(sql).await.unwrap().collect().await.unwrap();
                let names: Vec<String> =
                    batches[0].schema().fields().iter().map(|field| field.to_string()).collect();
                (names, batches.iter().flat_map(texts).collect::<Vec<_>>())
            })
        };
        assert_eq!(fields(&context), fields(&plain), "{sql}");
    }
}

/// A table with the ends of 64 bits.
const ENDS: &str = "a,b,d\n9223372036854775807,0,2020-01-01\n-9223372036854775808,-1,1970-01-01\n";

#[test]
fn overflows_are_refused() {
    let sandbox = Sandbox::with("ends.csv", ENDS);
    for (sql, sentence) in [
        ("SELECT a + 1 FROM t", "9223372036854775807 + 1 does not fit"),
        ("SELECT 9223372036854775807 + 1", "9223372036854775807 + 1 does not fit"),
        ("SELECT a * b FROM t", "-9223372036854775808 * -1 does not fit"),
        ("SELECT b FROM t WHERE a - 1 < 0", "-9223372036854775808 - 1 does not fit"),
        ("SELECT -a FROM t", "-9223372036854775808"),
        ("SELECT a / b FROM t WHERE b <> 0", "-9223372036854775808 / -1 does not fit"),
        ("SELECT sum(b) FROM t GROUP BY a * 2", "* 2 does not fit"),
        ("SELECT sum(x.a) FROM t x, t y WHERE x.a > 0", "the sum 18446744073709551614"),
        ("SELECT sum(x.a) OVER () FROM t x, t y WHERE x.a < 0", "the sum -18446744073709551616"),
    ] {
        let run = sandbox.run(["select", "ends.csv", sql]).refused(2);
        run.says(contains(sentence)).says(contains("DECIMAL(38, 0)"));
    }
    for sql in ["SELECT a / b FROM t", "SELECT a % b FROM t", "SELECT 5 / 0", "SELECT 5 % 0"] {
        let run = sandbox.run(["select", "ends.csv", sql]).refused(2);
        run.says(contains("division by zero")).says(contains("NULLIF"));
    }
    for sql in [
        "SELECT CAST(a AS SMALLINT) FROM t",
        "SELECT abs(a) FROM t",
        "SELECT CAST('99999999999999999999999999999999999999' AS DECIMAL(38, 0)) * 10",
        "SELECT d + INTERVAL '300000 years' FROM t",
        "SELECT CAST(d AS TIMESTAMP) + INTERVAL '5000 years' FROM t",
    ] {
        sandbox.run(["select", "ends.csv", sql]).refused(2);
    }
}

#[test]
fn results_that_fit_are_exact() {
    let sandbox = Sandbox::with("ends.csv", ENDS);
    for (sql, value) in [
        ("SELECT sum(a) FROM t", "-1"),
        ("SELECT CAST(a AS DECIMAL(38, 0)) + 1 FROM t WHERE b = 0", "9223372036854775808"),
        ("SELECT sum(CAST(x.a AS DECIMAL(38, 0))) FROM t x, t y WHERE x.b = 0", "18446744073709551614"),
        ("SELECT -9223372036854775808 + a FROM t WHERE b = 0", "-1"),
        ("SELECT 18446744073709551615 + 1", "18446744073709551616"),
        ("SELECT 18446744073709551616", "18446744073709551616"),
        ("SELECT -9223372036854775809 AS n", "-9223372036854775809"),
        ("SELECT a < 9223372036854775808 AND a > -9223372036854775808 FROM t WHERE b = 0", "true"),
        ("SELECT CAST(a AS DECIMAL(38, 0)) * 10 + 9 = 92233720368547758079 FROM t WHERE b = 0", "true"),
        ("SELECT CAST(a AS DECIMAL(38, 0)) * 10 + 9 = 92233720368547758078 FROM t WHERE b = 0", "false"),
        ("SELECT TRY_CAST(a AS SMALLINT) IS NULL FROM t WHERE b = 0", "true"),
    ] {
        let run = sandbox.run(["select", "ends.csv", sql, "--raw"]).ok();
        assert_eq!(run.text().lines().nth(1), Some(value), "{sql}");
    }
}
