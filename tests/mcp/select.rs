//! The tool `select`: queries.

use std::fs;

use serde_json::json;
use tempfile::TempDir;

use super::client::{Client, next_of, parted};

#[test]
fn rows_come_after_a_line_of_facts_and_next_goes_on() {
    let dir = TempDir::new().unwrap();
    let rows: Vec<String> = (0..3000).map(|n| format!("{n},x{}\n", n % 3)).collect();
    fs::write(dir.path().join("t.csv"), format!("a,b\n{}", rows.concat())).unwrap();
    let mut client = Client::start(dir.path(), &[]);
    let counted = json!({"path": "t.csv", "sql": "SELECT b, count(*) AS n FROM t GROUP BY b ORDER BY b"});
    assert_eq!(client.text("select", &counted), "t.csv | 3 rows\nb,n\nx0,1000\nx1,1000\nx2,1000\n");
    let mut call = json!({"path": "t.csv", "sql": "SELECT * FROM t"});
    let mut all = String::new();
    let mut calls = 0;
    loop {
        let text = client.text("select", &call);
        assert!(text.len() <= 10_000, "{}", text.len());
        let (facts, content) = parted(&text);
        all += content.strip_prefix("a,b\n").unwrap();
        calls += 1;
        let Some(next) = next_of(facts) else { break };
        call = next;
    }
    assert!(all == rows.concat() && calls > 2, "{calls} calls");
    for (arguments, sentence) in [
        (json!({"path": "t.csv", "sql": "SELEC * FROM t"}), "SELECT * FROM t"),
        (json!({"path": "t.csv", "sql": "SELECT zz FROM t"}), "the columns are a, b"),
        (json!({"path": "t.csv"}), "no query"),
        (json!({"path": "/etc/passwd", "sql": "SELECT * FROM t"}), "outside"),
    ] {
        let error = client.error("select", &arguments);
        assert!(error.contains(sentence), "{arguments}: {error}");
    }
}

#[test]
fn the_hint_of_a_budget_that_is_too_small_for_a_row_works() {
    let dir = TempDir::new().unwrap();
    fs::write(dir.path().join("t.csv"), format!("a\n{}\n", "x".repeat(1200))).unwrap();
    let mut client = Client::start(dir.path(), &[]);
    let asked = json!({"path": "t.csv", "sql": "SELECT * FROM t", "max_bytes": 1000});
    let error = client.error("select", &asked);
    assert!(error.contains("the limit is 1000"), "{error}");
    let (_, most) = error.rsplit_once("max_bytes").unwrap();
    let most: String = most.chars().filter(char::is_ascii_digit).collect();
    let asked = json!({"path": "t.csv", "sql": "SELECT * FROM t", "max_bytes": most.parse::<u64>().unwrap()});
    assert!(client.text("select", &asked).contains(&"x".repeat(1200)));
}
