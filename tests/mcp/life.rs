//! Calls that run long, calls that are many, and the end of the server.

use std::fs::{self, File};
use std::io::Write;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use assert_cmd::cargo::cargo_bin;
use rread_testkit::home::AtHome;
use rread_testkit::sample::cases;
use serde_json::{Value, json};
use tempfile::TempDir;

use super::client::Client;

/// A file of 4 GiB that takes no room on the disk, and looks like text.
fn large() -> TempDir {
    let dir = TempDir::new().unwrap();
    let mut file = File::create(dir.path().join("large.log")).unwrap();
    file.write_all("a line of a log\n".repeat(100_000).as_bytes()).unwrap();
    file.set_len(4 << 30).unwrap();
    dir
}

fn long_search() -> Value {
    json!({"name": "search", "arguments": {"pattern": "nowhere", "path": "large.log"}, "_meta": {"progressToken": 7}})
}

/// Processor time of the process, in ticks of 10 ms.
fn worked(pid: u32) -> u64 {
    let text = fs::read_to_string(format!("/proc/{pid}/stat")).unwrap();
    let numbers = text.rsplit_once(')').unwrap().1;
    numbers.split_whitespace().skip(11).take(2).map(|ticks| ticks.parse::<u64>().unwrap()).sum()
}

/// How long the process works on.
fn works_on(pid: u32) -> Duration {
    let started = Instant::now();
    let (mut before, mut quiet_since) = (worked(pid), started);
    while quiet_since.elapsed() < Duration::from_millis(50) {
        thread::sleep(Duration::from_millis(1));
        let now = worked(pid);
        if now != before {
            (before, quiet_since) = (now, Instant::now());
        }
        assert!(started.elapsed() < Duration::from_secs(30), "it works on");
    }
    quiet_since - started
}

/// Demands at most ten times `limit` in one of three tries: the machine may be busy, and work that goes on takes much longer.
fn within(limit: Duration, what: &str, mut measure: impl FnMut() -> Duration) {
    let limit = 10 * limit;
    let times: Vec<Duration> = (0..3).map(|_| measure()).take_while(|took| *took >= limit).collect();
    assert!(times.len() < 3, "{what} took {times:?}");
}

/// 4 GiB of text in a few kilobytes: frames of zstd, one after another.
fn dense() -> TempDir {
    let dir = TempDir::new().unwrap();
    let frame = zstd::encode_all("a line of a log\n".repeat(1 << 20).as_bytes(), 1).unwrap();
    fs::write(dir.path().join("large.log"), frame.repeat(256)).unwrap();
    dir
}

#[test]
fn a_cancelled_call_ends_at_once() {
    let calls = [
        ("search", json!({"pattern": "nowhere", "path": "large.log"})),
        ("stat", json!({"path": "large.log", "count": true})),
        ("read", json!({"path": "large.log", "lines": "300000000"})),
        ("verify", json!({"path": "large.log", "anchors": ["300000000#000000"]})),
    ];
    for (dir, calls) in [(large(), &calls[..cases(4, 1)]), (dense(), &calls[..cases(4, 1)])] {
        for (tool, arguments) in calls {
            within(Duration::from_millis(100), tool, || {
                // A new server, which has learned nothing.
                let mut client = Client::start(dir.path(), &[]);
                let pid = client.child.id();
                let id = client.begin("tools/call", json!({"name": tool, "arguments": arguments}));
                thread::sleep(Duration::from_millis(100));
                let before = worked(pid);
                thread::sleep(Duration::from_millis(60));
                assert!(worked(pid) > before, "{tool} does not run");
                let params = json!({"requestId": id});
                client
                    .send(&json!({"jsonrpc": "2.0", "method": "notifications/cancelled", "params": params}));
                let took = works_on(pid);
                // A cancelled call has no answer, and the server goes on.
                client.text("read", &json!({"path": "large.log", "lines": 1}));
                took
            });
        }
    }
}

