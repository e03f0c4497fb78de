//! Compares results with DuckDB, if it is installed.

use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use rread_testkit::sandbox::Sandbox;
use serde_json::Value;

use super::tables;

/// Runs one query per line of standard input, and writes the rows of each as JSON.
const SCRIPT: &str = r#"
import duckdb, json, sys, decimal, datetime
def plain(value):
    if isinstance(value, decimal.Decimal):
        return float(value)
    if isinstance(value, (datetime.date, datetime.datetime)):
        return value.isoformat()
    return value
connection = duckdb.connect()
for line in sys.stdin:
    try:
        rows = connection.execute(json.loads(line)).fetchall()
        print(json.dumps([[plain(value) for value in row] for row in rows]))
    except Exception as error:
        print(json.dumps(str(error)))
"#;

/// The Python that has DuckDB; `.ci/servers` installs it next to the servers.
fn python() -> Option<PathBuf> {
    let named = std::env::var_os("RREAD_SERVERS").unwrap_or_else(|| "target/servers".into());
    let python = Path::new(env!("CARGO_MANIFEST_DIR")).join(named).join("duckdb/bin/python");
    let works =
        Command::new(&python).args(["-c", "import duckdb"]).status().is_ok_and(|status| status.success());
    if !works {
        eprintln!("DuckDB IS NOT THERE ({}): nothing is compared with it", python.display());
    }
    works.then_some(python)
}
fn peer(python: &Path, folder: &Path, queries: &[String]) -> Vec<Value> {
    let mut child = Command::new(python)
        .args(["-c", SCRIPT])
        .current_dir(folder)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let text: String = queries.iter().map(|sql| serde_json::to_string(sql).unwrap() + "\n").collect();
    child.stdin.take().unwrap().write_all(text.as_bytes()).unwrap();
    let output = child.wait_with_output().unwrap();
    String::from_utf8(output.stdout)
        .unwrap()
        .lines()
        .map(|line| serde_json::from_str(line).unwrap())
        .collect()
}

/// Whether two values are equal. Sums of floats may differ, because the order of addition does.
fn same(left: &Value, right: &Value) -> bool {
    match (left, right) {
        (Value::Number(left), Value::Number(right)) => {
            let (left, right) = (left.as_f64().unwrap(), right.as_f64().unwrap());
            (left - right).abs() <= 1e-9 * left.abs().max(right.abs())
        }
        // The numbers of decimals in seconds may differ.
        (Value::String(left), Value::String(right)) if left.contains(':') => {
            left.trim_end_matches('0') == right.trim_end_matches('0')
        }
        // A quoted empty value is text for rread, and NULL for DuckDB.
        (Value::String(text), Value::Null) => text.is_empty(),
        (Value::Array(left), Value::Array(right)) => {
            left.len() == right.len() && left.iter().zip(right).all(|(left, right)| same(left, right))
        }
        _ => left == right,
    }
}

#[track_caller]
fn assert_same(
    sandbox: &Sandbox,
    python: &Path,
    table: &str,
    relation: &str,
    options: &[&str],
    queries: &[&str],
) {
    let theirs =
        queries.iter().map(|sql| sql.replace("FROM t", &format!("FROM {relation} t"))).collect::<Vec<_>>();
    let peers = peer(python, sandbox.path("").as_path(), &theirs);
    assert_eq!(peers.len(), queries.len());
    for (sql, right) in queries.iter().zip(peers) {
        let args = ["select", table, sql, "--json", "--output", "json"];
        let run = sandbox.run(args.iter().chain(options));
        assert!([0, 1].contains(&run.code), "{run}");
        let answer = run.json();
        let columns = answer["metadata"]["columns"].as_array().unwrap();
        let rows: Vec<Value> = serde_json::from_str(answer["content"].as_str().unwrap()).unwrap();
        let row = |row: &Value| {
            columns.iter().map(|column| row[column["name"].as_str().unwrap()].clone()).collect()
        };
        let rows: Value = rows.iter().map(row).collect::<Vec<Value>>().into();
        assert!(same(&rows, &right), "{table}: {sql}\nDuckDB: {right}\n{run}");
    }
}

