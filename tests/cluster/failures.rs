//! Workers that are dead, die, are cut off or stop: the whole answer, or an error, and never a part of the rows.

use std::time::{Duration, Instant};

use rread_testkit::sandbox::Run;

use super::workers::{COUNTS, Worker, counts, data, failed, proxy, select, succeeded};

#[test]
fn two_workers_give_the_answer_and_say_what_they_did() {
    let sandbox = data();
    let workers = [(); 2].map(|()| Worker::start(&sandbox, &["--root", "data"]));
    let both = format!("{},{}", workers[0].address, workers[1].address);
    let answer = select(&sandbox, COUNTS, &both, &["--json"]).ok().json();
    assert_eq!(answer["content"], counts());
    let facts = &answer["metadata"];
    assert_eq!((&facts["workers"], &facts["files_read"]), (&2.into(), &5.into()), "{facts}");
    assert!(facts["tasks"].as_u64().unwrap() >= 2 && facts["retried"].is_null(), "{facts}");
    assert!(facts["bytes_scanned"].as_u64().unwrap() > 5_000_000, "{facts}");
    // Rows that are only picked come in the order of the files.
    let sql = "SELECT id FROM t WHERE g = 3";
    let alone = sandbox.run(["select", "data", sql, "--raw"]).ok();
    assert_eq!(select(&sandbox, sql, &both, &["--raw"]).ok().text(), alone.text());
    let mut by_variable = sandbox.command();
    by_variable.args(["select", "data", COUNTS, "--raw"]).env("RREAD_WORKERS", &both);
    assert_eq!(Run::of(&mut by_variable).ok().text(), counts());
    let few = select(&sandbox, "SELECT id FROM t LIMIT 1", &both, &["--json"]).ok().json();
    assert_eq!(few["metadata"]["workers"], 0);
}

#[test]
fn a_worker_that_is_dead_is_left_out_and_said() {
    let sandbox = data();
    let [one, two] = [(); 2].map(|()| Worker::start(&sandbox, &["--root", "data"]));
    let both = format!("{},{}", one.address, two.address);
    two.killer()();
    let run = succeeded(select(&sandbox, COUNTS, &both, &["--json"]));
    let said = format!("the worker {} is lost: Connection refused; it is left out", two.address);
    assert!(run.stderr.contains(&said), "{run}");
    let answer = run.json();
    assert_eq!(
        (&answer["content"], &answer["metadata"]["retried"]),
        (&counts().into(), &serde_json::Value::Null)
    );
    one.killer()();
    let run = select(&sandbox, COUNTS, &both, &["--raw"]);
    let said =
        format!("the worker {} is lost: Connection refused; none of the 2 workers answers", one.address);
    assert!(!run.stderr.contains("left out"), "{run}");
    failed(run, &said);
}

#[test]
fn a_worker_that_dies_in_the_middle_costs_one_more_query() {
    let sandbox = data();
    for (format, is_killed) in [("--json", true), ("--raw", true), ("--json", false)] {
        let [one, two] = [(); 2].map(|()| Worker::start(&sandbox, &["--root", "data"]));
        let kill = two.killer();
        let cut = proxy(&two.address, move || {
            if is_killed {
                kill();
            }
            true
        });
        let run = succeeded(select(&sandbox, COUNTS, &format!("{},{cut}", one.address), &[format]));
        assert!(run.stderr.contains(&cut) && run.stderr.contains("sends the query to the others"), "{run}");
        if format == "--raw" {
            assert_eq!(run.text(), counts());
        } else {
            let answer = run.json();
            assert_eq!(answer["content"], counts());
            assert_eq!(
                (&answer["metadata"]["retried"], &answer["metadata"]["workers"]),
                (&1.into(), &1.into())
            );
        }
    }
}

#[test]
fn without_another_worker_there_is_an_error_and_no_row() {
    let sandbox = data();
    let worker = Worker::start(&sandbox, &["--root", "data"]);
    let other = Worker::start(&sandbox, &["--root", "data"]);
    let (kill, kill_other) = (worker.killer(), other.killer());
    let cut = proxy(&worker.address, move || {
        kill();
        kill_other();
        true
    });
    for sql in [COUNTS, "SELECT id FROM t"] {
        failed(select(&sandbox, sql, &format!("{cut},{}", other.address), &["--raw"]), "worker");
    }
}

/// What is stopped answers no more, and its connection stays open.
#[test]
fn a_worker_that_hangs_is_lost_too() {
    let sandbox = data();
    let [one, two] = [(); 2].map(|()| Worker::start(&sandbox, &["--root", "data"]));
    let process = i32::try_from(two.process()).unwrap();
    let stopped = proxy(&two.address, move || {
        let process = rustix::process::Pid::from_raw(process).unwrap();
        rustix::process::kill_process(process, rustix::process::Signal::STOP).unwrap();
        false
    });
    let began = Instant::now();
    let run = succeeded(select(&sandbox, COUNTS, &format!("{},{stopped}", one.address), &["--json"]));
    assert_eq!(run.json()["metadata"]["retried"], 1, "{run}");
    assert!(began.elapsed() < Duration::from_secs(50));
}

/// The processor time of a process, in ticks.
#[cfg(target_os = "linux")]
fn ticks(process: u32) -> u64 {
    let stat = std::fs::read_to_string(format!("/proc/{process}/stat")).unwrap();
    let fields: Vec<&str> = stat.rsplit_once(") ").unwrap().1.split(' ').collect();
    fields[11].parse::<u64>().unwrap() + fields[12].parse::<u64>().unwrap()
}

