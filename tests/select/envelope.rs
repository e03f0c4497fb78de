//! The envelope of a query's rows, and how to continue with `next`.

use proptest::prelude::*;
use rread_testkit::sandbox::{Run, Sandbox};
use serde_json::Value;

use super::tables;

const ALL: &str = "SELECT id, name FROM t";

fn sandbox() -> Sandbox {
    let sandbox = Sandbox::new();
    sandbox.file("stock.csv", tables::csv(&tables::rows(300), ',', "\n"));
    tables::parquet(&sandbox.path("stock.parquet"), &tables::rows(300), 40);
    sandbox
}

#[test]
fn the_envelope_shows_the_request_and_the_result() {
    let sandbox = sandbox();
    let answer =
        sandbox.run(["select", "stock.csv", "SELECT Id, price FROM t WHERE id < 3", "--json"]).ok().json();
    assert_eq!(answer["content"], "Id,Price\n0,\n1,1979.75\n2,1457.75\n");
    let metadata = &answer["metadata"];
    assert_eq!(metadata["query"], "SELECT Id, price FROM t WHERE id < 3");
    assert_eq!((&metadata["input"], &metadata["output"]), (&"csv".into(), &"csv".into()));
    let columns = serde_json::json!([{"name": "Id", "type": "int64"}, {"name": "Price", "type": "float64"}]);
    assert_eq!(metadata["columns"], columns);
    assert_eq!((&metadata["rows_returned"], &metadata["truncated"]), (&3.into(), &false.into()));
    let size = std::fs::metadata(sandbox.path("stock.csv")).unwrap().len();
    assert_eq!((&metadata["total"], &metadata["bytes_scanned"]), (&size.into(), &size.into()));
}

#[test]
fn frontmatter_and_xml_hold_the_same_rows() {
    let sandbox = sandbox();
    let raw = sandbox.run(["select", "stock.csv", ALL, "--raw"]).ok();
    let document = sandbox.run(["select", "stock.csv", ALL]).ok().document();
    assert_eq!(document.content, raw.text());
    assert_eq!(document.fact("columns"), "Id int64Name utf8");
    let xml = sandbox.run(["select", "stock.csv", ALL, "--xml"]).ok();
    let parsed = roxmltree::Document::parse(xml.text()).unwrap();
    let content = parsed.descendants().find(|node| node.has_tag_name("content")).unwrap();
    assert_eq!(content.text(), Some(raw.text()));
}

#[test]
fn a_result_without_rows_has_exit_code_1() {
    let sandbox = sandbox();
    for format in ["json", "frontmatter", "raw"] {
        let run = sandbox.run(["select", "stock.csv", "SELECT * FROM t WHERE id < 0", "-f", format]);
        assert_eq!(run.code, 1, "{run}");
        assert!(run.stderr.contains("no row"), "{run}");
    }
    let run = sandbox.run(["select", "stock.csv", "SELECT * FROM t WHERE id < 0", "--json"]);
    assert_eq!(serde_json::from_str::<Value>(&run.stderr).unwrap()["kind"], "no_rows");
    assert_eq!(run.json()["metadata"]["rows_returned"], 0);
    // A count of zero is a row.
    sandbox.run(["select", "stock.csv", "SELECT count(*) FROM t WHERE id < 0"]).ok();
    // A loop that follows `next` ends without an error.
    sandbox.run(["select", "stock.csv", ALL, "--offset", "300"]).ok();
}

#[test]
fn every_style_formats_rows() {
    let sandbox = Sandbox::new();
    sandbox.file("t.csv", "a,b\n1,\"x, \"\"y\"\"\"\n2,\n3,\"\"\n");
    let style =
        |style: &str| sandbox.run(["select", "t.csv", "SELECT * FROM t", "--raw", "--output", style]).ok();
    assert_eq!(style("csv").text(), "a,b\n1,\"x, \"\"y\"\"\"\n2,\n3,\"\"\n");
    assert_eq!(
        style("jsonl").text(),
        "{\"a\":1,\"b\":\"x, \\\"y\\\"\"}\n{\"a\":2,\"b\":null}\n{\"a\":3,\"b\":\"\"}\n"
    );
    let json: Value = serde_json::from_slice(&style("json").stdout).unwrap();
    assert_eq!(json, serde_json::json!([{"a": 1, "b": "x, \"y\""}, {"a": 2, "b": null}, {"a": 3, "b": ""}]));
    assert_eq!(style("table").text(), " a | b\n---+--------\n 1 | x, \"y\"\n 2 | NULL\n 3 |\n");
    let none = sandbox.run(["select", "t.csv", "SELECT a FROM t WHERE a > 9", "--raw", "--output", "json"]);
    assert_eq!((none.code, none.text()), (1, "[]\n"));
}

