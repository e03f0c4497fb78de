//! Memory, time and interruption.

use std::fmt::Write as _;
use std::time::{Duration, Instant};

use predicates::str::contains;

use rread_testkit::sandbox::{AtHome, Run, Sandbox, binary};
pub(super) fn shuffled(count: u64) -> String {
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

/// Runs `command` to its end; returns its exit code, standard error and the most memory that it had, in MiB.
#[cfg(target_os = "linux")]
pub(super) fn measured(mut command: std::process::Command) -> (i32, String, u64) {
    use std::process::Stdio;
    let mut child = command.stdout(Stdio::null()).stderr(Stdio::piped()).spawn().unwrap();
    let (id, mut peak) = (child.id(), 0);
    let status = loop {
        let status = std::fs::read_to_string(format!("/proc/{id}/status")).unwrap_or_default();
        // Until the new program has begun, these are the facts of the test.
        let is_begun = status.starts_with("Name:\trread\n");
        let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:").filter(|_| is_begun));
        let kilobytes: u64 = line.map_or(0, |line| line.trim().trim_end_matches(" kB").parse().unwrap_or(0));
        peak = peak.max(kilobytes >> 10);
        if let Some(status) = child.try_wait().unwrap() {
            break status;
        }
        std::thread::sleep(Duration::from_millis(2));
    };
    let mut said = String::new();
    std::io::Read::read_to_string(&mut child.stderr.take().unwrap(), &mut said).unwrap();
    (status.code().unwrap_or(-1), said, peak)
}

/// Queries whose values, and not what is sorted, grouped or joined, need much memory.
#[cfg(target_os = "linux")]
#[test]
fn values_of_functions_keep_to_the_memory() {
    let sandbox = Sandbox::with("t.csv", shuffled(20_000));
    let long = "repeat(word, 40)";
    let values = [
        "repeat('x', 1500000000)".to_owned(),
        "repeat(word, 10000)".to_owned(),
        "repeat(repeat(word, 100000), 1000)".to_owned(),
        "repeat(repeat(repeat(word, 40), 40), 40)".to_owned(),
        "lpad(word, 1000000)".to_owned(),
        "rpad(word, 1000000, 'é')".to_owned(),
        format!("replace({long}, 'w', {long})"),
        format!("replace(replace(replace({long}, 'w', 'wwwwwww'), 'w', 'wwwwwww'), 'w', 'wwwwwww')"),
        format!("regexp_replace({long}, '.', {long}, 'g')"),
        format!("regexp_replace({long}, '(.*)', '\\1\\1\\1\\1\\1\\1\\1\\1\\1\\1\\1\\1\\1\\1\\1\\1', 'g')"),
        format!("concat({0},{0},{0},{0},{0},{0},{0},{0})", "repeat(word, 30)"),
        "array_to_string(array_repeat(word, 100000), ',')".to_owned(),
        format!("array_to_string(make_array({}), repeat(word, 30))", vec!["1"; 90].join(",")),
        "cast(array_length(range(0, 900000000)) AS varchar)".to_owned(),
        "cast(array_length(range(0, key, 1)) AS varchar)".to_owned(),
        "cast(array_length(array_repeat(array_repeat(word, 3000), 3000)) AS varchar)".to_owned(),
        "cast(array_length(array_resize(make_array(1), 100000000, 2)) AS varchar)".to_owned(),
        format!("array_to_string(regexp_match({long}, '{}.*{}'), '')", "(".repeat(90), ")".repeat(90)),
    ];
    let doubled = (0..26)
        .fold("SELECT word AS x FROM t".to_owned(), |inner, _| format!("SELECT x || x AS x FROM ({inner})"));
    let mut queries: Vec<String> =
        values.iter().map(|value| format!("SELECT max(octet_length({value})) FROM t")).collect();
    queries.extend([
        "SELECT length(repeat('x',1500000000)) FROM t LIMIT 1".to_owned(),
        format!("SELECT max(length(x)) FROM ({doubled})"),
        format!("SELECT length(string_agg({long}, ',')) FROM t"),
        format!("SELECT array_length(array_agg({long})) FROM t"),
        format!("SELECT count(*) FROM (SELECT unnest(array_repeat({long}, 3000)) FROM t)"),
        format!("SELECT max({long}) OVER (ORDER BY key ROWS BETWEEN 9 PRECEDING AND CURRENT ROW) FROM t"),
    ]);
    for sql in queries {
        let mut command = std::process::Command::new(binary());
        command.current_dir(sandbox.path("")).at_home(&sandbox.home());
        command.args(["select", "t.csv", &sql, "--memory", "64MiB", "--timeout", "60s", "--raw"]);
        let (code, said, peak) = measured(command);
        assert!(peak <= 256, "{peak} MiB: {sql}: {said}");
        let is_refused = code == 3 && said.contains("--memory") || code == 2 && said.contains("nests deeper");
        assert!(code == 0 || is_refused, "{code}: {sql}: {said}");
        eprintln!("{code} {peak} MiB {}", sql.chars().take(90).collect::<String>());
    }
}

#[test]
fn functions_that_make_texts_of_an_ordinary_size_are_run() {
    let sandbox = Sandbox::with("t.csv", shuffled(20_000));
    for value in [
        "repeat(word, 9)",
        "lpad(word, 90, 'é')",
        "rpad(word, 90)",
        "replace(word, 'w', 'long')",
        "regexp_replace(word, '(\\d)', '<\\1>', 'g')",
        "regexp_replace(word, 'WORD', 'x', 'i')",
        "concat(word, key, word)",
        "concat_ws('-', word, key)",
        "array_to_string(array_repeat(word, 9), ',')",
        "array_to_string(range(0, 9), ',')",
        "overlay(word placing 'x' from 2)",
        "translate(word, 'wo', 'ab')",
    ] {
        for memory in ["2MiB", "512MiB"] {
            let sql = format!("SELECT max({value}) AS m, count({value}) AS n FROM t");
            let run = sandbox.run(["select", "t.csv", &sql, "--memory", memory, "--raw"]).ok();
            assert!(run.text().contains("20000"), "{value}: {run}");
        }
    }
}