#[test]
fn progress_is_reported_and_grows() {
    let dir = large();
    let mut client = Client::start(dir.path(), &[]);
    let id = client.begin("tools/call", long_search());
    let mut before = 0.0;
    for _ in 0..2 {
        let note = client.receive();
        assert_eq!(
            (&note["method"], &note["params"]["progressToken"]),
            (&json!("notifications/progress"), &json!(7)),
            "{note}"
        );
        let progress = note["params"]["progress"].as_f64().unwrap();
        assert!(progress > before && note["params"]["total"] == 4_294_967_296.0, "{note}");
        before = progress;
    }
    client.send(&json!({"jsonrpc": "2.0", "method": "notifications/cancelled", "params": {"requestId": id}}));
}

#[test]
fn a_hundred_calls_are_answered_while_a_search_runs() {
    let dir = large();
    fs::write(dir.path().join("small"), (1..=100).map(|n| format!("line {n}\n")).collect::<String>())
        .unwrap();
    let mut client = Client::start(dir.path(), &[]);
    let search = client.begin("tools/call", long_search());
    let ids: Vec<u64> = (1..=100)
        .map(|n| {
            client.begin("tools/call", json!({"name": "read", "arguments": {"path": "small", "lines": n}}))
        })
        .collect();
    let mut answered = 0;
    while answered < 100 {
        let answer = client.receive();
        let Some(n) = ids.iter().position(|id| answer["id"] == *id) else {
            assert_ne!(answer["id"], search, "the search should run still");
            continue;
        };
        let text = answer["result"]["content"][0]["text"].as_str().unwrap();
        assert!(text.ends_with(&format!("\nline {}\n", n + 1)), "{text}");
        answered += 1;
    }
    client.send(
        &json!({"jsonrpc": "2.0", "method": "notifications/cancelled", "params": {"requestId": search}}),
    );
}

#[test]
fn the_end_of_input_ends_the_process_while_a_job_runs() {
    let dir = large();
    within(Duration::from_millis(50), "the end", || {
        let mut client = Client::start(dir.path(), &[]);
        client.begin("tools/call", long_search());
        thread::sleep(Duration::from_millis(100));
        let started = Instant::now();
        drop(client.input.take());
        assert!(client.child.wait().unwrap().success());
        started.elapsed()
    });
}