pub const QUERIES: &[&str] = &[
    "SELECT count(*) AS n FROM t",
    "SELECT \"In stock\" AS s, count(*) AS n, sum(\"Price\") AS p, min(\"Name\") AS low FROM t GROUP BY 1 ORDER BY 1",
    "SELECT \"Id\" AS i, \"Name\" AS n FROM t WHERE \"Name\" LIKE 'item%' AND \"Price\" BETWEEN 100 AND 900 ORDER BY 1",
    "SELECT \"Id\" % 10 AS k, avg(\"Price\") AS a, count(DISTINCT \"Name\") AS d FROM t GROUP BY 1 HAVING count(*) > 3 ORDER BY 1",
    "SELECT lower(\"Name\") AS u, length(\"Name\") AS l, coalesce(\"Price\", -1) AS p FROM t WHERE \"Id\" < 50 ORDER BY \"Id\"",
    "SELECT \"Id\" AS i, CASE WHEN \"Price\" > 1000 THEN 'dear' WHEN \"Price\" IS NULL THEN 'free' ELSE 'cheap' END AS c FROM t ORDER BY 1 LIMIT 40",
    "SELECT \"Id\" AS i, sum(\"Price\") OVER (ORDER BY \"Id\" ROWS BETWEEN 2 PRECEDING AND CURRENT ROW) AS s FROM t ORDER BY 1 LIMIT 50",
    "SELECT \"Id\" AS i FROM t WHERE \"Price\" > (SELECT avg(\"Price\") FROM t) ORDER BY 1",
    "SELECT count(*) AS n FROM t WHERE \"Name\" IS NULL OR \"Name\" = ''",
];

#[test]
fn tables_of_every_kind_as_by_duckdb() {
    let Some(python) = python() else { return };
    let sandbox = Sandbox::new();
    tables::all_kinds(&sandbox, &tables::rows(997));
    for (table, relation) in [
        ("comma.csv", "read_csv('comma.csv')"),
        ("crlf.csv", "read_csv('crlf.csv')"),
        ("semicolon.txt", "read_csv('semicolon.txt')"),
        ("lines.jsonl", "read_json('lines.jsonl')"),
        ("array.json", "read_json('array.json')"),
        ("groups.parquet", "'groups.parquet'"),
    ] {
        assert_same(&sandbox, &python, table, relation, &[], QUERIES);
    }
}

#[test]
fn types_are_inferred_as_by_duckdb() {
    let Some(python) = python() else { return };
    let sandbox = Sandbox::with(
        "t.csv",
        "i,f,b,d,ts,s,n\n1,1.5,true,2024-02-29,2024-02-29 12:30:00,a,\n-2,2e3,false,1999-12-31,1999-12-31 23:59:59.5,\"b,c\",\n,,,,,,\n9223372036854775807,-0.25,true,2000-01-01,2000-01-01 00:00:00,d,\n",
    );
    let queries = [
        "SELECT i, f, b, s FROM t",
        "SELECT d, ts FROM t",
        "SELECT sum(f) AS f, max(d) AS d, min(ts) AS ts, count(s) AS s, count(n) AS n FROM t",
        "SELECT extract(year FROM d) AS y, count(*) AS n FROM t GROUP BY 1 ORDER BY 1",
    ];
    assert_same(&sandbox, &python, "t.csv", "read_csv('t.csv')", &[], &queries);
}

#[test]
fn real_tables_as_by_duckdb() {
    let (Some(python), Some(corpus)) = (python(), std::env::var_os("RREAD_CORPUS")) else {
        eprintln!("THERE IS NO CORPUS: no real table is queried");
        return;
    };
    let sandbox = Sandbox::new();
    let tables = Path::new(&corpus).join("tables");
    for name in ["countries.dat", "amazon_cellphones.ndjson"] {
        std::fs::copy(tables.join(name), sandbox.path(name)).unwrap();
    }
    let countries = ["SELECT count(*) AS n FROM t", "SELECT * FROM t LIMIT 300"];
    assert_same(
        &sandbox,
        &python,
        "countries.dat",
        "read_csv('countries.dat', header=false)",
        &["--no-header"],
        &countries,
    );
    let phones = ["SELECT count(*) AS n FROM t"];
    assert_same(
        &sandbox,
        &python,
        "amazon_cellphones.ndjson",
        "read_json('amazon_cellphones.ndjson')",
        &["--no-header"],
        &phones,
    );
}
