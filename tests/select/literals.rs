//! Literals beside columns mean what they would mean in the file: dates with the day first, decimal commas, keys of maps.

use std::collections::HashMap;
use std::fs::File;
use std::sync::Arc;

use rread_sql::datafusion::arrow::array::builder::{Date32Builder, Int32Builder, MapBuilder, StringBuilder};
use rread_sql::datafusion::arrow::array::{Array, ArrayRef, FixedSizeBinaryArray, RecordBatch};
use rread_sql::datafusion::arrow::datatypes::{Field, Schema};
use rread_sql::datafusion::parquet::arrow::ArrowWriter;
use rread_sql::datafusion::parquet::data_type::{FixedLenByteArray, FixedLenByteArrayType};
use rread_sql::datafusion::parquet::file::writer::SerializedFileWriter;
use rread_sql::datafusion::parquet::schema::parser::parse_message_type;
use rread_testkit::sandbox::Sandbox;

/// The rows in CSV without the header.
#[track_caller]
fn rows(name: &str, text: &str, sql: &str, more: &[&str], expected: &str) {
    let run = Sandbox::with(name, text).run(["select", name, sql, "--raw"].iter().chain(more));
    let found = run.text().lines().skip(1).collect::<Vec<_>>().join(" ");
    assert_eq!((run.code, found.as_str()), (0, expected), "{text:?} {sql}: {}", run.stderr);
}

const DAY_FIRST: &str = "d,v\n9/3/2026,1\n23/11/2026,2\n";
const TIMES: &str = "d;v\n09.03.2026 8:05;1\n23.11.2026 18:30;2\n";
const COMMAS: &str = "k;v\na;1.234,56\nb;2,5\n";

#[test]
fn a_literal_is_compared_as_it_is_spelt_in_the_file() {
    for (text, condition, more, expected) in [
        (DAY_FIRST, "d = '23/11/2026'", &[][..], "2"),
        (DAY_FIRST, "'10/03/2026' <= d", &[], "2"),
        (DAY_FIRST, "d = '2026-11-23'", &[], "2"),
        (DAY_FIRST, "d <> '9/3/2026'", &[], "2"),
        (DAY_FIRST, "d IN ('23/11/2026', '24/11/2026')", &[], "2"),
        (DAY_FIRST, "d NOT BETWEEN '1/1/2026' AND '1/10/2026'", &[], "2"),
        (DAY_FIRST, "v = (SELECT max(v) FROM t WHERE d > '10/3/2026')", &[], "2"),
        ("d,v\n1/12/2026,1\n23/1/2026,2\n", "d < '1/11/2026'", &[], "2"),
        ("d,v\n11/23/2026,1\n3/9/2026,2\n", "d < '4/1/2026'", &[], "2"),
        ("d,v\n1/2/2026,1\n3/4/2026,2\n", "d = '3/4/2026'", &["--date-order", "mdy"], "2"),
        ("d,v\n2026/03/09,1\n2026/11/23,2\n", "d = '2026/11/23'", &[], "2"),
        (TIMES, "d = '23.11.2026 18:30'", &[], "2"),
        (TIMES, "d > '10.03.2026'", &[], "2"),
        (TIMES, "d BETWEEN '23.11.2026' AND '24.11.2026'", &[], "2"),
        (COMMAS, "v = '1.234,56'", &[], "1234.56"),
        (COMMAS, "v > '1.000'", &[], "1234.56"),
        (COMMAS, "v IN ('1234,56', '7,0')", &[], "1234.56"),
        (COMMAS, "v BETWEEN '1,0' AND '3,5'", &[], "2.5"),
        ("k,v\na,\"1,250\"\nb,\"3,400\"\n", "v = '1,250'", &["--thousands", ","], "1250"),
        ("flag,v\ntrue,1\nfalse,2\n", "flag IN (1)", &[], "1"),
        ("flag,v\ntrue,1\nfalse,2\n", "flag IN ('no', 'f')", &[], "2"),
        ("t,v\n2026-11-19T09:29:59Z,1\n2026-11-19T09:30:00Z,2\n", "t >= '2026-11-19T09:30'", &[], "2"),
    ] {
        rows("t.csv", text, &format!("SELECT v FROM t WHERE {condition}"), more, expected);
    }
}

