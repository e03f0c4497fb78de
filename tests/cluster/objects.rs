//! Objects of a store, which workers read with credentials of their own.

use rread_testkit::sandbox::{Run, Sandbox};
use serde_json::Value;

use super::workers::Worker;
use crate::cloud::servers::{self, Object, Store};

#[test]
fn workers_read_objects_and_report_their_requests() {
    let Some(store) = servers::moto() else { return };
    let sandbox = Sandbox::new();
    for nth in 0..24 {
        let text: String = (0..50).map(|n| format!("{{\"n\":{},\"f\":{nth}}}\n", nth * 50 + n)).collect();
        store.put(&Object::new(&format!("cluster/{nth:02}.jsonl"), text.as_bytes()));
    }
    let target = store.target("cluster/");
    let run = |workers: &str, more: &[&str]| {
        let mut command = sandbox.command();
        command.args(["select", &target.url, "SELECT count(*) AS n, sum(n) AS s FROM t WHERE f % 2 = 1"]);
        command.args(if workers.is_empty() { vec![] } else { vec!["--workers", workers] }).args(more);
        command.envs(target.env.iter().map(|(name, value)| (name, value)));
        Run::of(&mut command)
    };
    let alone = run("", &["--json"]).ok().json();
    let root = target.url.trim_end_matches('/').to_owned();
    let workers = [(); 2].map(|()| Worker::with(&sandbox, &["--root", &root], &target.env));
    let both = format!("{},{}", workers[0].address, workers[1].address);
    let answer = run(&both, &["--json"]).ok().json();
    assert_eq!(answer["content"], alone["content"]);
    let number = |answer: &Value, key: &str| answer["metadata"][key].as_u64().unwrap_or_default();
    assert_eq!(number(&answer, "workers"), 2, "{answer}");
    assert_eq!(number(&answer, "bytes_scanned"), number(&alone, "bytes_scanned"), "{answer}");
    assert!(number(&answer, "requests") >= 24, "{answer}");
    // A worker with another root refuses, and one without credentials cannot read.
    let other = Worker::with(&sandbox, &["--root", &format!("{root}/x")], &target.env);
    let refused = run(&other.address, &["--raw"]).refused(3);
    assert!(refused.stdout.is_empty() && refused.stderr.contains("outside the roots"), "{refused}");
}