#[test]
fn answers_that_are_ready_are_written_before_the_end() {
    let dir = TempDir::new().unwrap();
    fs::write(dir.path().join("f"), "text\n").unwrap();
    let messages = [
        json!({"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": {"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": {"name": "t", "version": "1"}}}),
        json!({"jsonrpc": "2.0", "method": "notifications/initialized"}),
        json!({"jsonrpc": "2.0", "id": 2, "method": "tools/list"}),
    ];
    let input: String = messages.iter().map(|message| format!("{message}\n")).collect();
    let mut server = start(dir.path());
    server.stdin.take().unwrap().write_all(input.as_bytes()).unwrap();
    let output = server.wait_with_output().unwrap();
    let text = String::from_utf8(output.stdout).unwrap();
    assert_eq!(text.lines().count(), 2, "{text}");
    assert!(output.status.success() && text.contains(r#""id":2"#), "{text}");
    // Without a word, there is none in return.
    let output = start(dir.path()).wait_with_output().unwrap();
    assert!(output.status.success() && output.stdout.is_empty(), "{output:?}");
}

fn start(dir: &Path) -> Child {
    let mut command = Command::new(cargo_bin("rread"));
    command.arg("mcp").current_dir(dir).at_home(dir);
    command.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().unwrap()
}

#[test]
fn a_client_that_dies_leaves_no_process() {
    let dir = large();
    // `cat` is the client: its standard output is the input of the server.
    let mut cat = Command::new("cat").stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().unwrap();
    let from = cat.stdout.take().unwrap();
    let mut command = Command::new(cargo_bin("rread"));
    command.arg("mcp").current_dir(dir.path()).at_home(dir.path()).stdin(from).stdout(Stdio::null());
    let mut server = command.spawn().unwrap();
    drop(command);
    let mut input = cat.stdin.take().unwrap();
    let hello = json!({"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": {"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": {"name": "t", "version": "1"}}});
    let call = json!({"jsonrpc": "2.0", "id": 2, "method": "tools/call", "params": long_search()});
    writeln!(input, "{hello}\n{}\n{call}", json!({"jsonrpc": "2.0", "method": "notifications/initialized"}))
        .unwrap();
    thread::sleep(Duration::from_millis(150));
    assert!(server.try_wait().unwrap().is_none(), "the server ended before its client");
    cat.kill().unwrap();
    cat.wait().unwrap();
    let started = Instant::now();
    while server.try_wait().unwrap().is_none() {
        assert!(started.elapsed() < Duration::from_secs(2), "the server goes on");
        thread::sleep(Duration::from_millis(2));
    }
}

#[test]
fn a_cancelled_command_is_ended() {
    let dir = TempDir::new().unwrap();
    let mut client = Client::start(dir.path(), &["--allow-capture"]);
    let command = json!(["sh", "-c", "echo $$ > pid; sleep 1000"]);
    let id = client.begin("tools/call", json!({"name": "capture", "arguments": {"command": command}}));
    let pid = loop {
        match fs::read_to_string(dir.path().join("pid")) {
            Ok(text) if text.ends_with('\n') => break text.trim().to_owned(),
            _ => thread::sleep(Duration::from_millis(5)),
        }
    };
    client.send(&json!({"jsonrpc": "2.0", "method": "notifications/cancelled", "params": {"requestId": id}}));
    let started = Instant::now();
    // Whoever adopts it may leave it a zombie.
    let runs = || fs::read_to_string(format!("/proc/{pid}/stat")).is_ok_and(|stat| !stat.contains(") Z "));
    while runs() {
        assert!(started.elapsed() < Duration::from_secs(2), "the command goes on");
        thread::sleep(Duration::from_millis(5));
    }
}

/// How long a call may take beside eight that were cancelled; a build for tests is slower, and they share its processors.
const AT_ONCE: Duration =
    Duration::from_millis(if option_env!("CARGO_PROFILE_DEV_OPT_LEVEL").is_some() { 1000 } else { 100 });

/// Calls `tool` `count` times, cancels all of them, and returns how long the next call takes.
fn after_cancelled(client: &mut Client, count: usize, tool: &str, arguments: &Value) -> Duration {
    let calls: Vec<u64> = (0..count)
        .map(|_| client.begin("tools/call", json!({"name": tool, "arguments": arguments})))
        .collect();
    thread::sleep(Duration::from_millis(300));
    for id in calls {
        let params = json!({"requestId": id});
        client.send(&json!({"jsonrpc": "2.0", "method": "notifications/cancelled", "params": params}));
    }
    let started = Instant::now();
    assert!(client.text("read", &json!({"path": "small.csv"})).contains("a,b"));
    started.elapsed()
}

#[cfg(feature = "sql")]
#[test]
fn cancelled_queries_end_and_leave_the_server_answering() {
    let dir = TempDir::new().unwrap();
    fs::write(dir.path().join("small.csv"), "a,b\n1,x\n").unwrap();
    let rows: String = (0..20_000).map(|n| format!("{n},{}\n", n % 7)).collect();
    fs::write(dir.path().join("t.csv"), format!("n,g\n{rows}")).unwrap();
    let database = rread_source::rusqlite::Connection::open(dir.path().join("t.db")).unwrap();
    database.execute_batch("CREATE TABLE t (n); INSERT INTO t VALUES (1)").unwrap();
    drop(database);
    let queries = [
        "WITH RECURSIVE q(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM q) SELECT count(*) FROM q",
        "WITH RECURSIVE r AS (SELECT 1 AS n UNION ALL SELECT n + 1 FROM r) SELECT count(*) FROM r",
        "SELECT count(*) FROM t a, t b, t c WHERE a.n + b.n + c.n = 7",
        "SELECT a.n, count(*) FROM t a JOIN t b ON a.g = b.g JOIN t c ON b.g = c.g GROUP BY a.n ORDER BY 2",
        "SELECT sum(x) FROM (SELECT a.n * b.n AS x FROM t a CROSS JOIN t b CROSS JOIN t c ORDER BY x LIMIT 10)",
        "SELECT max(length(repeat(cast(a.n AS varchar), 90))) FROM t a, t b, t c",
        "SELECT sum(a.n) OVER (ORDER BY a.n, b.n) AS s FROM t a, t b ORDER BY s",
    ];
    for sql in queries {
        let path = if sql.contains("q(n)") { "t.db" } else { "t.csv" };
        let arguments = json!({"path": path, "sql": sql});
        within(AT_ONCE, sql, || {
            let mut client = Client::start(dir.path(), &[]);
            after_cancelled(&mut client, 8, "select", &arguments)
        });
        within(2 * AT_ONCE, sql, || {
            let mut client = Client::start(dir.path(), &[]);
            let pid = client.child.id();
            after_cancelled(&mut client, 1, "select", &arguments);
            works_on(pid)
        });
    }
}

#[test]
fn searches_of_one_long_line_leave_the_server_answering_and_end_when_cancelled() {
    let dir = TempDir::new().unwrap();
    fs::write(dir.path().join("small.csv"), "a,b\n1,x\n").unwrap();
    fs::write(dir.path().join("long.log"), ("a".repeat(200_000) + "\n").repeat(20)).unwrap();
    let patterns = ["(a{1,100}){1,60}b", "(a|aa|a{1,90}){1,90}b", "(?:a?){900}a{900}b", r"(\w{1,9}){1,9}\d"];
    for pattern in patterns {
        let arguments = json!({"path": "long.log", "pattern": pattern});
        within(AT_ONCE, pattern, || {
            let mut client = Client::start(dir.path(), &[]);
            after_cancelled(&mut client, 8, "search", &arguments)
        });
        // Nothing of them works on.
        within(AT_ONCE, pattern, || {
            let mut client = Client::start(dir.path(), &[]);
            after_cancelled(&mut client, 8, "search", &arguments);
            works_on(client.child.id())
        });
        within(AT_ONCE, pattern, || {
            let mut client = Client::start(dir.path(), &[]);
            for _ in 0..8 {
                client.begin("tools/call", json!({"name": "search", "arguments": arguments}));
            }
            thread::sleep(Duration::from_millis(300));
            let started = Instant::now();
            assert!(client.text("read", &json!({"path": "small.csv"})).contains("a,b"));
            started.elapsed()
        });
    }
    let mut client = Client::start(dir.path(), &[]);
    for tool in ["search", "follow"] {
        let arguments = json!({"path": "long.log", "pattern": "a{1,1000}{1,100}b"});
        let error = client.error(tool, &arguments);
        assert!(error.contains("too large: compiled, it exceeds 4 MiB"), "{error}");
    }
}

#[test]
fn calls_that_wait_keep_no_other_call_waiting() {
    let dir = TempDir::new().unwrap();
    fs::write(dir.path().join("small.csv"), "a,b\n1,x\n").unwrap();
    let mut client = Client::start(dir.path(), &[]);
    for _ in 0..50 {
        let arguments = json!({"path": "small.csv", "pattern": "nowhere", "timeout": 30});
        client.begin("tools/call", json!({"name": "follow", "arguments": arguments}));
    }
    within(Duration::from_millis(500), "read", || {
        let started = Instant::now();
        client.text("read", &json!({"path": "small.csv"}));
        started.elapsed()
    });
}

#[test]
fn a_call_ends_at_the_time_limit() {
    let dir = large();
    fs::write(dir.path().join("long.log"), "a".repeat(200_000)).unwrap();
    let mut client = Client::start(dir.path(), &["--timeout", "300ms"]);
    for arguments in [
        json!({"pattern": "nowhere", "path": "large.log"}),
        json!({"pattern": "(a{1,100}){1,60}b", "path": "long.log"}),
    ] {
        let started = Instant::now();
        let error = client.error("search", &arguments);
        assert!(error.contains("did not finish within 300ms"), "{error}");
        assert!(started.elapsed() < Duration::from_secs(10), "{:?}", started.elapsed());
    }
}