#[test]
fn each_file_has_its_own_forms() {
    let sandbox = Sandbox::with("a.csv", "d;p\n31.12.2026;1,5\n");
    sandbox.file("b.csv", "d;p\n2026-12-30;2.5\n");
    sandbox.file("c.csv", "d;p\n12/29/2026;3.5\n");
    for files in [["a.csv", "b.csv", "c.csv"], ["c.csv", "b.csv", "a.csv"]] {
        let run = |sql: &str| {
            let run = sandbox.run(["select"].iter().chain(&files).chain(&[sql, "--raw"]));
            (run.code, run.text().lines().skip(1).collect::<Vec<_>>().join(" "), run.stderr)
        };
        let all = run("SELECT min(d), max(d), sum(p) FROM t").1;
        assert_eq!(all, "2026-12-29,2026-12-31,7.5");
        assert_eq!(run("SELECT d FROM t WHERE p = '1,5'").1, "2026-12-31");
        // The files have two orders of day and month, so a literal has none.
        let (code, _, notes) = run("SELECT p FROM t WHERE d = '31/12/2026'");
        assert!(code == 2 && notes.contains("'31/12/2026'"), "{notes}");
    }
}

#[test]
fn what_no_value_can_be_is_a_sentence() {
    let log = "2026-11-23 06:00:00 WARN disk\n2026-11-23 06:00:01 INFO ok\n";
    for (name, text, condition, words) in [
        ("t.csv", DAY_FIRST, "d LIKE '%/11/2026'", &["d is date", "--schema 'd:utf8'"][..]),
        ("t.csv", COMMAS, "v NOT LIKE '2,%'", &["v is float64", "no `,`"]),
        ("t.csv", TIMES, "d LIKE '2026-03-09 %'", &["d is timestamp"]),
        ("t.csv", "d\n20260131\n", "d::date = '2026-01-31'", &["to_date(column::text, '%Y%m%d')"]),
        ("w.log", log, "_level = 'warning'", &["_level is never 'warning'", "_level = 'warn'"]),
        ("w.log", log, "_level NOT IN ('ERR', 'info')", &["_level is never 'ERR'", "_level = 'error'"]),
        ("w.log", log, "'loud' <> _level", &["trace, debug, info, notice, warn, error, fatal"]),
        ("w.log", log, "_level >= 'warn'", &["_level IN ('warn', 'error', 'fatal')"]),
    ] {
        let sql = format!("SELECT * FROM t WHERE {condition}");
        let run = Sandbox::with(name, text).run(["select", name, &sql, "--raw"]).refused(2);
        words.iter().for_each(|word| assert!(run.stderr.contains(word), "{condition}: {run}"));
    }
    rows("w.log", log, "SELECT count(*) FROM t WHERE _level = 'warn'", &[], "1");
}

#[test]
fn a_time_of_a_log_is_one_moment_in_a_condition_and_in_a_window() {
    let log = "2026-11-23 06:00:00 WARN disk\n2026-11-23 06:00:01 INFO ok\n";
    for zone in ["UTC", "Asia/Tokyo", "America/New_York"] {
        for condition in [
            "_time >= '2026-11-23 06:00:01'",
            "_time IN ('2026-11-23T06:00:01')",
            "_time BETWEEN '2026-11-23 06:00:01' AND '2026-11-23 07:00'",
        ] {
            let sql = format!("SELECT _level FROM t WHERE {condition}");
            rows("w.log", log, &sql, &["--tz", zone], "info");
        }
        let since = ["--tz", zone, "--since", "2026-11-23 06:00:01"];
        rows("w.log", log, "SELECT _level FROM t", &since, "info");
    }
    // An offset says which moment is meant.
    let sql = "SELECT _level FROM t WHERE _time >= '2026-11-22T21:00:01Z'";
    rows("w.log", log, sql, &["--tz", "Asia/Tokyo"], "info");
}

const ID: u128 = 0x0b9a_7c55_2f10_4c6e_9d3b_18e2_f4a6_c7d8;

