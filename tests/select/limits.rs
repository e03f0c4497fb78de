//! Memory, time and interruption.

use std::fmt::Write as _;
use std::time::{Duration, Instant};

use predicates::str::contains;

use rread_testkit::sandbox::{AtHome, Run, Sandbox};
fn shuffled(count: u64) -> String {
    let mut text = "key,word\n".to_owned();
    for n in 0..count {
        let key = n.wrapping_mul(0x9E37_79B9_7F4A_7C15) >> 20;
        writeln!(text, "{key},word number {} of many {key}", key % 1_000_003).unwrap();
    }
    text
}

#[test]
fn results_larger_than_memory_use_temporary_files() {
    let sandbox = Sandbox::with("t.csv", shuffled(400_000));
    let temporary = sandbox.path("temporary");
    std::fs::create_dir(&temporary).unwrap();
    let mut command = sandbox.command();
    command.args([
        "select",
        "t.csv",
        "SELECT word, key FROM t ORDER BY word, key",
        "--json",
        "--memory",
        "20MiB",
    ]);
    let answer = Run::of(command.env("TMPDIR", &temporary)).ok().json();
    assert!(answer["metadata"]["bytes_spilled"].as_u64().unwrap() > 1 << 20, "{}", answer["metadata"]);
    let rows: Vec<&str> = answer["content"].as_str().unwrap().lines().skip(1).collect();
    assert_eq!(rows.len(), 400_000);
    let words: Vec<&str> = rows.iter().map(|row| row.split(',').next().unwrap()).collect();
    assert!(words.is_sorted());
    assert_eq!(std::fs::read_dir(&temporary).unwrap().count(), 0, "a temporary file was left");
}

#[test]
fn too_little_memory_is_an_error_with_a_hint() {
    let sandbox = Sandbox::with("t.csv", shuffled(200_000));
    let sql = "SELECT a.key FROM t a JOIN t b ON a.word = b.word ORDER BY 1";
    let run = sandbox.run(["select", "t.csv", sql, "--memory", "1MiB"]);
    assert_eq!(run.code, 3, "{run}");
    assert!(run.stderr.contains("hint: ") && run.stderr.contains("--memory"), "{run}");
}

#[test]
fn a_nested_loop_join_in_little_memory_is_not_an_internal_error() {
    let sandbox = Sandbox::with("t.csv", shuffled(20_000));
    let sql = "SELECT count(*) FROM t a, t b WHERE a.key + b.key > 7 AND a.word < 'word number 2'";
    let run = sandbox.run(["select", "t.csv", sql, "--memory", "2MiB", "--timeout", "5s"]);
    assert!([0, 3].contains(&run.code), "{run}");
}

#[test]
fn a_query_ends_at_its_timeout() {
    let sandbox = Sandbox::with("t.csv", shuffled(20_000));
    let started = Instant::now();
    let sql = "SELECT count(*) FROM t a, t b, t c WHERE a.key + b.key + c.key = 7";
    let run = sandbox.run(["select", "t.csv", sql, "--timeout", "500ms"]).refused(3);
    assert!(started.elapsed() < Duration::from_secs(20), "{:?}", started.elapsed());
    run.says(contains("500ms"));
}

#[test]
fn an_open_quote_is_reported_and_takes_little_memory() {
    let text = "a,b\n1,2\n3,\"never closed\n".to_owned() + &"4,5\n".repeat(1_000_000);
    let sandbox = Sandbox::with("t.csv", text);
    let run = sandbox.run(["select", "t.csv", "SELECT count(*) FROM t"]).refused(6);
    run.says(contains("line 3")).says(contains("--quote"));
}

#[cfg(unix)]
#[test]
fn interruption_ends_a_query_at_once() {
    use std::os::unix::process::ExitStatusExt;
    let sandbox = Sandbox::with("t.csv", shuffled(20_000));
    let temporary = sandbox.path("temporary");
    std::fs::create_dir(&temporary).unwrap();
    let sql = "SELECT count(*) FROM t a, t b, t c WHERE a.key + b.key + c.key = 7";
    let mut child = std::process::Command::new(rread_testkit::sandbox::binary())
        .at_home(&sandbox.home())
        .current_dir(sandbox.path(""))
        .args(["select", "t.csv", sql])
        .env("TMPDIR", &temporary)
        .spawn()
        .unwrap();
    std::thread::sleep(Duration::from_millis(1500));
    let process = rustix::process::Pid::from_child(&child);
    rustix::process::kill_process(process, rustix::process::Signal::TERM).unwrap();
    let started = Instant::now();
    let status = child.wait().unwrap();
    assert!(started.elapsed() < Duration::from_secs(5));
    assert_eq!(status.signal(), Some(rustix::process::Signal::TERM.as_raw()));
    assert_eq!(std::fs::read_dir(&temporary).unwrap().count(), 0, "a temporary file was left");
}