#[test]
fn a_row_that_does_not_fit_is_an_error_not_an_endless_loop() {
    let sandbox = sandbox();
    let run = sandbox.run(["select", "stock.csv", ALL, "--max-bytes", "10"]).refused(2);
    let needed = run.stderr.split("--max-bytes ").nth(1).unwrap().trim();
    let answer = sandbox.run(["select", "stock.csv", ALL, "--max-bytes", needed, "--json"]).ok().json();
    assert_eq!(answer["metadata"]["rows_returned"], 1);
    let variable = sandbox
        .command()
        .env("RREAD_MAX_BYTES", "100")
        .args(["select", "stock.csv", ALL, "--json"])
        .output()
        .unwrap();
    assert_eq!(serde_json::from_slice::<Value>(&variable.stdout).unwrap()["metadata"]["cut_by"], "max_bytes");
}

/// All rows, by following `next` from the start.
fn pages(sandbox: &Sandbox, file: &str, sql: &str, budget: &[String]) -> Vec<Value> {
    let (mut rows, mut offset) = (Vec::new(), 0);
    loop {
        let mut command = sandbox.command();
        command
            .args(["select", file, sql, "--json", "--output", "json", "--offset", &offset.to_string()])
            .args(budget);
        let answer = Run::of(&mut command).ok().json();
        let content: Vec<Value> = serde_json::from_str(answer["content"].as_str().unwrap()).unwrap();
        let metadata = &answer["metadata"];
        assert_eq!(metadata["content_bytes"], answer["content"].as_str().unwrap().len());
        assert_eq!(metadata["rows_returned"], content.len());
        rows.extend(content);
        match metadata["next"]["offset"].as_u64() {
            Some(next) => {
                assert!(next > offset && metadata["truncated"] == true, "{metadata}");
                offset = next;
            }
            None => return rows,
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 12, ..ProptestConfig::default() })]
    #[test]
    fn answers_under_a_budget_join(by_rows in 40_u64..320, by_bytes in 2000_u64..9000, which in 0_usize..4, is_parquet: bool) {
        let sandbox = sandbox();
        let file = if is_parquet { "stock.parquet" } else { "stock.csv" };
        let sql = [ALL, "SELECT price, count(*) AS n FROM t GROUP BY price", "SELECT id FROM t ORDER BY \"In stock\"", "SELECT DISTINCT name FROM t"][which];
        let rows = pages(&sandbox, file, sql, &["--max-rows".into(), by_rows.to_string()]);
        let bytes = pages(&sandbox, file, sql, &["--max-bytes".into(), by_bytes.to_string()]);
        prop_assert_eq!(&rows, &bytes);
        let whole = pages(&sandbox, file, sql, &["--max-rows".into(), "100000".into()]);
        prop_assert_eq!(rows, whole);
    }
}

#[test]
fn rows_come_in_the_order_of_the_file() {
    let sandbox = Sandbox::new();
    let rows = tables::rows(60_000);
    sandbox.file("t.csv", tables::csv(&rows, ',', "\n"));
    tables::parquet(&sandbox.path("t.parquet"), &rows, 1000);
    for file in ["t.csv", "t.parquet"] {
        let run = sandbox.run(["select", file, "SELECT id FROM t WHERE id % 7 = 3", "--raw"]).ok();
        let right: String = (0..60_000).filter(|id| id % 7 == 3).map(|id| format!("{id}\n")).collect();
        assert!(run.text() == format!("Id\n{right}"), "{file}: {}", &run.text()[..200]);
        let first = sandbox.run(["select", file, "SELECT id FROM t LIMIT 3 OFFSET 50000", "--raw"]).ok();
        assert_eq!(first.text(), "Id\n50000\n50001\n50002\n", "{file}");
    }
}