#[cfg(target_os = "linux")]
#[test]
fn workers_stop_when_the_client_ends() {
    use rread_testkit::sandbox::{AtHome, binary};
    let sandbox = data();
    let worker = Worker::start(&sandbox, &["--root", "data"]);
    // A million million pairs.
    let sql = "SELECT sum(a.id % 7 + b.id % 3 + c.id % 5) FROM t a, t b, t c WHERE a.g = b.g AND b.g = c.g";
    let mut client = std::process::Command::new(binary());
    client.args(["select", "data", sql, "--raw", "--workers", &worker.address]).current_dir(sandbox.path(""));
    client.at_home(&sandbox.home());
    let mut client = client.stdout(std::process::Stdio::null()).spawn().unwrap();
    let idle = ticks(worker.process());
    let deadline = Instant::now() + Duration::from_secs(30);
    while ticks(worker.process()) < idle + 100 && client.try_wait().unwrap().is_none() {
        assert!(Instant::now() < deadline, "the worker does nothing");
        std::thread::sleep(Duration::from_millis(50));
    }
    assert!(client.try_wait().unwrap().is_none(), "the query is too small for this test");
    let process = rustix::process::Pid::from_raw(i32::try_from(client.id()).unwrap()).unwrap();
    rustix::process::kill_process(process, rustix::process::Signal::INT).unwrap();
    client.wait().unwrap();
    let is_idle = || {
        let before = ticks(worker.process());
        std::thread::sleep(Duration::from_millis(500));
        ticks(worker.process()) < before + 3
    };
    let deadline = Instant::now() + Duration::from_secs(20);
    while !is_idle() {
        assert!(Instant::now() < deadline, "the worker goes on");
    }
}

/// Rows that nobody wants any more are not sent, and the receipt has what the workers read until then.
#[test]
fn a_query_that_ends_early_says_what_it_read() {
    let sandbox = data();
    sandbox.file("data/0.csv", format!("id,g,filler\nbad\n{}", "1,1,x\n".repeat(100_000)));
    let workers = [(); 2].map(|()| Worker::start(&sandbox, &["--root", "data"]));
    let both = format!("{},{}", workers[0].address, workers[1].address);
    let sql = "SELECT id, filler FROM t";
    for budget in [["--max-rows", "7"], ["--max-bytes", "100"]] {
        let more = [&["--skip-bad", "--json"][..], &budget].concat();
        let alone = sandbox.run(["select", "data", sql].iter().chain(&more)).ok().json();
        let answer = select(&sandbox, sql, &both, &more).ok().json();
        assert_eq!(answer["content"], alone["content"]);
        let (facts, alone) = (&answer["metadata"], &alone["metadata"]);
        for key in ["rows_returned", "next", "skipped_rows", "first_skipped"] {
            assert_eq!(facts[key], alone[key], "{key}: {facts}");
        }
        assert_eq!((&facts["workers"], &facts["skipped_rows"]), (&2.into(), &1.into()), "{facts}");
        assert!(facts["files_read"].as_u64() >= alone["files_read"].as_u64(), "{facts}");
        assert!(facts["bytes_scanned"].as_u64() > Some(1000), "{facts}");
    }
}

/// The engine of clusters ends its tasks in any order; none of that is shown.
#[test]
fn an_error_of_a_query_is_that_of_the_query_alone() {
    let sandbox = data();
    let workers = [(); 2].map(|()| Worker::start(&sandbox, &["--root", "data"]));
    let both = format!("{},{}", workers[0].address, workers[1].address);
    for sql in [
        "SELECT sum(id * 900000000000000) FROM t",
        "SELECT id / (g - g) FROM t",
        "SELECT CAST(filler AS bigint) FROM t",
    ] {
        let alone = sandbox.run(["select", "data", sql, "--raw"]);
        assert!(alone.code == 2 && alone.stdout.is_empty(), "{alone}");
        for _ in 0..3 {
            let run = select(&sandbox, sql, &both, &["--raw"]);
            assert_eq!((run.code, &run.stderr), (alone.code, &alone.stderr), "{sql}");
            assert!(run.stdout.is_empty(), "{run}");
        }
    }
}

/// A worker ends a query that takes too long, and does not work for it any more.
#[cfg(target_os = "linux")]
#[test]
fn a_worker_ends_what_takes_longer_than_its_timeout() {
    let sandbox = data();
    let workers = [(); 2].map(|()| Worker::start(&sandbox, &["--root", "data", "--timeout", "2s"]));
    let both = format!("{},{}", workers[0].address, workers[1].address);
    assert_eq!(select(&sandbox, COUNTS, &both, &["--raw"]).ok().text(), counts());
    // A million million pairs.
    let sql = "SELECT sum(a.id % 7 + b.id % 3 + c.id % 5) FROM t a, t b, t c WHERE a.g = b.g AND b.g = c.g";
    let run = select(&sandbox, sql, &both, &["--raw"]);
    assert!(
        run.stderr.contains("refuses: the query takes longer than 2s\nhint: start the worker with a longer"),
        "{run}"
    );
    failed(run, "the worker 127.0.0.1:");
    let is_idle = |worker: &Worker| {
        let before = ticks(worker.process());
        std::thread::sleep(Duration::from_millis(500));
        ticks(worker.process()) < before + 3
    };
    let deadline = Instant::now() + Duration::from_secs(20);
    while !workers.iter().all(is_idle) {
        assert!(Instant::now() < deadline, "a worker goes on");
    }
}