/// A file with a map of each kind of keys, and a UUID.
fn parquet(sandbox: &Sandbox) {
    let mut numbers = MapBuilder::new(None, Int32Builder::new(), StringBuilder::new());
    numbers.keys().append_value(1);
    numbers.values().append_value("a");
    numbers.append(true).unwrap();
    let mut days = MapBuilder::new(None, Date32Builder::new(), StringBuilder::new());
    days.keys().append_value(20_484);
    days.values().append_value("b");
    days.append(true).unwrap();
    let id = ID.to_be_bytes();
    let ids = FixedSizeBinaryArray::try_from_iter([id].iter()).unwrap();
    let columns: [(&str, ArrayRef); 3] =
        [("n", Arc::new(numbers.finish())), ("d", Arc::new(days.finish())), ("u", Arc::new(ids))];
    let field = |(name, array): &(&str, ArrayRef)| {
        let kind = [("ARROW:extension:name".to_owned(), "arrow.uuid".to_owned())];
        let field = Field::new(*name, array.data_type().clone(), true);
        if *name == "u" { field.with_metadata(HashMap::from(kind)) } else { field }
    };
    let schema = Arc::new(Schema::new(columns.iter().map(field).collect::<Vec<_>>()));
    let arrays = columns.iter().map(|(_, array)| Arc::clone(array)).collect();
    let batch = RecordBatch::try_new(Arc::clone(&schema), arrays).unwrap();
    let file = File::create(sandbox.path("m.parquet")).unwrap();
    let mut writer = ArrowWriter::try_new(file, schema, None).unwrap();
    writer.write(&batch).unwrap();
    writer.close().unwrap();
}

/// A file whose own schema says that a column is a UUID, without that of Arrow.
fn ids_alone(sandbox: &Sandbox) {
    let schema = parse_message_type("message m { required fixed_len_byte_array(16) u (UUID); }").unwrap();
    let file = File::create(sandbox.path("ids.parquet")).unwrap();
    let mut writer = SerializedFileWriter::new(file, Arc::new(schema), Arc::default()).unwrap();
    let mut group = writer.next_row_group().unwrap();
    let mut column = group.next_column().unwrap().unwrap();
    let id = FixedLenByteArray::from(ID.to_be_bytes().to_vec());
    column.typed::<FixedLenByteArrayType>().write_batch(&[id], None, None).unwrap();
    column.close().unwrap();
    group.close().unwrap();
    writer.close().unwrap();
}

#[test]
fn keys_of_maps_and_uuids_are_written_as_one_would() {
    let sandbox = Sandbox::with("u.csv", "u,n\n0b9a7c55-2f10-4c6e-9d3b-18e2f4a6c7d8,x\n");
    parquet(&sandbox);
    for (sql, expected) in [
        ("SELECT n[1], n['1'], d['2026-01-31'], d[DATE '2026-01-31'], n[2] FROM t", "a,a,b,b,"),
        ("SELECT n, d FROM t", "\"{\"\"1\"\":\"\"a\"\"}\",\"{\"\"2026-01-31\"\":\"\"b\"\"}\""),
        ("SELECT u FROM t", "0b9a7c55-2f10-4c6e-9d3b-18e2f4a6c7d8"),
        ("SELECT max(u), count(*) FROM t GROUP BY u", "0b9a7c55-2f10-4c6e-9d3b-18e2f4a6c7d8,1"),
        ("SELECT count(*) FROM t WHERE u IN ('0b9a7c55-2f10-4c6e-9d3b-18e2f4a6c7d8')", "1"),
        ("SELECT x.n FROM t JOIN x ON t.u = x.u WHERE t.u LIKE '0b9a%'", "x"),
        ("SELECT upper(u) || '!' FROM t", "0B9A7C55-2F10-4C6E-9D3B-18E2F4A6C7D8!"),
    ] {
        let run = sandbox.run(["select", "m.parquet", sql, "--table", "x=u.csv", "--raw"]).ok();
        assert_eq!(run.text().lines().nth(1), Some(expected), "{sql}");
    }
    // Of several files, too.
    std::fs::copy(sandbox.path("m.parquet"), sandbox.path("o.parquet")).unwrap();
    let sql = "SELECT count(*) FROM t WHERE u = '0b9a7c55-2f10-4c6e-9d3b-18e2f4a6c7d8'";
    let run = sandbox.run(["select", "m.parquet", "o.parquet", sql, "--raw"]).ok();
    assert_eq!(run.text(), "count(*)\n2\n");
    ids_alone(&sandbox);
    let run = sandbox.run(["select", "ids.parquet", sql, "--raw"]).ok();
    assert_eq!(run.text(), "count(*)\n1\n");
}
